// What a reader does with the page: reads the answer, turns knobs, stops, mistypes, reads values off the chart.

import assert from "node:assert/strict";
import { pageTest, shot } from "./harness.mjs";
import { DONE, digests, lookups } from "./reader.mjs";

/** How many pixels of the canvas are painted. */
const painted = (page) =>
  page.locator("#chart canvas").evaluate((canvas) => {
    const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
    let count = 0;
    for (let at = 3; at < data.length; at += 4) if (data[at] > 0) count += 1;
    return count;
  });

pageTest("the answer and the chart stream in soon after loading", {}, async ({ page }) => {
  await page.locator(".figures td.strong").first().waitFor({ timeout: 15_000 });
  await page.locator(".answer h2").filter({ hasText: /So far, on SSDs this CUBRID inserts/ }).waitFor();
  assert.match(await page.locator(".answer h2").innerText(), /published: 5 times/);
  await page.waitForFunction(() => document.querySelector("#chart canvas").width > 100);
  assert.ok((await painted(page)) > 1000, "the chart is drawn");
  // Results go on streaming in.
  const before = await page.locator(".status-text").first().innerText();
  await page.waitForFunction((text) => document.querySelector(".status-text").innerText !== text, before);
  await shot(page, "page-streaming");
});

pageTest("a slider starts a new run whose result replaces the old one", {}, async ({ page }) => {
  await lookups(page);
  const before = await digests(page);
  assert.match(before[0], /^[0-9a-f]{16}$/);
  await page.locator("#clients-slider").focus();
  await page.keyboard.press("Home");
  await page.locator('.app[data-stale="true"]').waitFor();
  await page.locator(DONE).waitFor({ timeout: 60_000 });
  assert.equal(await page.locator("#clients").inputValue(), "1");
  const after = await digests(page);
  assert.notEqual(after[0], before[0]);
  assert.match(await page.locator(".published").innerText(), /with the published set-up/);
  // Back to the card, back to the card's digest.
  await page.locator("#reset").click();
  await page.waitForFunction(
    (digest) => document.querySelector(".figures [data-digest]").dataset.digest === digest,
    before[0],
    { timeout: 60_000 },
  );
});

pageTest("the buffer's slider and field change the same thing", {}, async ({ page }) => {
  await lookups(page);
  await page.locator("#buffer").fill("512 MB");
  await page.locator("#buffer").press("Enter");
  await page.locator(DONE).waitFor({ timeout: 60_000 });
  assert.match(await page.locator("#buffer").inputValue(), /^512\sMiB$/);
  const low = Number(await page.locator("#buffer-slider").inputValue());
  await page.locator("#buffer-slider").focus();
  await page.keyboard.press("PageUp");
  await page.waitForFunction(() => !document.querySelector("#buffer").value.startsWith("512"));
  assert.ok(Number(await page.locator("#buffer-slider").inputValue()) > low);
  await page.locator(DONE).waitFor({ timeout: 60_000 });
});

pageTest("bad input is told beside its control and the last good result stays", {}, async ({ page }) => {
  await lookups(page);
  const before = await digests(page);
  for (const [field, text, message] of [
    ["#buffer", "64G", /8 GiB/],
    ["#tables", "0", /1 to 1000/],
    ["#devices", "0", /1 to 64/],
    ["#clients", "many", /“many”/],
    ["#search-range", "0", /share/],
    ["#rows", "1e400", /“1e400”/],
  ]) {
    await page.locator(field).fill(text);
    await page.locator(field).press("Enter");
    const told = page.locator(`${field}-message`);
    await told.filter({ hasText: /\S/ }).waitFor();
    assert.match(await told.innerText(), message, field);
    assert.equal(await page.locator(field).getAttribute("aria-invalid"), "true");
  }
  assert.equal(await page.locator("#clients").inputValue(), "many", "what was not understood is kept");
  assert.deepEqual(await digests(page), before);
  assert.match(await page.locator(".status-text").first().innerText(), /cannot be run/);
  await shot(page, "page-bad-input");
  await page.locator("#reset").click();
  await page.locator(DONE).waitFor({ timeout: 60_000 });
  assert.equal(await page.locator(".knob.invalid").count(), 0);
  assert.deepEqual(await digests(page), before);
});

pageTest("a run can be stopped and started again", {}, async ({ page }) => {
  await page.locator(".figures td.strong").first().waitFor({ timeout: 15_000 });
  await page.locator("#stop").click();
  await page.locator('.app[data-state="stopped"]').waitFor();
  const text = await page.locator(".status-text").first().innerText();
  assert.match(text, /^stopped after/);
  const figures = await page.locator(".figures").innerText();
  await page.waitForTimeout(700);
  assert.equal(await page.locator(".figures").innerText(), figures, "nothing moves after a stop");
  await page.locator("#run").click();
  await page.locator('.app[data-state="running"]').waitFor();
});

pageTest("a replay of all cases says what and how far, fills the claims, and stops", {}, async ({ page }) => {
  await page.locator("#replay").click();
  await page.locator("#replay-status").filter({ hasText: /simulating \d+ of 12 cases/ }).waitFor();
  await page.locator(".claims .yes, .claims .no").first().waitFor({ timeout: 90_000 });
  await page.locator("#stop-replay").click();
  await page.locator("#replay").filter({ hasText: "Replay the other" }).waitFor();
});

pageTest("system, test, machine and device can be chosen", {}, async ({ page }) => {
  await lookups(page);
  await page.getByRole("radio", { name: "MySQL" }).check();
  await page.locator(".answer h2").filter({ hasText: "MySQL" }).waitFor({ timeout: 60_000 });
  await page.locator(DONE).waitFor({ timeout: 60_000 });
  const before = await digests(page);
  await page.getByRole("radio", { name: "SSDs" }).check();
  await page.locator("#device").selectOption("sata-7200");
  await page.locator(DONE).waitFor({ timeout: 60_000 });
  const after = await digests(page);
  assert.equal(after[0], before[0], "the other machine is as it was");
  assert.match(await page.locator(".answer h2").innerText(), /On 6 × sata-7200, RAID 0\+1/);
  assert.match(await page.locator(".of").first().innerText(), /^of B · ./);
  await page.locator("#raid").selectOption("none");
  assert.equal(await page.locator("#devices").inputValue(), "1");
});

pageTest("the chart is read by keyboard, pointer and table", {}, async ({ page }) => {
  await lookups(page);
  await page.locator("#chart").focus();
  await page.keyboard.press("Home");
  await page.keyboard.press("ArrowRight");
  assert.match(await page.locator("#chart-reading").innerText(), /\d+\s+s[\s\S]*Disks[\s\S]*\d[\s\S]*SSDs/);
  assert.equal(await page.locator("#chart-reading").getAttribute("aria-live"), "polite");
  assert.ok((await page.locator(".overlay circle").count()) >= 2);
  await page.keyboard.press("Escape");
  assert.equal(await page.locator(".overlay circle").count(), 0);
  await page.locator("#chart").scrollIntoViewIfNeeded();
  const box = await page.locator("#chart").boundingBox();
  await page.mouse.move(box.x + 120, box.y + 100);
  await page.locator("#chart-reading").filter({ hasText: /\d+\s+s/ }).waitFor();
  await page.getByRole("button", { name: "Table", exact: true }).click();
  assert.ok((await page.locator(".series-table tbody tr").count()) > 2);
  await page.getByRole("button", { name: "Chart", exact: true }).click();
  await page.waitForFunction(() => document.querySelector("#chart canvas")?.width > 100);
});

pageTest("the theme follows the system until the reader chooses, and is remembered", {}, async ({ page }) => {
  const paper = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  await page.locator("#theme").waitFor();
  const light = await paper();
  await page.emulateMedia({ colorScheme: "dark" });
  const dark = await paper();
  assert.notEqual(dark, light);
  await page.emulateMedia({ colorScheme: "light" });
  await page.locator("#theme").click();
  assert.equal(await paper(), dark);
  await page.reload();
  await page.locator("#theme").filter({ hasText: "dark" }).waitFor();
  assert.equal(await paper(), dark);
  await page.locator("#theme").click();
  assert.equal(await paper(), light);
});

pageTest("on a phone the knobs are a sheet and nothing is wider than the screen", { width: 360, height: 780 }, async ({ page }) => {
  await page.locator(".figures td.strong").first().waitFor({ timeout: 15_000 });
  const wider = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  assert.ok(wider <= 0, `${wider} px too wide`);
  assert.ok(await page.locator("#knobs").isHidden());
  await page.locator(".sheet-button").click();
  await page.locator("#knobs").waitFor();
  const sheet = await page.locator("#knobs").boundingBox();
  const chart = await page.locator("#chart").boundingBox();
  assert.ok(chart.y + chart.height <= sheet.y + 1, "the picture stays visible above the sheet");
  await page.locator(".group button").filter({ hasText: "Load" }).click();
  assert.ok(await page.locator("#clients-slider").isVisible());
  assert.ok(await page.locator("#buffer-slider").isHidden(), "one group at a time");
  await shot(page, "page-360-sheet");
  await page.locator(".sheet-handle button").click();
  assert.ok(await page.locator("#knobs").isHidden());
});

pageTest("a worker that died is told, and can be started again", {}, async ({ page, errors }) => {
  await page.route("**/worker.js", (route) => route.fulfill({ contentType: "text/javascript", body: "throw new Error();" }));
  await page.reload();
  await page.locator('.app[data-state="died"]').waitFor({ timeout: 15_000 });
  assert.match(await page.locator(".status-text").first().innerText(), /stopped working/);
  await page.unroute("**/worker.js");
  await page.locator("#run").click();
  await page.locator(".figures td.strong").first().waitFor({ timeout: 15_000 });
  errors.length = 0;
});

pageTest("the page goes on drawing while it simulates", {}, async ({ page }) => {
  await page.locator(".figures td.strong").first().waitFor({ timeout: 15_000 });
  const gaps = await page.evaluate(
    () =>
      new Promise((resolve) => {
        const times = [];
        const tick = (time) => {
          times.push(time);
          if (times.length < 120) requestAnimationFrame(tick);
          else resolve(times.slice(1).map((t, at) => t - times[at]).sort((a, b) => a - b));
        };
        requestAnimationFrame(tick);
      }),
  );
  const median = gaps[Math.floor(gaps.length / 2)];
  console.log(`a frame while simulations run: ${median.toFixed(1)} ms in the median (aim: 20 ms)`);
  assert.equal(gaps.length, 119, "frames come");
});

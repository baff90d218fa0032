// How far to trust it: the view of measurements beside the model, and the error bands beside each result.

import assert from "node:assert/strict";
import { pageTest, shot, url } from "./harness.mjs";

const VIEW = { path: "/#accuracy" };

/** A small file of measurements that the tests know by heart. */
const measured = () => {
  const figure = (name, model, truth, trusted = true) => ({
    name,
    model,
    truth,
    error: truth === 0 ? model : model / truth - 1,
    trusted,
  });
  const cell = (id, engine, kind, quantities, trust = "good") => ({
    id,
    engine,
    kind,
    writes: /insert/.test(id),
    supported: true,
    trust,
    quantities,
  });
  const cells = [];
  for (let at = 0; at < 8; at += 1) {
    const load = at < 6 ? "point_uniform" : "seed_insert_random";
    cells.push(
      cell(`innodb/device/hdd/128M/${load}/${at}`, "mariadb-10.11", "device", [
        figure("throughput_tps", (100 + 10 * at) * 10 ** (at % 3), 100 * 10 ** (at % 3)),
        figure("page_reads", at === 0 ? 0 : 1 + at / 10, at === 0 ? 0 : 1),
      ]),
    );
  }
  cells.push(
    cell("innodb/device/ssd/1/low", "mariadb-10.11", "device", [figure("throughput_tps", 900, 300, false)], "cpu only"),
    cell("postgres/device/select-only/1", "postgresql-15", "device", [figure("throughput_tps", 50, 100)]),
    cell("innodb/size/1/PRIMARY", "mariadb-10.11", "sizing", [figure("leaf_pages", 686, 685)]),
    { id: "firebird/a", engine: "firebird-3.0", kind: "device", supported: false, reason: "no <b>model</b>", trust: "good", quantities: [] },
  );
  const row = (kind, quantity, count, median, p90, worst) => ({ engine: "mariadb-10.11", kind, quantity, cells: count, median, p90, worst });
  return {
    cells,
    summary: [row("device", "throughput_tps", 8, 0.4, 0.6, 0.7), row("device", "page_reads", 8, 0.3, 0.6, 0.7), row("sizing", "leaf_pages", 1, 0.001, 0.001, 0.001)],
    low_trust: [row("device", "throughput_tps", 1, 2, 2, 2)],
  };
};

/** Has the page find these measurements in place of its own. */
const serve = (page, body, more = {}) =>
  page.route("**/accuracy.json", (route) => route.fulfill({ contentType: "application/json", body, ...more }));

const points = async (page) => Number(await page.locator("#scatter").getAttribute("data-points"));

const until = (page, count) =>
  page.waitForFunction((n) => document.querySelector("#scatter")?.dataset.points === String(n), count);

/** Opens the view on the small file. */
async function small(page) {
  await serve(page, JSON.stringify(measured()));
  await page.reload();
  await until(page, 9);
}

pageTest("the accuracy view opens from the header and from the section on certainty", {}, async ({ page }) => {
  await page.locator("header nav").getByRole("link", { name: "Accuracy" }).click();
  await page.locator("#scatter").waitFor();
  assert.match(page.url(), /#accuracy$/);
  assert.ok((await points(page)) > 20);
  await page.waitForFunction(() => document.querySelector("#scatter canvas").width > 200);
  const coloured = await page.locator("#scatter canvas").evaluate((canvas) => {
    const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
    let count = 0;
    for (let at = 0; at < data.length; at += 4) if (data[at + 3] > 0 && Math.abs(data[at] - data[at + 1]) > 40) count += 1;
    return count;
  });
  assert.ok(coloured > 200, "marks are drawn in an engine's colour");
  await page.goBack();
  await page.locator(".answer").waitFor();
  await page.getByRole("link", { name: "how far to trust it" }).click();
  await page.locator("#scatter").waitFor();
});

pageTest("filters change the number of marks and stand in the link", VIEW, async ({ page }) => {
  await small(page);
  assert.equal(await page.locator(".worst tbody tr").count(), 8, "one of nine is right");
  await page.locator("#filter-engine").selectOption("postgresql-15");
  await until(page, 1);
  await page.locator("#filter-engine").selectOption("mariadb-10.11");
  await until(page, 8);
  await page.locator("#filter-load").selectOption("writes");
  await until(page, 2);
  await page.locator("#filter-load").selectOption("");
  await page.locator("#filter-low-trust").check();
  await until(page, 9);
  await page.locator("#filter-quantity").selectOption("page_reads");
  await until(page, 8);
  assert.match(await page.locator("#zero-note").innerText(), /^One mark has a figure of 0/);
  assert.match(page.url(), /#accuracy\?engine=mariadb-10.11&quantity=page_reads&low-trust=yes$/);
  await page.locator("#filter-kind").selectOption("sizing");
  await until(page, 1);
  assert.equal(await page.locator("#filter-quantity").inputValue(), "leaf_pages", "a quantity that was measured so");
  await page.reload();
  await until(page, 1);
  assert.equal(await page.locator("#filter-kind").inputValue(), "sizing");
});

pageTest("a mark is named by keyboard, pointer and finger", { ...VIEW, hasTouch: true }, async ({ page }) => {
  await small(page);
  const reading = page.locator("#point-reading");
  await page.locator("#scatter").focus();
  await page.keyboard.press("Home");
  assert.match(await reading.innerText(), /innodb\/device\/hdd\/128M\/point_uniform\/0[\s\S]*model 100[\s\S]*measured 100[\s\S]*error none/);
  await page.keyboard.press("ArrowUp");
  assert.match(await reading.innerText(), /error \+10/, "up goes to the next larger error");
  await page.keyboard.press("Escape");
  await page.keyboard.press("ArrowUp");
  assert.match(await reading.innerText(), /error \+70/);
  assert.equal(await reading.getAttribute("aria-live"), "polite");
  const place = await page.locator(".overlay .ring").evaluate((ring) => ({ x: ring.cx.baseVal.value, y: ring.cy.baseVal.value }));
  await page.keyboard.press("Escape");
  assert.equal(await page.locator(".overlay .ring").count(), 0);
  await page.locator("#scatter").scrollIntoViewIfNeeded();
  const box = await page.locator("#scatter").boundingBox();
  await page.mouse.move(box.x + place.x + 2, box.y + place.y - 2);
  await reading.filter({ hasText: /error \+70/ }).waitFor();
  await page.mouse.move(box.x + 2, box.y + 2);
  await reading.filter({ hasText: /Point at a mark/ }).waitFor();
  await page.touchscreen.tap(box.x + place.x, box.y + place.y);
  await reading.filter({ hasText: /error \+70/ }).waitFor();
});

pageTest("the summary sorts, and what has no answer is listed with its reason", VIEW, async ({ page }) => {
  await small(page);
  const column = (at) => page.locator(".summary tbody tr").evaluateAll((rows, at) => rows.map((row) => row.children[at].innerText.trim()), at);
  await page.locator(".summary").getByRole("button", { name: "cells" }).click();
  assert.deepEqual(await column(3), ["8", "8", "1"]);
  await page.locator(".summary").getByRole("button", { name: "cells" }).click();
  assert.deepEqual(await column(3), ["1", "8", "8"]);
  assert.equal(await page.locator(".summary th").nth(3).getAttribute("aria-sort"), "ascending");
  await page.locator(".summary").getByRole("link", { name: "pages read" }).click();
  await until(page, 8);
  assert.match(await page.locator("#unsupported > summary").innerText(), /11 of 12/);
  await page.locator("#unsupported > summary").click();
  assert.match(await page.locator("#unsupported").innerText(), /Firebird 3\.0.*no <b>model<\/b>/);
});

for (const [name, body, more] of [
  ["missing", "not found", { status: 404 }],
  ["not JSON", "<!doctype html>", {}],
  ["of another form", '{"cells":[{"id":1}]}', {}],
]) {
  pageTest(`measurements that are ${name} are told, and can be asked for again`, VIEW, async ({ page, errors }) => {
    await serve(page, body, more);
    await page.reload();
    await page.locator("#accuracy-failed").filter({ hasText: "could not be loaded" }).waitFor();
    await page.unroute("**/accuracy.json");
    await serve(page, JSON.stringify(measured()));
    await page.locator("#accuracy-again").click();
    await until(page, 9);
    // The browser itself notes what was not found.
    errors.length = 0;
  });
}

pageTest("without measurements the simulation works and says what it does not know", {}, async ({ page, errors }) => {
  await serve(page, "", { status: 404 });
  await page.reload();
  await page.locator(".figures td.strong").first().waitFor({ timeout: 15_000 });
  await page.locator("#trust-note").filter({ hasText: "not known" }).waitFor();
  assert.equal(await page.locator(".figures .band").count(), 0);
  errors.length = 0;
});

pageTest("every result carries its error band, with a link to the measurements behind it", {}, async ({ page }) => {
  await serve(page, JSON.stringify(measured()));
  await page.reload();
  await page.getByRole("radio", { name: "SELECT in memory" }).check({ force: true });
  await page.getByRole("radio", { name: "MySQL" }).check({ force: true });
  await page.locator('.app[data-state="done"][data-stale="false"]').waitFor({ timeout: 60_000 });
  const band = page.locator(".figures tbody tr").first().locator(".strong .band");
  // Six loads that only read, off by 0 to 50 %.
  assert.match(await band.innerText(), /^model ±\s50\s%$/);
  assert.match(
    await page.locator('#trust-note [data-quantity="throughput_tps"]').innerText(),
    /50\s% over 6 measured cells \(median 30\s%\) of MariaDB 10\.11, a later relative of InnoDB 5\.1 with loads that only read/,
  );
  assert.match(await page.locator('#trust-note [data-quantity="page_reads"]').innerText(), /^not validated: no measurement of pages read/);
  assert.match(await page.locator("#trust-note").innerText(), /Extrapolated[\s\S]*times that vary/);
  assert.match(await page.locator("#sure").innerText(), /50\s% over 6 measured cells/);
  await band.click();
  await until(page, 6);
  assert.equal(await page.locator("#filter-load").inputValue(), "reads");
});

pageTest("an engine without measurements is not validated", {}, async ({ page }) => {
  await serve(page, JSON.stringify(measured()));
  await page.reload();
  await page.locator(".figures .band").first().waitFor({ timeout: 15_000 });
  assert.equal(await page.locator(".figures .band").first().innerText(), "not validated");
  assert.match(await page.locator("#sure").innerText(), /^Not validated: no measurement of throughput for this engine \(CUBRID 11\.3/);
  assert.match(await page.locator("#trust-note").innerText(), /^Not validated: none of these figures/);
});

for (const [width, colorScheme] of [[1440, "light"], [1440, "dark"], [360, "light"], [360, "dark"]]) {
  pageTest(`the accuracy view fits ${width} pixels, ${colorScheme}`, { ...VIEW, width, height: 800, colorScheme }, async ({ page }) => {
    await page.locator("#scatter").waitFor();
    await page.waitForFunction(() => document.querySelector("#scatter canvas").width > 100);
    const wider = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    assert.ok(wider <= 0, `${wider} px too wide`);
    assert.equal(new URL(page.url()).origin, new URL(url).origin);
    await shot(page, `accuracy-${width}-${colorScheme}`, { fullPage: true });
  });
}

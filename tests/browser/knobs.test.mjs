// Every knob: slider, field, keys, choices, switches, the way back, the search, tables by DDL and by size.

import assert from "node:assert/strict";
import { pageTest, shot } from "./harness.mjs";
import { DONE, linkAfter, lookups, shown, type } from "./reader.mjs";

pageTest("fields understand what administrators type", {}, async ({ page }) => {
  await lookups(page);
  for (const [knob, typed, text] of [
    ["buffer", "2G", "2 GiB"],
    ["buffer", "512 MB", "512 MiB"],
    ["rows", "15k", "15,000"],
    ["fill", "80 %", "80 %"],
    ["clock", "3.2", "3.2 GHz"],
    ["think-time", "10ms", "10 ms"],
    ["duration", "5min", "5 min"],
  ]) {
    await type(page, knob, typed);
    await page.waitForFunction(([id, want]) => document.getElementById(id).value.replace(/\s/g, " ") === want, [knob, text]);
  }
  assert.equal(await page.locator(".knob.invalid").count(), 0);
});

pageTest("a slider moves by every key, and a knob goes back to where it was", {}, async ({ page }) => {
  await lookups(page);
  const slider = page.locator("#devices-slider");
  await page.getByRole("radio", { name: /SSDs/ }).check({ force: true });
  await slider.focus();
  for (const [key, value] of [["ArrowRight", "8"], ["ArrowLeft", "6"], ["End", "24"], ["Home", "2"], ["PageUp", "4"]]) {
    await page.keyboard.press(key);
    await page.waitForFunction((want) => document.querySelector("#devices").value === want, value);
  }
  await page.locator("#devices-reset").click();
  assert.equal(await shown(page, "devices"), "6");
  assert.equal(await page.locator("#devices-reset").count(), 0);
});

pageTest("each knob says what it changes, and parameters are found by name and effect", {}, async ({ page }) => {
  await page.locator("#buffer").waitFor();
  const terms = await page.locator(".knob .term").evaluateAll((all) => all.map((term) => term.dataset.meaning));
  assert.ok(terms.length > 15 && terms.every((meaning) => meaning.endsWith(".")));
  assert.equal(await page.locator("#parameter-num_lru_chains").count(), 0);
  await page.locator("#parameter-search").fill("commit");
  await page.locator("#parameter-group_commit_interval_in_msecs").waitFor();
  await page.locator("#parameter-search").fill("no such thing");
  await page.locator(".search [role=status]").waitFor();
  await page.locator("#parameter-search").fill("lru");
  await page.locator("#parameter-num_lru_chains").fill("100");
  await page.locator("#parameter-num_lru_chains").press("Enter");
  await page.locator("#parameter-num_lru_chains-reset").waitFor();
});

pageTest("another engine keeps the size of the buffer", {}, async ({ page }) => {
  await lookups(page);
  const before = await shown(page, "buffer");
  for (const profile of ["postgresql-15", "firebird-3.0", "mariadb-10.11"]) {
    await page.locator("#profile").selectOption(profile);
    await page.locator("#profile").evaluate((select, want) => select.value === want, profile);
    assert.equal(await shown(page, "buffer"), before);
  }
  await page.locator(DONE).waitFor({ timeout: 60_000 });
  await shot(page, "knobs-mariadb");
});

pageTest("a log device and a controller cache come and go", {}, async ({ page }) => {
  await lookups(page);
  await page.locator("#log-device").check();
  await page.locator("#log-device-kind").selectOption("sata-ssd-2014");
  assert.equal(await shown(page, "log-devices"), "1");
  await page.locator("#log-device").uncheck();
  assert.equal(await page.locator("#log-device-kind").count(), 0);
  await page.locator("#controller-cache").uncheck();
  assert.equal(await page.locator("#controller-cache-size").count(), 0);
  await page.locator("#controller-cache").check();
  await page.locator("#controller-battery").waitFor();
  await page.locator(DONE).waitFor({ timeout: 60_000 });
});

pageTest("a kind of transaction without its tables offers them", {}, async ({ page }) => {
  await lookups(page);
  await page.locator("#workload").selectOption("order-entry");
  await page.locator("#fitting-tables").click();
  await page.locator("#warehouses").waitFor();
  await type(page, "warehouses", "5");
  await page.locator("#group-data").waitFor();
  assert.equal(await page.locator(".message:not(:empty)").count(), 0);
  await page.locator('.answer[data-basis="estimate"], .answer[data-basis="running"]').first().waitFor();
});

pageTest("tables are read from DDL, with notes on what was left out", {}, async ({ page }) => {
  await lookups(page);
  await page.locator("#edit-tables").click();
  assert.match(await page.locator("#ddl").inputValue(), /CREATE TABLE tbl/);
  await page.locator("#ddl").fill(
    "create table orders (id bigint primary key, day timestamp not null, customer int, note varchar(200), key by_day (day));\nselect 1;",
  );
  await page.locator("#apply-ddl").click();
  await page.locator(".ddl-notes li").filter({ hasText: "Line 2" }).waitFor();
  await page.locator("#fitting-tables").waitFor();
  await page.locator("#workload").selectOption("point-select");
  await page.locator(DONE).waitFor({ timeout: 60_000 });
  await page.locator("#ddl").fill("<img src=x onerror=alert(1)>");
  await page.locator("#apply-ddl").click();
  await page.locator(".table-editor .message").filter({ hasText: "no CREATE TABLE" }).waitFor();
  await page.locator("#row-bytes").fill("1000");
  await page.locator("#make-table").click();
  await page.waitForFunction(() => document.querySelector("#ddl").value.includes("payload"));
  await page.locator(DONE).waitFor({ timeout: 60_000 });
  await shot(page, "knobs-ddl");
});

pageTest("a reader of DDL that does not arrive costs nothing that was typed", {}, async ({ page, errors }) => {
  await lookups(page);
  await page.route("**/spindle-ddl*", (route) => route.abort());
  await page.locator("#edit-tables").click();
  await page.locator("#ddl").fill("create table other (id int primary key);");
  await page.locator("#apply-ddl").click();
  await page.locator(".table-editor .message").filter({ hasText: "could not be loaded" }).waitFor();
  assert.match(await page.locator("#ddl").inputValue(), /other/);
  await page.unroute("**/spindle-ddl*");
  await page.locator("#apply-ddl").click();
  await page.waitForFunction(() => document.querySelector("#ddl").value.includes("CREATE TABLE other"));
  errors.length = 0;
});

pageTest("each move of a slider redraws; how much work that is goes on record", {}, async ({ page, context }) => {
  await lookups(page);
  const client = await context.newCDPSession(page);
  // Time that the page's own thread computes, whatever else this machine does.
  await client.send("Performance.setTimeDomain", { timeDomain: "threadTicks" }).catch(() => {});
  await client.send("Performance.enable", { timeDomain: "threadTicks" });
  const busy = async () => {
    const { metrics } = await client.send("Performance.getMetrics");
    return 1000 * metrics.find((metric) => metric.name === "TaskDuration").value;
  };
  const times = [];
  for (let at = 0; at < 60; at += 1) {
    const before = await busy();
    await page.evaluate(async (position) => {
      const slider = document.querySelector("#clients-slider");
      slider.value = String(position);
      slider.dispatchEvent(new Event("input", { bubbles: true }));
      await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    }, 200 + at * 5);
    times.push((await busy()) - before);
  }
  times.sort((a, b) => a - b);
  const [median, late] = [times[30], times[57]];
  // How fast this machine is decides nothing here; docs/benchmarks.md has the aim, a frame of 16 ms.
  console.log(`work for one move of a slider: median ${median.toFixed(1)} ms, 95 % ${late.toFixed(1)} ms`);
  assert.ok(times.every((ms) => ms > 0), "every move is followed by work");
});

pageTest("a device has a data sheet of its own, keys have an exponent, and both go back", {}, async ({ page }) => {
  await lookups(page);
  const preset = await page.locator("#device").inputValue();
  const before = await linkAfter(page);
  await page.locator("#device").selectOption("");
  await page.locator("#sheet-rpm").waitFor();
  assert.equal(await shown(page, "sheet-rpm"), "15,000", "the preset's figures are where it begins");
  await type(page, "sheet-rpm", "5400");
  await type(page, "sheet-seek-average", "90 ms");
  const message = page.locator("#sheet-seek-average-message");
  await message.filter({ hasText: /seek_full/ }).waitFor();
  await type(page, "sheet-seek-average", "5 ms");
  await message.filter({ hasText: /^$/ }).waitFor({ state: "attached" });
  await linkAfter(page, before);
  await page.reload();
  await page.locator(".answer").waitFor();
  const closed = page.locator('.group h3 button[aria-expanded="false"]');
  while ((await closed.count()) > 0) await closed.first().click();
  assert.equal(await shown(page, "sheet-rpm"), "5400");
  assert.match(await shown(page, "sheet-seek-average"), /^5\sms$/);
  await page.locator("#device").selectOption(preset);
  await page.locator("#sheet-rpm").waitFor({ state: "detached" });

  await page.locator("#keys").selectOption("zipf 1.1");
  await type(page, "exponent", "1.4");
  await page.locator("#scattered").check();
  await page.locator('#keys option[value="zipf 1.4 scattered"]').waitFor({ state: "attached" });
});

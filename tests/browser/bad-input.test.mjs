// Any text in a field, absurd combinations, dying workers: a message at the place, the last picture stays.

import assert from "node:assert/strict";
import { pageTest, shot } from "./harness.mjs";
import { DONE, digests, lookups, type } from "./reader.mjs";

const NONSENSE = ["", "many", "-5", "1e400", "NaN", "√", "<b>4G</b>", "4 gigs", "99999999999999999999999", "🦀".repeat(50)];

pageTest("no text in any field breaks the page", {}, async ({ page }) => {
  await lookups(page);
  const before = await digests(page);
  const fields = await page.locator(".number-knob .field").evaluateAll((all) => all.map((field) => field.id));
  assert.ok(fields.length > 10);
  for (const [at, field] of fields.entries()) {
    const text = NONSENSE[at % NONSENSE.length];
    await type(page, field, text);
    await page.locator(`#${field}-message`).filter({ hasText: /\S/ }).waitFor();
    assert.equal(await page.locator(`#${field}`).getAttribute("aria-invalid"), "true", `${field} ${text}`);
    assert.equal(await page.locator(".knob b").count(), 0, "typed text never becomes HTML");
  }
  assert.deepEqual(await digests(page), before);
  await shot(page, "bad-input-all-fields");
  await page.locator("#reset").click();
  await page.locator(DONE).waitFor({ timeout: 60_000 });
  assert.equal(await page.locator(".knob.invalid").count(), 0);
  assert.deepEqual(await digests(page), before);
});

pageTest("absurd combinations are told beside the knob", {}, async ({ page }) => {
  await lookups(page);
  for (const [field, text, message] of [
    ["buffer", "64G", /8 GiB/],
    ["rows", "900G", /tables|storage/],
    ["tables", "0", /1 to 1000/],
    ["cores", "100000", /1 to 1024/],
    ["memory", "1", /16 MiB/],
    ["duration", "1ms", /1 s to 24 h/],
    ["precision", "90 %", /0.001 to 0.5/],
  ]) {
    await type(page, field, text);
    const told = page.locator(`#${field}-message`);
    await told.filter({ hasText: /\S/ }).waitFor();
    assert.match(await told.innerText(), message, field);
    await page.locator("#undo").click();
    await page.waitForFunction((id) => document.getElementById(`${id}-message`).innerText === "", field);
  }
});

pageTest("a worker that dies under way leaves the picture, and the page recovers", {}, async ({ page, errors }) => {
  await lookups(page);
  const before = await digests(page);
  await page.route("**/worker.js", (route) => route.fulfill({ contentType: "text/javascript", body: "throw new Error();" }));
  await page.reload();
  await page.locator('.app[data-state="died"]').waitFor({ timeout: 15_000 });
  assert.match(await page.locator(".status-text").first().innerText(), /stopped working/);
  // The estimate needs no worker.
  assert.match(await page.locator(".answer h2").innerText(), /By the estimate/);
  await page.unroute("**/worker.js");
  await page.locator("#run").click();
  await page.locator(DONE).waitFor({ timeout: 60_000 });
  assert.deepEqual(await digests(page), before);
  errors.length = 0;
});

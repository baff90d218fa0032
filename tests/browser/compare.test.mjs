// Pinning, what differs, swapping, and one side alone.

import assert from "node:assert/strict";
import { pageTest, shot } from "./harness.mjs";
import { DONE, digests, lookups, shown, type } from "./reader.mjs";

pageTest("a pinned result stays while the other side changes", {}, async ({ page }) => {
  await lookups(page);
  const published = await page.locator(".differences tbody tr").count();
  assert.ok(published >= 3, "the card's machines differ in several places");
  await page.getByRole("radio", { name: /SSDs/ }).check({ force: true });
  const pinned = (await digests(page))[1];
  await page.locator("#pin").click();
  await page.locator(".differences").filter({ hasText: "Nothing" }).waitFor();
  await type(page, "clients", "8");
  await page.locator(".differences tbody tr[data-path='workload.clients']").waitFor();
  assert.deepEqual(
    await page.locator(".differences tbody tr td").allInnerTexts(),
    ["40", "8"],
  );
  await page.locator(DONE).waitFor({ timeout: 60_000 });
  const after = await digests(page);
  assert.equal(after[0], pinned, "A is not simulated again");
  assert.notEqual(after[1], pinned);
  await shot(page, "compare-pinned");
  await page.locator("#swap").click();
  await page.waitForFunction(
    (digest) => document.querySelectorAll(".figures [data-digest]")[1].dataset.digest === digest,
    pinned,
  );
  assert.equal(await shown(page, "clients"), "40");
  await page.locator("#unpin").click();
  assert.equal(await page.locator(".differences").count(), 0);
  await page.locator(".answer h2").filter({ hasText: /This CUBRID does .* transactions a second/ }).waitFor();
  await page.locator("#undo").click();
  await page.locator(".differences").waitFor();
});

pageTest("knobs reach both sides or one, as the reader says", {}, async ({ page }) => {
  await lookups(page);
  await page.locator("#linked").uncheck();
  await type(page, "clients", "8");
  await page.locator(".differences tbody tr[data-path='workload.clients']").waitFor();
  await page.locator("#undo").click();
  await page.locator("#undo").click();
  assert.ok(await page.locator("#linked").isChecked());
  await type(page, "clients", "8");
  await page.locator(DONE).waitFor({ timeout: 60_000 });
  assert.equal(await page.locator(".differences tbody tr[data-path='workload.clients']").count(), 0);
});

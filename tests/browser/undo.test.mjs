// Steps back and forth, by buttons and keys.

import assert from "node:assert/strict";
import { pageTest } from "./harness.mjs";
import { DONE, digests, lookups, shown, type } from "./reader.mjs";

pageTest("a drag is one step, keys and buttons go back and forth", {}, async ({ page }) => {
  await lookups(page);
  const before = await digests(page);
  await page.locator("#clients-slider").scrollIntoViewIfNeeded();
  const box = await page.locator("#clients-slider").boundingBox();
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await page.mouse.down();
  for (let at = 0; at < 10; at += 1) await page.mouse.move(box.x + box.width / 2 + at * 5, box.y + box.height / 2);
  await page.mouse.up();
  const dragged = await shown(page, "clients");
  assert.notEqual(dragged, "40");
  await type(page, "clients", "7");
  await page.locator("h1").click();
  await page.keyboard.press("Control+z");
  await page.waitForFunction((want) => document.querySelector("#clients").value === want, dragged);
  await page.keyboard.press("Control+z");
  await page.waitForFunction(() => document.querySelector("#clients").value === "40");
  await page.waitForFunction(
    (digest) => document.querySelector(".figures [data-digest]").dataset.digest === digest,
    before[0],
  );
  await page.keyboard.press("Control+Shift+z");
  await page.waitForFunction((want) => document.querySelector("#clients").value === want, dragged);
  await page.locator("#redo").click();
  await page.waitForFunction(() => document.querySelector("#clients").value === "7");
  assert.ok(await page.locator("#redo").isDisabled());
  await page.locator(DONE).waitFor({ timeout: 60_000 });
});

pageTest("the list of keys opens with a question mark and closes with Escape", {}, async ({ page }) => {
  await page.locator("#buffer").waitFor();
  await page.keyboard.press("?");
  await page.locator("#keys").waitFor();
  assert.ok((await page.locator("#keys kbd").count()) > 8);
  await page.keyboard.press("Escape");
  await page.locator("#keys").waitFor({ state: "detached" });
  await page.locator("#buffer").focus();
  await page.keyboard.press("?");
  await page.waitForTimeout(100);
  assert.equal(await page.locator("#keys").count(), 0, "a field keeps its letters");
});

pageTest("the key without a modifier can be turned off, and stays off", {}, async ({ page }) => {
  await page.locator("#buffer").waitFor();
  await page.keyboard.press("?");
  await page.locator("#single-keys").uncheck();
  await page.keyboard.press("Escape");
  await page.reload();
  await page.locator("#buffer").waitFor();
  await page.keyboard.press("?");
  await page.waitForTimeout(100);
  assert.equal(await page.locator("#keys").count(), 0);
  await page.locator("#show-keys").click();
  await page.locator("#single-keys").check();
});

import assert from "node:assert/strict";
import { pageTest, shot } from "./harness.mjs";

pageTest("the page loads and says what it is", {}, async ({ page }) => {
  const heading = page.locator("h1").filter({ hasText: "Spindle" }).first();
  await Promise.any([
    heading.waitFor(),
    page.waitForFunction(() => document.title.includes("Spindle")),
  ]);
  // The page is alive when its program has put something visible into it.
  await page.waitForFunction(() => document.body.innerText.trim().length > 0);
  assert.match(`${await page.title()} ${await page.locator("body").innerText()}`, /Spindle/);
  await shot(page, "smoke");
});

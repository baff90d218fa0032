// axe-core looks at the page in light and dark, on a desktop and on a phone: at each view, with panels open.

import assert from "node:assert/strict";
import axe from "axe-core";
import { pageTest, shot } from "./harness.mjs";

const GRAVE = new Set(["serious", "critical"]);

/** Fails if axe-core finds something serious; `where` says what the page shows. */
async function audit(page, where) {
  await page.evaluate(axe.source);
  const { violations } = await page.evaluate(() =>
    globalThis.axe.run(document, {
      runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
    }),
  );
  const grave = violations.filter(({ impact }) => GRAVE.has(impact));
  const words = grave.map(({ id, help, nodes }) => `${id}: ${help}: ${nodes.map((n) => n.html).join(" | ")}`);
  assert.deepEqual(words, [], where);
}

/** Shows each view of the page in turn; a page without tabs has one. */
async function eachView(page, look) {
  const tabs = page.getByRole("tab");
  const count = await tabs.count();
  if (count === 0) await look("page");
  for (let at = 0; at < count; at += 1) {
    const tab = tabs.nth(at);
    await tab.click();
    await look((await tab.innerText()).trim());
  }
}

for (const colorScheme of ["light", "dark"]) {
  for (const width of [1280, 360]) {
    const options = { colorScheme, width, height: 900 };
    pageTest(`axe-core finds nothing serious, ${colorScheme}, ${width} px`, options, async ({ page }) => {
      await page.locator(".answer h2").waitFor();
      await page.locator(".figures td.strong").first().waitFor({ timeout: 30_000 });
      await eachView(page, (name) => audit(page, name));
      if (width < 720) {
        await page.locator(".sheet-button").click();
        await audit(page, "the sheet of knobs");
        await page.keyboard.press("Escape");
      }
      await page.goto(`${page.url().split("#")[0]}#accuracy`);
      await page.locator(".trust h2").waitFor();
      await audit(page, "accuracy");
      await shot(page, `accessibility ${colorScheme} ${width}`);
    });
  }
}

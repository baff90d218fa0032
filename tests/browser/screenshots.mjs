// Takes a picture of every view at three widths, light and dark, in two languages: for whoever wants to look at them all.
//
//   SPINDLE_URL=http://127.0.0.1:8080 SPINDLE_CHROMIUM=/usr/bin/chromium node screenshots.mjs [VIEW…]
//
// They lie in target/screenshots, or where SPINDLE_SCREENSHOTS says. EXPERIMENT is the place of a card in the list.

import { open, shot } from "./harness.mjs";
import { DONE } from "./reader.mjs";

const VIEWS = ["over-time", "time", "sweep", "crossover", "latency", "layout", "devices", "published", "accuracy"];
const WIDTHS = [360, 1024, 1920];
const LANGUAGES = (process.env.LANGUAGES ?? "en,zh-Hans").split(",");
const views = process.argv.length > 2 ? process.argv.slice(2) : VIEWS;

for (const locale of LANGUAGES) {
  for (const colorScheme of ["light", "dark"]) {
    const opened = await open({ locale, colorScheme, width: 1024, height: 900 });
    const { page } = opened;
    await page.locator(".answer").waitFor();
    if (process.env.EXPERIMENT) await page.locator("#experiment").selectOption(process.env.EXPERIMENT);
    else await page.getByRole("radio").nth(3).check({ force: true });
    await page.locator(DONE).waitFor({ timeout: 120_000 }).catch(() => {});
    for (const view of views) {
      await page.locator(`#tab-${view}`).click();
      await page.locator(`#view[data-view="${view}"]`).waitFor();
      for (const width of WIDTHS) {
        await page.setViewportSize({ width, height: width < 700 ? 780 : 900 });
        await page.waitForTimeout(700);
        await shot(page, `${view}-${width}-${colorScheme}-${locale}`, { fullPage: width < 700 });
      }
    }
    await opened.browser.close();
  }
}

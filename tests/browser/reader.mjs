// What tests of the page share: a state to wait for, and the hands of a reader.

/** The page when everything that is shown is simulated. */
export const DONE = '.app[data-state="done"][data-stale="false"]';

/** Chooses the test that is simulated in a second or two, opens all groups of knobs, and waits for the end. */
export async function lookups(page) {
  await page.getByRole("radio", { name: "SELECT in memory" }).check({ force: true });
  const closed = page.locator('.group h3 button[aria-expanded="false"]');
  while ((await closed.count()) > 0) await closed.first().click();
  await page.locator(DONE).waitFor({ timeout: 60_000 });
}

/** Types into a knob's field. */
export async function type(page, knob, text) {
  await page.locator(`#${knob}`).fill(text);
  await page.locator(`#${knob}`).press("Enter");
}

/** What a knob's field shows. */
export const shown = (page, knob) => page.locator(`#${knob}`).inputValue();

/** The digests of the figures, in their order. */
export const digests = (page) =>
  page.locator(".figures [data-digest]").evaluateAll((cells) => cells.map((cell) => cell.dataset.digest));

/** Waits for the address to become a link other than `before`, and returns it. */
export async function linkAfter(page, before = "") {
  await page.waitForFunction((old) => location.hash.startsWith("#v1:") && location.hash !== old, before);
  return page.evaluate(() => location.hash);
}

/** Types into a knob's field, and returns the link once the address has followed. */
export async function typeForLink(page, knob, text) {
  const before = await linkAfter(page);
  await type(page, knob, text);
  return linkAfter(page, before);
}

// Cards with grids: their curves and maps at the widths of a phone and of a desk, and what the largest cases take of memory.

import assert from "node:assert/strict";
import { pageTest, shot } from "./harness.mjs";
import { DONE } from "./reader.mjs";

/** What a worker's memory may grow to, in MiB. */
const MEMORY_MAX = 512;

/** Puts a card on the page, by a part of its title. */
async function card(page, title) {
  const option = page.locator("#experiment option").filter({ hasText: title });
  await page.locator("#experiment").selectOption(await option.getAttribute("value"));
  await page.locator(".choices").filter({ hasText: /\d/ }).waitFor({ state: "attached" });
}

/** Opens the view of what was published, and one of its pictures. */
async function picture(page, name) {
  await page.locator("#tab-published").click();
  await page.getByRole("radio", { name, exact: true }).check({ force: true });
  await page.waitForFunction(() => {
    const canvas = document.querySelector("#published canvas");
    if (!(canvas?.width > 100)) return false;
    const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
    let drawn = 0;
    for (let at = 3; at < data.length; at += 4) if (data[at] > 0) drawn += 1;
    return drawn > 800;
  });
}

/** Nothing reaches over the page's right edge. */
async function fits(page) {
  const wider = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  assert.ok(wider <= 0, `${wider} px too wide`);
}

const title = (page) => page.locator("#published-figure h2").innerText();

for (const width of [360, 1440]) {
  pageTest(`Firebird's growth is a curve at ${width} pixels`, { width, height: 900 }, async ({ page }) => {
    await card(page, "Firebird 2.5");
    await picture(page, "Curves");
    await page.locator("#published-figure h2").filter({ hasText: /Order entry on SATA disks: / }).waitFor();
    await page.locator("#published-figure .legend-entry").filter({ hasText: "published" }).waitFor();
    assert.doesNotMatch(await page.locator("main").innerText(), /the (first|second) machine/i);
    await fits(page);
    await shot(page, `card-firebird-curves-${width}`, { fullPage: true });
  });

  pageTest(`GreatSQL's drives are curves and a map at ${width} pixels`, { width, height: 900 }, async ({ page }) => {
    await card(page, "GreatSQL");
    await picture(page, "Curves");
    await page.locator("#published-figure h2").filter({ hasText: /Roealsen5 .* as on company S/ }).waitFor();
    assert.match(await title(page), /oltp_read_write, ext4, 48 G: by the estimate /, "an estimate says that it is one");
    await fits(page);
    await shot(page, `card-greatsql-curves-${width}`);
    await picture(page, "Model's advantage");
    await page.locator("#published-figure h2").filter({ hasText: /Roealsen5 .* as on company S/ }).waitFor();
    await shot(page, `card-greatsql-map-${width}`, { fullPage: width < 700 });
    const stage = page.locator("#published");
    await stage.focus();
    await page.keyboard.press("ArrowRight");
    await page.locator("#published-reading").filter({ hasText: /\d/ }).waitFor();
    await page.keyboard.press("t");
    // File systems, pools and threads; the estimates come in one by one.
    const rows = page.locator("#published-figure .series-table tbody tr");
    await rows.nth(2 * 4 * 7 - 1).waitFor();
    assert.equal(await rows.count(), 2 * 4 * 7);
    await fits(page);
    assert.doesNotMatch(await page.locator("main").innerText(), /the (first|second) machine/i);
  });
}

pageTest("A load is a curve of MiB a second", { width: 1440, height: 900 }, async ({ page }) => {
  await card(page, "Firebird 2.5");
  await page.getByRole("radio", { name: "Loading on SATA disks", exact: true }).check({ force: true });
  await picture(page, "Curves");
  await page.locator("#published-figure h2").filter({ hasText: /Loading on SATA disks: / }).waitFor();
  assert.match(await page.locator("#published-figure").innerText(), /load, MiB\/s by Database, GB/i);
  await fits(page);
  await shot(page, "card-load-curves");
});

/** Has workers tell how much memory they have. */
async function tellMemory(page) {
  await page.route("**/worker.js", async (route) => {
    const response = await route.fetch();
    const body = (await response.text()).replace("init({", "globalThis.program = init({");
    await route.fulfill({ response, body });
  });
  await page.reload();
  await page.locator(".answer").waitFor();
}

/** The memory of the largest worker, in MiB; it never shrinks while a worker lives. */
async function memory(page) {
  const known = page.workers().map((worker) =>
    worker.evaluate(async () => (await globalThis.program).memory.buffer.byteLength / 2 ** 20).catch(() => 0),
  );
  return Math.max(...(await Promise.all(known)));
}

/** Of a choice among many, the value that is called so. */
const choose = (page, label) => page.locator(".case-choice select").filter({ hasText: label }).selectOption({ label });

const LARGEST = {
  "1.8 TB of Firebird": async (page) => {
    await card(page, "Firebird 2.5");
    await choose(page, "1813.97 GB");
  },
  "192 GB pool of GreatSQL": async (page) => {
    await card(page, "GreatSQL");
    await page.getByRole("radio", { name: "192 G", exact: true }).check({ force: true });
    await choose(page, "128 threads");
  },
};

for (const [name, open] of Object.entries(LARGEST)) {
  pageTest(`${name} is simulated in less than ${MEMORY_MAX} MiB`, {}, async ({ page, t }) => {
    await tellMemory(page);
    await open(page);
    // The runs of what the page opened with are given up.
    await page.locator('.app[data-state="running"]').waitFor({ timeout: 30_000 });
    const start = Date.now();
    let most = 0;
    const over = page.locator(DONE).waitFor({ timeout: 100_000 }).then(() => true);
    const watched = over.catch(() => true);
    while (!(await Promise.race([watched, new Promise((resolve) => setTimeout(resolve, 200, false))]))) {
      most = Math.max(most, await memory(page));
    }
    most = Math.max(most, await memory(page));
    await over;
    const seconds = (Date.now() - start) / 1000;
    console.log(`${name}: at most ${most.toFixed(0)} MiB of memory in a worker, ${seconds.toFixed(1)} s (aim: ${MEMORY_MAX} MiB)`);
    assert.ok(most > 1 && most < MEMORY_MAX, `${most} MiB`);
  });
}

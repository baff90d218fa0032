// Lets the page measure itself and prints its figures as JSON; run by `cargo xtask bench`.

import { open } from "./harness.mjs";

const { page, close } = await open({
  path: "/?bench",
  // The measurements keep the page from being loaded for as long as they take.
  goto: { waitUntil: "commit" },
});
const figures = await page.waitForFunction(() => window.__spindle_bench, null, { timeout: 120_000 });
console.log(await figures.jsonValue());
await close();

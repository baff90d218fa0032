// The page in each of its languages: chosen by the browser's settings or by hand, complete, and no wider than a phone.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { pageTest, shot } from "./harness.mjs";

// Tag, what a browser of such a reader asks for, and 12 345.6 and 96 % as they write them.
const LANGUAGES = [
  { tag: "en", locale: "en-GB", percent: /\d\u00a0%/ },
  { tag: "hi", locale: "hi-IN", percent: /\d\u00a0?%/ },
  { tag: "tr", locale: "tr-TR", percent: /%\d/, decimal: /\d,\d/ },
  { tag: "zh-Hans", locale: "zh-CN", percent: /\d\u00a0?%/ },
  { tag: "zh-Hant", locale: "zh-TW", percent: /\d\u00a0?%/ },
];

const source = (tag) =>
  readFileSync(fileURLToPath(new URL(`../../www/locales/${tag}.ftl`, import.meta.url)), "utf8");

/** The keys of a file of messages. */
const keys = (tag) => [...source(tag).matchAll(/^([a-z][\w-]*) =/gm)].map(([, key]) => key);

/** A message without values, by its key. */
const message = (tag, key) => source(tag).match(new RegExp(`^${key} = (.*)$`, "m"))[1];

/** All words that a reader may see or hear. */
const words = (page) =>
  page.evaluate(() => {
    const spoken = [...document.querySelectorAll("[aria-label], [title], [data-meaning], [data-label]")];
    const labels = spoken.flatMap((element) => [
      element.getAttribute("aria-label"),
      element.getAttribute("title"),
      element.dataset.meaning,
      element.dataset.label,
    ]);
    return [document.body.innerText, ...labels.filter(Boolean)].join("\n");
  });

/** Nothing but the content of messages shows, and nothing sticks out on the right. */
async function complete(page, tag) {
  const text = await words(page);
  assert.ok(!text.includes("{$") && !text.includes("{ $"), "no variable is left open");
  // Keys of one word, such as "stop", are words of English as well.
  for (const key of keys("en").filter((key) => key.includes("-"))) {
    assert.ok(!new RegExp(`(^|[\\s“(])${key}($|[\\s.,:”)])`, "m").test(text), `the key ${key} shows`);
  }
  const [inner, outer] = await page.evaluate(() => [
    document.documentElement.scrollWidth,
    document.documentElement.clientWidth,
  ]);
  assert.ok(inner <= outer, `${tag}: the page is ${inner} px wide on a screen of ${outer} px`);
  return text;
}

for (const { tag, locale, percent, decimal } of LANGUAGES) {
  pageTest(`the page speaks ${tag} to a browser of ${locale}`, { locale, width: 360 }, async ({ page }) => {
    await page.locator(".figures td.strong").first().waitFor({ timeout: 30_000 });
    assert.equal(await page.getAttribute("html", "lang"), tag);
    assert.equal(await page.title(), message(tag, "title"));
    const text = await complete(page, tag);
    assert.match(text, percent);
    if (decimal) assert.match(text, decimal);
    await shot(page, `language ${tag} 360`, { fullPage: true });
    for (const tab of await page.getByRole("tab").all()) {
      await tab.click();
      await complete(page, tag);
    }
    await page.goto(`${page.url().split("#")[0]}#accuracy`);
    await page.locator(".trust h2").waitFor();
    await complete(page, tag);
    await shot(page, `language ${tag} accuracy 360`);
  });
}

pageTest("a language is chosen by hand, changes the page at once, and is remembered", {}, async ({ page }) => {
  await page.locator(".figures td.strong").first().waitFor({ timeout: 30_000 });
  const system = await page.locator("#clients").inputValue();
  await page.locator("#language").selectOption("tr");
  await page.locator("html[lang=tr]").waitFor();
  await page.getByText(message("tr", "language")).first().waitFor({ state: "attached" });
  assert.equal(await page.locator("#language").inputValue(), "tr");
  // What was set and found stays.
  assert.equal(await page.locator("#clients").inputValue(), system);
  await page.reload();
  await page.locator("html[lang=tr]").waitFor();
  await page.locator("#language").selectOption("en");
  await page.locator("html[lang=en]").waitFor();
});

pageTest("a language that cannot be fetched is told, and the page goes on in the one it has", {}, async (opened) => {
  const { page, errors } = opened;
  await page.locator("#language").waitFor();
  await page.route("**/locales/*.ftl", (route) => route.abort());
  await page.locator("#language").selectOption("hi");
  await page.locator(".language [role=status]").waitFor();
  assert.equal(await page.getAttribute("html", "lang"), "en");
  assert.equal(await page.locator("#language").inputValue(), "en");
  await page.unroute("**/locales/*.ftl");
  await page.locator("#language").selectOption("hi");
  await page.locator("html[lang=hi]").waitFor();
  errors.length = 0;
});

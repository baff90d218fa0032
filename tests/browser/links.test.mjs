// The whole state in the address, copied, damaged, remembered; the set-up as a file.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { cli, pageTest, shot, url } from "./harness.mjs";
import { DONE, digests, linkAfter, lookups, shown, type, typeForLink } from "./reader.mjs";

pageTest("the address follows the knobs, without steps in the history, and opens the same again", {}, async ({ page, context }) => {
  await lookups(page);
  const steps = await page.evaluate(() => history.length);
  let link = await linkAfter(page);
  for (const [knob, text] of [["clients", "8"], ["buffer", "1G"], ["rows", "300k"], ["cores", "3"]]) {
    await type(page, knob, text);
    link = await linkAfter(page, link);
  }
  await page.locator("#pin").click();
  link = await linkAfter(page, link);
  await type(page, "clients", "12");
  link = await linkAfter(page, link);
  await page.locator(DONE).waitFor({ timeout: 60_000 });
  assert.equal(await page.evaluate(() => history.length), steps);
  const known = await digests(page);
  const other = await context.newPage();
  await other.goto(`${url}/${link}`);
  await other.locator(DONE).waitFor({ timeout: 60_000 });
  assert.deepEqual(await digests(other), known, "the same link, the same digests");
  assert.equal(await shown(other, "clients"), "12");
  assert.equal(await other.locator("#notice").count(), 0);
  await other.close();
});

pageTest("a damaged link says so and opens what can be read", {}, async ({ page }) => {
  await lookups(page);
  const link = await typeForLink(page, "clients", "8");
  const damaged = async (hash, words) => {
    await page.goto("about:blank");
    await page.goto(`${url}/${hash}`);
    await page.locator("#notice").filter({ hasText: words }).waitFor({ timeout: 15_000 });
    assert.ok((await page.locator("#notice li").count()) > 0, "it says what is wrong");
    await page.locator(".answer h2").waitFor();
  };
  await damaged(`${link.slice(0, link.length * 0.6)}`, /damaged|could not be read/);
  await shot(page, "link-damaged");
  await damaged("#v1:AAAA", /could not be read/);
  await damaged(`#v1:${"A".repeat(1_000_001)}`, /could not be read/);
  await damaged(link.replace("#v1:", "#v9:"), /damaged/);
  assert.match(await page.locator("#notice").innerText(), /future version/);
  assert.equal(await shown(page, "clients"), "8");
  await page.locator("#dismiss").click();
  assert.equal(await page.locator("#notice").count(), 0);
});

pageTest("a link pasted over the address opens in place", {}, async ({ page }) => {
  await lookups(page);
  const link = await typeForLink(page, "clients", "8");
  await typeForLink(page, "clients", "99");
  await page.evaluate((hash) => { location.hash = hash; }, link);
  await page.waitForFunction(() => document.querySelector("#clients").value === "8");
});

pageTest("the last work opens on the next visit, with a way back to the example", {}, async ({ page }) => {
  await lookups(page);
  await typeForLink(page, "clients", "8");
  await page.goto("about:blank");
  await page.goto(`${url}/`);
  await page.locator("#notice").filter({ hasText: "left off" }).waitFor();
  assert.equal(await shown(page, "clients"), "8");
  await page.locator("#open-example").click();
  await page.locator(".suggestions").waitFor();
  assert.equal(await shown(page, "clients"), "40");
  await page.waitForFunction(() => localStorage.getItem("spindle-work") === null);
});

pageTest("link, TOML and Markdown can be taken along", { permissions: ["clipboard-read", "clipboard-write"] }, async ({ page }) => {
  await lookups(page);
  const link = await typeForLink(page, "clients", "8");
  await page.locator(DONE).waitFor({ timeout: 60_000 });
  await page.locator("#share").click();
  const address = await page.locator("#share-link").inputValue();
  assert.equal(address, `${url}/${link}`);
  await page.locator("#copy-link").click();
  await page.locator("#share-panel [role=status]").filter({ hasText: "clipboard" }).waitFor();
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), address);
  await page.locator("#copy-markdown").click();
  await page.locator("#share-panel [role=status]").filter({ hasText: "Markdown" }).waitFor();
  const markdown = await page.evaluate(() => navigator.clipboard.readText());
  assert.match(markdown, /^\*\*On SSDs this CUBRID .*\*\* \[open in Spindle\]\(http.*#v1:[\w-]+\)\n$/);
  const [file] = await Promise.all([page.waitForEvent("download"), page.locator("#share-toml-b").click()]);
  assert.equal(file.suggestedFilename(), "spindle-b.toml");
  const path = await file.path();
  assert.match(readFileSync(path, "utf8"), /clients = 8/);
  if (cli) {
    const report = JSON.parse(execFileSync(cli, ["run", path, "--json"], { encoding: "utf8" }));
    assert.equal(report.digest, (await digests(page))[1], "the command line gives the same digest");
  }
  await shot(page, "share");
});

// Opens Spindle's page in Chromium for a test, and fails the test for whatever the page complains about.
//
// `cargo xtask test` sets the environment:
//   SPINDLE_URL          where the page is served, without a slash at the end
//   SPINDLE_CLI          the native `spindle` command
//   SPINDLE_CHROMIUM     the browser to drive
//   SPINDLE_SCREENSHOTS  where `shot` puts its pictures

import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";

/** Where the page is served. */
export const url = required("SPINDLE_URL");

/** The path of the native `spindle` command. */
export const cli = process.env.SPINDLE_CLI;

const screenshots =
  process.env.SPINDLE_SCREENSHOTS ?? fileURLToPath(new URL("../../target/screenshots", import.meta.url));

const chromiumOptions = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/**
 * Starts Chromium and opens the page.
 *
 * Errors on the console, uncaught exceptions, failed requests and violations of the content security
 * policy are collected in `errors`, those of workers too; `close()` throws if there are any. A test that
 * provokes an error takes it out with `errors.length = 0`. In most tests `pageTest` is more convenient.
 */
export async function open({ width = 1280, height = 800, colorScheme = "light", path = "/", goto = {}, ...more } = {}) {
  const browser = await chromium.launch({
    executablePath: required("SPINDLE_CHROMIUM"),
    headless: true,
    args: chromiumOptions,
  });
  try {
    const context = await browser.newContext({ viewport: { width, height }, colorScheme, ...more });
    const errors = [];
    watch(context, errors);
    await context.addInitScript(reportViolations);
    const page = await context.newPage();
    await page.goto(url + path, goto);
    const close = async () => {
      await browser.close();
      assert.deepEqual(errors, [], "the page must not report errors");
    };
    return { browser, context, page, errors, close };
  } catch (error) {
    await browser.close();
    throw error;
  }
}

/** A test with the page open: `pageTest("name", { width: 390 }, async ({ page, errors }) => { … })`. */
export function pageTest(name, options, body) {
  test(name, { timeout: 120_000 }, async (t) => {
    const opened = await open(options);
    try {
      await body({ ...opened, t });
    } catch (error) {
      await shot(opened.page, `failed ${name}`).catch(() => {});
      // What the page complained about is often the reason why the body failed.
      if (opened.errors.length > 0) t.diagnostic(`the page reported: ${opened.errors.join("; ")}`);
      await opened.browser.close();
      throw error;
    }
    await opened.close();
  });
}

/** Saves a picture of the page as target/screenshots/NAME.png and returns its path. */
export async function shot(page, name, options = {}) {
  mkdirSync(screenshots, { recursive: true });
  const file = join(screenshots, `${name.replace(/[^\p{L}\p{N}._-]+/gu, "-")}.png`);
  await page.screenshot({ path: file, ...options });
  return file;
}

function watch(context, errors) {
  context.on("console", (message) => {
    if (message.type() === "error") {
      const { url: source, lineNumber } = message.location();
      errors.push(`console: ${message.text()} (${source}:${lineNumber})`);
    }
  });
  context.on("weberror", (error) => errors.push(`uncaught: ${error.error()?.stack ?? error.error()}`));
  context.on("requestfailed", (request) => {
    const reason = request.failure()?.errorText;
    // A page that is left or reloaded cancels what it was loading.
    if (reason !== "net::ERR_ABORTED") errors.push(`request failed: ${request.url()} (${reason})`);
  });
}

// Runs in the page, before its own scripts.
function reportViolations() {
  document.addEventListener("securitypolicyviolation", (event) => {
    console.error(`content security policy: ${event.violatedDirective} forbids ${event.blockedURI}`);
  });
}

function required(name) {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set: run these tests with \`cargo xtask test\``);
  return value;
}

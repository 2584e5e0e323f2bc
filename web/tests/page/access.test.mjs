// For everybody: no violation that axe finds, light and dark, both screens and the dialogs; phones and large type.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { assertNoSideScroll, axe, hits, launch, open, screenshot, serve } from "./setup.mjs";

const LOOP = "?q=stop+a+redirect+loop";
let browser;
let server;
before(async () => {
  [browser, server] = await Promise.all([launch(), serve()]);
});
after(async () => {
  await browser.close();
  await server.stop();
});

/** Both colours of one state of the page. */
async function axeBoth(page, what) {
  for (const colorScheme of ["dark", "light"]) {
    await page.emulateMedia({ colorScheme });
    await axe(page, `${what}, ${colorScheme}`);
  }
}

test("the search is accessible, light and dark", async () => {
  const page = await open(browser, server.url, { path: LOOP });
  await hits(page);
  await page.locator("#question").focus();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("w");
  await page.waitForSelector(".hit .reasons");
  await page.emulateMedia({ colorScheme: "dark" });
  await screenshot(page, "search-dark");
  await page.keyboard.press("e");
  await page.waitForSelector(".line.within");
  await page.click(".skipped summary");
  await page.click(".menu-button:has-text('Language')");
  await page.waitForSelector(".menu-list");
  await axeBoth(page, "an open hit and an open menu");
  await page.done();
});

test("the indexes are accessible, light and dark", async () => {
  const page = await open(browser, server.url, { path: "#/indexes" });
  await page.waitForSelector(".state.ready");
  for (const summary of await page.locator("summary").all()) await summary.click();
  await axeBoth(page, "cards");
  await page.click(".card button:has-text('Remove')");
  await page.waitForSelector("dialog[open]");
  await axeBoth(page, "the question before removing");
  await page.done();
});

test("start and help are accessible, light and dark", async () => {
  const page = await open(browser, server.url);
  await page.waitForSelector(".examples");
  await axeBoth(page, "start");
  await page.locator("main").focus();
  await page.keyboard.press("?");
  await page.waitForSelector("dialog[open]");
  await axeBoth(page, "help");
  await page.keyboard.press("Escape");
  await page.waitForSelector("dialog", { state: "detached" });
  await page.done();
});

test("colours follow the system until somebody chooses", async () => {
  const page = await open(browser, server.url, { colorScheme: "dark" });
  const ground = () => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
  await page.waitForSelector(".top");
  const dark = await ground();
  await page.emulateMedia({ colorScheme: "light" });
  const light = await ground();
  assert.notEqual(dark, light);
  await page.click("[aria-label^='Colours']");
  await page.click("[aria-label^='Colours: light']");
  assert.equal(await ground(), dark);
  await page.reload();
  await page.waitForSelector("[aria-label^='Colours: dark']");
  assert.equal(await ground(), dark);
  await page.done();
});

test("a phone of 360 px shows everything without scrolling sideways", async () => {
  const page = await open(browser, server.url, { path: LOOP, viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true });
  await hits(page);
  await assertNoSideScroll(page, "hits");
  await screenshot(page, "phone");
  await page.click("button:has-text('Filters')");
  await page.waitForSelector(".path-choice input:visible");
  await page.click(".menu-button:has-text('Kind')");
  await assertNoSideScroll(page, "filters");
  await axe(page, "phone");
  await page.keyboard.press("Escape");
  await page.locator(".hit button[title^='Why']").first().click();
  await page.waitForSelector(".reasons");
  await assertNoSideScroll(page, "why");
  await page.click("nav >> text=Indexes");
  await page.waitForSelector(".card");
  for (const summary of await page.locator("summary").all()) await summary.click();
  await assertNoSideScroll(page, "indexes");
  await page.click(".card button:has-text('Remove')");
  await assertNoSideScroll(page, "dialog");
  await page.done();
});

test("type of twice the size fits", async () => {
  // A window of 1280 px at 200 % is a window of 640 px to the page.
  const page = await open(browser, server.url, { path: LOOP, viewport: { width: 640, height: 450 }, deviceScaleFactor: 2 });
  await hits(page);
  await assertNoSideScroll(page, "hits at 200 %");
  await page.click("nav >> text=Indexes");
  await page.waitForSelector(".card");
  await assertNoSideScroll(page, "indexes at 200 %");
  await page.done();
});

test("the first tab stop leads past the header", async () => {
  const page = await open(browser, server.url, { path: "#/indexes" });
  await page.waitForSelector(".card");
  await page.keyboard.press("Tab");
  assert.equal(await page.evaluate(() => document.activeElement.textContent), "Skip to the content");
  await page.keyboard.press("Enter");
  assert.equal(await page.evaluate(() => document.activeElement.id), "main");
  assert.match(page.url(), /#\/indexes$/);
  await page.done();
});

// What only a mock can be made to do: slow and late answers, refusals, a lost server, a token, an index that is being made.

import assert from "node:assert/strict";
import { after, before, beforeEach, afterEach, test } from "node:test";
import { HARBOR } from "../fixture.mjs";
import { Mock, startMock, summaryOf } from "../mock.mjs";
import { ask, axe, hits, launch, open, until } from "./setup.mjs";

const ID = "harbor-1f3a9c";
let browser;
let mock;
before(async () => {
  browser = await launch();
});
after(() => browser.close());
beforeEach(async () => {
  mock = await startMock();
});
afterEach(() => mock.stop());

const asked = () => mock.log.filter(({ path }) => path === "/api/search").map(({ query }) => query.get("q"));

test("typing asks once, and a late answer is never shown", async () => {
  mock.delay = (q) => (q === "redirect" ? 600 : 0);
  const page = await open(browser, mock.url);
  // In one go, so that a machine that is busy makes no pauses in the typing.
  await page.locator("#question").evaluate((input) => {
    for (const q of ["re", "redi", "redirect"]) {
      input.value = q;
      input.dispatchEvent(new Event("input", { bubbles: true }));
    }
  });
  // A busy machine may take long to get to the first question, and each letter's would have been asked before it.
  await until(() => asked().includes("redirect"));
  assert.deepEqual(asked(), ["redirect"]);
  await page.fill("#question", "backoff");
  await page.waitForSelector(".hit-title:has-text('retry.py')");
  await page.waitForTimeout(700);
  assert.deepEqual(asked(), ["redirect", "backoff"]);
  assert.match(await page.locator(".hit-title").first().innerText(), /retry\.py/);
  await page.done();
});

test("a busy server is asked again after the time it wants", async () => {
  mock.refuse = 1;
  const page = await open(browser, mock.url, { path: "?q=redirect+loop", expectErrors: ["429"] });
  await page.waitForSelector("text=The server is busy");
  await hits(page);
  assert.equal(asked().length, 2);
  assert.equal(await page.locator("text=The server is busy").count(), 0);
  await page.done();
});

test("a refused question shows why, with its hint", async () => {
  const page = await open(browser, mock.url, { path: "?q=(&mode=regex", expectErrors: ["400"] });
  await page.waitForSelector("[role=alert]:has-text('Hint: a plain text needs mode exact')");
  await axe(page, "a refused question");
  await ask(page, "redirect");
  await hits(page);
  assert.equal(await page.locator("[role=alert]").count(), 0);
  await page.done();
});

test("a stage that was dropped is said", async () => {
  const page = await open(browser, mock.url, { path: "?q=degraded+redirect+loop" });
  await page.waitForSelector(".box.warning:has-text('it took too long')");
  await page.done();
});

test("a lost server is said, and found again", async () => {
  const page = await open(browser, mock.url, { path: "?q=redirect+loop", expectErrors: ["ERR_", "Failed to load"] });
  await hits(page);
  const { port } = mock;
  await mock.stop();
  await page.waitForSelector("text=No connection");
  await page.fill("#question", "backoff jitter");
  await page.waitForSelector("text=The server does not answer");
  mock = await startMock(port);
  await page.waitForSelector(".hit:has-text('retry.py')");
  await page.waitForSelector("text=No connection", { state: "detached" });
  assert.equal(await page.locator("[role=alert]").count(), 0);
  await page.done();
});

test("a guarded server gets its token, which the tab keeps", async () => {
  mock.token = "secret";
  const page = await open(browser, mock.url, { path: "?q=redirect+loop", expectErrors: ["401"] });
  await page.fill("dialog input", "wrong");
  await page.keyboard.press("Enter");
  await page.waitForSelector("text=does not take that token");
  await axe(page, "the token");
  await page.fill("dialog input", "secret");
  await page.keyboard.press("Enter");
  await hits(page);
  assert.equal(await page.locator("dialog").count(), 0);
  assert.ok(mock.log.some(({ path, authorization }) => path === "/api/events" && authorization === "Bearer secret"));
  assert.ok(mock.log.every(({ query }) => !query.toString().includes("secret")) && !page.url().includes("secret"));
  await page.reload();
  await hits(page);
  await page.done();
});

test("a token that nobody gives can be given later", async () => {
  mock.token = "secret";
  const page = await open(browser, mock.url, { expectErrors: ["401"] });
  await page.waitForSelector("dialog");
  await page.keyboard.press("Escape");
  await page.waitForSelector("[role=alert]");
  await page.click("text=Try now");
  await page.fill("dialog input", "secret");
  await page.keyboard.press("Enter");
  await page.waitForSelector("text=Ask in words");
  await page.done();
});

test("progress is shown while it is made, and hits of what is done", async () => {
  const part = { ...summaryOf(HARBOR), complete: false, generation: 1 };
  mock.change(ID, { state: "indexing", progress: { stage: "files", done: 1600, total: 4000, percent: 40 }, summary: part });
  const page = await open(browser, mock.url, { path: "?q=redirect+loop" });
  await page.waitForSelector("text=is being indexed: 40 %");
  await hits(page);
  const bar = page.locator("[role=progressbar]");
  assert.equal(await bar.getAttribute("aria-valuenow"), "40");
  await axe(page, "an index in the making");
  mock.change(ID, { progress: { stage: "embedding", done: 3600, total: 4000, percent: 90 } });
  await page.waitForSelector("[aria-valuenow='90']");
  await page.click("nav >> text=Indexes");
  await page.waitForSelector(".card [aria-valuenow='90']");
  await axe(page, "progress");
  mock.change(ID, { state: "ready", progress: null, summary: { ...part, complete: true, generation: 2 } });
  await page.waitForSelector(".state.ready");
  await page.click("nav >> text=Search");
  await page.click("text=Search again");
  await page.waitForSelector("text=has changed since", { state: "detached" });
  await page.done();
});

test("an index without a first part is asked again once it has one", async () => {
  mock.change(ID, { state: "indexing", summary: null });
  const page = await open(browser, mock.url, { path: "?q=redirect+loop", expectErrors: ["404"] });
  await page.waitForSelector("text=nothing is indexed yet");
  mock.change(ID, { state: "ready", summary: summaryOf(HARBOR) });
  await hits(page);
  await page.done();
});

test("an index that failed says why", async () => {
  mock.change(ID, { state: "failed", error: { kind: "io", message: "the folder is gone", hint: "is the drive there?" } });
  const page = await open(browser, mock.url, { path: "#/indexes" });
  await page.waitForSelector(".card [role=alert]:has-text('Hint: is the drive there?')");
  await axe(page, "a failed index");
  await page.done();
});

test("a server without an index says how to get one", async () => {
  await mock.stop();
  mock = await new Mock().start();
  const page = await open(browser, mock.url);
  await page.waitForSelector("h1:has-text('Nothing is indexed yet')");
  await axe(page, "no index");
  await page.click("text=Add a folder");
  await page.fill("#add-root", "/srv/code/kiosk");
  await page.keyboard.press("Enter");
  await page.waitForSelector("[role=progressbar]");
  await page.waitForSelector(".state.ready");
  await page.done();
});

test("an address that names an index that is gone offers those that are here", async () => {
  const page = await open(browser, mock.url, { path: "?q=redirect+loop&index=gone" });
  await page.click("text=Search harbor");
  await hits(page);
  await page.done();
});

test("focus and choices stay while events come in", async () => {
  const page = await open(browser, mock.url, { path: "#/indexes" });
  await page.locator(".card button:has-text('Rebuild')").focus();
  await page.locator("summary", { hasText: "languages" }).click();
  await page.locator(".card button:has-text('Rebuild')").focus();
  for (let n = 0; n < 5; n += 1) mock.change(ID, { checked_ms: Date.now() - n * 1000 });
  await page.waitForTimeout(100);
  assert.match(await page.evaluate(() => document.activeElement.textContent), /Rebuild/);
  assert.ok(await page.locator("details[open]").count());
  await page.done();
});

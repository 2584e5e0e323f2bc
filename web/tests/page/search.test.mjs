// The search as a person sees it: asking, hits, filters, keys, links, and text that would like to be a script.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { ask, hits, isReal, launch, open, screenshot, serve } from "./setup.mjs";

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

const focused = (page) => page.evaluate(() => document.activeElement.closest(".hit")?.getAttribute("aria-label") ?? document.activeElement.id);

test("a question is answered while it is typed, with marks, numbers and colours", async () => {
  const page = await open(browser, server.url);
  await page.locator("#question").pressSequentially("stop a redirect loop", { delay: 15 });
  const list = await hits(page);
  const hit = list.filter({ hasText: "follow_redirects" }).filter({ hasText: "session.py" }).first();
  await hit.waitFor();
  assert.match(await hit.locator(".symbol").innerText(), /Session\.follow_redirects/);
  assert.ok((await hit.locator("mark").allInnerTexts()).some((text) => /redirect|loop/i.test(text)));
  assert.ok((await page.locator(".hit .tok-keyword").count()) > 0);
  const number = Number(await hit.locator(".line-number").first().innerText());
  const lines = await hit.locator(".hit-title .lines").innerText();
  assert.ok(number >= Number(/:(\d+)/.exec(lines)[1]), `${number} in ${lines}`);
  assert.match(await page.locator(".about").innerText(), /hits? .*ms|hits?[\s\S]*ms/);
  assert.equal(new URL(page.url()).search, LOOP);
  await page.waitForFunction(() => /hit/.test(document.querySelector("[data-testid=announcer]").textContent));
  await screenshot(page, "search-light");
  await page.done();
});

test("an address shows the same search again, and the way back works", async () => {
  const page = await open(browser, server.url, { path: `${LOOP}&mode=keyword&kind=source&language=python&path=src%2F**` });
  await hits(page);
  assert.equal(await page.inputValue("#question"), "stop a redirect loop");
  assert.ok(await page.isChecked("input[value=keyword]"));
  assert.equal(await page.inputValue(".path-choice input"), "src/**");
  assert.match(await page.locator(".menu-button").first().innerText(), /python/);
  const paths = await page.locator(".hit-title").allInnerTexts();
  assert.ok(paths.every((path) => path.startsWith("src/")), paths.join());
  await page.check("input[value=regex]");
  await page.waitForURL(/mode=regex/);
  await page.click("nav >> text=Indexes");
  await page.waitForURL(/#\/indexes$/);
  await page.goBack();
  await page.waitForURL(/mode=regex/);
  await page.goBack();
  await page.waitForURL(/mode=keyword/);
  assert.ok(await page.isChecked("input[value=keyword]"));
  await page.done();
});

test("filters narrow the hits and can be cleared", async () => {
  const page = await open(browser, server.url, { path: LOOP });
  await hits(page);
  await page.click(".menu-button:has-text('Kind')");
  await page.click(".menu-option:has-text('Docs')");
  await page.waitForURL(/kind=docs/);
  await page.waitForFunction(() => [...document.querySelectorAll(".hit .tag.kind-docs")].length === document.querySelectorAll(".hit").length);
  await page.keyboard.press("Escape");
  assert.equal(await page.locator(".menu-list").count(), 0);
  await page.fill(".path-choice input", "!docs/**");
  await page.waitForURL(/not_path=docs/);
  await page.waitForFunction(() => ![...document.querySelectorAll(".hit-title")].some((title) => title.textContent.startsWith("docs/")));
  await page.click("text=Clear filters");
  await page.waitForURL((url) => !url.search.includes("kind"));
  await page.waitForFunction(() => document.querySelector(".hit .tag.kind-source"));
  await page.done();
});

test("the exact mode finds lines, and folds case when told to", async () => {
  const page = await open(browser, server.url, { path: "?q=class+session&mode=exact" });
  await page.waitForSelector("text=Nothing found");
  await page.check("text=Ignore case");
  await hits(page);
  assert.match((await page.locator(".hit").first().locator("mark").allInnerTexts()).join(""), /class Session/);
  await page.done();
});

test("keys lead from the question through the hits and back", async () => {
  const page = await open(browser, server.url, { path: LOOP });
  await hits(page);
  const first = await page.locator(".hit").nth(0).getAttribute("aria-label");
  const second = await page.locator(".hit").nth(1).getAttribute("aria-label");
  await page.locator("main").focus();
  await page.keyboard.press("/");
  assert.equal(await focused(page), "question");
  await page.keyboard.press("ArrowDown");
  assert.equal(await focused(page), first);
  await page.keyboard.press("ArrowDown");
  assert.equal(await focused(page), second);
  assert.equal(await page.locator(".hit[tabindex='0']").count(), 1);
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("ArrowUp");
  assert.equal(await focused(page), "question");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Escape");
  assert.equal(await focused(page), "question");
  await page.keyboard.press("Escape");
  assert.equal(await page.inputValue("#question"), "");
  assert.equal(await page.locator(".hit").count(), 0);
  await page.done();
});

test("a hit shows more of its file, and why it is there", async () => {
  const page = await open(browser, server.url, { path: "?q=backoff+jitter&path=src/**" });
  await hits(page);
  const hit = page.locator(".hit").first();
  await page.locator("#question").focus();
  await page.keyboard.press("ArrowDown");
  const before = await hit.locator(".line").count();
  await page.keyboard.press("e");
  await hit.locator(".line.within").first().waitFor();
  // A small file may be a hit from its first line to its last, but the snippet is less.
  assert.ok((await hit.locator(".line").count()) >= before);
  await page.keyboard.press("e");
  await page.waitForFunction(() => !document.querySelector(".line.within"));
  assert.equal(await hit.locator(".line").count(), before);
  await page.keyboard.press("w");
  await hit.locator(".reasons li").first().waitFor();
  assert.match(await hit.locator(".why").innerText(), /Score/);
  assert.ok((await hit.locator(".why .scores").count()) >= 1);
  await page.keyboard.press("Escape");
  assert.equal(await hit.locator(".why").count(), 0);
  assert.ok((await focused(page)).includes("retry.py"));
  await page.done();
});

test("a hit opens in the editor that was chosen, and its place can be copied", async () => {
  const page = await open(browser, server.url, { path: LOOP, permissions: ["clipboard-read", "clipboard-write"] });
  const hit = (await hits(page)).first();
  const path = (await hit.locator(".hit-title").innerText()).replace(/:.*/, "");
  const href = () => hit.locator(".hit-actions a").getAttribute("href");
  const expected = `vscode://file${encodeURI(server.root)}/harbor/${encodeURI(path)}:`;
  assert.ok((await href()).startsWith(expected), `${await href()} is not ${expected}`);
  await page.selectOption(".about select", "jetbrains");
  assert.match(await href(), /^idea:\/\/open\?file=/);
  await page.reload();
  await hits(page);
  assert.match(await href(), /^idea:/);
  await page.selectOption(".about select", "none");
  assert.equal(await hit.locator(".hit-actions a").count(), 0);
  await page.locator("#question").focus();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("c");
  await page.waitForSelector(".notice:has-text('Copied')");
  assert.match(await page.evaluate(() => navigator.clipboard.readText()), /^[\w/.]+:\d+(-\d+)?$/);
  await page.done();
});

test("Enter on a hit goes to the editor, and without one shows more", async () => {
  const page = await open(browser, server.url, { path: LOOP });
  await hits(page);
  await page.evaluate(() => {
    document.addEventListener("click", (event) => {
      const link = event.target.closest?.("a");
      if (!link) return;
      event.preventDefault();
      window.opened = link.href;
    });
  });
  await page.locator("#question").focus();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  assert.match(await page.evaluate(() => window.opened), /^vscode:/);
  await page.selectOption(".about select", "none");
  await page.locator("#question").focus();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await page.locator(".hit").first().locator("button[aria-expanded=true]").waitFor();
  await page.done();
});

test("hostile text in a path, a name and code stays text", async () => {
  const page = await open(browser, server.url, { path: "?q=hostile+markup" });
  const hit = (await hits(page)).filter({ hasText: "hostile_markup" }).first();
  await hit.waitFor();
  assert.match(await hit.locator(".hit-title").innerText(), /<img src=x onerror=/);
  await hit.locator("button:has-text('More')").click();
  await hit.locator("button:has-text('Why')").click();
  await hit.locator(".line.within").first().waitFor();
  assert.equal(await page.locator("main img, main script").count(), 0);
  await ask(page, `<img src=x onerror="window.attacked=1">`);
  await page.waitForTimeout(200);
  await page.done();
});

test("a line of thousands of characters does not widen the page", async () => {
  const page = await open(browser, server.url, { path: "?q=const+minified&mode=exact" });
  await hits(page);
  const width = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  assert.equal(width, 0);
  if (!isReal) assert.match(await page.locator(".left-out").innerText(), /4,\d+ more characters/);
  await page.done();
});

test("a term after an emoji is marked where it stands", async () => {
  const page = await open(browser, server.url, { path: "?q=harbor+$&mode=exact" });
  await hits(page);
  assert.deepEqual(await page.locator(".hit mark").allInnerTexts().then((texts) => texts.join("")), "harbor $");
  await page.done();
});

test("more hits are given when asked for", { skip: isReal && "the tree is too small to say how many there are" }, async () => {
  const page = await open(browser, server.url, { path: "?q=harbor+session+request+config&limit=3" });
  await hits(page);
  assert.equal(await page.locator(".hit").count(), 3);
  await page.click("text=More hits");
  await page.waitForURL(/limit=13/);
  await page.waitForFunction(() => document.querySelectorAll(".hit").length > 3);
  await page.done();
});

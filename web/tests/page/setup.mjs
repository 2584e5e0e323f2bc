// What the page tests share: a browser, a server to look at, pages that tell what went wrong in them.
//
// The server is the mock, or the real one where `WHEREIN_PAGE_URL` names it (`run.mjs` starts it). What a real server
// cannot be made to do, such as to be too busy, is tested with the mock always.

import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";
import { ROOT, startMock } from "../mock.mjs";

const CHROMIUM = process.env["WHEREIN_CHROMIUM"] ?? "/usr/bin/chromium";
const ARGS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync", "--no-proxy-server"];
const AXE = createRequire(import.meta.url).resolve("axe-core/axe.min.js");
const SHOTS = fileURLToPath(new URL("../../../docs/screenshots/", import.meta.url));

/** Whether the server under test is the real one. */
export const isReal = !!process.env["WHEREIN_PAGE_URL"];

export function launch() {
  return chromium.launch({ executablePath: CHROMIUM, args: ARGS });
}

/** The server under test: its address, the folder that its trees lie in, how to end it. */
export async function serve() {
  if (isReal) return { url: process.env["WHEREIN_PAGE_URL"], root: process.env["WHEREIN_PAGE_ROOT"], stop: async () => {} };
  const mock = await startMock();
  return { url: mock.url, root: ROOT, stop: () => mock.stop() };
}

/** A page in a context of its own. `close` fails when a script failed, the policy was broken or another host was asked. */
export async function open(browser, url, options = {}) {
  const { path = "", expectErrors = [], ...rest } = options;
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...rest });
  const trouble = [];
  await context.route("**/*", (route) => {
    if (route.request().url().startsWith(url)) return route.continue();
    trouble.push(`asked another host: ${route.request().url()}`);
    return route.abort();
  });
  const page = await context.newPage();
  page.on("pageerror", (error) => trouble.push(`error: ${error.message}`));
  page.on("console", (message) => {
    const text = message.text();
    if (message.type() === "error" && !expectErrors.some((part) => text.includes(part))) trouble.push(`console: ${text}`);
  });
  await page.goto(url + path);
  page.done = async () => {
    assert.equal(await page.evaluate(() => window.attacked), undefined, "a script from an index ran");
    await context.close();
    assert.deepEqual(trouble, []);
  };
  return page;
}

/** Waits until hits stand there and no question is on its way. */
export async function hits(page) {
  await page.waitForSelector(".search:not(.is-pending) .hit");
  return page.locator(".hit");
}

/** Waits until a condition on this side of the browser holds. */
export async function until(holds, patience = 10_000) {
  for (const end = Date.now() + patience; !holds(); await new Promise((done) => setTimeout(done, 20))) {
    assert.ok(Date.now() < end, `still not so: ${holds}`);
  }
}

export async function ask(page, question) {
  await page.fill("#question", question);
  await page.waitForFunction((q) => document.title.startsWith(q), question);
  await page.waitForTimeout(200);
  await page.waitForSelector(".question-icon:not(.is-busy)");
}

/** Fails on anything that axe finds wrong. */
export async function axe(page, what) {
  // Past the server's policy, which forbids scripts of others in the page.
  await page.evaluate(await import("node:fs").then(({ readFileSync }) => readFileSync(AXE, "utf8")));
  const violations = await page.evaluate(async () => {
    const { violations: found } = await window.axe.run(document, { resultTypes: ["violations"] });
    return found.map(({ id, help, nodes }) => `${id}: ${help}: ${nodes.map(({ target, failureSummary }) => `${target} ${failureSummary}`).join(" | ")}`);
  });
  assert.deepEqual(violations, [], what);
}

/** Whether nothing sticks out to the right. */
export async function assertNoSideScroll(page, what) {
  const [inner, outer] = await page.evaluate(() => [document.documentElement.scrollWidth, document.documentElement.clientWidth]);
  assert.ok(inner <= outer, `${what}: ${inner} px of content in ${outer} px`);
}

/** Keeps a picture for the documentation, when asked to. */
export async function screenshot(page, name) {
  if (!process.env["WHEREIN_SCREENSHOTS"]) return;
  mkdirSync(SHOTS, { recursive: true });
  await page.screenshot({ path: `${SHOTS}${name}.png` });
}

// The indexes: figures, adding with progress, refreshing, removing.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { hits, launch, open, screenshot, serve } from "./setup.mjs";

let browser;
let server;
before(async () => {
  [browser, server] = await Promise.all([launch(), serve()]);
});
after(async () => {
  await browser.close();
  await server.stop();
});

const card = (page, name) => page.locator(".card").filter({ has: page.locator("h2", { hasText: name }) });

test("an index tells what is in it, what is not, and how fresh it is", async () => {
  const page = await open(browser, server.url, { path: "#/indexes" });
  const harbor = card(page, "harbor");
  await harbor.locator(".state.ready").waitFor();
  assert.match(await harbor.locator(".root").innerText(), /harbor$/);
  const figures = await harbor.locator(".figures").innerText();
  for (const part of [/Files\s+\d+/, /Chunks\s+\d+/, /Model\s+\S+/, /Index size\s+[\d.]+ \w?B/]) assert.match(figures, part);
  assert.match(await harbor.locator(".freshness").innerText(), /Checked .*(ago|now)|Not checked/);
  await harbor.locator("summary", { hasText: "languages" }).click();
  assert.match(await harbor.locator(".breakdown").innerText(), /python/);
  await harbor.locator("summary", { hasText: "not searched" }).click();
  assert.match(await harbor.locator(".reasons-list").innerText(), /lockfiles/);
  await screenshot(page, "indexes");
  await page.done();
});

test("a folder is added, indexed, searched, refreshed and removed", async () => {
  const page = await open(browser, server.url, { path: "#/indexes" });
  await card(page, "harbor").waitFor();
  await page.fill("#add-root", `${server.root}/kiosk`);
  await page.keyboard.press("Enter");
  await card(page, "kiosk").locator(".state.ready").waitFor();
  assert.equal(await page.inputValue("#add-root"), "");
  await card(page, "kiosk").locator("a:has-text('Search')").click();
  await page.fill("#question", "print a receipt");
  await hits(page);
  assert.match(await page.locator(".hit-title").first().innerText(), /main\.go/);
  assert.match(page.url(), /index=kiosk/);
  await page.click("nav >> text=Indexes");
  await card(page, "kiosk").locator("button:has-text('Refresh')").click();
  await page.waitForSelector(".notice:has-text('up to date')");
  await card(page, "kiosk").locator(".state.ready").waitFor();
  await card(page, "kiosk").locator("button:has-text('Remove')").click();
  const dialog = page.locator("dialog");
  assert.match(await dialog.innerText(), /itself is not touched/);
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });
  await card(page, "kiosk").locator("button:has-text('Remove')").click();
  await dialog.locator("text=Remove the index").last().click();
  await card(page, "kiosk").waitFor({ state: "detached" });
  assert.ok(await card(page, "harbor").isVisible());
  await page.done();
});

test("a folder that may not be added is refused with a reason", async () => {
  const page = await open(browser, server.url, { path: "#/indexes", expectErrors: ["403", "400", "404"] });
  await page.waitForSelector(".card");
  assert.ok((await page.locator("#add-hint").innerText()).includes(server.root));
  await page.fill("#add-root", "/etc");
  await page.click("button:has-text('Add')");
  await page.waitForSelector("#add-error");
  assert.equal(await page.getAttribute("#add-root", "aria-invalid"), "true");
  assert.equal(await page.inputValue("#add-root"), "/etc");
  await page.fill("#add-root", `${server.root}/nowhere`);
  await page.click("button:has-text('Add')");
  await page.waitForFunction(() => /nowhere/.test(document.querySelector("#add-error").textContent));
  await page.done();
});

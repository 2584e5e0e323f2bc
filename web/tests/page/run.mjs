// Runs the page tests: against the mock, or against the real server where `WHEREIN_BIN` names its program.
//
// For the real one it writes the fixture into a temporary folder, starts `wherein serve` there, waits until it is ready, and
// ends it. More arguments go to node's test runner.

import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { writeFixture } from "../fixture.mjs";

const HERE = fileURLToPath(new URL(".", import.meta.url));
const FILES = ["search", "indexes", "trouble", "access"].map((name) => join(HERE, `${name}.test.mjs`));
/** How long the real server may take to listen and to index the fixture, in ms. */
const PATIENCE = 60_000;

const binary = process.env["WHEREIN_BIN"];
process.exitCode = binary ? await withServer(binary, runTests) : await runTests({});

function runTests(variables) {
  const args = ["--test", "--test-concurrency=2", ...process.argv.slice(2), ...FILES];
  const tests = spawn(process.execPath, args, { stdio: "inherit", env: { ...process.env, ...variables } });
  return new Promise((resolve) => tests.on("exit", (code) => resolve(code ?? 1)));
}

async function withServer(program, action) {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "wherein-page-")));
  const trees = join(folder, "trees");
  const portFile = join(folder, "port");
  writeFixture(trees);
  const args = ["serve", "--port", "0", "--port-file", portFile, "--index-dir", join(folder, "index"), "--allow-root", trees, join(trees, "harbor")];
  const server = spawn(program, args, { cwd: folder, stdio: ["ignore", "inherit", "inherit"] });
  const ended = new Promise((resolve) => server.on("exit", resolve));
  try {
    const url = await ready(portFile, server);
    return await action({ WHEREIN_PAGE_URL: url, WHEREIN_PAGE_ROOT: trees });
  } finally {
    server.kill();
    await ended;
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The server's address, once it listens and its indexes are made. */
async function ready(portFile, server) {
  for (const end = Date.now() + PATIENCE; Date.now() < end; await new Promise((resolve) => setTimeout(resolve, 100))) {
    if (server.exitCode !== null) throw new Error(`the server ended with ${server.exitCode}`);
    const port = existsSync(portFile) ? readFileSync(portFile, "utf8").trim() : "";
    if (!port) continue;
    const url = `http://127.0.0.1:${port}/`;
    const { indexes } = await fetch(`${url}api/indexes`).then((response) => response.json());
    if (indexes.length > 0 && indexes.every(({ state }) => state === "ready")) return url;
  }
  throw new Error("the server is not ready in time");
}

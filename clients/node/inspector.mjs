// The MCP inspector's command line lists the tools with their schemas, by its strict rules, and calls one; WHEREIN_BIN names the program.
//
// Over both transports, in the older age of the protocol and the newest.

import { spawn } from "node:child_process";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { judgeTool } from "./answers.mjs";
import { BINARY, CASES, report, serving } from "./harness.mjs";
import { run } from "./run.mjs";

const PACKAGE = createRequire(import.meta.url).resolve("@modelcontextprotocol/inspector/package.json");
const INSPECTOR = join(dirname(PACKAGE), "clients", "launcher", "build", "index.js");
const ERAS = ["legacy", "modern"];

/** What the inspector prints as JSON, and its exit status. */
function inspect(place, options, target) {
  const args = [INSPECTOR, "--cli", "--format", "json", "--quiet", ...options, ...target];
  const environment = { ...process.env, ...place.environment() };
  const inspector = spawn(process.execPath, args, { cwd: place.nowhere, env: environment, stdio: ["ignore", "pipe", "pipe"] });
  const [out, err] = [[], []];
  inspector.stdout.on("data", (chunk) => out.push(chunk));
  inspector.stderr.on("data", (chunk) => err.push(chunk));
  return new Promise((resolve, reject) => {
    inspector.on("error", reject);
    inspector.on("close", (code) => {
      const text = Buffer.concat(out).toString();
      let said = {};
      try {
        said = JSON.parse(text);
      } catch {
        report.check(false, "the inspector prints JSON", text.slice(0, 500));
      }
      resolve({ code, result: said.result ?? {}, trouble: Buffer.concat(err).toString() });
    });
  });
}

async function judge(place, target, what) {
  const listed = await inspect(place, ["--method", "tools/list", "--strict"], target);
  report.equal(listed.code, 0, `${what}: schemas hold by the inspector's strict rules`);
  report.equal(listed.trouble, "", `${what}: the inspector has nothing to say`);
  const { tools = [] } = listed.result;
  report.equal(tools.map(({ name }) => name).sort(), Object.keys(CASES.tools).sort(), `${what}: tools`);
  tools.forEach((tool) => judgeTool(tool, `${what}: ${tool.name}`));
  const prompts = await inspect(place, ["--method", "prompts/list"], target);
  report.equal(prompts.result.prompts?.length, CASES.prompts.length, `${what}: prompts`);
  const options = ["--method", "tools/call", "--tool-name", "find_symbol", "--tool-args-json", '{"name": "evict_oldest"}'];
  const called = await inspect(place, options, target);
  report.equal(called.result.structuredContent?.symbols?.[0]?.path, "cache/src/lib.rs", `${what}: a call`);
}

async function inspectorOverStdio(place) {
  for (const era of ERAS) await judge(place, ["--protocol-era", era, "--", BINARY, "mcp", "--root", place.shop], `inspector over stdio (${era})`);
}

async function inspectorOverHttp(place) {
  await serving(place, [place.shop], async (url) => {
    for (const era of ERAS) {
      await judge(place, ["--protocol-era", era, "--transport", "http", "--server-url", `${url}/mcp`], `inspector over HTTP (${era})`);
    }
  });
}

await run("inspector", [inspectorOverStdio, inspectorOverHttp]);

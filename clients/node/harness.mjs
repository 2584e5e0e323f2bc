// What the checks of the Node client share: counting, places to search, servers to start.
//
// Servers run with a home and an index folder of their own, so that nothing of the machine is read or changed.

import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { ListRootsRequestSchema } from "@modelcontextprotocol/sdk/types.js";

const HERE = dirname(fileURLToPath(import.meta.url));
const read = (name) => JSON.parse(readFileSync(join(HERE, "..", name), "utf8"));
export const TREE = read("tree.json").files;
export const CASES = read("cases.json");
export const BINARY = process.env.WHEREIN_BIN ?? "";
/** Half a second is what people wait for an error; a busy machine gets more. In ms. */
const ERROR_WITHIN = 2000;
/** A question to a server that has work on its hands, in ms. */
const ANSWER_WITHIN = 120_000;

/** Counts checks and keeps what failed. */
export const report = {
  nChecks: 0,
  nFailed: 0,
  slowestError: [0, "none"],
  check(holds, what, found) {
    this.nChecks += 1;
    if (holds) return;
    this.nFailed += 1;
    console.log(`FAILED ${what}${found === undefined ? "" : `: ${JSON.stringify(found)?.slice(0, 1500)}`}`);
  },
  equal(found, wanted, what) {
    this.check(isDeepStrictEqual(found, wanted), `${what} is ${JSON.stringify(wanted)}`, found);
  },
  errorTook(ms, what) {
    if (ms > this.slowestError[0]) this.slowestError = [ms, what];
    this.check(ms < ERROR_WITHIN, `${what}: an error within ${ERROR_WITHIN} ms`, ms);
  },
};

/** The folders of one run. */
export class Place {
  #nNames = 0;

  constructor(base) {
    this.base = base;
    for (const name of ["home", "index", "empty", "nowhere"]) {
      this[name] = join(base, name);
      mkdirSync(this[name]);
    }
    this.shop = join(base, "shop");
    writeTree(this.shop);
  }

  fresh(name) {
    this.#nNames += 1;
    return join(this.base, `${name}-${this.#nNames}`);
  }

  environment() {
    const names = ["PATH", "TMPDIR", "TEMP", "SYSTEMROOT"].filter((name) => process.env[name] !== undefined);
    const inherited = Object.fromEntries(names.map((name) => [name, process.env[name]]));
    return { ...inherited, HOME: this.home, USERPROFILE: this.home, WHEREIN_INDEX_DIR: this.index, WHEREIN_BIN: BINARY };
  }
}

export function writeTree(folder) {
  for (const [path, text] of Object.entries(TREE)) write(join(folder, path), text);
  write(join(folder, ".git", "HEAD"), "ref: refs/heads/main\n");
  if (process.platform !== "win32") symlinkSync("/etc", join(folder, "link"));
}

export function write(file, text) {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

/** A client that tells `roots`, where there are any; they are asked for anew each time. */
function newClient(roots) {
  const capabilities = roots ? { roots: { listChanged: true } } : {};
  const client = new Client({ name: "wherein-clients", version: "0.1.0" }, { capabilities });
  if (roots) client.setRequestHandler(ListRootsRequestSchema, () => ({ roots: roots.map((uri) => ({ uri })) }));
  return client;
}

/** Calls `action` with a client of `wherein mcp`; afterwards all that the server wrote is judged. */
export async function stdio(place, args, action, { roots, cwd = place.nowhere } = {}) {
  const copy = place.fresh("stdout");
  writeFileSync(copy, "");
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [join(HERE, "tee.mjs"), "mcp", ...args],
    env: { ...place.environment(), CLIENTS_COPY: copy },
    cwd,
  });
  const client = newClient(roots);
  const strange = [];
  client.onerror = (error) => strange.push(String(error));
  await client.connect(transport);
  try {
    await action(client);
  } finally {
    await client.close();
  }
  report.equal(strange, [], "what the client could not read");
  judgeOutput(copy);
}

/** Standard output holds whole lines of JSON-RPC and nothing else. */
function judgeOutput(copy) {
  const written = readFileSync(copy, "utf8");
  report.check(written.endsWith("\n"), "standard output ends with a line", written.slice(-200));
  for (const line of written.split("\n").slice(0, -1)) {
    let message;
    try {
      message = JSON.parse(line);
    } catch {
      message = undefined;
    }
    report.check(message?.jsonrpc === "2.0", "a line of standard output is JSON-RPC", line.slice(0, 300));
  }
}

/** Calls `action` with the address of `wherein serve` on a free port. */
export async function serving(place, args, action) {
  const portFile = place.fresh("port");
  const command = ["serve", "--port", "0", "--port-file", portFile, "--quiet", ...args];
  const server = spawn(BINARY, command, { cwd: place.nowhere, env: place.environment(), stdio: ["ignore", "ignore", "inherit"] });
  const ended = new Promise((resolve) => server.on("exit", () => resolve(true)));
  try {
    for (let n = 0; n < 600 && !existsSync(portFile) && server.exitCode === null; n += 1) await sleep(50);
    await action(`http://127.0.0.1:${readFileSync(portFile, "utf8").trim()}`);
  } finally {
    server.kill();
    const hasEnded = await Promise.race([ended, sleep(15_000, false, { ref: false })]);
    report.check(hasEnded, "the server ends when it is told to");
    if (!hasEnded) server.kill("SIGKILL");
  }
}

/** Calls `action` with a client of `/mcp` of a server that runs, and with its transport. */
export async function http(url, action, { headers } = {}) {
  const transport = new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit: { headers } });
  const client = newClient();
  await client.connect(transport);
  try {
    await action(client, transport);
  } finally {
    if (transport.sessionId) await transport.terminateSession();
    await client.close();
  }
}

/** The result of a tool and how long it took, in ms. */
export async function call(client, tool, given = {}, options = {}) {
  const started = performance.now();
  const result = await client.callTool({ name: tool, arguments: given }, undefined, { timeout: ANSWER_WITHIN, ...options });
  return { result, text: textOf(result), structured: result.structuredContent ?? {}, ms: performance.now() - started };
}

/** Checks that a call ends as a typed error, soon. */
export async function refused(client, tool, given, kind, what) {
  const { result, text, structured, ms } = await call(client, tool, given);
  report.errorTook(ms, what);
  report.check(result.isError === true, `${what}: is an error`, text);
  report.equal(structured.error?.kind, kind, `${what}: its kind`);
  report.check(Boolean(structured.error?.message), `${what}: has a message`, structured);
  report.check(text.startsWith(`error (${kind}): `), `${what}: the text says so`, text);
  return structured.error ?? {};
}

/** Checks that a request is refused by the protocol. */
export async function protocolError(request, what) {
  const started = performance.now();
  try {
    await request;
  } catch (error) {
    report.errorTook(performance.now() - started, what);
    report.equal(error.code, -32602, `${what}: its code`);
    return;
  }
  report.check(false, `${what}: is refused`);
}

const textOf = (result) => result.content.filter(({ type }) => type === "text").map(({ text }) => text).join("");

/** The value at `a.0.b`; `length` counts a list. */
export const at = (value, path) => path.split(".").reduce((inner, name) => inner?.[name], value);

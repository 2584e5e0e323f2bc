// A stand-in for `wherein serve`: the API of the contract over the fixture, and the built page with the server's headers.
//
// Tests bend it: a token, refusals, slow answers, progress by hand. It holds nothing on disk. `node tests/mock.mjs [PORT]`
// runs it for a look at the page.

import { readFileSync, readdirSync } from "node:fs";
import { createServer } from "node:http";
import { fileURLToPath } from "node:url";
import { HARBOR, KIOSK } from "./fixture.mjs";
import { chunksOf, kindOf, languageOf, searchFiles } from "./mock-search.mjs";

const ASSETS = fileURLToPath(new URL("../../crates/wherein-serve/assets/", import.meta.url));
const TYPES = { html: "text/html; charset=utf-8", js: "text/javascript; charset=utf-8", css: "text/css; charset=utf-8", svg: "image/svg+xml", txt: "text/plain; charset=utf-8" };
const CSP = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** Where the mock says that its folders lie. */
export const ROOT = "/srv/code";

export class Mock {
  indexes = new Map();
  files = new Map();
  /** Every request, newest last. */
  log = [];
  /** What every call must bring; null for none. */
  token = null;
  /** How many of the next searches are refused with 429. */
  refuse = 0;
  /** ms before the answer to a question. */
  delay = () => 0;
  #streams = new Set();
  #server = createServer((request, response) => void this.#answer(request, response).catch((error) => problem(response, 500, "bug", error.message)));

  async start(port = 0) {
    await new Promise((resolve) => this.#server.listen(port, "127.0.0.1", resolve));
    this.port = this.#server.address().port;
    this.url = `http://127.0.0.1:${this.port}/`;
    return this;
  }

  /** Ends every connection too, as a server that is killed does. */
  async stop() {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  add(name, files, patch = {}) {
    const id = `${name}-1f3a9c`;
    this.files.set(id, files);
    return this.change(id, { id, name, root: `${ROOT}/${name}`, state: "ready", progress: null, watch: { active: true, note: null }, checked_ms: Date.now() - 3000, error: null, summary: summaryOf(files), ...patch });
  }

  /** Changes an index and tells everybody. */
  change(id, patch) {
    const index = { ...this.indexes.get(id), ...patch };
    this.indexes.set(id, index);
    this.#tell("index", index);
    return index;
  }

  #tell(event, data) {
    for (const stream of this.#streams) stream.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
  }

  async #answer(request, response) {
    const url = new URL(request.url, this.url);
    this.log.push({ method: request.method, path: url.pathname, query: url.searchParams, authorization: request.headers.authorization });
    if (!url.pathname.startsWith("/api/")) return page(url.pathname, response);
    if (this.token && request.headers.authorization !== `Bearer ${this.token}`) return problem(response, 401, "unauthorized", "a token is needed");
    const [, , what, id, action] = url.pathname.split("/");
    if (what === "search") return this.#search(url.searchParams, response);
    if (what === "code") return this.#code(url.searchParams, response);
    if (what === "events") return this.#events(response);
    if (what === "indexes") return this.#indexes(request, response, id, action);
    problem(response, 404, "not_found", "there is nothing here");
  }

  async #search(params, response) {
    const q = params.get("q") ?? "";
    await sleep(this.delay(q));
    if (this.refuse > 0) {
      this.refuse -= 1;
      return problem(response, 429, "too_many", "too many questions at once", null, { "Retry-After": "1" });
    }
    if (!q.trim()) return problem(response, 400, "usage", "the question is empty", "ask in words");
    const id = params.get("index") ?? [...this.indexes.keys()][0];
    const files = this.files.get(id);
    if (!files) return problem(response, 404, "not_found", `there is no index '${id}'`);
    const { summary } = this.indexes.get(id);
    if (!summary) return problem(response, 404, "not_indexed", "nothing is indexed yet", "wait until the first files are done");
    let matches;
    try {
      matches = searchFiles(files, params);
    } catch (error) {
      return problem(response, 400, "usage", `'${q}' is no regular expression: ${error.message}`, "a plain text needs mode exact");
    }
    const hits = matches.slice(0, Number(params.get("limit") ?? 10));
    const mode = params.get("mode") ?? "hybrid";
    const confidence = mode === "hybrid" ? (hits[0]?.score > 3 ? "high" : hits[0]?.score > 2 ? "fair" : "low") : undefined;
    const degraded = q.includes("degraded") ? ["the re-ranker was left out: it took too long"] : [];
    const copies = [{ path: "vendor/harbor/session.py", start_line: 24, end_line: 40 }];
    const withCopies = hits.map((hit) => (hit.symbol?.name === "follow_redirects" ? { ...hit, copies } : hit));
    json(response, 200, { index: id, query: q, mode, model: mode === "hybrid" ? "builtin-code-v1" : null, confidence, generation: summary.generation, elapsed_ms: 3.1, n_matches: matches.length, hits: withCopies, degraded, skipped: summary.skipped });
  }

  #code(params, response) {
    const text = this.files.get(params.get("index"))?.[params.get("path")];
    if (text === undefined) return problem(response, 404, "not_found", "there is no such file");
    const lines = text.replace(/\n$/, "").split("\n");
    const start = Math.max(1, Number(params.get("start") ?? 1));
    const end = Math.min(lines.length, Number(params.get("end") ?? lines.length));
    json(response, 200, { index: params.get("index"), path: params.get("path"), language: languageOf(params.get("path")), kind: kindOf(params.get("path")), start_line: start, end_line: end, n_lines: lines.length, text: lines.slice(start - 1, end).join("\n"), truncated: false });
  }

  #events(response) {
    response.writeHead(200, { "Content-Type": "text/event-stream", "Cache-Control": "no-store" });
    response.write(": hello\n\n");
    for (const index of this.indexes.values()) response.write(`event: index\ndata: ${JSON.stringify(index)}\n\n`);
    this.#streams.add(response);
    response.on("close", () => this.#streams.delete(response));
  }

  async #indexes(request, response, id, action) {
    if (!id && request.method === "GET") return json(response, 200, { indexes: [...this.indexes.values()], allowed_roots: [ROOT], version: "0.1.0" });
    if (!id && request.method === "POST") return this.#post(JSON.parse(await bodyOf(request)).root, response);
    const index = this.indexes.get(id);
    if (!index) return problem(response, 404, "not_found", `there is no index '${id}'`);
    if (action === "refresh") return this.#refresh(index, response);
    if (request.method !== "DELETE") return json(response, 200, index);
    this.indexes.delete(id);
    this.#tell("removed", { id });
    response.writeHead(204).end();
  }

  #post(root, response) {
    if (!root.startsWith(`${ROOT}/`)) return problem(response, 403, "forbidden", `'${root}' is outside the folders that may be added`, `add a folder below ${ROOT}`);
    if (root !== `${ROOT}/kiosk`) return problem(response, 400, "usage", `'${root}' is no folder`);
    const index = this.add("kiosk", KIOSK, { state: "waiting", summary: null, checked_ms: null });
    json(response, 201, index);
    void this.#work(index.id);
  }

  #refresh({ id }, response) {
    json(response, 202, this.change(id, { state: "indexing", progress: { stage: "scanning", done: 0, total: 0, percent: 0 } }));
    void this.#work(id);
  }

  async #work(id) {
    for (const percent of [20, 60, 100]) {
      await sleep(80);
      if (!this.indexes.has(id)) return;
      this.change(id, { state: "indexing", progress: { stage: percent < 100 ? "files" : "embedding", done: percent * 40, total: 4000, percent } });
    }
    await sleep(80);
    if (this.indexes.has(id)) this.change(id, { state: "ready", progress: null, checked_ms: Date.now(), summary: summaryOf(this.files.get(id)) });
  }
}

/** A mock with the fixture in it. */
export function startMock(port) {
  const mock = new Mock();
  mock.add("harbor", HARBOR);
  return mock.start(port);
}

export function summaryOf(files) {
  const entries = Object.entries(files);
  const n_chunks = entries.reduce((n, [path, text]) => n + chunksOf(path, text).length, 0);
  return {
    generation: 7, complete: true, files: entries.length, bytes: entries.reduce((n, [, text]) => n + text.length, 0), chunks: n_chunks, vectors: n_chunks,
    model: "builtin-code-v1", reranker: null, profile: "symbols", index_bytes: 123_456,
    skipped: { ignored: 3, excluded_dir: 0, binary: 1, too_large: 0, lockfile: 1, svg: 1, sensitive: 0 },
    by_kind: tally(entries.map(([path]) => kindOf(path))), by_language: tally(entries.map(([path]) => languageOf(path))),
    problems: [{ path: "src/harbor/broken.py", reason: "not UTF-8: read as Latin-1" }],
  };
}

function tally(names) {
  const counts = {};
  for (const name of names) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
}

function page(path, response) {
  const name = path === "/" ? "index.html" : path.slice(1);
  if (!readdirSync(ASSETS).includes(name)) return problem(response, 404, "not_found", "there is nothing here");
  response.writeHead(200, { "Content-Type": TYPES[name.split(".").pop()] ?? "application/octet-stream", "Content-Security-Policy": CSP, "X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer" });
  response.end(readFileSync(ASSETS + name));
}

function json(response, status, body) {
  response.writeHead(status, { "Content-Type": "application/json" }).end(JSON.stringify(body));
}

function problem(response, status, kind, detail, hint = null, headers = {}) {
  response.writeHead(status, { "Content-Type": "application/problem+json", ...headers });
  response.end(JSON.stringify({ type: "about:blank", title: kind, status, detail, kind, hint }));
}

async function bodyOf(request) {
  let text = "";
  for await (const piece of request) text += piece;
  return text;
}

function sleep(ms) {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const mock = await startMock(Number(process.argv[2] ?? 7878));
  console.log(mock.url);
}

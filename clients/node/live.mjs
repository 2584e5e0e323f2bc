// Checks of an index that is being made and of files that change: progress, early answers, questions taken back, edits.

import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { call, http, report, serving, stdio, write } from "./harness.mjs";

/** Enough that a first index takes a while. */
const N_FILES = 3000;
const TRANSPORTS = ["stdio", "HTTP"];

/** Many small files, each with a function of its own, and one that a question means. */
function bigTree(place) {
  const folder = place.fresh("big");
  for (let idx = 0; idx < N_FILES; idx += 1) {
    const part = (n) => `def step_${idx}_${n}(value):\n    """Step ${n} of ${idx}."""\n    return value * ${idx + n}\n`;
    const file = join(folder, `part${Math.floor(idx / 100)}`, `step_${idx}.py`);
    write(file, Array.from({ length: 8 }, (_, n) => part(n)).join("\n\n"));
  }
  write(join(folder, "last.py"), "def the_last_word():\n    return 'amen'\n");
  return folder;
}

/** Calls `action` with a client of a server for `folder` over either transport. */
const over = (transport, place, folder, args, action) =>
  transport === "stdio"
    ? stdio(place, ["--root", folder, ...args], action)
    : serving(place, [...args, folder], (url) => http(url, action));

/** Who has no patience is answered with what there is; who waits is told how far it is. */
export async function firstIndex(place) {
  const folder = bigTree(place);
  for (const transport of TRANSPORTS) {
    const what = `a first index over ${transport}`;
    const args = ["--no-watch", "--deadline", "120", "--index-dir", place.fresh("index")];
    await over(transport, place, folder, [...args, "--patience", "0.3"], async (client) => {
      const { result, structured, text, ms } = await call(client, "folder_search", { question: "the last word" });
      report.check(!result.isError, `${what}: an early answer`, text);
      report.check(structured.degraded?.some((line) => line.includes("indexing")), `${what}: an early answer says so`, structured.degraded);
      report.check(ms < 5000, `${what}: an early answer is early`, ms);
      console.log(`  ${what}: answered early after ${Math.round(ms)} ms: ${structured.degraded}`);
    });
    await over(transport, place, folder, [...args, "--patience", "120"], (client) => untilReady(client, what));
  }
}

async function untilReady(client, what) {
  const told = [];
  const onprogress = (notice) => told.push(notice);
  const { structured, ms } = await call(client, "find_symbol", { name: "the_last_word" }, { onprogress });
  report.equal(structured.n_matches, 1, `${what}: the whole answer`);
  report.equal(structured.degraded, [], `${what}: nothing is missing`);
  report.check(told.length >= 2, `${what}: progress is told`, told);
  report.check(told.every(({ progress }, idx) => idx === 0 || progress > told[idx - 1].progress), `${what}: progress grows`, told);
  report.check(told.every(({ message }) => message?.includes("indexing")), `${what}: progress is worded`, told);
  console.log(`  ${what}: whole after ${Math.round(ms)} ms, ${told.length} notices, last ${JSON.stringify(told.at(-1))}`);
}

/** A question that is taken back ends, and the server goes on. */
export async function takenBack(place) {
  const folder = bigTree(place);
  for (const transport of TRANSPORTS) {
    const what = `a question taken back over ${transport}`;
    const args = ["--patience", "120", "--deadline", "120", "--index-dir", place.fresh("index")];
    await over(transport, place, folder, args, async (client) => {
      const signal = AbortSignal.timeout(200);
      const ended = await call(client, "folder_search", { question: "the last word" }, { signal }).then(() => "answered", () => "taken back");
      report.equal(ended, "taken back", `${what}: it was under way`);
      const { result, text, ms } = await call(client, "index_status");
      report.check(!result.isError, `${what}: the next one is answered`, text);
      report.check(ms < 5000, `${what}: the next one is answered soon`, ms);
    });
  }
}

/** A file that changed is found by the next question, one that went is not. */
export async function edits(place) {
  for (const transport of TRANSPORTS) {
    for (const flags of [[], ["--no-watch"]]) {
      const what = `edits over ${transport} ${flags}`;
      await over(transport, place, place.shop, flags, (client) => edit(client, place.shop, what));
    }
  }
}

async function edit(client, folder, what) {
  const places = async (tool, given, of) =>
    (await call(client, tool, given)).structured[of]?.map((hit) => [hit.path, hit.start_line ?? hit.line]);
  const file = join(folder, "src", "tide.py");
  const orders = join(folder, "src", "orders.py");
  const before = readFileSync(orders, "utf8");
  await places("folder_search", { question: "warm up" }, "hits");
  try {
    for (const line of [1, 4]) {
      writeFileSync(file, `${"#\n".repeat(line - 1)}def moon_pulls_water():\n    return 'tide'\n`);
      const found = await places("find_symbol", { name: "moon_pulls_water" }, "symbols");
      report.equal(found, [["src/tide.py", line]], `${what}: a definition at line ${line}`);
    }
    const found = await places("folder_search", { question: "moon pulls water" }, "hits");
    report.equal(found?.[0]?.[0], "src/tide.py", `${what}: by meaning`);
    writeFileSync(orders, `${before}\n\nmoon_pulls_water()\n`);
    report.equal(await places("find_usages", { name: "moon_pulls_water" }, "usages"), [["src/orders.py", 17]], `${what}: a usage`);
    rmSync(file);
    report.equal(await places("find_symbol", { name: "moon_pulls_water" }, "symbols"), [], `${what}: what went`);
  } finally {
    rmSync(file, { force: true });
    writeFileSync(orders, before);
  }
}

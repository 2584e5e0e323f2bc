// Checks of which folder answers: several roots, roots that are none, roots that the client names, and none at all.

import { writeFileSync } from "node:fs";
import { basename, join, parse } from "node:path";
import { pathToFileURL } from "node:url";
import { call, http, refused, report, serving, stdio, writeTree } from "./harness.mjs";

const uri = (folder) => pathToFileURL(folder).href;

/** Roots that cannot be searched are typed errors of the first call; the server itself starts and goes on. */
export async function noFolder(place) {
  const system = parse(place.base).root;
  const cases = [
    ["a root that is not there", ["--root", join(place.base, "gone")], place.nowhere, "not_found"],
    ["the whole system", ["--root", system], place.nowhere, "usage"],
    ["the home folder", ["--root", place.home], place.nowhere, "usage"],
    ["no root, started nowhere", [], place.nowhere, "not_indexed"],
    ["no root, started in the home folder", [], place.home, "not_indexed"],
    ["no root, started in the whole system", [], system, "not_indexed"],
  ];
  for (const [what, args, cwd, kind] of cases) {
    const action = async (client) => {
      const error = await refused(client, "folder_search", { question: "where is it" }, kind, what);
      report.check(Boolean(error.hint), `${what}: says what helps`, error);
      const { tools } = await client.listTools();
      report.equal(tools.length, 7, `${what}: tools are listed all the same`);
    };
    await stdio(place, args, action, { cwd });
  }
}

/** Without any root, the project around the current folder answers; an empty folder has nothing to find. */
export async function around(place) {
  const asked = async (client) => {
    const { structured } = await call(client, "index_status");
    report.equal(structured.root, place.shop, "the project around the current folder");
  };
  await stdio(place, [], asked, { cwd: join(place.shop, "src") });
  await stdio(place, ["--root", place.empty], async (client) => {
    const { structured, text, ms } = await call(client, "folder_search", { question: "anything" });
    report.errorTook(ms, "an empty folder");
    report.equal(structured.hits, [], "an empty folder: hits");
    report.check(text.includes("nothing found"), "an empty folder: says so", text);
  });
}

/** Roots that the client names. */
export async function ofClient(place) {
  const other = join(place.base, "second shop");
  writeTree(other);
  writeFileSync(join(other, "src", "extra.py"), "def only_in_the_second():\n    pass\n");
  const roots = [uri(place.shop)];
  const action = async (client) => {
    report.equal((await call(client, "index_status")).structured.root, place.shop, "the client's root");
    roots.splice(0, 1, uri(other));
    await client.sendRootsListChanged();
    const { structured } = await call(client, "find_symbol", { name: "only_in_the_second" });
    report.equal(structured.n_matches, 1, "the client's root after it changed");
    roots.push(uri(place.shop));
    await client.sendRootsListChanged();
    await several(client, place, other, "roots of the client");
  };
  await stdio(place, [], action, { roots });
  const refusals = [[[], "not_indexed"], [[uri(join(place.base, "gone"))], "not_found"], [[uri(place.home)], "usage"], [["file:///"], "usage"]];
  for (const [given, kind] of refusals) {
    const asked = (client) => refused(client, "index_status", {}, kind, `roots of the client ${given}`);
    await stdio(place, [], asked, { roots: given });
  }
  await serving(place, [place.shop, other], (url) => http(url, (client) => several(client, place, other, "several folders served")));
}

async function several(client, place, other, what) {
  const { hint = "" } = await refused(client, "folder_search", { question: "a" }, "usage", `${what}: which one is not said`);
  report.check(hint.includes(place.shop) && hint.includes(other), `${what}: the hint names both`, hint);
  for (const root of [basename(other), other, uri(other)]) {
    const { structured } = await call(client, "index_status", { root });
    report.equal(structured.root, other, `${what}: root ${root}`);
  }
  await refused(client, "index_status", { root: place.home }, "forbidden", `${what}: one that is not open`);
}

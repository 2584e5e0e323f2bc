// Stamps the built assets with a hash of what they were built from, and of each asset, in `SOURCES`.
//
// `cargo xtask tidy` computes the same without Node (xtask/src/tidy/page.rs), so a page that was not rebuilt, or was
// edited by hand, does not pass. The rule of what counts stands in both places; neither may know more than the other.

import { createHash } from "node:crypto";
import { readFileSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Files and folders of `web/` that the built page depends on. */
const INPUTS = ["build", "index.html", "package-lock.json", "package.json", "public", "src", "tsconfig.json", "vite.config.ts"];

/** The file that holds the hashes. */
const STAMP = "SOURCES";

/** A vite plugin that writes the stamp once everything else is written. */
export function sources() {
  let config;
  return {
    name: "wherein-sources",
    apply: "build",
    configResolved(resolved) {
      config = resolved;
    },
    closeBundle() {
      const { root, build } = config;
      const inputs = INPUTS.flatMap((name) => filesBelow(root, name)).sort(byBytes);
      const assets = readdirSync(build.outDir).filter((name) => name !== STAMP).sort(byBytes);
      const lines = [`sources ${sha256(listing(root, inputs))}`];
      for (const name of assets) lines.push(`${name} ${sha256(textOf(build.outDir, name))}`);
      writeFileSync(join(build.outDir, STAMP), lines.join("\n") + "\n");
    },
  };
}

/** One line a file, `hash  path`, in the order of the paths. */
function listing(root, paths) {
  return paths.map((path) => `${sha256(textOf(root, path))}  ${path}\n`).join("");
}

function filesBelow(root, path) {
  if (!statSync(join(root, path)).isDirectory()) return [path];
  return readdirSync(join(root, path)).flatMap((name) => filesBelow(root, `${path}/${name}`));
}

/** Line ends as git keeps them, so that a checkout on Windows gives the same hash. */
function textOf(folder, path) {
  return readFileSync(join(folder, path), "utf8").replaceAll("\r\n", "\n");
}

function byBytes(a, b) {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}

function sha256(text) {
  return createHash("sha256").update(text).digest("hex");
}

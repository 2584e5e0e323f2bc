// Writes `LICENSES.txt` beside the bundle: the packages that are in it, with the text of their licences.
//
// It asks the bundler which modules it kept, so a package that is only a tool is not listed. It fails the build when a
// bundled package has no licence text.

import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";

/** A vite plugin that adds the list to the output. */
export function licenses() {
  return {
    name: "wherein-licenses",
    apply: "build",
    generateBundle(_options, bundle) {
      const folders = new Set();
      for (const chunk of Object.values(bundle)) {
        for (const id of Object.keys(chunk.modules ?? {})) {
          const folder = packageFolder(id);
          if (folder) folders.add(folder);
        }
      }
      const parts = [...folders].map(describe).sort();
      const head = "The page holds these packages; everything else in it is part of wherein.\n";
      this.emitFile({ type: "asset", fileName: "LICENSES.txt", source: [head, ...parts].join("\n") });
    },
  };
}

function packageFolder(id) {
  const match = /^\0?(.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+)[\\/]/.exec(id);
  return match?.[1];
}

function describe(folder) {
  const about = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const file = readdirSync(folder).find((name) => /^licen[cs]e/i.test(name));
  if (!file) throw new Error(`${about.name} has no licence text`);
  const text = readFileSync(join(folder, file), "utf8").replaceAll("\r\n", "\n").trim();
  return `${"-".repeat(72)}\n${about.name} ${about.version} (${about.license})\n\n${text}\n`;
}

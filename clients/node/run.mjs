// Runs groups of checks in a folder of their own and says how many hold. Words in the arguments pick groups by name.

import { existsSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { BINARY, Place, report } from "./harness.mjs";

export async function run(name, groups) {
  if (!existsSync(BINARY)) throw new Error("WHEREIN_BIN must name the program");
  const base = realpathSync(mkdtempSync(join(tmpdir(), "wherein-clients-")));
  const picked = process.argv.slice(2);
  try {
    const place = new Place(base);
    for (const group of groups.filter((one) => picked.length === 0 || picked.some((word) => one.name.includes(word)))) {
      const [started, before] = [performance.now(), report.nChecks];
      // The other groups tell more.
      await Promise.resolve(group(place)).catch((error) => report.check(false, `${group.name}: ${error.stack ?? error}`));
      console.log(`  ${group.name}: ${report.nChecks - before} checks, ${((performance.now() - started) / 1000).toFixed(1)} s`);
    }
  } finally {
    rmSync(base, { recursive: true, force: true });
  }
  const [ms, what] = report.slowestError;
  console.log(`  slowest error: ${Math.round(ms)} ms (${what})`);
  console.log(`${name}: ${report.nChecks - report.nFailed} of ${report.nChecks} checks hold`);
  process.exitCode = report.nFailed > 0 ? 1 : 0;
}

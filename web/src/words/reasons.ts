// Names of the API in words for people: why files were not searched, kinds, modes, stages. Unknown names stay readable.

import type { Counts, Kind, Mode } from "../api/types";
import { counted } from "./format";

const SKIPPED: Record<string, string> = {
  ignored: "ignored by a rule (.gitignore, .whereinignore)",
  excluded_dir: "folders of dependencies and build results",
  binary: "binary",
  too_large: "too large",
  lockfile: "lockfiles",
  svg: "SVG pictures",
  sensitive: "look like secrets",
  symlink: "symbolic links",
  nested_worktree: "another working tree of the same repository",
  special: "neither files nor folders",
  unreadable: "could not be read",
};

export const KIND_NAMES: Record<Kind, string> = {
  source: "Source",
  test: "Tests",
  docs: "Docs",
  config: "Config",
  generated: "Generated",
};

export const MODE_NAMES: Record<Mode, { name: string; about: string }> = {
  hybrid: { name: "Hybrid", about: "words and meaning" },
  keyword: { name: "Keyword", about: "words and names only" },
  semantic: { name: "Semantic", about: "meaning only" },
  exact: { name: "Exact", about: "every line with this text" },
  regex: { name: "Regex", about: "every line that this pattern matches" },
};

const STAGES: Record<string, string> = {
  scanning: "looking for files",
  files: "reading files",
  embedding: "comparing meanings",
};

export function readable(name: string): string {
  return name.replaceAll("_", " ");
}

export function stageName(stage: string): string {
  return STAGES[stage] ?? readable(stage);
}

/** The languages that have no name are texts without a known ending. */
export function languageName(language: string): string {
  return language || "unknown";
}

/** The reasons that have a count, most first. */
export function skippedReasons(skipped: Counts): { reason: string; words: string; n: number }[] {
  return Object.entries(skipped)
    .filter(([, n]) => n > 0)
    .sort(([, a], [, b]) => b - a)
    .map(([reason, n]) => ({ reason, words: SKIPPED[reason] ?? readable(reason), n }));
}

/** `3 files were not searched`, or null when all were. */
export function skippedSentence(skipped: Counts): string | null {
  const total = Object.values(skipped).reduce((sum, n) => sum + n, 0);
  if (total === 0) return null;
  return `${counted(total, "file was", "files were")} not searched`;
}

export const CONFIDENCE: Record<string, string> = {
  high: "The answer is most likely among the first hits.",
  fair: "The answer is probably among the first hits.",
  low: "Nothing fits well: try other words.",
};

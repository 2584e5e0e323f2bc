// The mock's stand-in for a search: counts words of the question in pieces of the fixture's files.
//
// It is made to answer in the shapes of the contract, not to rank well.

const LANGUAGES = { py: "python", rs: "rust", ts: "typescript", js: "javascript", md: "markdown", toml: "toml", go: "go" };
const NAME = /^\s*(?:pub )?(?:export )?(def|class|fn|func|function|struct|interface) ([A-Za-z_]\w*)/;
const SYMBOL_KINDS = { def: "function", fn: "function", func: "function" };

export function languageOf(path) {
  return LANGUAGES[path.split(".").pop()] ?? "";
}

export function kindOf(path) {
  if (path.startsWith("tests/")) return "test";
  if (path.endsWith(".md")) return "docs";
  return path.endsWith(".toml") ? "config" : "source";
}

/** Pieces of a file: from one named thing to the next. */
export function chunksOf(path, text) {
  const lines = text.replace(/\n$/, "").split("\n");
  const starts = lines.flatMap((line, idx) => (NAME.test(line) ? [idx] : []));
  if (starts[0] !== 0) starts.unshift(0);
  return starts.map((start, n) => {
    let end = starts[n + 1] ?? lines.length;
    while (end > start + 1 && lines[end - 1].trim() === "") end -= 1;
    const [, keyword, name] = NAME.exec(lines[start]) ?? [];
    const isMethod = /^\s/.test(lines[start]) && keyword === "def";
    const symbol = name ? { name, kind: isMethod ? "method" : (SYMBOL_KINDS[keyword] ?? keyword), parent: isMethod ? "Session" : null, signature: lines[start].trim() } : null;
    return { path, start_line: start + 1, end_line: end, lines: lines.slice(start, end), symbol };
  });
}

/** `matches` before the limit, best first. */
export function searchFiles(files, params) {
  const chunks = Object.entries(files)
    .filter(([path]) => passes(path, params))
    .flatMap(([path, text]) => chunksOf(path, text));
  const mode = params.get("mode") ?? "hybrid";
  if (mode === "exact" || mode === "regex") return lineHits(chunks, pattern(params, mode));
  const words = params.get("q").toLowerCase().match(/[\p{L}\p{N}]{3,}/gu) ?? [];
  const stems = [...new Set(words.map((word) => word.replace(/(s|ing|ed)$/, "")))];
  return chunks
    .map((chunk) => rankedHit(chunk, stems, params.get("explain") === "true"))
    .filter((hit) => hit.score > 0)
    .sort((a, b) => b.score - a.score || (a.path < b.path ? -1 : 1) || a.start_line - b.start_line);
}

function rankedHit(chunk, stems, explain) {
  const { path, start_line, end_line, lines, symbol } = chunk;
  const text = `${path} ${lines.join("\n")}`.toLowerCase();
  const found = stems.filter((stem) => text.includes(stem));
  const named = found.filter((stem) => symbol?.name.toLowerCase().includes(stem));
  const kind = kindOf(path);
  const score = found.length === 0 ? 0 : found.length + named.length * 0.5 + (kind === "source" ? 0.5 : 0) - lines.length / 1000;
  const snippet = lines.slice(0, 12);
  const parts = { lexical_rank: 1, dense_rank: 2, lexical: found.length * 2.1, dense: 0.4 + found.length / 20, boosts: { words: found.length, names: named.length * 0.5, kind: -0.25 } };
  if (explain) {
    parts.terms = found.map((term) => ({ term, field: named.includes(term) ? "names" : "words", score: 2.1 }));
    parts.features = [{ name: "best_lines", value: 0.7, score: 0.5 }, { name: "depth", value: 0.4, score: -0.25 }];
    parts.reasons = [symbol ? `is \`${symbol.name}\`` : `part of \`${path}\``, `matches ${found.join(", ")}`];
  }
  return { ...common(chunk, 1), score, parts, snippet_start_line: start_line, snippet: snippet.join("\n"), end_line, highlights: highlightsOf(snippet, start_line, stems) };
}

function common({ path, start_line, end_line, symbol }, column) {
  return { path, start_line, end_line, column, language: languageOf(path), kind: kindOf(path), symbol };
}

function highlightsOf(lines, first, stems) {
  if (stems.length === 0) return [];
  const any = new RegExp(`(?:${stems.join("|")})\\p{L}*`, "giu");
  return lines.flatMap((line, idx) => [...line.matchAll(any)].map(({ index, 0: text }) => ({ line: first + idx, start: index, end: index + text.length })));
}

function lineHits(chunks, any) {
  return chunks.flatMap((chunk) =>
    chunk.lines.flatMap((line, idx) => {
      const ranges = [...line.matchAll(any)].filter((match) => match[0]);
      if (ranges.length === 0) return [];
      const number = chunk.start_line + idx;
      const highlights = ranges.map(({ index, 0: text }) => ({ line: number, start: index, end: index + text.length }));
      const place = { ...chunk, start_line: number, end_line: number };
      return [{ ...common(place, ranges[0].index + 1), score: 0, parts: { boosts: {} }, snippet_start_line: number, snippet: line, highlights }];
    }),
  );
}

function pattern(params, mode) {
  const text = params.get("q");
  const flags = params.get("ignore_case") === "true" ? "gi" : "g";
  return new RegExp(mode === "regex" ? text : text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"), flags);
}

function passes(path, params) {
  const among = (name, value) => !params.has(name) || params.getAll(name).includes(value);
  const globs = params.getAll("path");
  const not = params.getAll("not_path");
  return among("language", languageOf(path)) && among("kind", kindOf(path)) && (globs.length === 0 || globs.some((glob) => matches(glob, path))) && !not.some((glob) => matches(glob, path));
}

function matches(glob, path) {
  const escaped = glob.replace(/[.+^${}()|[\]\\]/g, "\\$&").replaceAll("**/", "\u0001").replaceAll("**", "\u0002").replaceAll("*", "[^/]*");
  return new RegExp(`^${escaped.replaceAll("\u0001", "(?:.*/)?").replaceAll("\u0002", ".*")}$`).test(path);
}

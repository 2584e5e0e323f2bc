// The shapes of the HTTP API as the page reads them. Only declarations: nothing here runs.
//
// The contract is the server's (`/api/openapi.json`); a field that the page does not use need not stand here.

export type Mode = "hybrid" | "keyword" | "semantic" | "exact" | "regex";
export type Kind = "source" | "test" | "docs" | "config" | "generated";
export type Counts = Record<string, number>;

export interface Symbol {
  name: string;
  kind: string;
  parent: string | null;
  signature: string;
  doc?: string | null;
}

export interface Parts {
  lexical_rank?: number;
  dense_rank?: number;
  lexical?: number;
  dense?: number;
  boosts?: Counts;
  terms?: { term: string; field: string; score: number }[];
  features?: { name: string; value: number; score: number }[];
  reasons?: string[];
}

/** A matched term: a line of the file, and a half-open range of UTF-16 code units in it. */
export interface Highlight {
  line: number;
  start: number;
  end: number;
}

export interface Place {
  path: string;
  start_line: number;
  end_line: number;
}

export interface Hit extends Place {
  column: number;
  language: string;
  kind: Kind;
  symbol: Symbol | null;
  score: number;
  parts: Parts;
  copies?: Place[];
  snippet_start_line: number | null;
  snippet: string;
  highlights?: Highlight[];
}

export interface Answer {
  index: string;
  query: string;
  mode: Mode;
  model: string | null;
  confidence?: "high" | "fair" | "low";
  generation: number;
  elapsed_ms: number;
  n_matches: number;
  hits: Hit[];
  degraded: string[];
  skipped: Counts;
}

export interface CodeText {
  index: string;
  path: string;
  language: string;
  start_line: number;
  end_line: number;
  n_lines: number;
  text: string;
  truncated: boolean;
}

export interface Progress {
  stage: string;
  done: number;
  total: number;
  percent: number;
}

export interface Summary {
  generation: number;
  complete: boolean;
  files: number;
  bytes: number;
  chunks: number;
  vectors: number;
  model: string | null;
  reranker: string | null;
  profile: string;
  index_bytes: number;
  skipped: Counts;
  by_kind: Counts;
  by_language: Counts;
  problems: { path: string; reason: string }[];
}

export interface Index {
  id: string;
  name: string;
  root: string;
  state: "waiting" | "indexing" | "ready" | "failed";
  progress: Progress | null;
  watch: { active: boolean; note: string | null };
  checked_ms: number | null;
  error: { kind: string; message: string; hint: string | null } | null;
  summary: Summary | null;
}

export interface IndexList {
  indexes: Index[];
  allowed_roots: string[];
  version: string;
}

/** RFC 9457, with the kind and the hint of wherein. */
export interface Problem {
  title: string;
  status: number;
  detail: string;
  kind: string;
  hint: string | null;
}

// What the address holds, so that a link shows the same search to somebody else; and how history is written.
//
// `parse` and `format` are pure and inverse to each other. Defaults are left out of the address. Typing must not fill the
// history: the first change after a finished question makes an entry, further typing replaces it.

import type { Kind, Mode } from "../api/types";
import { Store } from "./store";

export const MODES: readonly Mode[] = ["hybrid", "keyword", "semantic", "exact", "regex"];
export const KINDS: readonly Kind[] = ["source", "test", "docs", "config", "generated"];
export const LIMITS = [10, 20, 50, 100] as const;
/** The most hits that the server gives. */
export const MAX_LIMIT = 100;

export interface UrlState {
  screen: "search" | "indexes";
  q: string;
  /** The id of an index; empty for the only one or the first. */
  index: string;
  mode: Mode;
  languages: string[];
  kinds: Kind[];
  /** Globs separated by blanks; one that starts with `!` leaves out. */
  paths: string;
  ignoreCase: boolean;
  limit: number;
}

export const DEFAULTS: Readonly<UrlState> = {
  screen: "search",
  q: "",
  index: "",
  mode: "hybrid",
  languages: [],
  kinds: [],
  paths: "",
  ignoreCase: false,
  limit: 10,
};

/** Reads the query and the hash of an address; what makes no sense is taken as not said. */
export function parse(search: string, hash: string): UrlState {
  const params = new URLSearchParams(search);
  const mode = params.get("mode") as Mode;
  const limit = Number(params.get("limit") ?? DEFAULTS.limit);
  const excluded = params.getAll("not_path").map((path) => `!${path}`);
  return {
    screen: /^#\/indexes\b/.test(hash) ? "indexes" : "search",
    q: params.get("q") ?? "",
    index: params.get("index") ?? "",
    mode: MODES.includes(mode) ? mode : DEFAULTS.mode,
    languages: unique(params.getAll("language")),
    kinds: unique(params.getAll("kind")).filter((kind): kind is Kind => KINDS.includes(kind as Kind)),
    paths: [...params.getAll("path"), ...excluded].join(" "),
    ignoreCase: params.get("ignore_case") === "true",
    limit: Number.isInteger(limit) && limit >= 1 && limit <= MAX_LIMIT ? limit : DEFAULTS.limit,
  };
}

/** The query and hash of a state, from the folder of the page on. */
export function format(state: UrlState): string {
  if (state.screen === "indexes") return "#/indexes";
  const params = new URLSearchParams();
  if (state.q) params.set("q", state.q);
  if (state.index) params.set("index", state.index);
  if (state.mode !== DEFAULTS.mode) params.set("mode", state.mode);
  appendFilters(params, state);
  if (state.limit !== DEFAULTS.limit) params.set("limit", String(state.limit));
  const text = params.toString();
  return text ? `?${text}` : "";
}

/** The parameters of `/api/search` for a state. */
export function searchQuery(state: UrlState, index: string): URLSearchParams {
  const params = new URLSearchParams({ q: state.q.trim(), index, mode: state.mode, limit: String(state.limit) });
  appendFilters(params, state);
  return params;
}

function appendFilters(params: URLSearchParams, state: UrlState): void {
  for (const language of state.languages) params.append("language", language);
  for (const kind of state.kinds) params.append("kind", kind);
  for (const glob of state.paths.split(/\s+/).filter((word) => word && word !== "!")) {
    if (glob.startsWith("!")) params.append("not_path", glob.slice(1));
    else params.append("path", glob);
  }
  if (state.ignoreCase && isPattern(state.mode)) params.set("ignore_case", "true");
}

/** Whether a mode finds lines as grep does, in place of ranking. */
export function isPattern(mode: Mode): boolean {
  return mode === "exact" || mode === "regex";
}

function unique<T>(values: T[]): T[] {
  return [...new Set(values)];
}

/** The part of `window` that the address needs. */
export interface Page {
  location: Pick<Location, "search" | "hash" | "pathname">;
  history: Pick<History, "pushState" | "replaceState">;
  addEventListener: (type: "popstate", listener: () => void) => void;
}

/** The state of the address as a store, and the two ways to change it. */
export class Address {
  readonly state: Store<UrlState>;
  #draft = false;

  constructor(private readonly page: Page) {
    const read = () => parse(page.location.search, page.location.hash);
    this.state = new Store(read());
    page.addEventListener("popstate", () => {
      this.#draft = false;
      this.state.set(read());
    });
  }

  /** A change that is still going on, such as typing. */
  type(patch: Partial<UrlState>): void {
    this.#write(patch, this.#draft);
    this.#draft = true;
  }

  /** A finished change: the way back leads to what was before it. */
  commit(patch: Partial<UrlState> = {}): void {
    this.#write(patch, this.#draft);
    this.#draft = false;
  }

  /** A change that the way back need not know, such as more hits of the same question. */
  adjust(patch: Partial<UrlState>): void {
    this.#write(patch, true);
  }

  /** The address of a state, for links. */
  href(patch: Partial<UrlState>): string {
    return this.page.location.pathname + format({ ...this.state.get(), ...patch });
  }

  #write(patch: Partial<UrlState>, replace: boolean): void {
    const before = this.state.get();
    const after = { ...before, ...patch };
    if (format(after) !== format(before)) {
      const url = this.page.location.pathname + format(after);
      try {
        if (replace) this.page.history.replaceState(null, "", url);
        else this.page.history.pushState(null, "", url);
      } catch {
        // A browser that counts changes of the address refuses some; the screen goes on without it.
      }
    }
    this.state.set(after);
  }
}

// The address: what it holds comes back, and history is written as a person would walk it.

import { describe, expect, it } from "vitest";
import { Address, DEFAULTS, format, parse, searchQuery, type UrlState } from "../../src/state/url";

const state = (patch: Partial<UrlState>): UrlState => ({ ...DEFAULTS, ...patch });

/** A window with a history of its own. */
function fakePage(start = "/") {
  const entries = [start];
  let listener = () => {};
  const page = {
    location: { pathname: "/", search: "", hash: "" },
    history: {
      pushState: (_: unknown, __: string, url: string) => void entries.push(url),
      replaceState: (_: unknown, __: string, url: string) => void (entries[entries.length - 1] = url),
    },
    addEventListener: (_: "popstate", on: () => void) => void (listener = on),
  };
  const goBack = () => {
    entries.pop();
    const url = new URL(entries.at(-1) ?? "/", "http://x");
    Object.assign(page.location, { search: url.search, hash: url.hash });
    listener();
  };
  return { page: page as unknown as ConstructorParameters<typeof Address>[0], entries, goBack };
}

describe("format and parse", () => {
  it("are inverse", () => {
    const full = state({ q: "a & b=c <d> ü", index: "harbor-1", mode: "regex", languages: ["python", "c++"], kinds: ["source", "test"], paths: "src/** !**/vendor/**", ignoreCase: true, limit: 20 });
    for (const one of [state({}), full, state({ q: "x" }), state({ screen: "indexes" })]) {
      const text = format(one);
      const [search, hash = ""] = text.split("#");
      expect(parse(search ?? "", hash && `#${hash}`)).toEqual(one);
    }
  });

  it("leave defaults out", () => {
    expect(format(state({}))).toBe("");
    expect(format(state({ q: "loop" }))).toBe("?q=loop");
    expect(format(state({ q: "loop", screen: "indexes" }))).toBe("#/indexes");
  });

  it("take nonsense as not said", () => {
    for (const search of ["?mode=magic&limit=0&kind=x", "?limit=1e9", "?limit=ten", "?mode=__proto__"]) {
      expect(parse(search, "#/nowhere")).toEqual(state({}));
    }
  });
});

describe("searchQuery", () => {
  it("splits paths into those searched and those left out", () => {
    const query = searchQuery(state({ q: " loop ", paths: "  src/**  !a/** ! " }), "h");
    expect(query.get("q")).toBe("loop");
    expect(query.getAll("path")).toEqual(["src/**"]);
    expect(query.getAll("not_path")).toEqual(["a/**"]);
  });

  it("folds case only where that is a choice", () => {
    expect(searchQuery(state({ q: "x", ignoreCase: true }), "h").has("ignore_case")).toBe(false);
    expect(searchQuery(state({ q: "x", ignoreCase: true, mode: "exact" }), "h").get("ignore_case")).toBe("true");
  });
});

describe("Address", () => {
  it("makes one entry for a typed question", () => {
    const { page, entries } = fakePage();
    const address = new Address(page);
    for (const q of ["l", "lo", "loop"]) address.type({ q });
    address.commit();
    expect(entries).toEqual(["/", "/?q=loop"]);
    address.type({ q: "loops" });
    address.commit({ mode: "exact" });
    expect(entries).toEqual(["/", "/?q=loop", "/?q=loops&mode=exact"]);
  });

  it("makes no entry for a change that is none, and none for more hits", () => {
    const { page, entries } = fakePage();
    const address = new Address(page);
    address.commit({ q: "loop" });
    address.commit({ q: "loop" });
    address.adjust({ limit: 20 });
    expect(entries).toEqual(["/", "/?q=loop&limit=20"]);
  });

  it("follows the way back", () => {
    const { page, goBack } = fakePage();
    const address = new Address(page);
    address.commit({ q: "one" });
    address.commit({ q: "two" });
    goBack();
    expect(address.state.get().q).toBe("one");
    goBack();
    expect(address.state.get()).toEqual(state({}));
  });

  it("goes on in a browser that refuses", () => {
    const { page } = fakePage();
    page.history.pushState = () => {
      throw new Error("too often");
    };
    const address = new Address(page);
    address.commit({ q: "loop" });
    expect(address.state.get().q).toBe("loop");
  });
});

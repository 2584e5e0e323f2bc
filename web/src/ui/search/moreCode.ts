// The code of a hit: the snippet, or more of the file around it once somebody asks.
//
// What is shown beyond the snippet is the file as it is now, so marks stay only on lines that still read the same.

import { useMemo, useRef, useState } from "preact/hooks";
import type { CodeText, Highlight, Hit } from "../../api/types";
import { stillTrue } from "../../code/marks";
import { useServices } from "../services";

/** Lines around a hit at first, and how many each further step adds. */
const AROUND = 5;
const STEP = 20;
/** The most lines of one call. */
const MAX_LINES = 1000;

export interface MoreCode {
  text: string;
  first: number;
  highlights: readonly Highlight[];
  isMore: boolean;
  error: Error | null;
  toggle: () => void;
  less: () => void;
  /** Null where the file ends. */
  above: (() => void) | null;
  below: (() => void) | null;
}

const NONE: readonly Highlight[] = [];

export function useMoreCode(index: string, hit: Hit): MoreCode {
  const { controller } = useServices();
  const [more, setMore] = useState<CodeText | null>(null);
  const [error, setError] = useState<Error | null>(null);
  const latest = useRef(0);

  const load = (start: number, end: number) => {
    const call = ++latest.current;
    const last = Math.min(end, start + MAX_LINES - 1);
    controller.code(index, hit.path, start, last).then(
      (text) => {
        if (latest.current !== call) return;
        setMore(text);
        setError(null);
      },
      (reason: Error) => {
        if (latest.current === call) setError(reason);
      },
    );
  };
  const less = () => {
    latest.current += 1;
    setMore(null);
    setError(null);
  };
  const snippet = { first: hit.snippet_start_line ?? hit.start_line, text: hit.snippet };
  const highlights = useMemo(() => {
    const all = hit.highlights ?? NONE;
    return more ? stillTrue(all, snippet, { first: more.start_line, text: withoutEnd(more.text) }) : all;
  }, [hit, more]);
  return {
    text: more ? withoutEnd(more.text) : snippet.text,
    first: more?.start_line ?? snippet.first,
    highlights,
    isMore: more !== null,
    error,
    toggle: () => (more ? less() : load(Math.max(1, hit.start_line - AROUND), hit.end_line + AROUND)),
    less,
    above: more && more.start_line > 1 ? () => load(Math.max(1, more.start_line - STEP), more.end_line) : null,
    below: more && more.end_line < more.n_lines ? () => load(more.start_line, more.end_line + STEP) : null,
  };
}

/** The newline that ends the last line begins no other. */
function withoutEnd(text: string): string {
  return text.replace(/\r?\n$/, "");
}

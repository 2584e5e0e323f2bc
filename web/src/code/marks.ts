// Lays marks over coloured code: runs and ranges in, lines of segments out. Pure; UTF-16 offsets, as JavaScript counts.

import type { Highlight } from "../api/types";
import type { Run } from "./highlight";

/** A piece of a line in one colour, marked or not. */
export interface Segment {
  text: string;
  cls: string;
  mark: boolean;
}

export interface Line {
  number: number;
  segments: Segment[];
}

/** Cuts runs into lines; the first has the number `first`. */
export function splitLines(runs: Run[], first: number): { number: number; runs: Run[] }[] {
  const lines: { number: number; runs: Run[] }[] = [{ number: first, runs: [] }];
  for (const { text, cls } of runs) {
    text.split("\n").forEach((part, idx) => {
      if (idx > 0) lines.push({ number: first + lines.length, runs: [] });
      if (part) lines.at(-1)?.runs.push({ text: part, cls });
    });
  }
  return lines;
}

/** The lines of coloured code with the marked ranges cut out of their runs. */
export function markedLines(runs: Run[], first: number, highlights: readonly Highlight[]): Line[] {
  const byLine = new Map<number, Highlight[]>();
  for (const highlight of highlights) {
    const ranges = byLine.get(highlight.line);
    if (ranges) ranges.push(highlight);
    else byLine.set(highlight.line, [highlight]);
  }
  return splitLines(runs, first).map((line) => ({
    number: line.number,
    segments: markLine(line.runs, byLine.get(line.number) ?? []),
  }));
}

/** Cuts the runs of one line at the edges of its ranges; ranges may overlap, touch or lie outside. */
export function markLine(runs: Run[], ranges: readonly Pick<Highlight, "start" | "end">[]): Segment[] {
  const merged = merge(ranges);
  const segments: Segment[] = [];
  let at = 0;
  for (const { text, cls } of runs) {
    const end = at + text.length;
    let from = at;
    for (const range of merged) {
      const start = Math.max(range.start, from);
      const stop = Math.min(range.end, end);
      if (start >= stop) continue;
      if (start > from) segments.push({ text: text.slice(from - at, start - at), cls, mark: false });
      segments.push({ text: text.slice(start - at, stop - at), cls, mark: true });
      from = stop;
    }
    if (from < end) segments.push({ text: text.slice(from - at), cls, mark: false });
    at = end;
  }
  return segments;
}

function merge(ranges: readonly Pick<Highlight, "start" | "end">[]): { start: number; end: number }[] {
  const sorted = ranges.map(({ start, end }) => ({ start, end })).sort((a, b) => a.start - b.start || a.end - b.end);
  const merged: { start: number; end: number }[] = [];
  for (const range of sorted) {
    const last = merged.at(-1);
    if (last && range.start <= last.end) last.end = Math.max(last.end, range.end);
    else merged.push(range);
  }
  return merged;
}

/** The marks of a snippet that still hold in another text of the same file: those whose lines read the same there. */
export function stillTrue(
  highlights: readonly Highlight[],
  snippet: { first: number; text: string },
  other: { first: number; text: string },
): Highlight[] {
  const before = snippet.text.split("\n");
  const now = other.text.split("\n");
  return highlights.filter(({ line }) => {
    const old = before[line - snippet.first];
    return old !== undefined && old === now[line - other.first];
  });
}

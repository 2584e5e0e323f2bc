// Shortens lines of thousands of characters, as minified files have them: they say nothing and make a page slow. Pure.

import type { Segment } from "./marks";

/** Characters of a line that are shown. */
export const MAX_LINE_CHARS = 1000;

/** The segments within the limit, and how many characters were left out. */
export function cutLine(segments: Segment[], limit = MAX_LINE_CHARS): { segments: Segment[]; left_out: number } {
  const total = segments.reduce((n, { text }) => n + text.length, 0);
  if (total <= limit) return { segments, left_out: 0 };
  const kept: Segment[] = [];
  let room = limit;
  for (const segment of segments) {
    if (room <= 0) break;
    kept.push({ ...segment, text: segment.text.slice(0, room) });
    room -= segment.text.length;
  }
  return { segments: kept, left_out: total - limit };
}

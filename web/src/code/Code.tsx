// Shows lines of code with numbers, colours and marks. Everything from a file becomes a text node.

import { useMemo } from "preact/hooks";
import type { Highlight } from "../api/types";
import { count } from "../words/format";
import { cutLine } from "./cut";
import { highlight } from "./highlight";
import { markedLines, type Line } from "./marks";

interface CodeProps {
  text: string;
  first: number;
  language: string;
  highlights: readonly Highlight[];
  /** The lines of the hit, where more than the hit is shown. */
  hit?: { start: number; end: number };
  label: string;
}

export function Code({ text, first, language, highlights, hit, label }: CodeProps) {
  const lines = useMemo(() => markedLines(highlight(text, language), first, highlights), [text, first, language, highlights]);
  return (
    // A region that scrolls must be reachable by keyboard.
    <div class="code" role="group" aria-label={label} tabIndex={0}>
      <table class="code-lines" role="presentation">
        <tbody>
          {lines.map((line) => (
            <CodeLine key={line.number} line={line} cls={hit ? (isIn(hit, line.number) ? "line within" : "line around") : "line"} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function isIn(range: { start: number; end: number }, line: number): boolean {
  return line >= range.start && line <= range.end;
}

function CodeLine({ line, cls: lineClass }: { line: Line; cls: string }) {
  const { segments, left_out } = cutLine(line.segments);
  return (
    <tr class={lineClass}>
      <td class="line-number">{line.number}</td>
      <td class="line-text">
        {segments.map(({ text, cls, mark }, idx) =>
          mark ? (
            <mark key={idx} class={cls || undefined}>
              {text}
            </mark>
          ) : cls ? (
            <span key={idx} class={cls}>
              {text}
            </span>
          ) : (
            text
          ),
        )}
        {left_out > 0 && <span class="left-out"> … {count(left_out)} more characters</span>}
        {"\n"}
      </td>
    </tr>
  );
}

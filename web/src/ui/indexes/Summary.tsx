// The figures of an index: how much is in it, what made it, what is in it by language and kind, what is not and why.

import type { Counts, Kind, Summary } from "../../api/types";
import { bytes, count, counted } from "../../words/format";
import { KIND_NAMES, languageName, skippedSentence } from "../../words/reasons";
import { SkippedReasons } from "../parts";

/** Languages that are listed before the rest is one line. */
const MAX_ROWS = 8;

export function Figures({ summary }: { summary: Summary }) {
  const figures: [string, string, string?][] = [
    ["Files", count(summary.files), bytes(summary.bytes)],
    ["Chunks", count(summary.chunks), summary.vectors > 0 ? counted(summary.vectors, "vector") : "no vectors"],
    ["Index size", bytes(summary.index_bytes)],
    ["Model", summary.model ?? "none", summary.reranker ? `then ${summary.reranker}` : undefined],
    ["Generation", count(summary.generation), summary.complete ? summary.profile : "not complete yet"],
  ].map(([name, value, note]) => (note ? [name, value, note] : [name, value]) as [string, string, string?]);
  return (
    <dl class="figures">
      {figures.map(([name, value, note]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            {value}
            {note && <span class="figure-note">{note}</span>}
          </dd>
        </div>
      ))}
    </dl>
  );
}

export function Breakdown({ summary }: { summary: Summary }) {
  const { by_language, by_kind, skipped, problems } = summary;
  const kinds = Object.entries(by_kind).map(([kind, n]): [string, number] => [KIND_NAMES[kind as Kind] ?? kind, n]);
  const languages = Object.entries(by_language).map(([language, n]): [string, number] => [languageName(language), n]);
  return (
    <div class="breakdown">
      <details>
        <summary>Contents: {counted(languages.length, "language")}</summary>
        <div class="breakdown-tables">
          <CountTable title="Files by language" rows={languages} />
          <CountTable title="Files by kind" rows={kinds.filter(([, n]) => n > 0)} />
        </div>
      </details>
      <Skipped skipped={skipped} />
      {problems.length > 0 && (
        <details>
          <summary>{counted(problems.length, "problem")}</summary>
          <ul class="problems">
            {problems.map(({ path, reason }) => (
              <li key={path}>
                <code>{path}</code> {reason}
              </li>
            ))}
          </ul>
        </details>
      )}
    </div>
  );
}

function Skipped({ skipped }: { skipped: Counts }) {
  const sentence = skippedSentence(skipped);
  if (!sentence) return <p class="hint">Every file is searched.</p>;
  return (
    <details>
      <summary>{sentence}</summary>
      <SkippedReasons skipped={skipped} class="reasons-list" />
    </details>
  );
}

function CountTable({ title, rows }: { title: string; rows: [string, number][] }) {
  const sorted = [...rows].sort(([, a], [, b]) => b - a);
  const rest = sorted.slice(MAX_ROWS).reduce((sum, [, n]) => sum + n, 0);
  const shown = rest > 0 ? [...sorted.slice(0, MAX_ROWS), ["others", rest] as [string, number]] : sorted;
  const largest = Math.max(...shown.map(([, n]) => n), 1);
  return (
    <table class="scores">
      <caption>{title}</caption>
      <tbody>
        {shown.map(([name, n]) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            <td class="score-value">{count(n)}</td>
            <td class="score-bar" aria-hidden="true">
              <span class="for" style={{ width: `${(n / largest) * 100}%` }} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

// Why a hit stands where it stands: the reasons in words, then the parts of its score. Shows what the server says.

import { useEffect, useState } from "preact/hooks";
import type { Parts } from "../../api/types";
import { score as shown } from "../../words/format";
import { readable } from "../../words/reasons";
import { ErrorBox } from "../parts";

interface WhyProps {
  parts: Parts;
  score: number;
  explain: () => Promise<Parts>;
}

export function Why({ parts, score, explain }: WhyProps) {
  const [explained, setExplained] = useState<Parts | null>(null);
  const [error, setError] = useState<Error | null>(null);
  useEffect(() => {
    let isShown = true;
    explain().then(
      (full) => isShown && setExplained(full),
      (reason: Error) => isShown && setError(reason),
    );
    return () => {
      isShown = false;
    };
  }, []);
  const { reasons = [], terms = [], features = [], boosts = {} } = explained ?? parts;
  return (
    <section class="why" aria-label="Why this hit">
      {error && <ErrorBox error={error} />}
      {!explained && !error && <p class="hint">Asking …</p>}
      {reasons.length > 0 && (
        <ul class="reasons">
          {reasons.map((reason) => (
            <li key={reason}>{withCode(reason)}</li>
          ))}
        </ul>
      )}
      <div class="why-tables">
        <Lists parts={explained ?? parts} score={score} />
        <Scores title="Parts" rows={Object.entries(boosts).map(([name, value]) => ({ name: readable(name), value }))} />
        <Scores title="Terms" rows={terms.map(({ term, field, score: value }) => ({ name: term, note: field, value }))} />
      </div>
      {features.length > 0 && (
        <details>
          <summary>All features ({features.length})</summary>
          <Scores title="Features" rows={features.map(({ name, value, score: adds }) => ({ name: readable(name), note: shown(value), value: adds }))} />
        </details>
      )}
    </section>
  );
}

/** Names in a reason stand in backticks. */
function withCode(reason: string) {
  return reason.split("`").map((part, idx) => (idx % 2 === 1 ? <code key={idx}>{part}</code> : part));
}

function Lists({ parts, score }: { parts: Parts; score: number }) {
  const rows: [string, string][] = [["Score", shown(score)]];
  if (parts.lexical_rank !== undefined) rows.push(["Place by words", `${parts.lexical_rank}`]);
  if (parts.lexical !== undefined) rows.push(["BM25", shown(parts.lexical)]);
  if (parts.dense_rank !== undefined) rows.push(["Place by meaning", `${parts.dense_rank}`]);
  if (parts.dense !== undefined) rows.push(["Cosine", shown(parts.dense)]);
  return (
    <dl class="pairs">
      {rows.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

interface Row {
  name: string;
  note?: string;
  value: number;
}

/** A table of what adds to a score and what takes from it, the most first. */
function Scores({ title, rows }: { title: string; rows: Row[] }) {
  if (rows.length === 0) return null;
  const largest = Math.max(...rows.map(({ value }) => Math.abs(value)), 1e-9);
  const sorted = [...rows].sort((a, b) => Math.abs(b.value) - Math.abs(a.value));
  return (
    <table class="scores">
      <caption>{title}</caption>
      <tbody>
        {sorted.map(({ name, note, value }, idx) => (
          <tr key={idx}>
            <th scope="row">
              {name} {note && <span class="note">{note}</span>}
            </th>
            <td class="score-value">{shown(value)}</td>
            <td class="score-bar" aria-hidden="true">
              <span class={value < 0 ? "against" : "for"} style={{ width: `${(Math.abs(value) / largest) * 100}%` }} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

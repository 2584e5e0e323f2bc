// The hits as a list that the arrow keys walk: one of them is a tab stop, and the focus is really there.

import { useEffect, useState } from "preact/hooks";
import type { Answer } from "../../api/types";
import type { Question } from "../../state/controller";
import { useStore } from "../../state/store";
import { MAX_LIMIT } from "../../state/url";
import { isForOthers, isTyping } from "../keys";
import { useServices } from "../services";
import { HitItem } from "./HitItem";
import { NoHits } from "./states";

/** How many more hits one press of the button shows. */
const MORE = 10;

interface HitListProps {
  list: { current: HTMLOListElement | null };
  question: Question;
  answer: Answer;
  /** The way back to the question. */
  onLeave: () => void;
}

export function HitList({ list, question, answer, onLeave }: HitListProps) {
  const { address, controller, indexes } = useServices();
  const { limit } = useStore(address.state);
  const { indexes: all } = useStore(indexes.state);
  const [active, setActive] = useState(0);
  // Another question starts at its first hit; more hits of the same one do not move anybody.
  const asked = `${question.index} ${question.url.mode} ${question.url.q}`;
  useEffect(() => setActive(0), [asked]);

  const { hits, n_matches } = answer;
  if (hits.length === 0) return <NoHits url={question.url} />;
  const current = Math.min(active, hits.length - 1);
  const root = all?.find(({ id }) => id === answer.index || id === question.index)?.root ?? null;

  const move = (to: number) => {
    const items = list.current?.querySelectorAll<HTMLElement>(".hit");
    items?.[to]?.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (isForOthers(event) || isTyping(event)) return;
    const to = { ArrowDown: current + 1, j: current + 1, ArrowUp: current - 1, k: current - 1, Home: 0, End: hits.length - 1 }[event.key];
    if (event.key === "Escape") onLeave();
    else if (to === undefined) return;
    else if (to < 0) onLeave();
    else move(Math.min(to, hits.length - 1));
    event.preventDefault();
  };
  const more = () => address.adjust({ limit: Math.min(limit + MORE, MAX_LIMIT) });
  return (
    <section aria-label="Hits">
      <ol class="hits" ref={list} onKeyDown={onKeyDown}>
        {hits.map((hit, idx) => (
          <HitItem
            key={`${hit.path}:${hit.start_line}:${hit.end_line}:${hit.column}`}
            hit={hit}
            index={answer.index}
            root={root}
            active={idx === current}
            onFocus={() => setActive(idx)}
            explain={() => controller.explain(question, answer, hit)}
          />
        ))}
      </ol>
      {hits.length < n_matches && limit < MAX_LIMIT && (
        <button type="button" class="button more" onClick={more}>
          More hits
        </button>
      )}
    </section>
  );
}

// What is known about an answer: how much there is, how sure, how long it took, what was dropped and what was not searched.

import { useEffect, useState } from "preact/hooks";
import type { Answer } from "../../api/types";
import { EDITORS, type EditorId } from "../../state/editor";
import { useStore } from "../../state/store";
import { count, counted, milliseconds } from "../../words/format";
import { CONFIDENCE, skippedSentence } from "../../words/reasons";
import { Icon, SkippedReasons } from "../parts";
import { useServices } from "../services";

export function About({ answer }: { answer: Answer }) {
  const { hits, n_matches, elapsed_ms, model, confidence, degraded, skipped } = answer;
  const sentence = skippedSentence(skipped);
  return (
    <div class="about">
      <div class="about-line">
        <p class="about-facts">
          <b>{howMany(hits.length, n_matches)}</b>
          <span>{milliseconds(elapsed_ms)}</span>
          {model && <span>{model}</span>}
          {confidence && (
            <span class={`confidence ${confidence}`} title={CONFIDENCE[confidence]}>
              {confidence} confidence
            </span>
          )}
        </p>
        <EditorChoice />
      </div>
      {degraded.map((line) => (
        <p key={line} class="box warning">
          <Icon name="warn" />
          <span class="box-text">{line}</span>
        </p>
      ))}
      {sentence && (
        <details class="skipped">
          <summary>{sentence}</summary>
          <SkippedReasons skipped={skipped} />
        </details>
      )}
    </div>
  );
}

function howMany(shown: number, matches: number): string {
  if (shown === 0) return "No hits";
  return shown < matches ? `${counted(shown, "hit")} of ${count(matches)} matches` : counted(shown, "hit");
}

function EditorChoice() {
  const { editor } = useServices();
  const value = useStore(editor.value);
  return (
    <label class="choice compact">
      <span>Open in</span>
      <select value={value} onChange={(event) => editor.set(event.currentTarget.value as EditorId)}>
        {EDITORS.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}

/** Quiet time before an answer is read out: whoever types is not interrupted by each one. */
const READ_OUT_PAUSE = 600;

/** Reads out how many hits there are, for those who do not see them. */
export function Announcer() {
  const { controller } = useServices();
  const { answered, pending } = useStore(controller.live.state);
  const [text, setText] = useState("");
  useEffect(() => {
    if (pending) return;
    const timer = setTimeout(() => {
      setText(answered ? `${howMany(answered.answer.hits.length, answered.answer.n_matches)} for ${answered.answer.query}` : "");
    }, READ_OUT_PAUSE);
    return () => clearTimeout(timer);
  }, [answered, pending]);
  return (
    <div class="sr-only" role="status" aria-live="polite" data-testid="announcer">
      {text}
    </div>
  );
}

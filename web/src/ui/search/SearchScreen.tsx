// The search: question, filters, what is known about the answer, hits. It arranges; its parts do the work.

import { useEffect, useRef } from "preact/hooks";
import { NetworkError } from "../../api/client";
import { chosenIndex } from "../../state/indexes";
import { useStore } from "../../state/store";
import { isForOthers, isTyping } from "../keys";
import { ErrorBox } from "../parts";
import { useServices } from "../services";
import { About, Announcer } from "./About";
import { Filters } from "./Filters";
import { HitList } from "./HitList";
import { QuestionBox } from "./QuestionBox";
import { NoIndexes, Start, StateOfIndex, UnknownIndex } from "./states";

export function SearchScreen() {
  const { address, controller, indexes } = useServices();
  const url = useStore(address.state);
  const { indexes: list, error: listError } = useStore(indexes.state);
  const { answered, error, pending, pause } = useStore(controller.live.state);
  const input = useRef<HTMLInputElement>(null);
  const hits = useRef<HTMLOListElement>(null);
  useQuestionKey(input);

  const focusInput = () => input.current?.focus();
  const focusHits = () => {
    const hit = hits.current?.querySelector<HTMLElement>(".hit[tabindex='0']");
    hit?.focus();
    return !!hit;
  };
  const index = chosenIndex(list, url.index);
  const retry = () => controller.retry();

  if (list?.length === 0) return <NoIndexes />;
  return (
    <div class={pending && answered ? "search is-pending" : "search"}>
      <h1 class="sr-only" tabIndex={-1}>
        Search code
      </h1>
      <search class="ask">
        <QuestionBox input={input} onDown={focusHits} />
        <Filters />
      </search>
      {list && !index && <UnknownIndex id={url.index} indexes={list} />}
      {index && <StateOfIndex index={index} answer={answered?.answer ?? null} onAgain={() => controller.live.again()} />}
      {!list && listError && <ErrorBox error={listError} onRetry={retry} />}
      {error && <ErrorBox error={error} {...(error instanceof NetworkError ? { onRetry: retry } : {})} />}
      {pause > 0 && (
        <p class="box" role="status">
          The server is busy. Asking again in {Math.ceil(pause)} s …
        </p>
      )}
      <Announcer />
      {index && answered && (
        <>
          <About answer={answered.answer} />
          <HitList list={hits} question={answered.question} answer={answered.answer} onLeave={focusInput} />
        </>
      )}
      {index && !answered && !error && !pending && !url.q.trim() && <Start index={index} />}
    </div>
  );
}

/** `/` goes to the question from everywhere; the first visit starts there where that opens no keyboard on the screen. */
function useQuestionKey(input: { current: HTMLInputElement | null }): void {
  useEffect(() => {
    if (matchMedia("(pointer: fine)").matches || !navigator.maxTouchPoints) input.current?.focus();
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== "/" || isForOthers(event) || isTyping(event)) return;
      event.preventDefault();
      input.current?.focus();
      input.current?.select();
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, [input]);
}

// Search as you type: waits for a pause, ends the former request, never shows an answer to an older question.
//
// It knows neither the page nor the server: `run` asks, `state` tells. A lost network is tried again until it is back or
// the question changes.

import { NetworkError } from "../api/client";
import { Store } from "./store";

export interface LiveState<Q, A> {
  /** Whether an answer is on its way. */
  pending: boolean;
  /** The last answer and its question; stays while the next one is on its way. */
  answered: { question: Q; answer: A } | null;
  /** Why the last question has no answer. */
  error: Error | null;
  /** Seconds that a busy server wants to be left alone; 0 when it does not. */
  pause: number;
}

export interface LiveOptions {
  /** Quiet time after a change before the server is asked, in ms. */
  delay: number;
  /** The pause before the n-th try after a loss, in ms. */
  backoff: (n: number) => number;
}

export type Run<Q, A> = (question: Q, signal: AbortSignal, onPause: (seconds: number) => void) => Promise<A>;

export class Live<Q, A> {
  readonly state = new Store<LiveState<Q, A>>({ pending: false, answered: null, error: null, pause: 0 });
  #abort: AbortController | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #question: Q | null = null;

  constructor(
    private readonly run: Run<Q, A>,
    private readonly options: LiveOptions,
  ) {}

  /** Asks after the pause for typing, or at once. */
  ask(question: Q, when: "soon" | "now" = "soon"): void {
    this.#stop();
    this.#question = question;
    this.#patch({ pending: true, pause: 0 });
    if (when === "now") this.#start(question, 0);
    else this.#timer = setTimeout(() => this.#start(question, 0), this.options.delay);
  }

  /** Asks the same again, at once. */
  again(): void {
    if (this.#question !== null) this.ask(this.#question, "now");
  }

  /** Asks again where the last try found no server. */
  recover(): void {
    if (this.state.get().error instanceof NetworkError) this.again();
  }

  /** No question: nothing is shown, nothing is on its way. */
  clear(): void {
    this.#stop();
    this.#question = null;
    this.state.set({ pending: false, answered: null, error: null, pause: 0 });
  }

  #start(question: Q, losses: number): void {
    const abort = new AbortController();
    this.#abort = abort;
    const isCurrent = () => this.#abort === abort;
    const onPause = (pause: number) => {
      if (isCurrent()) this.#patch({ pause });
    };
    this.run(question, abort.signal, onPause).then(
      (answer) => {
        if (isCurrent()) this.state.set({ pending: false, answered: { question, answer }, error: null, pause: 0 });
      },
      (error: unknown) => {
        if (isCurrent()) this.#failed(question, error, losses);
      },
    );
  }

  #failed(question: Q, reason: unknown, losses: number): void {
    const error = reason instanceof Error ? reason : new Error(String(reason));
    const isLoss = error instanceof NetworkError;
    // A refused question has no answer to stand by; a lost network says nothing against the last one.
    this.#patch({ pending: false, error, pause: 0, ...(isLoss ? {} : { answered: null }) });
    if (isLoss) this.#timer = setTimeout(() => this.#start(question, losses + 1), this.options.backoff(losses));
  }

  #stop(): void {
    clearTimeout(this.#timer);
    this.#abort?.abort();
    this.#abort = null;
  }

  #patch(patch: Partial<LiveState<Q, A>>): void {
    this.state.set({ ...this.state.get(), ...patch });
  }
}

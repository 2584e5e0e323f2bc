// Connects the address, the indexes and the live search: what the address says is what is asked.
//
// It shows nothing. Every screen reads the same stores, so the address, the fields and the answer cannot tell different
// stories.

import { backoff } from "../api/events";
import { ApiError, type Client } from "../api/client";
import type { Answer, CodeText, Hit, Index, Parts } from "../api/types";
import { chosenIndex, type Indexes } from "./indexes";
import { Live } from "./live";
import { searchQuery, type Address, type UrlState } from "./url";

/** Quiet time while typing before the server is asked, in ms. */
const TYPING_PAUSE = 150;

export interface Question {
  url: UrlState;
  index: string;
  /** Equal for equal questions. */
  key: string;
}

export class Controller {
  readonly live: Live<Question, Answer>;
  #asked = "";
  readonly #explained = new WeakMap<Answer, Promise<Answer>>();

  constructor(
    private readonly client: Client,
    private readonly address: Address,
    private readonly indexes: Indexes,
  ) {
    const run = (question: Question, signal: AbortSignal, onPause: (seconds: number) => void) =>
      client.json<Answer>("api/search", { query: new URLSearchParams(question.key), signal, onPause });
    this.live = new Live(run, { delay: TYPING_PAUSE, backoff });
    address.state.watch(() => this.#sync("typed"));
    indexes.state.watch(() => this.#indexesChanged());
    this.#sync("now");
  }

  /** The index that is searched. */
  get index(): Index | null {
    return chosenIndex(this.indexes.state.get().indexes, this.address.state.get().index);
  }

  /** The question is finished: it gets its place in the history and is asked without a pause. */
  submit(): void {
    this.address.commit();
    const { pending, error } = this.live.state.get();
    if (pending || error) this.live.again();
  }

  /** Asks everything again, such as after a token was given. */
  retry(): void {
    this.indexes.start();
    this.live.again();
  }

  /** The score parts of a hit with their reasons; the server is asked once for all hits of an answer. */
  async explain(question: Question, answer: Answer, hit: Hit): Promise<Parts> {
    let explained = this.#explained.get(answer);
    if (!explained) {
      const query = new URLSearchParams(question.key);
      query.set("explain", "true");
      explained = this.client.json<Answer>("api/search", { query });
      this.#explained.set(answer, explained);
      explained.catch(() => this.#explained.delete(answer));
    }
    const { hits } = await explained;
    const same = hits.find((other) => other.path === hit.path && other.start_line === hit.start_line && other.end_line === hit.end_line);
    return same?.parts ?? hit.parts;
  }

  /** Lines of a file as it is now. */
  code(index: string, path: string, start: number, end: number, signal?: AbortSignal): Promise<CodeText> {
    const query = new URLSearchParams({ index, path, start: String(Math.max(1, start)), end: String(end) });
    return this.client.json<CodeText>("api/code", { query, ...(signal ? { signal } : {}) });
  }

  #sync(why: "typed" | "now"): void {
    const url = this.address.state.get();
    const index = this.index;
    if (!url.q.trim() || !index) {
      this.#asked = "";
      this.live.clear();
      return;
    }
    const key = searchQuery(url, index.id).toString();
    if (key === this.#asked) return;
    const before = new URLSearchParams(this.#asked);
    const after = new URLSearchParams(key);
    // Only texts are typed; a box that is ticked need not wait for the next.
    const isTyping = why === "typed" && ["q", "path", "not_path"].some((name) => before.getAll(name).join(" ") !== after.getAll(name).join(" "));
    this.#asked = key;
    this.live.ask({ url, index: index.id, key }, isTyping ? "soon" : "now");
  }

  #generation = 0;

  #indexesChanged(): void {
    this.#sync("now");
    const generation = this.index?.summary?.generation ?? 0;
    const changed = generation !== this.#generation;
    this.#generation = generation;
    const { error, answered } = this.live.state.get();
    // Hits that somebody looks at are not moved; where there are none, new ones are welcome.
    const hasNothing = error instanceof ApiError || answered?.answer.hits.length === 0;
    if (changed && generation > 0 && hasNothing) this.live.again();
    if (this.indexes.state.get().connected) this.live.recover();
  }
}

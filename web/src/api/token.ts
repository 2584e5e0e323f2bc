// The token of a guarded server: kept for this tab only, asked for once however many calls were refused.
//
// It must not be written anywhere that outlives the tab, nor into an address.

import { Store } from "../state/store";

const KEY = "wherein.token";

/** What the dialog shows: whether a token is wanted, and whether one was just refused. */
export interface TokenRequest {
  refused: boolean;
}

/** Holds the token; `wanted` is set while a person is asked for it. */
export class TokenKeeper {
  readonly wanted = new Store<TokenRequest | null>(null);
  #token: string | null;
  #asked: { promise: Promise<boolean>; answer: (given: boolean) => void } | null = null;

  constructor(private readonly storage: Pick<Storage, "getItem" | "setItem" | "removeItem">) {
    this.#token = storage.getItem(KEY);
  }

  get token(): string | null {
    return this.#token;
  }

  /** After a 401 to `tried`: resolves to whether it is worth trying again. */
  refused(tried: string | null): Promise<boolean> {
    if (this.#token !== tried) return Promise.resolve(true);
    if (!this.#asked) {
      let answer: (given: boolean) => void = () => {};
      const promise = new Promise<boolean>((resolve) => (answer = resolve));
      this.#asked = { promise, answer };
      this.wanted.set({ refused: tried !== null });
    }
    return this.#asked.promise;
  }

  give(token: string): void {
    this.#token = token;
    this.storage.setItem(KEY, token);
    this.#close(true);
  }

  cancel(): void {
    this.#close(false);
  }

  #close(given: boolean): void {
    this.wanted.set(null);
    this.#asked?.answer(given);
    this.#asked = null;
  }
}

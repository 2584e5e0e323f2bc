// A value that components can watch. Nothing else: no reducers, no middleware.

import { useEffect, useState } from "preact/hooks";

/** Holds one value and tells its watchers when another takes its place. */
export class Store<T> {
  #value: T;
  readonly #watchers = new Set<(value: T) => void>();

  constructor(value: T) {
    this.#value = value;
  }

  get(): T {
    return this.#value;
  }

  set(value: T): void {
    if (Object.is(value, this.#value)) return;
    this.#value = value;
    for (const watcher of [...this.#watchers]) watcher(value);
  }

  watch(watcher: (value: T) => void): () => void {
    this.#watchers.add(watcher);
    return () => this.#watchers.delete(watcher);
  }
}

/** The store's value, kept current in a component. */
export function useStore<T>(store: Store<T>): T {
  const [value, setValue] = useState<T>(() => store.get());
  useEffect(() => {
    setValue(() => store.get());
    return store.watch((next) => setValue(() => next));
  }, [store]);
  return value;
}

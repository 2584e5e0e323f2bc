// What a person chose for this browser: colours and editor. A browser that keeps nothing works with the defaults.

import { Store } from "./store";

export type Theme = "auto" | "light" | "dark";
export const THEMES: readonly Theme[] = ["auto", "light", "dark"];

/** A choice kept in local storage. */
export class Preference<T extends string> {
  readonly value: Store<T>;

  constructor(
    private readonly key: string,
    allowed: readonly T[],
    fallback: T,
  ) {
    const kept = quietly(() => localStorage.getItem(key)) as T | null | undefined;
    this.value = new Store(kept && allowed.includes(kept) ? kept : fallback);
  }

  set(value: T): void {
    this.value.set(value);
    quietly(() => localStorage.setItem(this.key, value));
  }
}

/** Shows the theme, now and whenever another is chosen. */
export function applyTheme(theme: Store<Theme>): void {
  const apply = (value: Theme) => {
    document.documentElement.dataset["theme"] = value;
  };
  apply(theme.get());
  theme.watch(apply);
}

function quietly<T>(action: () => T): T | undefined {
  try {
    return action();
  } catch {
    return undefined;
  }
}

// The indexes of the server, kept current by its events, and what can be done to one.
//
// The server's word is the truth: an action shows what the server answered, and the next event shows what became of it.
// An answer may be older than an event that came while it was under way; then the event stands.

import { follow } from "../api/events";
import { NetworkError, type Client } from "../api/client";
import type { Index, IndexList } from "../api/types";
import { Store } from "./store";

export interface IndexesState {
  /** Null until the server told. */
  indexes: Index[] | null;
  allowedRoots: string[];
  version: string;
  connected: boolean;
  error: Error | null;
}

export class Indexes {
  readonly state = new Store<IndexesState>({ indexes: null, allowedRoots: [], version: "", connected: true, error: null });
  #abort = new AbortController();
  /** How many events told of each index. */
  #told = new Map<string, number>();

  constructor(private readonly client: Client) {}

  /** Loads the list and follows its changes; called again, it starts anew. */
  start(): void {
    this.#abort.abort();
    this.#abort = new AbortController();
    const { signal } = this.#abort;
    void this.#load(signal);
    const onEvent = ({ event, data }: { event: string; data: string }) => this.#take(event, data);
    const onState = (connected: boolean) => {
      const wasLost = !this.state.get().connected;
      this.#patch({ connected });
      // What was removed meanwhile is told by the list alone.
      if (connected && wasLost) void this.#load(signal);
    };
    void follow(this.client, "api/events", { onEvent, onState }, signal);
  }

  async add(root: string): Promise<Index> {
    const before = new Map(this.#told);
    const index = await this.client.json<Index>("api/indexes", { method: "POST", body: { root } });
    if (this.#isNews(index.id, before)) this.#put(index);
    return index;
  }

  async refresh(id: string, rebuild: boolean): Promise<void> {
    const before = new Map(this.#told);
    const index = await this.client.json<Index>(`${pathOf(id)}/refresh`, { method: "POST", body: { rebuild } });
    if (this.#isNews(id, before)) this.#put(index);
  }

  async remove(id: string): Promise<void> {
    await this.client.json(pathOf(id), { method: "DELETE" });
    this.#drop(id);
  }

  async #load(signal: AbortSignal): Promise<void> {
    const before = new Map(this.#told);
    try {
      const list = await this.client.json<IndexList>("api/indexes", { signal });
      const { indexes, allowed_roots: allowedRoots, version } = list;
      const known = this.state.get().indexes ?? [];
      const latest = (index: Index) =>
        this.#isNews(index.id, before) ? index : (known.find(({ id }) => id === index.id) ?? index);
      this.#patch({ indexes: indexes.map(latest).sort(byName), allowedRoots, version, error: null });
    } catch (error) {
      if (signal.aborted) return;
      // The events come back by themselves, and with them the list.
      this.#patch({ error: error as Error, connected: !(error instanceof NetworkError) && this.state.get().connected });
    }
  }

  #take(event: string, data: string): void {
    try {
      if (event === "index") {
        const index = JSON.parse(data) as Index;
        this.#told.set(index.id, (this.#told.get(index.id) ?? 0) + 1);
        this.#put(index);
      }
      if (event === "removed") this.#drop((JSON.parse(data) as { id: string }).id);
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
    }
  }

  /** Whether no event told of an index since a request went out. */
  #isNews(id: string, before: Map<string, number>): boolean {
    return this.#told.get(id) === before.get(id);
  }

  #put(index: Index): void {
    const others = (this.state.get().indexes ?? []).filter(({ id }) => id !== index.id);
    this.#patch({ indexes: [...others, index].sort(byName) });
  }

  #drop(id: string): void {
    this.#patch({ indexes: (this.state.get().indexes ?? []).filter((index) => index.id !== id) });
  }

  #patch(patch: Partial<IndexesState>): void {
    this.state.set({ ...this.state.get(), ...patch });
  }
}

/** The index that a state of the address means: the named one, else the first. */
export function chosenIndex(indexes: Index[] | null, id: string): Index | null {
  if (!indexes) return null;
  return id ? (indexes.find((index) => index.id === id) ?? null) : (indexes[0] ?? null);
}

function pathOf(id: string): string {
  return `api/indexes/${encodeURIComponent(id)}`;
}

function byName(a: Index, b: Index): number {
  return a.name.localeCompare(b.name, "en") || (a.id < b.id ? -1 : 1);
}

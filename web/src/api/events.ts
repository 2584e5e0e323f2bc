// Server-sent events over `fetch`, because `EventSource` cannot send the token.
//
// `EventParser` is pure and takes text as it arrives; `follow` keeps a stream open and comes back after a loss.

import { ApiError, NetworkError, sleep, type Client } from "./client";

export interface ServerEvent {
  event: string;
  data: string;
}

/** Takes pieces of an event stream, gives whole events; pieces may end anywhere, also inside `\r\n`. */
export class EventParser {
  #rest = "";
  #event = "";
  #data: string[] = [];

  push(piece: string): ServerEvent[] {
    let text = this.#rest + piece;
    // A trailing \r may be half of a \r\n: it waits for the next piece.
    const held = text.endsWith("\r") ? "\r" : "";
    if (held) text = text.slice(0, -1);
    const lines = text.split(/\r\n|\n|\r/);
    this.#rest = (lines.pop() ?? "") + held;
    const events: ServerEvent[] = [];
    for (const line of lines) {
      const event = this.#line(line);
      if (event) events.push(event);
    }
    return events;
  }

  #line(line: string): ServerEvent | null {
    if (line === "") return this.#flush();
    const colon = line.indexOf(":");
    if (colon === 0) return null; // a comment
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? "" : line.slice(colon + 1).replace(/^ /, "");
    if (field === "event") this.#event = value;
    if (field === "data") this.#data.push(value);
    return null;
  }

  #flush(): ServerEvent | null {
    const { length } = this.#data;
    const event = { event: this.#event || "message", data: this.#data.join("\n") };
    this.#event = "";
    this.#data = [];
    return length > 0 ? event : null;
  }
}

export interface Follower {
  onEvent: (event: ServerEvent) => void;
  /** Whether the stream stands. */
  onState: (connected: boolean) => void;
}

/** The pause before the n-th try after a loss, in ms: doubling, up to half a minute. */
export function backoff(n: number): number {
  return Math.min(500 * 2 ** n, 30_000);
}

/**
 * Follows the events at `path` until aborted, or until the server wants a token that nobody gives. A stream silent for
 * `silence` ms counts as lost: the server sends a comment every 15 s.
 */
export async function follow(client: Client, path: string, follower: Follower, signal: AbortSignal, silence = 45_000): Promise<void> {
  for (let losses = 0; !signal.aborted; losses += 1) {
    try {
      const response = await client.open(path, { signal });
      follower.onState(true);
      losses = 0;
      await read(response, follower.onEvent, silence);
    } catch (error) {
      if (signal.aborted) return;
      follower.onState(false);
      if (error instanceof ApiError && error.problem.status === 401) return;
    }
    follower.onState(false);
    await pause(backoff(losses), signal);
  }
}

async function read(response: Response, onEvent: (event: ServerEvent) => void, silence: number): Promise<void> {
  const reader = response.body?.getReader();
  if (!reader) throw new NetworkError("no stream");
  const parser = new EventParser();
  const decoder = new TextDecoder();
  for (;;) {
    const timer = setTimeout(() => void reader.cancel(), silence);
    const { done, value } = await reader.read().finally(() => clearTimeout(timer));
    if (done) return;
    parser.push(decoder.decode(value, { stream: true })).forEach(onEvent);
  }
}

/** Waits, but not after the browser found the network again. */
async function pause(ms: number, signal: AbortSignal): Promise<void> {
  const early = new AbortController();
  const end = () => early.abort();
  signal.addEventListener("abort", end);
  globalThis.addEventListener?.("online", end);
  await sleep(ms, early.signal).catch(() => {});
  signal.removeEventListener("abort", end);
  globalThis.removeEventListener?.("online", end);
}

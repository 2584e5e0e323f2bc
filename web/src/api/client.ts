// One way to call the server: token, errors with their hints, a pause where the server asks for one.
//
// It never shows anything and knows no screen; what to say about an error is the caller's.

import type { Problem } from "./types";
import type { TokenKeeper } from "./token";

/** How often a busy server is asked again before its answer is shown. */
const MAX_PAUSES = 6;
/** The longest pause taken at once, in seconds, whatever the server asks for. */
const MAX_PAUSE_S = 30;

/** The server answered, and said no. */
export class ApiError extends Error {
  override name = "ApiError";
  constructor(readonly problem: Problem) {
    super(problem.detail);
  }
}

/** No answer came: the server is gone or the network is. */
export class NetworkError extends Error {
  override name = "NetworkError";
}

export interface Call {
  method?: string;
  query?: URLSearchParams;
  body?: unknown;
  signal?: AbortSignal;
  /** Told how many seconds the call waits because the server is busy; 0 when it goes on. */
  onPause?: (seconds: number) => void;
}

export interface Ports {
  fetch: typeof fetch;
  sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
}

export class Client {
  constructor(
    private readonly token: TokenKeeper,
    private readonly ports: Ports = { fetch: (...args) => fetch(...args), sleep },
  ) {}

  /** The JSON of an answer; `undefined` for one without a body. */
  async json<T>(path: string, call: Call = {}): Promise<T> {
    const response = await this.open(path, call);
    if (response.status === 204) return undefined as T;
    try {
      return (await response.json()) as T;
    } catch (error) {
      if (call.signal?.aborted) throw error;
      throw new NetworkError("the answer ended early");
    }
  }

  /** A successful response, its body unread; throws `ApiError`, `NetworkError` or the abort. */
  async open(path: string, call: Call = {}): Promise<Response> {
    for (let pauses = 0; ; ) {
      const token = this.token.token;
      const response = await this.#send(path, call, token);
      if (response.ok) return response;
      const problem = await problemOf(response);
      if (response.status === 401 && (await this.token.refused(token))) continue;
      const pause = pauseOf(response);
      if (pause === null || pauses >= MAX_PAUSES) throw new ApiError(problem);
      pauses += 1;
      call.onPause?.(pause);
      await this.ports.sleep(pause * 1000, call.signal);
      call.onPause?.(0);
    }
  }

  async #send(path: string, call: Call, token: string | null): Promise<Response> {
    const headers: Record<string, string> = { Accept: "application/json" };
    if (token) headers["Authorization"] = `Bearer ${token}`;
    const init: RequestInit = { method: call.method ?? "GET", headers, cache: "no-store" };
    if (call.body !== undefined) {
      headers["Content-Type"] = "application/json";
      init.body = JSON.stringify(call.body);
    }
    if (call.signal) init.signal = call.signal;
    const query = call.query?.toString();
    try {
      return await this.ports.fetch(query ? `${path}?${query}` : path, init);
    } catch (error) {
      if (call.signal?.aborted) throw error;
      throw new NetworkError("the server does not answer");
    }
  }
}

/** Seconds to wait before asking again, or null where that would not help. */
function pauseOf(response: Response): number | null {
  const after = response.headers.get("Retry-After");
  const isBusy = response.status === 429 || (response.status === 503 && after !== null);
  if (!isBusy) return null;
  const seconds = Number(after ?? "1");
  return Number.isFinite(seconds) ? Math.min(Math.max(seconds, 0.1), MAX_PAUSE_S) : 1;
}

/** The problem document of a refusal, or one made from the status where there is none. */
async function problemOf(response: Response): Promise<Problem> {
  const fallback: Problem = {
    title: response.statusText || "Error",
    status: response.status,
    detail: `the server answered ${response.status} ${response.statusText}`.trim(),
    kind: "unknown",
    hint: null,
  };
  try {
    const body: unknown = await response.json();
    return typeof body === "object" && body !== null ? { ...fallback, ...body } : fallback;
  } catch {
    return fallback;
  }
}

/** Waits; rejects when aborted. */
export function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", stop);
      resolve();
    }, ms);
    if (signal?.aborted) stop();
    else signal?.addEventListener("abort", stop, { once: true });
  });
}

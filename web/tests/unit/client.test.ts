// Calls: token, refusals with their hints, pauses, losses.

import { describe, expect, it } from "vitest";
import { ApiError, Client, NetworkError } from "../../src/api/client";
import { TokenKeeper } from "../../src/api/token";

function storage(start: Record<string, string> = {}) {
  const kept = new Map(Object.entries(start));
  return { getItem: (key: string) => kept.get(key) ?? null, setItem: (key: string, value: string) => void kept.set(key, value), removeItem: (key: string) => void kept.delete(key) };
}

const answer = (status: number, body: unknown, headers: Record<string, string> = {}) => new Response(JSON.stringify(body), { status, headers });

function setup(answers: (Response | Error)[], kept: Record<string, string> = {}) {
  const sent: { path: string; headers: Record<string, string> }[] = [];
  const slept: number[] = [];
  const token = new TokenKeeper(storage(kept));
  const client = new Client(token, {
    fetch: (async (path: string, init: RequestInit) => {
      sent.push({ path, headers: init.headers as Record<string, string> });
      const next = answers.shift();
      if (!next || next instanceof Error) throw next ?? new TypeError("no answer left");
      return next;
    }) as unknown as typeof fetch,
    sleep: async (ms) => void slept.push(ms),
  });
  return { client, token, sent, slept };
}

describe("Client", () => {
  it("sends the query and gives the JSON", async () => {
    const { client, sent } = setup([answer(200, { a: 1 })]);
    expect(await client.json("api/search", { query: new URLSearchParams({ q: "a b&c" }) })).toEqual({ a: 1 });
    expect(sent[0]?.path).toBe("api/search?q=a+b%26c");
    expect(sent[0]?.headers).not.toHaveProperty("Authorization");
  });

  it("shows what the server says, with its hint", async () => {
    const { client } = setup([answer(400, { status: 400, detail: "the question is empty", kind: "usage", hint: "ask in words" })]);
    const error = await client.json("api/search").catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(ApiError);
    expect((error as ApiError).problem).toMatchObject({ detail: "the question is empty", hint: "ask in words" });
  });

  it("bears a refusal that is no JSON", async () => {
    const { client } = setup([new Response("<html>", { status: 502, statusText: "Bad Gateway" })]);
    await expect(client.json("x")).rejects.toThrow("the server answered 502 Bad Gateway");
  });

  it("waits as long as a busy server asks, and tells so", async () => {
    const { client, slept } = setup([answer(429, {}, { "Retry-After": "2" }), answer(429, {}, { "Retry-After": "0.5" }), answer(200, "ok")]);
    const pauses: number[] = [];
    expect(await client.json("x", { onPause: (seconds) => pauses.push(seconds) })).toBe("ok");
    expect(slept).toEqual([2000, 500]);
    expect(pauses).toEqual([2, 0, 0.5, 0]);
  });

  it("gives up on a server that stays busy", async () => {
    const { client, slept } = setup(Array.from({ length: 20 }, () => answer(429, { detail: "too many" })));
    await expect(client.json("x")).rejects.toThrow("too many");
    expect(slept.length).toBeLessThan(10);
  });

  it("tells a lost network from an abort", async () => {
    await expect(setup([new TypeError("failed")]).client.json("x")).rejects.toBeInstanceOf(NetworkError);
    const abort = new AbortController();
    abort.abort();
    await expect(setup([new DOMException("x", "AbortError")]).client.json("x", { signal: abort.signal })).rejects.toThrow(DOMException);
  });

  it("asks for the token once for all calls, and sends it", async () => {
    const { client, token, sent } = setup([answer(401, {}), answer(401, {}), answer(200, 1), answer(200, 2)]);
    const both = Promise.all([client.json("a"), client.json("b")]);
    await expect.poll(() => token.wanted.get()).toEqual({ refused: false });
    token.give("secret");
    expect(await both).toEqual([1, 2]);
    expect(sent.slice(2).map(({ headers }) => headers["Authorization"])).toEqual(["Bearer secret", "Bearer secret"]);
  });

  it("says when a token was refused, and stops when nobody gives another", async () => {
    const { client, token } = setup([answer(401, { detail: "no" })], { "wherein.token": "wrong" });
    const refused = client.json("a").catch((error: unknown) => error);
    await expect.poll(() => token.wanted.get()).toEqual({ refused: true });
    token.cancel();
    expect(await refused).toBeInstanceOf(ApiError);
  });
});

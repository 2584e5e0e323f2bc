// Search as you type: when the server is asked, what is cancelled, what is never shown.

import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { NetworkError } from "../../src/api/client";
import { Live } from "../../src/state/live";

interface Call {
  question: string;
  signal: AbortSignal;
  answer: (text: string) => void;
  fail: (error: Error) => void;
  pause: (seconds: number) => void;
}

function setup() {
  const calls: Call[] = [];
  const run = (question: string, signal: AbortSignal, pause: (seconds: number) => void) =>
    new Promise<string>((answer, fail) => void calls.push({ question, signal, answer, fail, pause }));
  const live = new Live<string, string>(run, { delay: 150, backoff: (n) => 1000 * 2 ** n });
  const call = (n: number) => calls[n] as Call;
  return { live, calls, call };
}

const settled = () => vi.advanceTimersByTimeAsync(0);

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe("Live", () => {
  it("asks once after a pause in typing", async () => {
    const { live, calls } = setup();
    for (const question of ["l", "lo", "loo", "loop"]) {
      live.ask(question);
      await vi.advanceTimersByTimeAsync(100);
    }
    expect(calls).toHaveLength(0);
    await vi.advanceTimersByTimeAsync(60);
    expect(calls.map(({ question }) => question)).toEqual(["loop"]);
  });

  it("asks at once where nothing is typed", () => {
    const { live, calls } = setup();
    live.ask("loop", "now");
    expect(calls).toHaveLength(1);
    expect(live.state.get().pending).toBe(true);
  });

  it("cancels the former request and never shows its answer", async () => {
    const { live, call } = setup();
    live.ask("old", "now");
    live.ask("new", "now");
    expect(call(0).signal.aborted).toBe(true);
    call(1).answer("of the new");
    call(0).answer("of the old");
    await settled();
    expect(live.state.get().answered).toEqual({ question: "new", answer: "of the new" });
  });

  it("does not show an error of a cancelled request, nor its pause", async () => {
    const { live, call } = setup();
    live.ask("old", "now");
    live.ask("new");
    call(0).pause(3);
    call(0).fail(new Error("aborted"));
    await settled();
    expect(live.state.get()).toMatchObject({ pending: true, error: null, pause: 0 });
  });

  it("keeps the last answer while the next is on its way", async () => {
    const { live, call } = setup();
    live.ask("one", "now");
    call(0).answer("1");
    await settled();
    live.ask("two");
    expect(live.state.get()).toMatchObject({ pending: true, answered: { question: "one", answer: "1" } });
  });

  it("drops the last answer when the next question is refused", async () => {
    const { live, call } = setup();
    live.ask("one", "now");
    call(0).answer("1");
    await settled();
    live.ask("(", "now");
    call(1).fail(new Error("no pattern"));
    await settled();
    expect(live.state.get()).toMatchObject({ pending: false, answered: null, error: { message: "no pattern" } });
  });

  it("tries a lost network again, ever slower, until it is back", async () => {
    const { live, calls, call } = setup();
    live.ask("loop", "now");
    call(0).fail(new NetworkError("gone"));
    await vi.advanceTimersByTimeAsync(1000);
    expect(calls).toHaveLength(2);
    call(1).fail(new NetworkError("gone"));
    await vi.advanceTimersByTimeAsync(1999);
    expect(calls).toHaveLength(2);
    await vi.advanceTimersByTimeAsync(1);
    call(2).answer("back");
    await settled();
    expect(live.state.get()).toMatchObject({ error: null, answered: { answer: "back" } });
  });

  it("recovers at once when told so, and only from a loss", async () => {
    const { live, calls, call } = setup();
    live.ask("loop", "now");
    call(0).fail(new NetworkError("gone"));
    await settled();
    live.recover();
    expect(calls).toHaveLength(2);
    call(1).fail(new Error("refused"));
    await settled();
    live.recover();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(calls).toHaveLength(2);
  });

  it("forgets everything when cleared", async () => {
    const { live, calls, call } = setup();
    live.ask("loop", "now");
    live.clear();
    call(0).answer("late");
    live.again();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(calls).toHaveLength(1);
    expect(live.state.get()).toEqual({ pending: false, answered: null, error: null, pause: 0 });
  });
});

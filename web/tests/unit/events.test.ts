// Server-sent events: the same events however the stream is cut.

import { describe, expect, it } from "vitest";
import { backoff, EventParser, type ServerEvent } from "../../src/api/events";

const parse = (pieces: string[]): ServerEvent[] => {
  const parser = new EventParser();
  return pieces.flatMap((piece) => parser.push(piece));
};

describe("EventParser", () => {
  const stream = ': hello\n\nevent: index\ndata: {"id":"a"}\n\ndata: one\ndata: two\r\n\r\nevent: removed\rdata:{"id":"b"}\r\r: still here\n\n';
  const events = [
    { event: "index", data: '{"id":"a"}' },
    { event: "message", data: "one\ntwo" },
    { event: "removed", data: '{"id":"b"}' },
  ];

  it("reads events, comments and every kind of line end", () => {
    expect(parse([stream])).toEqual(events);
  });

  it("gives the same wherever the pieces end", () => {
    for (let size = 1; size < 12; size += 1) {
      const pieces = Array.from({ length: Math.ceil(stream.length / size) }, (_, n) => stream.slice(n * size, (n + 1) * size));
      expect(parse(pieces)).toEqual(events);
    }
  });

  it("gives nothing for an event without data or without its end", () => {
    expect(parse(["event: index\n\n", "data: x\n"])).toEqual([]);
  });
});

describe("backoff", () => {
  it("doubles and ends", () => {
    expect([0, 1, 2, 20].map(backoff)).toEqual([500, 1000, 2000, 30_000]);
  });
});

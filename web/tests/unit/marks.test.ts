// Marks over coloured code: never a character more or less than the text, whatever the ranges.

import { describe, expect, it } from "vitest";
import { cutLine } from "../../src/code/cut";
import { highlight } from "../../src/code/highlight";
import { markedLines, markLine, splitLines, stillTrue } from "../../src/code/marks";

const joined = (segments: { text: string }[]) => segments.map(({ text }) => text).join("");

describe("highlight", () => {
  it("colours code and keeps every character", () => {
    const text = 'def f(x):\n    """Doc."""\n    return "<b>" + x  # 🚢 done\n';
    const runs = highlight(text, "python");
    expect(joined(runs)).toBe(text);
    expect(runs).toContainEqual({ text: "def", cls: "tok-keyword" });
    expect(runs).toContainEqual({ text: "# 🚢 done", cls: "tok-comment" });
  });

  it("keeps what stands in a language inside another", () => {
    const text = '<p title="x">a</p>\n<script>const a = "</p>";</script>\n';
    const runs = highlight(text, "html");
    expect(joined(runs)).toBe(text);
    expect(runs).toContainEqual({ text: "const", cls: "tok-keyword" });
  });

  it("shows languages without a grammar plain, and no prototype as one", () => {
    for (const language of ["", "cobol", "constructor", "__proto__"]) {
      expect(highlight("a <b>", language)).toEqual([{ text: "a <b>", cls: "" }]);
    }
    expect(highlight("", "python")).toEqual([]);
  });

  it("keeps hostile text as it is", () => {
    const text = '<img src=x onerror="alert(1)">';
    for (const language of ["python", "html", "javascript", "markdown", ""]) expect(joined(highlight(text, language))).toBe(text);
  });
});

describe("marks", () => {
  const runs = [
    { text: "return ", cls: "k" },
    { text: '"redirect"', cls: "s" },
  ];

  it("cuts a run at the edges of a range", () => {
    expect(markLine(runs, [{ start: 8, end: 16 }])).toEqual([
      { text: "return ", cls: "k", mark: false },
      { text: '"', cls: "s", mark: false },
      { text: "redirect", cls: "s", mark: true },
      { text: '"', cls: "s", mark: false },
    ]);
  });

  it("spans runs, joins ranges that overlap, and bears ranges outside", () => {
    const marked = markLine(runs, [{ start: 4, end: 9 }, { start: 8, end: 12 }, { start: 40, end: 50 }, { start: 3, end: 3 }]);
    expect(joined(marked)).toBe('return "redirect"');
    expect(joined(marked.filter(({ mark }) => mark))).toBe('rn "redi');
  });

  it("counts in UTF-16 units, so that an emoji before a term moves nothing", () => {
    const text = "a\n🚢 harbor";
    const lines = markedLines(highlight(text, ""), 10, [{ line: 11, start: 3, end: 9 }]);
    expect(lines[1]).toEqual({ number: 11, segments: [{ text: "🚢 ", cls: "", mark: false }, { text: "harbor", cls: "", mark: true }] });
  });

  it("numbers lines from the first, empty ones too", () => {
    expect(splitLines([{ text: "a\n\nb", cls: "" }], 7).map(({ number }) => number)).toEqual([7, 8, 9]);
    expect(splitLines([], 3)).toEqual([{ number: 3, runs: [] }]);
  });

  it("equals the plain way for any ranges", () => {
    const text = "abcdefghij";
    for (let seed = 0; seed < 300; seed += 1) {
      const ranges = [0, 1, 2].map((n) => ({ start: (seed * (n + 3)) % 11, end: (seed * (n + 7)) % 13 }));
      const cuts = [{ text: text.slice(0, seed % 10), cls: "x" }, { text: text.slice(seed % 10), cls: "y" }].filter((run) => run.text);
      const marked = markLine(cuts, ranges).flatMap((segment) => [...segment.text].map((char) => (segment.mark ? char.toUpperCase() : char)));
      const plain = [...text].map((char, at) => (ranges.some(({ start, end }) => at >= start && at < end) ? char.toUpperCase() : char));
      expect(marked.join("")).toBe(plain.join(""));
    }
  });

  it("keeps marks only on lines that still read the same", () => {
    const highlights = [{ line: 2, start: 0, end: 1 }, { line: 3, start: 0, end: 1 }];
    expect(stillTrue(highlights, { first: 2, text: "b\nc" }, { first: 1, text: "a\nb\nchanged" })).toEqual([highlights[0]]);
  });
});

describe("cutLine", () => {
  it("says how much it left out", () => {
    const segments = [{ text: "x".repeat(8), cls: "", mark: false }, { text: "y".repeat(8), cls: "s", mark: true }];
    const { segments: kept, left_out } = cutLine(segments, 10);
    expect(joined(kept)).toBe("xxxxxxxxyy");
    expect(left_out).toBe(6);
    expect(cutLine(segments, 16)).toEqual({ segments, left_out: 0 });
  });
});

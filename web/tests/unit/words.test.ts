// Numbers, reasons and links in words.

import { describe, expect, it } from "vitest";
import { editorLink } from "../../src/state/editor";
import { ago, bytes, counted, milliseconds, place, score } from "../../src/words/format";
import { skippedReasons, skippedSentence } from "../../src/words/reasons";

describe("format", () => {
  it("reads sizes", () => {
    const sizes = [0, 999, 1000, 1500, 123_456, 999_499, 999_500, 5e9, 2e15].map(bytes);
    expect(sizes).toEqual(["0 B", "999 B", "1.0 kB", "1.5 kB", "123 kB", "999 kB", "1.0 MB", "5.0 GB", "2000 TB"]);
  });

  it("reads times", () => {
    expect([3.14, 42.4, 1500].map(milliseconds)).toEqual(["3.1 ms", "42 ms", "1.5 s"]);
    const now = 1_000_000_000_000;
    const texts = [-5, 0, 3, 59, 60, 3599, 3600, 86_400, 200_000].map((seconds) => ago(now - seconds * 1000, now));
    expect(texts).toEqual(["just now", "just now", "3 s ago", "59 s ago", "1 min ago", "59 min ago", "1 h ago", "1 day ago", "2 days ago"]);
  });

  it("counts things", () => {
    expect([counted(1, "file"), counted(1200, "file"), counted(2, "copy", "copies")]).toEqual(["1 file", "1,200 files", "2 copies"]);
    expect([score(-0.256), score(2)]).toEqual(["−0.26", "2.00"]);
  });

  it("names places", () => {
    expect(place({ path: "a b.py", start_line: 3, end_line: 3 })).toBe("a b.py:3");
    expect(place({ path: "a.py", start_line: 3, end_line: 9 })).toBe("a.py:3-9");
  });
});

describe("skipped", () => {
  it("is a sentence with its reasons, most first", () => {
    expect(skippedSentence({ ignored: 0, binary: 0 })).toBeNull();
    expect(skippedSentence({ binary: 1 })).toBe("1 file was not searched");
    expect(skippedSentence({ binary: 1, too_large: 2 })).toBe("3 files were not searched");
    expect(skippedReasons({ binary: 1, new_reason: 2, svg: 0 }).map(({ words, n }) => `${n} ${words}`)).toEqual(["2 new reason", "1 binary"]);
  });
});

describe("editorLink", () => {
  const root = "/srv/my code";

  it("opens a place in each editor", () => {
    expect(editorLink("vscode", root, "src/a#b.py", 7)).toBe("vscode://file/srv/my%20code/src/a%23b.py:7");
    expect(editorLink("zed", `${root}/`, "a.py", 1)).toBe("zed://file/srv/my%20code/a.py:1");
    expect(editorLink("jetbrains", root, "a&b.py", 7)).toBe("idea://open?file=%2Fsrv%2Fmy%20code%2Fa%26b.py&line=7");
    expect(editorLink("none", root, "a.py", 7)).toBeNull();
  });

  it("knows roots of Windows", () => {
    expect(editorLink("cursor", "C:\\src\\harbor", "a.py", 2)).toBe("cursor://file/C:/src/harbor/a.py:2");
    expect(editorLink("cursor", "\\\\?\\C:\\src", "a.py", 2)).toBe("cursor://file/C:/src/a.py:2");
  });

  it("is never a script, whatever the path", () => {
    expect(editorLink("vscode", "javascript:alert(1)//", '"><img>', 1)).toMatch(/^vscode:\/\/file\//);
  });
});

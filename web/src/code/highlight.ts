// Colours code: a text in, runs of text with a class each out.
//
// Code is hostile input, so no HTML is made here or anywhere: highlight.js hands its tokens to the emitter below, which
// keeps them as plain runs, and the page shows runs as text nodes. Joined, the runs are always exactly the text.

import { grammarOf, hljs } from "./languages";

/** A piece of text in one colour; the class is empty for plain text. */
export interface Run {
  text: string;
  cls: string;
}

/** Longer texts are shown plain: colour is not worth a page that stands still. */
const MAX_CHARS = 200_000;

/** The texts of a grammar inside another, such as a script in a page. */
interface Emitter {
  runs: Run[];
}

/** What highlight.js calls while it reads; the names are its own. */
class RunEmitter implements Emitter {
  readonly runs: Run[] = [];
  readonly #scopes: string[] = [];

  addText(text: string): void {
    if (text) this.runs.push({ text, cls: classOf(this.#scopes.at(-1)) });
  }
  startScope(scope: string): void {
    this.#scopes.push(scope);
  }
  endScope(): void {
    this.#scopes.pop();
  }
  openNode(scope: string): void {
    this.startScope(scope);
  }
  closeNode(): void {
    this.endScope();
  }
  __addSublanguage(other: Emitter): void {
    this.runs.push(...other.runs);
  }
  closeAllNodes(): void {}
  finalize(): void {}
  toHTML(): string {
    return "";
  }
}

// highlight.js takes another emitter only through this option.
hljs.configure({ __emitter: RunEmitter } as unknown as Parameters<typeof hljs.configure>[0]);

/** The runs of `text` in a language of the index. */
export function highlight(text: string, language: string): Run[] {
  const plain = text ? [{ text, cls: "" }] : [];
  const grammar = grammarOf(language);
  if (!grammar || text.length > MAX_CHARS) return plain;
  const result = hljs.highlight(text, { language: grammar, ignoreIllegals: true });
  const { runs } = (result as unknown as { _emitter: Emitter })._emitter;
  // A grammar that fails in the middle must not cost a character.
  return runs.reduce((n, run) => n + run.text.length, 0) === text.length ? runs : plain;
}

/** `title.function_` is coloured as `title`; the first word names the colour. */
function classOf(scope: string | undefined): string {
  if (!scope || scope.startsWith("language:")) return "";
  return `tok-${scope.split(".")[0]}`;
}

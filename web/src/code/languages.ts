// The grammars that colour code, by the language names of the index. One import a grammar; nothing else is bundled.
//
// A language without a grammar here is shown plain. Mind the size of the bundle when adding one.

import hljs from "highlight.js/lib/core";
import type { LanguageFn } from "highlight.js";
import bash from "highlight.js/lib/languages/bash";
import c from "highlight.js/lib/languages/c";
import clojure from "highlight.js/lib/languages/clojure";
import cmake from "highlight.js/lib/languages/cmake";
import cpp from "highlight.js/lib/languages/cpp";
import csharp from "highlight.js/lib/languages/csharp";
import css from "highlight.js/lib/languages/css";
import dart from "highlight.js/lib/languages/dart";
import dockerfile from "highlight.js/lib/languages/dockerfile";
import elixir from "highlight.js/lib/languages/elixir";
import erlang from "highlight.js/lib/languages/erlang";
import go from "highlight.js/lib/languages/go";
import graphql from "highlight.js/lib/languages/graphql";
import groovy from "highlight.js/lib/languages/groovy";
import haskell from "highlight.js/lib/languages/haskell";
import ini from "highlight.js/lib/languages/ini";
import java from "highlight.js/lib/languages/java";
import javascript from "highlight.js/lib/languages/javascript";
import json from "highlight.js/lib/languages/json";
import julia from "highlight.js/lib/languages/julia";
import kotlin from "highlight.js/lib/languages/kotlin";
import lua from "highlight.js/lib/languages/lua";
import makefile from "highlight.js/lib/languages/makefile";
import markdown from "highlight.js/lib/languages/markdown";
import objectivec from "highlight.js/lib/languages/objectivec";
import ocaml from "highlight.js/lib/languages/ocaml";
import perl from "highlight.js/lib/languages/perl";
import php from "highlight.js/lib/languages/php";
import powershell from "highlight.js/lib/languages/powershell";
import protobuf from "highlight.js/lib/languages/protobuf";
import python from "highlight.js/lib/languages/python";
import r from "highlight.js/lib/languages/r";
import ruby from "highlight.js/lib/languages/ruby";
import rust from "highlight.js/lib/languages/rust";
import scala from "highlight.js/lib/languages/scala";
import scss from "highlight.js/lib/languages/scss";
import sql from "highlight.js/lib/languages/sql";
import swift from "highlight.js/lib/languages/swift";
import typescript from "highlight.js/lib/languages/typescript";
import xml from "highlight.js/lib/languages/xml";
import yaml from "highlight.js/lib/languages/yaml";

const GRAMMARS: Record<string, LanguageFn> = {
  bash, c, clojure, cmake, cpp, csharp, css, dart, dockerfile, elixir, erlang, go, graphql, groovy, haskell, ini, java,
  javascript, json, julia, kotlin, lua, makefile, markdown, objectivec, ocaml, perl, php, powershell, protobuf, python, r,
  ruby, rust, scala, scss, sql, swift, typescript, xml, yaml,
}; // prettier-ignore

/** Names of the index that a grammar goes by another name for. */
const OTHER_NAMES: Record<string, string> = {
  astro: "xml", containerfile: "dockerfile", cuda: "cpp", cython: "python", fish: "bash", gleam: "rust", hcl: "ini",
  html: "xml", jsonc: "json", json5: "json", jsp: "xml", less: "scss", make: "makefile", mojo: "python", mdx: "markdown",
  "objective-c": "objectivec", opencl: "c", plsql: "sql", proto: "protobuf", sass: "scss", shell: "bash", starlark: "python",
  svelte: "xml", terraform: "ini", toml: "ini", tsx: "typescript", vue: "xml", zig: "rust", zsh: "bash",
}; // prettier-ignore

for (const [name, grammar] of Object.entries(GRAMMARS)) hljs.registerLanguage(name, grammar);

/** The grammar that colours a language of the index; null for none. */
export function grammarOf(language: string): string | null {
  const name = OTHER_NAMES[language] ?? language;
  return Object.hasOwn(GRAMMARS, name) ? name : null;
}

export { hljs };

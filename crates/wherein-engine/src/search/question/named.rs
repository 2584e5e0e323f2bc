//! What the words ask for by name: kinds of file, and languages of programs.
//!
//! Many languages are called like plain words (go, c, swift, make), so these need words around them that leave no doubt.

use super::{Wants, Word};
use crate::scan::language;

/// Languages whose names mean nothing else to a programmer.
const PLAIN: &[&str] = &[
    "c#",
    "c++",
    "clojure",
    "cobol",
    "cpp",
    "csharp",
    "elixir",
    "erlang",
    "fortran",
    "golang",
    "haskell",
    "java",
    "javascript",
    "kotlin",
    "matlab",
    "objective-c",
    "ocaml",
    "perl",
    "php",
    "powershell",
    "python",
    "python3",
    "ruby",
    "rustlang",
    "scala",
    "solidity",
    "typescript",
];
/// Those that are words, letters or other things as well.
const DOUBTFUL: &[&str] = &[
    "bash", "c", "crystal", "d", "dart", "elm", "fish", "gleam", "go", "groovy", "julia", "lisp",
    "lua", "make", "nim", "r", "racket", "rust", "scheme", "swift", "v", "zig",
];
/// What belongs to a language: "the Go parser", "rust code".
const BELONGINGS: &[&str] = &[
    "backend",
    "binding",
    "bindings",
    "class",
    "classes",
    "client",
    "code",
    "codebase",
    "file",
    "files",
    "frontend",
    "function",
    "functions",
    "implementation",
    "library",
    "module",
    "modules",
    "package",
    "packages",
    "parser",
    "part",
    "program",
    "sdk",
    "server",
    "side",
    "source",
    "sources",
    "struct",
    "structs",
    "version",
];
/// What stands in front of a language that something is written in; in German and Romance languages, too.
const IN_FRONT: &[&str] = &["in", "en", "auf"];

/// The languages that a text names, each once, in order.
pub(super) fn languages(text: &str) -> Vec<&'static str> {
    const MAX_WORDS: usize = 256;
    let words: Vec<&str> = text.split_whitespace().take(MAX_WORDS).collect();
    let mut named = Vec::new();
    for at in 0..words.len() {
        let bare = bare(words[at]);
        let folded = bare.to_lowercase();
        let is_named = PLAIN.contains(&folded.as_str())
            || (DOUBTFUL.contains(&folded.as_str()) && is_certain(&words, at));
        if let Some(language) = is_named.then(|| language::resolve(&folded)).flatten()
            && !named.contains(&language)
        {
            named.push(language);
        }
    }
    named
}

fn bare(word: &str) -> &str {
    word.trim_matches(|c: char| !c.is_alphanumeric() && !matches!(c, '+' | '#'))
}

/// "in Go", "the Go parser", "Rust code"; not "in make targets", "the swift answer", "Go to the parser".
fn is_certain(words: &[&str], at: usize) -> bool {
    let (word, next) = (bare(words[at]), words.get(at + 1).map(|next| bare(next).to_lowercase()));
    let before = at.checked_sub(1).map(|before| bare(words[before]).to_lowercase());
    let goes_on = |next: &String| ["and", "or"].contains(&next.as_str());
    let is_closed =
        next.as_ref().is_none_or(goes_on) || words[at].ends_with(['?', ',', '.', '!', ';', ':']);
    let owns = !words[at].ends_with([',', '.', ';', ':'])
        && next.is_some_and(|next| BELONGINGS.contains(&next.as_str()));
    let is_in = before.as_deref().is_some_and(|before| IN_FRONT.contains(&before));
    let is_the =
        before.as_deref().is_some_and(|before| ["the", "our", "a", "all"].contains(&before));
    // "make file" and "go files" may be what somebody is to do.
    let is_capital = at > 0 && word.starts_with(char::is_uppercase);
    (is_in && (is_closed || owns)) || (owns && (is_the || is_capital))
}

/// Kinds of file that the words within the first `n_bytes` ask for. Parts of names ask for nothing.
pub(super) fn wants(words: &[Word], n_bytes: usize) -> Wants {
    let has = |terms: &[&str]| {
        let own = words.iter().take_while(|word| word.end <= n_bytes);
        own.filter(|word| !word.is_part).any(|word| terms.contains(&word.folded.as_str()))
    };
    Wants {
        tests: has(&[
            "test", "tests", "tested", "testing", "unittest", "spec", "specs", "fixture",
            "fixtures",
        ]),
        docs: has(&[
            "doc",
            "docs",
            "documentation",
            "documented",
            "readme",
            "changelog",
            "tutorial",
            "example",
            "examples",
            "guide",
        ]),
        config: has(&[
            "config",
            "configuration",
            "yaml",
            "toml",
            "dockerfile",
            "makefile",
            "workflow",
            "ci",
        ]),
        examples: has(&["demo", "demos", "example", "examples", "sample", "samples"]),
    }
}

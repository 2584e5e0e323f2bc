//! The compared languages, and which kinds of either side are functions, methods or types.
//!
//! Namespaces, packages, values, fields and macros are not compared. Nothing here runs a program.

/// One compared language.
#[derive(Debug)]
pub(super) struct Language {
    /// As the report calls it.
    pub(super) name: &'static str,
    /// As the outline calls it.
    pub(super) ours: &'static str,
    /// As ctags calls it; a header may be C for one and C++ for the other.
    pub(super) theirs: &'static [&'static str],
    /// The kinds of ctags that must be among our symbols.
    pub(super) their_kinds: &'static [&'static str],
    /// Our kinds that ctags is asked for.
    pub(super) our_kinds: &'static [&'static str],
}

const OURS: &[&str] = &[
    "function",
    "method",
    "constructor",
    "class",
    "interface",
    "trait",
    "struct",
    "enum",
    "union",
    "object",
    "type",
];
const OURS_OF_RUBY: &[&str] = &["function", "method", "constructor", "class", "module"];
/// What the line pattern sees.
const OURS_OF_SCALA: &[&str] = &["function", "method", "class", "trait", "object"];

const C: &[&str] = &["function", "struct", "union", "enum", "typedef"];
const CPP: &[&str] = &["function", "class", "struct", "union", "enum", "typedef"];
const CSHARP: &[&str] = &["class", "enum", "interface", "method", "struct", "typedef"];
const GO: &[&str] = &["func", "type", "struct", "interface", "talias", "methodSpec"];
const JAVA: &[&str] = &["annotation", "class", "enum", "interface", "method"];
const JAVASCRIPT: &[&str] = &["function", "class", "method", "generator", "getter", "setter"];
const KOTLIN: &[&str] = &["interface", "class", "object", "method", "typealias"];
const PHP: &[&str] = &["class", "function", "interface", "trait"];
const RUBY: &[&str] = &["class", "module", "method", "singletonMethod"];
const RUST: &[&str] = &["function", "method", "struct", "enum", "interface", "typedef"];
const TYPESCRIPT: &[&str] =
    &["function", "class", "interface", "enum", "method", "generator", "alias"];

pub(super) const LANGUAGES: &[Language] = &[
    row("Python", "python", &["Python"], &["class", "function", "member"], OURS),
    row("Go", "go", &["Go"], GO, OURS),
    row("Java", "java", &["Java"], JAVA, OURS),
    row("C", "c", &["C", "C++"], C, OURS),
    row("C++", "cpp", &["C++", "C"], CPP, OURS),
    row("Rust", "rust", &["Rust"], RUST, OURS),
    row("JavaScript", "javascript", &["JavaScript"], JAVASCRIPT, OURS),
    row("TypeScript", "typescript", &["TypeScript"], TYPESCRIPT, OURS),
    row("Ruby", "ruby", &["Ruby"], RUBY, OURS_OF_RUBY),
    row("PHP", "php", &["PHP"], PHP, OURS),
    row("C#", "csharp", &["C#"], CSHARP, OURS),
    row("Kotlin", "kotlin", &["Kotlin"], KOTLIN, OURS),
    row("Scala", "scala", &[], &["def", "class", "object", "trait"], OURS_OF_SCALA),
    row("Lua", "lua", &["Lua"], &["function"], OURS),
];

const fn row(
    name: &'static str,
    ours: &'static str,
    theirs: &'static [&'static str],
    their_kinds: &'static [&'static str],
    our_kinds: &'static [&'static str],
) -> Language {
    Language { name, ours, theirs, their_kinds, our_kinds }
}

/// The language that the outline calls `ours`, where it is compared.
pub(super) fn of(ours: &str) -> Option<&'static Language> {
    LANGUAGES.iter().find(|language| language.ours == ours)
}

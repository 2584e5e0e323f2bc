//! The classes of difference, and who is right in each.
//!
//! The rules sort by the line and the kind; the verdicts were given by reading the lines of a sample of each class. What no rule takes is called so, never counted for either side.

use super::compare::{Difference, Side};
use super::normal::has_word;

/// A class of difference.
pub(super) struct Class {
    pub(super) name: &'static str,
    pub(super) right: &'static str,
    /// Separated by spaces.
    languages: &'static str,
    side: Side,
    takes: fn(&Difference) -> bool,
}

/// The class of what no rule takes.
pub(super) const OTHER: &str = "everything else";

const OURS: &str = "we";
const THEIRS: &str = "ctags";
const BOTH: &str = "both";
const OURS_MOSTLY: &str = "we, mostly";
const THEIRS_MOSTLY: &str = "ctags, mostly";

const CLASSES: &[Class] = &[
    // What ctags has and we have not.
    theirs("C C++", OURS, "macros with arguments taken for functions", is_macro_call),
    theirs("C C++", THEIRS, "`typedef` or `using` that our parser does not take", is_alias),
    theirs("C", THEIRS, "C++ in headers that we take for C", |d| d.text.contains(" public ")),
    theirs(
        "C C++",
        THEIRS_MOSTLY,
        "declarations among syntax that our parser does not take",
        always,
    ),
    theirs("Ruby", OURS, "text of here-documents read as code", |d| d.is_text),
    theirs("Ruby", OURS, "`def object.name` called by the object", is_object_of_def),
    theirs("Ruby", THEIRS, "`module ::Name`, `class ::Name`", |d| d.text.contains(" ::")),
    theirs("Ruby", OURS, "a second here-document, `class self.class::Name`", always),
    theirs("Kotlin", BOTH, "companion objects without a name", |d| d.tag.name == "Companion"),
    theirs(
        "Kotlin",
        THEIRS,
        "declarations in files or parts that our parser does not take",
        always,
    ),
    theirs("C#", OURS, "names in `where`", |d| d.text.starts_with("where ")),
    theirs("C#", THEIRS, "operators, which we call by their sign or type alone", has_operator),
    theirs("C#", THEIRS, "declarations in parts that our parser does not take", has_modifier),
    theirs("C#", OURS, "calls and expressions taken for methods", always),
    theirs("Java", OURS, "names behind `permits` taken for types", always),
    theirs(
        "TypeScript",
        OURS,
        "declarations over two lines, of which ctags gives the second",
        |d| !has_word(&d.text, &d.tag.name) && has_word(&d.above, &d.tag.name),
    ),
    theirs("TypeScript", OURS, "words behind `type`, `class`, `enum` that declare nothing", |d| {
        ["alias", "class", "enum"].contains(&d.tag.kind.as_str())
    }),
    theirs("TypeScript", BOTH, "signatures of constructors, which ctags calls `new`", |d| {
        d.tag.name == "new"
    }),
    theirs("TypeScript", THEIRS, "declarations in parts that our parser does not take", |d| {
        d.tag.kind == "interface"
    }),
    theirs("JavaScript", THEIRS, "getters of objects", |d| d.tag.kind == "getter"),
    theirs(
        "JavaScript",
        BOTH,
        "expressions with a name of their own behind a key or variable",
        |d| {
            d.text.contains(&format!("function {}", d.tag.name))
                || d.text.contains(&format!("class {}", d.tag.name))
        },
    ),
    theirs(
        "JavaScript",
        OURS,
        "objects of members, values of calls, calls taken for functions",
        always,
    ),
    theirs(
        "Scala",
        THEIRS,
        "operators with `:` at the front, of which we lose it",
        is_colon_operator,
    ),
    theirs("Scala", OURS, "lines inside strings and comments", always),
    theirs("Lua", BOTH, "keys in brackets, which we list without them", |d| {
        d.tag.name.contains(['[', ']'])
    }),
    theirs("Lua", OURS, "values of calls with a function inside", |d| d.text.contains("function(")),
    theirs("Lua", OURS, "lines with the word in a name, string or comment", always),
    theirs(
        "JavaScript TypeScript",
        OURS,
        "values assigned to members, which are no functions",
        |d| d.tag.kind == "method" && d.text.contains('=') && !has_word(&d.text, "function"),
    ),
    // What we have and ctags has not.
    ours("Go", OURS, "types inside functions", always),
    ours("Java", OURS, "members of anonymous classes and enum constants, local types", always),
    ours(
        "Rust",
        OURS,
        "unions, `const fn`, `r#name`, items behind what ctags loses its way in",
        always,
    ),
    ours("C C++", THEIRS, "macros taken for the name that stands behind them", is_macro),
    ours(
        "C",
        THEIRS,
        "parameters and macros of a `typedef` taken for its name (a few are right)",
        |d| d.tag.kind == "type",
    ),
    ours("C++", THEIRS, "conversion operators and destructors that lose `operator` or `~`", |d| {
        d.text.contains(&format!("operator {}", d.tag.name))
            || d.text.contains(&format!("~{}(", d.tag.name)) && !d.tag.name.starts_with('~')
    }),
    ours("C++", THEIRS, "initialisers of members taken for methods", is_initialiser),
    ours("C++", THEIRS, "the base of an unnamed `enum : base`", |d| d.text.contains("enum : ")),
    ours("C++", OURS, "types inside functions and behind `#else`", |d| {
        ["type", "struct", "class", "enum", "union", "trait"].contains(&d.tag.kind.as_str())
    }),
    ours(
        "C C++",
        OURS_MOSTLY,
        "functions and types behind macros, `#else` or lines that ctags loses its way in",
        always,
    ),
    ours("C#", THEIRS, "`case` and statements behind `#if` taken for functions", |d| {
        d.text.starts_with("case ") || d.text.contains(&format!("{}.", d.tag.name))
    }),
    ours("C#", THEIRS, "operators called by their sign or type alone", has_operator),
    ours("C#", OURS, "signatures with `?` of nullable types", |d| d.text.contains('?')),
    ours("C#", OURS, "declarations behind `where`, `#if`, local functions, delegates", always),
    ours("JavaScript", OURS, "functions inside functions, methods and members ctags loses", always),
    ours("TypeScript", OURS, "signatures, overloads and what stands behind those", always),
    ours("Ruby", OURS, "methods made by `alias`, `define_method`, `scope` and the like", |d| {
        !has_word(&d.text, "def")
    }),
    ours("Ruby", OURS, "`def object.name`, several declarations in a line", always),
    ours("PHP", OURS, "closures with a name, enums", always),
    ours("Kotlin", OURS, "secondary constructors", |d| d.tag.kind == "constructor"),
    ours("Kotlin", OURS, "companion objects with a name", |d| has_word(&d.text, "companion")),
    ours("Kotlin", OURS, "`value class`", |d| d.text.contains("value class")),
    ours("Kotlin", OURS, "names of words in back quotes", |d| d.text.contains('`')),
    ours("Kotlin", OURS, "what ctags loses (`T & Any`, behind comments and the like)", always),
    ours("Scala", OURS, "annotations before, `package object`, several in a line", always),
    ours("Lua", BOTH, "keys in brackets, which ctags lists with them", |d| d.text.starts_with('[')),
    ours("Lua", OURS, "functions in a line with other words `function`", always),
];

const fn theirs(
    languages: &'static str,
    right: &'static str,
    name: &'static str,
    takes: fn(&Difference) -> bool,
) -> Class {
    Class { name, right, languages, side: Side::Theirs, takes }
}

const fn ours(
    languages: &'static str,
    right: &'static str,
    name: &'static str,
    takes: fn(&Difference) -> bool,
) -> Class {
    Class { name, right, languages, side: Side::Ours, takes }
}

/// The first class that takes a difference.
pub(super) fn class(language: &str, difference: &Difference) -> Option<&'static Class> {
    CLASSES.iter().find(|class| {
        class.side == difference.side
            && class.languages.split(' ').any(|one| one == language)
            && (class.takes)(difference)
    })
}

fn always(_: &Difference) -> bool {
    true
}

/// `NAME(…`, in capitals as macros are.
fn is_macro_call(d: &Difference) -> bool {
    let is_capital = |c: char| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_';
    d.tag.name.chars().all(is_capital) && d.text.contains(&format!("{}(", d.tag.name))
}

/// A name in capitals that no word declares.
fn is_macro(d: &Difference) -> bool {
    let is_capital = |c: char| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_';
    let declared = |word: &str| d.text.contains(&format!("{word} {}", d.tag.name));
    d.tag.name.chars().all(is_capital)
        && !["struct", "enum", "union", "class"].iter().any(|word| declared(word))
}

fn is_initialiser(d: &Difference) -> bool {
    let behind = |mark: &str| d.text.contains(&format!("{mark} {}(", d.tag.name));
    d.text.starts_with(':') || behind(" :") || behind(",") || behind("):")
}

fn is_alias(d: &Difference) -> bool {
    d.tag.kind == "typedef"
}

fn is_object_of_def(d: &Difference) -> bool {
    d.text.contains(&format!("def {}.", d.tag.name))
}

fn has_operator(d: &Difference) -> bool {
    has_word(&d.text, "operator")
}

fn has_modifier(d: &Difference) -> bool {
    let words = ["public", "private", "protected", "internal", "static", "ref", "partial", "async"];
    words.iter().any(|word| has_word(&d.text, word))
}

fn is_colon_operator(d: &Difference) -> bool {
    d.tag.name.contains(':') && !d.tag.name.contains(char::is_alphanumeric)
}

#[cfg(test)]
mod tests {
    use super::super::Tag;
    use super::*;

    fn found(language: &str, side: Side, name: &str, text: &str) -> &'static str {
        let tag = Tag { file: "a".into(), line: 1, name: name.into(), kind: "function".into() };
        let (text, above) = (text.to_owned(), String::new());
        let d = Difference { side, repository: "r".into(), tag, text, above, is_text: false };
        class(language, &d).map_or(OTHER, |class| class.right)
    }

    #[test]
    fn the_first_rule_that_takes_a_difference_says_who_is_right() {
        assert_eq!(found("C", Side::Theirs, "GEN_A", "GEN_A(x) {"), OURS);
        assert_eq!(found("C", Side::Theirs, "f", "int f(x) {"), THEIRS_MOSTLY);
        assert_eq!(found("C", Side::Ours, "GEN_A", "GEN_A(x) {"), THEIRS);
        assert_eq!(found("Scala", Side::Theirs, "::", "def ::(a: A)"), THEIRS);
        assert_eq!(found("Python", Side::Ours, "f", "def f():"), OTHER);
    }
}

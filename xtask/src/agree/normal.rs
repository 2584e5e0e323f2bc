//! The normalisations: where the two name the same thing differently, or ctags makes a tag of no declaration.
//!
//! Few, named and counted; everything else stays a difference. Raw figures know none of them.

use super::{Source, Tag};

/// One normalisation, as the report tells it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Rule {
    Operator,
    Dotted,
    Space,
    Anonymous,
    UsingAlias,
    Constraint,
    Lambda,
    NoClass,
    TestMacro,
}

pub(super) const RULES: [Rule; 9] = [
    Rule::Operator,
    Rule::Dotted,
    Rule::Space,
    Rule::Anonymous,
    Rule::UsingAlias,
    Rule::Constraint,
    Rule::Lambda,
    Rule::NoClass,
    Rule::TestMacro,
];

/// What ctags calls things without a name.
const ANONYMOUS: [&str; 6] =
    ["__anon", "AnonymousFunction", "AnonymousClass", "<lambda>", "<anonymous>", "anonFunc"];

impl Rule {
    pub(super) fn what(self) -> &'static str {
        match self {
            Self::Operator => "C++, C#: names of operators without spaces and parameters",
            Self::Dotted => "Lua, C#: only the last part of `a.b:c`",
            Self::Space => "Kotlin: no space before a name",
            Self::Anonymous => {
                "`__anon…`, `AnonymousFunction…`, `AnonymousClass…`, `anonFunc…`, `<lambda>`, `<anonymous>` dropped"
            }
            Self::UsingAlias => "C#: `using X = …` dropped",
            Self::Constraint => "C#: `where T : …` taken for a class, dropped",
            Self::Lambda => {
                "Kotlin: methods in lines without `fun`, or without `(` or `<` behind the name, dropped"
            }
            Self::NoClass => "JavaScript, TypeScript: classes in lines without `class` dropped",
            Self::TestMacro => "C++: `TEST…` dropped where we have a `test` symbol in that line",
        }
    }

    pub(super) fn reason(self) -> &'static str {
        match self {
            Self::Operator => {
                "the same operator: `operator ==` is `operator==`, `operator bool() const` is `operator bool`"
            }
            Self::Dotted => "we keep the path before the name as the parent",
            Self::Space => "`companion object Key` is ` Key` for ctags",
            Self::Anonymous => "the source has no such name",
            Self::UsingAlias => "an import, not a type",
            Self::Constraint => "a constraint on a type parameter, not a class",
            Self::Lambda => "parameters of lambdas and loop variables, not methods",
            Self::NoClass => "objects, aliases and calls, not classes",
            Self::TestMacro => "ctags names the macro, we name the test",
        }
    }
}

/// The name after normalisation, and by which rule it changed.
pub(super) fn name(language: &str, name: &str) -> (String, Option<Rule>) {
    let (changed, rule) = match language {
        "C++" | "C#" if name.starts_with("operator") => (operator(name), Rule::Operator),
        "Lua" | "C#" => (name.rsplit(['.', ':']).next().unwrap_or(name).to_owned(), Rule::Dotted),
        "Kotlin" => (name.trim().to_owned(), Rule::Space),
        _ => return (name.to_owned(), None),
    };
    let rule = (changed != name).then_some(rule);
    (changed, rule)
}

fn operator(name: &str) -> String {
    let bare: String = name.chars().filter(|c| !c.is_whitespace()).collect();
    match bare.split_once("()") {
        // `operator bool() const`, but not `operator()`.
        Some((before, _)) if before != "operator" => before.to_owned(),
        _ => bare,
    }
}

/// By which rule a tag of ctags is no declaration.
pub(super) fn dropped(source: &Source, tag: &Tag) -> Option<Rule> {
    let line = tag.line.checked_sub(1).and_then(|idx| source.lines.get(idx));
    let line = line.map_or("", String::as_str);
    let word = |wanted: &str| has_word(line, wanted);
    if ANONYMOUS.iter().any(|start| tag.name.starts_with(start)) {
        return Some(Rule::Anonymous);
    }
    match (source.language.name, tag.kind.as_str()) {
        ("C#", _) if line.trim_start().starts_with("using ") && line.contains('=') => {
            Some(Rule::UsingAlias)
        }
        ("C#", "class" | "struct") if line.contains(&format!("where {} ", tag.name)) => {
            Some(Rule::Constraint)
        }
        ("Kotlin", "method") if !word("fun") || !is_called(line, &tag.name) => Some(Rule::Lambda),
        ("JavaScript" | "TypeScript", "class") if !word("class") => Some(Rule::NoClass),
        ("C++", "function") if tag.name.contains("TEST") && has_test(source, tag.line) => {
            Some(Rule::TestMacro)
        }
        _ => None,
    }
}

/// Whether parameters follow the name, as those of a declaration do.
fn is_called(line: &str, name: &str) -> bool {
    line.match_indices(name).any(|(at, _)| {
        let rest = line.get(at + name.len()..).unwrap_or_default();
        rest.trim_start().starts_with(['(', '<'])
    })
}

fn has_test(source: &Source, line: usize) -> bool {
    source.ours.iter().any(|tag| tag.line == line && tag.kind == "test")
}

/// Whether a line has a word of its own.
pub(super) fn has_word(line: &str, wanted: &str) -> bool {
    line.split(|c: char| !c.is_alphanumeric() && c != '_').any(|word| word == wanted)
}

#[cfg(test)]
mod tests {
    use super::super::languages;
    use super::*;

    #[test]
    fn names_lose_what_only_one_side_writes() {
        for (language, given, wanted) in [
            ("C++", "operator ==", "operator=="),
            ("C++", "operator bool() const", "operatorbool"),
            ("C++", "operator ()", "operator()"),
            ("C++", "operators of", "operatorsof"),
            ("Lua", "M.a:c", "c"),
            ("C#", "IDisposable.Dispose", "Dispose"),
            ("Kotlin", " Key", "Key"),
            ("Go", "a.b", "a.b"),
        ] {
            assert_eq!(name(language, given).0, wanted);
        }
        assert_eq!(name("Lua", "c").1, None);
    }

    #[test]
    fn tags_of_no_declaration_are_dropped() {
        let rule = |ours: &str, line: &str, kind: &str, tag: &str| {
            let source = Source {
                language: languages::of(ours).unwrap(),
                path: "a".to_owned(),
                lines: vec![line.to_owned()],
                ours: vec![Tag {
                    file: "a".into(),
                    line: 1,
                    name: "B".into(),
                    kind: "test".into(),
                }],
                theirs: Vec::new(),
            };
            let tag = Tag { file: "a".into(), line: 1, name: tag.into(), kind: kind.into() };
            dropped(&source, &tag)
        };
        assert_eq!(rule("cpp", "TEST(A, B) {", "function", "TEST"), Some(Rule::TestMacro));
        assert_eq!(rule("c", "struct {", "struct", "__anon1"), Some(Rule::Anonymous));
        assert_eq!(rule("csharp", "using X = Y;", "typedef", "X"), Some(Rule::UsingAlias));
        assert_eq!(rule("csharp", "class A<T> where T : B", "class", "A"), None);
        assert_eq!(rule("csharp", " where T : new()", "class", "T"), Some(Rule::Constraint));
        assert_eq!(rule("kotlin", "x.map { it -> 1 }", "method", "it"), Some(Rule::Lambda));
        assert_eq!(rule("kotlin", "fun f() = g { it ->", "method", "it"), Some(Rule::Lambda));
        assert_eq!(rule("kotlin", "fun it() = 1", "method", "it"), None);
        assert_eq!(rule("javascript", "const A = {", "class", "A"), Some(Rule::NoClass));
        assert_eq!(rule("javascript", "const A = class {", "class", "A"), None);
    }
}

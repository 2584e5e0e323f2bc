//! What is not parsed, or not to the end: the limits that keep one odd file from slowing the rest.
//!
//! Every limit counts work, never time, so that the same file gives the same symbols on every machine.

use std::fmt;
use std::ops::ControlFlow;

use tree_sitter::{ParseOptions, ParseState, Parser, Tree};

/// Trees deeper than this are data or hostile; people's code stays below 100.
pub(super) const MAX_DEPTH: u32 = 1000;
/// A line longer than this was written by a program.
const MAX_LINE_BYTES: usize = 20_000;
/// Lines longer than this on average were written by a program.
const MAX_MEAN_LINE_BYTES: usize = 400;
/// Steps that every parse may take; the parser reports each hundred.
const FREE_STEPS: usize = 20_000;
/// Steps that a parse may take for each byte on top: ten times what broken code was seen to need.
const STEPS_PER_BYTE: usize = 20;

/// Why a file that has a grammar was cut by lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
pub(crate) enum Fallback {
    /// Nested deeper than [`MAX_DEPTH`].
    TooDeep,
    /// The parser took more steps than the file's length allows.
    TooSlow,
    /// Lines as only programs write them.
    Minified,
    /// Written by a program, as it says itself.
    Generated,
}

impl Fallback {
    /// Whether people should hear of it by file; what programs have written is only counted.
    pub(crate) fn is_problem(self) -> bool {
        matches!(self, Fallback::TooDeep | Fallback::TooSlow)
    }
}

impl fmt::Display for Fallback {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Fallback::TooDeep => "nested too deep to parse: cut by lines",
            Fallback::TooSlow => "takes too long to parse: cut by lines",
            Fallback::Minified => "minified: cut by lines",
            Fallback::Generated => "generated: cut by lines",
        })
    }
}

/// Why a text is not parsed at all.
pub(super) fn check(text: &str) -> Option<Fallback> {
    let (mut n_lines, mut longest, mut start) = (1, 0, 0);
    for end in memchr::memchr_iter(b'\n', text.as_bytes()) {
        longest = longest.max(end - start);
        start = end + 1;
        n_lines += 1;
    }
    longest = longest.max(text.len() - start);
    let is_long = longest > MAX_LINE_BYTES || text.len() / n_lines > MAX_MEAN_LINE_BYTES;
    (is_long && longest > MAX_MEAN_LINE_BYTES * 2).then_some(Fallback::Minified)
}

/// Parses within the limits; `None` where they did not suffice.
pub(super) fn parse(parser: &mut Parser, text: &str) -> Option<Tree> {
    let bytes = text.as_bytes();
    let mut left = (FREE_STEPS + bytes.len() * STEPS_PER_BYTE) / 100;
    let mut go_on = |_: &ParseState| {
        left = left.saturating_sub(1);
        if left > 0 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    };
    let options = ParseOptions::new().progress_callback(&mut go_on);
    let mut read = |at: usize, _| bytes.get(at..).unwrap_or_default();
    let tree = parser.parse_with_options(&mut read, None, Some(options));
    if tree.is_none() {
        // Otherwise the next text would be taken for the rest of this one.
        parser.reset();
    }
    tree
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::{Syntax, SyntaxParser};

    /// What a file gives, which must not depend on how often or after what it is asked.
    fn parse(file_name: &str, text: &str) -> Syntax {
        let language = crate::scan::language::detect(file_name, text.as_bytes());
        let mut parser = SyntaxParser::default();
        let first = parser.parse(language, file_name, text);
        let small = parser.parse("python", "a.py", "def f(): pass\n");
        assert_eq!(small.symbols.len(), 1, "what comes after {file_name} is parsed as ever");
        assert_eq!(parser.parse(language, file_name, text), first, "{file_name} again");
        first
    }

    #[test]
    fn a_bundle_of_one_line_is_minified() {
        let text = "!function(e){var t={};return e.exports=t}();".repeat((1 << 20) / 44);
        assert_eq!(check(&text), Some(Fallback::Minified));
        let syntax = parse("bundle.js", &text);
        assert_eq!(syntax, Syntax { fallback: Some(Fallback::Minified), ..Syntax::default() });
    }

    #[test]
    fn a_long_line_among_many_is_minified_a_few_long_ones_are_not() {
        let code = "let a = 1;\n".repeat(1000);
        assert_eq!(check(&format!("{code}// {}\n", "x".repeat(30_000))), Some(Fallback::Minified));
        assert_eq!(check(&format!("{code}// {}\n", "x".repeat(10_000))), None);
        assert_eq!(check(&code), None);
        assert_eq!(check(""), None);
        assert_eq!(check(&"x".repeat(700)), None);
    }

    #[test]
    fn braces_that_are_nested_deeply_fall_back() {
        let text = format!("void f() {}{}\n", "{\n".repeat(5000), "}\n".repeat(5000));
        assert_eq!(parse("deep.cpp", &text).fallback, Some(Fallback::TooDeep));
        let open = format!("void f() {}\n", "{\n".repeat(5000));
        assert!(parse("open.cpp", &open).symbols.len() <= 1);
    }

    #[test]
    fn brackets_that_are_nested_deeply_fall_back() {
        let text = format!("{}{}\n", "[\n".repeat(5000), "]\n".repeat(5000));
        assert_eq!(parse("deep.json", &text).fallback, Some(Fallback::TooDeep));
        let open = "[\n".repeat(5000);
        assert!(parse("open.json", &open).symbols.is_empty());
    }

    #[test]
    fn code_as_people_nest_it_is_parsed() {
        let text = format!("void f() {}{}\n", "{\n".repeat(90), "}\n".repeat(90));
        assert_eq!(parse("a.cpp", &text).fallback, None);
    }

    #[test]
    fn a_huge_table_is_parsed_or_left_alone() {
        let row = "    {0x1F, 0x2E, 0x3D, 0x4C, \"name\"},\n";
        let text = format!("static const struct entry table[] = {{\n{}}};\n", row.repeat(25_000));
        let syntax = parse("table.c", &text);
        assert!(syntax.symbols.len() <= 1);
        let keys: String = (0..20_000).map(|i| format!("  \"key{i}\": [1, 2, 3],\n")).collect();
        let syntax = parse("table.json", &format!("{{\n{keys}  \"end\": 1\n}}\n"));
        assert!(syntax.fallback.is_some() || syntax.symbols.len() == 20_001);
    }

    #[test]
    fn thousands_of_symbols_cost_no_more_each_than_a_few() {
        let elements: String = (0..5_000).map(|i| format!("<e id=\"a{i}\"/>\n")).collect();
        let syntax = parse("many.xml", &format!("<all>\n{elements}</all>\n"));
        assert_eq!(syntax.symbols.len(), 5_001);
        let functions: String =
            (0..3_000).map(|i| format!("f{i} :: Int -> Int\nf{i} 0 = 1\nf{i} n = n\n")).collect();
        let syntax = parse("Many.hs", &functions);
        assert_eq!(syntax.symbols.len(), 3_000);
        let sections: String = (0..3_000).map(|i| format!("# s{i}\n\ntext\n")).collect();
        assert_eq!(parse("many.md", &sections).symbols.len(), 3_000);
    }

    #[test]
    fn broken_code_ends() {
        for (name, junk) in
            [("a.cpp", "template <"), ("a.sql", "CREATE ("), ("a.hs", "= [ |"), ("a.md", "> * ")]
        {
            let text = format!("{}\n", junk.repeat(60)).repeat(100);
            parse(name, &text);
        }
    }
}

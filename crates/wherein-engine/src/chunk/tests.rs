//! The `symbols` profile: which lines share a chunk.

use proptest::prelude::*;

use super::*;

/// The chunks of a file as `start-end name`, one a line.
#[track_caller]
fn check(file_name: &str, text: &str, expected: &[&str]) {
    let language = crate::scan::language::detect(file_name, text.as_bytes());
    let source = Source { language, file_name, kind: Kind::Source, text };
    let cuts = Chunker::default().cut(Profile::Symbols, &source);
    let name = |cut: &Cut<'_>| {
        cut.symbol.map_or("-", |idx| cuts.syntax.symbols[idx].symbol.name.as_str()).to_owned()
    };
    let found: Vec<String> = cuts
        .chunks
        .iter()
        .map(|cut| format!("{}-{} {}", cut.chunk.start_line, cut.chunk.end_line, name(cut)))
        .collect();
    assert_eq!(found, expected, "{text}");
}

/// A Python function of `n` lines of 20 bytes below its head.
fn function(name: &str, n: usize) -> String {
    format!("def {name}(one, two):\n{}", "    one = one + two1\n".repeat(n))
}

#[test]
fn a_function_of_some_size_is_a_chunk() {
    let text = format!("import os\n\n\n{}\n\n{}", function("first", 40), function("second", 40));
    check("a.py", &text, &["1-1 -", "4-44 first", "47-87 second"]);
}

#[test]
fn small_neighbours_share_a_chunk() {
    let text = format!("{}\n{}\n{}", function("a", 3), function("b", 3), function("c", 40));
    check("a.py", &text, &["1-9 a", "11-51 c"]);
}

#[test]
fn a_long_class_gives_way_to_its_methods() {
    let method = |name: &str| {
        let body = function(name, 50);
        body.lines().map(|line| format!("    {line}\n")).collect::<String>()
    };
    let head = format!("# What it is.\nclass Big:\n{}", "    field = 1\n".repeat(5));
    let text = format!("{head}\n{}\n{}", method("one"), method("two"));
    check("a.py", &text, &["1-7 Big", "9-59 one", "61-111 two"]);
}

#[test]
fn a_long_function_is_cut_at_blank_lines() {
    let text =
        format!("def long():\n{}", format!("{}\n", "    x = x + 123456\n".repeat(39)).repeat(4));
    check("a.py", &text, &["1-40 long", "42-80 long", "82-160 long"]);
}

#[test]
fn without_a_grammar_the_file_is_windows() {
    let text = "some words of prose\n".repeat(100);
    check("a.txt", &text, &["1-70 -", "71-100 -"]);
    check("empty.py", "", &[]);
    check("blank.py", "\n\n", &[]);
}

#[test]
fn symbols_of_one_line_share_it() {
    check("a.js", "function a() {} function b() {}\nfunction c() {}\n", &["1-2 a"]);
}

proptest! {
    #[test]
    fn every_line_that_says_something_is_covered_once(
        parts in proptest::collection::vec("(def [a-c]\\(\\):|class [A-C]:|    x = 1|        return y|\\}|# note|)\n{0,3}", 0..200)
    ) {
        let text = parts.join("\n");
        let source = Source { language: "python", file_name: "a.py", kind: Kind::Source, text: &text };
        let cuts = Chunker::default().cut(Profile::Symbols, &source);
        for pair in cuts.chunks.windows(2) {
            prop_assert!(pair[0].chunk.end_line < pair[1].chunk.start_line);
        }
        for (i, line) in text.split('\n').enumerate() {
            let covering = cuts.chunks.iter().filter(|cut| {
                (cut.chunk.start_line..=cut.chunk.end_line).contains(&(i as u32 + 1))
            });
            prop_assert!(covering.count() == 1 || line.trim().is_empty(), "line {}", i + 1);
        }
        for cut in &cuts.chunks {
            prop_assert_eq!(&text[cut.at..cut.at + cut.chunk.text.len()], cut.chunk.text);
        }
    }
}

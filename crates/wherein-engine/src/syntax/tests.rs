//! Every grammar's query compiles, and its fixture gives the symbols that are written down beside it.
//!
//! `tests/symbols/NAME/` holds a sample and `expected.txt`. With `WHEREIN_BLESS=1` the expectation is written anew, for
//! its author to read line by line.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use super::*;
use crate::scan::language;

fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/symbols")
}

/// The sample of one grammar: its file name and text.
pub(super) fn sample(name: &str) -> Option<(String, String)> {
    let entries = std::fs::read_dir(fixtures().join(name)).ok()?.flatten();
    let mut files = entries.map(|e| e.path()).filter(|p| !p.ends_with("expected.txt"));
    let path = files.next()?;
    let text = std::fs::read_to_string(&path).ok()?;
    Some((path.file_name()?.to_string_lossy().into_owned(), text))
}

fn parse(file_name: &str, text: &str) -> Syntax {
    let language = language::detect(file_name, text.as_bytes());
    SyntaxParser::default().parse(language, file_name, text)
}

/// The identifier that begins at a byte.
fn word_at(text: &str, at: u32) -> &str {
    let rest = &text[at as usize..];
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    &rest[..rest.find(|c| !is_part(c)).unwrap_or(rest.len())]
}

/// The symbols as they stand in `expected.txt`.
fn written(text: &str, syntax: &Syntax) -> String {
    let mut out = String::new();
    for node in &syntax.symbols {
        let symbol = &node.symbol;
        let lines = format!("{}-{}", symbol.start_line, symbol.end_line);
        writeln!(out, "{lines} {} {}", symbol.kind, symbol.qualified()).expect("a string");
        let mut more = |what: &str, text: &str| {
            if !text.is_empty() {
                writeln!(out, "    {what}{text}").expect("a string");
            }
        };
        more("", &symbol.signature);
        if symbol.name_line != symbol.start_line {
            more("name in line ", &symbol.name_line.to_string());
        }
        more("module ", symbol.module.as_deref().unwrap_or_default());
        symbol.annotations.iter().for_each(|text| more("with ", text));
        more("route ", &symbol.route.as_ref().map(ToString::to_string).unwrap_or_default());
        more("doc ", symbol.doc.as_deref().unwrap_or_default());
    }
    let mut calls: Vec<&str> = syntax.calls.iter().map(|at| word_at(text, *at)).collect();
    calls.sort_unstable();
    calls.dedup();
    writeln!(out, "calls {}", calls.join(" ")).expect("a string");
    out
}

#[test]
fn queries_compile_against_their_grammars() {
    for source in language::sources() {
        let (name, language) = (source.name, tree_sitter::Language::new(source.grammar));
        let theirs = tree_sitter::Query::new(&language, source.query);
        assert!(theirs.is_ok(), "queries of {name}: {}", theirs.unwrap_err());
        let ours = grammar::Grammar::compile(source.grammar, source.query);
        assert!(ours.is_ok(), "queries of {name}: {}", ours.unwrap_err());
        let expressions = ours.iter().flat_map(|grammar| grammar.patterns.expressions());
        for expression in expressions {
            let compiled = regex::bytes::Regex::new(expression);
            assert!(compiled.is_ok(), "queries of {name}: {}", compiled.unwrap_err());
        }
    }
}

#[test]
fn fixtures_give_the_symbols_written_down_beside_them() {
    let mut wrong = Vec::new();
    for source in language::sources() {
        let Some((file_name, text)) = sample(source.name) else {
            wrong.push(format!("{}: no fixture", source.name));
            continue;
        };
        let found = written(&text, &parse(&file_name, &text));
        let beside = fixtures().join(source.name).join("expected.txt");
        if std::env::var_os("WHEREIN_BLESS").is_some() {
            std::fs::write(&beside, &found).expect("an expectation");
        }
        let expected = std::fs::read_to_string(&beside).unwrap_or_default();
        if found != expected || found.is_empty() {
            wrong.push(format!("{}: expected\n{expected}\nfound\n{found}", source.name));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Every byte of the first part of a fixture, and single ones of the rest.
fn cuts(len: usize, stride: usize) -> impl Iterator<Item = usize> {
    const WHOLE: usize = 600;
    (0..len.min(WHOLE)).chain((WHOLE..len).step_by(stride))
}

/// What holds of the symbols of any text.
fn check_places(what: &str, text: &str, syntax: &Syntax) {
    let n_lines = text.split('\n').count() as u32;
    for (i, node) in syntax.symbols.iter().enumerate() {
        let symbol = &node.symbol;
        let places = [node.top_line, symbol.start_line, symbol.name_line, symbol.end_line];
        assert!(places.is_sorted(), "{what}: {places:?} of {symbol:?}");
        assert!(node.top_line > 0 && symbol.end_line <= n_lines, "{what}: {symbol:?}");
        assert!(
            (symbol.start_line..=symbol.end_line).contains(&node.body_line),
            "{what}: {node:?}"
        );
        assert!(node.parent_idx.is_none_or(|parent| parent < i), "{what}: {node:?}");
        assert!(!symbol.name.trim().is_empty(), "{what}: {symbol:?}");
    }
    for offsets in [&syntax.names, &syntax.calls] {
        assert!(offsets.is_sorted_by(|a, b| a < b), "{what}: {offsets:?}");
        assert!(offsets.iter().all(|at| text.is_char_boundary(*at as usize)), "{what}");
    }
    let apart = syntax.prose.windows(2).all(|two| two[0].end <= two[1].start);
    assert!(
        apart && syntax.prose.last().is_none_or(|last| last.end as usize <= text.len()),
        "{what}"
    );
}

#[test]
fn fixtures_cut_at_every_byte_give_symbols_in_their_place() {
    let mut parser = SyntaxParser::default();
    for (i, source) in language::sources().enumerate() {
        let Some((file_name, text)) = sample(source.name) else { continue };
        let language = language::detect(&file_name, text.as_bytes());
        // Different strides, so that not every language is cut at the same bytes.
        for at in cuts(text.len(), [7, 11, 13][i % 3]) {
            let cut = String::from_utf8_lossy(&text.as_bytes()[..at]);
            let syntax = parser.parse(language, &file_name, &cut);
            check_places(&format!("{} cut at {at}", source.name), &cut, &syntax);
        }
    }
}

//! Our matcher against tree-sitter's own queries, over every fixture, whole and broken.

use std::collections::BTreeSet;

use tree_sitter::{Language, Node, Parser, Query, QueryCursor, StreamingIterator, Tree};

use super::{Matcher, Patterns};
use crate::scan::language::{self, Source};
use crate::syntax::limits;
use crate::syntax::tests::sample;

/// A pattern and its captures: name, bytes, kind.
pub(in crate::syntax) type Found = (usize, Vec<(String, usize, usize, String)>);

fn found<'t, 'n>(pattern: usize, captures: impl Iterator<Item = (&'n str, Node<'t>)>) -> Found {
    let place = |(name, node): (&str, Node<'_>)| {
        (name.to_owned(), node.start_byte(), node.end_byte(), node.kind().to_owned())
    };
    let mut captures: Vec<_> = captures.map(place).collect();
    captures.sort();
    (pattern, captures)
}

/// What each finds at a node: tree-sitter's query first.
pub(in crate::syntax) fn both<'t>(
    query: &Query,
    cursor: &mut QueryCursor,
    patterns: &Patterns,
    matcher: &mut Matcher<'t>,
    node: Node<'t>,
    text: &str,
) -> [BTreeSet<Found>; 2] {
    let mut theirs = BTreeSet::new();
    let names = query.capture_names();
    let mut matches = cursor.matches(query, node, text.as_bytes());
    while let Some(m) = matches.next() {
        let captures = m.captures().iter().map(|c| (names[c.index as usize], c.node));
        theirs.insert(found(m.pattern_index, captures));
    }
    let mut ours = BTreeSet::new();
    let names = patterns.capture_names();
    for (pattern, captures) in matcher.find(patterns, node, text.as_bytes()) {
        let captures = captures.iter().map(|(i, node)| (names[usize::from(*i)].as_str(), *node));
        let is_new = ours.insert(found(pattern, captures));
        assert!(is_new, "pattern {pattern} is found twice");
    }
    [theirs, ours]
}

fn each_node<'t>(tree: &'t Tree, mut visit: impl FnMut(Node<'t>)) {
    let mut cursor = tree.walk();
    loop {
        visit(cursor.node());
        if cursor.goto_first_child() {
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return;
            }
        }
    }
}

/// A fixture whole, cut at twenty places, and with a piece missing at as many.
fn broken(text: &str) -> Vec<String> {
    const N: usize = 20;
    let cut = |at: usize| String::from_utf8_lossy(&text.as_bytes()[..at]).into_owned();
    let gap = |at: usize| {
        let rest = String::from_utf8_lossy(&text.as_bytes()[(at + 5).min(text.len())..]);
        format!("{}{rest}", cut(at))
    };
    let places = (1..N).map(|i| i * text.len() / N);
    let cuts = places.clone().map(|at| format!("{}\n", cut(at)));
    std::iter::once(text.to_owned()).chain(cuts).chain(places.map(gap)).collect()
}

/// Where the two differ over the fixture of one grammar.
fn differences(source: &Source) -> Vec<String> {
    let Some((_, text)) = sample(source.name) else { return Vec::new() };
    let language = Language::new(source.grammar);
    let query = Query::new(&language, source.query).expect("a query");
    let patterns = Patterns::read(&language, source.query).expect("patterns");
    let mut cursor = QueryCursor::new();
    cursor.set_max_start_depth(Some(0));
    let mut parser = Parser::new();
    parser.set_language(&language).expect("a language");
    let mut wrong = Vec::new();
    for text in broken(&text) {
        let Some(tree) = limits::parse(&mut parser, &text) else { continue };
        let mut matcher = Matcher::new(tree.root_node());
        each_node(&tree, |node| {
            if patterns.beginning_with(node.kind_id()).is_empty() {
                return;
            }
            let [theirs, ours] = both(&query, &mut cursor, &patterns, &mut matcher, node, &text);
            let name = source.name;
            let at = format!("{name}: {} in line {}", node.kind(), node.start_position().row + 1);
            for one in theirs.difference(&ours) {
                wrong.push(format!("{at}: missed {one:?}"));
            }
            for one in ours.difference(&theirs) {
                wrong.push(format!("{at}: too much {one:?}"));
            }
        });
    }
    wrong.sort();
    wrong.dedup();
    wrong
}

#[test]
fn matches_are_those_of_tree_sitter() {
    let wrong: Vec<String> = language::sources().flat_map(differences).collect();
    assert!(wrong.is_empty(), "{} differences:\n{}", wrong.len(), wrong.join("\n"));
}

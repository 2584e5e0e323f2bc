//! The shape of a source tree: the length of every line and no text. A tree made of it is cut into the same
//! chunks as the original, so that the exact facts of design §8 are tests everywhere.
//!
//! A table has one line a file: path, tab, then the lines as lengths in characters without their line ending:
//! `72` one line, `0*3` three of the same length, `8b` a line of white space alone. A final `-` says that the
//! file's last line has no newline.

use std::fmt::Write;

use crate::fixture::Tree;

/// The kept text files of psf/requests at v2.32.3, as [`row`] tells them.
pub(crate) const REQUESTS: &str = include_str!("requests_shape.txt");

/// One file's row of a table, without its newline.
pub(crate) fn row(path: &str, text: &str) -> String {
    let body = text.strip_suffix('\n').unwrap_or(text);
    let lines: Vec<(usize, bool)> = match text.is_empty() {
        true => Vec::new(),
        false => body
            .split('\n')
            .map(|l| (l.chars().count(), l.trim().is_empty() && !l.is_empty()))
            .collect(),
    };
    let mut row = format!("{path}\t");
    for run in lines.chunk_by(|a, b| a == b) {
        let ((length, is_blank), n) = (run[0], run.len());
        let separator = if row.ends_with('\t') { "" } else { " " };
        let mark = if is_blank { "b" } else { "" };
        let times = if n > 1 { format!("*{n}") } else { String::new() };
        write!(row, "{separator}{length}{mark}{times}").expect("a string grows");
    }
    if !text.is_empty() && !text.ends_with('\n') {
        row.push_str(" -");
    }
    row
}

/// A text with the lines that a row tells.
fn text_of(lines: &str) -> String {
    let mut text = String::new();
    for run in lines.split(' ').filter(|run| !run.is_empty()) {
        if run == "-" {
            text.pop();
            continue;
        }
        let (length, n) = run.split_once('*').unwrap_or((run, "1"));
        let letter = if length.ends_with('b') { " " } else { "x" };
        let length: usize = length.trim_end_matches('b').parse().expect("a length");
        for _ in 0..n.parse().expect("a count") {
            text.push_str(&letter.repeat(length));
            text.push('\n');
        }
    }
    text
}

/// A tree of the table's shape, below `prefix` alone.
pub(crate) fn tree_of(table: &str, prefix: &str) -> Tree {
    let tree = Tree::new("");
    for line in table.lines() {
        let (path, lines) = line.split_once('\t').expect("a path and its lines");
        if path.starts_with(prefix) {
            tree.write(path, text_of(lines));
        }
    }
    tree
}

#[test]
fn a_row_keeps_the_shape() {
    for text in ["", "\n", "a", "a\n", "ab\n\n\n  \nab\nabc", "\n\n", "é\r\n\t\n한\n"] {
        let told = row("p", text);
        let (_, lines) = told.split_once('\t').unwrap();
        let made = text_of(lines);
        assert_eq!(row("p", &made), told, "{text:?} → {told} → {made:?}");
        assert_eq!(made.chars().count(), text.chars().count(), "{text:?}");
    }
}

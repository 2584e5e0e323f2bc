//! Whole-line comments and the lines of code below each.
//!
//! By the marks that lines begin with: what stands inside strings may be mistaken for a comment, and is then a bad pair
//! among many. Must not parse.

use std::ops::Range;

/// Lines of a comment, and of what stands below, that are read.
const MAX_LINES: usize = 12;

/// A comment without its marks, and the lines that follow it.
#[derive(Debug)]
pub(super) struct Comment {
    pub(super) text: Vec<String>,
    pub(super) code: Range<usize>,
}

fn marks(language: &str) -> &'static [&'static str] {
    match language {
        "python" | "ruby" | "elixir" | "bash" | "r" | "yaml" | "toml" | "dockerfile" => &["#"],
        "lua" | "haskell" | "sql" => &["--"],
        "php" => &["//", "#"],
        "markdown" | "html" | "xml" | "json" | "css" => &[],
        _ => &["//", "/*", "* ", "*/"],
    }
}

fn is_comment(line: &str, marks: &[&str]) -> bool {
    let line = line.trim_start();
    marks.iter().any(|mark| line.starts_with(mark))
        && !line.starts_with("#!")
        && !line.starts_with("#[")
}

fn indent(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

/// The comments inside code, in order.
pub(super) fn find(language: &str, lines: &[&str]) -> Vec<Comment> {
    let marks = marks(language);
    let mut found = Vec::new();
    let mut at = 0;
    while at < lines.len() {
        if !is_comment(lines[at], marks) {
            at += 1;
            continue;
        }
        let is_more = |line: &&&str| is_comment(line, marks);
        let n = lines[at..].iter().take_while(is_more).count();
        let below = at + n;
        if n <= MAX_LINES && lines.get(below).is_some_and(|line| !line.trim().is_empty()) {
            let code = below..below + block(&lines[below..], marks);
            let bare = |line: &&str| {
                line.trim().trim_matches(['/', '#', '-', '!', '|', '*', ' ']).to_owned()
            };
            found.push(Comment { text: lines[at..below].iter().map(bare).collect(), code });
        }
        at = below;
    }
    found
}

/// Lines up to an empty one, another comment or the end of the block.
fn block(lines: &[&str], marks: &[&str]) -> usize {
    let depth = indent(lines[0]);
    let belongs =
        |line: &&&str| !line.trim().is_empty() && indent(line) >= depth && !is_comment(line, marks);
    lines.iter().take(MAX_LINES).take_while(belongs).count()
}

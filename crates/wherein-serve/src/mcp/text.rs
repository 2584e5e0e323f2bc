//! Answers as an agent reads them: `path:start-end`, what stands there, and the lines without what costs tokens and tells
//! nothing (common indentation, empty lines). The structured form beside it holds everything.

use std::fmt::Write;

use wherein_wire::{Code, Hit, SearchResult, Status, SymbolResult, UsageResult};

/// The most lines of one result; the range says where the rest is.
const MAX_LINES: usize = 14;
/// Longer lines are cut.
const MAX_CHARS: usize = 200;

/// Ranked results.
pub(super) fn ranked(result: &SearchResult) -> String {
    let mut text = String::new();
    for hit in &result.hits {
        let _ = write!(text, "{}:{}-{}", hit.path, hit.start_line, hit.end_line);
        if let Some(symbol) = &hit.symbol {
            let parent =
                symbol.parent.as_ref().map(|parent| format!("{parent}.")).unwrap_or_default();
            let _ = write!(text, " {} {parent}{}", symbol.kind, symbol.name);
        }
        if hit.kind != "source" {
            let _ = write!(text, " [{}]", hit.kind);
        }
        if !hit.copies.is_empty() {
            let _ = write!(text, " (+{} copies)", hit.copies.len());
        }
        text.push('\n');
        lines(&mut text, hit);
    }
    if result.hits.is_empty() {
        text.push_str("nothing found\n");
        not_searched(&mut text, result.skipped.iter());
    } else if result.confidence == Some("low") {
        text.push_str("note: none of these may be it; ask in other words or try exact_search\n");
    }
    notes(&mut text, &result.degraded);
    text
}

/// Every line, as grep prints it.
pub(super) fn exact(result: &SearchResult) -> String {
    let mut text = String::new();
    for hit in &result.hits {
        let line = hit.snippet.lines().next().unwrap_or_default();
        let _ = writeln!(text, "{}:{}:{}", hit.path, hit.start_line, cut(line.trim()));
    }
    let n_shown = result.hits.len() as u64;
    if n_shown == 0 {
        text.push_str("nothing found\n");
        not_searched(&mut text, result.skipped.iter());
    } else if result.n_matches > n_shown {
        let _ = writeln!(
            text,
            "note: {n_shown} of {} matching lines shown; raise limit or narrow path",
            result.n_matches
        );
    }
    notes(&mut text, &result.degraded);
    text
}

/// Definitions.
pub(super) fn symbols(result: &SymbolResult) -> String {
    let mut text = String::new();
    for found in &result.symbols {
        let symbol = &found.symbol;
        let signature = symbol.signature.split_whitespace().collect::<Vec<_>>().join(" ");
        let _ = writeln!(
            text,
            "{}:{}-{} {} {}",
            found.path,
            found.start_line,
            found.end_line,
            symbol.kind,
            cut(if signature.is_empty() { &symbol.name } else { &signature })
        );
    }
    more(&mut text, result.symbols.len(), result.n_matches, "symbols");
    notes(&mut text, &result.degraded);
    text
}

/// Usages.
pub(super) fn usages(result: &UsageResult) -> String {
    let mut text = String::new();
    for usage in &result.usages {
        let inside =
            usage.inside.as_ref().map(|inside| format!(" in {inside}")).unwrap_or_default();
        let _ = writeln!(
            text,
            "{}:{} {}{inside}: {}",
            usage.path,
            usage.line,
            usage.usage,
            cut(usage.text.trim())
        );
    }
    more(&mut text, result.usages.len(), result.n_matches, "lines");
    if result.usages.is_empty() && result.n_definitions > 0 {
        let _ =
            writeln!(text, "it is defined ({} lines) and used nowhere else", result.n_definitions);
    }
    notes(&mut text, &result.degraded);
    text
}

/// Lines of a file.
pub(super) fn code(code: &Code) -> String {
    let mut text = format!("{}:{}-{}", code.path, code.start_line, code.end_line);
    let _ = writeln!(text, " of {} lines", code.n_lines);
    text.push_str(&code.text);
    if !code.text.ends_with('\n') {
        text.push('\n');
    }
    if code.truncated {
        let _ = writeln!(text, "note: cut; go on with start_line {}", code.end_line + 1);
    }
    text
}

/// The state of an index.
pub(super) fn status(status: &Status, state: &str) -> String {
    let mut text = format!("{}: {state}\n", status.root);
    let _ = writeln!(
        text,
        "{} files, {} chunks, {} vectors, model {}, generation {}{}",
        status.files,
        status.chunks,
        status.vectors,
        status.model.as_deref().unwrap_or("none"),
        status.generation,
        if status.stale { ", files have changed since" } else { "" },
    );
    not_searched(&mut text, status.skipped.iter());
    for problem in status.problems.iter().take(10) {
        let _ = writeln!(text, "problem: {}: {}", problem.path, problem.reason);
    }
    text
}

fn more(text: &mut String, n_shown: usize, n_matches: u64, what: &str) {
    if n_shown == 0 {
        text.push_str("nothing found\n");
    } else if n_matches > n_shown as u64 {
        let _ = writeln!(text, "note: {n_shown} of {n_matches} {what} shown");
    }
}

fn notes(text: &mut String, degraded: &[String]) {
    for line in degraded {
        let _ = writeln!(text, "note: {line}");
    }
}

fn not_searched<'a>(text: &mut String, skipped: impl Iterator<Item = (&'a str, u64)>) {
    let some: Vec<String> = skipped
        .filter(|(_, count)| *count > 0)
        .map(|(reason, count)| format!("{count} {}", reason.replace('_', " ")))
        .collect();
    if !some.is_empty() {
        let _ = writeln!(text, "not searched: {}", some.join(", "));
    }
}

/// The lines of a hit without their common indentation.
fn lines(text: &mut String, hit: &Hit) {
    let lines = || hit.snippet.lines().filter(|line| !line.trim().is_empty());
    let indent = |line: &str| line.len() - line.trim_start().len();
    let common = lines().map(indent).min().unwrap_or(0);
    for line in lines().take(MAX_LINES) {
        // All begin with that much white space, of whatever kind.
        let line = line.get(common..).unwrap_or_else(|| line.trim_start());
        let _ = writeln!(text, "  {}", cut(line.trim_end()));
    }
    if lines().count() > MAX_LINES {
        text.push_str("  …\n");
    }
}

fn cut(line: &str) -> String {
    match line.char_indices().nth(MAX_CHARS) {
        Some((at, _)) => format!("{}…", &line[..at]),
        None => line.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lines_are_cut_between_characters() {
        assert_eq!(cut("short"), "short");
        let long = "é".repeat(MAX_CHARS + 1);
        assert_eq!(cut(&long).chars().count(), MAX_CHARS + 1);
    }
}

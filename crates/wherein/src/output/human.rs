//! Results for people: a header a hit, numbered lines, what matched in colour.
//!
//! Exact and regex results stand under their path, as one line each. Paths and lines are made harmless
//! here, because a terminal or an agent's log will show them.

use std::path::Path;

use wherein_engine::{Copy, Hit, SnippetLine};

use super::Printer;
use super::link::linked;
use super::style::{DIM, MATCH, NUMBER, PATH, paint};
use super::text::{visible, window};
use crate::failure::Outcome;

/// Copies of a hit that are named.
const MAX_COPIES: usize = 2;

/// Where the reader stands.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Stand<'a> {
    /// The folder that paths are relative to.
    pub(crate) searched: &'a Path,
    /// The repository of each hit; none where no repository was named.
    pub(crate) names: &'a [String],
}

impl Stand<'_> {
    /// `  [name]` for a hit of a named repository.
    fn name(&self, printer: &Printer, idx: usize) -> String {
        let name = self.names.get(idx).map(|name| format!("[{}]", visible(name)));
        name.map_or_else(String::new, |name| format!("  {}", paint(printer.color, DIM, &name)))
    }
}

/// Ranked hits, best first.
pub(crate) fn ranked(
    printer: &mut Printer,
    stand: Stand<'_>,
    hits: &[Hit],
    explain: bool,
) -> Outcome<()> {
    for (idx, hit) in hits.iter().enumerate() {
        if idx > 0 {
            writeln!(printer.out())?;
        }
        let name = stand.name(printer, idx);
        header(printer, stand.searched, hit, &name)?;
        if explain {
            let said = [reasons(hit), explained(hit)];
            for text in said.iter().filter(|text| !text.is_empty()) {
                let text = paint(printer.color, DIM, &visible(text));
                writeln!(printer.out(), "  {text}")?;
            }
        }
        snippet(printer, &hit.snippet)?;
        copies(printer, hit)?;
    }
    Ok(())
}

/// The reasons of a hit, in one line.
pub(super) fn reasons(hit: &Hit) -> String {
    hit.parts.reasons.join("; ")
}

/// The places that share a hit's place, in one line, where somebody watches: other readers get one line a hit.
fn copies(printer: &mut Printer, hit: &Hit) -> Outcome<()> {
    if hit.copies.is_empty() || !printer.terminal {
        return Ok(());
    }
    let text = paint(printer.color, DIM, &visible(&same_text(&hit.copies)));
    writeln!(printer.out(), "  {text}")?;
    Ok(())
}

/// `same text: a.rs:1-9, b.rs:3-11 and 4 more`.
fn same_text(copies: &[Copy]) -> String {
    let (named, more) = copies.split_at(copies.len().min(MAX_COPIES));
    let place = |copy: &Copy| format!("{}:{}-{}", copy.path, copy.start_line, copy.end_line);
    let named: Vec<String> = named.iter().map(place).collect();
    let named = named.join(", ");
    match more.len() {
        0 => format!("same text: {named}"),
        n => format!("same text: {named} and {n} more"),
    }
}

/// Exact and regex hits, grouped under their files.
pub(crate) fn grouped(printer: &mut Printer, stand: Stand<'_>, hits: &[Hit]) -> Outcome<()> {
    let mut hit_idx = 0;
    for (idx, group) in hits.chunk_by(super::lines::same_file).enumerate() {
        if idx > 0 {
            writeln!(printer.out())?;
        }
        let path = path(printer, stand.searched, &group[0].path, "");
        let name = stand.name(printer, hit_idx);
        hit_idx += group.len();
        writeln!(printer.out(), "{path}{name}")?;
        for run in super::lines::runs(group) {
            snippet(printer, &run.into_iter().map(|(_, line)| line.clone()).collect::<Vec<_>>())?;
        }
    }
    Ok(())
}

/// `path:start-end  [repository]  kind language score  function Parent.name  GET /route`.
fn header(printer: &mut Printer, searched: &Path, hit: &Hit, name: &str) -> Outcome<()> {
    let place = format!(":{}-{}", hit.start_line, hit.end_line);
    let path = path(printer, searched, &hit.path, &place);
    let mut about = hit.kind.to_string();
    for word in [hit.language.clone(), short(hit.score)] {
        if !word.is_empty() {
            about = format!("{about} {word}");
        }
    }
    if let Some(symbol) = &hit.symbol {
        about = format!("{about}  {} {}", symbol.kind, symbol.qualified());
        if let Some(route) = super::lookup::route(symbol) {
            about = format!("{about}  {route}");
        }
    }
    let about = paint(printer.color, DIM, &visible(&about));
    writeln!(printer.out(), "{path}{name}  {about}")?;
    Ok(())
}

/// The path with what follows it, painted and linked as the terminal allows.
pub(super) fn path(printer: &Printer, searched: &Path, path: &str, place: &str) -> String {
    let shown = format!("{}{place}", visible(path));
    let shown = paint(printer.color, PATH, &shown);
    if printer.links { linked(&shown, &searched.join(path)) } else { shown }
}

/// Numbered lines.
fn snippet(printer: &mut Printer, lines: &[SnippetLine]) -> Outcome<()> {
    let digits = lines.last().map_or(1, |line| line.number.to_string().len()).max(4);
    let width = printer.width.saturating_sub(digits + 4);
    for line in lines {
        let number = paint(printer.color, NUMBER, &format!("{:>digits$}", line.number));
        let text = shown_line(line, width, printer.color);
        writeln!(printer.out(), "{number}  {text}")?;
    }
    Ok(())
}

/// The line cut to `width` around its first match, harmless, with matches painted.
pub(super) fn shown_line(line: &SnippetLine, width: usize, color: bool) -> String {
    let text = line.text.as_str();
    let shown = window(text, line.highlights.first(), width);
    let mut parts = String::new();
    let mut at = shown.start;
    if shown.start > 0 {
        parts.push('…');
    }
    for highlight in line.highlights.iter().filter(|_| color) {
        let (start, end) = (highlight.start.max(at), highlight.end.min(shown.end));
        // A range that does not fit the text is left unpainted.
        let (Some(before), Some(matched)) = (text.get(at..start), text.get(start..end)) else {
            continue;
        };
        if matched.is_empty() {
            continue;
        }
        parts.push_str(&visible(before));
        parts.push_str(&paint(true, MATCH, &visible(matched)));
        at = end;
    }
    parts.push_str(&visible(text.get(at..shown.end).unwrap_or_default()));
    if shown.end < text.len() {
        parts.push('…');
    }
    parts
}

/// The score with as many digits as tell hits apart: fused ones are parts of 1/60.
fn short(score: f32) -> String {
    if score.abs() < 0.1 { format!("{score:.4}") } else { format!("{score:.2}") }
}

/// What the score is made of, in one line.
fn explained(hit: &Hit) -> String {
    let parts = &hit.parts;
    let mut said = vec![format!("score {:.4}", hit.score)];
    if let (Some(rank), Some(score)) = (parts.lexical_rank, parts.lexical) {
        said.push(format!("lexical #{rank} {score:.3}"));
    }
    if let (Some(rank), Some(score)) = (parts.dense_rank, parts.dense) {
        said.push(format!("dense #{rank} cosine {score:.3}"));
    }
    said.extend(parts.boosts.iter().map(|(name, factor)| format!("{name} {factor:+.4}")));
    if !parts.terms.is_empty() {
        let terms = parts.terms.iter();
        let terms: Vec<_> =
            terms.map(|term| format!("{} ({}) {:.2}", term.term, term.field, term.score)).collect();
        said.push(format!("terms {}", terms.join(", ")));
    }
    said.join("; ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use wherein_engine::{Kind, ScoreParts};

    fn line(text: &str, highlight: std::ops::Range<usize>) -> SnippetLine {
        SnippetLine { number: 1, text: text.to_owned(), highlights: vec![highlight] }
    }

    #[test]
    fn a_match_is_painted_and_the_rest_is_not() {
        let shown = shown_line(&line("let auth = 1;", 4..8), 80, true);
        assert!(shown.starts_with("let \x1b["), "{shown:?}");
        assert_eq!(shown_line(&line("let auth = 1;", 4..8), 80, false), "let auth = 1;");
    }

    #[test]
    fn escape_codes_of_a_file_never_pass() {
        assert!(!shown_line(&line("\x1b]0;owned\x07", 0..1), 80, false).contains('\x1b'));
    }

    fn hit(parts: ScoreParts) -> Hit {
        Hit {
            path: "a.rs".to_owned(),
            start_line: 1,
            end_line: 2,
            column: 1,
            kind: Kind::Source,
            language: "rust".to_owned(),
            symbol: None,
            score: 0.0325,
            parts,
            copies: Vec::new(),
            snippet: Vec::new(),
        }
    }

    #[test]
    fn a_fused_hit_tells_both_places_and_what_they_gave() {
        let parts = ScoreParts {
            lexical_rank: Some(3),
            lexical: Some(7.5),
            dense_rank: Some(1),
            dense: Some(0.612),
            boosts: [("rrf", 0.0325)].into(),
            ..ScoreParts::default()
        };
        let wanted = "score 0.0325; lexical #3 7.500; dense #1 cosine 0.612; rrf +0.0325";
        assert_eq!(explained(&hit(parts)), wanted);
        assert_eq!((short(0.0325).as_str(), short(7.961).as_str()), ("0.0325", "7.96"));
    }

    #[test]
    fn a_few_copies_are_named_and_the_others_counted() {
        let copy = |path: &str| Copy { path: path.to_owned(), start_line: 1, end_line: 9 };
        let copies = ["a.rs", "b.rs", "c.rs", "d.rs"].map(copy);
        assert_eq!(same_text(&copies[..1]), "same text: a.rs:1-9");
        assert_eq!(same_text(&copies), "same text: a.rs:1-9, b.rs:1-9 and 2 more");
    }

    #[test]
    fn a_highlight_outside_of_the_text_is_ignored() {
        assert_eq!(shown_line(&line("é", 1..9), 80, true), "é");
    }
}

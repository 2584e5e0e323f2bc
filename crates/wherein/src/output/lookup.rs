//! Look-ups by name for people: symbols, usages and outlines.
//!
//! The first column of symbols and usages reads as grep's does. Into a pipe columns are two spaces apart, on a terminal
//! they are aligned. Names and lines are made harmless, because a terminal or an agent's log will show them.

use std::ops::Range;
use std::path::Path;

use wherein_engine::{FileOutline, FoundSymbol, FoundUsage, Route, SnippetLine, Symbol};

use super::Printer;
use super::columns::{Cell, Row, write_all};
use super::human::{path, shown_line};
use super::lines::editor_line;
use super::style::{DIM, NUMBER, paint};
use super::text::{visible, window};
use crate::failure::Outcome;

/// `path:start-end  kind  Parent.name  signature`, one line a symbol.
pub(crate) fn symbols(
    printer: &mut Printer,
    searched: &Path,
    symbols: &[FoundSymbol],
) -> Outcome<()> {
    let row = |found: &FoundSymbol| {
        let FoundSymbol { path: file, symbol, .. } = found;
        let lines = format!(":{}", lines_of(symbol));
        let place =
            Cell::new(&format!("{}{lines}", visible(file)), path(printer, searched, file, &lines));
        Row { cells: [place, kind(printer, symbol), name(&symbol.qualified())], ..Row::default() }
    };
    let rows: Vec<Row<3>> = symbols.iter().map(row).collect();
    write_all(printer, &rows, |idx, width, color| about(&symbols[idx].symbol, width, color))
}

/// `path:line:  call  the line`, one line a usage.
pub(crate) fn usages(
    printer: &mut Printer,
    searched: &Path,
    name: &str,
    usages: &[FoundUsage],
) -> Outcome<()> {
    let row = |found: &FoundUsage| {
        let line = format!(":{}:", found.line);
        let place = Cell::new(
            &format!("{}{line}", visible(&found.path)),
            path(printer, searched, &found.path, &line),
        );
        let class = found.usage.as_str();
        let class = Cell::new(class, paint(printer.color, DIM, class));
        Row { cells: [place, class], ..Row::default() }
    };
    let rows: Vec<Row<2>> = usages.iter().map(row).collect();
    write_all(printer, &rows, |idx, width, color| {
        let text = usages[idx].text.trim().to_owned();
        let highlights = occurrences(&text, bare(name));
        shown_line(&SnippetLine { number: usages[idx].line, text, highlights }, width, color)
    })
}

/// The symbols of each file under its path, those inside others indented. A file that was asked for by itself is not
/// named again, and files that have nothing to list are left out unless there is a reason to tell.
pub(crate) fn outline(
    printer: &mut Printer,
    searched: &Path,
    files: &[FileOutline],
    is_one_file: bool,
) -> Outcome<()> {
    for file in files.iter().filter(|file| !file.symbols.is_empty() || file.fallback.is_some()) {
        let shown = path(printer, searched, &file.path, "");
        match &file.fallback {
            Some(why) => {
                let why = paint(printer.color, DIM, &visible(why));
                writeln!(printer.out(), "{shown}  {why}")?;
            }
            None if is_one_file => {}
            None => writeln!(printer.out(), "{shown}")?,
        }
        let margin = if is_one_file { 0 } else { 1 };
        file_symbols(printer, &file.symbols, margin)?;
    }
    Ok(())
}

fn file_symbols(printer: &mut Printer, symbols: &[Symbol], margin: usize) -> Outcome<()> {
    let nested = nested(symbols);
    let row = |(symbol, (depth, inner)): (&Symbol, &(usize, String))| {
        let lines = lines_of(symbol);
        let lines = Cell::new(&lines, paint(printer.color, NUMBER, &lines));
        let cells = [lines, kind(printer, symbol), name(inner)];
        Row { indent: "  ".repeat(margin + depth), cells }
    };
    let rows: Vec<Row<3>> = symbols.iter().zip(&nested).map(row).collect();
    write_all(printer, &rows, |idx, width, color| about(&symbols[idx], width, color))
}

/// `path:line:1:signature`, as editors read it.
pub(crate) fn vimgrep_symbols(printer: &mut Printer, symbols: &[FoundSymbol]) -> Outcome<()> {
    for FoundSymbol { path, symbol, .. } in symbols {
        let text = if symbol.signature.is_empty() { &symbol.name } else { &symbol.signature };
        editor_line(printer, path, (symbol.name_line, 1, text))?;
    }
    Ok(())
}

/// `path:line:column:the line`, as editors read it.
pub(crate) fn vimgrep_usages(
    printer: &mut Printer,
    name: &str,
    usages: &[FoundUsage],
) -> Outcome<()> {
    for FoundUsage { path, line, text, .. } in usages {
        let column = occurrences(text, bare(name)).first().map_or(1, |range| range.start + 1);
        editor_line(printer, path, (*line, column, text))?;
    }
    Ok(())
}

/// The route of a symbol, unless it is its name already.
pub(super) fn route(symbol: &Symbol) -> Option<&Route> {
    symbol.route.as_ref().filter(|route| route.to_string() != symbol.name)
}

fn lines_of(symbol: &Symbol) -> String {
    format!("{}-{}", symbol.start_line, symbol.end_line)
}

fn kind(printer: &Printer, symbol: &Symbol) -> Cell {
    let kind = symbol.kind.as_str();
    Cell::new(kind, paint(printer.color, DIM, kind))
}

fn name(name: &str) -> Cell {
    let name = visible(name);
    Cell::new(&name, name.clone().into_owned())
}

/// The route and the signature as far as `width` columns hold them.
fn about(symbol: &Symbol, width: usize, color: bool) -> String {
    let signature = Some(&symbol.signature).filter(|text| **text != symbol.name);
    let parts = [route(symbol).map(Route::to_string), signature.cloned()];
    let text = parts.into_iter().flatten().collect::<Vec<_>>().join("  ");
    let text = visible(&text);
    let shown = window(&text, None, width.saturating_sub(1));
    let cut = if shown.end < text.len() { "…" } else { "" };
    let text = format!("{}{cut}", &text[shown]);
    if text.is_empty() { text } else { paint(color, DIM, &text) }
}

/// How deep each symbol stands in those before it, and its name as seen from there. A symbol whose parent is not around
/// it (a method of Go, or one whose class is filtered out) keeps its whole name.
fn nested(symbols: &[Symbol]) -> Vec<(usize, String)> {
    let mut around: Vec<(u32, usize, String)> = Vec::new();
    let mut nested = Vec::with_capacity(symbols.len());
    for symbol in symbols {
        let whole = symbol.qualified();
        around.retain(|(end, ..)| *end >= symbol.end_line);
        let inner = around.iter().rev().find_map(|(_, depth, outer)| {
            let inner = whole.strip_prefix(outer.as_str())?.strip_prefix('.')?;
            Some((depth + 1, inner.to_owned()))
        });
        let (depth, shown) = inner.unwrap_or_else(|| (0, whole.clone()));
        around.push((symbol.end_line, depth, whole));
        nested.push((depth, shown));
    }
    nested
}

/// The part of a name that stands in the code where it is used: the last one, without what only definitions have.
fn bare(name: &str) -> &str {
    let name = name.trim();
    let name = name.strip_suffix("()").unwrap_or(name).trim_end_matches(['!', '?']);
    name.rsplit(['.', ':', '#']).next().unwrap_or(name)
}

/// Where `name` stands in `text` as a word of its own.
fn occurrences(text: &str, name: &str) -> Vec<Range<usize>> {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let stands_alone = |start: usize, end: usize| {
        let before = text[..start].chars().next_back();
        let after = text[end..].chars().next();
        !before.is_some_and(is_word) && !after.is_some_and(is_word)
    };
    if name.is_empty() {
        return Vec::new();
    }
    text.match_indices(name)
        .map(|(start, found)| start..start + found.len())
        .filter(|range| stands_alone(range.start, range.end))
        .collect()
}

#[cfg(test)]
#[path = "lookup_tests.rs"]
mod tests;

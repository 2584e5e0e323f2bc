//! Source text → chunks that cover every line.
//!
//! One function per profile. Must not fail: a file that cannot be parsed is cut by lines, and the reason is kept.

mod lines;
mod symbols;

use std::ops::Range;

use crate::model::{Chunk, Kind, Profile};
use crate::scan::{kind, language};
use crate::syntax::{self, Fallback, SymbolNode, Syntax, SyntaxParser};

/// Changes whenever a profile cuts some text differently; part of the identity of a generation.
pub(crate) const CHUNKER_VERSION: u32 = 2;

/// What the chunker has to know of a file.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Source<'a> {
    pub(crate) language: &'a str,
    pub(crate) file_name: &'a str,
    pub(crate) kind: Kind,
    pub(crate) text: &'a str,
}

impl<'a> Source<'a> {
    /// What the path and the first lines say of a file.
    pub(crate) fn of(path: &'a str, text: &'a str) -> Source<'a> {
        let file_name = path.rsplit('/').next().unwrap_or(path);
        let language = language::detect(file_name, text.as_bytes());
        Source { language, file_name, kind: kind::classify(path, language, head_of(text)), text }
    }

    /// Documentation, unless it is code: an example, a settings file of a documentation tool.
    fn is_prose(&self) -> bool {
        let is_code =
            || syntax::is_known(self.language, self.file_name) && self.language != "markdown";
        self.kind == Kind::Docs && !is_code()
    }
}

/// The first two kilobytes, which is where files say what they are.
fn head_of(text: &str) -> &str {
    &text[..text.floor_char_boundary(2048)]
}

/// A file's chunks in line order, and what they consist of.
#[derive(Debug)]
pub(crate) struct Cuts<'a> {
    pub(crate) chunks: Vec<Cut<'a>>,
    /// Without symbols in the `lines` profile.
    pub(crate) syntax: Syntax,
    /// Whether its words are looked up as identifiers: not in prose, and not in the `lines` profile, which has no usages.
    pub(crate) has_identifiers: bool,
    /// The line of each symbol's name and its position among the symbols, in line order.
    by_line: Vec<(u32, usize)>,
}

/// One chunk with its symbol.
#[derive(Debug, Clone)]
pub(crate) struct Cut<'a> {
    pub(crate) chunk: Chunk<'a>,
    /// Where it begins in the file, in bytes.
    pub(crate) at: usize,
    /// The symbol that it is or lies in, by position in the file's symbols.
    pub(crate) symbol: Option<usize>,
}

impl<'a> Cuts<'a> {
    fn new(chunks: Vec<Cut<'a>>, syntax: Syntax, has_identifiers: bool) -> Cuts<'a> {
        let lines = syntax.symbols.iter().map(|node| node.symbol.name_line);
        let mut by_line: Vec<(u32, usize)> = lines.zip(0..).collect();
        by_line.sort_unstable();
        Cuts { chunks, syntax, has_identifiers, by_line }
    }

    /// The symbols whose names stand in a chunk, in line order.
    pub(crate) fn named_in(&self, cut: &Cut<'_>) -> impl Iterator<Item = &SymbolNode> {
        let from = self.by_line.partition_point(|(line, _)| *line < cut.chunk.start_line);
        let to = self.by_line.partition_point(|(line, _)| *line <= cut.chunk.end_line);
        self.by_line[from..to].iter().map(|(_, idx)| &self.syntax.symbols[*idx])
    }
}

/// Cuts files one after the other; one per thread.
#[derive(Debug, Default)]
pub(crate) struct Chunker {
    parser: SyntaxParser,
}

impl Chunker {
    /// Cuts a file by `profile`.
    pub(crate) fn cut<'a>(&mut self, profile: Profile, source: &Source<'a>) -> Cuts<'a> {
        match profile {
            Profile::Lines => Cuts::new(by_lines(source.text), Syntax::default(), false),
            Profile::Symbols => self.by_symbols(source),
        }
    }

    fn by_symbols<'a>(&mut self, source: &Source<'a>) -> Cuts<'a> {
        let syntax = match source.kind {
            Kind::Generated => Syntax { fallback: Some(Fallback::Generated), ..Syntax::default() },
            _ => self.parser.parse(source.language, source.file_name, source.text),
        };
        let lines = line_ranges(source.text);
        let cuts = symbols::cut(source.text, &lines, &syntax.symbols).into_iter();
        let chunk = |cut: symbols::Cut| {
            let at = lines[cut.lines.start].start;
            let chunk = Chunk {
                start_line: cut.lines.start as u32 + 1,
                end_line: cut.lines.end as u32,
                text: &source.text[at..lines[cut.lines.end - 1].end],
            };
            Cut { chunk, at, symbol: cut.symbol }
        };
        Cuts::new(cuts.map(chunk).collect(), syntax, !source.is_prose())
    }
}

fn by_lines(text: &str) -> Vec<Cut<'_>> {
    let at = |chunk: &Chunk<'_>| chunk.text.as_ptr() as usize - text.as_ptr() as usize;
    lines::chunk(text)
        .into_iter()
        .map(|chunk| Cut { chunk, at: at(&chunk), symbol: None })
        .collect()
}

/// The bytes of each line, without its newline.
fn line_ranges(text: &str) -> Vec<Range<usize>> {
    let mut lines = Vec::with_capacity(text.len() / 32);
    let mut start = 0;
    for end in memchr::memchr_iter(b'\n', text.as_bytes()) {
        lines.push(start..end);
        start = end + 1;
    }
    if start < text.len() {
        lines.push(start..text.len());
    }
    lines
}

#[cfg(test)]
mod tests;

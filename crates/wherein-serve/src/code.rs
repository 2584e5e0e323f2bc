//! Lines of a file as it is now: by path, or by the name of a symbol. Bounded, and says so.
//!
//! What may be read is the engine's decision. Must not read a file by itself.

use wherein_engine::{Engine, Error, ErrorKind, Filter, NameMatch, Result, SymbolRequest};
use wherein_wire::Code;

/// The most lines of one answer.
pub(crate) const MAX_LINES: u32 = 1_000;
/// The most bytes of one answer.
pub(crate) const MAX_BYTES: usize = 256 << 10;

/// What is to be read.
#[derive(Debug, Clone)]
pub(crate) struct Wanted {
    pub(crate) place: Place,
    /// 1-based; of a symbol its own first line where this is `None`.
    pub(crate) start: Option<u32>,
    /// Inclusive.
    pub(crate) end: Option<u32>,
    /// No more lines than this, and never more than [`MAX_LINES`].
    pub(crate) max_lines: u32,
}

/// Where it is.
#[derive(Debug, Clone)]
pub(crate) enum Place {
    /// A file, relative to the root.
    File(String),
    /// What this name names best.
    Symbol(String),
}

/// Reads it.
pub(crate) fn read(engine: &Engine, wanted: &Wanted) -> Result<Code> {
    let (path, start, end) = match &wanted.place {
        Place::File(path) => (path.clone(), wanted.start, wanted.end),
        Place::Symbol(name) => {
            let (path, start, end) = find(engine, name)?;
            (path, wanted.start.or(Some(start)), wanted.end.or(Some(end)))
        }
    };
    let source = engine.read(&path)?;
    let n_lines = source.text.split_inclusive('\n').count() as u32;
    let start = start.unwrap_or(1).max(1);
    if start > n_lines.max(1) {
        return Err(Error::usage(format!(
            "line {start} is past the end: {path} has {n_lines} lines"
        ))
        .with_hint("leave the lines out to read from the beginning"));
    }
    let asked_end = end.unwrap_or(n_lines).min(n_lines);
    if end.is_some_and(|end| end < start) {
        return Err(Error::usage(format!("the lines {start} to {asked_end} are none"))
            .with_hint("the first line comes first"));
    }
    let n_most = wanted.max_lines.clamp(1, MAX_LINES);
    let last = asked_end.min(start.saturating_add(n_most - 1));
    let (text, n_taken, is_cut) = take(&source.text, start, last);
    let end_line = (start + n_taken).saturating_sub(1);
    Ok(Code {
        path: source.path,
        language: source.language,
        kind: source.kind.as_str(),
        start_line: start,
        end_line,
        n_lines,
        truncated: is_cut || end_line < asked_end,
        text,
    })
}

/// The lines `start` to `last`, as many as [`MAX_BYTES`] allow: how many, and whether one was cut. Of a first line that
/// is longer than all of that the beginning is given.
fn take(text: &str, start: u32, last: u32) -> (String, u32, bool) {
    let n_wanted = (last + 1).saturating_sub(start) as usize;
    let mut taken = String::new();
    let mut n_taken = 0;
    for line in text.split_inclusive('\n').skip(start as usize - 1).take(n_wanted) {
        if taken.len() + line.len() > MAX_BYTES {
            if n_taken == 0 {
                taken.push_str(&line[..line.floor_char_boundary(MAX_BYTES)]);
                n_taken = 1;
            }
            return (taken, n_taken, true);
        }
        taken.push_str(line);
        n_taken += 1;
    }
    (taken, n_taken, false)
}

/// Where the symbol stands that `name` names best.
fn find(engine: &Engine, name: &str) -> Result<(String, u32, u32)> {
    let request = SymbolRequest { name: name.to_owned(), filter: Filter::default(), limit: 5 };
    let found = engine.symbols(&request)?;
    let close = |matched| matches!(matched, NameMatch::Exact | NameMatch::Folded);
    match found.symbols.first() {
        Some(best) if close(best.matched) => {
            Ok((best.path.clone(), best.symbol.start_line, best.symbol.end_line))
        }
        other => {
            let error = Error::new(ErrorKind::NotFound, format!("there is no symbol named {name}"));
            Err(match other {
                Some(near) => error.with_hint(format!("did you mean {}?", near.symbol.name)),
                None => error.with_hint("search for it in words first"),
            })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_taken_whole_and_within_bounds() {
        let text = "a\nbb\nccc";
        assert_eq!(take(text, 1, 2), ("a\nbb\n".to_owned(), 2, false));
        assert_eq!(take(text, 3, 3), ("ccc".to_owned(), 1, false));
        let long = format!("{}\n{}\nend\n", "x".repeat(10), "é".repeat(MAX_BYTES));
        let (taken, n, is_cut) = take(&long, 1, 3);
        assert_eq!((taken.len(), n, is_cut), (11, 1, true));
        let (taken, n, is_cut) = take(&long, 2, 3);
        assert_eq!((taken.len(), n, is_cut), (MAX_BYTES, 1, true));
    }
}

//! The symbol of a hit, and the filter by kind of symbol.
//!
//! A chunk may hold several small symbols: the hit shows the one whose name says most of the question.

use std::collections::HashSet;

use super::query::{Channel, Query};
use crate::error::Result;
use crate::model::Candidate;
use crate::store::{Generation, SymbolRow};
use crate::symbol::{Symbol, SymbolKind};
use crate::tokenize::Tokenizer;

/// Whether a chunk has a symbol of one of these kinds; every chunk where none is named. Trouble in the index is
/// found when the hits are read.
pub(super) fn has_kind(
    generation: &Generation,
    kinds: &[SymbolKind],
    file_idx: usize,
    lines: (u32, u32),
) -> bool {
    kinds.is_empty()
        || of_chunk(generation, file_idx, lines)
            .is_ok_and(|rows| rows.iter().any(|row| kinds.contains(&row.kind)))
}

/// The symbols that are named in a chunk; where there is none, the one that it lies in.
fn of_chunk(
    generation: &Generation,
    file_idx: usize,
    (start, end): (u32, u32),
) -> Result<Vec<SymbolRow>> {
    let Some((table, file)) = generation.symbols_of(file_idx)? else {
        return Ok(Vec::new());
    };
    let all = table.rows(file.symbols)?;
    let named = |row: &&SymbolRow| (start..=end).contains(&row.name_line);
    let rows: Vec<SymbolRow> = all.iter().filter(named).copied().collect();
    if !rows.is_empty() {
        return Ok(rows);
    }
    // The innermost one around, which is the last of those that begin before.
    let around = |row: &&SymbolRow| row.start_line <= start && row.end_line >= end;
    Ok(all.iter().rfind(around).copied().into_iter().collect())
}

/// The symbol to show for a candidate.
pub(super) fn best(
    generation: &Generation,
    query: &Query,
    kinds: &[SymbolKind],
    candidate: &Candidate,
) -> Result<Option<Symbol>> {
    let file_idx = candidate.file_idx as usize;
    let Some((table, _)) = generation.symbols_of(file_idx)? else {
        return Ok(None);
    };
    let rows = of_chunk(generation, file_idx, (candidate.start_line, candidate.end_line))?;
    let asked: HashSet<&str> = query
        .terms
        .iter()
        .filter(|term| term.channel != Channel::Path)
        .map(|term| term.text.as_str())
        .collect();
    let mut tokenizer = Tokenizer::default();
    let mut best: Option<((usize, bool), Symbol)> = None;
    for row in rows.iter().filter(|row| kinds.is_empty() || kinds.contains(&row.kind)) {
        let symbol = table.symbol(*row)?;
        let mut n_asked = 0;
        tokenizer.terms(&symbol.name, |term| n_asked += usize::from(asked.contains(term.text)));
        // What lies in the chunk says more of it than what only begins there; of equal ones the first, which encloses
        // those after it.
        let is_within =
            row.start_line >= candidate.start_line && row.end_line <= candidate.end_line;
        let rank = (n_asked, is_within);
        if best.as_ref().is_none_or(|(most, _)| rank > *most) {
            best = Some((rank, symbol));
        }
    }
    Ok(best.map(|(_, symbol)| symbol))
}

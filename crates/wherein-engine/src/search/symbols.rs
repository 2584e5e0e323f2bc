//! The symbol of a hit, and the filter by kind of symbol.
//!
//! A chunk may hold several small symbols: the hit shows the one whose name says most of the question.

use std::collections::HashSet;

use super::query::{Channel, Query};
use crate::error::Result;
use crate::model::Candidate;
use crate::request::Filter;
use crate::store::{Generation, SymbolRow, SymbolTable};
use crate::symbol::Symbol;
use crate::tokenize::{Term, Tokenizer};

/// Whether a chunk has a symbol of a kind that the filter names; every chunk where it names none. Trouble in the index is
/// found when the hits are read.
pub(super) fn has_kind(
    generation: &Generation,
    filter: &Filter,
    file_idx: usize,
    lines: (u32, u32),
) -> bool {
    filter.symbol_kinds.is_empty()
        || of_chunk(generation, file_idx, lines).is_ok_and(|found| {
            found.is_some_and(|(_, rows)| rows.iter().any(|row| filter.has_symbol_kind(row.kind)))
        })
}

/// The symbols that are named in a chunk, with the table that holds them; where there is none, the one that it lies in.
pub(super) fn of_chunk(
    generation: &Generation,
    file_idx: usize,
    lines: (u32, u32),
) -> Result<Option<(&SymbolTable, Vec<SymbolRow>)>> {
    let Some((table, file)) = generation.symbols_of(file_idx)? else {
        return Ok(None);
    };
    Ok(Some((table, table.held_by(&file, lines)?)))
}

/// Chooses the symbol to show for each candidate of a question.
pub(super) struct Chooser<'a> {
    generation: &'a Generation,
    filter: &'a Filter,
    /// The terms of the question.
    asked: HashSet<&'a str>,
}

impl<'a> Chooser<'a> {
    pub(super) fn new(generation: &'a Generation, query: &'a Query, filter: &'a Filter) -> Self {
        let terms = query.terms.iter().filter(|term| term.channel != Channel::Path);
        let asked = terms.map(|term| term.text.as_str()).collect();
        Chooser { generation, filter, asked }
    }

    /// The symbol to show for a candidate.
    pub(super) fn best(
        &self,
        tokenizer: &mut Tokenizer,
        candidate: &Candidate,
    ) -> Result<Option<Symbol>> {
        let lines = (candidate.start_line, candidate.end_line);
        let found = of_chunk(self.generation, candidate.file_idx as usize, lines)?;
        let Some((table, rows)) = found else {
            return Ok(None);
        };
        let mut best: Option<((usize, bool), Symbol)> = None;
        for row in rows.into_iter().filter(|row| self.filter.has_symbol_kind(row.kind)) {
            let symbol = table.symbol(row)?;
            let (asked, mut n_asked) = (&self.asked, 0);
            let count = |term: Term<'_>| n_asked += usize::from(asked.contains(term.text));
            tokenizer.terms(&symbol.name, count);
            // What lies in the chunk says more of it than what only begins there; of equal ones the first, which
            // encloses those after it.
            let is_within = row.start_line >= lines.0 && row.end_line <= lines.1;
            let rank = (n_asked, is_within);
            if best.as_ref().is_none_or(|(most, _)| rank > *most) {
                best = Some((rank, symbol));
            }
        }
        Ok(best.map(|(_, symbol)| symbol))
    }
}

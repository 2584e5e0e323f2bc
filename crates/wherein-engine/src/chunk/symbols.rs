//! The `symbols` profile: a chunk is a function, a type or a run of small ones; every line once, no overlap.
//!
//! A symbol that is short enough stays whole, with the comment above it. A longer one gives way to what it encloses;
//! what has nothing to give way to is cut into windows, at blank lines where it can. Neighbours of one parent that are
//! small share a chunk. Must not fail: without symbols the whole file is windows.

use std::ops::Range;

use crate::syntax::SymbolNode;

/// A symbol of at most this many bytes is one chunk (chosen on the suites, like the next two: see docs/decisions.md).
const MAX_BYTES: usize = 1800;
/// A type or module that holds functions is one chunk up to this many bytes.
const TYPE_BYTES: usize = 700;
/// Windows of what is longer end at about this many bytes.
const WINDOW_BYTES: usize = 1400;
/// Small neighbours share a chunk up to this many bytes.
const SHARED_BYTES: usize = 700;
/// Symbols nested deeper than this are windows of those above.
const MAX_LEVELS: usize = 64;

/// A run of lines, 0-based and half open, with the symbol that it is or belongs to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Cut {
    pub(super) lines: Range<usize>,
    /// Position in the file's symbols.
    pub(super) symbol: Option<usize>,
}

/// A piece before neighbours are joined.
#[derive(Debug, Clone)]
struct Unit {
    lines: Range<usize>,
    symbol: Option<usize>,
    /// What encloses it: only neighbours inside the same symbol are joined.
    group: Option<usize>,
    /// Whether it begins its symbol, as opposed to lying inside one.
    is_symbol: bool,
}

/// Cuts a file of these lines. `symbols` stand in line order, enclosing ones first.
pub(super) fn cut(text: &str, lines: &[Range<usize>], symbols: &[SymbolNode]) -> Vec<Cut> {
    let mut children = vec![Vec::new(); symbols.len() + 1];
    for (idx, node) in symbols.iter().enumerate() {
        children[node.parent_idx.map_or(0, |parent| parent + 1)].push(idx);
    }
    let mut cutter = Cutter { text, lines, symbols, children, units: Vec::new() };
    cutter.split(None, 0..lines.len(), 0);
    cutter.join()
}

struct Cutter<'a> {
    text: &'a str,
    lines: &'a [Range<usize>],
    symbols: &'a [SymbolNode],
    /// Of the file, then of each symbol.
    children: Vec<Vec<usize>>,
    units: Vec<Unit>,
}

impl Cutter<'_> {
    /// Cuts the lines of one symbol, or of the file, at the symbols directly inside.
    fn split(&mut self, owner: Option<usize>, lines: Range<usize>, level: usize) {
        let mut at = lines.start;
        for child in std::mem::take(&mut self.children[owner.map_or(0, |idx| idx + 1)]) {
            let node = &self.symbols[child];
            let first = (node.top_line as usize - 1).max(at);
            let last = (node.symbol.end_line as usize).min(lines.end);
            // Begins in a line that is taken: it shares that line's chunk.
            if node.name_row() < at || first >= last {
                continue;
            }
            self.gap(owner, at..first);
            self.whole(child, owner, first..last, level);
            at = last;
        }
        self.gap(owner, at..lines.end);
    }

    /// One symbol: a unit of its own, or what it encloses, or windows.
    fn whole(&mut self, idx: usize, group: Option<usize>, lines: Range<usize>, level: usize) {
        let most = if self.holds_callables(idx) { TYPE_BYTES } else { MAX_BYTES };
        if self.n_bytes(&lines) <= most {
            self.units.push(Unit { lines, symbol: Some(idx), group, is_symbol: true });
        } else if self.children[idx + 1].is_empty() || level == MAX_LEVELS {
            self.windows(lines, Some(idx), group);
        } else {
            self.split(Some(idx), lines, level + 1);
        }
    }

    /// Whether it is a type or module whose functions are answers of their own.
    fn holds_callables(&self, idx: usize) -> bool {
        let is_callable = |child: &usize| self.symbols[*child].symbol.kind.is_callable();
        !self.symbols[idx].symbol.kind.is_callable()
            && self.children[idx + 1].iter().any(is_callable)
    }

    /// Lines between symbols.
    fn gap(&mut self, owner: Option<usize>, lines: Range<usize>) {
        let trimmed = self.trim(lines);
        if trimmed.is_empty() {
            return;
        }
        self.windows(trimmed, owner, owner);
    }

    /// The lines without blank ones at both ends.
    fn trim(&self, mut lines: Range<usize>) -> Range<usize> {
        while !lines.is_empty() && self.is_blank(lines.start) {
            lines.start += 1;
        }
        while !lines.is_empty() && self.is_blank(lines.end - 1) {
            lines.end -= 1;
        }
        lines
    }

    fn windows(&mut self, lines: Range<usize>, symbol: Option<usize>, group: Option<usize>) {
        let mut rest = lines;
        while !rest.is_empty() {
            let end =
                if self.n_bytes(&rest) <= MAX_BYTES { rest.end } else { self.window_end(&rest) };
            let window = self.trim(rest.start..end);
            if !window.is_empty() {
                let is_symbol =
                    symbol.is_some_and(|idx| window.contains(&self.symbols[idx].name_row()));
                self.units.push(Unit { lines: window, symbol, group, is_symbol });
            }
            rest.start = end;
        }
    }

    /// Where the first window of `lines` ends: at the last blank line of its second half, or before the least
    /// indented line of it.
    fn window_end(&self, lines: &Range<usize>) -> usize {
        let mut end = lines.start + 1;
        while end < lines.end && self.n_bytes(&(lines.start..end + 1)) <= WINDOW_BYTES {
            end += 1;
        }
        let half = lines.start + (end - lines.start).div_ceil(2);
        let choices = half.max(lines.start + 1)..end + 1;
        let indent = |row: usize| match self.is_blank(row) {
            true => 0,
            false => 1 + self.line(row).len() - self.line(row).trim_start().len(),
        };
        // Of equal ones the last, so that windows are as long as they may be.
        choices
            .filter(|row| *row < lines.end)
            .min_by_key(|row| (indent(*row), usize::MAX - row))
            .unwrap_or(end)
    }

    /// Joins small neighbours.
    fn join(self) -> Vec<Cut> {
        let mut cuts: Vec<(Cut, Unit)> = Vec::new();
        for unit in &self.units {
            let joined = cuts.last_mut().filter(|(cut, last)| self.are_joined(cut, last, unit));
            match joined {
                Some((cut, last)) => {
                    cut.lines.end = unit.lines.end;
                    if !last.is_symbol && unit.is_symbol {
                        cut.symbol = unit.symbol;
                        last.is_symbol = true;
                    }
                }
                None => cuts
                    .push((Cut { lines: unit.lines.clone(), symbol: unit.symbol }, unit.clone())),
            }
        }
        cuts.into_iter().map(|(cut, _)| cut).collect()
    }

    fn are_joined(&self, cut: &Cut, last: &Unit, unit: &Unit) -> bool {
        let both = cut.lines.start..unit.lines.end;
        let is_small = last.group == unit.group && self.n_bytes(&both) <= SHARED_BYTES;
        // A lone closing brace is no chunk.
        is_small || (self.says_nothing(&unit.lines) && self.n_bytes(&both) <= 2 * MAX_BYTES)
    }

    fn says_nothing(&self, lines: &Range<usize>) -> bool {
        let is_empty = |row: usize| !self.line(row).chars().any(char::is_alphanumeric);
        lines.len() <= 3 && lines.clone().all(is_empty)
    }

    fn line(&self, row: usize) -> &str {
        &self.text[self.lines[row].clone()]
    }

    fn is_blank(&self, row: usize) -> bool {
        self.line(row).trim().is_empty()
    }

    fn n_bytes(&self, lines: &Range<usize>) -> usize {
        match lines.is_empty() {
            true => 0,
            false => self.lines[lines.end - 1].end - self.lines[lines.start].start,
        }
    }
}

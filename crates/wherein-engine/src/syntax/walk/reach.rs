//! Symbols whose reach no single node gives: sections, clauses, and what ends where a comment of the next one begins.

use super::{Found, Open, Span, Walk};
use crate::symbol::SymbolKind;

impl Walk<'_, '_> {
    /// Ends the sections that a new one of `level` is no part of.
    pub(super) fn close_levels(&mut self, level: u8, next: Span) {
        while let Some(open) = self.open.pop_if(|open| open.level.is_some_and(|l| l >= level)) {
            if let Some(idx) = open.draft {
                self.settle(idx, next.start, next.start_row);
            }
        }
    }

    /// Ends the sections that reach to the end of what is around them.
    pub(super) fn settle_rest(&mut self) {
        for idx in 0..self.drafts.len() {
            if let Some(end) = self.drafts[idx].reach {
                let row = self.text[..end].matches('\n').count();
                self.settle(idx, end, row as u32);
            }
        }
    }

    /// Lets a symbol end at the last text before `at`, which stands in `row`.
    fn settle(&mut self, idx: usize, at: usize, row: u32) {
        let end = self.text[..at].trim_end().len();
        let n_blank = self.text[end..at].matches('\n').count();
        let draft = &mut self.drafts[idx];
        draft.reach = None;
        draft.span.end = end.max(draft.span.start);
        draft.span.end_row = row.saturating_sub(n_blank as u32).max(draft.span.start_row);
    }

    /// A comment above a symbol is no part of the symbol before it, whatever the grammar says.
    pub(super) fn yield_to(&mut self, comment: Span, symbol: Span) {
        let mut next = self.drafts.len().checked_sub(1);
        while let Some(idx) = next {
            let draft = &self.drafts[idx];
            next = draft.parent_idx;
            let is_before = draft.span.start < comment.start && draft.span.end <= symbol.start;
            if is_before && draft.span.end > comment.start {
                self.settle(idx, comment.start, comment.start_row);
            }
        }
    }

    /// Adds a clause to the symbol of the same name right before it; whether there is one.
    pub(super) fn join(&mut self, found: &Found<'_>, name: &str, name_at: Span) -> bool {
        if !found.is_joined {
            return false;
        }
        let within = self.open.last().map(|open| open.end);
        let mut last = self.drafts.len().checked_sub(1);
        while let Some(idx) = last.filter(|idx| self.drafts[*idx].within != within) {
            last = self.drafts[idx].parent_idx;
        }
        let Some(idx) = last.filter(|idx| self.drafts[*idx].name == name) else {
            return false;
        };
        let span = Span::of(&found.node);
        let draft = &mut self.drafts[idx];
        (draft.span.end, draft.span.end_row) = (span.end, span.end_row);
        draft.body = draft.body.or(found.body_span());
        self.names.push(name_at.start as u32);
        self.open.push(Open {
            end: span.end,
            name: name.to_owned(),
            draft: Some(idx),
            level: None,
        });
        true
    }
}

/// Where the body of a heading begins.
pub(super) fn line_after(heading: Span) -> Span {
    let row = heading.end_row + 1;
    Span { start: heading.end, end: heading.end, start_row: row, end_row: row }
}

/// The span without the white space at its end.
pub(super) fn trimmed(text: &str, mut span: Span) -> Span {
    let end = span.start + text[span.start..span.end].trim_end().len();
    let n_newlines = text[end..span.end].matches('\n').count();
    let counted = usize::from(text[..span.end].ends_with('\n'));
    let n_blank = n_newlines.saturating_sub(counted) as u32;
    span.end_row = span.end_row.saturating_sub(n_blank).max(span.start_row);
    span.end = end;
    span
}

/// A declaration reaches to its name at least; in broken code its node may not.
pub(super) fn around(mut span: Span, name_at: Span) -> Span {
    if span.start <= name_at.start && span.end < name_at.end {
        (span.end, span.end_row) = (name_at.end, name_at.end_row);
    }
    span
}

/// An element is named once, by the first pattern that names it.
pub(super) fn name_elements_once(found: &mut Vec<Found<'_>>) {
    let is_element = |one: &Found<'_>| one.kind == Some(SymbolKind::Element);
    let first = found.iter().filter(|one| is_element(one)).map(|one| one.pattern).min();
    found.retain(|one| !is_element(one) || Some(one.pattern) == first);
}

/// A name without the quotes around it.
pub(super) fn unquoted(written: &str) -> &str {
    let inner = |open: char, close: char| {
        let inner = written.strip_prefix(open)?.strip_suffix(close)?;
        (!inner.contains([open, close])).then_some(inner)
    };
    let quotes = [('"', '"'), ('\'', '\''), ('`', '`'), ('[', ']')];
    quotes.iter().find_map(|(open, close)| inner(*open, *close)).unwrap_or(written)
}

/// A heading without the marks that close it.
pub(super) fn heading(written: &str) -> &str {
    let bare = written.trim_end().trim_end_matches('#');
    if bare.ends_with(char::is_whitespace) { bare.trim_end() } else { written }
}

/// Where the words of a name begin: most names are one word, headings and selectors are several.
pub(super) fn words(kind: SymbolKind, text: &str, at: Span) -> Vec<u32> {
    if !matches!(kind, SymbolKind::Section | SymbolKind::Rule) {
        return vec![word_start(text, at)];
    }
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-');
    let mut before = ' ';
    let mut starts = Vec::new();
    for (i, c) in text[at.start..at.end].char_indices() {
        if is_part(c) && !is_part(before) {
            starts.push((at.start + i) as u32);
        }
        before = c;
    }
    starts
}

/// Where the word of a name begins: behind the marks of private names and literals.
pub(super) fn word_start(text: &str, at: Span) -> u32 {
    let name = &text[at.start..at.end];
    let n_marks = name.find(|c: char| c.is_alphanumeric() || c == '_').unwrap_or_default();
    (at.start + n_marks) as u32
}

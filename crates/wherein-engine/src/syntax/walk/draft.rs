//! A symbol under construction: its lines, its parents, and the comments and annotations that belong to it.

use std::ops::Range;

use tree_sitter::Node;

use super::{Found, MAX_ANNOTATION_CHARS, MAX_NAME_CHARS, Walk, reach};
use crate::symbol::{Route, Symbol, SymbolKind};
use crate::syntax::{SymbolNode, doc, signature};

/// Where something stands.
#[derive(Debug, Clone, Copy)]
pub(super) struct Span {
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) start_row: u32,
    pub(super) end_row: u32,
}

impl Span {
    pub(super) fn of(node: &Node<'_>) -> Span {
        let (from, to) = (node.start_position(), node.end_position());
        // A node that ends with its newline ends in the line before.
        let has_newline = to.column == 0 && to.row > from.row;
        Span {
            start: node.start_byte(),
            end: node.end_byte(),
            start_row: from.row as u32,
            end_row: (to.row - usize::from(has_newline)) as u32,
        }
    }
}

/// A symbol under construction.
#[derive(Debug)]
pub(super) struct Draft {
    pub(super) kind: SymbolKind,
    pub(super) name: String,
    pub(super) span: Span,
    /// Where its node begins, which a chain of calls shares.
    pub(super) node_start: usize,
    pub(super) name_at: Span,
    pub(super) parent: Option<String>,
    pub(super) parent_idx: Option<usize>,
    pub(super) body: Option<Span>,
    /// Where the declaration itself begins: behind wrappers and annotations.
    pub(super) declared_at: usize,
    /// Where it ends: before the body.
    pub(super) declared_to: usize,
    pub(super) top_row: u32,
    pub(super) doc: String,
    pub(super) annotations: Vec<String>,
    pub(super) route: Option<Route>,
    /// The end of what it stands in.
    pub(super) within: Option<usize>,
    /// How far it reaches unless another of its level comes before.
    pub(super) reach: Option<usize>,
}

impl Draft {
    /// An annotation at the beginning is not part of the declaration; one in the middle is.
    pub(super) fn begin_behind(&mut self, annotation: Span, text: &str) {
        let before = text.get(self.declared_at..annotation.start);
        if before.is_some_and(|before| before.trim().is_empty()) {
            self.declared_at = annotation.end;
        }
    }
}

impl Walk<'_, '_> {
    pub(super) fn draft(
        &mut self,
        found: &Found<'_>,
        kind: SymbolKind,
        name: String,
        name_at: Span,
        parent_idx: Option<usize>,
        depth: u32,
    ) -> Draft {
        let mut span = Span::of(&found.node);
        if let Some(verb) =
            found.verb.map(|node| Span::of(&node)).filter(|v| v.start_row > span.start_row)
        {
            // One call of a chain begins with its own line.
            (span.start, span.start_row) = (verb.start, verb.start_row);
        }
        let mut declared_at = span.start;
        let mut at_depth = depth;
        for (wrapper_depth, wrapper, is_used) in self.wrappers.iter_mut().rev() {
            if *wrapper_depth != at_depth && *wrapper_depth + 1 != at_depth {
                break;
            }
            at_depth = *wrapper_depth;
            // A group of declarations does not belong to any one of them, and what follows the first in its last line
            // does not begin where that does.
            let is_one_line = wrapper.start_row == span.start_row;
            if wrapper.end_row == span.end_row && (!*is_used || is_one_line) {
                *is_used = true;
                if is_one_line {
                    declared_at = wrapper.start;
                }
                (span.start, span.start_row) = (wrapper.start, wrapper.start_row);
                span.end = wrapper.end.max(span.end);
            }
        }
        span = reach::around(reach::trimmed(self.text, span), name_at);
        let within = self.open.last().map(|open| open.end);
        let body = found.body_span().or_else(|| found.level.map(|_| reach::line_after(span)));
        let mut draft = Draft {
            kind,
            span,
            node_start: found.node.start_byte(),
            name_at,
            parent: self.parent_chain(found),
            parent_idx,
            body,
            declared_at,
            declared_to: body.map_or(span.end, |body| body.start),
            top_row: span.start_row,
            doc: String::new(),
            annotations: Vec::new(),
            route: None,
            name,
            within,
            reach: found.level.map(|_| within.unwrap_or(self.text.len())),
        };
        if kind == SymbolKind::Route {
            let (method, path) = draft.name.split_once(' ').unwrap_or((&draft.name, ""));
            draft.route = Some(Route { method: method.to_owned(), path: path.to_owned() });
        }
        self.attach(&mut draft);
        if let Some(inside) = found.doc {
            doc::clean_into(&self.text[inside.byte_range()], &mut draft.doc);
        }
        draft
    }

    pub(super) fn parent_chain(&self, found: &Found<'_>) -> Option<String> {
        let own = found.parent.map(|node| self.own_parent(node));
        let around =
            self.open.iter().filter(|o| o.draft.is_none_or(|idx| !self.is_beside(found, idx)));
        let names: Vec<&str> =
            around.map(|open| open.name.as_str()).chain(own.as_deref()).collect();
        (!names.is_empty()).then(|| names.join("."))
    }

    /// The parent that a declaration itself states.
    pub(super) fn own_parent(&self, node: Node<'_>) -> String {
        signature::collapse(&self.text[node.byte_range()], MAX_NAME_CHARS)
    }

    /// Adds the annotations and comments that stand directly above or around.
    pub(super) fn attach(&mut self, draft: &mut Draft) {
        let mut at = draft.span.start;
        let mut comments = Vec::new();
        let mut annotations: Vec<Span> = Vec::new();
        // Those between a wrapper's start and the name belong to it wherever they stand.
        while let Some(inner) = self.annotations.pop_if(|span| span.start >= at) {
            if inner.end <= draft.name_at.start {
                annotations.push(inner);
            }
        }
        annotations.iter().rev().for_each(|inner| draft.begin_behind(*inner, self.text));
        let mut next_comment = self.comments.partition_point(|span| span.end <= at);
        loop {
            let comment = next_comment.checked_sub(1).map(|i| self.comments[i]);
            let annotation = self.annotations.last().copied();
            let is_annotation = annotation.is_some_and(|a| comment.is_none_or(|c| c.end < a.end));
            let Some(span) = (if is_annotation { annotation } else { comment }) else { break };
            if !is_next_to(self.text, span, at) {
                break;
            }
            at = span.start;
            if is_annotation {
                self.annotations.pop();
                annotations.push(span);
                (draft.span.start, draft.span.start_row) = (span.start, span.start_row);
            } else {
                next_comment -= 1;
                comments.push(span);
            }
            draft.top_row = draft.top_row.min(span.start_row);
        }
        if let Some(first) = comments.last() {
            self.yield_to(*first, draft.span);
        }
        let texts = annotations.iter().rev().map(|span| &self.text[span.start..span.end]);
        draft.annotations.extend(texts.map(|text| signature::collapse(text, MAX_ANNOTATION_CHARS)));
        for span in comments.iter().rev() {
            doc::clean_into(&self.text[span.start..span.end], &mut draft.doc);
        }
    }
}

/// Whether nothing but white space, and no empty line, stands between the span and `at`, and nothing before the span
/// in its line.
fn is_next_to(text: &str, span: Span, at: usize) -> bool {
    let Some(gap) = text.get(span.end..at) else { return false };
    let ended = text[..span.end].ends_with('\n');
    let n_newlines = gap.matches('\n').count() + usize::from(ended);
    let line_start = text[..span.start].rfind('\n').map_or(0, |i| i + 1);
    gap.trim().is_empty() && n_newlines <= 1 && text[line_start..span.start].trim().is_empty()
}

/// A part of the text without the comments in it.
fn uncommented(text: &str, part: Range<usize>, comments: &[Span]) -> String {
    let (mut out, mut at) = (String::new(), part.start);
    let first = comments.partition_point(|comment| comment.start < part.start);
    for comment in comments[first..].iter().take_while(|comment| comment.end <= part.end) {
        if let Some(before) = text.get(at..comment.start) {
            out.push_str(before);
            out.push('\n');
            at = comment.end;
        }
    }
    out.push_str(text.get(at..part.end).unwrap_or_default());
    out
}

pub(super) fn finished(
    text: &str,
    module: Option<&str>,
    comments: &[Span],
    draft: Draft,
) -> SymbolNode {
    let declared_at = draft.declared_at.min(draft.declared_to);
    let declaration = uncommented(text, declared_at..draft.declared_to, comments);
    let mut declaration = declaration.as_str();
    if draft.body.is_none() && declaration.lines().count() > 5 {
        declaration = declaration.trim_start().lines().next().unwrap_or_default();
    }
    let body_row =
        draft.body.map_or(draft.span.end_row, |body| body.start_row).min(draft.span.end_row);
    SymbolNode {
        symbol: Symbol {
            signature: signature::of(declaration),
            doc: doc::summary(&draft.doc),
            name: draft.name,
            kind: draft.kind,
            parent: draft.parent,
            module: module.map(str::to_owned),
            annotations: draft.annotations,
            route: draft.route,
            start_line: draft.span.start_row + 1,
            end_line: draft.span.end_row + 1,
            name_line: draft.name_at.start_row + 1,
        },
        parent_idx: draft.parent_idx,
        top_line: draft.top_row.min(draft.span.start_row) + 1,
        body_line: body_row + 1,
        doc: draft.doc,
    }
}

/// Sorts by first line, keeping enclosing symbols first and `parent_idx` true.
pub(super) fn in_line_order(symbols: &mut Vec<SymbolNode>) {
    let key = |node: &SymbolNode| (node.symbol.start_line, std::cmp::Reverse(node.symbol.end_line));
    if symbols.is_sorted_by_key(key) {
        return;
    }
    let mut order: Vec<usize> = (0..symbols.len()).collect();
    order.sort_by_key(|i| key(&symbols[*i]));
    let mut place = vec![0; order.len()];
    for (to, from) in order.iter().enumerate() {
        place[*from] = to;
    }
    let mut sorted: Vec<SymbolNode> = order.iter().map(|i| symbols[*i].clone()).collect();
    for node in &mut sorted {
        node.parent_idx = node.parent_idx.map(|idx| place[idx]);
    }
    *symbols = sorted;
}

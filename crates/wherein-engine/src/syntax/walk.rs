//! The walk over one tree: symbols as they open, comments and annotations as they pass.
//!
//! Iterative, so that depth costs no stack. A symbol is found at its first node; annotations inside it come later and
//! are added while it is open. Must not keep any node beyond the walk.

use std::ops::Range;

use tree_sitter::{Node, QueryCursor, QueryMatch, StreamingIterator, Tree};

use super::grammar::{Action, Capture, Grammar};
use super::limits::{Fallback, MAX_DEPTH};
use super::{SymbolNode, Syntax, doc, route, signature};
use crate::symbol::{Symbol, SymbolKind};

/// A name longer than this is no name.
const MAX_NAME_CHARS: usize = 160;
/// Annotations longer than this are cut.
const MAX_ANNOTATION_CHARS: usize = 120;

/// Where something stands.
#[derive(Debug, Clone, Copy)]
struct Span {
    start: usize,
    end: usize,
    start_row: u32,
    end_row: u32,
}

impl Span {
    fn of(node: &Node<'_>) -> Span {
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
struct Draft {
    kind: SymbolKind,
    name: String,
    span: Span,
    name_at: Span,
    parent: Option<String>,
    parent_idx: Option<usize>,
    body: Option<Span>,
    /// Where the declaration itself begins: behind wrappers and annotations.
    declared_at: usize,
    top_row: u32,
    doc: String,
    annotations: Vec<String>,
    route: Option<crate::symbol::Route>,
}

impl Draft {
    /// An annotation at the beginning is not part of the declaration; one in the middle is.
    fn begin_behind(&mut self, annotation: Span, text: &str) {
        let before = text.get(self.declared_at..annotation.start);
        if before.is_some_and(|before| before.trim().is_empty()) {
            self.declared_at = annotation.end;
        }
    }
}

/// What encloses the node at hand.
#[derive(Debug)]
struct Open {
    end: usize,
    name: String,
    /// `None` for a scope that is no symbol.
    draft: Option<usize>,
}

/// One symbol or scope of a match.
#[derive(Debug)]
struct Found<'t> {
    node: Node<'t>,
    kind: Option<SymbolKind>,
    pattern: usize,
    name: Option<Node<'t>>,
    parent: Option<Node<'t>>,
    body: Option<Node<'t>>,
    doc: Option<Node<'t>>,
    verb: Option<Node<'t>>,
    path: Option<Node<'t>>,
}

pub(super) struct Walk<'a, 't> {
    grammar: &'a Grammar,
    text: &'a str,
    queries: &'a mut QueryCursor,
    drafts: Vec<Draft>,
    open: Vec<Open>,
    /// What patterns that begin further up found, until the walk gets there; the next one last.
    pending: Vec<Found<'t>>,
    comments: Vec<Span>,
    annotations: Vec<Span>,
    /// Depth, place, and whether a symbol was extended to it.
    wrappers: Vec<(u32, Span, bool)>,
    module: Option<String>,
    names: Vec<u32>,
    calls: Vec<u32>,
    prose: Vec<Range<u32>>,
}

impl<'a, 't> Walk<'a, 't> {
    pub(super) fn new(grammar: &'a Grammar, text: &'a str, queries: &'a mut QueryCursor) -> Self {
        Walk {
            grammar,
            text,
            queries,
            drafts: Vec::new(),
            open: Vec::new(),
            pending: Vec::new(),
            comments: Vec::new(),
            annotations: Vec::new(),
            wrappers: Vec::new(),
            module: None,
            names: Vec::new(),
            calls: Vec::new(),
            prose: Vec::new(),
        }
    }

    /// Visits every node in order.
    pub(super) fn run(&mut self, tree: &'t Tree) -> Result<(), Fallback> {
        let mut cursor = tree.walk();
        let mut depth = 0;
        loop {
            let node = cursor.node();
            let action = self.grammar.action(node.kind_id());
            let is_pending =
                self.pending.last().is_some_and(|next| next.node.start_byte() <= node.start_byte());
            let goes_on = (action.is_none() && !is_pending) || self.visit(node, action, depth);
            if goes_on && cursor.goto_first_child() {
                depth += 1;
                if depth > MAX_DEPTH {
                    return Err(Fallback::TooDeep);
                }
                continue;
            }
            while !cursor.goto_next_sibling() {
                if !cursor.goto_parent() {
                    return Ok(());
                }
                depth -= 1;
            }
        }
    }

    /// Does what the grammar's query asks for at a node; whether to look at what is below.
    fn visit(&mut self, node: Node<'t>, action: Action, depth: u32) -> bool {
        if action.has(Action::COMMENT) || action.has(Action::STRING) {
            let span = Span::of(&node);
            self.prose.push(span.start as u32..span.end as u32);
            if action.has(Action::COMMENT) {
                self.comments.push(span);
            }
            return false;
        }
        while self.wrappers.last().is_some_and(|(at, ..)| *at >= depth) {
            self.wrappers.pop();
        }
        if action.has(Action::WRAPPER) {
            self.wrappers.push((depth, Span::of(&node), false));
        }
        if action.has(Action::ANNOTATION) {
            self.annotate(Span::of(&node));
        }
        self.close_before(node.start_byte());
        let mut found = self.arrived(node);
        if action.has(Action::MATCH) {
            self.ask(node, &mut found);
        }
        let n_open = self.open.len();
        for one in &found {
            // Names that one node declares stand beside each other; what is inside belongs to the first.
            let first = self.open.split_off(n_open);
            self.enter(one, depth);
            if !first.is_empty() {
                self.open.truncate(n_open);
                self.open.extend(first);
            }
        }
        true
    }

    /// What was found earlier of the node at hand.
    fn arrived(&mut self, node: Node<'t>) -> Vec<Found<'t>> {
        let mut found = Vec::new();
        let start = node.start_byte();
        // Several nodes may begin at one byte: the others wait for their turn.
        let first = self.pending.partition_point(|one| one.node.start_byte() > start);
        let mut i = first;
        while i < self.pending.len() {
            if self.pending[i].node.id() == node.id() {
                merge(&mut found, self.pending.remove(i));
            } else if self.pending[i].node.start_byte() < start {
                self.pending.remove(i);
            } else {
                i += 1;
            }
        }
        found
    }

    /// An annotation inside a symbol that is open, or one that waits for the symbol after it.
    fn annotate(&mut self, span: Span) {
        self.close_before(span.start);
        let text = signature::collapse(&self.text[span.start..span.end], MAX_ANNOTATION_CHARS);
        let inside = self.open.last().and_then(|open| open.draft);
        match inside.map(|idx| &mut self.drafts[idx]) {
            Some(draft) if span.end <= draft.name_at.start => {
                draft.annotations.push(text);
                draft.begin_behind(span, self.text);
            }
            _ => self.annotations.push(span),
        }
    }

    fn close_before(&mut self, at: usize) {
        while self.open.last().is_some_and(|open| open.end <= at) {
            self.open.pop();
        }
    }

    /// Asks the query at one node: what is found of the node itself is added to `found`, the rest waits.
    fn ask(&mut self, node: Node<'t>, found: &mut Vec<Found<'t>>) {
        let (grammar, text) = (self.grammar, self.text);
        let mut docs = None;
        let mut noted = Vec::new();
        let mut matches = self.queries.matches(&grammar.query, node, text.as_bytes());
        while let Some(m) = matches.next() {
            let mut one = Found::of(node, m);
            let mut is_named = false;
            for capture in m.captures() {
                let at = capture.node;
                match grammar.capture(capture.index) {
                    Capture::Symbol(kind) => {
                        (one.node, one.kind, is_named) = (at, Some(kind), true)
                    }
                    Capture::Scope => (one.node, is_named) = (at, true),
                    Capture::Name => one.name = Some(at),
                    Capture::Parent => one.parent = Some(at),
                    Capture::Body => one.body = Some(at),
                    Capture::Doc => one.doc = Some(at),
                    Capture::RouteVerb => one.verb = Some(at),
                    Capture::RoutePath => one.path = Some(at),
                    Capture::Call => self.calls.push(at.start_byte() as u32),
                    Capture::Module if self.module.is_none() => {
                        self.module =
                            Some(signature::collapse(&text[at.byte_range()], MAX_NAME_CHARS));
                    }
                    Capture::DocAbove => self.comments.push(Span::of(&at)),
                    Capture::Annotation => noted.push(Span::of(&at)),
                    Capture::Module | Capture::Helper => {}
                }
            }
            if is_named && one.verb.is_none() {
                // Patterns without children compile in no time.
                one.name = one.name.or_else(|| one.node.child_by_field_name("name"));
            }
            match is_named {
                false => docs = docs.or(one.doc),
                true if one.node.id() == node.id() => merge(found, one),
                true => self.pending.push(one),
            }
        }
        // The next one in the order of the walk stands last.
        self.pending.sort_by_key(|one| std::cmp::Reverse(one.node.start_byte()));
        noted.into_iter().for_each(|span| self.annotate(span));
        for one in found.iter_mut().filter(|one| one.node.id() == node.id()) {
            one.doc = one.doc.or(docs);
        }
    }

    /// Opens a symbol or a scope.
    fn enter(&mut self, found: &Found<'t>, depth: u32) {
        let Some((name, name_node)) = self.name_of(found) else {
            return;
        };
        let Some(kind) = found.kind else {
            self.open.push(Open { end: found.node.end_byte(), name, draft: None });
            return;
        };
        let enclosing = self.open.iter().rev().find_map(|open| open.draft);
        let parent_kind = enclosing.map(|idx| self.drafts[idx].kind);
        if is_local(kind, parent_kind) {
            return;
        }
        let in_scope = self.open.last().is_some_and(|open| open.draft.is_none());
        let has_type =
            in_scope || found.parent.is_some() || parent_kind.is_some_and(|k| k.is_type());
        let kind = match kind {
            SymbolKind::Function if has_type => self.method(found, &name),
            kind => kind,
        };
        let draft = self.draft(found, kind, name, name_node, enclosing, depth);
        self.names.push(self.word_of(name_node));
        let end = found.node.end_byte();
        let name = match found.parent {
            Some(parent) => format!("{}.{}", &self.text[parent.byte_range()], draft.name),
            None => draft.name.clone(),
        };
        self.drafts.push(draft);
        self.open.push(Open { end, name, draft: Some(self.drafts.len() - 1) });
    }

    /// Where the word of a name begins, behind the marks of a literal.
    fn word_of(&self, name: Node<'_>) -> u32 {
        let text = &self.text[name.byte_range()];
        let marks = text.len() - text.trim_start_matches([':', '"', '\'', '`']).len();
        (name.start_byte() + if marks < text.len() { marks } else { 0 }) as u32
    }

    /// A function of a type; one that is called like the type makes it.
    fn method(&self, found: &Found<'t>, name: &str) -> SymbolKind {
        let own = found.parent.map(|node| &self.text[node.byte_range()]);
        let around = self.open.last().and_then(|open| open.name.rsplit('.').next());
        match own.or(around) == Some(name) {
            true => SymbolKind::Constructor,
            false => SymbolKind::Method,
        }
    }

    /// The name as written, and where; a route declared by a call is named after itself.
    fn name_of(&self, found: &Found<'t>) -> Option<(String, Node<'t>)> {
        let text = |node: Node<'_>| &self.text[node.byte_range()];
        if found.kind == Some(SymbolKind::Route) {
            let (verb, path) = (found.verb?, found.path?);
            let name = format!("{} {}", route::verb(text(verb))?, route::path(text(path))?);
            return Some((name, path));
        }
        let node = found.name?;
        let name = signature::collapse(bare(text(node)), MAX_NAME_CHARS);
        (!name.is_empty()).then_some((name, node))
    }

    fn draft(
        &mut self,
        found: &Found<'_>,
        kind: SymbolKind,
        name: String,
        name_node: Node<'_>,
        parent_idx: Option<usize>,
        depth: u32,
    ) -> Draft {
        let mut span = Span::of(&found.node);
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
        let name_at = Span::of(&name_node);
        let mut draft = Draft {
            kind,
            span,
            name_at,
            parent: self.parent_chain(found),
            parent_idx,
            body: found
                .body
                .or_else(|| found.node.child_by_field_name("body"))
                .map(|n| Span::of(&n)),
            declared_at,
            top_row: span.start_row,
            doc: String::new(),
            annotations: Vec::new(),
            route: None,
            name,
        };
        if kind == SymbolKind::Route {
            let (method, path) = draft.name.split_once(' ').unwrap_or((&draft.name, ""));
            draft.route =
                Some(crate::symbol::Route { method: method.to_owned(), path: path.to_owned() });
        }
        self.attach(&mut draft);
        if let Some(inside) = found.doc {
            doc::clean_into(&self.text[inside.byte_range()], &mut draft.doc);
        }
        draft
    }

    fn parent_chain(&self, found: &Found<'_>) -> Option<String> {
        let own = found
            .parent
            .map(|node| signature::collapse(&self.text[node.byte_range()], MAX_NAME_CHARS));
        let names: Vec<&str> =
            self.open.iter().map(|open| open.name.as_str()).chain(own.as_deref()).collect();
        (!names.is_empty()).then(|| names.join("."))
    }

    /// Adds the annotations and comments that stand directly above or around.
    fn attach(&mut self, draft: &mut Draft) {
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
        let texts = annotations.iter().rev().map(|span| &self.text[span.start..span.end]);
        draft.annotations.extend(texts.map(|text| signature::collapse(text, MAX_ANNOTATION_CHARS)));
        for span in comments.iter().rev() {
            doc::clean_into(&self.text[span.start..span.end], &mut draft.doc);
        }
    }

    /// The file as it was seen.
    pub(super) fn finish(mut self) -> Syntax {
        for list in [&mut self.calls, &mut self.names] {
            list.sort_unstable();
            list.dedup();
        }
        // Where a definition looks like a call, it is none.
        let names = &self.names;
        self.calls.retain(|at| names.binary_search(at).is_err());
        let classes: Vec<Vec<String>> = self.drafts.iter().map(|d| d.annotations.clone()).collect();
        let (text, module) = (self.text, self.module);
        let node = |mut draft: Draft| {
            let class = draft.parent_idx.map_or(&[][..], |idx| &classes[idx]);
            if draft.kind.is_callable() {
                draft.route = route::of_annotations(&draft.annotations, class);
            }
            finished(text, module.as_deref(), draft)
        };
        let mut syntax = Syntax {
            symbols: self.drafts.into_iter().map(node).collect(),
            names: self.names,
            calls: self.calls,
            prose: self.prose,
            fallback: None,
        };
        in_line_order(&mut syntax.symbols);
        syntax
    }
}

impl<'t> Found<'t> {
    fn of(node: Node<'t>, m: &QueryMatch<'_, 't>) -> Found<'t> {
        Found {
            node,
            kind: None,
            pattern: m.pattern_index,
            name: None,
            parent: None,
            body: None,
            doc: None,
            verb: None,
            path: None,
        }
    }
}

/// A name without the marks of a literal: `:name`, `name:`, `"name"`.
fn bare(name: &str) -> &str {
    let quoted = ['"', '\'', '`'].into_iter().find_map(|q| name.strip_prefix(q)?.strip_suffix(q));
    let symbol = || name.strip_prefix(':').filter(|rest| !rest.starts_with(':'));
    let key = || name.trim_end().strip_suffix(':');
    quoted.or_else(symbol).or_else(key).filter(|rest| !rest.is_empty()).unwrap_or(name)
}

/// Two patterns that name the same node are one symbol: the earlier pattern says of what kind.
fn merge<'t>(found: &mut Vec<Found<'t>>, one: Found<'t>) {
    let id = |found: &Found<'_>| found.name.map(|node| node.id());
    let Some(known) = found.iter_mut().find(|known| id(known) == id(&one) && id(known).is_some())
    else {
        found.push(one);
        return;
    };
    let (first, second) = match known.pattern <= one.pattern {
        true => (&*known, &one),
        false => (&one, &*known),
    };
    *known = Found {
        node: first.node,
        kind: first.kind.or(second.kind),
        pattern: first.pattern,
        name: first.name,
        parent: first.parent.or(second.parent),
        body: first.body.or(second.body),
        doc: first.doc.or(second.doc),
        verb: first.verb,
        path: first.path,
    };
}

/// Variables of a function are its own business.
fn is_local(kind: SymbolKind, parent: Option<SymbolKind>) -> bool {
    let is_value = matches!(
        kind,
        SymbolKind::Variable | SymbolKind::Constant | SymbolKind::Field | SymbolKind::Property
    );
    is_value && parent.is_some_and(|parent| parent.is_callable() || parent == SymbolKind::Test)
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

fn finished(text: &str, module: Option<&str>, draft: Draft) -> SymbolNode {
    let declared_end = draft.body.map_or(draft.span.end, |body| body.start);
    let declared_at = draft.declared_at.min(declared_end);
    let mut declaration = &text[declared_at..declared_end];
    if draft.body.is_none() && declaration.lines().count() > 5 {
        declaration = declaration.trim_start().lines().next().unwrap_or_default();
    }
    let body_row = draft.body.map_or(draft.span.end_row, |body| body.start_row);
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
fn in_line_order(symbols: &mut Vec<SymbolNode>) {
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

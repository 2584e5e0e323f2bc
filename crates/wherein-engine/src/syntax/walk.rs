//! The walk over one tree: symbols as they open, comments and annotations as they pass.
//!
//! Iterative, so that depth costs no stack. A symbol is found at its first node; annotations inside it come later and
//! are added while it is open. Must not keep any node beyond the walk.

mod reach;

use std::ops::Range;

use tree_sitter::{Node, QueryCursor, QueryMatch, StreamingIterator, Tree};

use super::grammar::{Action, Capture, Grammar};
use super::limits::{Fallback, MAX_DEPTH};
use super::{SymbolNode, Syntax, doc, route, signature};
use crate::symbol::{Symbol, SymbolKind};

/// A name longer than this is no name.
const MAX_NAME_CHARS: usize = 160;
/// Annotations longer than this are cut.
const MAX_ANNOTATION_CHARS: usize = 240;

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
    /// Where its node begins, which a chain of calls shares.
    node_start: usize,
    name_at: Span,
    parent: Option<String>,
    parent_idx: Option<usize>,
    body: Option<Span>,
    /// Where the declaration itself begins: behind wrappers and annotations.
    declared_at: usize,
    /// Where it ends: before the body.
    declared_to: usize,
    top_row: u32,
    doc: String,
    annotations: Vec<String>,
    route: Option<crate::symbol::Route>,
    /// The end of what it stands in.
    within: Option<usize>,
    /// How far it reaches unless another of its level comes before.
    reach: Option<usize>,
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
    level: Option<u8>,
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
    level: Option<u8>,
    is_quoted: bool,
    is_joined: bool,
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
            if !self.pending.is_empty() {
                self.close_before(node.start_byte());
                self.arrived(node).iter().for_each(|one| self.enter(one, depth));
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
        if found.len() > 1 {
            reach::name_elements_once(&mut found);
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
        let (mut noted, mut later) = (Vec::new(), Vec::new());
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
                    Capture::NameQuoted => (one.name, one.is_quoted) = (Some(at), true),
                    Capture::Level(level) => one.level = Some(level),
                    Capture::Joined => one.is_joined = true,
                    Capture::Parent => one.parent = Some(at),
                    Capture::Body => one.body = Some(at),
                    Capture::Doc => one.doc = Some(at),
                    Capture::RouteVerb => one.verb = Some(at),
                    Capture::RoutePath => one.path = Some(at),
                    Capture::Call => self.calls.push(reach::word_start(text, Span::of(&at))),
                    Capture::Module if self.module.is_none() => {
                        self.module =
                            Some(signature::collapse(&text[at.byte_range()], MAX_NAME_CHARS));
                    }
                    Capture::ModulePart => {
                        let part = signature::collapse(&text[at.byte_range()], MAX_NAME_CHARS);
                        let outer = self.module.take();
                        self.module =
                            Some(outer.map_or(part.clone(), |outer| format!("{outer}.{part}")));
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
                true => later.push(one),
            }
        }
        self.wait_for(later);
        noted.into_iter().for_each(|span| self.annotate(span));
        for one in found.iter_mut().filter(|one| one.node.id() == node.id()) {
            one.doc = one.doc.or(docs);
        }
    }

    /// Keeps what was found further down; the next one in the order of the walk stands last.
    fn wait_for(&mut self, later: Vec<Found<'t>>) {
        const FEW: usize = 8;
        if later.len() > FEW {
            self.pending.extend(later);
            self.pending.sort_by_key(|one| std::cmp::Reverse(one.node.start_byte()));
            return;
        }
        // To sort thousands that wait again at each node would take quadratic time.
        for one in later {
            let start = one.node.start_byte();
            let at = self.pending.partition_point(|other| other.node.start_byte() >= start);
            self.pending.insert(at, one);
        }
    }

    /// Opens a symbol or a scope.
    fn enter(&mut self, found: &Found<'t>, depth: u32) {
        let Some((name, name_at)) = self.name_of(found) else {
            return;
        };
        let Some(kind) = found.kind else {
            self.open.push(Open { end: found.node.end_byte(), name, draft: None, level: None });
            return;
        };
        if let Some(level) = found.level {
            self.close_levels(level, Span::of(&found.node));
        }
        if self.join(found, &name, name_at) {
            return;
        }
        let enclosing = self.enclosing(found);
        let name = self.below_prefix(name, found, enclosing);
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
        let draft = self.draft(found, kind, name, name_at, enclosing, depth);
        self.names.extend(reach::words(kind, self.text, name_at));
        let own_parent = found.parent.map(|node| self.own_parent(node));
        let names: Vec<&str> = own_parent.as_deref().into_iter().chain([&*draft.name]).collect();
        let (end, name) = (draft.reach.unwrap_or(found.node.end_byte()), names.join("."));
        self.drafts.push(draft);
        let draft = Some(self.drafts.len() - 1);
        self.open.push(Open { end, name, draft, level: found.level });
    }

    /// The draft around a node, by meaning.
    fn enclosing(&self, found: &Found<'_>) -> Option<usize> {
        let mut drafts = self.open.iter().rev().filter_map(|open| open.draft);
        drafts.find(|idx| !self.is_beside(found, *idx))
    }

    /// Whether a draft is around a node in the text alone: of the routes in one chain of calls none belongs to
    /// another, and a property among the parameters of a constructor belongs to its type.
    fn is_beside(&self, found: &Found<'_>, idx: usize) -> bool {
        let draft = &self.drafts[idx];
        match found.kind {
            Some(SymbolKind::Route) => {
                draft.kind == SymbolKind::Route && draft.node_start == found.node.start_byte()
            }
            Some(SymbolKind::Property) => {
                let body = draft.body.map_or(draft.span.end, |body| body.start);
                draft.kind == SymbolKind::Constructor && found.node.end_byte() <= body
            }
            _ => false,
        }
    }

    /// A route's name below the path of the group that it stands in (`route("/api") { get("/x") … }`).
    fn below_prefix(&self, name: String, found: &Found<'_>, enclosing: Option<usize>) -> String {
        let group = enclosing.map(|idx| &self.drafts[idx]).filter(|d| d.kind == SymbolKind::Route);
        let prefix = group.and_then(|draft| draft.name.strip_prefix("ANY "));
        match (prefix, name.split_once(' ')) {
            (Some(prefix), Some((verb, path))) if found.kind == Some(SymbolKind::Route) => {
                format!("{verb} {}", route::join(prefix, path))
            }
            _ => name,
        }
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
    fn name_of(&self, found: &Found<'t>) -> Option<(String, Span)> {
        let text = |node: Node<'_>| &self.text[node.byte_range()];
        if found.kind == Some(SymbolKind::Route) {
            let (verb, path) = (found.verb?, found.path?);
            let name = format!("{} {}", route::verb(text(verb))?, route::path(text(path))?);
            return Some((name, Span::of(&path)));
        }
        let node = found.name?;
        let mut at = Span::of(&node);
        if let Some(body) = found.body.filter(|_| node.id() == found.node.id()) {
            at.end = body.start_byte();
        }
        let mut written = &self.text[at.start..at.end];
        if found.is_quoted {
            let inner = reach::unquoted(written);
            at.start += (written.len() - inner.len()) / 2;
            written = inner;
        }
        if found.level.is_some() {
            written = reach::heading(written);
        }
        if found.kind != Some(SymbolKind::Rule) {
            let inner = bare(written);
            at.start += inner.as_ptr() as usize - written.as_ptr() as usize;
            written = inner;
        }
        at.end = at.start + written.len();
        let name = signature::collapse(written, MAX_NAME_CHARS);
        (!name.is_empty()).then_some((name, at))
    }

    fn draft(
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
        let own = found.parent.map(|node| self.own_parent(node));
        let around =
            self.open.iter().filter(|o| o.draft.is_none_or(|idx| !self.is_beside(found, idx)));
        let names: Vec<&str> =
            around.map(|open| open.name.as_str()).chain(own.as_deref()).collect();
        (!names.is_empty()).then(|| names.join("."))
    }

    /// The parent that a declaration itself states.
    fn own_parent(&self, node: Node<'_>) -> String {
        signature::collapse(&self.text[node.byte_range()], MAX_NAME_CHARS)
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
        if let Some(first) = comments.last() {
            self.yield_to(*first, draft.span);
        }
        let texts = annotations.iter().rev().map(|span| &self.text[span.start..span.end]);
        draft.annotations.extend(texts.map(|text| signature::collapse(text, MAX_ANNOTATION_CHARS)));
        for span in comments.iter().rev() {
            doc::clean_into(&self.text[span.start..span.end], &mut draft.doc);
        }
    }

    /// The file as it was seen.
    pub(super) fn finish(mut self) -> Syntax {
        self.settle_rest();
        for list in [&mut self.calls, &mut self.names] {
            list.sort_unstable();
            list.dedup();
        }
        // Where a definition looks like a call, it is none.
        let names = &self.names;
        self.calls.retain(|at| names.binary_search(at).is_err());
        let classes: Vec<(String, Vec<String>)> =
            self.drafts.iter().map(|d| (d.name.clone(), d.annotations.clone())).collect();
        let (text, module, comments) = (self.text, self.module, self.comments);
        let node = |mut draft: Draft| {
            if draft.kind.is_callable() && !draft.annotations.is_empty() {
                let class = draft.parent_idx.map(|idx| &classes[idx]);
                draft.route = route::of_annotations(route::Annotated {
                    name: &draft.name,
                    annotations: &draft.annotations,
                    class: class.map_or("", |(name, _)| name),
                    of_class: class.map_or(&[], |(_, annotations)| annotations),
                });
            }
            finished(text, module.as_deref(), &comments, draft)
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
            level: None,
            is_quoted: false,
            is_joined: false,
        }
    }

    fn body_span(&self) -> Option<Span> {
        let body = self.body.or_else(|| self.node.child_by_field_name("body"));
        body.map(|node| Span::of(&node))
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
    let id = |found: &Found<'_>| found.name.or(found.verb).map(|node| node.id());
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
        level: first.level.or(second.level),
        is_quoted: first.is_quoted,
        is_joined: first.is_joined || second.is_joined,
    };
}

/// Variables of a function are its own business.
fn is_local(kind: SymbolKind, parent: Option<SymbolKind>) -> bool {
    let is_value = matches!(
        kind,
        SymbolKind::Variable | SymbolKind::Constant | SymbolKind::Field | SymbolKind::Property
    );
    let runs = |parent: SymbolKind| {
        parent.is_callable() || matches!(parent, SymbolKind::Test | SymbolKind::Route)
    };
    is_value && parent.is_some_and(runs)
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

fn finished(text: &str, module: Option<&str>, comments: &[Span], draft: Draft) -> SymbolNode {
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

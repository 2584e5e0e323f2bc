//! The walk over one tree: symbols as they open, comments and annotations as they pass.
//!
//! Iterative, so that depth costs no stack. A symbol is found at its first node; annotations inside it come later and
//! are added while it is open. Must not keep any node beyond the walk.

mod draft;
mod found;
mod reach;

use std::ops::Range;

use tree_sitter::{Node, Tree};

use super::grammar::{Action, Grammar};
use super::limits::{Fallback, MAX_DEPTH};
use super::pattern::Matcher;
use super::{Syntax, route, signature};
use crate::symbol::SymbolKind;
use draft::{Draft, Span};
use found::Found;

/// A name longer than this is no name.
const MAX_NAME_CHARS: usize = 160;
/// Annotations longer than this are cut.
const MAX_ANNOTATION_CHARS: usize = 240;

/// What encloses the node at hand.
#[derive(Debug)]
struct Open {
    end: usize,
    name: String,
    /// `None` for a scope that is no symbol.
    draft: Option<usize>,
    level: Option<u8>,
}

pub(super) struct Walk<'a, 't> {
    grammar: &'a Grammar,
    text: &'a str,
    matcher: Matcher<'t>,
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
    pub(super) fn new(grammar: &'a Grammar, text: &'a str, tree: &'t Tree) -> Self {
        Walk {
            grammar,
            text,
            matcher: Matcher::new(tree.root_node()),
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
            // Most nodes are leaves: the cursor is not asked about those.
            if goes_on && node.child_count() > 0 && cursor.goto_first_child() {
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
            draft::finished(text, module.as_deref(), &comments, draft)
        };
        let mut syntax = Syntax {
            symbols: self.drafts.into_iter().map(node).collect(),
            names: self.names,
            calls: self.calls,
            prose: self.prose,
            fallback: None,
        };
        draft::in_line_order(&mut syntax.symbols);
        syntax
    }
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

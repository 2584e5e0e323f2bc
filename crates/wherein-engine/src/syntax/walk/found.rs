//! What the query finds: asked at one node, kept until the walk gets there, and named.

use tree_sitter::Node;

use super::{MAX_NAME_CHARS, Span, Walk, reach};
use crate::symbol::SymbolKind;
use crate::syntax::grammar::Capture;
use crate::syntax::{route, signature};

/// One symbol or scope of a match.
#[derive(Debug)]
pub(super) struct Found<'t> {
    pub(super) node: Node<'t>,
    pub(super) kind: Option<SymbolKind>,
    pub(super) pattern: usize,
    pub(super) name: Option<Node<'t>>,
    pub(super) parent: Option<Node<'t>>,
    pub(super) body: Option<Node<'t>>,
    pub(super) doc: Option<Node<'t>>,
    pub(super) verb: Option<Node<'t>>,
    pub(super) path: Option<Node<'t>>,
    pub(super) level: Option<u8>,
    pub(super) is_quoted: bool,
    pub(super) is_joined: bool,
}

impl<'t> Found<'t> {
    pub(super) fn of(node: Node<'t>, pattern: usize) -> Found<'t> {
        Found {
            node,
            kind: None,
            pattern,
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

    pub(super) fn body_span(&self) -> Option<Span> {
        let body = self.body.or_else(|| self.node.child_by_field_name("body"));
        body.map(|node| Span::of(&node))
    }
}

impl<'t> Walk<'_, 't> {
    /// What was found earlier of the node at hand.
    pub(super) fn arrived(&mut self, node: Node<'t>) -> Vec<Found<'t>> {
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

    /// Asks the query at one node: what is found of the node itself is added to `found`, the rest waits.
    pub(super) fn ask(&mut self, node: Node<'t>, found: &mut Vec<Found<'t>>) {
        let (grammar, text) = (self.grammar, self.text);
        let mut docs = None;
        let (mut noted, mut later) = (Vec::new(), Vec::new());
        for (pattern, captures) in self.matcher.find(&grammar.patterns, node, text.as_bytes()) {
            let mut one = Found::of(node, pattern);
            let mut is_named = false;
            for (capture, at) in captures.iter().copied() {
                match grammar.capture(capture) {
                    Capture::Symbol(kind) => {
                        (one.node, one.kind, is_named) = (at, Some(kind), true);
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
                // Where the name is that field, its pattern need not say so.
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
    pub(super) fn wait_for(&mut self, later: Vec<Found<'t>>) {
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

    /// A route's name below the path of the group that it stands in (`route("/api") { get("/x") … }`).
    pub(super) fn below_prefix(
        &self,
        name: String,
        found: &Found<'_>,
        enclosing: Option<usize>,
    ) -> String {
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
    pub(super) fn method(&self, found: &Found<'t>, name: &str) -> SymbolKind {
        let own = found.parent.map(|node| &self.text[node.byte_range()]);
        let around = self.open.last().and_then(|open| open.name.rsplit('.').next());
        match own.or(around) == Some(name) {
            true => SymbolKind::Constructor,
            false => SymbolKind::Method,
        }
    }

    /// The name as written, and where; a route declared by a call is named after itself.
    pub(super) fn name_of(&self, found: &Found<'t>) -> Option<(String, Span)> {
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
}

/// A name without the marks of a literal: `:name`, `name:`, `"name"`.
fn bare(name: &str) -> &str {
    let quoted = ['"', '\'', '`'].into_iter().find_map(|q| name.strip_prefix(q)?.strip_suffix(q));
    // Operators such as `::` and `+:` are names as they are.
    let is_word = |c: char| c.is_alphanumeric() || matches!(c, '_' | '"' | '\'' | '?' | '!');
    let symbol = || name.strip_prefix(':').filter(|rest| rest.starts_with(is_word));
    let key = || name.trim_end().strip_suffix(':').filter(|rest| rest.ends_with(is_word));
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

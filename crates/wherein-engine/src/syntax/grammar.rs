//! A grammar and its query, made ready for the walk: what to do at each kind of node.
//!
//! Patterns are asked only at nodes that one of them begins with; those that are one node and one capture need not be
//! asked at all. Must not know any language by name.

use std::collections::HashMap;
use std::sync::{LazyLock, OnceLock};

use tree_sitter::Language;
use tree_sitter_language::LanguageFn;

use super::pattern::Patterns;
use crate::scan::language;
use crate::symbol::SymbolKind;

/// What a capture of a query file means. `queries/README.md` tells their authors.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Capture {
    Symbol(SymbolKind),
    Scope,
    Name,
    NameQuoted,
    Parent,
    Body,
    Level(u8),
    Joined,
    Doc,
    DocAbove,
    Call,
    Module,
    ModulePart,
    Annotation,
    RouteVerb,
    RoutePath,
    /// Begins with `_`: used by predicates alone.
    Helper,
}

/// What the walk does at a kind of node; several may hold.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Action(u8);

impl Action {
    pub(super) const COMMENT: Action = Action(1);
    pub(super) const STRING: Action = Action(2);
    pub(super) const ANNOTATION: Action = Action(4);
    pub(super) const WRAPPER: Action = Action(8);
    /// Some pattern begins with this kind of node.
    pub(super) const MATCH: Action = Action(16);

    pub(super) fn has(self, other: Action) -> bool {
        self.0 & other.0 != 0
    }

    pub(super) fn is_none(self) -> bool {
        self.0 == 0
    }
}

/// A grammar with the patterns of its query.
#[derive(Debug)]
pub(super) struct Grammar {
    pub(super) language: Language,
    pub(super) patterns: Patterns,
    /// By node kind; the last is what to do at broken code.
    actions: Vec<Action>,
    /// By capture number.
    captures: Vec<Capture>,
}

impl Grammar {
    /// Reads a query against its grammar; the error says what is wrong and where.
    pub(super) fn compile(function: LanguageFn, text: &str) -> Result<Grammar, String> {
        let language = Language::new(function);
        let mut patterns = Patterns::read(&language, text).map_err(|e| e.to_string())?;
        let names = patterns.capture_names().iter();
        let captures = names.map(|name| capture(name)).collect::<Result<Vec<_>, String>>()?;
        let mut actions = vec![Action::default(); language.node_kind_count() + 1];
        let of_patterns: Vec<Action> = patterns
            .roots()
            .map(|(kind, simple)| {
                let action = action(simple);
                let slot = usize::from(kind).min(actions.len() - 1);
                actions[slot].0 |= action.0;
                action
            })
            .collect();
        // The walk itself does what they ask for.
        patterns.leave_out(|pattern| of_patterns[pattern] != Action::MATCH);
        Ok(Grammar { language, patterns, actions, captures })
    }

    pub(super) fn action(&self, kind_id: u16) -> Action {
        // Broken code has a kind of its own, far beyond those of the grammar.
        let action = self.actions.get(usize::from(kind_id)).or(self.actions.last());
        action.copied().unwrap_or_default()
    }

    pub(super) fn capture(&self, idx: u16) -> Capture {
        self.captures.get(usize::from(idx)).copied().unwrap_or(Capture::Helper)
    }
}

/// The meaning of a capture's name.
fn capture(name: &str) -> Result<Capture, String> {
    if name.starts_with('_') {
        return Ok(Capture::Helper);
    }
    if let Some(kind) = name.strip_prefix("symbol.") {
        return kind.parse().map(Capture::Symbol).map_err(|_| format!("@{name} is no kind"));
    }
    if let Some(level) = name.strip_prefix("level.") {
        return level.parse().map(Capture::Level).map_err(|_| format!("@{name} is no number"));
    }
    match name {
        "scope" => Ok(Capture::Scope),
        "name" => Ok(Capture::Name),
        "parent" => Ok(Capture::Parent),
        "name.quoted" => Ok(Capture::NameQuoted),
        "body" => Ok(Capture::Body),
        "joined" => Ok(Capture::Joined),
        "doc" => Ok(Capture::Doc),
        "doc.above" => Ok(Capture::DocAbove),
        "call" => Ok(Capture::Call),
        "module" => Ok(Capture::Module),
        "module.part" => Ok(Capture::ModulePart),
        "route.verb" => Ok(Capture::RouteVerb),
        "route.path" => Ok(Capture::RoutePath),
        "annotation" => Ok(Capture::Annotation),
        // Only ever the whole of a pattern, where `action` reads them.
        "comment" | "string" | "wrapper" => Ok(Capture::Helper),
        _ => Err(format!("@{name} means nothing")),
    }
}

/// What to do at a node that a pattern begins with, given its capture if it is nothing but a captured node.
fn action(simple: Option<&str>) -> Action {
    match simple {
        Some("comment") => Action::COMMENT,
        Some("string") => Action::STRING,
        Some("annotation") => Action::ANNOTATION,
        Some("wrapper") => Action::WRAPPER,
        _ => Action::MATCH,
    }
}

/// Every grammar of the table by its name, each read when a file first needs it.
static GRAMMARS: LazyLock<HashMap<&'static str, OnceLock<Option<Grammar>>>> =
    LazyLock::new(|| language::sources().map(|source| (source.name, OnceLock::new())).collect());

/// The grammar for a file of `language`; `None` where the table has none.
pub(super) fn of(language: &str, file_name: &str) -> Option<&'static Grammar> {
    let source = language::source(language, file_name)?;
    // A query that cannot be read fails a test, so it never gets here.
    let compile = || Grammar::compile(source.grammar, source.query).ok();
    GRAMMARS.get(source.name)?.get_or_init(compile).as_ref()
}

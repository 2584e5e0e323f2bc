//! A grammar and its query, made ready for the walk: what to do at each kind of node.
//!
//! Running a whole query over a tree costs as much as half the parse; asking it only at nodes that a pattern
//! begins with costs a tenth. Patterns that are one node and one capture need no query at all. Must not know any
//! language by name.

use std::collections::HashMap;
use std::sync::{LazyLock, OnceLock};

use tree_sitter::{Language, Query};
use tree_sitter_language::LanguageFn;

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

/// A grammar with its compiled query.
#[derive(Debug)]
pub(super) struct Grammar {
    pub(super) language: Language,
    pub(super) query: Query,
    /// By node kind; the last is what to do at broken code.
    actions: Vec<Action>,
    /// By capture number.
    captures: Vec<Capture>,
}

impl Grammar {
    /// Compiles a query against its grammar; the error says what is wrong and where.
    pub(super) fn compile(function: LanguageFn, text: &str) -> Result<Grammar, String> {
        let language = Language::new(function);
        let query = Query::new(&language, text).map_err(|e| e.to_string())?;
        let names = query.capture_names().iter();
        let captures = names.map(|name| capture(name)).collect::<Result<Vec<_>, String>>()?;
        let mut actions = vec![Action::default(); language.node_kind_count() + 1];
        for pattern in 0..query.pattern_count() {
            let bytes = query.start_byte_for_pattern(pattern)..query.end_byte_for_pattern(pattern);
            let (kind, action) = action(&text[bytes])?;
            let mut is_known = false;
            // Several ids may share a name: an alias has its own.
            for id in (0..language.node_kind_count() as u16).filter(|id| {
                language.node_kind_is_named(*id) && language.node_kind_for_id(*id) == Some(kind)
            }) {
                is_known = true;
                if let Some(slot) = actions.get_mut(usize::from(id)) {
                    slot.0 |= action.0;
                }
            }
            if kind == "ERROR"
                && let Some(slot) = actions.last_mut()
            {
                is_known = true;
                slot.0 |= action.0;
            }
            if !is_known {
                return Err(format!("no node of the grammar is called {kind}"));
            }
        }
        Ok(Grammar { language, query, actions, captures })
    }

    pub(super) fn action(&self, kind_id: u16) -> Action {
        // Broken code has a kind of its own, far beyond those of the grammar.
        let action = self.actions.get(usize::from(kind_id)).or(self.actions.last());
        action.copied().unwrap_or_default()
    }

    pub(super) fn capture(&self, idx: u32) -> Capture {
        self.captures.get(idx as usize).copied().unwrap_or(Capture::Helper)
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

/// The kind of node that a pattern begins with, and what to do there.
fn action(pattern: &str) -> Result<(&str, Action), String> {
    let rest =
        pattern.trim_start().strip_prefix('(').ok_or("a pattern begins with ( and a node")?;
    let is_kind = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let end = rest.find(|c| !is_kind(c)).unwrap_or(rest.len());
    let (kind, after) = rest.split_at(end);
    if kind.is_empty() || kind == "_" {
        return Err(format!("a pattern begins with a kind of node: {pattern}"));
    }
    let simple = after.trim_start().strip_prefix(')').map(str::trim);
    let action = match simple {
        Some("@comment") => Action::COMMENT,
        Some("@string") => Action::STRING,
        Some("@annotation") => Action::ANNOTATION,
        Some("@wrapper") => Action::WRAPPER,
        _ => Action::MATCH,
    };
    Ok((kind, action))
}

/// Every grammar of the table by its name, each compiled when a file first needs it.
static GRAMMARS: LazyLock<HashMap<&'static str, OnceLock<Option<Grammar>>>> =
    LazyLock::new(|| language::sources().map(|source| (source.name, OnceLock::new())).collect());

/// The grammar for a file of `language`; `None` where the table has none.
pub(super) fn of(language: &str, file_name: &str) -> Option<&'static Grammar> {
    let source = language::source(language, file_name)?;
    // A query that does not compile fails a test, so it never gets here.
    let compile = || Grammar::compile(source.grammar, source.query).ok();
    GRAMMARS.get(source.name)?.get_or_init(compile).as_ref()
}

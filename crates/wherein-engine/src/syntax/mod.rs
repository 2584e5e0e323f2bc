//! Source text → its symbols, and what each of its words is: a definition's name, a call, a mention, or prose.
//!
//! One parse and one walk a file. What cannot be parsed within the limits is said and left to lines; broken syntax
//! gives the symbols that can still be seen. Must not read files, and must not know what becomes of the symbols.

mod doc;
mod grammar;
mod limits;
mod macros;
mod pattern;
mod region;
mod route;
mod signature;
mod walk;

use std::ops::Range;

use crate::scan::language;
use crate::symbol::Symbol;
pub(crate) use limits::Fallback;
use walk::Walk;

/// Changes whenever some text gives other symbols; part of the identity of a generation.
pub(crate) const SYNTAX_VERSION: u32 = 1;

/// A symbol and where it stands among the others.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct SymbolNode {
    pub(crate) symbol: Symbol,
    /// The nearest enclosing symbol, by position in [`Syntax::symbols`].
    pub(crate) parent_idx: Option<usize>,
    /// The first line of the doc comment above it; its own first line where there is none.
    pub(crate) top_line: u32,
    /// The line that its body begins in; its last line where it has none.
    pub(crate) body_line: u32,
    /// Its whole doc comment, above and inside, without comment marks.
    pub(crate) doc: String,
}

impl SymbolNode {
    /// The line of its name, 0-based.
    pub(crate) fn name_row(&self) -> usize {
        self.symbol.name_line as usize - 1
    }
}

/// What a file consists of.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Syntax {
    /// In order of their first lines; an enclosing symbol precedes what it encloses.
    pub(crate) symbols: Vec<SymbolNode>,
    /// Byte offsets of the names that are defined, in order.
    pub(crate) names: Vec<u32>,
    /// Byte offsets of the names that are called, in order.
    pub(crate) calls: Vec<u32>,
    /// Comments and string literals, in bytes, in order and apart.
    pub(crate) prose: Vec<Range<u32>>,
    /// Why there are no symbols although there is a grammar.
    pub(crate) fallback: Option<Fallback>,
}

/// Whether files of `language` have a grammar.
pub(crate) fn is_known(language: &str, file_name: &str) -> bool {
    language::source(language, file_name).is_some()
}

/// Parses files one after the other; one per thread.
pub(crate) struct SyntaxParser {
    parser: tree_sitter::Parser,
}

impl std::fmt::Debug for SyntaxParser {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("SyntaxParser")
    }
}

impl Default for SyntaxParser {
    fn default() -> SyntaxParser {
        SyntaxParser { parser: tree_sitter::Parser::new() }
    }
}

impl SyntaxParser {
    /// The symbols of a file of `language`; none where no grammar is known.
    pub(crate) fn parse(&mut self, language: &str, file_name: &str, text: &str) -> Syntax {
        if !text.ends_with('\n') {
            // Some scanners look for the end of a line and for nothing else: without one they never end.
            let mut syntax = self.parse(language, file_name, &format!("{text}\n"));
            if let Some(last) = syntax.prose.last_mut() {
                last.end = last.end.min(text.len() as u32);
            }
            return syntax;
        }
        if let Some(region) = region::find(language, text) {
            return self.parse(region.language, "", &region.text);
        }
        let Some(grammar) = grammar::of(language, file_name) else {
            return Syntax::default();
        };
        let fall_back = |why| Syntax { fallback: Some(why), ..Syntax::default() };
        if let Some(why) = limits::check(text) {
            return fall_back(why);
        }
        if self.parser.set_language(&grammar.language).is_err() {
            return Syntax::default();
        }
        let blanked = macros::blank(language, text);
        let text = blanked.as_deref().unwrap_or(text);
        let Some(tree) = limits::parse(&mut self.parser, &region::readable(language, text)) else {
            return fall_back(Fallback::TooSlow);
        };
        let mut walk = Walk::new(grammar, text, &tree);
        match walk.run(&tree) {
            Ok(()) => walk.finish(),
            Err(why) => fall_back(why),
        }
    }
}

#[cfg(test)]
mod tests;

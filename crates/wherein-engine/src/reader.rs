//! Files as the index sees them, for those who learn from code or measure it: words and symbols.
//!
//! The same tokenizer, parser and chunker as everywhere, so that what is learned holds for what is searched. Must not
//! read files or keep anything of them.

use crate::chunk::{Chunker, Source};
use crate::model::{Kind, Profile};
use crate::symbol::Symbol;
use crate::tokenize::{Field, Tokenizer};

/// Reads sources one after the other; one per thread.
#[derive(Debug, Default)]
pub struct SourceReader {
    chunker: Chunker,
    tokenizer: Tokenizer,
}

/// What a source file consists of.
#[derive(Debug, Clone, PartialEq)]
pub struct SourceParts {
    /// Its language by name.
    pub language: String,
    /// Source, test, docs …
    pub kind: Kind,
    /// In order of their first lines; an enclosing symbol precedes what it encloses.
    pub symbols: Vec<SymbolPart>,
}

/// A symbol with what only its source knows.
#[derive(Debug, Clone, PartialEq)]
pub struct SymbolPart {
    /// The symbol as it is indexed.
    pub symbol: Symbol,
    /// The first line of the doc comment above it; its own first line where there is none.
    pub top_line: u32,
    /// Its whole doc comment, above and inside, without comment marks.
    pub doc: String,
}

impl SourceReader {
    /// The parts of a file, cut by symbols.
    pub fn read(&mut self, path: &str, text: &str) -> SourceParts {
        let source = Source::of(path, text);
        let cuts = self.chunker.cut(Profile::Symbols, &source);
        let part = |node: crate::syntax::SymbolNode| SymbolPart {
            symbol: node.symbol,
            top_line: node.top_line,
            doc: node.doc,
        };
        SourceParts {
            language: source.language.to_owned(),
            kind: source.kind,
            symbols: cuts.syntax.symbols.into_iter().map(part).collect(),
        }
    }

    /// Calls `emit` with each word of `text`, as the index and the built-in model have them.
    pub fn words(&mut self, text: &str, mut emit: impl FnMut(&str)) {
        self.tokenizer.words(text, |word| emit(word.term()));
    }

    /// Calls `emit` with each word of `text` as it is indexed and as it is written.
    pub fn spelled_words(&mut self, text: &str, mut emit: impl FnMut(&str, &str)) {
        self.tokenizer.terms(text, |term| {
            if term.field == Field::Words {
                emit(term.text, &text[term.start..term.end]);
            }
        });
    }
}

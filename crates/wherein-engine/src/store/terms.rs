//! How terms get into tantivy: our own tokenizer has made them, one a line; tantivy only stores them.
//!
//! Usages carry their place on the line as well, which tantivy keeps as a position.

use tantivy::tokenizer::{Token, TokenStream, Tokenizer, TokenizerManager};

/// The name under which tantivy knows [`SplitLines`].
pub(super) const TERMS: &str = "terms";
/// The name under which tantivy knows [`SplitPlaces`].
pub(super) const PLACES: &str = "places";
/// Between a term and its place.
pub(super) const SEPARATOR: char = '\t';

pub(super) fn tokenizers() -> TokenizerManager {
    let manager = TokenizerManager::default();
    manager.register(TERMS, SplitLines);
    manager.register(PLACES, SplitPlaces);
    manager
}

/// One term a line.
#[derive(Debug, Clone, Copy)]
struct SplitLines;

/// One term and its place a line.
#[derive(Debug, Clone, Copy)]
struct SplitPlaces;

struct LineStream<'a> {
    rest: &'a str,
    token: Token,
    has_places: bool,
}

impl<'a> LineStream<'a> {
    fn new(rest: &'a str, has_places: bool) -> LineStream<'a> {
        LineStream { rest, token: Token { position: 0, ..Token::default() }, has_places }
    }
}

impl Tokenizer for SplitLines {
    type TokenStream<'a> = LineStream<'a>;

    fn token_stream<'a>(&'a mut self, text: &'a str) -> LineStream<'a> {
        LineStream::new(text, false)
    }
}

impl Tokenizer for SplitPlaces {
    type TokenStream<'a> = LineStream<'a>;

    fn token_stream<'a>(&'a mut self, text: &'a str) -> LineStream<'a> {
        LineStream::new(text, true)
    }
}

impl TokenStream for LineStream<'_> {
    fn advance(&mut self) -> bool {
        let Some((line, rest)) = self.rest.split_once('\n') else {
            return false;
        };
        self.rest = rest;
        let term = match line.split_once(SEPARATOR).filter(|_| self.has_places) {
            Some((term, place)) => {
                self.token.position = place.parse().unwrap_or(0);
                term
            }
            None => line,
        };
        self.token.text.clear();
        self.token.text.push_str(term);
        true
    }

    fn token(&self) -> &Token {
        &self.token
    }

    fn token_mut(&mut self) -> &mut Token {
        &mut self.token
    }
}

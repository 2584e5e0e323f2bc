//! How terms get into tantivy: our own tokenizer has made them, one a line; tantivy only stores them.
//!
//! Usages carry their place on the line as well, which tantivy keeps as a position.

use tantivy::tokenizer::{Token, TokenStream, Tokenizer, TokenizerManager};

/// The name under which tantivy knows [`SplitLines`].
pub(super) const TERMS: &str = "terms";
/// The name under which tantivy knows [`SplitPlaces`].
pub(super) const PLACES: &str = "places";
/// Between a term and its place.
pub(crate) const SEPARATOR: char = '\t';

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
        let Some(end) = memchr::memchr(b'\n', self.rest.as_bytes()) else {
            return false;
        };
        let line = &self.rest[..end];
        self.rest = &self.rest[end + 1..];
        let at =
            if self.has_places { memchr::memrchr(SEPARATOR as u8, line.as_bytes()) } else { None };
        if let Some(at) = at {
            self.token.position = line[at + 1..].parse().unwrap_or(0);
        }
        let term = &line[..at.unwrap_or(line.len())];
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

//! The words of a question as they were written, between white space: names, places, and the rest.
//!
//! A word is taken for a name only where its spelling says so. Must not look into pasted text, which `pasted` reads line by line.

use super::{PlaceMention, SymbolMention, paths, symbols};

/// What one written word is.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Mention<'a> {
    Place(PlaceMention),
    Symbol(SymbolMention),
    /// A plain word.
    Word(&'a str),
    /// `fn`, `class` and the like in front of a name; `line` and its number beside a place.
    Keyword,
    /// Punctuation.
    Nothing,
}

/// Written words beyond this many are not looked at: what matters stands in front.
const MAX_WORDS: usize = 512;
/// Put in front of a name by people who know the language; behind these any word is a name.
const DEFINES: &[&str] = &["def", "defn", "defp", "fn", "fun", "func", "sub"];
/// The same, but plain words too (`class hierarchy`): the name must look like one.
const MAY_DEFINE: &[&str] = &[
    "class",
    "const",
    "defmodule",
    "enum",
    "function",
    "impl",
    "interface",
    "let",
    "method",
    "module",
    "struct",
    "trait",
    "type",
    "typedef",
    "union",
    "val",
    "var",
];
const OPENING: &[char] =
    &['(', '[', '{', '<', '"', '\'', '`', '“', '‘', '«', '„', '¿', '¡', ',', ';'];
const CLOSING: &[char] =
    &[')', ']', '}', '>', '"', '\'', '`', '”', '’', '»', '?', '!', ',', ';', ':', '.', '…'];
const QUOTES: &[char] = &['"', '\'', '`'];

/// Reads the written words of a question.
pub(super) fn read(text: &str) -> Vec<Mention<'_>> {
    let mut mentions: Vec<Mention<'_>> =
        text.split_whitespace().take(MAX_WORDS).map(read_word).collect();
    take_lines(&mut mentions);
    take_definitions(&mut mentions);
    mentions
}

fn read_word(raw: &str) -> Mention<'_> {
    let bare = raw.trim_start_matches(OPENING);
    let is_quoted = bare.len() < raw.len()
        && raw[..raw.len() - bare.len()].ends_with(QUOTES)
        && bare
            .trim_end_matches(|c| CLOSING.contains(&c) && !QUOTES.contains(&c))
            .ends_with(QUOTES);
    let word = bare.trim_end_matches(CLOSING);
    if !word.contains(char::is_alphanumeric) {
        return Mention::Nothing;
    }
    // `a.ts(3,4)` needs its bracket.
    let place =
        paths::parse(word).or_else(|| paths::parse(bare.trim_end_matches(['.', ',', ':', '?'])));
    if let Some(place) = place {
        return Mention::Place(place);
    }
    match symbols::parse(bare, word, is_quoted) {
        Some(symbol) => Mention::Symbol(symbol),
        None => Mention::Word(word),
    }
}

/// `a.rs line 12`, `line 12 of a.rs`.
fn take_lines(mentions: &mut [Mention<'_>]) {
    for i in 0..mentions.len() {
        let number = match mentions[i..] {
            [Mention::Word(word), Mention::Word(number), ..] if is_line_word(word) => {
                number.parse()
            }
            _ => continue,
        };
        let Ok(number) = number else { continue };
        let (before, after) = (i.checked_sub(1), i + 3);
        if let Some(Mention::Place(place)) = before.and_then(|before| mentions.get_mut(before)) {
            place.line = place.line.or(Some(number));
        } else if let Some(Mention::Place(place)) = mentions.get_mut(after) {
            place.line = place.line.or(Some(number));
            mentions[i + 2] = Mention::Keyword;
        } else {
            continue;
        }
        mentions[i] = Mention::Keyword;
        mentions[i + 1] = Mention::Keyword;
    }
}

fn is_line_word(word: &str) -> bool {
    ["line", "Line", "ligne", "línea", "riga", "baris"].contains(&word)
}

/// `fn parse`, `class Session`.
fn take_definitions(mentions: &mut [Mention<'_>]) {
    for i in 1..mentions.len() {
        let Mention::Word(keyword) = mentions[i - 1] else { continue };
        let name = match &mentions[i] {
            Mention::Symbol(_) if is_keyword(keyword) => None,
            Mention::Word(name) if defines(keyword, name) => Some(SymbolMention::plain(name)),
            _ => continue,
        };
        mentions[i - 1] = Mention::Keyword;
        if let Some(symbol) = name {
            mentions[i] = Mention::Symbol(symbol);
        }
    }
}

fn is_keyword(word: &str) -> bool {
    DEFINES.contains(&word) || MAY_DEFINE.contains(&word)
}

fn defines(keyword: &str, name: &str) -> bool {
    symbols::is_identifier(name)
        && (DEFINES.contains(&keyword)
            || (MAY_DEFINE.contains(&keyword) && name.starts_with(char::is_uppercase)))
}

/// Whether the only word could be a name: not a sentence of a script without spaces, not a number.
pub(super) fn is_name_like(mentions: &[Mention<'_>]) -> bool {
    const LONGEST_UNSPACED: usize = 6;
    let is_unspaced = |c: char| matches!(c, '\u{0e00}'..='\u{0eff}' | '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}' | '\u{20000}'..='\u{2ffff}');
    mentions.iter().all(|mention| match mention {
        Mention::Word(word) => {
            word.contains(char::is_alphabetic)
                && word.chars().filter(|c| is_unspaced(*c)).count() <= LONGEST_UNSPACED
        }
        _ => true,
    })
}

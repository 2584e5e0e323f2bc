//! What a question is, by rules on its text alone: a name, a sentence or something pasted; what it wants; what it names.
//!
//! The rules about whole questions stand here and in the files below, and nowhere else; no model takes part, so the same text is
//! read the same way everywhere. Must not touch the index: `places` finds the files that are named.

mod frames;
mod mentions;
mod named;
mod pasted;
mod paths;
mod symbols;
mod tongue;
mod words;

use std::ops::Range;

pub(crate) use frames::is_jvm;
use mentions::Mention;
use words::is_stop_word;
pub(crate) use words::{Compound, Word, read};

/// Names and places beyond this many are not kept: a pasted log repeats itself.
const MAX_MENTIONS: usize = 32;
/// A question of more names than this is a list, not a name.
const MAX_NAMES: usize = 4;

/// The kind of a question.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum QuestionType {
    /// One or a few names or places and nothing else.
    Symbol,
    /// A sentence, or several plain words.
    #[default]
    Prose,
    /// What a program printed, or code: a stack trace, a diff, an error message, a log, a few lines of a file.
    Pasted,
}

/// Kinds of file that the words ask for.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Wants {
    pub(crate) tests: bool,
    pub(crate) docs: bool,
    pub(crate) config: bool,
    /// Examples are a part of the documentation.
    pub(crate) examples: bool,
}

/// A file that the question names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct PlaceMention {
    /// As written but for its separators, which are `/`; may be the absolute path of another machine.
    pub(crate) path: String,
    pub(crate) line: Option<u32>,
    /// Whether it can be nothing but a file. `response.json` may be a call.
    pub(crate) is_certain: bool,
}

/// A name of the code that the question holds, written as one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct SymbolMention {
    pub(crate) name: String,
    /// What stands in front of it: `Session` of `Session.get`.
    #[allow(dead_code, reason = "for the ranking")]
    pub(crate) parent: Option<String>,
}

/// How much a part of a pasted text counts.
#[derive(Debug, Clone, PartialEq)]
struct Focus {
    range: Range<usize>,
    weight: f32,
}

/// A question, understood.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Question {
    pub(crate) kind: QuestionType,
    pub(crate) wants: Wants,
    /// Programming languages named so that nothing else can be meant.
    pub(crate) languages: Vec<&'static str>,
    /// Of a stack trace the innermost frame first, else in order.
    pub(crate) places: Vec<PlaceMention>,
    /// Ordered like `places`.
    pub(crate) symbols: Vec<SymbolMention>,
    /// The language of people that it is written in, where that is clearly not English.
    pub(crate) not_english: Option<&'static str>,
    /// In order, without overlaps; what lies between counts fully.
    focus: Vec<Focus>,
}

impl Question {
    /// Understands a question; `words` are its words as [`read`] gives them.
    pub(crate) fn of(text: &str, words: &[Word]) -> Question {
        if let Some(pasted) = pasted::read(text) {
            return Question::of_pasted(text, words, pasted);
        }
        let mentions = mentions::read(text);
        let mut question = Question { kind: kind_of(&mentions), ..Question::default() };
        question.add(mentions);
        if question.kind == QuestionType::Prose {
            question.not_english = tongue::of(text);
            question.languages = named::languages(text);
        }
        question.wants = named::wants(words, text.len());
        question
    }

    fn of_pasted(text: &str, words: &[Word], pasted: pasted::Pasted) -> Question {
        // What was printed wants nothing; the asker's own words stand in front.
        let own = &text[..pasted.n_own_bytes];
        let mut question = Question {
            kind: QuestionType::Pasted,
            wants: named::wants(words, own.len()),
            languages: named::languages(own),
            places: pasted.places,
            symbols: pasted.symbols,
            not_english: tongue::of(own),
            focus: pasted.focus,
        };
        question.add(mentions::read(own));
        question
    }

    fn add(&mut self, mentions: Vec<Mention<'_>>) {
        let n_words = mentions.iter().filter(|m| !matches!(m, Mention::Nothing)).count();
        for mention in mentions {
            match mention {
                Mention::Place(place) => add_once(&mut self.places, place),
                Mention::Symbol(symbol) => add_once(&mut self.symbols, symbol),
                // The word that a question is made of is a name, however plain.
                Mention::Word(word) if n_words == 1 && self.kind == QuestionType::Symbol => {
                    add_once(&mut self.symbols, SymbolMention::plain(word));
                }
                Mention::Word(_) | Mention::Keyword | Mention::Nothing => {}
            }
        }
    }

    /// Whether places are all that it holds.
    pub(crate) fn is_place(&self) -> bool {
        self.kind == QuestionType::Symbol && self.symbols.is_empty() && !self.places.is_empty()
    }

    /// Whether some of its parts count more than others.
    pub(crate) fn is_focused(&self) -> bool {
        !self.focus.is_empty()
    }

    /// How much what begins at this byte counts: 1 but for parts of a pasted text.
    pub(crate) fn weight_at(&self, at: usize) -> f32 {
        let after = self.focus.partition_point(|focus| focus.range.start <= at);
        let around = after.checked_sub(1).and_then(|before| self.focus.get(before));
        around.filter(|focus| focus.range.contains(&at)).map_or(1.0, |focus| focus.weight)
    }

    /// Whether a folded word says nothing about code in the question's language or in English.
    pub(crate) fn is_stop_word(&self, folded: &str) -> bool {
        let is_foreign = |language| tongue::is_stop_word(language, folded);
        is_stop_word(folded) || self.not_english.is_some_and(is_foreign)
    }
}

impl SymbolMention {
    fn plain(name: &str) -> SymbolMention {
        SymbolMention { name: name.to_owned(), parent: None }
    }
}

fn kind_of(mentions: &[Mention<'_>]) -> QuestionType {
    let n = |is: fn(&Mention<'_>) -> bool| mentions.iter().filter(|m| is(m)).count();
    let n_words = n(|m| matches!(m, Mention::Word(_)));
    let n_named = n(|m| matches!(m, Mention::Place(_) | Mention::Symbol(_)));
    match (n_words, n_named) {
        (0, 1..=MAX_NAMES) => QuestionType::Symbol,
        (1, 0) if mentions::is_name_like(mentions) => QuestionType::Symbol,
        _ => QuestionType::Prose,
    }
}

fn add_once<T: PartialEq>(list: &mut Vec<T>, item: T) {
    if list.len() < MAX_MENTIONS && !list.contains(&item) {
        list.push(item);
    }
}

#[cfg(test)]
mod tests;

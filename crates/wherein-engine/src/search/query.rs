//! Words → query: terms with the field and weight that each is looked up with, and quoted literals.
//!
//! Terms come from the tokenizer that made the chunks' terms. The rules about whole questions (stop words,
//! what the asker wants) stand here and nowhere else. Must not touch the index.

use crate::tokenize::{Field, Tokenizer};

/// What a term is, which decides the fields that it is looked up in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Channel {
    /// A word, stemmed: of the body, a name, a doc comment, or about the code.
    Word,
    /// An identifier of several parts, or neighbours read as one.
    Identifier,
    /// A word that may be the whole of an identifier of several parts.
    Folded,
    /// A word of a path.
    Path,
}

/// A term to look up.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct QueryTerm {
    pub(crate) text: String,
    pub(crate) channel: Channel,
    pub(crate) weight: f32,
    /// Whether terms that begin with it may stand in for it where no chunk has it.
    pub(crate) expandable: bool,
}

/// A question, understood.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Query {
    pub(crate) terms: Vec<QueryTerm>,
    /// Quoted parts: a result must contain each.
    pub(crate) literals: Vec<String>,
    /// Whether the words ask for tests, documentation or settings.
    pub(crate) wants: Wants,
}

/// Kinds that the question names.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Wants {
    pub(crate) tests: bool,
    pub(crate) docs: bool,
    pub(crate) config: bool,
}

impl Query {
    /// Whether there is nothing to look up.
    pub(crate) fn is_empty(&self) -> bool {
        self.terms.is_empty()
    }
}

/// Weight of a word found in a file's path.
const PATH_WEIGHT: f32 = 0.95;
/// What an identifier counts for beside the words that it is made of.
const IDENTIFIER_WEIGHT: f32 = 0.7;
/// Weight of a compound that the asker wrote as one identifier.
const COMPOUND_WEIGHT: f32 = 1.36;
/// Weight of two neighbouring words read as one identifier ("strip auth" → `strip_auth`).
const JOINED_WEIGHT: f32 = 0.8;
/// Terms beyond this many are dropped: a pasted file is not a better question than its first lines.
const MAX_TERMS: usize = 256;

/// Words that say nothing about code when they stand in a sentence. They count where they are all there is.
const STOP_WORDS: &[&str] = &[
    "a", "about", "above", "after", "again", "all", "also", "am", "an", "and", "any", "are", "as",
    "at", "be", "because", "been", "before", "being", "below", "between", "both", "but", "by",
    "can", "cannot", "could", "did", "do", "does", "doesn", "doing", "don", "down", "during",
    "each", "few", "for", "from", "further", "get", "gets", "had", "has", "have", "having", "he",
    "her", "here", "hers", "him", "his", "how", "i", "if", "in", "into", "is", "isn", "it", "its",
    "itself", "just", "let", "like", "ll", "me", "more", "most", "my", "no", "nor", "not", "of",
    "off", "on", "once", "only", "or", "other", "our", "ours", "out", "over", "own", "re", "s",
    "same", "she", "should", "so", "some", "such", "t", "than", "that", "the", "their", "them",
    "then", "there", "these", "they", "this", "those", "through", "to", "too", "under", "until",
    "up", "us", "ve", "very", "was", "wasn", "we", "were", "what", "when", "where", "whether",
    "which", "while", "who", "whom", "why", "will", "with", "without", "won", "would", "you",
    "your", "yours",
];

/// One word of the question as written, folded, and as the index knows it.
struct Word {
    folded: String,
    term: String,
    start: usize,
    end: usize,
    /// Whether it is part of a longer identifier.
    is_part: bool,
}

/// Understands a question.
pub(crate) fn parse(text: &str) -> Query {
    let literals = quoted(text);
    let (mut words, mut compounds) = read(text);
    let wants = wants(&words);
    drop_stop_words(&mut words);
    let mut terms = Vec::new();
    for word in &words {
        push(&mut terms, &word.term, Channel::Word, 1.0, true);
        push(&mut terms, &word.term, Channel::Path, PATH_WEIGHT, false);
        if !word.is_part {
            // `webauthn` may be written `WebAuthn` in the code.
            push(&mut terms, &word.folded, Channel::Folded, COMPOUND_WEIGHT, false);
        }
    }
    for pair in words.windows(2) {
        if pair[0].end < pair[1].start && pair[1].start - pair[0].end == 1 {
            compounds.push((format!("{}{}", pair[0].folded, pair[1].folded), JOINED_WEIGHT));
        }
    }
    for (compound, weight) in &compounds {
        let expandable = *weight == COMPOUND_WEIGHT;
        push(&mut terms, compound, Channel::Identifier, weight * IDENTIFIER_WEIGHT, expandable);
        push(&mut terms, compound, Channel::Word, *weight, false);
        push(&mut terms, compound, Channel::Path, weight * PATH_WEIGHT, false);
    }
    Query { terms, literals, wants }
}

fn push(terms: &mut Vec<QueryTerm>, text: &str, channel: Channel, weight: f32, expandable: bool) {
    let is_full = terms.len() == MAX_TERMS;
    match terms.iter_mut().find(|term| term.channel == channel && term.text == text) {
        Some(known) => known.weight = known.weight.max(weight),
        None if !is_full => {
            terms.push(QueryTerm { text: text.to_owned(), channel, weight, expandable });
        }
        // Collected no further: looking through every term for each would take minutes for a pasted file.
        None => {}
    }
}

/// The words and compounds of the question.
fn read(text: &str) -> (Vec<Word>, Vec<(String, f32)>) {
    let (mut words, mut compounds) = (Vec::<Word>::new(), Vec::new());
    Tokenizer::default().terms(text, |term| match term.field {
        Field::Words => words.push(Word {
            folded: text[term.start..term.end].to_lowercase(),
            term: term.text.to_owned(),
            start: term.start,
            end: term.end,
            is_part: false,
        }),
        Field::Compounds => {
            compounds.push((term.text.to_owned(), COMPOUND_WEIGHT));
            for word in words.iter_mut().rev().take_while(|word| word.start >= term.start) {
                word.is_part |= word.end <= term.end;
            }
        }
    });
    (words, compounds)
}

/// Drops stop words, unless nothing else is left. Parts of identifiers (`get_all`) stay.
fn drop_stop_words(words: &mut Vec<Word>) {
    let says_something =
        |word: &Word| word.is_part || STOP_WORDS.binary_search(&word.folded.as_str()).is_err();
    if words.iter().any(says_something) {
        words.retain(says_something);
    }
}

fn wants(words: &[Word]) -> Wants {
    let has =
        |terms: &[&str]| words.iter().any(|w| !w.is_part && terms.contains(&w.folded.as_str()));
    Wants {
        tests: has(&[
            "test", "tests", "tested", "testing", "unittest", "spec", "specs", "fixture",
            "fixtures",
        ]),
        docs: has(&[
            "doc",
            "docs",
            "documentation",
            "documented",
            "readme",
            "changelog",
            "tutorial",
            "example",
            "examples",
            "guide",
        ]),
        config: has(&[
            "config",
            "configuration",
            "yaml",
            "toml",
            "dockerfile",
            "makefile",
            "workflow",
            "ci",
        ]),
    }
}

/// The parts of the question between double quotes.
fn quoted(text: &str) -> Vec<String> {
    let parts: Vec<&str> = text.split('"').collect();
    // An unpaired quote opens nothing.
    let n_closed = (parts.len() - 1) / 2;
    let inner = parts.iter().skip(1).step_by(2).take(n_closed);
    inner.filter(|part| !part.trim().is_empty()).map(|part| (*part).to_owned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn terms(text: &str, channel: Channel) -> String {
        let terms = parse(text).terms;
        let found: Vec<_> =
            terms.iter().filter(|t| t.channel == channel).map(|t| &*t.text).collect();
        found.join(" ")
    }

    #[test]
    fn stop_words_are_sorted() {
        assert!(STOP_WORDS.is_sorted());
    }

    #[test]
    fn stop_words_go_unless_they_are_all_there_is() {
        assert_eq!(
            terms("how do we follow the redirect", Channel::Word),
            "follow redirect followredirect".replace(" followredirect", "")
        );
        assert_eq!(terms("to be", Channel::Word), "to be tobe");
    }

    #[test]
    fn identifiers_keep_their_stop_words() {
        assert!(terms("get_all", Channel::Word).starts_with("get all"));
    }

    #[test]
    fn neighbours_are_also_read_as_one_identifier() {
        assert!(terms("strip auth", Channel::Identifier).contains("stripauth"));
        assert!(!terms("strip, auth", Channel::Identifier).contains("stripauth"));
    }

    #[test]
    fn quotes_are_literals() {
        assert_eq!(parse(r#"where is "foo bar" and "x"#).literals, ["foo bar"]);
        assert!(parse(r#"no "" here"#).literals.is_empty());
    }

    #[test]
    fn the_words_say_what_is_wanted() {
        assert!(parse("tests for redirects").wants.tests);
        assert!(!parse("latest contest_runner").wants.tests);
    }
}

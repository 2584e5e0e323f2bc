//! The words of a question as the index knows them, and the words that say nothing about code.
//!
//! They come from the tokenizer that made the chunks' terms. Must not decide what a question is.

use crate::tokenize::{Field, Tokenizer};

/// One word of the question as written, folded, and as the index knows it.
#[derive(Debug)]
pub(crate) struct Word {
    pub(crate) folded: String,
    pub(crate) term: String,
    pub(crate) start: usize,
    pub(crate) end: usize,
    /// Whether it is part of a longer identifier.
    pub(crate) is_part: bool,
}

/// An identifier of several parts, or two of its neighbours, joined.
#[derive(Debug)]
pub(crate) struct Compound {
    pub(crate) text: String,
    pub(crate) start: usize,
}

/// The words and compounds of a question, in order.
pub(crate) fn read(text: &str) -> (Vec<Word>, Vec<Compound>) {
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
            compounds.push(Compound { text: term.text.to_owned(), start: term.start });
            for word in words.iter_mut().rev().take_while(|word| word.start >= term.start) {
                word.is_part |= word.end <= term.end;
            }
        }
    });
    (words, compounds)
}

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

/// Whether a folded word says nothing about code in an English sentence.
pub(crate) fn is_stop_word(folded: &str) -> bool {
    STOP_WORDS.binary_search(&folded).is_ok()
}

#[cfg(test)]
mod tests {
    #[test]
    fn stop_words_are_sorted() {
        assert!(super::STOP_WORDS.is_sorted());
    }
}

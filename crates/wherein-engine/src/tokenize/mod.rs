//! Text → terms: the one tokenizer for chunks and questions.
//!
//! An identifier gives its parts (`words`) and, where it has several, the joined whole and each joined
//! adjacent pair (`compounds`), so that `should_strip_auth`, `shouldStripAuth` and `stripAuth` all meet.
//! Text that does not split gives one term only: appended copies would distort document length, the
//! fault that the sparse-vector document names in its own format.
//! Must not differ between chunk and question, and must never give zero terms for a word of any script.

mod fold;
mod split;
mod stem;

use std::ops::Range;

use split::Part;
use stem::Stemmer;

/// Changes whenever the terms of some text change; part of the identity of a generation.
pub const TOKENIZER_VERSION: u32 = 1;

/// Which list a term belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Field {
    /// A word, or a part of an identifier, stemmed.
    Words,
    /// A whole identifier of several parts, or two adjacent parts of it, joined and lower-cased.
    Compounds,
}

/// One term with the place in the text that it came from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Term<'a> {
    pub(crate) field: Field,
    pub(crate) text: &'a str,
    /// Byte offset of its first character in the text.
    pub(crate) start: usize,
    /// Byte offset after its last character.
    pub(crate) end: usize,
}

/// A word, or a part of an identifier, that is not stemmed yet.
#[derive(Debug)]
pub(crate) struct Word<'a> {
    pub(crate) folded: &'a str,
    stemmer: Option<&'a mut Stemmer>,
}

impl<'a> Word<'a> {
    /// Whether its term may differ from it.
    pub(crate) fn is_stemmable(&self) -> bool {
        self.stemmer.is_some()
    }

    /// The term that it is.
    pub(crate) fn term(self) -> &'a str {
        match self.stemmer {
            Some(stemmer) => stemmer.stem(self.folded),
            None => self.folded,
        }
    }
}

/// Parts beyond this many of one identifier give no pairs: nothing that people name is longer.
const MAX_PAIRED_PARTS: usize = 12;
/// Terms are cut at this many bytes: longer ones are data, not names.
const MAX_TERM_BYTES: usize = 48;

/// Names are told apart by this many bytes.
const MAX_SUFFIX_BYTES: usize = 120;

/// Turns text into terms; keeps its buffers, so one per thread.
#[derive(Debug, Default)]
pub(crate) struct Tokenizer {
    stemmer: Stemmer,
    folded: String,
    joined: String,
    parts: Vec<Part>,
}

impl Tokenizer {
    /// Cuts the next identifier of `text` at or after `at`, which moves behind it; `false` where there is none.
    fn next_parts(&mut self, text: &str, at: &mut usize) -> bool {
        let Some(run) = split::next_run(text, *at) else {
            return false;
        };
        *at = run.end;
        self.folded.clear();
        self.parts.clear();
        split::split_run(text, run, &mut self.folded, &mut self.parts);
        true
    }

    /// Calls `emit` for every term of `text`, in order of appearance; parts precede their compounds.
    pub(crate) fn terms(&mut self, text: &str, mut emit: impl FnMut(Term<'_>)) {
        let mut at = 0;
        while self.next_parts(text, &mut at) {
            self.emit_parts(&mut emit);
            self.emit_compounds(&mut emit);
        }
    }

    /// Calls `emit` for each of the words among the terms of `text`, in order, before it is stemmed: who knows a word
    /// need not have it stemmed again.
    pub(crate) fn words(&mut self, text: &str, mut emit: impl FnMut(Word<'_>)) {
        let mut at = 0;
        while self.next_parts(text, &mut at) {
            for part in &self.parts {
                let stemmer = part.stemmable.then_some(&mut self.stemmer);
                emit(Word { folded: &self.folded[part.folded.clone()], stemmer });
            }
        }
    }

    /// Calls `emit` for a name as a whole and from each of its parts on, folded, without what separates the parts:
    /// `GetWebAuthn` gives `getwebauthn`, `webauthn`, `authn`. A name without letters and digits is itself.
    pub(crate) fn suffixes(&mut self, name: &str, mut emit: impl FnMut(&str)) {
        self.joined.clear();
        let mut starts = Vec::new();
        let mut at = 0;
        while self.next_parts(name, &mut at) {
            let mut end = 0;
            for part in &self.parts {
                // The last character of a script without spaces stands twice: alone and in a pair.
                if part.source.end > end {
                    starts.push(self.joined.len());
                    let fresh = &name[part.source.start.max(end)..part.source.end];
                    fresh.chars().for_each(|c| fold::push_folded(&mut self.joined, c));
                    end = part.source.end;
                }
            }
        }
        if self.joined.is_empty() {
            self.joined.push_str(name.trim());
            starts.push(0);
        }
        for start in starts {
            let suffix = &self.joined[start..];
            let end = suffix.floor_char_boundary(MAX_SUFFIX_BYTES.min(suffix.len()));
            emit(&suffix[..end]);
        }
    }

    fn emit_parts(&mut self, emit: &mut impl FnMut(Term<'_>)) {
        for part in &self.parts {
            let folded = &self.folded[part.folded.clone()];
            let text = if part.stemmable { self.stemmer.stem(folded) } else { folded };
            emit(Term {
                field: Field::Words,
                text,
                start: part.source.start,
                end: part.source.end,
            });
        }
    }

    /// Each group of parts (one identifier) gives its whole and its adjacent pairs.
    fn emit_compounds(&mut self, emit: &mut impl FnMut(Term<'_>)) {
        let mut rest: &[Part] = &self.parts;
        while let Some(first) = rest.first() {
            let length = rest.iter().take_while(|part| part.group == first.group).count();
            let (group, tail) = rest.split_at(length);
            rest = tail;
            if !worth_joining(group, &self.folded) {
                continue;
            }
            emit_joined(group, &self.folded, &mut self.joined, emit);
            if (3..=MAX_PAIRED_PARTS).contains(&group.len()) {
                for pair in group.windows(2) {
                    emit_joined(pair, &self.folded, &mut self.joined, emit);
                }
            }
        }
    }
}

/// One part has nothing to join; numbers joined by hyphens are dates and ranges, not names.
fn worth_joining(group: &[Part], folded: &str) -> bool {
    group.len() > 1
        && group
            .iter()
            .any(|part| folded[part.folded.clone()].chars().next().is_some_and(|c| !c.is_numeric()))
}

fn emit_joined(parts: &[Part], folded: &str, joined: &mut String, emit: &mut impl FnMut(Term<'_>)) {
    joined.clear();
    for part in parts {
        if joined.len() + part.folded.len() > MAX_TERM_BYTES {
            break;
        }
        joined.push_str(&folded[part.folded.clone()]);
    }
    let source: Range<usize> =
        parts[0].source.start..parts.last().map_or(0, |part| part.source.end);
    if !joined.is_empty() {
        emit(Term { field: Field::Compounds, text: joined, start: source.start, end: source.end });
    }
}

#[cfg(test)]
mod tests;

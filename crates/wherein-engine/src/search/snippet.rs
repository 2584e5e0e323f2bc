//! The few lines of a hit that show why it is one.
//!
//! Reads the files of the hits, as they are now; a file that changed since the index was made gives what is
//! left of the lines, never an error.

use std::ops::Range;
use std::sync::Arc;

use foldhash::{HashMap, HashMapExt, HashSet};

use super::Corpus;
use super::best_lines::text_now;
use super::lexical::WeightedTerm;
use super::memory::Text;
use super::query::{Channel, Query};
use super::rank::Ranked;
use crate::model::SnippetLine;
use crate::scan::decode;
use crate::tokenize::{Field, Tokenizer};

/// Lines shown of a hit where no context is asked for.
const LINES: usize = 6;

/// Fills the snippets of all hits.
pub(super) fn fill(corpus: Corpus<'_>, marker: &Marker, context: usize, hits: &mut [Ranked]) {
    corpus.epoch.with_tokenizer(|tokenizer| fill_all(corpus, (marker, tokenizer), context, hits));
}

fn fill_all(
    corpus: Corpus<'_>,
    (marker, tokenizer): (&Marker, &mut Tokenizer),
    context: usize,
    hits: &mut [Ranked],
) {
    let mut texts: HashMap<u32, Option<Arc<Text>>> = HashMap::new();
    for Ranked { candidate, hit, .. } in hits {
        let file_idx = candidate.file_idx;
        let text = texts.entry(file_idx).or_insert_with(|| text_now(corpus, file_idx as usize));
        let Some(text) = text else { continue };
        let lines: Vec<SnippetLine> = text
            .lines(hit.start_line, hit.end_line)
            .map(|(number, line)| {
                marker.mark(tokenizer, line.strip_suffix('\r').unwrap_or(line), number)
            })
            .collect();
        hit.snippet = best_window(lines, tokenizer, (2 * context + 1).max(LINES));
    }
}

/// The text of a file as it is now; `None` where it cannot be read.
pub(crate) fn read_text(corpus: Corpus<'_>, file_idx: usize) -> Option<String> {
    if corpus.generation.published.is_some() {
        return corpus.generation.text(file_idx).map(str::to_owned);
    }
    // Not by the hit's path, which is only for people where it is not UTF-8.
    let (entry, _) = corpus.generation.source_file(file_idx)?;
    let bytes = std::fs::read(entry.path.under(corpus.root)).ok()?;
    decode::decode(&bytes).map(|text| text.into_owned())
}

/// The run of `size` lines with the most different terms of the question, then the most matches.
fn best_window(
    mut lines: Vec<SnippetLine>,
    tokenizer: &mut Tokenizer,
    size: usize,
) -> Vec<SnippetLine> {
    if lines.len() <= size {
        return lines;
    }
    // Windows overlap: each line is read once, not once for every window that it lies in.
    let mut terms_of = |line: &SnippetLine| -> Vec<String> {
        let pieces = line.highlights.iter().map(|range| &line.text[range.clone()]);
        pieces.map(|piece| first_term(tokenizer, piece)).collect()
    };
    let terms: Vec<Vec<String>> = lines.iter().map(&mut terms_of).collect();
    let score_of = |window: &[Vec<String>]| -> (usize, usize) {
        let marks = window.iter().flatten();
        (marks.clone().collect::<HashSet<_>>().len(), marks.count())
    };
    let mut best = (0, (0, 0));
    for start in 0..=lines.len() - size {
        let score = score_of(&terms[start..start + size]);
        // Later windows must be better, so that a match shows as far up as it can.
        if score > best.1 {
            best = (start, score);
        }
    }
    lines.drain(best.0..best.0 + size).collect()
}

/// Marks the terms of a question in lines.
pub(super) struct Marker {
    words: HashSet<String>,
    compounds: HashSet<String>,
}

impl Marker {
    /// Marks the question's own terms and those that stand in for them.
    pub(super) fn new(query: &Query, found: &[WeightedTerm]) -> Marker {
        let asked = query.terms.iter().map(|term| (term.channel, &term.text));
        let found = found.iter().map(|term| (term.channel, &term.text));
        let all = asked.chain(found);
        let of = |channels: &'static [Channel]| {
            all.clone().filter(|(at, _)| channels.contains(at)).map(|(_, text)| text.clone())
        };
        Marker {
            words: of(&[Channel::Word]).collect(),
            compounds: of(&[Channel::Identifier, Channel::Folded]).collect(),
        }
    }

    fn mark(&self, tokenizer: &mut Tokenizer, text: &str, number: u32) -> SnippetLine {
        let mut ranges: Vec<Range<usize>> = Vec::new();
        tokenizer.terms(text, |term| {
            let known = match term.field {
                Field::Words => &self.words,
                Field::Compounds => &self.compounds,
            };
            if known.contains(term.text) {
                ranges.push(term.start..term.end);
            }
        });
        SnippetLine { number, text: text.to_owned(), highlights: merge(ranges) }
    }
}

/// The first term of a marked piece, to tell repeated matches from different ones.
fn first_term(tokenizer: &mut Tokenizer, piece: &str) -> String {
    let mut first = None;
    tokenizer.terms(piece, |term| {
        first.get_or_insert_with(|| term.text.to_owned());
    });
    first.unwrap_or_default()
}

/// Sorted ranges without overlaps.
fn merge(mut ranges: Vec<Range<usize>>) -> Vec<Range<usize>> {
    ranges.sort_by_key(|range| (range.start, range.end));
    let mut merged: Vec<Range<usize>> = Vec::new();
    for range in ranges {
        match merged.last_mut() {
            Some(last) if range.start <= last.end => last.end = last.end.max(range.end),
            _ => merged.push(range),
        }
    }
    merged
}

//! Keyword retrieval: BM25 over every live chunk, term by term.
//!
//! tantivy stores the postings; the score is computed here, because its statistics would count chunks of
//! files that are gone, so that an updated index would rank differently from a fresh one. Sums are taken in
//! the order of the question's terms, so the score does not depend on segments or threads.
//! BM25: Robertson & Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond" (2009).

use tantivy::fieldnorm::FieldNormReader;

use super::Corpus;
use super::query::{Channel, Query, QueryTerm};
use crate::error::Result;
use crate::model::Candidate;
use crate::sparse::Bm25;
use crate::store::{FieldLengths, Generation, Live, Match, Segment, TextField};

/// Saturation of a word's frequency (chosen on the suites, like all that follow: see docs/decisions.md).
const K1: f32 = 4.0;
/// Saturation for identifiers and path terms, which have no length to speak of.
const K1_FLAT: f32 = 1.2;
/// How far length counts for the words of the body.
const B: f32 = 0.4;
/// How much more a word counts in a name that is defined than in the body.
const NAME_WEIGHT: f32 = 2.0;
/// The same for doc comments, which the body holds as well.
const DOC_WEIGHT: f32 = 1.0;
/// The same for words about the code.
const CONTEXT_WEIGHT: f32 = 1.5;
/// How far the number of names counts, and the number taken as usual: several small symbols share a chunk.
const NAMES_LENGTH: (f32, f32) = (1.0, 6.0);
/// The same for doc comments.
const DOCS_LENGTH: (f32, f32) = (0.5, 25.0);
/// Terms that may stand in for one that no chunk has.
const MAX_EXPANSIONS: usize = 24;
/// What a stand-in is worth.
const EXPANSION_WEIGHT: f32 = 0.5;
/// A shorter word begins too many terms to stand for any; a character of Han or kana may.
const MIN_EXPANDED_BYTES: usize = 3;

/// Chunks of a tree whose segments are looked at one after the other.
const SMALL: u64 = 10_000;

/// A term of the question that some chunk has, with its weight: inverse document frequency included.
#[derive(Debug, Clone)]
pub(crate) struct WeightedTerm {
    pub(crate) text: String,
    pub(crate) channel: Channel,
    pub(crate) weight: f32,
    /// Its weight without that frequency.
    pub(crate) plain: f32,
    /// Which of the question's plain words it is or stands in for.
    pub(crate) word: Option<u8>,
}

impl Channel {
    /// The fields that a term is looked up in, and how much each counts.
    pub(super) fn fields(self) -> &'static [(TextField, f32)] {
        match self {
            Channel::Word => &[
                (TextField::Words, 1.0),
                (TextField::Names, NAME_WEIGHT),
                (TextField::Docs, DOC_WEIGHT),
                (TextField::Context, CONTEXT_WEIGHT),
            ],
            Channel::Identifier => &[
                (TextField::Compounds, 1.0),
                (TextField::Names, NAME_WEIGHT),
                (TextField::Context, CONTEXT_WEIGHT),
            ],
            Channel::Folded => &[(TextField::Compounds, 1.0)],
            Channel::Path => &[(TextField::Path, 1.0)],
        }
    }

    fn k1(self) -> f32 {
        match self {
            Channel::Word => K1,
            Channel::Identifier | Channel::Folded | Channel::Path => K1_FLAT,
        }
    }
}

/// Looks the terms up: drops those that no live chunk has, replaces them by terms that begin with them.
pub(crate) fn resolve(generation: &Generation, query: &Query) -> Result<Vec<WeightedTerm>> {
    let mut resolved = Vec::new();
    for term in &query.terms {
        let n_docs = doc_freq(generation, term.channel, &term.text)?;
        let first = resolved.len();
        if n_docs > 0 {
            resolved.push(weigh(generation, &term.text, term.channel, term.weight, n_docs));
        } else if term.expandable && !has_twin(generation, query, term)? {
            resolved.extend(expand(generation, term)?);
        }
        let word = query.word_of(term);
        resolved[first..].iter_mut().for_each(|term| term.word = word);
    }
    Ok(resolved)
}

/// Whether the same text is found by another channel, so that nothing needs to stand in for it.
fn has_twin(generation: &Generation, query: &Query, term: &QueryTerm) -> Result<bool> {
    for twin in query.terms.iter().filter(|t| t.text == term.text && t.channel != term.channel) {
        if twin.channel != Channel::Path && doc_freq(generation, twin.channel, &twin.text)? > 0 {
            return Ok(true);
        }
    }
    Ok(false)
}

fn weigh(
    generation: &Generation,
    text: &str,
    channel: Channel,
    weight: f32,
    n_docs: u64,
) -> WeightedTerm {
    let (n, df) = (generation.n_chunks as f32, n_docs as f32);
    let idf = (1.0 + (n - df + 0.5).max(0.0) / (df + 0.5)).ln();
    WeightedTerm { text: text.to_owned(), channel, weight: weight * idf, plain: weight, word: None }
}

/// The terms that begin with a term: `webauth` finds `webauthn`.
fn expand(generation: &Generation, term: &QueryTerm) -> Result<Vec<WeightedTerm>> {
    if term.text.len() < MIN_EXPANDED_BYTES {
        return Ok(Vec::new());
    }
    let mut texts = std::collections::BTreeSet::new();
    let (field, _) = term.channel.fields()[0];
    let begins = Match::BeginsWith(&term.text);
    if let Some(published) = &generation.published {
        texts.extend(published.statistics.terms(field, &begins, MAX_EXPANSIONS));
    }
    for segment in generation.segments.iter().filter(|_| generation.published.is_none()) {
        let mut n_terms = 0;
        segment.each_term(field, &begins, &mut |text, _| {
            texts.insert(text.to_owned());
            n_terms += 1;
            Ok(n_terms < MAX_EXPANSIONS)
        })?;
    }
    let mut expansions = Vec::new();
    for text in texts {
        let n_docs = doc_freq(generation, term.channel, &text)?;
        if n_docs > 0 {
            let weight = term.weight * EXPANSION_WEIGHT;
            expansions.push(weigh(generation, &text, term.channel, weight, n_docs));
        }
    }
    // The first in the dictionary order of all live terms, however the segments are cut.
    expansions.truncate(MAX_EXPANSIONS);
    Ok(expansions)
}

/// Live chunks that have the term in the field where most have it.
fn doc_freq(generation: &Generation, channel: Channel, text: &str) -> Result<u64> {
    let mut most = 0;
    for (field, _) in channel.fields() {
        most = most.max(field_freq(generation, *field, text)?);
    }
    Ok(most)
}

fn field_freq(generation: &Generation, field: TextField, text: &str) -> Result<u64> {
    // The files at hand are few of those that count.
    if let Some(published) = &generation.published {
        return Ok(published.statistics.freq(field, text));
    }
    let mut n_docs = 0;
    for (position, segment) in generation.segments.iter().enumerate() {
        n_docs += match generation.live(position) {
            Live::All => u64::from(segment.doc_freq(field, text)?),
            live => {
                let mut n_live = 0;
                segment.each_posting(field, text, |doc, _| n_live += u64::from(live.has(doc)))?;
                n_live
            }
        };
    }
    Ok(n_docs)
}

/// Which chunks may become candidates.
pub(crate) struct Gate<'a> {
    /// Asked with a chunk's file, first and last line.
    pub(crate) accepts: &'a (dyn Fn(usize, u32, u32) -> bool + Sync),
    /// Whether a chunk without any term may pass: what was quoted may be a part of a word.
    pub(crate) without_terms: bool,
}

/// What was found by words.
#[derive(Debug, Default)]
pub(crate) struct ByWords {
    /// Best first; ties by path and line.
    pub(crate) first: Vec<Candidate>,
    /// How many there are.
    pub(crate) n_all: usize,
}

/// Scores every live chunk that the gate lets through; the first `keep`.
pub(crate) fn retrieve(
    corpus: Corpus<'_>,
    terms: &[WeightedTerm],
    gate: &Gate<'_>,
    keep: usize,
) -> Result<ByWords> {
    let generation = corpus.generation;
    let positions: Vec<usize> = (0..generation.segments.len()).collect();
    // In a small tree to share the segments out takes longer than to look at them.
    let worth = if generation.n_chunks > SMALL { 2 } else { usize::MAX };
    let found = corpus
        .crew
        .map(&positions, worth, |position| retrieve_segment(generation, *position, terms, gate));
    let found: Result<Vec<Vec<Candidate>>> = found.into_iter().collect();
    let mut candidates: Vec<Candidate> = found?.into_iter().flatten().collect();
    let n_all = candidates.len();
    let order = |a: &Candidate, b: &Candidate| {
        let place = (a.file_idx, a.start_line).cmp(&(b.file_idx, b.start_line));
        b.score.total_cmp(&a.score).then(place)
    };
    // A word that stands everywhere lists the whole tree, and a question shows a few places.
    if n_all > keep && keep > 0 {
        candidates.select_nth_unstable_by(keep - 1, order);
        candidates.truncate(keep);
    }
    candidates.sort_unstable_by(order);
    Ok(ByWords { first: candidates, n_all })
}

fn retrieve_segment(
    generation: &Generation,
    position: usize,
    terms: &[WeightedTerm],
    gate: &Gate<'_>,
) -> Result<Vec<Candidate>> {
    let segment = &generation.segments[position];
    let live = generation.live(position);
    let scores = score_segment(generation, segment, terms)?;
    let mut candidates = Vec::new();
    let place_of = segment.places();
    let scored = scores.iter().enumerate();
    for (doc, score) in scored.filter(|(_, score)| gate.without_terms || **score > 0.0) {
        let doc = doc as u32;
        let place = place_of(doc);
        let Some(file_idx) = generation.file_idx(place.file_id) else {
            continue;
        };
        let (start_line, end_line) = place.lines;
        if live.has(doc) && (gate.accepts)(file_idx, start_line, end_line) {
            candidates.push(Candidate {
                file_idx: file_idx as u32,
                start_line,
                end_line,
                score: *score,
                segment_idx: position as u32,
                doc,
            });
        }
    }
    Ok(candidates)
}

fn score_segment(
    generation: &Generation,
    segment: &Segment,
    terms: &[WeightedTerm],
) -> Result<Vec<f32>> {
    let mut scores = vec![0.0; segment.n_docs as usize];
    // How often the term at hand stands in each chunk, over all its fields; zeros in between.
    let mut freqs = vec![0.0; segment.n_docs as usize];
    let mut touched = Vec::new();
    let lengths = Lengths::new(generation, segment)?;
    for term in terms {
        for (field, weight) in term.channel.fields() {
            segment.each_posting(*field, &term.text, |doc, freq| {
                if let Some(sum) = freqs.get_mut(doc as usize) {
                    if *sum == 0.0 {
                        touched.push(doc);
                    }
                    *sum += weight * lengths.relative(*field, doc, freq);
                }
            })?;
        }
        for doc in touched.drain(..) {
            let freq = std::mem::take(&mut freqs[doc as usize]);
            scores[doc as usize] += saturate(term, freq);
        }
    }
    Ok(scores)
}

/// What one term gives to one chunk, and the field that gives most of it; 0 where the chunk does not have it.
pub(super) fn term_score(
    generation: &Generation,
    segment: &Segment,
    term: &WeightedTerm,
    doc: u32,
) -> Result<(f32, TextField)> {
    let lengths = Lengths::new(generation, segment)?;
    let (mut sum, mut most) = (0.0, (0.0, term.channel.fields()[0].0));
    for (field, weight) in term.channel.fields() {
        segment.each_posting(*field, &term.text, |at, freq| {
            if at == doc {
                let part = weight * lengths.relative(*field, doc, freq);
                sum += part;
                most = if part > most.0 { (part, *field) } else { most };
            }
        })?;
    }
    Ok((saturate(term, sum), most.1))
}

/// BM25F: what a term gives, `freq` times in a chunk over all fields, weighted and relative to their lengths
/// (Robertson, Zaragoza & Taylor, "Simple BM25 Extension to Multiple Weighted Fields", CIKM 2004).
pub(super) fn saturate(term: &WeightedTerm, freq: f32) -> f32 {
    let k1 = term.channel.k1();
    term.weight * freq * (k1 + 1.0) / (freq + k1)
}

/// The same without the term's weight, and with a saturation of words of one's own.
pub(super) fn saturated(channel: Channel, k: f32, freq: f32) -> f32 {
    let k1 = if channel == Channel::Word { k } else { channel.k1() };
    freq * (k1 + 1.0) / (freq + k1)
}

/// The constants of words, as a sparse encoder takes them; the average length is measured.
pub(crate) const WORDS: Bm25 = Bm25 { k: K1 as f64, b: B_OF_WORDS, average_length: 1.0 };
/// [`B`] as it is written.
const B_OF_WORDS: f64 = 0.4;

/// How long the fields of each chunk of a segment are: one formula for the ranking and for its explanation.
pub(super) struct Lengths<'g> {
    words: (FieldLengths<'g>, [f32; 256]),
    names: (FieldLengths<'g>, [f32; 256]),
    docs: (FieldLengths<'g>, [f32; 256]),
}

impl<'g> Lengths<'g> {
    pub(super) fn new(generation: &Generation, segment: &'g Segment) -> Result<Lengths<'g>> {
        let mean = generation.n_words as f32 / (generation.n_chunks as f32).max(1.0);
        Lengths::with(segment, (B, mean))
    }

    /// With how far the number of words counts, and the number taken as usual.
    pub(super) fn with(segment: &'g Segment, (b, mean): (f32, f32)) -> Result<Lengths<'g>> {
        let of = |field, (b, usual): (f32, f32)| Ok((segment.lengths(field)?, factors(b, usual)));
        Ok(Lengths {
            words: of(TextField::Words, (b, mean.max(1.0)))?,
            names: of(TextField::Names, NAMES_LENGTH)?,
            docs: of(TextField::Docs, DOCS_LENGTH)?,
        })
    }

    /// A frequency relative to the length of its field.
    pub(super) fn relative(&self, field: TextField, doc: u32, freq: u32) -> f32 {
        let (lengths, factors) = match field {
            TextField::Words => &self.words,
            TextField::Names => &self.names,
            TextField::Docs => &self.docs,
            _ => return freq as f32,
        };
        freq as f32 / factors[usize::from(lengths.code(doc))]
    }
}

/// 1 − b + b × length / usual length for each of the 256 coded lengths.
fn factors(b: f32, usual: f32) -> [f32; 256] {
    let mut factors = [0.0; 256];
    for (id, factor) in (0..=u8::MAX).zip(factors.iter_mut()) {
        let length = FieldNormReader::id_to_fieldnorm(id) as f32;
        *factor = 1.0 - b + b * length / usual;
    }
    factors
}

//! The `code` profile of sparse vectors: BM25F over the terms of our own tokenizer, with what is said about a chunk.
//!
//! A component is what a term gives to a chunk before its rarity is known; the server multiplies by that. So the list of a
//! server is nearly that of `lexical`, whose formulas these are. A word and an identifier of several parts are two
//! dimensions, as they are two channels of a question; a path is a third. Must not know a server.

use std::collections::BTreeSet;

use foldhash::{HashMap, HashMapExt};

use super::lexical::{Lengths, WeightedTerm, saturated};
use super::query::Channel;
use crate::error::Result;
use crate::sparse::{Bm25, SparseVector, index_of};
use crate::store::{Match, Segment};

/// The encoder.
pub(crate) struct CodeTerms;

/// The channels that have dimensions of their own: a word that may be the whole of an identifier is looked up as one.
const CHANNELS: [Channel; 3] = [Channel::Word, Channel::Identifier, Channel::Path];

impl CodeTerms {
    /// The vector of each chunk of a segment, live or not, in order. `bm25.k` is that of words; identifiers and paths, which
    /// have no length to speak of, saturate as they do in a local index.
    pub(crate) fn passages(segment: &Segment, bm25: Bm25) -> Result<Vec<SparseVector>> {
        let n_docs = segment.n_docs as usize;
        let mut pairs = vec![Vec::new(); n_docs];
        let lengths = Lengths::with(segment, (bm25.b as f32, bm25.average_length as f32))?;
        let mut freqs = vec![0.0_f32; n_docs];
        let mut touched = Vec::new();
        for channel in CHANNELS {
            for term in terms(segment, channel)? {
                for (field, weight) in channel.fields() {
                    segment.each_posting(*field, &term, |doc, freq| {
                        if let Some(sum) = freqs.get_mut(doc as usize) {
                            if *sum == 0.0 {
                                touched.push(doc as usize);
                            }
                            *sum += weight * lengths.relative(*field, doc, freq);
                        }
                    })?;
                }
                let index = dimension(channel, &term);
                for doc in touched.drain(..) {
                    let freq = std::mem::take(&mut freqs[doc]);
                    pairs[doc].push((index, saturated(channel, bm25.k as f32, freq)));
                }
            }
        }
        Ok(pairs.into_iter().map(summed).collect())
    }

    /// The vector of a question: what each of its terms counts for, before its rarity.
    pub(crate) fn question(terms: &[WeightedTerm]) -> SparseVector {
        summed(terms.iter().map(|term| (dimension(term.channel, &term.text), term.plain)).collect())
    }
}

impl CodeTerms {
    /// The same with the rarity of each term in the index at hand: what a chunk's vector is multiplied by for its score there.
    pub(crate) fn weights(terms: &[WeightedTerm]) -> SparseVector {
        summed(
            terms.iter().map(|term| (dimension(term.channel, &term.text), term.weight)).collect(),
        )
    }
}

/// Every term of a segment that a channel looks at.
fn terms(segment: &Segment, channel: Channel) -> Result<BTreeSet<String>> {
    let mut terms = BTreeSet::new();
    for (field, _) in channel.fields() {
        segment.each_term(*field, &Match::BeginsWith(""), &mut |term, _| {
            if !terms.contains(term) {
                terms.insert(term.to_owned());
            }
            Ok(true)
        })?;
    }
    Ok(terms)
}

/// The dimension of a term: words as they are, so that they are those of other encoders; the others with a mark that no word
/// has.
fn dimension(channel: Channel, term: &str) -> u32 {
    match channel {
        Channel::Word => index_of(term),
        Channel::Identifier | Channel::Folded => index_of(&format!("\u{1}{term}")),
        Channel::Path => index_of(&format!("\u{2}{term}")),
    }
}

/// Pairs as a vector; what shares a dimension adds up.
fn summed(pairs: Vec<(u32, f32)>) -> SparseVector {
    let mut sums = HashMap::with_capacity(pairs.len());
    for (index, value) in pairs {
        *sums.entry(index).or_insert(0.0) += value;
    }
    SparseVector::from_pairs(sums.into_iter().collect())
}

//! What proposed chunks, and the files that they lie in, have of the question's words.
//!
//! One pass over the postings for all chunks of those files: the sum over a file needs also the chunks that nobody
//! proposed. Scores are those of `lexical`, by the same formula. Must not read source files.

use super::dense::NO_DOC;
use super::lexical::{self, Lengths, WeightedTerm};
use super::query::Channel;
use crate::error::Result;
use crate::model::Candidate;
use crate::store::{Generation, Segment, TextField};

/// Saturation of a word in a file: more than in a chunk, of which a file has many.
const FILE_K1: f32 = 3.0;
/// The same for identifiers and path terms.
const FILE_K1_FLAT: f32 = 1.2;
/// How far the length of a file counts.
const FILE_B: f32 = 0.5;

/// Which of the question's plain words something has, bit by bit.
pub(super) type Mask = u64;

/// What a chunk has of the question.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct Touch {
    /// Anywhere.
    pub(super) any: Mask,
    /// In names that it defines.
    pub(super) names: Mask,
    /// In its doc comments.
    pub(super) docs: Mask,
    /// In its path.
    pub(super) path: Mask,
    /// In its lines.
    pub(super) body: Mask,
    /// BM25, as the keyword list has it.
    pub(super) score: f32,
    /// What of the score identifiers of several parts give.
    pub(super) compounds: f32,
}

/// What a file has of the question.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct FileTouch {
    /// Anywhere.
    pub(super) any: Mask,
    /// In names that it defines.
    pub(super) names: Mask,
    /// BM25 with the file as the document.
    pub(super) score: f32,
}

/// What was found.
#[derive(Debug, Default)]
pub(super) struct Evidence {
    /// In the order of the pool.
    pub(super) chunks: Vec<Touch>,
    /// By position in the file table, in that order.
    files: Vec<(u32, FileTouch)>,
}

impl Evidence {
    /// What a file of the pool has; nothing for others.
    pub(super) fn file(&self, file_idx: u32) -> FileTouch {
        let found = self.files.binary_search_by_key(&file_idx, |(idx, _)| *idx);
        found.map_or_else(|_| FileTouch::default(), |at| self.files[at].1)
    }

    /// The highest score of a file.
    pub(super) fn most_of_files(&self) -> f32 {
        self.files.iter().map(|(_, touch)| touch.score).fold(0.0, f32::max)
    }
}

/// Gives candidates that only meaning proposed their place in a segment.
pub(super) fn locate(generation: &Generation, pool: &mut [Candidate]) -> Result<()> {
    for candidate in pool.iter_mut().filter(|candidate| candidate.doc == NO_DOC) {
        let docs = generation.docs_of(candidate.file_idx as usize)?;
        let Some((position, mut docs)) = docs else { continue };
        let segment = &generation.segments[position];
        if let Some(doc) = docs.find(|doc| segment.lines(*doc).0 == candidate.start_line) {
            (candidate.segment_idx, candidate.doc) = (position as u32, doc);
        }
    }
    Ok(())
}

/// The evidence for a pool whose candidates were located.
pub(super) fn gather(
    generation: &Generation,
    terms: &[WeightedTerm],
    pool: &[Candidate],
) -> Result<Evidence> {
    let mut file_idxs: Vec<u32> = pool.iter().map(|candidate| candidate.file_idx).collect();
    file_idxs.sort_unstable();
    file_idxs.dedup();
    let mut evidence = Evidence {
        chunks: vec![Touch::default(); pool.len()],
        files: file_idxs.iter().map(|file_idx| (*file_idx, FileTouch::default())).collect(),
    };
    let norms = norms(generation, &file_idxs);
    for position in 0..generation.segments.len() {
        let slots = Slots::of(generation, position, pool, &file_idxs)?;
        if slots.is_used {
            slots.gather(generation, terms, &norms, &mut evidence)?;
        }
    }
    Ok(evidence)
}

/// How long each file is, relative to the mean, as BM25 divides by it.
fn norms(generation: &Generation, file_idxs: &[u32]) -> Vec<f32> {
    let n_files = generation.manifest.source_files().count().max(1);
    let mean = (generation.n_words as f32 / n_files as f32).max(1.0);
    let norm = |file_idx: &u32| {
        let file = generation.source_file(*file_idx as usize);
        let n_words = file.map_or(mean, |(_, indexed)| indexed.n_words as f32);
        1.0 - FILE_B + FILE_B * n_words / mean
    };
    file_idxs.iter().map(norm).collect()
}

/// For each chunk of one segment its file and itself in the evidence, one more than the position; 0 for others.
struct Slots<'g> {
    segment: &'g Segment,
    file: Vec<u32>,
    chunk: Vec<u32>,
    is_used: bool,
}

impl<'g> Slots<'g> {
    fn of(
        generation: &'g Generation,
        position: usize,
        pool: &[Candidate],
        file_idxs: &[u32],
    ) -> Result<Slots<'g>> {
        let segment = &generation.segments[position];
        let n_docs = segment.n_docs as usize;
        let mut slots =
            Slots { segment, file: vec![0; n_docs], chunk: vec![0; n_docs], is_used: false };
        for (file_idx, slot) in file_idxs.iter().zip(1..) {
            let file = generation.source_file(*file_idx as usize);
            let Some((_, indexed)) = file.filter(|(_, i)| i.segment_id == segment.id) else {
                continue;
            };
            let docs = segment.symbols.file(indexed.file_id)?.map_or(0..0, |row| row.docs);
            for doc in docs {
                slots.file[doc as usize] = slot;
                slots.is_used = true;
            }
        }
        for (candidate, slot) in pool.iter().zip(1..) {
            if candidate.segment_idx == position as u32 && candidate.doc != NO_DOC {
                slots.chunk[candidate.doc as usize] = slot;
            }
        }
        Ok(slots)
    }

    fn gather(
        &self,
        generation: &Generation,
        terms: &[WeightedTerm],
        norms: &[f32],
        evidence: &mut Evidence,
    ) -> Result<()> {
        let lengths = Lengths::new(generation, self.segment)?;
        let mut chunk_freqs = vec![0.0_f32; evidence.chunks.len()];
        let mut file_freqs = vec![0.0_f32; evidence.files.len()];
        for term in terms {
            for (field, weight) in term.channel.fields() {
                let bit = term.word.map_or(0, |word| 1 << word);
                self.segment.each_posting(*field, &term.text, |doc, freq| {
                    let Some(file) = slot(&self.file, doc) else { return };
                    enter_file(&mut evidence.files[file].1, *field, bit);
                    file_freqs[file] += weight * freq as f32;
                    let Some(chunk) = slot(&self.chunk, doc) else { return };
                    enter_chunk(&mut evidence.chunks[chunk], *field, bit);
                    chunk_freqs[chunk] += weight * lengths.relative(*field, doc, freq);
                })?;
            }
            add_chunks(term, &mut chunk_freqs, &mut evidence.chunks);
            add_files(term, &mut file_freqs, norms, &mut evidence.files);
        }
        Ok(())
    }
}

fn slot(slots: &[u32], doc: u32) -> Option<usize> {
    slots.get(doc as usize)?.checked_sub(1).map(|slot| slot as usize)
}

fn enter_file(touch: &mut FileTouch, field: TextField, bit: Mask) {
    touch.any |= bit;
    if field == TextField::Names {
        touch.names |= bit;
    }
}

fn enter_chunk(touch: &mut Touch, field: TextField, bit: Mask) {
    touch.any |= bit;
    match field {
        TextField::Names => touch.names |= bit,
        TextField::Docs => touch.docs |= bit,
        TextField::Path => touch.path |= bit,
        TextField::Words => touch.body |= bit,
        _ => {}
    }
}

fn add_chunks(term: &WeightedTerm, freqs: &mut [f32], chunks: &mut [Touch]) {
    for (touch, freq) in chunks.iter_mut().zip(freqs).filter(|(_, freq)| **freq > 0.0) {
        let score = lexical::saturate(term, std::mem::take(freq));
        touch.score += score;
        if matches!(term.channel, Channel::Identifier | Channel::Folded) {
            touch.compounds += score;
        }
    }
}

fn add_files(
    term: &WeightedTerm,
    freqs: &mut [f32],
    norms: &[f32],
    files: &mut [(u32, FileTouch)],
) {
    let counted = files.iter_mut().zip(freqs).zip(norms).filter(|((_, freq), _)| **freq > 0.0);
    for (((_, touch), freq), norm) in counted {
        let freq = std::mem::take(freq);
        let (freq, k1) = match term.channel {
            Channel::Word => (freq / norm, FILE_K1),
            // The path stands in every chunk of a file.
            Channel::Path => (1.0, FILE_K1_FLAT),
            Channel::Identifier | Channel::Folded => (freq / norm.sqrt(), FILE_K1_FLAT),
        };
        touch.score += term.weight * freq * (k1 + 1.0) / (freq + k1);
    }
}

//! A generation → the records of its files: each segment's postings turned around, so that they lie by file.
//!
//! Must not read the tree: the caller gives each file's text.

use std::collections::{BTreeMap, HashMap};

use tantivy::fieldnorm::FieldNormReader;

use super::super::generation::{Generation, NOBODY};
use super::super::segment::{Match, Segment, TextField};
use super::super::symbols::SymbolParts;
use super::postings::{hash, put_posting, put_varint};
use super::sections::pack;
use super::{About, WITH_LENGTHS};
use crate::error::{Error, Result};

/// The postings of one file while they are gathered.
#[derive(Debug, Default)]
pub(crate) struct RecordBuilder {
    /// By term, then by field.
    terms: BTreeMap<u32, Lists>,
    lines: Vec<(u32, u32)>,
    /// Of each chunk, in the fields that have lengths.
    lengths: [Vec<u32>; WITH_LENGTHS.len()],
}

/// Makes the record of a file of what is said of it and its text.
pub(crate) type Finish<'f> = &'f dyn Fn(About, &str) -> Result<Vec<u8>>;

/// The lists of one term, by field.
type Lists = BTreeMap<u8, Vec<u8>>;

/// Gives `visit` every live file of the segment at `position` of `generation`: its place in the file table and what its
/// record is made of. In the order of the segment.
pub(crate) fn each_record(
    generation: &Generation,
    position: usize,
    visit: &mut dyn FnMut(usize, Finish<'_>) -> Result<()>,
) -> Result<()> {
    let segment = &generation.segments[position];
    let turned = Turned::of(generation, position)?;
    for (file_id, builder) in &turned.files {
        let Some(file_idx) = generation.file_idx(*file_id) else { continue };
        let symbols = segment.symbols.parts(*file_id)?;
        let finish =
            |about: About, text: &str| builder.finish(&turned.terms, &about, text, &symbols);
        visit(file_idx, &finish)?;
    }
    Ok(())
}

/// The record of a file that has no chunks: what is read and searched as text is there, too.
pub(crate) fn record_without_chunks(about: &About, text: &str) -> Result<Vec<u8>> {
    RecordBuilder::default().finish(&[], about, text, &SymbolParts::default())
}

/// A segment by file.
struct Turned {
    /// Every term of the segment, by number.
    terms: Vec<String>,
    files: Vec<(u32, RecordBuilder)>,
}

impl Turned {
    fn of(generation: &Generation, position: usize) -> Result<Turned> {
        let segment = &generation.segments[position];
        let live = generation.live(position);
        let (mut files, mut slots) = (Vec::new(), vec![(NOBODY, 0); segment.n_docs as usize]);
        for row in segment.symbols.files()? {
            if row.docs.is_empty() || !live.has(row.docs.start) {
                continue;
            }
            let slot = files.len() as u32;
            for doc in row.docs.clone() {
                slots[doc as usize] = (slot, doc - row.docs.start);
            }
            let lines = row.docs.clone().map(|doc| segment.lines(doc)).collect();
            let lengths = std::array::from_fn(|_| vec![0; row.docs.len()]);
            files.push((row.file_id, RecordBuilder { lines, lengths, ..RecordBuilder::default() }));
        }
        let mut turned = Turned { terms: Vec::new(), files };
        let mut numbers = HashMap::new();
        for field in TextField::ALL {
            turned.enter(segment, field, &slots, &mut numbers)?;
        }
        Ok(turned)
    }

    fn enter(
        &mut self,
        segment: &Segment,
        field: TextField,
        slots: &[(u32, u32)],
        numbers: &mut HashMap<String, u32>,
    ) -> Result<()> {
        let Turned { terms, files } = self;
        segment.each_term(field, &Match::BeginsWith(""), &mut |text, postings| {
            let number = *numbers.entry(text.to_owned()).or_insert_with(|| {
                terms.push(text.to_owned());
                terms.len() as u32 - 1
            });
            let mut last = (NOBODY, 0);
            postings.each(&mut |doc, freq, positions| {
                let (slot, own) = slots[doc as usize];
                if slot != NOBODY {
                    // Distances begin anew with each file.
                    let step = if last.0 == slot { own - last.1 } else { own };
                    last = (slot, own);
                    files[slot as usize].1.add(number, field, (own, step), (freq, positions));
                }
                true
            })?;
            Ok(true)
        })
    }
}

impl RecordBuilder {
    fn add(
        &mut self,
        term: u32,
        field: TextField,
        (doc, step): (u32, u32),
        (freq, positions): (u32, &[u32]),
    ) {
        let list = self.terms.entry(term).or_default().entry(field as u8).or_default();
        put_posting(list, field, step, (freq, positions));
        let with_length = WITH_LENGTHS.iter().position(|known| *known == field);
        if let Some(length) = with_length.and_then(|at| self.lengths[at].get_mut(doc as usize)) {
            *length += freq;
        }
    }

    /// The record, packed.
    fn finish(
        &self,
        terms: &[String],
        about: &About,
        text: &str,
        symbols: &SymbolParts,
    ) -> Result<Vec<u8>> {
        let about = postcard::to_stdvec(about).map_err(|e| Error::bug(e.to_string()))?;
        let chunks: Vec<u8> = self
            .lines
            .iter()
            .flat_map(|(first, last)| [first.to_le_bytes(), last.to_le_bytes()].concat())
            .collect();
        let codes = |lengths: &Vec<u32>| -> Vec<u8> {
            lengths.iter().map(|length| FieldNormReader::fieldnorm_to_id(*length)).collect()
        };
        let [words, names, docs] = [0, 1, 2].map(|at| codes(&self.lengths[at]));
        let [hashes, offsets, entries] = self.postings(terms);
        let (rows, texts) = (&symbols.rows[..], &symbols.texts[..]);
        let sections = [
            &about[..],
            text.as_bytes(),
            &chunks,
            &words,
            &names,
            &docs,
            &hashes,
            &offsets,
            &entries,
            rows,
            texts,
        ];
        pack(sections).ok_or_else(|| Error::bug("a file's record is too long to be kept"))
    }

    fn postings(&self, terms: &[String]) -> [Vec<u8>; 3] {
        let mut order: Vec<(u32, &str, &Lists)> = self
            .terms
            .iter()
            .map(|(number, fields)| {
                let text = terms[*number as usize].as_str();
                (hash(text), text, fields)
            })
            .collect();
        order.sort_by_key(|(hash, text, _)| (*hash, *text));
        let (mut hashes, mut offsets, mut entries) = (Vec::new(), Vec::new(), Vec::new());
        for (hash, text, fields) in order {
            hashes.extend(hash.to_le_bytes());
            offsets.extend((entries.len() as u32).to_le_bytes());
            put_varint(&mut entries, text.len() as u32);
            entries.extend_from_slice(text.as_bytes());
            entries.push(fields.keys().fold(0, |mask, field| mask | 1 << field));
            for list in fields.values() {
                put_varint(&mut entries, list.len() as u32);
                entries.extend_from_slice(list);
            }
        }
        [hashes, offsets, entries]
    }
}

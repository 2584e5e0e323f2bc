//! A record → what a segment is built of: the way back from a published index.

use super::super::segment::{Record, TextField};
use super::{FileRecord, damaged};
use crate::error::Result;
use crate::store::SEPARATOR;

/// How much longer than its record the terms of a file may become when they are written out: a term that stands somewhere
/// often takes a few bytes of a record, and each chunk repeats its path. Code of this repository stays below one time.
const MOST_TIMES: usize = 32;
/// Room for small records.
const LEAST_BYTES: usize = 1 << 20;

impl FileRecord {
    /// The chunks as a segment takes them, in order.
    ///
    /// # Errors
    /// [`crate::ErrorKind::IndexFormat`] where more terms are counted than a file of this length can have: a damaged count must
    /// not fill the memory.
    pub(crate) fn chunk_records(&self) -> Result<Vec<Record>> {
        let mut records: Vec<Record> = (0..self.n_chunks())
            .map(|doc| {
                let (start_line, end_line) = self.lines(doc);
                Record { start_line, end_line, ..Record::default() }
            })
            .collect();
        let mut room = LEAST_BYTES + MOST_TIMES * self.bytes.len();
        let mut is_full = false;
        for entry in self.postings().entries() {
            for list in entry.fields() {
                let field = list.text_field();
                list.each(&mut |doc, freq, positions| {
                    let Some(record) = records.get_mut(doc as usize) else { return true };
                    let n_bytes = written_bytes(field, entry.text, freq);
                    is_full |= n_bytes > room;
                    if !is_full {
                        room -= n_bytes;
                        put(record, field, entry.text, (freq, positions));
                    }
                    !is_full
                });
            }
        }
        if is_full { Err(damaged()) } else { Ok(records) }
    }
}

/// Bytes that a term takes when it is written out, at most.
fn written_bytes(field: TextField, term: &str, freq: u32) -> usize {
    // A separator, a place and the end of the line.
    let beside = if field == TextField::Usages { 16 } else { 1 };
    (term.len() + beside).saturating_mul(freq as usize)
}

fn put(record: &mut Record, field: TextField, term: &str, (freq, positions): (u32, &[u32])) {
    let list = record.field_mut(field);
    if field == TextField::Usages {
        for position in positions {
            list.push_str(&format!("{term}{SEPARATOR}{position}\n"));
        }
        return;
    }
    for _ in 0..freq {
        list.push_str(term);
        list.push('\n');
    }
}

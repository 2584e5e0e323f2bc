//! A record → what a segment is built of: the way back from a published index.

use super::super::segment::{Record, TextField};
use super::FileRecord;
use crate::store::SEPARATOR;

impl FileRecord {
    /// The chunks as a segment takes them, in order. How often a damaged record says that a term stands somewhere is
    /// believed no further than its text is long.
    pub(crate) fn chunk_records(&self) -> Vec<Record> {
        let mut records: Vec<Record> = (0..self.n_chunks())
            .map(|doc| {
                let (start_line, end_line) = self.lines(doc);
                Record { start_line, end_line, ..Record::default() }
            })
            .collect();
        let most = self.text().len() as u32 + self.about.path.len() as u32;
        for entry in self.postings().entries() {
            for list in entry.fields() {
                let field = list.text_field();
                list.each(&mut |doc, freq, positions| {
                    if let Some(record) = records.get_mut(doc as usize) {
                        put(record, field, entry.text, (freq.min(most), positions));
                    }
                    true
                });
            }
        }
        records
    }
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

//! A chunk's words → its row, in the pass that fills its record.
//!
//! For models that are tables: a row costs little more than the words, so nothing is read twice and nothing is cached.
//! Must give what embedding the same chunk later gives.

use crate::embed::{Bag, TermTable, Words, known_sum};
use crate::error::Result;
use crate::model::VectorEncoding;
use crate::store::{IndexDir, VectorBuilder, VectorEntry, VectorRow};

/// Gathers the rows of one segment; one per thread.
#[derive(Debug)]
pub(super) struct RowWriter<'a> {
    table: &'a TermTable,
    encoding: VectorEncoding,
    words: Words,
    bag: Bag,
    sum: Vec<f32>,
    builder: VectorBuilder,
}

impl<'a> RowWriter<'a> {
    pub(super) fn new((table, encoding): (&'a TermTable, VectorEncoding)) -> RowWriter<'a> {
        RowWriter {
            table,
            encoding,
            words: Words::default(),
            bag: Bag::default(),
            sum: vec![0.0; table.dimensions()],
            builder: VectorBuilder::new(encoding),
        }
    }

    /// Enters a word of the chunk's own lines.
    pub(super) fn word(&mut self, word: &str) {
        self.words.enter(self.table, word, 1.0, &mut self.bag);
    }

    /// Enters what stands before the chunk's lines.
    pub(super) fn head(&mut self, head: &str, signature: Option<&str>) {
        let (table, words, bag) = (self.table, &mut self.words, &mut self.bag);
        words.enter_text(table, head, table.head_weight(), bag);
        words.enter_text(table, signature.unwrap_or_default(), 1.0, bag);
    }

    /// Makes what was entered the row of a chunk.
    pub(super) fn end_row(&mut self, row: VectorRow) {
        known_sum(self.table, &mut self.bag, &mut self.sum);
        self.builder.add(row, &self.sum);
    }

    pub(super) fn n_rows(&self) -> usize {
        self.builder.n_rows()
    }

    /// Writes the rows as vector segment `id` and begins anew.
    pub(super) fn finish(&mut self, dir: &IndexDir, id: u32) -> Result<VectorEntry> {
        let next = VectorBuilder::new(self.encoding);
        std::mem::replace(&mut self.builder, next).finish(dir, id)
    }
}

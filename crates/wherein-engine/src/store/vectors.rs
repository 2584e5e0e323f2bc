//! Vectors of a run of files: rows laid flat in one file, written once, mapped, and read end to end.
//!
//! A row knows its file and lines, so that vectors are made, merged and dropped without touching the postings.
//! `int8` rows are scaled to ±127 by their largest component; products are summed in whole numbers, and those of
//! `f32` rows in sixteen fixed lanes, so a score is the same on every machine. Must not judge which rows count: that
//! is the manifest's.

use std::io;

use tantivy::HasLen;
use tantivy::directory::{FileHandle, OwnedBytes};

use super::layout::IndexDir;
use super::manifest::VectorSet;
use super::pack::{self, PackDirectory};
use super::seal::Piece;
use crate::error::{Error, IoContext, Result};
use crate::model::VectorEncoding;

const DATA: &str = "data";
const SCALES: &str = "scales";
const ROWS: &str = "rows";
const ROW_BYTES: usize = 12;
/// The largest component of an `int8` row.
const INT8_MAX: f32 = 127.0;
/// The largest component of a question against `int8` rows: with 4,096 dimensions a sum stays below 2³¹.
const QUESTION_MAX: f32 = 2047.0;
const LANES: usize = 16;

/// One vector segment, as the manifest names it.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub(crate) struct VectorEntry {
    pub(crate) id: u32,
    /// Rows in it, those of gone files included.
    pub(crate) n_rows: u32,
    pub(crate) pack: pack::Identity,
}

/// Whose vector a row is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct VectorRow {
    pub(crate) file_id: u32,
    pub(crate) start_line: u32,
    pub(crate) end_line: u32,
}

/// Gathers rows in memory and writes them as one file.
#[derive(Debug)]
pub(crate) struct VectorBuilder {
    encoding: VectorEncoding,
    rows: Vec<u8>,
    scales: Vec<u8>,
    data: Vec<u8>,
}

impl VectorBuilder {
    pub(crate) fn new(encoding: VectorEncoding) -> VectorBuilder {
        VectorBuilder { encoding, rows: Vec::new(), scales: Vec::new(), data: Vec::new() }
    }

    pub(crate) fn n_rows(&self) -> usize {
        self.rows.len() / ROW_BYTES
    }

    /// Adds a unit vector.
    pub(crate) fn add(&mut self, row: VectorRow, vector: &[f32]) {
        self.add_row(row);
        match self.encoding {
            VectorEncoding::F32 => {
                self.data.extend(vector.iter().flat_map(|value| value.to_le_bytes()));
            }
            VectorEncoding::Int8 => {
                let scale = largest(vector) / INT8_MAX;
                self.scales.extend(scale.to_le_bytes());
                self.data.extend(vector.iter().map(|value| scaled(*value, scale) as i8 as u8));
            }
        }
    }

    /// Adds a row as it is kept elsewhere.
    fn copy(&mut self, row: VectorRow, scale: &[u8], data: &[u8]) {
        self.add_row(row);
        self.scales.extend(scale);
        self.data.extend(data);
    }

    fn add_row(&mut self, row: VectorRow) {
        for number in [row.file_id, row.start_line, row.end_line] {
            self.rows.extend(number.to_le_bytes());
        }
    }

    /// Writes the segment as `id` of the index folder.
    pub(crate) fn finish(self, dir: &IndexDir, id: u32) -> Result<VectorEntry> {
        let n_rows = self.n_rows() as u32;
        let path = dir.vector_segment(id);
        let file = |name: &str, bytes: Vec<u8>| (name.to_owned(), OwnedBytes::new(bytes));
        let files = [file(DATA, self.data), file(SCALES, self.scales), file(ROWS, self.rows)];
        let pack = pack::write(&path, &files).at("write", &path)?;
        Ok(VectorEntry { id, n_rows, pack })
    }
}

fn largest(vector: &[f32]) -> f32 {
    vector.iter().fold(0.0, |most, value| value.abs().max(most))
}

fn scaled(value: f32, scale: f32) -> f32 {
    if scale > 0.0 { (value / scale).round() } else { 0.0 }
}

/// Copies the rows that `is_live` accepts into one segment.
pub(crate) fn merge_vectors(
    dir: &IndexDir,
    set: &VectorSet,
    parts: &[VectorSegment],
    is_live: &dyn Fn(&VectorSegment, VectorRow) -> bool,
    id: u32,
) -> Result<VectorEntry> {
    let mut builder = VectorBuilder::new(set.encoding);
    for part in parts {
        let (data, scales) = (part.read(0, part.n_rows)?, part.scales(0, part.n_rows)?);
        let rows = part.rows(0, part.n_rows)?;
        for (idx, row) in rows.iter().enumerate().filter(|(_, row)| is_live(part, *row)) {
            let scale = scales.get(idx * 4..idx * 4 + 4).unwrap_or_default();
            builder.copy(row, scale, &data[idx * part.row_bytes..(idx + 1) * part.row_bytes]);
        }
    }
    builder.finish(dir, id)
}

/// One vector segment opened for reading.
#[derive(Debug)]
pub(crate) struct VectorSegment {
    pub(crate) id: u32,
    encoding: VectorEncoding,
    n_rows: usize,
    row_bytes: usize,
    data: Piece,
    scales: Piece,
    rows: Piece,
    path: std::path::PathBuf,
}

impl VectorSegment {
    /// Opens a segment; damage is an [`crate::ErrorKind::IndexFormat`] error that names the file.
    pub(crate) fn open(
        dir: &IndexDir,
        entry: &VectorEntry,
        set: &VectorSet,
    ) -> Result<VectorSegment> {
        let path = dir.vector_segment(entry.id);
        let pack = PackDirectory::open(&path, entry.pack).map_err(|e| damaged(&path, &e))?;
        let piece =
            |name: &str| pack.get(name.as_ref()).ok_or_else(|| damaged(&path, &pack::damaged()));
        let n_rows = entry.n_rows as usize;
        let dimensions = set.model.dimensions as usize;
        let (row_bytes, scale_bytes) = match set.encoding {
            VectorEncoding::Int8 => (dimensions, 4),
            VectorEncoding::F32 => (dimensions * 4, 0),
        };
        let segment = VectorSegment {
            id: entry.id,
            encoding: set.encoding,
            n_rows,
            row_bytes,
            data: piece(DATA)?,
            scales: piece(SCALES)?,
            rows: piece(ROWS)?,
            path: path.clone(),
        };
        let fits = segment.data.len() == n_rows * row_bytes
            && segment.scales.len() == n_rows * scale_bytes
            && segment.rows.len() == n_rows * ROW_BYTES;
        if fits { Ok(segment) } else { Err(damaged(&path, &pack::damaged())) }
    }

    pub(crate) fn n_rows(&self) -> usize {
        self.n_rows
    }

    /// Whose vectors the rows `first..first + n` are.
    pub(crate) fn rows(&self, first: usize, n: usize) -> Result<RowTable> {
        let range = first * ROW_BYTES..(first + n) * ROW_BYTES;
        let bytes = self.rows.read_bytes(range).map_err(|e| damaged(&self.path, &e))?;
        Ok(RowTable(bytes))
    }

    /// The cosine of `question` and each of the rows `first..first + n`, given to `visit` with the row's number;
    /// rows that `wanted` refuses are passed over, and so are rows of zeros, which are like nothing.
    pub(crate) fn scan(
        &self,
        question: &VectorQuestion,
        (first, n): (usize, usize),
        wanted: impl Fn(usize) -> bool,
        mut visit: impl FnMut(usize, f32),
    ) -> Result<()> {
        let (data, scales) = (self.read(first, n)?, self.scales(first, n)?);
        let rows = data.chunks_exact(self.row_bytes).enumerate();
        for (idx, row) in rows.filter(|(idx, _)| wanted(first + idx)) {
            let score = match self.encoding {
                VectorEncoding::Int8 => {
                    let scale = f32_at(&scales, idx) * question.scale;
                    dot_int8(&question.int16, row) as f32 * scale
                }
                VectorEncoding::F32 => dot_f32(&question.exact, row),
            };
            // The cosine of most rows tells that they are not zeros; the bytes of few have to be looked at.
            if score != 0.0 || row.iter().any(|byte| *byte != 0) {
                visit(first + idx, score);
            }
        }
        Ok(())
    }

    fn read(&self, first: usize, n: usize) -> Result<OwnedBytes> {
        let range = first * self.row_bytes..(first + n) * self.row_bytes;
        self.data.read_bytes(range).map_err(|e| damaged(&self.path, &e))
    }

    fn scales(&self, first: usize, n: usize) -> Result<OwnedBytes> {
        let range = match self.encoding {
            VectorEncoding::Int8 => first * 4..(first + n) * 4,
            VectorEncoding::F32 => 0..0,
        };
        self.scales.read_bytes(range).map_err(|e| damaged(&self.path, &e))
    }

    /// One row as numbers.
    pub(crate) fn vector(&self, idx: usize) -> Result<Vec<f32>> {
        let (data, scales) = (self.read(idx, 1)?, self.scales(idx, 1)?);
        Ok(match self.encoding {
            VectorEncoding::Int8 => {
                let scale = f32_at(&scales, 0);
                data.iter().map(|value| f32::from(*value as i8) * scale).collect()
            }
            VectorEncoding::F32 => {
                (0..data.len() / 4).map(|component| f32_at(&data, component)).collect()
            }
        })
    }

    /// Whose vector one row is.
    pub(crate) fn row(&self, idx: usize) -> Result<VectorRow> {
        Ok(self.rows(idx, 1)?.get(0))
    }
}

/// Whose vectors a run of rows are.
#[derive(Debug)]
pub(crate) struct RowTable(OwnedBytes);

impl RowTable {
    /// The row at `idx` of the run.
    pub(crate) fn get(&self, idx: usize) -> VectorRow {
        let bytes = &self.0[idx * ROW_BYTES..];
        let number = |i| u32_at(bytes, i);
        VectorRow { file_id: number(0), start_line: number(1), end_line: number(2) }
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = VectorRow> {
        (0..self.0.len() / ROW_BYTES).map(|idx| self.get(idx))
    }
}

/// A question's vector in the forms that rows are compared with.
#[derive(Debug, Clone)]
pub(crate) struct VectorQuestion {
    exact: Vec<f32>,
    int16: Vec<i16>,
    scale: f32,
}

impl VectorQuestion {
    pub(crate) fn new(vector: &[f32]) -> VectorQuestion {
        let scale = largest(vector) / QUESTION_MAX;
        let int16 = vector.iter().map(|value| scaled(*value, scale) as i16).collect();
        VectorQuestion { exact: vector.to_vec(), int16, scale }
    }
}

/// Whole numbers only: no order of summation can change the sum. Lanes let the compiler multiply in pairs, which is a
/// third faster than one running sum.
fn dot_int8(question: &[i16], row: &[u8]) -> i32 {
    let mut lanes = [0_i32; LANES];
    let (wide, rest) = question.as_chunks::<LANES>();
    let (wide_row, rest_row) = row.split_at(wide.len() * LANES);
    for (question, row) in wide.iter().zip(wide_row.as_chunks::<LANES>().0) {
        for lane in 0..LANES {
            lanes[lane] += i32::from(question[lane]) * i32::from(row[lane] as i8);
        }
    }
    let rest = rest.iter().zip(rest_row).map(|(q, r)| i32::from(*q) * i32::from(*r as i8));
    lanes.iter().sum::<i32>() + rest.sum::<i32>()
}

/// Sums in lanes, then the lanes in order: the same rounding whatever the machine's vector width.
fn dot_f32(question: &[f32], row: &[u8]) -> f32 {
    let mut lanes = [0.0_f32; LANES];
    let (wide, rest) = question.as_chunks::<LANES>();
    let (wide_row, rest_row) = row.split_at(wide.len() * LANES * 4);
    for (question, row) in wide.iter().zip(wide_row.as_chunks::<{ LANES * 4 }>().0) {
        for lane in 0..LANES {
            lanes[lane] += question[lane] * f32_at(row, lane);
        }
    }
    for (lane, question) in rest.iter().enumerate() {
        lanes[lane] += question * f32_at(rest_row, lane);
    }
    lanes.iter().sum()
}

fn f32_at(bytes: &[u8], idx: usize) -> f32 {
    f32::from_bits(u32_at(bytes, idx))
}

fn u32_at(bytes: &[u8], idx: usize) -> u32 {
    let mut four = [0; 4];
    four.copy_from_slice(&bytes[idx * 4..idx * 4 + 4]);
    u32::from_le_bytes(four)
}

fn damaged(path: &std::path::Path, error: &io::Error) -> Error {
    Error::index_format(format!("the vectors are damaged ({error}): {}", path.display()))
        .with_hint("run: wherein index --rebuild")
}

//! What a collection keeps: chunks that can be found, and blobs that are fetched.
//!
//! Ids follow from what a point is, so that to publish again is to write over, and a run that was killed goes on where it
//! ended. The digest tells whether what is kept is what would be written. Must not know a wire.

use std::collections::HashMap;

use crate::model::Kind;
use crate::sparse::SparseVector;
use crate::store::FileRecord;
use crate::symbol::SymbolKind;

/// The id of a point, as a UUID: 128 bits, made of what the point is.
pub type PointId = u128;

/// A chunk that can be found.
#[derive(Debug, Clone, PartialEq)]
pub struct ChunkPoint {
    /// Of repository, path, text and which of the chunks with that text in the file it is.
    pub id: PointId,
    /// Of everything else here.
    pub digest: u64,
    /// The name of its repository.
    pub repository: String,
    /// Path relative to the root, `/`-separated.
    pub path: String,
    /// First line, 1-based.
    pub start_line: u32,
    /// Last line, inclusive.
    pub end_line: u32,
    /// Canonical name.
    pub language: String,
    /// The role of its file.
    pub kind: Kind,
    /// Kinds of the symbols that it defines, each once; where it defines none, of the one that it lies in.
    pub symbol_kinds: Vec<SymbolKind>,
    /// Names that it defines, as written.
    pub names: Vec<String>,
    /// Each of these names, whole and from each of its parts on, in lower case without separators: what a part of a name in
    /// its middle begins.
    pub name_tokens: Vec<String>,
    /// A unit vector; `None` where the model knows nothing of the chunk, or there is none.
    pub dense: Option<Vec<f32>>,
    /// Terms.
    pub sparse: SparseVector,
}

/// Bytes that are fetched by id: the record of a file, or a part of a catalogue.
#[derive(Debug, Clone, PartialEq)]
pub struct BlobPoint {
    /// Of repository, path and bytes.
    pub id: PointId,
    /// Of the bytes.
    pub digest: u64,
    /// The name of its repository.
    pub repository: String,
    /// The path of the file; empty for a part of a catalogue.
    pub path: String,
    /// What is fetched.
    pub bytes: Vec<u8>,
}

/// Either.
#[derive(Debug, Clone, PartialEq)]
pub enum Point {
    /// A chunk.
    Chunk(Box<ChunkPoint>),
    /// Bytes.
    Blob(BlobPoint),
}

impl Point {
    /// Its id.
    pub fn id(&self) -> PointId {
        match self {
            Point::Chunk(chunk) => chunk.id,
            Point::Blob(blob) => blob.id,
        }
    }

    /// Its digest.
    pub fn digest(&self) -> u64 {
        match self {
            Point::Chunk(chunk) => chunk.digest,
            Point::Blob(blob) => blob.digest,
        }
    }
}

/// The first 128 bits of a hash of texts whose bounds count.
pub(super) fn id_of(kind: &str, parts: &[&[u8]]) -> PointId {
    let mut hasher = blake3::Hasher::new_derive_key("wherein point id 1");
    for part in [kind.as_bytes()].iter().chain(parts) {
        hasher.update(&(part.len() as u64).to_le_bytes()).update(part);
    }
    let mut short = [0; 16];
    short.copy_from_slice(&hasher.finalize().as_bytes()[..16]);
    PointId::from_be_bytes(short)
}

/// Gives the chunks of one file their ids.
pub(crate) struct ChunkIds<'a> {
    repository: &'a str,
    path: &'a str,
    seen: HashMap<[u8; 32], u32>,
}

impl<'a> ChunkIds<'a> {
    pub(crate) fn new(repository: &'a str, path: &'a str) -> ChunkIds<'a> {
        ChunkIds { repository, path, seen: HashMap::new() }
    }

    /// The id of the next chunk of the file.
    pub(crate) fn next(&mut self, text: &str) -> PointId {
        let hash = *blake3::hash(text.as_bytes()).as_bytes();
        let occurrence = self.seen.entry(hash).or_default();
        let parts =
            [self.repository.as_bytes(), self.path.as_bytes(), &hash, &occurrence.to_le_bytes()];
        let id = id_of("chunk", &parts);
        *occurrence += 1;
        id
    }
}

/// The ids of all chunks of a file, in order.
pub(crate) fn chunk_ids(repository: &str, record: &FileRecord) -> Vec<PointId> {
    let mut ids = ChunkIds::new(repository, &record.about.path);
    record.spans().map(|span| ids.next(span)).collect()
}

/// A blob with its id.
pub(crate) fn blob(repository: &str, path: &str, bytes: Vec<u8>) -> BlobPoint {
    let hash = blake3::hash(&bytes);
    let id = id_of("blob", &[repository.as_bytes(), path.as_bytes(), hash.as_bytes()]);
    BlobPoint {
        id,
        digest: short(&hash),
        repository: repository.to_owned(),
        path: path.to_owned(),
        bytes,
    }
}

fn short(hash: &blake3::Hash) -> u64 {
    let mut eight = [0; 8];
    eight.copy_from_slice(&hash.as_bytes()[..8]);
    u64::from_le_bytes(eight)
}

impl ChunkPoint {
    /// The point with the digest of what it holds.
    pub(crate) fn sealed(mut self) -> ChunkPoint {
        let mut hasher = blake3::Hasher::new();
        let mut add = |bytes: &[u8]| {
            hasher.update(&(bytes.len() as u64).to_le_bytes()).update(bytes);
        };
        for text in [&self.path, &self.language].into_iter().chain(&self.names) {
            add(text.as_bytes());
        }
        self.name_tokens.iter().for_each(|token| add(token.as_bytes()));
        self.symbol_kinds.iter().for_each(|kind| add(kind.as_str().as_bytes()));
        add(self.kind.as_str().as_bytes());
        add(&[self.start_line.to_le_bytes(), self.end_line.to_le_bytes()].concat());
        let floats = |values: &[f32]| -> Vec<u8> {
            values.iter().flat_map(|value| value.to_le_bytes()).collect()
        };
        add(&floats(self.dense.as_deref().unwrap_or_default()));
        add(&self.sparse.indices.iter().flat_map(|i| i.to_le_bytes()).collect::<Vec<u8>>());
        add(&floats(&self.sparse.values));
        self.digest = short(&hasher.finalize());
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_chunks_of_a_file_differ_by_their_occurrence() {
        let mut ids = ChunkIds::new("shop", "src/a.rs");
        let (first, other, second) = (ids.next("}"), ids.next("fn"), ids.next("}"));
        assert!(first != second && first != other);
        let mut again = ChunkIds::new("shop", "src/a.rs");
        assert_eq!([again.next("}"), again.next("}")], [first, second]);
        assert_ne!(ChunkIds::new("shop", "src/b.rs").next("}"), first);
        assert_ne!(ChunkIds::new("sho", "psrc/a.rs").next("}"), first, "bounds count");
    }
}

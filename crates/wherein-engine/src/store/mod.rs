//! Everything that knows what lies inside an index folder.
//!
//! A generation is one manifest and the immutable segment files that it names. Committing is one rename;
//! a reader holds what it opened; a crash leaves the generation before.

mod catalogue;
mod family;
mod file_record;
mod generation;
mod layout;
mod lock;
mod manifest;
mod pack;
mod seal;
mod segment;
mod statistics;
mod symbols;
mod terms;
mod usage;
mod vectors;

pub(crate) use catalogue::{Catalogue, RecordKey};
pub(crate) use family::{adopt, note};
pub(crate) use file_record::{About, FileRecord, each_record, record_without_chunks};
pub(crate) use generation::{Generation, Live, NOBODY, Published, has_index, live_chunks};
pub(crate) use layout::{IndexDir, keep_catalogue};
pub(crate) use lock::{Work, lock};
pub(crate) use manifest::{
    ContentHash, FileEntry, FileState, Identity, Indexed, Manifest, SegmentEntry, VectorSet,
    commit, content_hash, is_foreign_format, read,
};
pub(crate) use segment::{
    Alike, FieldLengths, Match, Record, Segment, SegmentBuilder, TextField, merge,
};
pub(crate) use symbols::{SymbolRow, SymbolTable};
pub(crate) use terms::SEPARATOR;
pub(crate) use usage::Usage;

pub(crate) use vectors::{
    VectorBuilder, VectorEntry, VectorQuestion, VectorRow, VectorSegment, merge_vectors,
};

#[cfg(test)]
mod tests;

//! Everything that knows what lies inside an index folder.
//!
//! A generation is one manifest and the immutable segment files that it names. Committing is one rename;
//! a reader holds what it opened; a crash leaves the generation before.

mod family;
mod generation;
mod layout;
mod lock;
mod manifest;
mod pack;
mod seal;
mod segment;
mod symbols;
mod terms;
mod usage;
mod vectors;

pub(crate) use family::{adopt, note};
pub(crate) use generation::{Generation, Live, NOBODY, has_index, live_chunks};
pub(crate) use layout::IndexDir;
pub(crate) use lock::{Work, lock};
pub(crate) use manifest::{
    ContentHash, FileEntry, FileState, Identity, Indexed, Manifest, SegmentEntry, VectorSet,
    commit, content_hash, is_foreign_format, read,
};
pub(crate) use segment::{
    Record, Segment, SegmentBuilder, TextField, index_trouble, io_trouble, merge,
};
pub(crate) use symbols::{SymbolRow, SymbolTable};
pub(crate) use terms::SEPARATOR;
pub(crate) use usage::Usage;

pub(crate) use vectors::{
    VectorBuilder, VectorEntry, VectorQuestion, VectorRow, VectorSegment, merge_vectors,
};

#[cfg(test)]
mod tests;

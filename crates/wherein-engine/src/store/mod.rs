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

pub(crate) use family::{adopt, note};
pub(crate) use generation::{Generation, Live, has_index, live_chunks};
pub(crate) use layout::IndexDir;
pub(crate) use lock::lock;
pub(crate) use manifest::{
    ContentHash, FileEntry, FileState, Identity, Indexed, Manifest, SegmentEntry, commit,
    content_hash, is_foreign_format, read,
};
pub(crate) use segment::{Record, Segment, SegmentBuilder, TextField, index_trouble, merge};

#[cfg(test)]
mod tests;

//! Source text → chunks that cover every line.
//!
//! One function per profile. Must not fail: a chunker that cannot parse falls back to lines.

mod lines;

use crate::model::{Chunk, Profile};

/// Changes whenever a profile cuts some text differently; part of the identity of a generation.
pub(crate) const CHUNKER_VERSION: u32 = 1;

/// Cuts `text` by `profile`, in line order.
pub(crate) fn chunk(profile: Profile, text: &str) -> Vec<Chunk<'_>> {
    match profile {
        Profile::Lines => lines::chunk(text),
    }
}

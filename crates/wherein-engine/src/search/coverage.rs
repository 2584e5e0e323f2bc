//! How much of a tree has vectors of a model that embeds only what questions touch.
//!
//! Noted beside the vectors, by folder, file and line, and counted against the files as they are indexed now: what was
//! noted of a file that changed counts no longer. Must not count a chunk of which a part is missing.

use std::path::Path;

use super::Corpus;
use crate::embed::{Key, ModelIdentity, VectorCache, folder_key};
use crate::error::Result;
use crate::model::Candidate;
use crate::store::{FileEntry, Identity, Manifest};

/// Notes chunks whose parts all have vectors.
pub(super) fn note(
    cache: &VectorCache,
    model: &ModelIdentity,
    corpus: Corpus<'_>,
    chunks: &[Candidate],
) -> Result<()> {
    let identity = &corpus.generation.manifest.identity;
    let noted = |chunk: &Candidate| {
        let (entry, _) = corpus.generation.source_file(chunk.file_idx as usize)?;
        Some((file_key(identity, entry), chunk.start_line))
    };
    let noted: Vec<(Key, u32)> = chunks.iter().filter_map(noted).collect();
    let folder = folder_key(model, corpus.root);
    // Most questions come again to what is noted: reading is cheaper than a transaction, and needs no lock.
    let fresh = cache.unnoted(&folder, &noted)?;
    if fresh.is_empty() { Ok(()) } else { cache.note(&folder, &fresh) }
}

/// Chunks that have vectors of `model`, in the index or because a question touched them.
pub(crate) fn count(
    cache: &VectorCache,
    model: &ModelIdentity,
    root: &Path,
    manifest: &Manifest,
) -> Result<u64> {
    let noted = cache.noted(&folder_key(model, root))?;
    let is_own = manifest.vectors.as_ref().is_some_and(|set| set.model == *model);
    let of_file = |(entry, indexed): (&FileEntry, &crate::store::Indexed)| {
        let n_chunks = u64::from(indexed.n_chunks);
        match is_own && indexed.vector_id.is_some() {
            true => n_chunks,
            false if noted.is_empty() => 0,
            false => {
                noted.get(&file_key(&manifest.identity, entry)).map_or(0, |n| n_chunks.min(*n))
            }
        }
    };
    Ok(manifest.source_files().map(of_file).sum())
}

/// A file with its content and the way in which it is cut: another of any of them has other chunks.
fn file_key(identity: &Identity, entry: &FileEntry) -> Key {
    let mut hasher = blake3::Hasher::new();
    let versions = [identity.chunker_version, identity.syntax_version];
    hasher.update(identity.profile.as_str().as_bytes());
    for version in versions {
        hasher.update(&version.to_le_bytes());
    }
    hasher.update(&entry.hash);
    hasher.update(entry.path.text.as_bytes());
    let mut key = [0; 16];
    key.copy_from_slice(&hasher.finalize().as_bytes()[..16]);
    key
}

//! The names inside the index base and inside one index folder. Nothing else in the project knows them.

use std::path::{Path, PathBuf};

use crate::error::{IoContext, Result};

/// The number of the on-disk format; it stands in every manifest, and docs/index-format.md describes it.
pub(crate) const FORMAT: u32 = 5;
/// The oldest one that is still read.
pub(crate) const OLDEST_FORMAT: u32 = 4;

const MANIFEST: &str = "manifest";
const LOCK: &str = "lock";
const SEGMENTS: &str = "segments";
const VECTORS: &str = "vectors";
const EMBED_LOCK: &str = "embed-lock";
const FAMILY: &str = "family";
/// The cache of finished embeddings, beside the index folders; its number is that of its own format.
const VECTOR_CACHE: &str = "vectors-1.sqlite";

/// Catalogues of published indexes, beside the index folders.
const CATALOGUES: &str = "published";
/// Fetched catalogues that are kept.
const MAX_CATALOGUES: usize = 50;

/// Keeps a fetched catalogue for the next process; that it cannot be kept costs time alone. Those that were fetched longest
/// ago give way.
pub(crate) fn keep_catalogue(path: &Path, bytes: &[u8]) {
    let Some(folder) = path.parent() else { return };
    let temporary = path.with_extension(format!("{}.tmp", std::process::id()));
    let written = std::fs::create_dir_all(folder)
        .and_then(|()| std::fs::write(&temporary, bytes))
        .and_then(|()| std::fs::rename(&temporary, path));
    if written.is_err() {
        let _ = std::fs::remove_file(&temporary);
        return;
    }
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let age = |entry: &std::fs::DirEntry| entry.metadata().and_then(|m| m.modified()).ok();
    let mut by_age: Vec<_> = entries.map(|entry| (age(&entry), entry.path())).collect();
    by_age.sort();
    let n_old = by_age.len().saturating_sub(MAX_CATALOGUES);
    for (_, old) in by_age.into_iter().take(n_old) {
        let _ = std::fs::remove_file(old);
    }
}

/// One index folder.
#[derive(Debug, Clone)]
pub(crate) struct IndexDir {
    path: PathBuf,
}

impl IndexDir {
    /// The index folder of a canonical root: a readable name and a hash of the whole path.
    pub(crate) fn of(index_base: &Path, root: &Path) -> IndexDir {
        let hash = blake3::hash(root.as_os_str().as_encoded_bytes()).to_hex();
        let name: String = root
            .file_name()
            .map_or_else(|| "root".into(), |name| name.to_string_lossy())
            .chars()
            .map(|c| if c.is_ascii_alphanumeric() || ".-_".contains(c) { c } else { '_' })
            .take(40)
            .collect();
        IndexDir { path: index_base.join(format!("{name}-{}", &hash.as_str()[..16])) }
    }

    /// The cache of embeddings that all indexes below `index_base` share.
    pub(crate) fn vector_cache(index_base: &Path) -> PathBuf {
        index_base.join(VECTOR_CACHE)
    }

    /// Where the catalogue of a published index is kept, once it was fetched.
    pub(crate) fn catalogue(index_base: &Path, version: &str) -> PathBuf {
        index_base.join(CATALOGUES).join(format!("{version}.catalogue"))
    }

    /// Every folder below `index_base` that may be an index folder.
    pub(crate) fn all(index_base: &Path) -> impl Iterator<Item = IndexDir> {
        let entries = std::fs::read_dir(index_base).into_iter().flatten().flatten();
        entries.map(|entry| IndexDir { path: entry.path() })
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// The file that names the repository whose working trees share segments.
    pub(crate) fn family(&self) -> PathBuf {
        self.path.join(FAMILY)
    }

    /// Whether a generation was ever committed here.
    pub(crate) fn has_manifest(&self) -> bool {
        self.manifest().is_file()
    }

    pub(crate) fn manifest(&self) -> PathBuf {
        self.path.join(MANIFEST)
    }

    pub(crate) fn lock(&self) -> PathBuf {
        self.path.join(LOCK)
    }

    pub(crate) fn segments(&self) -> PathBuf {
        self.path.join(SEGMENTS)
    }

    pub(crate) fn segment(&self, id: u32) -> PathBuf {
        self.segments().join(format!("{id:08}.seg"))
    }

    /// Held while chunks are embedded, so that two processes do not embed the same.
    pub(crate) fn embed_lock(&self) -> PathBuf {
        self.path.join(EMBED_LOCK)
    }

    pub(crate) fn vectors(&self) -> PathBuf {
        self.path.join(VECTORS)
    }

    pub(crate) fn vector_segment(&self, id: u32) -> PathBuf {
        self.vectors().join(format!("{id:08}.vec"))
    }

    /// The folders, made where they are missing.
    pub(crate) fn create(&self) -> Result<()> {
        for folder in [self.segments(), self.vectors()] {
            std::fs::create_dir_all(&folder).at("create", folder).map_err(|e| {
                if e.hint().is_some() {
                    return e;
                }
                e.with_hint(
                    "name a folder that can be written to with --index-dir or WHEREIN_INDEX_DIR",
                )
            })?;
        }
        mark_as_cache(&self.path);
        Ok(())
    }

    /// Bytes on disk.
    pub(crate) fn n_bytes(&self) -> u64 {
        let manifest = self.manifest().metadata().map_or(0, |m| m.len());
        manifest + folder_bytes(&self.segments()) + self.vector_bytes()
    }

    /// Bytes of vectors on disk.
    pub(crate) fn vector_bytes(&self) -> u64 {
        folder_bytes(&self.vectors())
    }

    /// Removes the generation; the lock stays for its holder.
    pub(crate) fn remove_generation(&self) -> Result<()> {
        remove_if_there(&self.manifest())?;
        self.remove_segments_except(&[], &[])
    }

    /// Removes what else this program put here, and the folder if nothing else is in it.
    pub(crate) fn remove(&self) -> Result<()> {
        let _ = std::fs::remove_dir(self.segments());
        let _ = std::fs::remove_dir(self.vectors());
        remove_if_there(&self.lock())?;
        remove_if_there(&self.embed_lock())?;
        remove_if_there(&self.path.join("CACHEDIR.TAG"))?;
        remove_if_there(&self.family())?;
        // Foreign files keep the folder alive; they are not ours to delete.
        let _ = std::fs::remove_dir(&self.path);
        Ok(())
    }

    /// Removes files that are neither in `segments` nor in `vectors`: leftovers of killed writers and old generations.
    pub(crate) fn remove_segments_except(&self, segments: &[u32], vectors: &[u32]) -> Result<()> {
        let segments = segments.iter().map(|id| self.segment(*id));
        let kept: Vec<PathBuf> =
            segments.chain(vectors.iter().map(|id| self.vector_segment(*id))).collect();
        let entries = |folder: PathBuf| std::fs::read_dir(folder).into_iter().flatten().flatten();
        for entry in entries(self.segments()).chain(entries(self.vectors())) {
            let path = entry.path();
            let is_ours = path.extension().is_some_and(|e| e == "seg" || e == "vec" || e == "tmp");
            if is_ours && !kept.contains(&path) {
                // A reader on Windows may still map it: the next writer tries again.
                let _ = std::fs::remove_file(&path);
            }
        }
        Ok(())
    }
}

fn folder_bytes(folder: &Path) -> u64 {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    entries.map(|entry| entry.path().metadata().map_or(0, |m| m.len())).sum()
}

/// Backup programs leave marked caches out.
fn mark_as_cache(dir: &Path) {
    let tag = dir.join("CACHEDIR.TAG");
    if !tag.exists() {
        let text = "Signature: 8a477f597d28d172789f06886806bc55\n# Index folder of wherein.\n";
        let _ = std::fs::write(tag, text);
    }
}

fn remove_if_there(path: &Path) -> Result<()> {
    match std::fs::remove_file(path) {
        Err(e) if e.kind() != std::io::ErrorKind::NotFound => Err(e).at("remove", path),
        _ => Ok(()),
    }
}

//! What is said of a published index as a whole: its files and where their records are kept, and how many chunks have
//! each term.
//!
//! A manifest whose files lie elsewhere. It holds no path of the machine that published it. It comes from elsewhere, too,
//! so nothing in it is trusted.

use std::sync::Arc;

use tantivy::directory::OwnedBytes;

use super::generation::{Generation, NOBODY};
use super::manifest::{FileState, Manifest, content_hash};
use super::statistics::{N_COUNTED, Statistics};
use crate::error::{Error, Result};
use crate::scan::Fingerprint;

/// The number of this layout, the first byte.
const CATALOGUE_FORMAT: u8 = 1;
/// Bytes of the hash behind it, of all that follows: a transducer that is damaged makes its reader panic, so none is opened.
const HASH_BYTES: usize = 16;
/// A catalogue above this many bytes, unpacked, is refused.
const MAX_BYTES: usize = 2 << 30;

/// The key that a record is kept under.
pub(crate) type RecordKey = u128;

/// A published index as a whole, opened for reading.
#[derive(Debug)]
pub(crate) struct Catalogue {
    pub(crate) manifest: Arc<Manifest>,
    /// Where the record of each file is kept, in the order of the manifest; 0 for files without one.
    pub(crate) records: Vec<RecordKey>,
    pub(crate) statistics: Arc<Statistics>,
    /// Of each file id its position in the manifest: the same, or nobody.
    pub(super) positions: Arc<[u32]>,
    pub(crate) n_chunks: u64,
    pub(crate) n_words: u64,
}

impl Catalogue {
    /// What to publish of a generation whose records are kept under `records`, in the order of its manifest. `name` takes
    /// the place of its root.
    pub(crate) fn encode(
        generation: &Generation,
        name: &str,
        records: &[RecordKey],
    ) -> Result<Vec<u8>> {
        let manifest = anonymous(&generation.manifest, name);
        let bug = |e: postcard::Error| Error::bug(e.to_string());
        let mut sections = vec![
            postcard::to_stdvec(&manifest).map_err(bug)?,
            postcard::to_stdvec(&manifest.reranker).map_err(bug)?,
            records.iter().flat_map(|key| key.to_le_bytes()).collect(),
        ];
        sections.extend(Statistics::count(generation)?);
        let mut bytes = Vec::new();
        for section in &sections {
            bytes.extend((section.len() as u64).to_le_bytes());
        }
        sections.iter().for_each(|section| bytes.extend_from_slice(section));
        Ok(pack(&bytes))
    }

    /// Opens what [`Catalogue::encode`] made.
    ///
    /// # Errors
    /// [`crate::ErrorKind::IndexFormat`] where it is of another format or damaged.
    pub(crate) fn decode(packed: &[u8]) -> Result<Catalogue> {
        Catalogue::read(packed).ok_or_else(damaged)
    }

    /// The same once its terms were walked through: what came from elsewhere has a hash that anybody can make.
    ///
    /// # Errors
    /// Those of [`Catalogue::decode`].
    pub(crate) fn checked(self) -> Result<Catalogue> {
        match self.statistics.is_sound() {
            true => Ok(self),
            false => Err(damaged()),
        }
    }

    fn read(packed: &[u8]) -> Option<Catalogue> {
        let bytes = OwnedBytes::new(unpack(packed)?);
        let sections = split(&bytes)?;
        let mut manifest: Manifest = postcard::from_bytes(&sections[0]).ok()?;
        manifest.reranker = postcard::from_bytes(&sections[1]).ok()?;
        let keys = sections[2].chunks_exact(size_of::<RecordKey>());
        let records: Vec<RecordKey> =
            keys.filter_map(|key| key.try_into().ok().map(RecordKey::from_le_bytes)).collect();
        let is_sorted = manifest.files.is_sorted_by(|a, b| a.path <= b.path);
        if records.len() != manifest.files.len()
            || !is_sorted
            || manifest.files.len() >= NOBODY as usize
        {
            return None;
        }
        let statistics = Statistics::open(sections[3..].to_vec())?;
        let positions = renumber(&mut manifest);
        let n_words = manifest.source_files().map(|(_, indexed)| indexed.n_words);
        let n_words = n_words.fold(0, u64::saturating_add);
        Some(Catalogue {
            n_chunks: manifest.n_chunks(),
            manifest: Arc::new(manifest),
            records,
            statistics: Arc::new(statistics),
            positions: positions.into(),
            n_words,
        })
    }
}

fn damaged() -> Error {
    Error::index_format("the published catalogue is damaged or of another version").with_hint(
        "publish the repository again with this version of wherein, at last with --rebuild",
    )
}

/// A manifest that says nothing of the machine that it was made on.
fn anonymous(manifest: &Manifest, name: &str) -> Manifest {
    let mut anonymous = manifest.clone();
    name.clone_into(&mut anonymous.root);
    anonymous.segments.clear();
    if let Some(set) = &mut anonymous.vectors {
        set.segments.clear();
    }
    for entry in &mut anonymous.files {
        entry.fingerprint = Fingerprint::unknown(entry.fingerprint.n_bytes);
        entry.path.raw = None;
    }
    anonymous
}

/// Each file's place in the table becomes its number, and that of its segment.
fn renumber(manifest: &mut Manifest) -> Vec<u32> {
    let mut positions = vec![NOBODY; manifest.files.len()];
    for (idx, (entry, position)) in manifest.files.iter_mut().zip(&mut positions).enumerate() {
        if let FileState::Indexed(indexed) = &mut entry.state {
            (indexed.file_id, indexed.segment_id) = (idx as u32, idx as u32);
            indexed.vector_id = indexed.vector_id.map(|_| 0);
            *position = idx as u32;
        }
    }
    manifest.next_file_id = manifest.files.len() as u32;
    (manifest.next_segment_id, manifest.next_vector_id) = (0, 0);
    positions
}

fn pack(bytes: &[u8]) -> Vec<u8> {
    let compressed = lz4_flex::compress_prepend_size(bytes);
    let mut packed = vec![CATALOGUE_FORMAT];
    packed.extend_from_slice(&content_hash(&compressed));
    packed.extend(compressed);
    packed
}

fn unpack(packed: &[u8]) -> Option<Vec<u8>> {
    let (format, rest) = packed.split_first()?;
    let (hash, rest) = rest.split_at_checked(HASH_BYTES)?;
    if *hash != content_hash(rest) {
        return None;
    }
    let length = u32::from_le_bytes(rest.get(..4)?.try_into().ok()?) as usize;
    let is_sound = *format == CATALOGUE_FORMAT && length <= MAX_BYTES && length / 255 <= rest.len();
    is_sound.then(|| lz4_flex::decompress_size_prepended(rest).ok()).flatten()
}

fn split(bytes: &OwnedBytes) -> Option<Vec<OwnedBytes>> {
    let n_sections = 3 + N_COUNTED;
    let mut at = 8 * n_sections;
    let mut sections = Vec::new();
    for length in bytes.get(..at)?.chunks_exact(8) {
        let length = usize::try_from(u64::from_le_bytes(length.try_into().ok()?)).ok()?;
        let end = at.checked_add(length).filter(|end| *end <= bytes.len())?;
        sections.push(bytes.slice(at..end));
        at = end;
    }
    (at == bytes.len()).then_some(sections)
}

//! The way back: a published repository becomes an index in a folder again, with its vectors, and nothing is embedded anew.
//!
//! The files are taken as they were published: the next refresh of a tree compares their hashes and reads no more than what
//! differs. Must not read a tree.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use super::ask::Remote;
use super::point::chunk_ids;
use crate::error::{Error, ErrorKind, Result};
use crate::request::Event;
use crate::store::{
    self, Catalogue, FileRecord, FileState, Identity, IndexDir, Manifest, SegmentBuilder,
    VectorBuilder, VectorEntry, VectorRow,
};

/// Files whose records are fetched at once.
const AT_ONCE: usize = 256;
/// A segment is closed when its builder uses this much memory.
const SEGMENT_MEMORY: usize = 80 << 20;

/// What is written where.
pub(crate) struct Restoration<'a> {
    pub(crate) dir: &'a IndexDir,
    /// The root that the index is of, as it is to be told.
    pub(crate) root: &'a str,
    pub(crate) identity: &'a Identity,
    pub(crate) repository: &'a str,
    pub(crate) progress: &'a (dyn Fn(Event) + Sync),
}

/// Writes the index of a published repository into an empty index folder and commits it; what it holds.
pub(crate) fn restore(remote: &Remote, job: &Restoration<'_>) -> Result<Manifest> {
    let (head, catalogue) = remote.last()?;
    check_model(remote, &catalogue)?;
    let mut writer = Writer::new(&catalogue, job);
    let with_record: Vec<usize> =
        (0..catalogue.records.len()).filter(|idx| catalogue.records[*idx] != 0).collect();
    for files in with_record.chunks(AT_ONCE) {
        let records = remote.records_of(&catalogue, files)?;
        for (file_idx, record) in files.iter().zip(records) {
            let record = record.ok_or_else(|| {
                Error::index_format(format!("{} lacks files that it names", job.repository))
                    .with_hint("publish it again, then move it back")
            })?;
            writer.add(remote, *file_idx, &record)?;
            (job.progress)(Event::Indexed { n_files: writer.n_files, n_bytes: writer.n_bytes });
        }
    }
    let mut manifest = writer.finish()?;
    // What somebody publishes meanwhile takes vectors away.
    if remote.last()?.0 != head {
        let message = format!("somebody has published {} meanwhile", job.repository);
        return Err(Error::new(ErrorKind::Busy, message).with_hint("run it again"));
    }
    manifest.generation = 1;
    store::commit(job.dir, &manifest)?;
    Ok(manifest)
}

/// Refuses a catalogue whose vectors are not those of its collection.
fn check_model(remote: &Remote, catalogue: &Catalogue) -> Result<()> {
    let guard = remote.collection().guard()?;
    let own = catalogue.manifest.vectors.as_ref().map(|set| &set.model);
    match own.is_none() || guard.is_some_and(|guard| guard.model.as_ref() == own) {
        true => Ok(()),
        false => Err(Error::index_format(format!(
            "the published catalogue of {} is of another model than its collection",
            remote.collection().name()
        ))
        .with_hint("publish the repository again")),
    }
}

/// Builds segments.
struct Writer<'a> {
    job: &'a Restoration<'a>,
    manifest: Manifest,
    /// The files whose chunks were embedded, by their place in the manifest.
    embedded: HashSet<usize>,
    segment: Option<SegmentBuilder>,
    vectors: Option<VectorBuilder>,
    n_files: u64,
    n_bytes: u64,
}

impl<'a> Writer<'a> {
    fn new(catalogue: &Arc<Catalogue>, job: &'a Restoration<'a>) -> Writer<'a> {
        let mut manifest = Manifest::clone(&catalogue.manifest);
        job.root.clone_into(&mut manifest.root);
        manifest.identity = job.identity.clone();
        let mut embedded = HashSet::new();
        for (file_idx, entry) in manifest.files.iter_mut().enumerate() {
            if let FileState::Indexed(indexed) = &mut entry.state {
                if indexed.vector_id.take().is_some() {
                    embedded.insert(file_idx);
                }
                indexed.segment_id = u32::MAX;
            }
        }
        Writer { job, manifest, embedded, segment: None, vectors: None, n_files: 0, n_bytes: 0 }
    }

    fn add(&mut self, remote: &Remote, file_idx: usize, record: &FileRecord) -> Result<()> {
        if record.n_chunks() == 0 {
            return Ok(());
        }
        let file_id = file_idx as u32;
        let table = record.symbols(file_id);
        let symbols = match table.file(file_id)? {
            Some(file) => table.symbols_of(&file)?,
            None => Vec::new(),
        };
        let builder = match &mut self.segment {
            Some(open) => open,
            None => self.segment.insert(SegmentBuilder::new()?),
        };
        builder.begin_file(file_id, symbols.iter())?;
        for chunk in record.chunk_records()? {
            builder.add(&chunk)?;
        }
        let is_full = builder.n_bytes_in_memory() > SEGMENT_MEMORY;
        let has_rows = self.manifest.vectors.is_some() && self.embedded.contains(&file_idx);
        if has_rows {
            self.add_vectors(remote, file_id, record)?;
        }
        if let Some(FileState::Indexed(indexed)) =
            self.manifest.files.get_mut(file_idx).map(|entry| &mut entry.state)
        {
            indexed.segment_id = self.manifest.next_segment_id;
            indexed.n_chunks = record.n_chunks();
            indexed.vector_id = has_rows.then_some(self.manifest.next_vector_id);
        }
        self.n_files += 1;
        self.n_bytes += record.about.n_bytes;
        if is_full { self.close() } else { Ok(()) }
    }

    /// The rows of a file's chunks: zeros for those that no model knew anything of.
    fn add_vectors(&mut self, remote: &Remote, file_id: u32, record: &FileRecord) -> Result<()> {
        let Some(set) = &self.manifest.vectors else { return Ok(()) };
        let lines = (0..record.n_chunks()).map(|doc| record.lines(doc));
        let ids = chunk_ids(self.job.repository, record);
        let known: HashMap<u128, Vec<f32>> = ids
            .iter()
            .copied()
            .zip(remote.collection().vectors(&ids)?)
            .filter_map(|(id, vector)| Some((id, vector?)))
            .collect();
        let dimensions = set.model.dimensions as usize;
        let builder = self.vectors.get_or_insert_with(|| VectorBuilder::new(set.encoding));
        let zeros = vec![0.0; dimensions];
        for (id, (start_line, end_line)) in ids.iter().zip(lines) {
            let vector = known.get(id).unwrap_or(&zeros);
            if vector.len() != dimensions {
                return Err(Error::index_format("a published vector has the wrong length"));
            }
            builder.add(VectorRow { file_id, start_line, end_line }, vector);
        }
        Ok(())
    }

    fn close(&mut self) -> Result<()> {
        if let Some(builder) = self.segment.take().filter(|builder| !builder.is_empty()) {
            let id = self.manifest.next_segment_id;
            self.manifest.segments.push(builder.finish(self.job.dir, id)?);
            self.manifest.next_segment_id += 1;
        }
        if let (Some(builder), Some(set)) = (self.vectors.take(), &mut self.manifest.vectors) {
            let entry: VectorEntry = builder.finish(self.job.dir, self.manifest.next_vector_id)?;
            set.segments.push(entry);
            self.manifest.next_vector_id += 1;
        }
        Ok(())
    }

    fn finish(mut self) -> Result<Manifest> {
        self.close()?;
        // Files whose record is missing or that were too odd to publish are read again by the next refresh.
        let is_whole = |state: &FileState| match state {
            FileState::Indexed(indexed) => indexed.segment_id != u32::MAX || indexed.n_chunks == 0,
            FileState::Skipped(_) => true,
        };
        self.manifest.files.retain(|entry| is_whole(&entry.state));
        Ok(self.manifest)
    }
}

//! The state of an index, counted for those who ask after it. Changes nothing.

use super::Engine;
use crate::embed::VectorCache;
use crate::error::Result;
use crate::ingest;
use crate::model::Kind;
use crate::request::Status;
use crate::search;
use crate::store::{self, IndexDir, Manifest};

impl Engine {
    /// The state of the index, compared with the tree.
    ///
    /// # Errors
    /// [`ErrorKind::IndexFormat`] for a damaged index, [`ErrorKind::Io`] when the root cannot be read.
    pub fn status(&self) -> Result<Status> {
        let manifest = match store::read(&self.dir)? {
            Some(manifest) => manifest,
            None => Manifest::empty(&self.scan.root, self.identity.clone()),
        };
        let n_reranker_vectors = self.n_reranker_vectors(&manifest);
        let compared =
            self.pools.refreshes()?.install(|| ingest::compare(&self.scan, &manifest))?;
        Ok(Status {
            root: self.scan.root.clone(),
            index_dir: self.dir.path().to_path_buf(),
            generation: manifest.generation,
            complete: manifest.complete,
            profile: manifest.identity.profile,
            n_files: manifest.source_files().count() as u64,
            n_bytes: manifest.source_files().map(|(entry, _)| entry.fingerprint.n_bytes).sum(),
            n_chunks: manifest.n_chunks(),
            n_vectors: manifest.n_vectors(),
            encoding: manifest.vectors.as_ref().map(|set| set.encoding).unwrap_or_default(),
            model: manifest.vectors.as_ref().map(|set| set.model.clone()),
            reranker: manifest.reranker.clone(),
            n_reranker_vectors,
            vector_bytes: self.dir.vector_bytes(),
            index_bytes: self.dir.n_bytes(),
            by_kind: by_kind(&manifest),
            by_language: by_language(&manifest),
            skipped: compared.skipped,
            stale: compared.is_stale || manifest.identity != self.identity,
            problems: compared.problems,
            fallbacks: fallbacks(&manifest),
        })
    }

    /// Chunks that have vectors of the re-ranker; none where there is no cache, which is not made for a look.
    fn n_reranker_vectors(&self, manifest: &Manifest) -> u64 {
        let base = self.options.cache_base.as_deref().unwrap_or(&self.scan.index_base);
        let path = IndexDir::vector_cache(base);
        let counted = manifest.reranker.as_ref().filter(|_| path.is_file()).and_then(|model| {
            let cache = VectorCache::open(&path).ok()?;
            search::count_touched(&cache, model, &self.scan.root, manifest).ok()
        });
        counted.unwrap_or(0)
    }
}

fn fallbacks(manifest: &Manifest) -> Vec<(String, u64)> {
    let mut counts = std::collections::BTreeMap::new();
    for why in manifest.source_files().filter_map(|(_, indexed)| indexed.fallback) {
        *counts.entry(why.to_string()).or_default() += 1;
    }
    counts.into_iter().collect()
}

fn by_kind(manifest: &Manifest) -> Vec<(Kind, u64)> {
    let count = |kind| manifest.source_files().filter(|(_, i)| i.kind == kind).count() as u64;
    Kind::ALL.into_iter().map(|kind| (kind, count(kind))).collect()
}

fn by_language(manifest: &Manifest) -> Vec<(String, u64)> {
    let mut counts = vec![0; manifest.languages.len()];
    for (_, indexed) in manifest.source_files() {
        if let Some(count) = counts.get_mut(usize::from(indexed.language)) {
            *count += 1;
        }
    }
    let mut named: Vec<(String, u64)> = manifest.languages.iter().cloned().zip(counts).collect();
    named.retain(|(_, count)| *count > 0);
    named.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    named
}

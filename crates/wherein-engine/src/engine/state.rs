//! The state of an index, counted for those who ask after it. Changes nothing.

use super::Engine;
use crate::embed::VectorCache;
use crate::error::Result;
use crate::ingest;
use crate::model::{Kind, Problem, SkipCounts};
use crate::request::{RefreshReport, Status};
use crate::search;
use crate::store::{self, IndexDir, Manifest};

impl Engine {
    /// The state of the index, compared with the tree.
    ///
    /// # Errors
    /// [`ErrorKind::IndexFormat`] for a damaged index, [`ErrorKind::Io`] when the root cannot be read.
    pub fn status(&self) -> Result<Status> {
        if let Some(remote) = &self.remote {
            return self.status_published(remote);
        }
        let manifest = self.manifest()?;
        let compared =
            self.pools.refreshes()?.install(|| ingest::compare(&self.scan, &manifest))?;
        let stale = compared.is_stale || manifest.identity != self.identity;
        Ok(self.state(&manifest, (compared.skipped, compared.problems), stale))
    }

    /// The state of the index as a refresh left it, without looking through the tree once more.
    ///
    /// # Errors
    /// [`ErrorKind::IndexFormat`] for a damaged index.
    pub fn status_after(&self, report: &RefreshReport) -> Result<Status> {
        if let Some(remote) = &self.remote {
            return self.status_published(remote);
        }
        let seen = (report.skipped.clone(), report.problems.clone());
        Ok(self.state(&self.manifest()?, seen, false))
    }

    fn manifest(&self) -> Result<Manifest> {
        let empty = || Manifest::empty(&self.scan.root, self.identity.clone());
        Ok(store::read(&self.dir)?.unwrap_or_else(empty))
    }

    /// What the manifest tells, with what a scan of the tree left out and found wrong.
    pub(super) fn state(
        &self,
        manifest: &Manifest,
        (skipped, problems): (SkipCounts, Vec<Problem>),
        stale: bool,
    ) -> Status {
        Status {
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
            n_reranker_vectors: self.n_reranker_vectors(manifest),
            vector_bytes: self.dir.vector_bytes(),
            index_bytes: self.dir.n_bytes(),
            by_kind: by_kind(manifest),
            by_language: by_language(manifest),
            skipped,
            stale,
            problems,
            fallbacks: fallbacks(manifest),
        }
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

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::request::EngineOptions;

    #[test]
    fn a_refresh_tells_what_another_look_at_the_tree_would() {
        let folder = tempfile::tempdir().expect("a folder");
        let root = folder.path().join("root");
        fs::create_dir(&root).expect("a folder");
        let large = "x".repeat(1_200_000);
        for (path, text) in
            [("a.rs", "fn a() {}\n"), (".env", "X=1\n"), ("b.bin", "\0\0"), ("big.js", &large)]
        {
            fs::write(root.join(path), text).expect("a file");
        }
        let engine =
            Engine::open(EngineOptions::new(root, folder.path().join("index"))).expect("open");
        let report = engine.refresh(&|_| ()).expect("a refresh");
        let (after, looked) =
            (engine.status_after(&report).expect("a state"), engine.status().expect("a state"));
        assert!(after.skipped.total() >= 3 && !after.problems.is_empty(), "{after:?}");
        assert_eq!(format!("{after:?}"), format!("{looked:?}"));
    }
}

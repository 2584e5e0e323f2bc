//! A collection in memory: what the others are compared with, and what tests need that have no server.
//!
//! It compares every vector, and scores as a Qdrant server does. Must not outlive its process.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::point::{ChunkPoint, Point, PointId};
use super::{CandidateFilter, CandidateQuestion, Candidates, Collection, FoundChunk, Guard, Head};
use crate::error::Result;
use crate::sparse::{idf, rrf};

/// Repositories in memory.
#[derive(Debug, Default)]
pub struct MemoryCollection {
    kept: Mutex<Kept>,
}

#[derive(Debug, Default)]
struct Kept {
    guard: Option<Guard>,
    heads: BTreeMap<String, Head>,
    chunks: BTreeMap<PointId, ChunkPoint>,
    blobs: HashMap<PointId, (String, u64, Vec<u8>)>,
}

impl MemoryCollection {
    /// An empty one.
    pub fn new() -> MemoryCollection {
        MemoryCollection::default()
    }

    fn lock(&self) -> MutexGuard<'_, Kept> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Collection for MemoryCollection {
    fn name(&self) -> String {
        "memory".to_owned()
    }

    fn guard(&self) -> Result<Option<Guard>> {
        Ok(self.lock().guard.clone())
    }

    fn create(&self, guard: &Guard) -> Result<()> {
        self.lock().guard.get_or_insert_with(|| guard.clone());
        Ok(())
    }

    fn heads(&self) -> Result<Vec<Head>> {
        Ok(self.lock().heads.values().cloned().collect())
    }

    fn n_repositories(&self) -> Result<u64> {
        Ok(self.lock().heads.len() as u64)
    }

    fn head(&self, repository: &str) -> Result<Option<Head>> {
        Ok(self.lock().heads.get(repository).cloned())
    }

    fn present(&self, repository: &str) -> Result<HashMap<PointId, u64>> {
        let kept = self.lock();
        let chunks = kept.chunks.values().filter(|chunk| chunk.repository == repository);
        let blobs = kept.blobs.iter().filter(|(_, (name, ..))| name == repository);
        let blobs = blobs.map(|(id, (_, digest, _))| (*id, *digest));
        Ok(chunks.map(|chunk| (chunk.id, chunk.digest)).chain(blobs).collect())
    }

    fn upsert(
        &self,
        points: &mut (dyn Iterator<Item = Point> + Send),
        done: &(dyn Fn(u64) + Sync),
    ) -> Result<u64> {
        let mut n_points = 0;
        for point in points {
            let mut kept = self.lock();
            match point {
                Point::Chunk(chunk) => drop(kept.chunks.insert(chunk.id, *chunk)),
                Point::Blob(blob) => {
                    let value = (blob.repository, blob.digest, blob.bytes);
                    drop(kept.blobs.insert(blob.id, value));
                }
            }
            n_points += 1;
            done(n_points);
        }
        Ok(n_points)
    }

    fn commit(&self, head: &Head) -> Result<()> {
        self.lock().heads.insert(head.repository.clone(), head.clone());
        Ok(())
    }

    fn delete(&self, _repository: &str, ids: &[PointId]) -> Result<()> {
        let mut kept = self.lock();
        for id in ids {
            kept.chunks.remove(id);
            kept.blobs.remove(id);
        }
        Ok(())
    }

    fn forget(&self, repository: &str) -> Result<()> {
        let mut kept = self.lock();
        kept.heads.remove(repository);
        kept.chunks.retain(|_, chunk| chunk.repository != repository);
        kept.blobs.retain(|_, (name, ..)| name != repository);
        Ok(())
    }

    fn candidates(&self, question: &CandidateQuestion) -> Result<Candidates> {
        let kept = self.lock();
        let by_words = kept.by_words(question);
        let by_meaning = kept.by_meaning(question);
        Ok(match question.fuse {
            None => Candidates { by_words, by_meaning, ..Candidates::default() },
            Some(k) => Candidates {
                fused: fuse(&[by_words, by_meaning], k, question.limit),
                ..Candidates::default()
            },
        })
    }

    fn blobs(&self, ids: &[PointId], _deadline: Option<Duration>) -> Result<Vec<Option<Vec<u8>>>> {
        let kept = self.lock();
        let find = |id: &PointId| kept.blobs.get(id).map(|(.., bytes)| bytes.clone());
        Ok(ids.iter().map(find).collect())
    }

    fn defining(
        &self,
        repository: &str,
        (name, tokens): (&str, &[String]),
        limit: usize,
    ) -> Result<Vec<String>> {
        let kept = self.lock();
        let mut places: Vec<(bool, &String)> = Vec::new();
        for chunk in kept.chunks.values().filter(|chunk| chunk.repository == repository) {
            let is_exact = chunk.names.iter().any(|known| known == name);
            if is_exact || chunk.name_tokens.iter().any(|token| tokens.contains(token)) {
                places.push((!is_exact, &chunk.path));
            }
        }
        places.sort_unstable();
        let mut seen = HashSet::new();
        let first = places.into_iter().filter(|(_, path)| seen.insert(*path)).take(limit);
        Ok(first.map(|(_, path)| path.clone()).collect())
    }

    fn vectors(&self, ids: &[PointId]) -> Result<Vec<Option<Vec<f32>>>> {
        let kept = self.lock();
        Ok(ids.iter().map(|id| kept.chunks.get(id)?.dense.clone()).collect())
    }
}

impl Kept {
    fn by_words(&self, question: &CandidateQuestion) -> Vec<FoundChunk> {
        let Some(asked) = &question.sparse else { return Vec::new() };
        let needs_idf = self.guard.as_ref().is_none_or(Guard::needs_idf);
        // Of the whole collection, whatever the filter.
        let with: Vec<&ChunkPoint> =
            self.chunks.values().filter(|chunk| !chunk.sparse.is_empty()).collect();
        let weights: HashMap<u32, f32> = asked
            .iter()
            .map(|(index, _)| {
                let has = |chunk: &&&ChunkPoint| chunk.sparse.indices.binary_search(&index).is_ok();
                let n = with.iter().filter(has).count();
                (index, if needs_idf { idf(with.len(), n) } else { 1.0 })
            })
            .collect();
        let scored = with.into_iter().filter(|chunk| fits(&question.filter, chunk)).map(|chunk| {
            let weight = |index| weights.get(&index).copied().unwrap_or(0.0);
            (asked.dot_by(&chunk.sparse, weight), chunk)
        });
        let mut found = best(scored.filter(|(score, _)| *score > 0.0).collect(), question.limit);
        if question.with_sparse {
            let by_place: HashMap<_, &ChunkPoint> = self
                .chunks
                .values()
                .map(|c| ((&*c.repository, &*c.path, c.start_line, c.end_line), c))
                .collect();
            for one in &mut found {
                let place = (&*one.repository, &*one.path, one.start_line, one.end_line);
                let vector = by_place.get(&place).map(|chunk| chunk.sparse.clone());
                one.sparse = vector;
            }
        }
        found
    }

    fn by_meaning(&self, question: &CandidateQuestion) -> Vec<FoundChunk> {
        let Some(asked) = &question.dense else { return Vec::new() };
        let allowed = self.chunks.values().filter(|chunk| fits(&question.filter, chunk));
        let scored = allowed.filter_map(|chunk| {
            let dense = chunk.dense.as_ref()?;
            Some((asked.iter().zip(dense).map(|(a, b)| a * b).sum(), chunk))
        });
        best(scored.collect(), question.limit)
    }
}

fn best(mut scored: Vec<(f32, &ChunkPoint)>, limit: usize) -> Vec<FoundChunk> {
    scored.sort_by(|(a, at), (b, bt)| {
        let place = (&at.path, at.start_line).cmp(&(&bt.path, bt.start_line));
        b.total_cmp(a).then(place)
    });
    scored.into_iter().take(limit).map(|(score, chunk)| found(score, chunk)).collect()
}

fn found(score: f32, chunk: &ChunkPoint) -> FoundChunk {
    FoundChunk {
        id: chunk.id,
        repository: chunk.repository.clone(),
        path: chunk.path.clone(),
        start_line: chunk.start_line,
        end_line: chunk.end_line,
        score,
        sparse: None,
    }
}

fn fuse(lists: &[Vec<FoundChunk>; 2], k: u32, limit: usize) -> Vec<FoundChunk> {
    let place = |found: &FoundChunk| {
        (found.repository.clone(), found.path.clone(), found.start_line, found.end_line)
    };
    let all: BTreeMap<_, &FoundChunk> =
        lists.iter().flatten().map(|found| (place(found), found)).collect();
    let numbers: HashMap<_, usize> = all.keys().zip(0..).collect();
    let all: Vec<&FoundChunk> = all.values().copied().collect();
    let number = |found: &FoundChunk| numbers.get(&place(found)).copied();
    let lists = lists.each_ref().map(|list| list.iter().filter_map(number).collect::<Vec<_>>());
    let fused = rrf(&lists.each_ref().map(Vec::as_slice), k as f32, &[]);
    let best = fused.into_iter().take(limit);
    best.map(|(at, score)| FoundChunk { score, ..all[at].clone() }).collect()
}

/// Whether a chunk may answer.
fn fits(filter: &CandidateFilter, chunk: &ChunkPoint) -> bool {
    let CandidateFilter { repositories, languages, kinds, symbol_kinds, folders, paths } = filter;
    let is_below = |folder: &String| {
        chunk.path.strip_prefix(folder.as_str()).is_some_and(|rest| rest.starts_with('/'))
    };
    let of = |names: &[String], own: &String| names.is_empty() || names.contains(own);
    let kinds_of_symbols: HashSet<_> = chunk.symbol_kinds.iter().collect();
    of(repositories, &chunk.repository)
        && of(languages, &chunk.language)
        && (kinds.is_empty() || kinds.contains(&chunk.kind))
        && (symbol_kinds.is_empty() || symbol_kinds.iter().any(|k| kinds_of_symbols.contains(k)))
        && ((folders.is_empty() && paths.is_empty())
            || folders.iter().any(is_below)
            || paths.contains(&chunk.path))
}

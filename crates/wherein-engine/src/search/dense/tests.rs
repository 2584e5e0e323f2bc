//! The exact scan against plain arithmetic, and its measurement over a million rows.

use std::path::Path;

use super::*;
use crate::crew::Pools;
use crate::embed::ModelIdentity;
use crate::model::{Kind, Profile, VectorEncoding};
use crate::store::{
    FileEntry, FileState, Identity, IndexDir, Indexed, Manifest, VectorBuilder, VectorRow,
    VectorSet,
};

/// Chunks of one file.
const PER_FILE: u32 = 10;

/// Splitmix64: the same numbers on every machine.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A unit vector; components are sums of four uniform numbers, so nearly normal.
    fn vector(&mut self, dimensions: usize) -> Vec<f32> {
        let mut component = || {
            let n = self.next();
            (0..4).map(|i| ((n >> (16 * i)) & 0xffff) as f32 / 32768.0 - 1.0).sum::<f32>()
        };
        let vector: Vec<f32> = (0..dimensions).map(|_| component()).collect();
        let length = vector.iter().map(|value| value * value).sum::<f32>().sqrt();
        vector.iter().map(|value| value / length).collect()
    }
}

fn model(dimensions: usize) -> ModelIdentity {
    ModelIdentity {
        name: "random".into(),
        weights_hash: String::new(),
        tokenizer_hash: String::new(),
        pooling: "mean".into(),
        question_prefix: String::new(),
        passage_prefix: String::new(),
        max_tokens: 1,
        dimensions: dimensions as u32,
        normalised: true,
    }
}

fn file(file_id: u32) -> FileEntry {
    let here = Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml");
    let indexed = Indexed {
        file_id,
        segment_id: 0,
        language: 0,
        kind: Kind::Source,
        n_chunks: PER_FILE,
        vector_id: Some(0),
        n_words: 1,
        fallback: None,
    };
    FileEntry {
        path: crate::scan::RelPath { text: format!("{file_id:08}"), raw: None },
        fingerprint: crate::scan::Fingerprint::of(&here.metadata().unwrap()),
        hash: [0; 16],
        state: FileState::Indexed(indexed),
    }
}

fn manifest(n_rows: usize, dimensions: usize, encoding: VectorEncoding) -> Manifest {
    let identity = Identity {
        profile: Profile::Lines,
        scan_version: 1,
        chunker_version: 1,
        syntax_version: 1,
        tokenizer_version: 1,
        include_sensitive: false,
        max_file_bytes: 1,
    };
    let mut manifest = Manifest::empty("/some/folder".as_ref(), identity);
    let n_files = (n_rows as u32).div_ceil(PER_FILE);
    manifest.files = (0..n_files).map(file).collect();
    manifest.next_file_id = n_files;
    let model = model(dimensions);
    manifest.vectors = Some(VectorSet { model, encoding, segments: Vec::new() });
    manifest
}

/// A generation of random vectors without keyword segments.
fn generation(
    dir: &IndexDir,
    n_rows: usize,
    dimensions: usize,
    encoding: VectorEncoding,
) -> Generation {
    dir.create().unwrap();
    let mut manifest = manifest(n_rows, dimensions, encoding);
    let mut random = Random(7);
    let mut builder = VectorBuilder::new(encoding);
    for i in 0..n_rows as u32 {
        let (file_id, start_line) = (i / PER_FILE, i % PER_FILE * 9 + 1);
        let row = VectorRow { file_id, start_line, end_line: start_line + 9 };
        builder.add(row, &random.vector(dimensions));
    }
    let entry = builder.finish(dir, 0).unwrap();
    manifest.vectors.as_mut().unwrap().segments.push(entry);
    crate::store::commit(dir, &manifest).unwrap();
    Generation::open(dir).unwrap().unwrap()
}

fn top(generation: &Generation, question: &[f32], n: usize) -> Vec<(u32, u32)> {
    let found =
        retrieve((generation, &Pools::new(None).crew()), question, &|_, _, _| true, n).unwrap();
    found.iter().take(n).map(|c| (c.file_idx, c.start_line)).collect()
}

#[test]
fn the_scan_equals_plain_arithmetic() {
    for (encoding, tolerance) in [(VectorEncoding::F32, 1e-6), (VectorEncoding::Int8, 5e-3)] {
        let folder = tempfile::tempdir().unwrap();
        let dir = IndexDir::of(folder.path(), "/r".as_ref());
        // 67 dimensions: lanes and a rest; 9,000 rows: three runs.
        let generation = generation(&dir, 9_000, 67, encoding);
        let question = Random(99).vector(67);
        let mut random = Random(7);
        let mut plain: Vec<(f32, u32)> = (0..9_000)
            .map(|i| (random.vector(67).iter().zip(&question).map(|(a, b)| a * b).sum(), i))
            .collect();
        plain.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        let found =
            retrieve((&generation, &Pools::new(None).crew()), &question, &|_, _, _| true, 10)
                .unwrap();
        assert_eq!(found.len(), DEPTH);
        for (candidate, (score, _)) in found.iter().zip(&plain) {
            assert!((candidate.score - score).abs() < tolerance, "{} {score}", candidate.score);
        }
        if encoding == VectorEncoding::F32 {
            let wanted: Vec<(u32, u32)> =
                plain.iter().take(10).map(|(_, i)| (i / PER_FILE, i % PER_FILE * 9 + 1)).collect();
            assert_eq!(top(&generation, &question, 10), wanted);
        }
    }
}

#[test]
fn int8_finds_what_f32_finds() {
    let (exact, small) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let open = |folder: &tempfile::TempDir, encoding| {
        generation(&IndexDir::of(folder.path(), "/r".as_ref()), 5_000, 384, encoding)
    };
    let exact = open(&exact, VectorEncoding::F32);
    let small = open(&small, VectorEncoding::Int8);
    let mut random = Random(1234);
    let mut n_same = 0;
    for _ in 0..100 {
        let question = random.vector(384);
        let wanted = top(&exact, &question, 10);
        n_same += top(&small, &question, 10).iter().filter(|found| wanted.contains(found)).count();
    }
    // Random vectors lie closer to one another than those of texts do, so this is the harder test.
    assert!(n_same >= 980, "{n_same} of 1,000");
}

#[test]
fn what_does_not_count_is_not_scanned() {
    let folder = tempfile::tempdir().unwrap();
    let dir = IndexDir::of(folder.path(), "/r".as_ref());
    let generation = generation(&dir, 100, 16, VectorEncoding::Int8);
    let question = Random(5).vector(16);
    let only = |file: usize, start: u32, _| file == 3 && start > 9;
    let found = retrieve((&generation, &Pools::new(None).crew()), &question, &only, 1).unwrap();
    assert!(found.len() == 9 && found.iter().all(|c| c.file_idx == 3 && c.start_line > 9));
    // A file that was changed since has its rows elsewhere, or none.
    let mut manifest = std::sync::Arc::unwrap_or_clone(generation.manifest);
    if let FileState::Indexed(indexed) = &mut manifest.files[3].state {
        indexed.vector_id = None;
    }
    let generation = Generation::of(&dir, manifest).unwrap();
    assert!(
        retrieve((&generation, &Pools::new(None).crew()), &question, &only, 1).unwrap().is_empty()
    );
}

/// One question over `WHEREIN_BENCH_ROWS` rows (a million) of 384 bytes. With `WHEREIN_BENCH_DIR` the rows of an
/// earlier run are scanned, so that what it takes to make them does not count as memory of the scan.
#[test]
#[ignore = "a measurement: cargo test --release -p wherein-engine scan_of_a_million -- --ignored --nocapture"]
fn scan_of_a_million() {
    let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse().ok());
    let n_rows = number("WHEREIN_BENCH_ROWS").unwrap_or(1_000_000);
    let own = tempfile::tempdir().unwrap();
    let kept = std::env::var_os("WHEREIN_BENCH_DIR").map(std::path::PathBuf::from);
    let dir = IndexDir::of(kept.as_deref().unwrap_or(own.path()), "/r".as_ref());
    let generation = match Generation::open(&dir).unwrap() {
        Some(generation) => generation,
        None => generation(&dir, n_rows, 384, VectorEncoding::Int8),
    };
    let mut random = Random(77);
    let mut times = Vec::new();
    for _ in 0..21 {
        let question = random.vector(384);
        let started = std::time::Instant::now();
        assert_eq!(
            retrieve((&generation, &Pools::new(None).crew()), &question, &|_, _, _| true, 10)
                .unwrap()
                .len(),
            DEPTH
        );
        times.push(started.elapsed().as_secs_f64() * 1e3);
    }
    let first = times[0];
    times.sort_by(f64::total_cmp);
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let rss = status.lines().find(|line| line.starts_with("VmRSS")).unwrap_or("VmRSS: unknown");
    println!("{n_rows} x 384 int8: first {first:.1} ms, median {:.1} ms, {rss}", times[10]);
}

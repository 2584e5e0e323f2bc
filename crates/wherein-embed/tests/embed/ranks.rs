//! The engine with the real all-MiniLM-L6-v2 against onnxruntime and brute force, on psf/requests 2.32.3.
//!
//! Needs `WHEREIN_TEST_MINILM` and `WHEREIN_TEST_REQUESTS_SDIST`, which `cargo xtask test` sets, or
//! `WHEREIN_TEST_REQUESTS_GIT` for the tree of the published measurement.

use std::path::Path;
use std::sync::Arc;

use crate::common::{load, reference};
use wherein_embed::Overrides;
use wherein_engine::{Engine, EngineOptions, Mode, SearchRequest, VectorEncoding};

#[derive(serde::Deserialize)]
struct Reference {
    n_chunks: u64,
    questions: Vec<Question>,
}

#[derive(serde::Deserialize)]
struct Question {
    question: String,
    answer: Answer,
    rank: usize,
    first: Vec<First>,
}

#[derive(serde::Deserialize)]
struct Answer {
    path: String,
    start: u32,
}

#[derive(serde::Deserialize, Debug, PartialEq)]
struct First {
    path: String,
    start: u32,
    end: u32,
    score: f32,
}

fn folder(variable: &str) -> Option<std::path::PathBuf> {
    let folder = std::env::var_os(variable).map(Into::into);
    if folder.is_none() {
        println!("SKIPPED: no {variable}");
    }
    folder
}

/// Every question of the reference has the rank and the first ten places that brute force gave.
fn check(tree: &Path, expected: &Reference, encoding: VectorEncoding, base: &Path) {
    let Some(model) = folder("WHEREIN_TEST_MINILM") else { return };
    let model = load(&model, &Overrides::default()).unwrap();
    let engine = Engine::open(EngineOptions {
        embedder: Some(Arc::new(model)),
        encoding: Some(encoding),
        ..EngineOptions::new(tree, base)
    })
    .unwrap();
    let report = engine.refresh(&|_| ()).unwrap();
    assert_eq!((report.n_chunks, report.n_vectors), (expected.n_chunks, expected.n_chunks));
    for question in &expected.questions {
        let request = SearchRequest {
            mode: Mode::Semantic,
            limit: Some(expected.n_chunks as usize),
            snippets: false,
            ..SearchRequest::new(&question.question)
        };
        let hits = engine.search(&request).unwrap().hits;
        assert_eq!(hits.len() as u64, expected.n_chunks);
        let holds = |hit: &wherein_engine::Hit| {
            hit.path == question.answer.path
                && (hit.start_line..=hit.end_line).contains(&question.answer.start)
        };
        let rank = hits.iter().position(holds).unwrap() + 1;
        assert_eq!(rank, question.rank, "{}, {}", question.question, encoding.as_str());
        if encoding == VectorEncoding::F32 {
            for (hit, first) in hits.iter().zip(&question.first) {
                assert_eq!(
                    (&hit.path, hit.start_line, hit.end_line),
                    (&first.path, first.start, first.end)
                );
                assert!((hit.score - first.score).abs() < 1e-4);
            }
        }
    }
}

fn check_both(tree: &Path, name: &str) {
    let expected: Reference = reference(name);
    let base = tempfile::tempdir().unwrap();
    check(tree, &expected, VectorEncoding::F32, base.path());
    // The second index takes its vectors from the cache.
    check(tree, &expected, VectorEncoding::Int8, base.path());
}

#[test]
fn ranks_of_the_source_archive_are_those_of_brute_force() {
    let Some(tree) = folder("WHEREIN_TEST_REQUESTS_SDIST") else { return };
    check_both(&tree, "minilm_ranks_sdist.json");
}

#[test]
fn ranks_of_the_git_tree_are_those_of_brute_force() {
    let Some(tree) = folder("WHEREIN_TEST_REQUESTS_GIT") else { return };
    check_both(&tree, "minilm_ranks.json");
}

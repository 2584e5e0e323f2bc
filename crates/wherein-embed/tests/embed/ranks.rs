//! The engine with the real all-MiniLM-L6-v2 against onnxruntime and brute force, on psf/requests 2.32.3.
//!
//! Needs `WHEREIN_TEST_MINILM` and `WHEREIN_TEST_REQUESTS_SDIST`, which `cargo xtask test` sets, or
//! `WHEREIN_TEST_REQUESTS_GIT` for the tree of the published measurement.

use std::path::Path;
use std::sync::Arc;

use crate::common::{load, reference};
use wherein_embed::Overrides;
use wherein_engine::{Engine, EngineOptions, Hit, Mode, Profile, SearchRequest, VectorEncoding};

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

fn open(tree: &Path, encoding: VectorEncoding, base: &Path, model: &Path) -> Engine {
    // The reference ranks are those of chunks of lines.
    let options = EngineOptions {
        profile: Profile::Lines,
        embedder: Some(Arc::new(load(model, &Overrides::default()).unwrap())),
        encoding: Some(encoding),
        ..EngineOptions::new(tree, base)
    };
    Engine::open(options).unwrap()
}

fn ask(engine: &Engine, question: &Question, limit: usize) -> Vec<Hit> {
    let request = SearchRequest {
        mode: Mode::Semantic,
        limit: Some(limit),
        snippets: false,
        ..SearchRequest::new(&question.question)
    };
    engine.search(&request).unwrap().hits
}

/// Every question has the rank and the first ten places that brute force gave.
fn check_exact(engine: &Engine, expected: &Reference) {
    let report = engine.refresh(&|_| ()).unwrap();
    assert_eq!((report.n_chunks, report.n_vectors), (expected.n_chunks, expected.n_chunks));
    for question in &expected.questions {
        let hits = ask(engine, question, expected.n_chunks as usize);
        assert_eq!(hits.len() as u64, expected.n_chunks);
        let holds = |hit: &Hit| {
            hit.path == question.answer.path
                && (hit.start_line..=hit.end_line).contains(&question.answer.start)
        };
        let rank = hits.iter().position(holds).unwrap() + 1;
        assert_eq!(rank, question.rank, "{}", question.question);
        for (hit, first) in hits.iter().zip(&question.first) {
            assert_eq!(place(hit), (first.path.as_str(), first.start, first.end));
            assert!((hit.score - first.score).abs() < 1e-4, "{} {}", hit.score, first.score);
        }
    }
}

/// Of the first ten places of all questions, at most one in a hundred is another.
fn check_rounded(engine: &Engine, expected: &Reference) {
    let report = engine.refresh(&|_| ()).unwrap();
    assert_eq!((report.embedded, report.n_vectors), (0, expected.n_chunks), "all from the cache");
    let (mut n_same, mut n_all) = (0, 0);
    for question in &expected.questions {
        for hit in ask(engine, question, 10) {
            let is_there =
                |first: &First| place(&hit) == (first.path.as_str(), first.start, first.end);
            n_same += usize::from(question.first.iter().any(is_there));
            n_all += 1;
        }
    }
    println!("int8 agrees on {n_same} of {n_all} of the first ten");
    assert!(n_same * 100 >= n_all * 99, "{n_same} of {n_all}");
}

fn place(hit: &Hit) -> (&str, u32, u32) {
    (&hit.path, hit.start_line, hit.end_line)
}

fn check_both(tree: &Path, name: &str) {
    let Some(model) = folder("WHEREIN_TEST_MINILM") else { return };
    let expected: Reference = reference(name);
    let base = tempfile::tempdir().unwrap();
    check_exact(&open(tree, VectorEncoding::F32, base.path(), &model), &expected);
    check_rounded(&open(tree, VectorEncoding::Int8, base.path(), &model), &expected);
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

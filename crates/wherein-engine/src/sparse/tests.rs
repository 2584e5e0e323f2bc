//! The encoder held to vectors of the original library, and the server's formulas to scores of a real server.

use std::collections::HashMap;
use std::path::Path;

use proptest::prelude::*;
use serde::Deserialize;
use serde::de::DeserializeOwned;

use super::*;
use crate::embed::{Role, SparseEmbedder};

/// A file of `tests/data/sparse`.
fn reference<T: DeserializeOwned>(name: &str) -> T {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/sparse").join(name);
    serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap()
}

#[derive(Deserialize)]
struct Bm25Reference {
    cases: Vec<Case>,
}

#[derive(Deserialize)]
struct Case {
    text: String,
    preprocessed: bool,
    input: String,
    passage: Expected,
    query: Expected,
}

#[derive(Deserialize)]
struct Expected {
    indices: Vec<u32>,
    values: Vec<f64>,
}

fn check(vector: &SparseVector, expected: &Expected, text: &str) {
    assert_eq!(vector.indices, expected.indices, "{text:?}");
    assert_eq!(vector.values.len(), expected.values.len(), "{text:?}");
    for (value, wanted) in vector.values.iter().zip(&expected.values) {
        assert!((f64::from(*value) - wanted).abs() < 1e-6, "{value} for {wanted}: {text:?}");
    }
}

#[test]
fn vectors_equal_those_of_fastembed() {
    let reference: Bm25Reference = reference("bm25_reference.json");
    assert_eq!(reference.cases.len(), 120);
    let bm25 = Bm25::default();
    for case in &reference.cases {
        check(&bm25.passage(&case.input), &case.passage, &case.input);
        check(&bm25.question(&case.input), &case.query, &case.input);
    }
}

#[test]
fn identifiers_are_taken_apart_as_in_the_original() {
    let reference: Bm25Reference = reference("bm25_reference.json");
    let cases: Vec<&Case> = reference.cases.iter().filter(|case| case.preprocessed).collect();
    assert_eq!(cases.len(), 60);
    for case in cases {
        assert_eq!(split_code_identifiers(&case.text), case.input);
        let embed = |role| Semcode::default().embed(role, &[&case.text]).unwrap().remove(0);
        check(&embed(Role::Passage), &case.passage, &case.text);
        check(&embed(Role::Question), &case.query, &case.text);
    }
}

#[test]
fn terms_have_the_published_hashes() {
    // The vectors of the hash's author (SMHasher) with seed 0, and the ends of the range of indices.
    for (term, hash) in [
        ("", 0u32),
        ("test", 0xba6b_d213),
        ("Hello, world!", 0xc036_3e43),
        ("The quick brown fox jumps over the lazy dog", 0x2e4f_f723),
    ] {
        assert_eq!(index_of(term), (hash as i32).unsigned_abs(), "{term}");
    }
    assert_eq!(index_of("akqlrggi"), 2_147_483_648);
    assert_eq!((index_of("ajrfjpbr"), index_of("acrpjlqv")), (0, index_of("qdrant")));
}

#[derive(Deserialize)]
struct ServerReference {
    #[serde(rename = "idf_N")]
    n_points: usize,
    points: Vec<Point>,
    idf_queries: Vec<Asked>,
    rrf: Vec<Fused>,
}

#[derive(Deserialize)]
struct Point {
    id: u64,
    vector: PointVectors,
}

#[derive(Deserialize)]
struct PointVectors {
    #[serde(rename = "text-sparse")]
    sparse: SparseVector,
}

#[derive(Deserialize)]
struct Asked {
    query: SparseVector,
    results: Vec<Scored>,
}

#[derive(Deserialize)]
struct Scored {
    id: u64,
    score: f32,
}

#[derive(Deserialize)]
struct Fused {
    name: String,
    prefetch_sparse: Vec<Scored>,
    prefetch_dense: Vec<Scored>,
    results: Vec<Scored>,
    k: f32,
    weights: Vec<f32>,
}

/// Every score of `results` equals ours, and no other point has one.
fn check_scores(ours: &HashMap<u64, f32>, results: &[Scored], what: &str) {
    assert_eq!(ours.len(), results.len(), "{what}");
    for Scored { id, score } in results {
        let far = (ours[id] - score).abs() / score.abs();
        assert!(far < 1e-6, "{} for {score}: point {id} of {what}", ours[id]);
    }
}

#[test]
fn scores_equal_those_of_a_server() {
    let reference: ServerReference = reference("qdrant_idf_reference.json");
    let points = &reference.points;
    let n_filled = points.iter().filter(|point| !point.vector.sparse.is_empty()).count();
    assert_eq!((n_filled, reference.idf_queries.len()), (reference.n_points, 51));
    let df = |index: u32| {
        let has = |point: &&Point| point.vector.sparse.indices.binary_search(&index).is_ok();
        points.iter().filter(has).count()
    };
    for Asked { query, results } in &reference.idf_queries {
        let score = |point: &Point| {
            let passage = &point.vector.sparse;
            (point.id, query.dot_by(passage, |index| idf(n_filled, df(index))))
        };
        let ours = points.iter().map(score).filter(|(_, score)| *score > 0.0).collect();
        check_scores(&ours, results, &format!("{query:?}"));
    }
}

#[test]
fn fused_lists_equal_those_of_a_server() {
    let reference: ServerReference = reference("qdrant_idf_reference.json");
    assert_eq!(reference.rrf.len(), 5);
    for case in &reference.rrf {
        let ids = |list: &[Scored]| list.iter().map(|row| row.id).collect::<Vec<u64>>();
        let (sparse, dense) = (ids(&case.prefetch_sparse), ids(&case.prefetch_dense));
        let fused = rrf(&[&sparse, &dense], case.k, &case.weights);
        assert!(fused.is_sorted_by(|left, right| left.1 >= right.1), "{}", case.name);
        check_scores(&fused.into_iter().collect(), &case.results, &case.name);
    }
}

#[test]
fn a_list_of_no_weight_adds_nothing_and_ties_go_by_id() {
    assert_eq!(rrf(&[&[3, 1], &[2, 1]], 2.0, &[1.0, 0.0]), [(3, 0.5), (1, 1.0 / 3.0), (2, 0.0)]);
    assert_eq!(rrf(&[&["b"], &["a"]], 2.0, &[]), [("a", 0.5), ("b", 0.5)]);
}

proptest! {
    #[test]
    fn any_text_has_an_ordered_vector(text in "\\PC{0,40}|[\\x00-\\x7f]{0,80}|[a-z' ]{0,80}") {
        let bm25 = Bm25::default();
        let (passage, question) = (bm25.passage(&text), bm25.question(&text));
        prop_assert!(passage.indices.is_sorted_by(|left, right| left < right));
        prop_assert_eq!(&passage.indices, &question.indices);
        prop_assert_eq!(passage.len(), passage.values.len());
        prop_assert!(passage.values.iter().all(|value| *value > 0.0 && value.is_finite()));
        prop_assert!(question.values.iter().all(|value| *value == 1.0));
    }
}

//! Vectors through the public API: modes, filters, what is embedded again and what is not.

use std::sync::Arc;

use wherein_engine::{
    Engine, EngineOptions, ErrorKind, Fusion, FusionMethod, Hit, Mode, SearchRequest,
    VectorEncoding,
};

use crate::double::HashingEmbedder;
use crate::fixture::{Tree, ask, keyword, printed, refresh, within};

/// Files whose words are nothing like one another's.
pub(crate) const SOUNDS: &str = "
    //- src/birds.rs
    // the heron waits in the reeds
    fn heron() { wait(reeds) }
    //- src/boats.rs
    // the ferry crosses the river
    fn ferry() { cross(river) }
    //- tests/birds.rs
    // heron, heron, heron: the test waits
    fn heron_test() { heron() }
    //- docs/guide.md
    The heron waits for the ferry in the reeds of the river.
    ";

pub(crate) fn semantic(text: &str) -> SearchRequest {
    SearchRequest { mode: Mode::Semantic, ..SearchRequest::new(text) }
}

pub(crate) fn with_model(tree: &Tree, model: &Arc<HashingEmbedder>) -> EngineOptions {
    EngineOptions { embedder: Some(model.clone()), ..tree.options() }
}

pub(crate) fn engine(tree: &Tree, model: &Arc<HashingEmbedder>) -> Engine {
    Engine::open(with_model(tree, model)).unwrap()
}

fn double() -> Arc<HashingEmbedder> {
    Arc::new(HashingEmbedder::new("double"))
}

/// Twenty files of five chunks each.
fn long_tree() -> Tree {
    let tree = Tree::new("");
    for i in 0..20 {
        let lines = (0..300).map(|j| format!("let value_{i}_{j} = compute_{j}(header_{i});\n"));
        tree.write(format!("src/mod{i:02}.rs"), lines.collect::<String>());
    }
    tree
}

#[test]
fn a_question_is_answered_by_meaning() {
    let tree = Tree::new(SOUNDS);
    let answer = ask(&engine(&tree, &double()), &semantic("ferry crosses river"));
    assert_eq!(answer.mode, Mode::Semantic);
    assert_eq!(answer.model.as_deref(), Some("double"));
    assert_eq!(answer.hits[0].path, "src/boats.rs");
    let parts = &answer.hits[0].parts;
    assert_eq!((parts.dense_rank, parts.lexical_rank), (Some(1), None));
    assert_eq!(parts.dense, Some(answer.hits[0].score));
    assert_eq!(answer.hits.len(), 4, "every chunk has a cosine");
    assert!(!answer.hits[0].snippet.is_empty());
}

#[test]
fn hybrid_is_the_default_and_keeps_the_parts_of_both() {
    let tree = Tree::new(SOUNDS);
    let answer = ask(&engine(&tree, &double()), &SearchRequest::new("heron waits"));
    assert_eq!(answer.mode, Mode::Hybrid);
    let first = &answer.hits[0];
    assert!(first.parts.lexical_rank.is_some() && first.parts.dense_rank.is_some());
    assert!(answer.degraded.is_empty());
}

#[test]
fn without_a_model_hybrid_is_keyword_and_says_so() {
    let tree = Tree::new(SOUNDS);
    let engine = tree.engine();
    let answer = ask(&engine, &SearchRequest::new("heron waits"));
    assert_eq!((answer.mode, answer.model), (Mode::Keyword, None));
    assert_eq!(answer.degraded.len(), 1, "{:?}", answer.degraded);
    let by_words = ask(&engine, &keyword("heron waits"));
    assert_eq!(printed(&answer.hits), printed(&by_words.hits));
    assert!(by_words.degraded.is_empty(), "who asks for words misses nothing");
    let error = engine.search(&semantic("heron")).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Model);
    assert!(error.hint().unwrap().contains("wherein model list"));
}

#[test]
fn filters_hold_before_the_cut() {
    let tree = Tree::new(SOUNDS);
    for i in 0..1200 {
        tree.write(format!("many/heron{i}.rs"), "// the heron waits in the reeds\n");
    }
    let engine = engine(&tree, &double());
    for mode in [Mode::Semantic, Mode::Hybrid] {
        let request = SearchRequest { mode, ..SearchRequest::new("the heron waits in the reeds") };
        let answer = ask(&engine, &within(request, &["src/boats.rs"]));
        assert_eq!(printed(&answer.hits), ["src/boats.rs:1-2"], "{}", mode.as_str());
    }
}

#[test]
fn a_quoted_literal_binds_every_mode() {
    let tree = Tree::new(SOUNDS);
    let engine = engine(&tree, &double());
    for mode in [Mode::Semantic, Mode::Hybrid] {
        let request =
            SearchRequest { mode, ..SearchRequest::new("waiting birds \"cross(river)\"") };
        assert_eq!(printed(&ask(&engine, &request).hits), ["src/boats.rs:1-2"]);
    }
}

#[test]
fn fusion_is_settable() {
    let tree = Tree::new(SOUNDS);
    let engine = engine(&tree, &double());
    let asked = |fusion: Fusion| {
        let request =
            SearchRequest { fusion: Some(fusion), ..SearchRequest::new("heron waits reeds") };
        ask(&engine, &request).hits
    };
    let scores = |hits: &[Hit]| hits.iter().map(|hit| hit.score).collect::<Vec<_>>();
    let rrf = Fusion { method: FusionMethod::Rrf, ..Fusion::default() };
    let minmax = Fusion { method: FusionMethod::MinMax, ..rrf };
    assert_ne!(scores(&asked(rrf)), scores(&asked(minmax)));
    // The last of the keyword list is worth 0, as is what only the other list has.
    let words_only = asked(Fusion { semantic_weight: 0.0, depth: 100, ..minmax });
    let plain = SearchRequest { fusion: Some(minmax), ..keyword("heron waits reeds") };
    let by_words = ask(&engine, &plain).hits;
    let n = by_words.len() - 1;
    assert_eq!(printed(&words_only)[..n], printed(&by_words)[..n]);
}

#[test]
fn only_what_changed_is_embedded_again() {
    let tree = long_tree();
    let model = double();
    let first = refresh(&engine(&tree, &model));
    assert_eq!((first.embedded, first.n_vectors), (first.n_chunks, first.n_chunks));
    assert_eq!(refresh(&engine(&tree, &model)).embedded, 0);
    let path = tree.path("src/mod07.rs");
    let text = std::fs::read_to_string(&path).unwrap().replacen("compute_150(", "compare_150(", 1);
    tree.write("src/mod07.rs", text);
    let edited = refresh(&engine(&tree, &model));
    assert!((1..=3).contains(&edited.embedded), "{} embedded", edited.embedded);
    assert_eq!(edited.n_vectors, edited.n_chunks);
}

#[test]
fn an_updated_index_answers_like_a_fresh_one() {
    let tree = long_tree();
    let model = double();
    refresh(&engine(&tree, &model));
    for i in 0..14 {
        tree.write(format!("src/mod{i:02}.rs"), format!("fn changed_{i}() {{ header_3() }}\n"));
        refresh(&engine(&tree, &model));
    }
    tree.remove("src/mod19.rs");
    let updated = ask(&engine(&tree, &model), &semantic("compute header_3 value")).hits;
    let base = tempfile::tempdir().unwrap();
    let fresh = EngineOptions { index_base: base.path().into(), ..with_model(&tree, &model) };
    let fresh = ask(&Engine::open(fresh).unwrap(), &semantic("compute header_3 value")).hits;
    let both = |hits: &[Hit]| hits.iter().map(|h| h.score).collect::<Vec<_>>();
    assert_eq!(printed(&updated), printed(&fresh));
    assert_eq!(both(&updated), both(&fresh));
}

#[test]
fn one_thread_answers_like_many() {
    let tree = long_tree();
    let model = double();
    let answers = [1, 4].map(|n| {
        let base = tempfile::tempdir().unwrap();
        let options = EngineOptions {
            threads: Some(n),
            index_base: base.path().into(),
            ..with_model(&tree, &model)
        };
        let hits =
            ask(&Engine::open(options).unwrap(), &SearchRequest::new("value_3_7 header")).hits;
        hits.iter().map(|h| (h.path.clone(), h.start_line, h.score)).collect::<Vec<_>>()
    });
    assert_eq!(answers[0], answers[1]);
}

#[test]
fn encodings_agree_and_may_be_changed() {
    let tree = long_tree();
    let model = double();
    let open =
        |encoding| Engine::open(EngineOptions { encoding, ..with_model(&tree, &model) }).unwrap();
    let request = SearchRequest { limit: Some(5), ..semantic("compute_17 header_4") };
    let exact = ask(&open(Some(VectorEncoding::F32)), &request);
    let n_bytes = tree.engine().status().unwrap().vector_bytes;
    let kept = open(None);
    assert_eq!(refresh(&kept).cached, 0, "what is not asked for is not changed");
    assert_eq!(kept.status().unwrap().encoding, VectorEncoding::F32);
    let small = open(Some(VectorEncoding::Int8));
    let report = refresh(&small);
    assert_eq!((report.embedded, report.cached), (0, report.n_chunks));
    assert!(small.status().unwrap().vector_bytes < n_bytes / 2);
    let rounded = ask(&small, &request);
    for (a, b) in exact.hits.iter().zip(&rounded.hits) {
        assert!((a.score - b.score).abs() < 0.01, "{} and {}", a.score, b.score);
    }
}

#[test]
fn worktrees_share_vectors() {
    // C21: the second tree has the same paths and texts, and so the same vectors.
    let (a, b) = (long_tree(), long_tree());
    let model = double();
    let base = a.outside().join("index");
    let first = refresh(&engine(&a, &model));
    let other = EngineOptions { index_base: base, ..with_model(&b, &model) };
    let second = refresh(&Engine::open(other).unwrap());
    assert_eq!((second.embedded, second.cached), (0, first.n_chunks));
}

#[test]
fn an_empty_tree_and_empty_files_are_no_trouble() {
    let tree = Tree::new("");
    let model = double();
    assert!(ask(&engine(&tree, &model), &semantic("anything")).hits.is_empty());
    tree.write("empty.py", "");
    tree.write("white.py", "\n\n   \n");
    assert!(ask(&engine(&tree, &model), &SearchRequest::new("anything")).hits.is_empty());
    assert_eq!(model.n_passages(), 0);
}

#[test]
fn batches_keep_to_the_token_budget() {
    let tree = long_tree();
    let model = double();
    refresh(&engine(&tree, &model));
    let batches = model.batches.lock().unwrap();
    assert!(batches.iter().all(|(n_tokens, n)| *n == 1 || *n_tokens <= 512), "{batches:?}");
    assert!(batches.len() < model.n_passages(), "{batches:?}");
}

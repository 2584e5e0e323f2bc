//! Models that embed only what questions touch: what is embedded when, what is kept, and that no answer depends on it.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use wherein_engine::{
    Answer, Embedder, Engine, EngineOptions, ErrorKind, Mode, Reranked, SearchRequest, Touched,
};

use crate::double::{Fault, HashingEmbedder};
use crate::fixture::{Tree, ask, keyword, printed, refresh};
use crate::meaning::{SOUNDS, semantic};
use crate::table;

fn double() -> Arc<HashingEmbedder> {
    Arc::new(HashingEmbedder::new("double"))
}

/// The table proposes, the double compares.
fn with(tree: &Tree, reranker: &Arc<HashingEmbedder>) -> EngineOptions {
    EngineOptions {
        embedder: Some(table::model()),
        reranker: Some(reranker.clone()),
        ..tree.options()
    }
}

fn engine(tree: &Tree, reranker: &Arc<HashingEmbedder>) -> Engine {
    Engine::open(with(tree, reranker)).unwrap()
}

/// Thirty files, each a function of fifty lines, of which only some speak of herons.
fn long_tree() -> Tree {
    let tree = Tree::new("");
    for i in 0..30 {
        let bird = if i % 3 == 0 { "heron" } else { "ferry" };
        // No two alike, or they would share one place.
        let lines = (0..50).map(|j| format!("    {bird}_{i}(x{}, y{});\n", i * 50 + j, i * j));
        tree.write(
            format!("src/mod{i:02}.rs"),
            format!("fn {bird}_{i}() {{\n{}}}\n", lines.collect::<String>()),
        );
    }
    tree
}

fn few(n_places: usize) -> SearchRequest {
    let touched = Touched { n_places, n_tokens: 100_000, ..Touched::default() };
    SearchRequest { touched, ..SearchRequest::new("heron waits") }
}

fn told(answer: &Answer) -> &Reranked {
    answer.reranked.as_ref().expect("the first places were compared")
}

fn scored(answer: &Answer) -> Vec<(String, f32)> {
    printed(&answer.hits).into_iter().zip(answer.hits.iter().map(|hit| hit.score)).collect()
}

#[test]
fn a_first_question_embeds_what_it_touches_and_a_second_nothing() {
    let tree = long_tree();
    let model = double();
    let first = engine(&tree, &model);
    let report = refresh(&first);
    assert_eq!((report.n_vectors, model.n_passages()), (report.n_chunks, 0), "rows of the table");
    let answer = first.search(&few(6)).unwrap();
    assert_eq!((answer.mode, answer.model.as_deref()), (Mode::Hybrid, Some("table")));
    assert!(answer.degraded.is_empty(), "{:?}", answer.degraded);
    let n_parts = model.n_passages() as u64;
    let Reranked { model: name, n_places, n_embedded, n_cached, n_vectors, n_chunks } =
        told(&answer).clone();
    assert_eq!((name.as_str(), n_places, n_cached), ("double", 6, 0));
    assert_eq!((n_embedded, n_vectors, n_chunks), (n_parts, 6, report.n_chunks));
    assert!((6..=24).contains(&n_parts), "{n_parts} parts");
    drop(first);
    let again = engine(&tree, &model);
    let second = ask(&again, &few(6));
    assert_eq!((told(&second).n_embedded, told(&second).n_cached), (0, n_parts));
    assert_eq!(model.n_passages() as u64, n_parts);
    assert_eq!(model.n_questions.load(Ordering::SeqCst), 1);
    assert_eq!(scored(&second), scored(&answer));
    let wider = ask(&again, &few(12));
    assert_eq!((told(&wider).n_cached, told(&wider).n_vectors), (n_parts, 12));
}

#[test]
fn likeness_decides_among_what_words_propose() {
    let tree = Tree::new("");
    tree.write("src/a.rs", "fn heron() { one(two, three, four) }\n");
    tree.write("src/b.rs", "// where the heron waits for its supper at dawn\nfn b() {}\n");
    let question = SearchRequest::new("where the heron waits for its supper at dawn");
    let weighing = |weight| {
        let touched = Touched { weight, ..Touched::default() };
        ask(&engine(&tree, &double()), &SearchRequest { touched, ..question.clone() })
    };
    let answer = weighing(1.0);
    assert_eq!(answer.hits[0].path, "src/b.rs");
    let similarity = answer.hits[0].parts.boosts["similarity"];
    assert!(similarity > 0.5 && answer.hits[0].score == 1.0, "{:?}", answer.hits[0]);
    assert!(weighing(0.0).reranked.is_none(), "what has no say is not embedded");
}

#[test]
fn only_the_parts_of_an_edited_file_are_embedded_anew() {
    let tree = long_tree();
    let model = double();
    ask(&engine(&tree, &model), &few(40));
    let before = model.n_passages();
    let path = tree.path("src/mod06.rs");
    let text = std::fs::read_to_string(&path).unwrap();
    tree.write("src/mod06.rs", text.replacen("x303", "x999", 1));
    let answer = ask(&engine(&tree, &model), &few(40));
    assert_eq!(told(&answer).n_embedded, 1, "the part with the edit");
    assert_eq!(model.n_passages(), before + 1);
    assert_eq!(told(&answer).n_vectors, told(&answer).n_chunks, "the new file counts, not the old");
}

#[test]
fn what_changed_and_was_not_refreshed_is_not_compared_and_counts_no_longer() {
    let tree = long_tree();
    let model = double();
    let engine = engine(&tree, &model);
    let first = ask(&engine, &few(40));
    tree.write("src/mod06.rs", "fn nothing() {}\n");
    let stale = engine.search(&few(40)).unwrap();
    assert!(told(&stale).n_places < told(&first).n_places);
    assert_eq!(told(&stale).n_embedded, 0);
    let n_vectors = told(&ask(&engine, &few(1))).n_vectors;
    assert!(n_vectors < told(&first).n_vectors, "{n_vectors}");
}

#[test]
fn what_was_embedded_before_a_run_broke_off_is_kept() {
    let tree = long_tree();
    let weary = Arc::new(HashingEmbedder::new("double").faulty(Fault::After(7)));
    let broken = engine(&tree, &weary);
    refresh(&broken);
    assert_eq!(broken.search(&few(20)).unwrap_err().kind(), ErrorKind::Model);
    let answer = ask(&engine(&tree, &double()), &few(20));
    assert_eq!(told(&answer).n_cached, 7);
}

#[test]
fn no_answer_depends_on_threads_or_on_what_was_asked_before() {
    let tree = long_tree();
    let answers: Vec<_> = [(1, false), (4, false), (2, true)]
        .into_iter()
        .map(|(threads, is_warm)| {
            let base = tempfile::tempdir().unwrap();
            let options = EngineOptions {
                threads: Some(threads),
                index_base: base.path().into(),
                ..with(&tree, &double())
            };
            let engine = Engine::open(options).unwrap();
            if is_warm {
                ask(&engine, &SearchRequest::new("ferry crosses"));
                ask(&engine, &few(3));
            }
            scored(&ask(&engine, &SearchRequest { limit: Some(40), ..few(5) }))
        })
        .collect();
    assert!(answers[0].len() > 5, "some lie behind those that are compared: {:?}", answers[0]);
    assert!(answers[0].is_sorted_by(|a, b| a.1 >= b.1), "{:?}", answers[0]);
    assert_eq!(answers[0], answers[1]);
    assert_eq!(answers[0], answers[2]);
}

#[test]
fn work_is_bounded_by_the_text_and_time_is_a_safety_net() {
    let tree = long_tree();
    let model = double();
    let small = Touched { n_tokens: 300, ..Touched::default() };
    let request = SearchRequest { touched: small, ..few(0) };
    let answer = ask(&engine(&tree, &model), &request);
    assert!((1..5).contains(&told(&answer).n_places), "{answer:?}");
    assert!(answer.degraded.is_empty());
    let known = model.n_passages();
    let hurried = EngineOptions { embed_within: Some(Duration::ZERO), ..with(&tree, &model) };
    let hurried = Engine::open(hurried).unwrap();
    let late = ask(&hurried, &few(20));
    assert_eq!((told(&late).n_embedded, model.n_passages()), (0, known));
    assert!(late.degraded[0].contains("could not be compared with double in time"), "{late:?}");
    assert_eq!(late.hits.len(), 10);
    let other = SearchRequest { touched: Touched { n_places: 0, ..small }, ..few(0) };
    assert!(ask(&hurried, &other).reranked.is_none());
}

#[test]
fn only_hybrid_mode_compares_and_meaning_alone_wants_all_vectors() {
    let tree = Tree::new(SOUNDS);
    let model = double();
    let engine = engine(&tree, &model);
    assert!(ask(&engine, &keyword("heron")).reranked.is_none());
    assert_eq!(model.n_passages() + model.n_questions.load(Ordering::SeqCst), 0);
    let error = engine.search(&semantic("heron")).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Model);
    assert!(error.to_string().contains("double") && !error.to_string().contains('\n'), "{error}");
    assert_eq!(error.hint(), Some("make them with: wherein index --model double --embed all"));
}

#[test]
fn what_the_table_does_not_know_is_proposed_by_words_and_compared() {
    let tree = Tree::new(SOUNDS);
    tree.write("src/walrus.rs", "// walrus on the pier\n");
    let answer = ask(&engine(&tree, &double()), &SearchRequest::new("walrus pier"));
    assert_eq!((answer.mode, &answer.model), (Mode::Hybrid, &None));
    assert_eq!((answer.hits[0].path.as_str(), told(&answer).n_places), ("src/walrus.rs", 1));
    assert!(answer.degraded[0].ends_with("proposed by words alone"), "{:?}", answer.degraded);
}

#[test]
fn a_model_with_all_vectors_proposes_and_compares() {
    let tree = long_tree();
    let model = double();
    let plain = EngineOptions { embedder: Some(model.clone()), ..tree.options() };
    let report = refresh(&Engine::open(plain.clone()).unwrap());
    assert_eq!(report.n_vectors, report.n_chunks);
    let options = EngineOptions { reranker: Some(model), ..plain };
    let answer = ask(&Engine::open(options).unwrap(), &few(20));
    assert_eq!(answer.model.as_deref(), Some("double"));
    assert!(answer.hits.iter().any(|hit| hit.parts.dense_rank.is_some()));
    assert_eq!((told(&answer).n_vectors, told(&answer).n_places), (report.n_chunks, 20));
}

#[test]
fn a_hurried_refresh_leaves_most_of_a_tree_to_questions() {
    let tree = long_tree();
    let model = double();
    let options = EngineOptions {
        embedder: Some(model.clone()),
        reranker: Some(model),
        embed_within: Some(Duration::from_secs(3600)),
        ..tree.options()
    };
    let hurried = Engine::open(options.clone()).unwrap();
    assert_eq!(refresh(&hurried).n_vectors, 0);
    let answer = hurried.search(&few(4)).unwrap();
    assert_eq!((answer.mode, told(&answer).n_vectors), (Mode::Hybrid, 4));
    // A few that changed are no wait.
    refresh(&Engine::open(EngineOptions { embed_within: None, ..options }).unwrap());
    tree.write("src/new.rs", "fn new() {}\n");
    let report = refresh(&hurried);
    assert_eq!(report.n_vectors, report.n_chunks);
}

#[test]
fn a_folder_remembers_its_model_until_another_is_wanted() {
    let tree = Tree::new(SOUNDS);
    let (base, model) = (tree.options().index_base, double());
    let remembered = || Engine::models_of(&base, &tree.root()).reranker.map(|model| model.name);
    refresh(&engine(&tree, &model));
    assert_eq!(remembered(), None, "a question chooses no model");
    let chosen = EngineOptions { remember_reranker: true, ..with(&tree, &model) };
    refresh(&Engine::open(chosen.clone()).unwrap());
    assert_eq!(remembered().as_deref(), Some("double"));
    let number = tree.engine().status().unwrap().generation;
    refresh(&Engine::open(chosen).unwrap());
    assert_eq!(tree.engine().status().unwrap().generation, number, "nothing to change");
    tree.write("src/new.rs", "// heron\nfn new() {}\n");
    tree.engine().rebuild(&|_| ()).unwrap();
    refresh(&Engine::open(EngineOptions { max_file_bytes: 500, ..tree.options() }).unwrap());
    assert_eq!(remembered().as_deref(), Some("double"));
    ask(&engine(&tree, &model), &few(20));
    let status = tree.engine().status().unwrap();
    assert_eq!(status.reranker.as_ref(), Some(model.identity()));
    assert_eq!((status.n_reranker_vectors, status.n_chunks), (status.n_chunks, 5));
    let without = EngineOptions { replace_model: true, ..tree.options() };
    refresh(&Engine::open(without).unwrap());
    assert_eq!(remembered(), None);
}

#[test]
fn vectors_of_two_models_are_counted_apart() {
    let tree = Tree::new(SOUNDS);
    let (alpha, beta) = (double(), Arc::new(HashingEmbedder::new("beta")));
    let first = ask(&engine(&tree, &alpha), &few(20));
    let other = ask(&engine(&tree, &beta), &few(1));
    assert_eq!((told(&first).n_vectors, told(&other).n_vectors), (4, 1));
    assert_eq!(told(&other).n_cached, 0);
}

#[test]
fn without_a_cache_the_proposal_is_the_answer_and_says_so() {
    let tree = Tree::new(SOUNDS);
    std::fs::create_dir_all(tree.outside().join("index/vectors-1.sqlite")).unwrap();
    let answer = ask(&engine(&tree, &double()), &SearchRequest::new("heron waits"));
    assert_eq!((answer.mode, answer.reranked.as_ref()), (Mode::Hybrid, None));
    assert!(answer.degraded[0].starts_with("not compared with double: "), "{:?}", answer.degraded);
}

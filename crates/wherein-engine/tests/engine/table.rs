//! Models that are tables: rows made while files are read, questions of unknown words, and best lines.

use std::sync::{Arc, Mutex};

use wherein_engine::{
    Answer, BestLines, Embedder, Engine, EngineOptions, ErrorKind, Mode, ModelIdentity, Result,
    Role, SearchRequest, SourceReader, TableReader, TermTable, TermTableBuilder, VectorEncoding,
    term_hash,
};

use crate::double::HashingEmbedder;
use crate::fixture::{Tree, ask, keyword, printed, refresh};
use crate::meaning::{SOUNDS, semantic};

/// A table in which each group of words means one thing.
#[derive(Debug)]
struct TableModel {
    identity: ModelIdentity,
    table: TermTable,
    reader: Mutex<TableReader>,
}

impl TableModel {
    fn new(groups: &[&str]) -> TableModel {
        let mut builder = TermTableBuilder::new(groups.len(), 2.0);
        for (idx, group) in groups.iter().enumerate() {
            let mut row = vec![0; groups.len()];
            row[idx] = 100;
            SourceReader::default().words(group, |word| builder.add(term_hash(word), 0.01, &row));
        }
        let table = TermTable::open(builder.finish().unwrap()).unwrap();
        let identity = ModelIdentity {
            name: "table".to_owned(),
            weights_hash: groups.join("|"),
            tokenizer_hash: "1".to_owned(),
            pooling: "sum".to_owned(),
            question_prefix: String::new(),
            passage_prefix: String::new(),
            max_tokens: ModelIdentity::ALL_TOKENS,
            dimensions: groups.len() as u32,
            normalised: true,
        };
        TableModel { identity, table, reader: Mutex::default() }
    }
}

impl Embedder for TableModel {
    fn identity(&self) -> &ModelIdentity {
        &self.identity
    }

    fn count_tokens(&self, _: Role, texts: &[&str]) -> Result<Vec<usize>> {
        let mut reader = self.reader.lock().unwrap();
        Ok(texts.iter().map(|text| reader.n_words(text)).collect())
    }

    fn embed(&self, role: Role, texts: &[&str]) -> Result<Vec<Vec<f32>>> {
        let mut reader = self.reader.lock().unwrap();
        Ok(texts.iter().map(|text| reader.vector(&self.table, role, text)).collect())
    }

    fn table(&self) -> Option<&TermTable> {
        Some(&self.table)
    }
}

const MEANINGS: [&str; 5] =
    ["heron bird stork", "ferry ship vessel", "waits pause", "crosses traverse", "river water"];

pub(crate) fn model() -> Arc<dyn Embedder> {
    of(&MEANINGS)
}

/// A model that is a table, in which each group of words means one thing.
pub(crate) fn of(groups: &[&str]) -> Arc<dyn Embedder> {
    Arc::new(TableModel::new(groups))
}

fn with(tree: &Tree, model: &Arc<dyn Embedder>) -> EngineOptions {
    EngineOptions { embedder: Some(model.clone()), ..tree.options() }
}

fn engine(tree: &Tree, model: &Arc<dyn Embedder>) -> Engine {
    Engine::open(with(tree, model)).unwrap()
}

/// Files, lines and scores.
fn scored(answer: &Answer) -> Vec<(String, f32)> {
    printed(&answer.hits).into_iter().zip(answer.hits.iter().map(|hit| hit.score)).collect()
}

/// Files of several chunks, with what is long enough to be cut into windows.
fn long_tree() -> Tree {
    let tree = Tree::new(SOUNDS);
    for i in 0..40 {
        let body: String = (0..20 + i * 3)
            .map(|j| format!("    let heron_{j} = ferry({i}, river); // pause {j}\n"))
            .collect();
        tree.write(format!("src/mod{i:02}.rs"), format!("fn cross_{i}(water: u8) {{\n{body}}}\n"));
    }
    tree
}

/// Everything that a few questions find, with scores.
fn all(engine: &Engine) -> Vec<Vec<(String, f32)>> {
    let questions = ["bird pauses", "ship on the water", "traverse the river by ferry"];
    let every = |mode, text: &str| {
        scored(&ask(engine, &SearchRequest { mode, limit: Some(500), ..SearchRequest::new(text) }))
    };
    let modes = [Mode::Semantic, Mode::Hybrid];
    questions.iter().flat_map(|text| modes.map(|mode| every(mode, text))).collect()
}

#[test]
fn meaning_is_found_at_once_and_nothing_is_missing() {
    let tree = Tree::new(SOUNDS);
    let answer = ask(&engine(&tree, &model()), &SearchRequest::new("vessel that traverses"));
    assert_eq!((answer.mode, answer.model.as_deref()), (Mode::Hybrid, Some("table")));
    assert!(answer.degraded.is_empty(), "{:?}", answer.degraded);
    assert_eq!(answer.hits[0].path, "src/boats.rs", "no word of it is in the question");
    let report = refresh(&engine(&tree, &model()));
    assert_eq!((report.n_vectors, report.embedded), (4, 0));
    let status = tree.engine().status().unwrap();
    assert_eq!(status.encoding, VectorEncoding::Int8);
    assert!(!tree.outside().join("index/vectors-1.sqlite").exists(), "a table needs no cache");
}

#[test]
fn rows_made_on_the_way_are_those_of_a_second_reading() {
    let tree = long_tree();
    let model = model();
    let first = engine(&tree, &model);
    let report = refresh(&first);
    assert_eq!((report.embedded, report.n_vectors), (report.n_chunks, report.n_chunks));
    let found = all(&first);
    drop(first);
    let base = tempfile::tempdir().unwrap();
    let plain = EngineOptions { index_base: base.path().into(), ..tree.options() };
    refresh(&Engine::open(plain.clone()).unwrap());
    let second = EngineOptions { embedder: Some(model), ..plain };
    let second = Engine::open(second).unwrap();
    let report = refresh(&second);
    assert_eq!((report.embedded, report.cached, report.added), (report.n_chunks, 0, 0));
    assert_eq!(all(&second), found);
}

#[test]
fn updated_is_fresh_and_one_thread_is_many() {
    let tree = long_tree();
    let model = model();
    let updated = engine(&tree, &model);
    refresh(&updated);
    for i in 0..14 {
        tree.write(format!("src/mod{i:02}.rs"), format!("fn stork_{i}() {{ water() }}\n"));
        refresh(&updated);
    }
    tree.remove("src/mod39.rs");
    let report = refresh(&updated);
    assert_eq!(report.n_vectors, report.n_chunks);
    let found = all(&updated);
    for threads in [1, 4] {
        let base = tempfile::tempdir().unwrap();
        let options = EngineOptions {
            index_base: base.path().into(),
            threads: Some(threads),
            ..with(&tree, &model)
        };
        assert_eq!(all(&Engine::open(options).unwrap()), found, "{threads} threads");
    }
    updated.rebuild(&|_| ()).unwrap();
    assert_eq!(all(&updated), found);
}

#[test]
fn a_question_of_unknown_words_is_answered_by_words_alone() {
    let tree = Tree::new(SOUNDS);
    tree.write("src/walrus.rs", "// walrus on the pier, セイウチ\n");
    let engine = engine(&tree, &model());
    for text in ["walrus pier", "セイウチ"] {
        let answer = ask(&engine, &SearchRequest::new(text));
        assert_eq!((answer.mode, &answer.model), (Mode::Keyword, &None));
        assert_eq!(printed(&answer.hits), printed(&ask(&engine, &keyword(text)).hits));
        assert_eq!(answer.hits[0].path, "src/walrus.rs");
        assert!(answer.degraded[0].contains("knows no word of the question"), "{answer:?}");
        let alone = ask(&engine, &semantic(text));
        assert!(alone.hits.is_empty() && alone.mode == Mode::Semantic);
        assert!(alone.degraded[0].contains("knows no word of the question"));
    }
}

#[test]
fn a_chunk_of_unknown_words_is_like_nothing() {
    let tree = Tree::new("");
    tree.write("a/walrus.rs", "// walrus on the pier\n");
    tree.write("a/bird.rs", "// stork\n");
    for encoding in VectorEncoding::ALL {
        let options = EngineOptions { encoding: Some(encoding), ..with(&tree, &model()) };
        let engine = Engine::open(options).unwrap();
        let answer = ask(&engine, &semantic("heron"));
        assert_eq!(printed(&answer.hits), ["a/bird.rs:1-1"]);
        assert_eq!(engine.status().unwrap().n_vectors, 2, "it has a row, of zeros");
        let both = ask(&engine, &SearchRequest::new("walrus heron")).hits;
        let walrus = both.iter().find(|hit| hit.path == "a/walrus.rs").unwrap();
        assert!(walrus.parts.dense.is_none() && walrus.parts.lexical.is_some());
    }
}

#[test]
fn a_few_lines_that_match_lift_a_long_chunk() {
    let tree = Tree::new("");
    let noise = "    vessel.traverse(vessel);\n".repeat(25);
    tree.write("src/a.rs", format!("fn a() {{\n{noise}    stork.pause();\n{noise}}}\n"));
    tree.write("src/b.rs", "fn b() {\n    stork(water).traverse(ship);\n    water(pause)\n}\n");
    let engine = engine(&tree, &model());
    let first = |mix: f32, mode: Mode| {
        let best_lines = BestLines { mix, window_lines: 1, ..BestLines::default() };
        let request = SearchRequest { mode, best_lines, ..SearchRequest::new("bird waits") };
        ask(&engine, &request).hits.remove(0)
    };
    assert_eq!(first(0.0, Mode::Semantic).path, "src/b.rs");
    for mode in [Mode::Semantic, Mode::Hybrid] {
        assert_eq!(first(0.9, mode).path, "src/a.rs");
    }
    let hit = first(1.0, Mode::Semantic);
    assert!((hit.score - 1.0).abs() < 1e-3 && hit.parts.dense == Some(hit.score), "{}", hit.score);
}

#[test]
fn a_file_that_changed_keeps_the_score_of_its_chunks() {
    let tree = Tree::new(SOUNDS);
    let engine = engine(&tree, &model());
    refresh(&engine);
    let plain = SearchRequest {
        best_lines: BestLines { mix: 0.0, ..BestLines::default() },
        ..semantic("vessel river")
    };
    let score = |answer: Answer| {
        answer.hits.into_iter().find(|hit| hit.path == "src/boats.rs").map(|hit| hit.score)
    };
    let (mean, best) = (
        score(engine.search(&plain).unwrap()),
        score(engine.search(&semantic("vessel river")).unwrap()),
    );
    assert_ne!(mean, best);
    tree.write("src/boats.rs", "heron heron heron\nstork\n");
    assert_eq!(score(engine.search(&semantic("vessel river")).unwrap()), mean);
    tree.remove("src/boats.rs");
    assert_eq!(score(engine.search(&semantic("vessel river")).unwrap()), mean);
}

#[test]
fn what_lies_behind_those_looked_at_again_keeps_its_order() {
    let tree = long_tree();
    let engine = engine(&tree, &model());
    let request = SearchRequest {
        limit: Some(500),
        best_lines: BestLines { n_candidates: 4, ..BestLines::default() },
        ..semantic("bird pauses")
    };
    let mean = BestLines { mix: 0.0, ..request.best_lines };
    let again = ask(&engine, &request).hits;
    let plain = ask(&engine, &SearchRequest { best_lines: mean, ..request }).hits;
    assert!(again.windows(2).all(|pair| pair[0].score >= pair[1].score));
    assert_eq!(printed(&again)[8..], printed(&plain)[8..]);
}

#[test]
fn one_index_never_holds_rows_of_two_models() {
    let tree = long_tree();
    let (table, other) = (model(), Arc::new(HashingEmbedder::new("double")) as Arc<dyn Embedder>);
    refresh(&engine(&tree, &other));
    tree.write("src/new.rs", "fn stork() {}\n");
    let error = engine(&tree, &table).refresh(&|_| ()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::ModelMismatch);
    let replace =
        |model: &Arc<dyn Embedder>| EngineOptions { replace_model: true, ..with(&tree, model) };
    for model in [&table, &other, &table] {
        tree.write("src/new.rs", format!("fn {}() {{}}\n", model.identity().name));
        let engine = Engine::open(replace(model)).unwrap();
        let report = refresh(&engine);
        assert_eq!(report.n_vectors, report.n_chunks);
        let status = engine.status().unwrap();
        assert_eq!(status.model.as_ref(), Some(model.identity()));
        let wanted = wherein_engine::usual_encoding(model.as_ref());
        assert_eq!(status.encoding, wanted, "that of the model, not of the one before it");
    }
    let fresh = tempfile::tempdir().unwrap();
    let options = EngineOptions { index_base: fresh.path().into(), ..with(&tree, &table) };
    assert_eq!(all(&engine(&tree, &table)), all(&Engine::open(options).unwrap()));
}

#[test]
fn another_version_of_the_table_takes_the_place_of_the_one_before() {
    let tree = Tree::new(SOUNDS);
    let mut groups = MEANINGS;
    refresh(&engine(&tree, &model()));
    groups[0] = "heron bird stork walrus";
    let newer: Arc<dyn Embedder> = Arc::new(TableModel::new(&groups));
    let options = EngineOptions { replace_model: true, ..with(&tree, &newer) };
    // Without a refresh there is nothing to compare with.
    let answer = Engine::open(options.clone()).unwrap().search(&SearchRequest::new("bird"));
    assert!(answer.unwrap().degraded[0].contains("another model"));
    let engine = Engine::open(options).unwrap();
    let answer = ask(&engine, &SearchRequest::new("walrus"));
    assert!(answer.degraded.is_empty() && answer.mode == Mode::Hybrid);
    assert_eq!(answer.hits[0].path, "src/birds.rs");
}

#[test]
fn an_index_that_is_to_have_no_vectors_stays_so_until_a_model_is_given() {
    let tree = Tree::new(SOUNDS);
    let base = tree.options().index_base;
    let is_words_only = || Engine::is_words_only(&base, &tree.root());
    refresh(&tree.engine());
    assert!(!is_words_only(), "nobody asked for that");
    let without = EngineOptions { replace_model: true, ..tree.options() };
    refresh(&Engine::open(without).unwrap());
    assert!(is_words_only());
    let number = tree.engine().status().unwrap().generation;
    tree.write("src/new.rs", "fn stork() {}\n");
    refresh(&tree.engine());
    tree.engine().rebuild(&|_| ()).unwrap();
    refresh(&Engine::open(EngineOptions { max_file_bytes: 500, ..tree.options() }).unwrap());
    assert!(is_words_only() && tree.engine().status().unwrap().generation > number);
    refresh(&engine(&tree, &model()));
    assert!(!is_words_only());
}

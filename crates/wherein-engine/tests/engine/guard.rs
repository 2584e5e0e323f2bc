//! A question is never compared with another model's vectors, and finished embeddings are never lost.

use std::sync::Arc;
use std::time::Duration;

use wherein_engine::{Engine, EngineOptions, ErrorKind, Mode, ModelIdentity, SearchRequest};

use crate::double::{Fault, HashingEmbedder};
use crate::fixture::{Tree, ask, refresh};
use crate::meaning::{SOUNDS, engine, semantic, with_model};

fn double(name: &str) -> Arc<HashingEmbedder> {
    Arc::new(HashingEmbedder::new(name))
}

/// One long file for each number.
fn files(n: usize) -> Tree {
    let tree = Tree::new("");
    for i in 0..n {
        let lines = (0..60).map(|j| format!("let value_{i}_{j} = compute_{j}(header_{i});\n"));
        tree.write(format!("src/mod{i:03}.rs"), lines.collect::<String>());
    }
    tree
}

#[test]
fn c18_two_models_of_equal_dimension_are_never_mixed() {
    let tree = Tree::new(SOUNDS);
    refresh(&engine(&tree, &double("alpha")));
    let other = engine(&tree, &double("beta"));
    for error in
        [other.refresh(&|_| ()).unwrap_err(), other.search(&semantic("heron")).unwrap_err()]
    {
        assert_eq!(error.kind(), ErrorKind::ModelMismatch);
        let (message, hint) = (error.to_string(), error.hint().unwrap().to_owned());
        assert!(message.contains("alpha") && message.contains("beta"), "{message}");
        assert!(hint.contains("wherein index --model beta"), "{hint}");
    }
    let keyword = SearchRequest { mode: Mode::Keyword, ..SearchRequest::new("heron") };
    assert!(!other.search(&keyword).unwrap().hits.is_empty(), "words need no model");
}

#[test]
fn c18_everything_that_changes_a_vector_is_guarded() {
    let tree = Tree::new(SOUNDS);
    refresh(&engine(&tree, &double("alpha")));
    let changes: [fn(&mut ModelIdentity); 8] = [
        |identity| identity.weights_hash.push('x'),
        |identity| identity.tokenizer_hash.push('x'),
        |identity| identity.pooling = "cls".into(),
        |identity| identity.question_prefix = "query: ".into(),
        |identity| identity.passage_prefix = "passage: ".into(),
        |identity| identity.max_tokens += 1,
        |identity| identity.dimensions = 32,
        |identity| identity.normalised = false,
    ];
    for change in changes {
        let model = Arc::new(HashingEmbedder::new("alpha").with(change));
        let error = engine(&tree, &model).search(&semantic("heron")).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::ModelMismatch, "{error}");
        assert!(error.to_string().contains("differ"), "{error}");
        assert!(error.hint().unwrap().contains("wherein index --model alpha"));
    }
}

#[test]
fn vectors_are_replaced_when_asked_and_found_again_in_the_cache() {
    let tree = Tree::new(SOUNDS);
    let (alpha, beta) = (double("alpha"), double("beta"));
    let replace = |model: &Arc<HashingEmbedder>| {
        let options = EngineOptions { replace_model: true, ..with_model(&tree, model) };
        let report = refresh(&Engine::open(options).unwrap());
        (report.embedded, report.cached, report.n_vectors)
    };
    assert_eq!(replace(&alpha), (4, 0, 4));
    assert_eq!(replace(&beta), (4, 0, 4));
    assert_eq!(replace(&alpha), (0, 4, 4), "switching back embeds nothing");
    assert_eq!(ask(&engine(&tree, &alpha), &semantic("ferry")).hits[0].path, "src/boats.rs");
    let base = tree.options().index_base;
    assert_eq!(Engine::indexed_model(&base, &tree.root()).unwrap().name, "alpha");
}

#[test]
fn finished_batches_are_kept_when_a_run_ends_early() {
    let tree = files(100);
    let weary = Arc::new(HashingEmbedder::new("double").faulty(Fault::After(40)));
    let error = engine(&tree, &weary).refresh(&|_| ()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Model);
    // The keyword half stands, and so does what was finished.
    let keyword = SearchRequest { mode: Mode::Keyword, ..SearchRequest::new("compute_7 header_3") };
    assert!(!tree.engine().search(&keyword).unwrap().hits.is_empty());
    let report = refresh(&engine(&tree, &double("double")));
    assert_eq!(report.embedded + report.cached, report.n_chunks);
    assert!(report.cached >= 30, "only {} of 40 were kept", report.cached);
}

#[test]
fn c24_each_try_goes_on_where_the_last_ended() {
    let tree = files(60);
    let mut n_tries = 0;
    loop {
        n_tries += 1;
        let weary = Arc::new(HashingEmbedder::new("double").faulty(Fault::After(40)));
        match engine(&tree, &weary).refresh(&|_| ()) {
            Ok(report) => break assert_eq!(report.n_vectors, report.n_chunks),
            Err(_) => assert!(n_tries < 10, "never done"),
        }
    }
    assert!(n_tries > 1);
}

#[test]
fn a_question_waits_no_longer_than_it_was_told() {
    let tree = files(60);
    let options =
        |within| EngineOptions { embed_within: within, ..with_model(&tree, &double("d")) };
    let hurried = Engine::open(options(Some(Duration::ZERO))).unwrap();
    let answer = ask(&hurried, &SearchRequest::new("compute_7 header_3"));
    assert_eq!(answer.mode, Mode::Keyword);
    let n_chunks = tree.engine().status().unwrap().n_chunks;
    let none = format!("0 of {n_chunks} chunks have vectors so far");
    assert!(answer.degraded[0].contains(&none), "{:?}", answer.degraded);
    assert!(!answer.hits.is_empty());
    refresh(&Engine::open(options(None)).unwrap());
    let answer = ask(&hurried, &SearchRequest::new("compute_7 header_3"));
    assert_eq!((answer.mode, answer.degraded.len()), (Mode::Hybrid, 0));
}

#[test]
fn new_files_are_found_by_words_until_they_have_vectors() {
    let tree = Tree::new(SOUNDS);
    let model = double("d");
    refresh(&engine(&tree, &model));
    tree.write("src/late.rs", "// a walrus on the pier\n");
    // A keyword question embeds nothing.
    refresh(&tree.engine());
    let late = engine(&tree, &model);
    let answer = late.search(&SearchRequest::new("walrus")).unwrap();
    assert!(answer.hits[..2].iter().any(|hit| hit.path == "src/late.rs"), "{:?}", answer.hits);
    assert!(answer.degraded[0].contains("4 of 5 chunks have vectors"), "{:?}", answer.degraded);
    assert_eq!(refresh(&late).embedded, 1);
}

#[test]
fn lists_are_fused_once_most_chunks_have_vectors() {
    let tree = Tree::new(SOUNDS);
    let model = double("d");
    refresh(&engine(&tree, &model));
    for i in 0..4 {
        tree.write(format!("src/late{i}.rs"), "// a walrus on the pier\n");
    }
    refresh(&tree.engine());
    let answer = engine(&tree, &model).search(&SearchRequest::new("walrus heron")).unwrap();
    assert_eq!(answer.mode, Mode::Keyword);
    assert!(answer.degraded[0].starts_with("4 of 8 chunks have vectors"), "{:?}", answer.degraded);
    let answer = engine(&tree, &model).search(&semantic("walrus")).unwrap();
    assert_eq!((answer.mode, answer.hits.len()), (Mode::Semantic, 4));
    assert!(answer.degraded[0].contains("cannot be found by meaning"), "{:?}", answer.degraded);
}

#[test]
fn c16_damaged_vectors_are_announced_and_made_again_from_the_cache() {
    let damages: [fn(&std::path::Path); 3] = [
        |path| std::fs::remove_file(path).unwrap(),
        |path| {
            let bytes = std::fs::read(path).unwrap();
            std::fs::write(path, &bytes[..bytes.len() / 2]).unwrap();
        },
        |path| {
            let mut bytes = std::fs::read(path).unwrap();
            bytes[10] ^= 1;
            std::fs::write(path, bytes).unwrap();
        },
    ];
    for damage in damages {
        let tree = Tree::new(SOUNDS);
        let model = double("d");
        let before = ask(&engine(&tree, &model), &semantic("ferry")).hits;
        let vectors = engine(&tree, &model).index_dir().join("vectors");
        let file = std::fs::read_dir(vectors).unwrap().next().unwrap().unwrap().path();
        damage(&file);
        let error = engine(&tree, &model).search(&semantic("ferry")).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::IndexFormat, "{error}");
        let name = file.file_name().unwrap().to_string_lossy().into_owned();
        assert!(error.to_string().contains(&name), "{error}");
        let mended = engine(&tree, &model);
        let report = mended.rebuild(&|_| ()).unwrap();
        assert_eq!((report.embedded, report.cached), (0, 4));
        assert_eq!(mended.search(&semantic("ferry")).unwrap().hits, before);
    }
}

#[test]
fn what_a_model_gives_is_checked() {
    for (fault, words) in [
        (Fault::NotANumber, "not a number"),
        (Fault::OneTooMany, "vectors for"),
        (Fault::WrongLength, "63 dimensions instead of 64"),
    ] {
        let tree = Tree::new(SOUNDS);
        let model = Arc::new(HashingEmbedder::new("odd").faulty(fault));
        let error = engine(&tree, &model).refresh(&|_| ()).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Model);
        assert!(error.to_string().contains(words), "{error}");
        assert!(error.hint().is_some());
        // Nothing half-written: a sound model of that name embeds everything.
        let report = refresh(&engine(&tree, &double("odd")));
        assert_eq!((report.embedded, report.n_vectors), (4, 4));
    }
}

#[test]
fn a_question_is_embedded_once() {
    let tree = Tree::new(SOUNDS);
    let model = double("d");
    ask(&engine(&tree, &model), &semantic("ferry"));
    ask(&engine(&tree, &model), &semantic("ferry"));
    assert_eq!(model.n_questions.load(std::sync::atomic::Ordering::SeqCst), 1);
}

#[test]
fn settings_of_the_scan_do_not_lose_the_model() {
    let tree = Tree::new(SOUNDS);
    let model = double("d");
    refresh(&engine(&tree, &model));
    let options = EngineOptions { max_file_bytes: 500, ..with_model(&tree, &model) };
    let report = refresh(&Engine::open(options).unwrap());
    assert_eq!((report.embedded, report.cached, report.n_vectors), (0, 4, 4));
}

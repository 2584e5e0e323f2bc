//! Questions with and without a model: which mode answers, and what is said about it to whom.

use super::tree::Tree;

fn tree() -> Tree {
    Tree::new(&[("src/auth.rs", "/// Strips the secret.\nfn strip_auth() {}\n")])
}

#[test]
fn the_built_in_model_answers_and_nothing_is_missing() {
    let tree = tree();
    let json = tree.run(&["strip auth", "--json"]).status(0).json();
    assert_eq!((&json["mode"], &json["model"]), (&"hybrid".into(), &"builtin-code-v1".into()));
    assert_eq!(json["degraded"].as_array().unwrap().len(), 0, "{json}");
    let silent = tree.run(&["strip auth"]);
    silent.status(0).says("src/auth.rs").check(silent.stderr().is_empty(), "nothing on stderr");
    tree.run(&["strip auth", "--mode", "semantic"]).status(0).says("src/auth.rs");
    tree.run(&["status"]).says("model        builtin-code-v1").says("1 of 1 chunks (int8, ");
    let explained = tree.run(&["strip auth", "--explain"]);
    explained.status(0).says("lexical #1").says("dense #1 cosine ").says("meaning +");
    assert!(!tree.index_base().join("vectors-1.sqlite").exists(), "a table needs no cache");
}

#[test]
fn words_that_the_model_does_not_know_are_found_by_words() {
    let tree = tree();
    tree.write("src/odd.rs", "// xqzvjk\n// セイウチ\n");
    for text in ["xqzvjk", "セイウチ"] {
        let json = tree.run(&[text, "--json"]).status(0).json();
        assert_eq!(
            (&json["mode"], &json["hits"][0]["path"]),
            (&"keyword".into(), &"src/odd.rs".into())
        );
        let told = "the model builtin-code-v1 knows no word of the question";
        assert!(json["degraded"][0].as_str().unwrap().starts_with(told), "{json}");
        tree.run(&[text]).status(0).complains(told);
        let alone = tree.run(&[text, "--mode", "semantic", "--json"]).status(1).json();
        assert_eq!(alone["hits"].as_array().unwrap().len(), 0, "{alone}");
        assert!(alone["degraded"][0].as_str().unwrap().starts_with(told), "{alone}");
    }
}

/// Who asked for no model is not told that there is none; programs find it in JSON.
#[test]
fn without_a_model_words_answer_and_only_those_who_asked_are_told() {
    let tree = tree();
    let json = tree.run(&["strip auth", "--json", "--model", "none"]).status(0).json();
    assert_eq!((json["mode"].as_str(), json["model"].is_null()), (Some("keyword"), true));
    assert!(json["degraded"][0].as_str().unwrap().starts_with("no model"), "{json}");
    let asked = tree.run(&["strip auth", "--mode", "hybrid", "--model", "none"]);
    asked.status(0).check(asked.stderr().is_empty(), "nothing on stderr");
    for mode in ["keyword", "exact"] {
        let json = tree.run(&["strip_auth", "--mode", mode, "--json"]).status(0).json();
        assert_eq!(json["degraded"].as_array().unwrap().len(), 0, "{json}");
    }
}

#[test]
fn an_index_made_for_words_stays_so_until_a_model_is_named() {
    let tree = tree();
    let plain = tree.run(&["index", "--model", "none"]);
    plain.status(0).check(!plain.stdout().contains("model"), "no word of a model");
    tree.run(&["status"]).says("model        none").says("vectors      none");
    let silent = tree.run(&["strip auth"]);
    silent.status(0).check(silent.stderr().is_empty(), "nothing on stderr");
    tree.run(&["strip auth", "--mode", "hybrid"]).status(0).complains("no model is wanted here");
    for args in
        [&["strip auth"][..], &["index"], &["index", "--rebuild"], &["symbols", "strip_auth"]]
    {
        tree.run(args).status(0);
        assert_eq!(tree.run(&["status", "--json"]).json()["vectors"], 0, "{args:?}");
    }
    tree.run(&["index", "--model", "builtin-code-v1"]).status(0).says("1 of 1 chunks have vectors");
    assert_eq!(tree.run(&["strip auth", "--json"]).json()["mode"], "hybrid");
}

#[test]
fn meaning_alone_needs_a_model() {
    let tree = tree();
    let none = tree.run(&["strip auth", "--mode", "semantic", "--model", "none"]);
    none.refused().complains("--model builtin-code-v1");
    tree.run(&["strip auth", "--model", "nope"]).refused().complains("'nope'");
    tree.run(&["index", "--model", "bge-smal"]).refused().complains("did you mean bge-small-en");
    tree.run(&["index", "--model", "bultin-code-v1"]).refused().complains("mean builtin-code-v1");
}

#[test]
fn an_index_tells_its_model() {
    let tree = tree();
    tree.run(&["index"]).status(0).says(
        "1 chunks embedded, 0 from the cache; 1 of 1 chunks have vectors (model builtin-code-v1)",
    );
    tree.add_model("bge-small-shaped");
    tree.run(&["index", "--model", "mine", "--embed", "all"])
        .status(0)
        .says("1 chunks embedded, 0 from the cache; 1 of 1 chunks have vectors (model mine)");
    tree.run(&["status"]).says("model        mine").says("1 of 1 chunks (f32, ");
    let json = tree.run(&["strip auth", "--json"]).status(0).json();
    assert_eq!((&json["mode"], &json["model"]), (&"hybrid".into(), &"mine".into()), "{json}");
    assert_eq!(json["degraded"].as_array().unwrap().len(), 0, "{json}");
    let none = tree.run(&["strip auth", "--model", "none", "--json"]).json();
    assert_eq!(none["mode"], "keyword");
    // Nobody replaces the vectors of a folder by asking it a question.
    tree.run(&["strip auth", "--model", "builtin-code-v1"]).refused().complains("mine");
    tree.run(&["index", "--model", "builtin-code-v1"]).status(0).says("(model builtin-code-v1)");
}

#[test]
fn a_model_that_went_leaves_the_words() {
    let tree = tree();
    tree.add_model("bge-small-shaped");
    tree.run(&["index", "--model", "mine", "--embed", "all"]).status(0);
    assert_eq!(tree.run(&["status", "--json"]).json()["model"], "mine");
    tree.run(&["strip auth", "--mode", "semantic"]).status(0).says("src/auth.rs");
    let weights = tree.models().join("mine/model.onnx");
    let whole = std::fs::read(&weights).unwrap();
    let mut changed = whole.clone();
    changed[1000] ^= 1;
    std::fs::write(&weights, changed).unwrap();
    // A question that was never asked, so that the cache of vectors does not know it.
    tree.run(&["auth to strip"]).status(0).says("src/auth.rs").complains("model.onnx is not the");
    std::fs::write(&weights, whole).unwrap();
    tree.run(&["model", "remove", "mine"]).status(0);
    let told = "the index was made with mine, which is not in ";
    tree.run(&["strip auth"]).status(0).says("src/auth.rs").complains(told);
    let json = tree.run(&["strip auth", "--json"]).status(0).json();
    assert_eq!(json["mode"], "keyword");
    assert!(json["degraded"][0].as_str().unwrap().starts_with(told), "{json}");
    tree.run(&["strip auth", "--mode", "semantic"]).refused().complains(told);
    tree.run(&["index"]).status(0).complains(told);
}

/// Vectors of two models are never compared; only who types the model of an index replaces them.
#[test]
fn another_model_is_refused_until_the_index_is_made_with_it() {
    let tree = tree();
    tree.add_model("bge-small-shaped");
    let other = Tree::model("bge-m3-shaped").display().to_string();
    tree.run(&["model", "add", &other, "--name", "other"]).status(0);
    tree.run(&["index", "--model", "mine", "--embed", "all", "--vectors", "int8"]).status(0);
    tree.run(&["strip auth", "--model", "other"]).refused().complains("other");
    let mut command = tree.command(&["index"]);
    command.env("WHEREIN_MODEL", "other");
    tree.finish(command).refused().complains("other");
    tree.run(&["status"]).says("model        mine").says("(int8, ");
    tree.run(&["index", "--model", "other", "--embed", "all"]).status(0).says("(model other)");
    assert_eq!(tree.run(&["strip auth", "--json"]).json()["model"], "other");
    tree.run(&["index", "--model", "mine"]).status(0).says("(model builtin-code-v1)");
    assert_eq!(tree.run(&["strip auth", "--json"]).json()["reranked"]["model"], "mine");
}

#[test]
fn the_usual_model_yields_to_that_of_the_index_and_none_takes_it_away() {
    let tree = tree();
    tree.add_model("bge-small-shaped");
    let other = Tree::model("bge-m3-shaped").display().to_string();
    tree.run(&["model", "add", &other, "--name", "other"]).status(0);
    tree.write_user_settings("model = 'other'\n");
    tree.run(&["index", "--model", "mine", "--embed", "all"]).status(0);
    assert_eq!(tree.run(&["strip auth", "--json"]).status(0).json()["model"], "mine");
    tree.run(&["index"]).status(0).says("(model mine)");
    tree.run(&["index", "--model", "none"]).status(0);
    let status = tree.run(&["status", "--json"]).json();
    assert_eq!((&status["vectors"], status["model"].is_null()), (&0.into(), true), "{status}");
    let json = tree.run(&["strip auth", "--json"]).status(0).json();
    assert_eq!(json["reranked"]["model"], "other", "{json}");
}

/// The cache only saves work: with all vectors in the index a question needs none.
#[test]
fn a_question_is_answered_without_a_cache() {
    let tree = tree();
    tree.add_model("bge-small-shaped");
    tree.run(&["index", "--model", "mine", "--embed", "all"]).status(0);
    let cache = tree.index_base().join("vectors-1.sqlite");
    for suffix in ["", "-wal", "-shm"] {
        let _ = std::fs::remove_file(format!("{}{suffix}", cache.display()));
    }
    std::fs::create_dir(&cache).unwrap();
    let json = tree.run(&["never asked before", "--json"]).status(0).json();
    assert_eq!(json["mode"], "hybrid", "{json}");
    tree.write("src/new.rs", "fn forget() {}\n");
    tree.run(&["forget", "--mode", "keyword"]).status(0).says("src/new.rs");
    tree.run(&["index"]).status(2).complains("vectors-1.sqlite").complains("hint: ");
}

/// A table makes its rows on the way, whatever is asked: the next question need not read the files again.
#[test]
fn every_question_makes_rows_of_the_built_in_model() {
    for args in [
        &["strip_auth", "--mode", "keyword"][..],
        &["-F", "strip_auth"],
        &["symbols", "strip_auth"],
        &["outline", "src"],
    ] {
        let tree = tree();
        tree.run(args).status(0);
        let status = tree.run(&["status", "--json"]).json();
        let seen = (&status["vectors"], &status["model"], &status["generation"]);
        assert_eq!(seen, (&1.into(), &"builtin-code-v1".into(), &1.into()), "{args:?}");
        tree.run(&["strip auth"]).status(0);
        assert_eq!(tree.run(&["status", "--json"]).json()["generation"], 1, "{args:?}");
    }
}

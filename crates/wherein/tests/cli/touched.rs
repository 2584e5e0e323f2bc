//! Larger models that embed what questions touch, through the real binary: which one compares where, and what is told.

use super::tree::Tree;

fn tree() -> Tree {
    let tree = Tree::new(&[
        ("src/auth.rs", "/// Strips the secret.\nfn strip_auth() {}\n"),
        ("src/send.rs", "/// Sends what was asked for.\nfn send() {}\n"),
    ]);
    tree.add_model("bge-small-shaped");
    tree
}

fn add_other(tree: &Tree) {
    let other = Tree::model("bge-m3-shaped").display().to_string();
    tree.run(&["model", "add", &other, "--name", "other"]).status(0);
}

#[test]
fn a_question_with_a_larger_model_waits_for_nothing_but_what_it_touches() {
    let tree = tree();
    let asked = ["strip auth", "--model", "mine", "--json"];
    let first = tree.run(&asked).status(0).json();
    assert_eq!((&first["mode"], &first["model"]), (&"hybrid".into(), &"builtin-code-v1".into()));
    assert_eq!(first["degraded"], serde_json::json!([]), "{first}");
    let told = &first["reranked"];
    assert_eq!((&told["model"], &told["chunks"]), (&"mine".into(), &2.into()), "{first}");
    assert!(told["places"].as_u64() > Some(0) && told["embedded"] == told["vectors"], "{first}");
    let second = tree.run(&asked).status(0).json();
    assert_eq!((&second["reranked"]["embedded"], &second["hits"]), (&0.into(), &first["hits"]));
    assert_eq!(second["reranked"]["cached"], told["embedded"]);
    tree.run(&["strip auth", "--model", "mine", "--explain"]).says("similarity +");
    // A question chooses no model for a folder.
    let plain = tree.run(&["strip auth", "--json"]).status(0).json();
    assert!(plain.get("reranked").is_none(), "{plain}");
    let status = tree.run(&["status", "--json"]).json();
    assert_eq!((&status["model"], &status["vectors"]), (&"builtin-code-v1".into(), &2.into()));
}

#[test]
fn a_folder_is_asked_with_the_model_that_it_was_indexed_for() {
    let tree = tree();
    let indexed = tree.run(&["index", "--model", "mine"]);
    indexed.status(0).says("(model builtin-code-v1)").says("mine compares the first places");
    let told = tree.run(&["strip auth", "--json"]).status(0).json()["reranked"].clone();
    assert_eq!(told["model"], "mine", "{told}");
    tree.run(&["status"]).says("model        builtin-code-v1").says("compared by  mine, ");
    let status = tree.run(&["status", "--json"]).json();
    assert_eq!(
        (&status["reranker"], &status["reranker_vectors"]),
        (&"mine".into(), &told["vectors"])
    );
    for args in [&["index"][..], &["index", "--rebuild"], &["symbols", "send"]] {
        tree.run(args).status(0);
        assert_eq!(tree.run(&["status", "--json"]).json()["reranker"], "mine", "{args:?}");
    }
    tree.write("src/late.rs", "fn nothing_like_it() {}\n");
    let told = "places compared with mine, which has vectors of ";
    let late = tree.run(&["strip auth now", "--path", "src/auth.rs"]);
    late.status(0).complains(told).complains("of 3 chunks so far");
    for quiet in ["-l", "-q", "--jsonl"] {
        let silent = tree.run(&["strip auth", quiet]);
        silent.status(0).check(!silent.stderr().contains(told), "only what was asked for");
    }
    let plain = tree.run(&["strip auth", "--model", "builtin-code-v1", "--json"]).status(0).json();
    assert!(plain.get("reranked").is_none(), "{plain}");
    add_other(&tree);
    let other = tree.run(&["strip auth", "--model", "other", "--json"]).status(0).json();
    assert_eq!(other["reranked"]["model"], "other", "{other}");
    let stale = tree.run(&["strip auth", "--no-refresh", "--json"]).status(0).json();
    assert_eq!(stale["reranked"]["model"], "mine", "{stale}");
    tree.run(&["index", "--model", "builtin-code-v1"]).status(0);
    assert!(tree.run(&["status", "--json"]).json()["reranker"].is_null());
}

#[test]
fn all_is_embedded_when_that_is_said_and_touched_takes_it_back() {
    let tree = tree();
    tree.run(&["index", "--model", "mine"]).status(0);
    let by_meaning = tree.run(&["strip auth", "--mode", "semantic"]);
    by_meaning.refused().complains("wherein index --model mine --embed all");
    tree.run(&["index", "--embed", "all"])
        .status(0)
        .says("2 of 2 chunks have vectors (model mine)");
    let json = tree.run(&["strip auth", "--json"]).status(0).json();
    assert_eq!(
        (&json["model"], &json["reranked"]["vectors"]),
        (&"mine".into(), &2.into()),
        "{json}"
    );
    tree.run(&["strip auth", "--mode", "semantic"]).status(0).says("src/auth.rs");
    // What is there is kept by those who only name the model again.
    tree.run(&["index", "--model", "mine"]).status(0).says("(model mine)");
    tree.run(&["index", "--embed", "touched"]).status(0).says("(model builtin-code-v1)");
    let json = tree.run(&["strip auth", "--json"]).status(0).json();
    let seen = (&json["model"], &json["reranked"]["model"]);
    assert_eq!(seen, (&"builtin-code-v1".into(), &"mine".into()), "{json}");
}

#[test]
fn the_setting_is_a_users_and_has_each_source() {
    let tree = tree();
    tree.run(&["config", "--origin"]).says("embed = \"touched\"  # default");
    tree.write_user_settings("model = 'mine'\nembed = 'all'\n");
    tree.run(&["config", "--origin"]).says("embed = \"all\"  # user file ");
    tree.run(&["config", "--origin", "--embed", "touched"]).says("# flag --embed");
    let first = tree.run(&["strip auth", "--json"]).status(0).json();
    assert_eq!(first["model"], "builtin-code-v1", "no question waits for all: {first}");
    assert_eq!(first["reranked"]["model"], "mine", "{first}");
    tree.run(&["index"]).status(0).says("(model mine)");
    let mut command = tree.command(&["config", "--origin"]);
    command.env("WHEREIN_EMBED", "some");
    tree.finish(command).refused().complains("embed (environment WHEREIN_EMBED)");
    tree.write(".wherein.toml", "embed = 'all'\n");
    tree.run(&["strip auth"]).refused().complains(".wherein.toml");
}

#[test]
fn a_model_that_went_leaves_the_proposal() {
    let tree = tree();
    tree.run(&["index", "--model", "mine"]).status(0);
    let weights = tree.models().join("mine/model.onnx");
    let whole = std::fs::read(&weights).unwrap();
    std::fs::write(&weights, "cut").unwrap();
    // A question that was never asked, so that the cache of vectors does not know it.
    let damaged = tree.run(&["auth to strip", "--json"]).status(0).json();
    let seen = (&damaged["mode"], &damaged["model"], damaged.get("reranked"));
    assert_eq!(seen, (&"hybrid".into(), &"builtin-code-v1".into(), None), "{damaged}");
    assert!(damaged["degraded"][0].as_str().unwrap().contains("model.onnx"), "{damaged}");
    tree.run(&["auth to strip", "--model", "mine"]).status(2).complains("model.onnx");
    std::fs::write(&weights, whole).unwrap();
    tree.run(&["model", "remove", "mine"]).status(0);
    let told = "the first places here are compared with mine, which is not in ";
    tree.run(&["strip auth"]).status(0).says("src/auth.rs").complains(told);
    let json = tree.run(&["strip auth", "--json"]).status(0).json();
    assert_eq!((&json["mode"], &json["model"]), (&"hybrid".into(), &"builtin-code-v1".into()));
    tree.run(&["index"]).status(0).complains(told);
    tree.run(&["index", "--embed", "all"]).status(0).complains(told);
    assert_eq!(tree.run(&["status", "--json"]).json()["reranker"], "mine");
    tree.run(&["strip auth", "--model", "mine"]).refused();
}

#[test]
fn what_a_killed_question_embedded_is_kept() {
    let tree = super::processes::tree_of(30, 60);
    tree.add_model("bge-small-shaped");
    tree.run(&["index", "--model", "mine"]).status(0);
    let mut child = super::processes::start(&tree, &[super::processes::QUESTION]);
    let cache = tree.index_base().join("vectors-1.sqlite-wal");
    for _ in 0..2_000 {
        if cache.metadata().is_ok_and(|m| m.len() > 300_000) {
            break;
        }
        std::thread::sleep(std::time::Duration::from_millis(2));
    }
    let _ = child.kill();
    child.wait().unwrap();
    let told = tree.run(&[super::processes::QUESTION, "--json"]).status(0).json();
    assert!(told["reranked"]["cached"].as_u64() > Some(0), "{told}");
}

/// A look-up of words must not wait for a model, nor for its files to be there.
#[test]
fn only_questions_of_meaning_touch() {
    let tree = tree();
    for mode in ["keyword", "exact", "regex"] {
        let run = tree.run(&["strip_auth", "--mode", mode, "--model", "mine", "--json"]);
        assert!(run.status(0).json().get("reranked").is_none());
    }
    assert!(!tree.index_base().join("vectors-1.sqlite").exists());
    let late = ["strip auth", "--model", "mine", "--embed-within", "0", "--json"];
    let late = tree.run(&late).status(0).json();
    assert_eq!(late["reranked"]["embedded"], 0, "{late}");
    assert!(late["degraded"][0].as_str().unwrap().contains("in time"), "{late}");
}

//! `wherein eval`: a question file from the first line to the tables.

use super::tree::Tree;

const CODE: &str = "fn lock_account(user: u32) {\n    block(user);\n}\n";

const SUITE: &str = r#"{"suite": "shop", "repositories": [{"name": "shop", "language": "rust"}],
  "questions": [{"id": "shop/0", "repo": "shop", "question": "block a user", "category": "concept",
    "grep_phrase": "keep out", "grep_word": "user", "published": {"bm25": 3},
    "answers": [{"path": "src/lock.rs", "start": 1, "end": 3, "symbol": "lock_account"}]}]}"#;

fn tree() -> Tree {
    Tree::new(&[("src/lock.rs", CODE), ("q.json", SUITE)])
}

#[test]
fn a_new_question_file_is_valid_unfilled_and_never_overwritten() {
    let tree = Tree::new(&[("src/lock.rs", CODE)]);
    tree.run(&["eval", "init"]).status(0).says("wherein eval wherein-questions.json --compare");
    let text = std::fs::read_to_string(tree.root().join("wherein-questions.json")).unwrap();
    assert!(text.contains(r#""suite": "tree""#) && text.contains("BEFORE"), "{text}");
    let unfilled = tree.run(&["eval", "wherein-questions.json", "--compare"]);
    unfilled
        .refused()
        .complains("question 'tree/0' of wherein-questions.json is still the example");
    tree.run(&["eval", "init"]).refused().complains("--force");
    tree.run(&["eval", "init", "--force", "--repo-name", "shop"]).status(0);
    let text = std::fs::read_to_string(tree.root().join("wherein-questions.json")).unwrap();
    assert!(text.contains(r#""suite": "shop""#), "{text}");
}

#[test]
fn a_suite_of_one_repository_needs_no_checkouts() {
    let tree = tree();
    tree.run(&["eval", "q.json", "--compare"])
        .status(0)
        .says("block a user (lock_account)")
        .says("1 / 1");
    tree.run(&["eval", "q.json", "--mode", "keyword"]).status(0).says("ndcg@10");
}

#[test]
fn the_places_of_one_mode_are_written_for_other_judges() {
    let tree = tree();
    tree.run(&["eval", "q.json", "--mode", "keyword", "--results", "out.jsonl"]).status(0);
    let text = std::fs::read_to_string(tree.root().join("out.jsonl")).unwrap();
    let wanted = r#"{"id":"shop/0","results":[{"path":"src/lock.rs","start":1,"end":3}]}"#;
    assert_eq!(text.trim_end(), wanted);
    tree.run(&["eval", "q.json", "--path", "nowhere/", "--json"]).status(0).says("\"mrr\":0.0");
}

#[test]
fn formats_of_a_comparison() {
    let tree = tree();
    let args = ["eval", "q.json", "--compare", "--path", "src/", "--published"];
    let run = |more: &[&str]| tree.run(&[&args[..], more].concat());
    run(&["--markdown"])
        .status(0)
        .says("| block a user (`lock_account`) | \"keep out\": 0 | \"user\": 2 | 1 |")
        .says("| src/ | all (1) | 1 / 1 |")
        .says("published rank");
    let value = run(&["--json"]).json();
    assert_eq!(value["questions"][0]["ranks"]["src/"]["keyword"], 1);
    run(&["--plot", "p.svg"]).status(0);
    let svg = std::fs::read_to_string(tree.root().join("p.svg")).unwrap();
    assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"), "{svg}");
}

#[test]
fn a_suite_is_judged_in_either_profile() {
    let tree = tree();
    let profile = |more: &[&str]| {
        let run = tree.run(&[&["eval", "q.json", "--compare", "--json"], more].concat());
        run.status(0).json()["profile"].clone()
    };
    assert_eq!(profile(&[]), "symbols");
    assert_eq!(profile(&["--profile", "lines"]), "lines");
    tree.run(&["eval", "q.json", "--profile", "words"]).refused().complains("symbols and lines");
}

#[test]
fn what_cannot_be_compared_is_refused() {
    let tree = tree();
    tree.run(&["eval"]).status(2);
    tree.run(&["eval", "q.json", "--markdown"]).status(2);
    tree.run(&["eval", "q.json", "--compare", "--mode", "keyword"]).status(2);
    tree.run(&["eval", "q.json", "--model", "a", "--model", "b"]).refused().complains("--compare");
    tree.run(&["eval", "q.json", "--compare", "--model", "nope"]).refused().complains("'nope'");
    tree.run(&["eval", "q.json", "--compare", "--plot", "no/p.svg"]).refused();
    assert!(!tree.root().join("no").exists());
}

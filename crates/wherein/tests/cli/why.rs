//! `wherein why`, and what people are told beside hits: reasons, and that nothing is close.

use super::tree::Tree;

const AUTH: &str = "\
/// Drops credentials when a redirect leaves the host.
pub fn strip_auth(headers: &mut Headers, host: &str) {
    if headers.host() != host {
        headers.remove(\"Authorization\");
    }
}
";

fn tree() -> Tree {
    Tree::new(&[
        ("src/auth.rs", AUTH),
        ("src/cart.rs", "/// Sums up the prices of a cart.\npub fn total() {}\n"),
        ("tests/auth.rs", "#[test]\nfn strip_auth_on_redirect() {\n    strip_auth();\n}\n"),
    ])
}

#[test]
fn a_place_is_told_its_rank_its_reasons_and_its_losses() {
    let tree = tree();
    let run = tree.run(&["why", "tests/auth.rs:3", "strip auth on redirect"]);
    run.status(0).says("tests/auth.rs:1-4  #2 of ").says("a test: pushed down");
    run.says("loses in").says("the first src/auth.rs:1-6").says("score");
    let first = tree.run(&["why", "src/auth.rs", "strip auth on redirect"]);
    first.status(0).says("the first of ").says("defines `strip_auth`");
}

#[test]
fn json_is_one_object() {
    let tree = tree();
    let run = tree.run(&["why", "tests/auth.rs:3-4", "strip auth", "--json"]);
    let value = run.status(0).json();
    assert_eq!((&value["standing"], &value["rank"]), (&"ranked".into(), &2.into()));
    assert_eq!((&value["start_line"], &value["end_line"]), (&3.into(), &4.into()));
    assert_eq!(value["first"]["path"], "src/auth.rs");
    assert!(
        value["place"]["parts"]["reasons"].as_array().is_some_and(|reasons| reasons.len() >= 2)
    );
    assert_eq!(value["losses"][0]["group"], "kind");
}

#[test]
fn what_is_no_candidate_is_one_and_what_is_no_place_two() {
    let tree = tree();
    tree.write(".gitignore", "hidden.rs\n");
    tree.write("hidden.rs", "fn strip_auth() {}\n");
    let why = |args: &[&str]| tree.run(&[&["why"], args].concat());
    why(&["hidden.rs", "strip auth"]).status(1).says("not searched").says(".gitignore");
    let filtered = why(&["src/auth.rs:2", "strip auth", "--kind", "test"]);
    filtered.status(1).says("only other kinds of file were asked for");
    why(&["src/none.rs", "strip auth"]).status(2).complains("there is no file src/none.rs");
    why(&["src/auth.rs:99", "strip auth"]).status(2).complains("no line 99");
    why(&["src/auth.rs:0", "strip auth"]).status(2).complains("names no lines");
    why(&["src/auth.rs", "strip auth", "--mode", "exact"]).status(2).complains("ranks nothing");
}

#[test]
fn explained_hits_give_their_reasons_first() {
    let tree = tree();
    let run = tree.run(&["strip auth on redirect", "--explain"]);
    run.status(0).says("\n  defines `strip_auth`; ").says("\n  score ");
}

#[test]
fn people_are_told_that_nothing_is_close_and_programs_are_not() {
    let tree = tree();
    let told = "wherein: nothing is close; these are the nearest places";
    let question = ["prices of quantum entanglement in violin concertos"];
    tree.run(&question).status(0).complains(told);
    let value = tree.run(&[&question[..], &["--json"]].concat()).json();
    assert_eq!(value["confidence"], "low");
    let listed = tree.run(&[&question[..], &["-l"]].concat());
    listed.check(!listed.stderr().contains(told), "no remark beside paths");
    let sure = tree.run(&["strip_auth"]);
    sure.check(!sure.stderr().contains(told), "no remark where the answer is at hand");
}

//! C6: a filter acts before anything is cut off; a limit cuts hits and not the count.

use wherein_engine::{Engine, EngineOptions, SearchRequest};

use crate::fixture::{Tree, ask, exact, printed, within};

#[test]
fn c06_a_path_filter_acts_before_the_cut() {
    let tree = Tree::new("");
    for i in 0..1000 {
        // Shorter and more frequent than the one inside: any cut before the filter would lose it.
        tree.write(format!("outside/f{i}.rs"), "walrus walrus walrus\n");
    }
    let filler = "something else altogether\n".repeat(50);
    tree.write("sub/inside.rs", format!("{filler}walrus\n"));
    tree.write("subway/near.rs", "walrus walrus\n");
    for path in
        ["sub", "sub/", "./sub", "./sub/", "sub/inside.rs", "sub/*.rs", "sub/**", "**/inside.rs"]
    {
        let request =
            within(SearchRequest { limit: Some(3), ..SearchRequest::new("walrus") }, &[path]);
        // A long chunk is shown by the lines that have most of the question.
        tree.check(&request, &["sub/inside.rs:16-51"]);
        tree.check(&within(exact("walrus"), &[path]), &["sub/inside.rs:51-51"]);
    }
    // From inside: the folder is a root of its own.
    let inside = EngineOptions { root: tree.path("sub"), ..tree.options() };
    let engine = Engine::open(inside).unwrap();
    assert_eq!(printed(&ask(&engine, &SearchRequest::new("walrus")).hits), ["inside.rs:16-51"]);
}

#[test]
fn a_limit_cuts_the_hits_but_not_the_count() {
    let tree = Tree::new("//- a.txt\nx\nx\nx\n");
    let answer = ask(&tree.engine(), &SearchRequest { limit: Some(2), ..exact("x") });
    assert_eq!(
        (printed(&answer.hits), answer.n_matches),
        (vec!["a.txt:1-1".into(), "a.txt:2-2".into()], 3)
    );
}

#[test]
fn the_column_is_that_of_the_first_match() {
    let tree = Tree::new("");
    tree.write("a.txt", format!("needle\n{}needle\n", "x".repeat(9_999)));
    let hits = ask(&tree.engine(), &exact("needle")).hits;
    assert_eq!(hits.iter().map(|hit| hit.column).collect::<Vec<_>>(), [1, 10_000]);
}

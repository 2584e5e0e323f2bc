//! The index follows the tree: saved, renamed over, switched and deleted files.

use std::fs;

use wherein_engine::Engine;

use crate::fixture::{Tree, ask, check, exact, git, keyword, printed, refresh};

#[test]
fn a_question_finds_the_place() {
    check(
        "
        //- src/auth.rs
        fn strip_auth() {}
        //- src/main.rs
        fn main() {}
        ",
        "strip auth",
        "src/auth.rs:1-1",
    );
}

#[test]
fn c03_editor_renames_over() {
    let tree = Tree::new("//- src/a.rs\nfn old_walrus() {}\n");
    let engine = tree.engine();
    assert_eq!(printed(&ask(&engine, &keyword("walrus")).hits), ["src/a.rs:1-1"]);
    let before = fs::metadata(tree.path("src/a.rs")).unwrap();
    // Of the same length and with the same time, as some tools save.
    tree.write("src/.a.rs.swp~", "fn new_ostric() {}\n");
    let file = fs::File::options().write(true).open(tree.path("src/.a.rs.swp~")).unwrap();
    file.set_modified(before.modified().unwrap()).unwrap();
    fs::rename(tree.path("src/.a.rs.swp~"), tree.path("src/a.rs")).unwrap();
    for engine in [&engine, &tree.engine()] {
        assert_eq!(printed(&ask(engine, &keyword("ostric")).hits), ["src/a.rs:1-1"]);
        assert!(ask(engine, &keyword("walrus")).hits.is_empty());
        assert!(ask(engine, &exact("old_walrus")).hits.is_empty());
    }
}

#[test]
fn c03_saved_in_place_with_size_and_time_kept() {
    let tree = Tree::new("//- a.rs\nfn old_walrus() {}\n");
    let engine = tree.engine();
    refresh(&engine);
    let time = fs::metadata(tree.path("a.rs")).unwrap().modified().unwrap();
    tree.write("a.rs", "fn new_ostric() {}\n");
    fs::File::options().write(true).open(tree.path("a.rs")).unwrap().set_modified(time).unwrap();
    assert_eq!(printed(&ask(&engine, &keyword("ostric")).hits), ["a.rs:1-1"]);
    assert!(ask(&engine, &keyword("walrus")).hits.is_empty());
}

/// Two branches: `main` has `walrus` in a.rs and only_main.rs, `side` has `ostrich` and only_side.rs.
fn two_branches() -> Option<Tree> {
    let tree = Tree::new(
        "
        //- a.rs
        fn walrus() {}
        //- same.rs
        fn same_everywhere() {}
        //- only_main.rs
        fn only_on_main() {}
        ",
    );
    let git = |arguments: &[&str]| git(&tree.root(), tree.outside(), arguments);
    git(&["init", "-q"])?;
    git(&["add", "."])?;
    git(&["commit", "-qm", "main"])?;
    git(&["checkout", "-qb", "side"])?;
    git(&["rm", "-q", "only_main.rs"])?;
    tree.write("a.rs", "fn ostrich() {}\n");
    tree.write("only_side.rs", "fn only_on_side() {}\n");
    git(&["add", "."])?;
    git(&["commit", "-qm", "side"])?;
    git(&["checkout", "-q", "main"])?;
    Some(tree)
}

#[test]
fn c04_branch_switch_and_back() {
    let Some(tree) = two_branches() else { return };
    let engine = tree.engine();
    let first_of = |engine: &Engine, question| printed(&ask(engine, &keyword(question)).hits);
    for branch in ["main", "side", "main", "side"] {
        git(&tree.root(), tree.outside(), &["checkout", "-q", branch]);
        let on_main = branch == "main";
        let place = |there: bool, file: &str| match there {
            true => vec![format!("{file}:1-1")],
            false => vec![],
        };
        assert_eq!(first_of(&engine, "walrus"), place(on_main, "a.rs"), "{branch}");
        assert_eq!(first_of(&engine, "ostrich"), place(!on_main, "a.rs"), "{branch}");
        let lines_of = |text| printed(&ask(&engine, &exact(text)).hits);
        assert_eq!(lines_of("only_on_main"), place(on_main, "only_main.rs"));
        assert_eq!(lines_of("only_on_side"), place(!on_main, "only_side.rs"));
        assert_eq!(first_of(&engine, "same_everywhere"), ["same.rs:1-1"]);
    }
}

#[test]
fn c04_a_switch_touches_only_what_differs() {
    let Some(tree) = two_branches() else { return };
    let engine = tree.engine();
    assert_eq!(refresh(&engine).added, 3);
    git(&tree.root(), tree.outside(), &["checkout", "-q", "side"]);
    let report = refresh(&engine);
    assert_eq!((report.added, report.changed, report.removed), (1, 1, 1));
}

#[test]
fn c05_deleted_while_nothing_ran() {
    let tree = Tree::new(
        "
        //- gone/deep/a.rs
        fn walrus_one() {}
        //- gone.rs
        fn walrus_two() {}
        //- stays.rs
        fn walrus_three() {}
        ",
    );
    refresh(&tree.engine());
    tree.remove("gone");
    tree.remove("gone.rs");
    tree.check(&keyword("walrus"), &["stays.rs:1-1"]);
    tree.check(&exact("walrus"), &["stays.rs:1-1"]);
    assert_eq!(tree.engine().status().unwrap().n_files, 1);
}

#[test]
fn without_a_refresh_no_deleted_file_breaks_the_answer() {
    let tree = Tree::new("//- a.rs\nfn walrus() {}\n");
    let engine = tree.engine();
    refresh(&engine);
    tree.remove("a.rs");
    let hits = engine.search(&keyword("walrus")).expect("an answer").hits;
    assert!(hits.iter().all(|hit| hit.snippet.is_empty()));
    assert!(engine.search(&exact("walrus")).expect("an answer").hits.is_empty());
    assert!(engine.status().unwrap().stale);
}

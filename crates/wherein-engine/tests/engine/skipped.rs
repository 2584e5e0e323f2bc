//! C13 and C14: links are not followed, and what is not searched is counted by reason.

use wherein_engine::SkipReason;

use crate::fixture::{Tree, ask, counts, exact, keyword, refresh};

#[cfg(unix)]
#[test]
fn c13_links_are_not_followed_and_loops_end() {
    use std::os::unix::fs::symlink;
    let tree = Tree::new("//- real/a.rs\nfn walrus() {}\n");
    symlink("real", tree.path("linked_dir")).unwrap();
    symlink(".", tree.path("real/loop")).unwrap();
    symlink("../..", tree.path("real/up")).unwrap();
    symlink("real/a.rs", tree.path("linked.rs")).unwrap();
    symlink("nowhere", tree.path("dangling")).unwrap();
    symlink("self", tree.path("self")).unwrap();
    tree.check(&exact("walrus"), &["real/a.rs:1-1"]);
    assert_eq!(refresh(&tree.engine()).skipped.get(SkipReason::Symlink), 6);
}

#[test]
fn c14_the_only_answer_is_in_a_file_that_is_not_searched() {
    let tree = Tree::new(
        "
        //- .gitignore
        ignored.rs
        //- ignored.rs
        fn walrus() {}
        //- node_modules/m.js
        walrus()
        //- yarn.lock
        walrus
        //- .env
        walrus
        //- a.rs
        fn other() {}
        ",
    );
    tree.write("big.rs", format!("fn walrus() {{}}\n{}", "x\n".repeat(600_000)));
    tree.write("binary.rs", b"\0walrus");
    let engine = tree.engine();
    for request in [keyword("walrus"), exact("walrus")] {
        let answer = ask(&engine, &request);
        assert!(answer.hits.is_empty());
        let expected = "ignored 1, excluded_dir 1, binary 1, too_large 1, lockfile 1, sensitive 1";
        assert_eq!(counts(&answer.skipped), expected);
    }
    let later = tree.engine().search(&keyword("walrus")).unwrap();
    assert_eq!(later.skipped.total(), 6, "also without a refresh");
}

/// Reading a pipe waits for somebody who writes.
#[cfg(unix)]
#[test]
fn c14_a_pipe_is_named_and_never_read() {
    let tree = Tree::new("//- a.rs\nfn walrus() {}\n");
    let made = std::process::Command::new("mkfifo").arg(tree.path("pipe")).status();
    if !made.is_ok_and(|status| status.success()) {
        println!("SKIPPED: no mkfifo here");
        return;
    }
    let engine = tree.engine();
    assert_eq!(refresh(&engine).skipped.get(SkipReason::Special), 1);
    let why = engine.why("pipe".as_ref()).unwrap();
    assert_eq!(why.reason.as_deref(), Some("special"), "{why:?}");
}

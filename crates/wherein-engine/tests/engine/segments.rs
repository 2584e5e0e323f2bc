//! Equivalence: however many threads made an index and however its segments were merged, it answers alike.

use wherein_engine::{Engine, EngineOptions, Mode};

use crate::fixture::{Tree, keyword, refresh};
use crate::incremental::{WORDS, everything, fresh};

/// About a megabyte in files of many sizes: enough for every thread to make segments.
fn large_tree() -> Tree {
    let tree = Tree::new("");
    for i in 0..120_usize {
        let lines = (0..20 + i * 7 % 300).map(|j| {
            let (a, b) = (WORDS[(i + j) % 8], WORDS[(i * j + 3) % 8]);
            format!("fn {a}_{}(x: {b}) {{ call_{}(x, {j}) }}\n", j % 17, (i * 31 + j) % 101)
        });
        tree.write(
            format!("d{}/file{i}.{}", i % 7, ["rs", "py", "md"][i % 3]),
            lines.collect::<String>(),
        );
    }
    tree
}

#[test]
fn one_thread_equals_many() {
    let tree = large_tree();
    let questions = ["walrus", "call_17 redirect", "strip auth parseHeader", "sha256", "fn x"];
    let with = |threads, base: &str| {
        let index_base = tree.outside().join(base);
        let options = EngineOptions { threads: Some(threads), index_base, ..tree.options() };
        everything(&Engine::open(options).unwrap(), &questions)
    };
    let one = with(1, "one");
    assert!(one.len() > 1000, "there is something to compare: {}", one.len());
    for threads in [2, 4, 7] {
        assert!(one == with(threads, &format!("{threads}")), "{threads} threads differ from one");
    }
}

#[test]
fn many_small_edits_keep_few_segments() {
    let tree = large_tree();
    let engine = tree.engine();
    refresh(&engine);
    let questions = ["walrus", "call_17 redirect", "edited"];
    for i in 0..30 {
        tree.write(
            format!("d{}/edit{}.rs", i % 3, i % 12),
            format!("fn edited_{i}() {{ walrus() }}\n"),
        );
        refresh(&engine);
        let segments = engine.index_dir().join("segments");
        let n_segments = std::fs::read_dir(segments).unwrap().count();
        assert!(n_segments <= 12, "{n_segments} segments after {} edits", i + 1);
    }
    assert!(
        everything(&engine, &questions) == fresh(&tree, &questions),
        "differs from a fresh index"
    );
}

#[test]
fn an_unchanged_tree_is_not_written_again() {
    let tree = Tree::new("//- a.rs\nfn walrus() {}\n");
    let engine = tree.engine();
    let first = refresh(&engine).generation;
    for _ in 0..3 {
        let report = refresh(&engine);
        assert_eq!((report.generation, report.added, report.changed), (first, 0, 0));
    }
    assert_eq!(engine.search(&keyword("walrus")).unwrap().mode, Mode::Keyword);
}

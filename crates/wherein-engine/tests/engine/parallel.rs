//! Several engines on one index at once: one writer, readers go on, every answer is right.

use std::sync::atomic::{AtomicUsize, Ordering};

use wherein_engine::{ErrorKind, Event};

use crate::fixture::{Tree, exact, keyword, printed, refresh};

#[test]
fn c17_eight_threads_refresh_and_search_one_index() {
    let tree = Tree::new("//- stays.rs\nfn walrus() {}\n");
    for i in 0..50 {
        tree.write(format!("src/f{i}.rs"), format!("fn number_{i}() {{ ostrich() }}\n").repeat(20));
    }
    std::thread::scope(|scope| {
        for thread in 0..8 {
            let tree = &tree;
            scope.spawn(move || {
                let engine = tree.engine();
                for round in 0..10 {
                    let mine = format!("own/t{thread}.rs");
                    tree.write(&mine, format!("fn own_{thread}_{round}() {{}}\n"));
                    // Others may hold the lock for long on a slow machine; then the answer may be older.
                    let report =
                        engine.refresh(&|_| ()).unwrap_or_else(|e| panic!("{thread}/{round}: {e}"));
                    let found = printed(&engine.search(&keyword("walrus")).unwrap().hits);
                    assert_eq!(found, ["stays.rs:1-1"]);
                    if report.degraded.is_empty() {
                        let own = engine.search(&exact(&format!("own_{thread}_{round}("))).unwrap();
                        assert_eq!(printed(&own.hits), [format!("{mine}:1-1")], "{thread}/{round}");
                    }
                }
            });
        }
    });
    let engine = tree.engine();
    assert_eq!(refresh(&engine).n_files, 59);
    for thread in 0..8 {
        tree.check(&exact(&format!("own_{thread}_9")), &[&format!("own/t{thread}.rs:1-1")]);
    }
}

#[test]
fn c17_a_first_index_is_built_once() {
    let tree = Tree::new("");
    for i in 0..200 {
        tree.write(format!("f{i}.rs"), format!("fn number_{i}() {{ ostrich() }}\n").repeat(30));
    }
    let n_indexed = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                let engine = tree.engine();
                let count = |event| {
                    if matches!(event, Event::Indexed { .. }) {
                        n_indexed.fetch_add(1, Ordering::Relaxed);
                    }
                };
                engine.refresh(&count).expect("a refresh");
                assert_eq!(engine.search(&exact("number_199()")).unwrap().n_matches, 30);
            });
        }
    });
    assert_eq!(n_indexed.into_inner(), 200, "no file is indexed twice");
}

#[test]
fn c17_a_reader_keeps_its_generation_while_others_write() {
    let tree = Tree::new("//- a.rs\nfn walrus() {}\n");
    let reader = tree.engine();
    refresh(&reader);
    let writer = tree.engine();
    for i in 0..25 {
        tree.write(format!("b{i}.rs"), "fn ostrich() {}\n");
        refresh(&writer);
        assert_eq!(printed(&reader.search(&keyword("walrus")).unwrap().hits), ["a.rs:1-1"]);
        assert!(reader.search(&keyword("ostrich")).unwrap().hits.is_empty());
    }
    writer.remove_index().unwrap();
    assert_eq!(printed(&reader.search(&keyword("walrus")).unwrap().hits), ["a.rs:1-1"]);
    assert_eq!(tree.engine().search(&keyword("walrus")).unwrap_err().kind(), ErrorKind::NotIndexed);
}

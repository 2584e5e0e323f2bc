//! C10 and the sizes that break programs: large files, long lines, many lines, files that move while read.

use std::sync::atomic::{AtomicBool, Ordering};

use wherein_engine::{Engine, EngineOptions, SkipReason};

use crate::fixture::{Tree, ask, exact, keyword, printed, refresh};

#[test]
fn c10_the_last_line_of_a_large_file() {
    let tree = Tree::new("");
    let filler: String = (0..25_000).map(|i| format!("let value_{i} = compute({i});\n")).collect();
    assert!((800_000..1_000_000).contains(&filler.len()));
    let n_lines = filler.lines().count() as u32 + 1;
    tree.write("large.rs", format!("{filler}fn find_the_walrus() {{}}"));
    tree.write("huge.rs", "fn find_the_walrus() {}\n".repeat(50_000));
    let engine = tree.engine();
    let report = refresh(&engine);
    assert_eq!(report.skipped.get(SkipReason::TooLarge), 1);
    assert_eq!(report.problems.len(), 1);
    assert_eq!(report.problems[0].path, "huge.rs");
    assert!(report.problems[0].reason.contains("1200000 bytes"), "{:?}", report.problems);
    let hits = ask(&engine, &keyword("find_the_walrus")).hits;
    assert_eq!(hits[0].end_line, n_lines);
    let shown = hits[0].snippet.last().unwrap();
    assert!(shown.number == n_lines && shown.text == "fn find_the_walrus() {}", "{shown:?}");
    let line = format!("large.rs:{n_lines}-{n_lines}");
    tree.check(&exact("find_the_walrus"), &[&line]);
}

#[test]
fn c10_the_size_is_told_whenever_it_appears() {
    let tree = Tree::new("//- a.rs\nx\n");
    let engine = tree.engine();
    assert!(refresh(&engine).problems.is_empty());
    tree.write("huge.rs", "fn find_the_walrus() {}\n".repeat(50_000));
    assert_eq!(refresh(&engine).problems.len(), 1, "nothing else has changed");
    assert_eq!(tree.engine().status().unwrap().problems.len(), 1);
    tree.write("a.rs", "y\n");
    assert_eq!(refresh(&engine).problems.len(), 1);
    tree.remove("huge.rs");
    assert!(refresh(&engine).problems.is_empty());
    assert!(tree.engine().status().unwrap().problems.is_empty());
}

#[test]
fn a_hundred_thousand_short_lines() {
    let tree = Tree::new("//- a.rs\nfn other() {}\n");
    let text: String = (1..=100_000).map(|i| format!("v{i}\n")).collect();
    tree.write("many.txt", text);
    tree.check(&exact("v99999"), &["many.txt:99999-99999"]);
    let hits = ask(&tree.engine(), &keyword("v77777")).hits;
    assert!(hits[0].start_line <= 77_777 && 77_777 <= hits[0].end_line);
}

#[test]
fn one_line_of_five_megabytes() {
    let tree = Tree::new("//- a.rs\nfn walrus() {}\n");
    let line: String = (0..500_000).map(|i| format!("f({i},x);")).collect();
    tree.write("bundle.js", format!("{line}function ostrich(){{}}"));
    // By default it is over the limit; the others are found.
    tree.check(&keyword("walrus"), &["a.rs:1-1"]);
    tree.check(&keyword("ostrich"), &[]);
    let engine =
        Engine::open(EngineOptions { max_file_bytes: 10_000_000, ..tree.options() }).unwrap();
    assert_eq!(printed(&ask(&engine, &keyword("ostrich")).hits), ["bundle.js:1-1"]);
    assert_eq!(printed(&ask(&engine, &exact("ostrich")).hits), ["bundle.js:1-1"]);
    assert_eq!(printed(&ask(&engine, &keyword("walrus")).hits), ["a.rs:1-1"]);
}

/// A thread makes a file a folder and back while the tree is scanned.
#[test]
fn a_file_replaced_by_a_folder_while_scanning() {
    let tree = Tree::new("//- stays.rs\nfn walrus() {}\n");
    let stop = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while !stop.load(Ordering::Relaxed) {
                tree.write("flip", "fn flip_file() {}\n");
                tree.remove("flip");
                tree.write("flip/inner.rs", "fn flip_inner() {}\n");
                tree.remove("flip");
            }
        });
        let engine = tree.engine();
        for i in 0..50 {
            let report = engine.refresh(&|_| ());
            let report = report.inspect_err(|_| stop.store(true, Ordering::Relaxed));
            let report = report.unwrap_or_else(|e| panic!("refresh {i}: {e}"));
            let told: Vec<_> =
                report.problems.iter().map(|p| format!("{}: {}", p.path, p.reason)).collect();
            let found = printed(&engine.search(&keyword("walrus")).unwrap().hits);
            if !told.is_empty() || found != ["stays.rs:1-1"] {
                stop.store(true, Ordering::Relaxed);
            }
            assert!(told.is_empty(), "a file that moved is no problem: {told:?}");
            assert_eq!(found, ["stays.rs:1-1"]);
        }
        stop.store(true, Ordering::Relaxed);
    });
    tree.write("flip", "fn flip_file() {}\n");
    tree.check(&exact("flip_"), &["flip:1-1"]);
}

/// Root may read everything, so there the test runs again in a process without root's rights.
#[cfg(unix)]
#[test]
fn an_unreadable_file_is_a_problem_until_it_can_be_read() {
    use std::os::unix::fs::PermissionsExt;
    let tree = Tree::new("//- a.rs\nfn walrus() {}\n//- closed.rs\nfn walrus_too() {}\n");
    let set = |mode| {
        let permissions = std::fs::Permissions::from_mode(mode);
        std::fs::set_permissions(tree.path("closed.rs"), permissions).unwrap();
    };
    set(0o000);
    if std::fs::read(tree.path("closed.rs")).is_ok() {
        if std::env::var_os("WHEREIN_TEST_NOBODY").is_none() {
            run_without_rights();
        }
        return;
    }
    let engine = tree.engine();
    for round in 0..3 {
        tree.write("a.rs", format!("fn walrus() {{}} // {round}\n"));
        let report = refresh(&engine);
        assert_eq!(report.skipped.get(SkipReason::Unreadable), 1, "round {round}");
        assert_eq!(report.problems.len(), 1, "round {round}");
        tree.check(&exact("walrus"), &["a.rs:1-1"]);
        assert_eq!(refresh(&engine).generation, report.generation, "no rewriting for nothing");
    }
    set(0o644);
    assert!(refresh(&engine).problems.is_empty());
    tree.check(&exact("walrus"), &["a.rs:1-1", "closed.rs:1-1"]);
}

#[cfg(unix)]
fn run_without_rights() {
    use std::os::unix::process::CommandExt;
    const NOBODY: u32 = 65534;
    let test = "odd_trees::an_unreadable_file_is_a_problem_until_it_can_be_read";
    let nobody = std::process::Command::new(std::env::current_exe().unwrap())
        .args(["--exact", test, "--nocapture"])
        .current_dir("/")
        .env_remove("TMPDIR")
        .env("WHEREIN_TEST_NOBODY", "1")
        .uid(NOBODY)
        .gid(NOBODY)
        .output();
    match nobody {
        Err(e) => eprintln!("SKIPPED: root reads every file, and nobody may not run this: {e}"),
        Ok(output) => {
            let words = String::from_utf8_lossy(&output.stderr);
            assert!(output.status.success(), "as nobody: {words}");
        }
    }
}

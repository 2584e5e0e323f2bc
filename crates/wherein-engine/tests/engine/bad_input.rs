//! What cannot be answered is refused in one line with a hint; nothing panics and nothing is lost.

use wherein_engine::{Engine, EngineOptions, ErrorKind, SearchRequest};

use crate::fixture::{Tree, ask, exact, keyword, printed, refresh, regex, within};

/// Asks what must be refused as the caller's mistake.
#[track_caller]
fn refused(request: &SearchRequest) {
    let tree = Tree::new("//- a.rs\nfn walrus() {}\n");
    let engine = tree.engine();
    refresh(&engine);
    let error = engine.search(request).expect_err("a refusal");
    assert_eq!(error.kind(), ErrorKind::Usage, "{error}");
    assert!(error.hint().is_some(), "{error} has no hint");
    assert!(!error.to_string().contains('\n'), "one line: {error}");
    assert_eq!(printed(&engine.search(&keyword("walrus")).unwrap().hits), ["a.rs:1-1"]);
}

#[test]
fn an_empty_question() {
    refused(&keyword(""));
    refused(&keyword(" \n\t "));
    refused(&exact(""));
    refused(&regex(""));
}

#[test]
fn a_limit_of_nothing() {
    refused(&SearchRequest { limit: Some(0), ..keyword("walrus") });
    refused(&SearchRequest { limit: Some(0), ..exact("walrus") });
}

#[test]
fn an_invalid_glob() {
    refused(&within(keyword("walrus"), &["src/{a"]));
    refused(&within(exact("walrus"), &["[z-a].rs"]));
    let mut request = keyword("walrus");
    request.filter.not_paths = vec!["src/[".to_owned()];
    refused(&request);
}

#[test]
fn an_unknown_language() {
    let mut request = keyword("walrus");
    request.filter.languages = vec!["klingon".to_owned()];
    refused(&request);
}

#[test]
fn an_invalid_regex() {
    for pattern in ["(", "a{2,1}", "[z-a]", "*", "(?P<x", "\\p{Nope}"] {
        refused(&regex(pattern));
    }
    refused(&regex(&format!("({}", "x".repeat(10_000))));
    refused(&exact("two\nlines"));
}

#[test]
fn a_question_too_long_to_be_one() {
    refused(&keyword(&"word ".repeat(20_000)));
}

#[test]
fn a_question_of_ten_kilobytes() {
    let tree = Tree::new("//- a.rs\nfn walrus() {}\n//- b.rs\nfn ostrich() {}\n");
    let filler: String = (0..1400).map(|i| format!("w{i}ord ")).collect();
    let question = format!("walrus {filler}");
    assert!(question.len() > 10_000);
    assert_eq!(tree.ask(&keyword(&question)), ["a.rs:1-1"]);
    assert!(tree.ask(&exact(&question)).is_empty());
}

#[test]
fn the_longest_question_is_answered_soon() {
    let tree = Tree::new("//- a.rs\nfn walrus() {}\n");
    let filler: String = (0..9400).map(|i| format!("q{i:x}z ")).collect();
    let question = format!("walrus {filler}");
    assert!((60_000..65_536).contains(&question.len()), "{}", question.len());
    let started = std::time::Instant::now();
    assert_eq!(tree.ask(&keyword(&question)), ["a.rs:1-1"]);
    // No timing test: the fault was minutes, in an unoptimised build.
    assert!(started.elapsed().as_secs() < 20, "{:?}", started.elapsed());
}

#[test]
fn a_missing_root() {
    let tree = Tree::new("");
    let options = EngineOptions { root: tree.path("nowhere"), ..tree.options() };
    let error = Engine::open(options).expect_err("a refusal");
    assert_eq!(error.kind(), ErrorKind::Io);
    assert!(error.hint().is_some() && error.to_string().contains("nowhere"), "{error}");
}

#[test]
fn a_root_that_is_a_file() {
    let tree = Tree::new("//- a.rs\nx\n");
    let options = EngineOptions { root: tree.path("a.rs"), ..tree.options() };
    let error = Engine::open(options).expect_err("a refusal");
    assert_eq!(error.kind(), ErrorKind::Usage);
    assert!(error.hint().is_some(), "{error}");
}

#[test]
fn a_root_that_vanishes() {
    let tree = Tree::new("//- a.rs\nx\n");
    let engine = tree.engine();
    refresh(&engine);
    std::fs::remove_dir_all(tree.root()).unwrap();
    let error = engine.refresh(&|_| ()).expect_err("a refusal");
    assert_eq!(error.kind(), ErrorKind::Io);
    assert!(error.hint().is_some(), "{error}");
}

/// Root may write everywhere, so the place is one that nobody can write to: below a file.
#[test]
fn an_index_base_that_cannot_be_written() {
    let tree = Tree::new("//- a.rs\nx\n");
    std::fs::write(tree.outside().join("file"), "").unwrap();
    let index_base = tree.outside().join("file/cache");
    let engine = Engine::open(EngineOptions { index_base, ..tree.options() }).unwrap();
    let error = engine.refresh(&|_| ()).expect_err("a refusal");
    assert_eq!(error.kind(), ErrorKind::Io);
    assert!(error.hint().is_some(), "{error}");
    assert_eq!(engine.search(&keyword("x")).expect_err("no index").kind(), ErrorKind::NotIndexed);
}

#[test]
fn asking_before_indexing() {
    let tree = Tree::new("//- a.rs\nx\n");
    let error = tree.engine().search(&keyword("x")).expect_err("no index");
    assert_eq!(error.kind(), ErrorKind::NotIndexed);
    assert!(error.hint().is_some());
    assert!(!Engine::has_index(&tree.options().index_base, &tree.root()));
}

#[test]
fn an_empty_folder_and_empty_files() {
    let tree = Tree::new("//- empty.rs\n//- blank.rs\n\n\n");
    let answer = ask(&tree.engine(), &keyword("anything"));
    assert!(answer.hits.is_empty());
    assert_eq!(tree.engine().status().unwrap().n_files, 2);
    let nothing = Tree::new("");
    assert!(nothing.ask(&keyword("anything")).is_empty());
    assert!(nothing.ask(&regex(".")).is_empty());
    assert!(!nothing.engine().status().unwrap().stale);
}

#[test]
fn an_index_base_inside_the_tree_is_not_searched() {
    let tree = Tree::new("//- a.rs\nfn walrus() {}\n");
    let options = EngineOptions { index_base: tree.path("cache"), ..tree.options() };
    let engine = Engine::open(options).unwrap();
    for _ in 0..3 {
        assert_eq!(printed(&ask(&engine, &exact("walrus")).hits), ["a.rs:1-1"]);
    }
    assert_eq!(refresh(&engine).n_files, 1);
    assert_eq!(refresh(&engine).generation, 1);
}

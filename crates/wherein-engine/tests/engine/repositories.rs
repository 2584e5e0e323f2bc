//! C21: git worktrees, submodules, nested repositories and the copies that agents keep.

use std::path::Path;

use wherein_engine::{Engine, EngineOptions, SkipReason};

use crate::fixture::{Tree, ask, exact, git, kept, printed, refresh};

/// A repository with one commit; `None` without git.
fn repository() -> Option<Tree> {
    let tree = Tree::new("//- .gitignore\n*.log\n//- src/a.rs\nfn walrus() {}\n");
    let root = tree.root();
    commit_all(&tree, &root)?;
    Some(tree)
}

fn commit_all(tree: &Tree, dir: &Path) -> Option<()> {
    git(dir, tree.outside(), &["init", "-q"])?;
    git(dir, tree.outside(), &["add", "-A"])?;
    git(dir, tree.outside(), &["commit", "-qm", "first"])?;
    Some(())
}

fn add_worktree(tree: &Tree, place: &str, branch: &str) {
    git(&tree.root(), tree.outside(), &["worktree", "add", "-q", place, "-b", branch]);
}

fn engine_at(tree: &Tree, root: &Path) -> Engine {
    Engine::open(EngineOptions { root: root.to_path_buf(), ..tree.options() }).unwrap()
}

#[test]
fn c21_a_worktree_outside_and_inside_works() {
    let Some(tree) = repository() else { return };
    add_worktree(&tree, "../beside", "beside");
    add_worktree(&tree, ".claude/worktrees/agent", "agent");
    for place in ["../beside", ".claude/worktrees/agent"] {
        let root = tree.path(place);
        tree.write(root.join("x.log"), "walrus\n");
        let engine = engine_at(&tree, &root);
        assert_eq!(printed(&ask(&engine, &exact("walrus")).hits), ["src/a.rs:1-1"], "{place}");
        assert_eq!(kept(&engine), [".gitignore", "src/a.rs"], "{place}");
    }
}

#[test]
fn c21_nested_worktrees_are_not_searched_twice() {
    let Some(tree) = repository() else { return };
    add_worktree(&tree, ".claude/worktrees/agent", "agent");
    add_worktree(&tree, "trees/feature", "feature");
    tree.check(&exact("walrus"), &["src/a.rs:1-1"]);
    let engine = tree.engine();
    let report = refresh(&engine);
    assert_eq!(report.skipped.get(SkipReason::NestedWorktree), 1);
    assert_eq!(report.skipped.get(SkipReason::ExcludedDir), 2, ".git and .claude/worktrees");
    let why = engine.why("trees/feature/src/a.rs".as_ref()).unwrap();
    assert_eq!(why.reason.as_deref(), Some("nested_worktree"), "{why:?}");
}

#[test]
fn c21_ten_worktrees_of_one_repository() {
    let Some(tree) = repository() else { return };
    for i in 0..10 {
        add_worktree(&tree, &format!("../tree{i}"), &format!("b{i}"));
        let root = tree.path(format!("../tree{i}"));
        tree.write(root.join("own.rs"), format!("fn ostrich_{i}() {{}}\n"));
    }
    for i in 0..10 {
        let engine = engine_at(&tree, &tree.path(format!("../tree{i}")));
        assert_eq!(printed(&ask(&engine, &exact("walrus")).hits), ["src/a.rs:1-1"]);
        let own: Vec<String> =
            ask(&engine, &exact("ostrich_")).hits.into_iter().map(|hit| hit.path).collect();
        assert_eq!(own, ["own.rs"], "no worktree answers for another");
        assert!(ask(&engine, &exact(&format!("ostrich_{i}("))).n_matches == 1);
    }
    // From the folder that holds them all, each is a place of its own until they share a root.
    let above = engine_at(&tree, tree.outside());
    assert_eq!(ask(&above, &exact("walrus")).n_matches, 1, "the repository lies inside this root");
}

#[cfg(unix)]
#[test]
fn c21_worktrees_share_their_segments_on_disk() {
    use std::os::unix::fs::MetadataExt;
    let tree = Tree::new("//- .gitignore\n*.log\n");
    for i in 0..60 {
        let function = |f| format!("fn handle_{i}_{f}(session: &Session_{i}) -> Reply_{f} {{}}\n");
        tree.write(format!("src/m{i}.rs"), (0..40).map(function).collect::<String>());
    }
    let Some(()) = commit_all(&tree, &tree.root()) else { return };
    let first = tree.engine();
    refresh(&first);
    let one = std::fs::read_dir(first.index_dir().join("segments")).unwrap().flatten();
    let one: u64 = one.map(|entry| entry.metadata().unwrap().len()).sum();
    let mut inodes = std::collections::HashMap::new();
    for i in 0..10 {
        add_worktree(&tree, &format!("../tree{i}"), &format!("b{i}"));
        let root = tree.path(format!("../tree{i}"));
        tree.write(root.join("src/m3.rs"), format!("fn ostrich_{i}() {{}}\n"));
        let engine = engine_at(&tree, &root);
        let report = refresh(&engine);
        assert_eq!((report.added, report.changed), (0, 1), "only the edited file is indexed");
        let found = ask(&engine, &crate::fixture::keyword(&format!("ostrich_{i}")));
        assert_eq!(printed(&found.hits)[0], "src/m3.rs:1-1");
        let fresh = EngineOptions { index_base: tree.path(format!("fresh{i}")), ..tree.options() };
        let fresh = Engine::open(EngineOptions { root, ..fresh }).unwrap();
        refresh(&fresh);
        let question = crate::fixture::keyword("handle session reply");
        assert_eq!(ask(&engine, &question).hits, ask(&fresh, &question).hits);
        for entry in std::fs::read_dir(engine.index_dir().join("segments")).unwrap().flatten() {
            let metadata = entry.metadata().unwrap();
            inodes.insert(metadata.ino(), metadata.len());
        }
    }
    let ten: u64 = inodes.values().sum();
    assert!(ten < 3 * one, "ten worktrees take {ten} bytes, one takes {one}");
}

#[test]
fn c21_a_submodule_is_searched() {
    let Some(tree) = repository() else { return };
    let module = tree.outside().join("module");
    tree.write(module.join("lib.rs"), "fn in_the_submodule() {}\n");
    tree.write(module.join("kept.log"), "in_the_submodule\n");
    commit_all(&tree, &module);
    git(
        &tree.root(),
        tree.outside(),
        &["submodule", "--quiet", "add", "../module", "vendor/module"],
    );
    let expected = ["vendor/module/kept.log:1-1", "vendor/module/lib.rs:1-1"];
    tree.check(&exact("in_the_submodule"), &expected);
}

#[test]
fn c21_a_nested_repository_is_searched_by_its_own_rules() {
    let Some(tree) = repository() else { return };
    tree.write("nested/b.rs", "fn ostrich() {}\n");
    tree.write("nested/kept.log", "ostrich\n");
    tree.write("nested/gone.tmp", "ostrich\n");
    tree.write("nested/.gitignore", "*.tmp\n");
    tree.write("outer.log", "ostrich\n");
    commit_all(&tree, &tree.path("nested"));
    tree.write(".git/info/exclude", "b.rs\n");
    tree.check(&exact("ostrich"), &["nested/b.rs:1-1", "nested/kept.log:1-1"]);
}

#[test]
fn c21_a_subfolder_of_a_worktree_keeps_the_rules_above() {
    let Some(tree) = repository() else { return };
    add_worktree(&tree, "../beside", "beside");
    let root = tree.path("../beside/src");
    tree.write(root.join("x.log"), "walrus\n");
    let engine = engine_at(&tree, &root);
    assert_eq!(printed(&ask(&engine, &exact("walrus")).hits), ["a.rs:1-1"]);
}

//! C13: what git would list is searched, minus the built-in rules.
//!
//! The engine reads the user's global excludes from the home folder, so the comparison runs in a process of
//! its own with a home made for it.

use std::path::Path;
use std::process::Command;

use wherein_engine::{Engine, EngineOptions};

use crate::fixture::{Tree, git, kept};

/// Ignore files that use what the format has; every file below is named for what becomes of it.
const RULES: &str = r"
    //- .gitignore
    # a comment
    \#literal_hash
    \!literal_bang
    *.log
    !keep.log
    /anchored.txt
    dir_only/
    a/**/z.txt
    **/deep_name.txt
    inside/**
    trailing_space.txt   
    kept_space\ 
    wild?.txt
    [ab]class.txt
    [!c]neg.txt
    slash/in/middle.txt
    folder_star/*
    !folder_star/kept.txt
    parent_gone/
    !parent_gone/not_lifted.txt
    *.tmp
    nested/anchored_from_top.txt
    esc\*star.txt
    ünïcode.txt
    //- nested/.gitignore
    /anchored.txt
    !lifted.tmp
    *.loc
    //- nested/deeper/.gitignore
    !back.loc
    !*.log
    ";

const FILES: &[&str] = &[
    "#literal_hash",
    "!literal_bang",
    "x.log",
    "keep.log",
    "sub/keep.log",
    "sub/x.log",
    "anchored.txt",
    "sub/anchored.txt",
    "dir_only/f.txt",
    "sub/dir_only/f.txt",
    "files/dir_only",
    "a/z.txt",
    "a/b/z.txt",
    "a/b/c/z.txt",
    "b/a/z.txt",
    "deep_name.txt",
    "p/q/deep_name.txt",
    "inside/f.txt",
    "inside/g/h.txt",
    "trailing_space.txt",
    "trailing_space.txt   ",
    "kept_space ",
    "kept_space",
    "wild1.txt",
    "wild12.txt",
    "aclass.txt",
    "cclass.txt",
    "cneg.txt",
    "dneg.txt",
    "slash/in/middle.txt",
    "x/slash/in/middle.txt",
    "folder_star/gone.txt",
    "folder_star/kept.txt",
    "folder_star/d/x.txt",
    "parent_gone/not_lifted.txt",
    "a.tmp",
    "nested/lifted.tmp",
    "nested/other.tmp",
    "nested/anchored.txt",
    "nested/x/anchored.txt",
    "nested/anchored_from_top.txt",
    "nested/one.loc",
    "nested/deeper/back.loc",
    "nested/deeper/x.loc",
    "nested/deeper/y.log",
    "esc*star.txt",
    "escXstar.txt",
    "ünïcode.txt",
    "by_exclude.txt",
    "sub/by_exclude.txt",
    "by_global.txt",
    "sub/by_global.txt",
    "lifted_global.txt",
    ".hidden/file.rs",
    ".hidden_file",
    "build/out.rs",
    "Cargo.lock",
    "pic.svg",
    "src/main.rs",
    "src/lib.rs",
];

/// Makes the tree at `root` of a repository and the home that git and the engine shall see.
fn make(tree: &Tree, root: &Path, home: &Path) -> Option<()> {
    std::fs::create_dir_all(home).unwrap();
    std::fs::write(home.join(".gitconfig"), "[core]\n\texcludesFile = ~/global_ignore\n").unwrap();
    std::fs::write(home.join("global_ignore"), "by_global.txt\nlifted_global.txt\n").unwrap();
    let rules = Tree::new(RULES);
    for file in [".gitignore", "nested/.gitignore", "nested/deeper/.gitignore"] {
        tree.write(root.join(file), std::fs::read(rules.path(file)).unwrap());
    }
    tree.write(root.join("sub/.gitignore"), "!by_global.txt\n");
    for file in FILES {
        tree.write(root.join(file), "walrus\n");
    }
    git(&tree.path(root), home, &["init", "-q"])?;
    tree.write(root.join(".git/info/exclude"), "# ours\nby_exclude.txt\n");
    Some(())
}

/// What git lists below `dir`, without what built-in rules leave out there.
fn git_lists(dir: &Path, home: &Path) -> Option<Vec<String>> {
    let arguments = ["ls-files", "-coz", "--exclude-standard", "--deduplicate"];
    let mut listed: Vec<String> = git(dir, home, &arguments)?
        .split_terminator('\0')
        .filter(|path| !path.ends_with('/') && !dir.join(path).is_symlink())
        .filter(|path| {
            !path.starts_with("build/") && !path.ends_with(".svg") && *path != "Cargo.lock"
        })
        .map(str::to_owned)
        .collect();
    listed.sort();
    Some(listed)
}

/// The kept files of `root`, told by a process whose home is `home`.
fn kept_at_home(tree: &Tree, root: &Path, home: &Path) -> Vec<String> {
    let output = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "ignore_rules::child_lists_kept_files", "--nocapture"])
        .env("HOME", home)
        .env_remove("XDG_CONFIG_HOME")
        .env("WHEREIN_TEST_LIST_ROOT", root)
        .env("WHEREIN_TEST_LIST_BASE", tree.outside().join("child_index"))
        .output()
        .unwrap();
    let words = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{words}");
    let listed = words.lines().filter_map(|line| line.strip_prefix("KEPT "));
    listed.map(str::to_owned).collect()
}

#[test]
fn child_lists_kept_files() {
    let Some(root) = std::env::var_os("WHEREIN_TEST_LIST_ROOT") else { return };
    let base = std::env::var_os("WHEREIN_TEST_LIST_BASE").expect("a base");
    for path in kept(&Engine::open(EngineOptions::new(root, base)).unwrap()) {
        eprintln!("KEPT {path}");
    }
}

#[test]
fn c13_what_git_lists_is_searched() {
    let tree = Tree::new("");
    let home = tree.outside().join("home");
    if make(&tree, Path::new(""), &home).is_none() {
        return;
    }
    for dir in ["", "nested", "sub", "folder_star", "a"] {
        let root = tree.path(dir);
        let Some(listed) = git_lists(&root, &home) else { return };
        assert_eq!(kept_at_home(&tree, &root, &home), listed, "below '{dir}'");
    }
}

#[test]
fn c13_the_path_above_the_root_does_not_count() {
    let tree = Tree::new("");
    let (project, home) = (Path::new("build/vendor/proj"), tree.outside().join("home"));
    if make(&tree, project, &home).is_none() {
        return;
    }
    let root = tree.path(project);
    let Some(listed) = git_lists(&root, &home) else { return };
    assert!(listed.len() > 20);
    assert_eq!(kept_at_home(&tree, &root, &home), listed);
}

#[test]
fn c13_the_verdict_on_each_file_agrees_with_git() {
    let tree = Tree::new("");
    let home = tree.outside().join("home");
    if make(&tree, Path::new(""), &home).is_none() {
        return;
    }
    let engine = tree.engine();
    // Without the global excludes, which `why` reads from the home of this process.
    for file in FILES.iter().filter(|file| !file.contains("global")) {
        let arguments =
            ["ls-files", "-coz", "--exclude-standard", "--", &format!(":(literal){file}")];
        let Some(listed) = git(&tree.root(), &home, &arguments) else { return };
        let why = engine.why(file.as_ref()).unwrap();
        let ignored = why.reason.as_deref() == Some("ignored");
        assert_eq!(ignored, listed.is_empty(), "{file}: {why:?}");
        assert!(!ignored || why.rule.starts_with("pattern "), "{why:?}");
    }
}

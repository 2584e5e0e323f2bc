//! The facts of design §8 about psf/requests v2.32.3, which reproduce a published measurement.
//!
//! The source archive and the git tree are taken from where `WHEREIN_TEST_REQUESTS_SDIST` and
//! `WHEREIN_TEST_REQUESTS_GIT` say; the shape of the tree (see `shape`) is always at hand. `UPDATE_SHAPE=1`
//! with the git tree writes the table anew.

use std::path::{Path, PathBuf};

use wherein_engine::{Engine, EngineOptions, Profile, SearchRequest, SkipReason, Status};

use crate::fixture::{Tree, counts, exact, kept, refresh};
use crate::shape;

/// The folder that an environment variable names; says so where it is unset.
fn folder(variable: &str) -> Option<PathBuf> {
    let folder = std::env::var_os(variable).filter(|value| !value.is_empty());
    if folder.is_none() {
        eprintln!("SKIPPED: {variable} is not set");
    }
    folder.map(PathBuf::from)
}

/// Opens `root` with an index of its own in the `lines` profile; the tree keeps it alive.
fn open(root: &Path) -> (Tree, Engine) {
    let tree = Tree::new("");
    let engine = by_lines(EngineOptions { root: root.to_path_buf(), ..tree.options() });
    (tree, engine)
}

/// The facts are those of the `lines` profile.
fn by_lines(options: EngineOptions) -> Engine {
    Engine::open(EngineOptions { profile: Profile::Lines, ..options }).expect("a folder")
}

fn status_of(engine: &Engine) -> Status {
    refresh(engine);
    engine.status().expect("a status")
}

/// The chunks of a copy of what lies below `src/`.
fn chunks_below_src(root: &Path, engine: &Engine) -> u64 {
    let copy = Tree::new("");
    for path in kept(engine).into_iter().filter(|path| path.starts_with("src/")) {
        copy.write(&path, std::fs::read(root.join(&path)).expect("a kept file"));
    }
    status_of(&by_lines(copy.options())).n_chunks
}

#[test]
fn facts_of_the_source_archive() {
    let Some(root) = folder("WHEREIN_TEST_REQUESTS_SDIST") else { return };
    let (_index, engine) = open(&root);
    let status = status_of(&engine);
    assert_eq!((status.n_files, status.n_bytes, status.n_chunks), (84, 476_710, 239));
    assert_eq!(status.skipped.total(), 0, "all are kept: {}", counts(&status.skipped));
    assert_eq!(chunks_below_src(&root, &engine), 89);
}

#[test]
fn facts_of_the_git_tree() {
    let Some(root) = folder("WHEREIN_TEST_REQUESTS_GIT") else { return };
    let (_index, engine) = open(&root);
    let status = status_of(&engine);
    assert_eq!((status.n_files, status.n_bytes, status.n_chunks), (117, 625_261, 318));
    let skips = [SkipReason::Binary, SkipReason::TooLarge, SkipReason::Svg];
    assert_eq!(
        skips.map(|reason| status.skipped.get(reason)),
        [10, 1, 1],
        "{}",
        counts(&status.skipped)
    );
    let n_left_out: u64 = skips.iter().map(|reason| status.skipped.get(*reason)).sum();
    assert_eq!(status.n_files + n_left_out, 129);
    assert_eq!(chunks_below_src(&root, &engine), 84);
}

#[test]
fn facts_of_the_shape() {
    let tree = shape::tree_of(shape::REQUESTS, "");
    let status = status_of(&by_lines(tree.options()));
    assert_eq!((status.n_files, status.n_chunks), (117, 318), "{}", counts(&status.skipped));
    assert_eq!(status.skipped.total(), 0, "{}", counts(&status.skipped));
    let below_src = shape::tree_of(shape::REQUESTS, "src/");
    assert_eq!(status_of(&by_lines(below_src.options())).n_chunks, 84);
}

#[test]
fn the_shape_is_that_of_the_git_tree() {
    let Some(root) = folder("WHEREIN_TEST_REQUESTS_GIT") else { return };
    let (_index, engine) = open(&root);
    let mut paths = kept(&engine);
    // Empty files have no line to be found by.
    paths.extend(empty_files(&engine, &root));
    paths.sort();
    let mut table = String::new();
    for path in paths {
        let bytes = std::fs::read(root.join(&path)).expect("a kept file");
        table.push_str(&shape::row(&path, &String::from_utf8_lossy(&bytes)));
        table.push('\n');
    }
    if std::env::var_os("UPDATE_SHAPE").is_some() {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/engine/requests_shape.txt");
        return std::fs::write(file, table).expect("the table");
    }
    assert!(table == shape::REQUESTS, "requests_shape.txt is not that of {}", root.display());
}

fn empty_files(engine: &Engine, root: &Path) -> Vec<String> {
    let mut found = Vec::new();
    let mut folders = vec![root.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).expect("a folder").flatten() {
            let rel = entry.path().strip_prefix(root).expect("below the root").to_path_buf();
            let metadata = entry.metadata().expect("metadata");
            if metadata.is_dir() {
                folders.push(entry.path());
            } else if metadata.len() == 0 && engine.why(&rel).is_ok_and(|why| why.searched) {
                found.push(rel.to_string_lossy().replace('\\', "/"));
            }
        }
    }
    found
}

/// The counts that the seed document publishes: lines of the 117 files that hold a text in any case.
#[test]
fn grep_counts_of_the_seed_document() {
    let Some(root) = folder("WHEREIN_TEST_REQUESTS_GIT") else { return };
    let (_index, engine) = open(&root);
    refresh(&engine);
    let counts = [
        ("another site", 0),
        ("password", 47),
        ("GET", 625),
        ("loop", 6),
        ("start", 54),
        ("big", 8),
        ("local", 94),
        ("half", 4),
        ("bytes", 98),
        ("login", 4),
        ("hash", 17),
        ("raise_for_status", 15),
        ("UnrewindableBodyError", 9),
        ("first bytes", 0),
        ("home folder", 0),
    ];
    for (text, n_lines) in counts {
        let request = SearchRequest { ignore_case: true, snippets: false, ..exact(text) };
        assert_eq!(engine.search(&request).expect("an answer").n_matches, n_lines, "{text}");
    }
}

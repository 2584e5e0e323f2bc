//! What is read of a tree and what is not, whatever the path looks like.

use std::fs;

use proptest::prelude::*;

use super::*;
use crate::request::EngineOptions;

fn tree() -> (tempfile::TempDir, Engine) {
    let folder = tempfile::tempdir().expect("a folder");
    let root = folder.path().join("root");
    for dir in ["src", "node_modules/x", "hidden"] {
        fs::create_dir_all(root.join(dir)).expect("folders");
    }
    let files = [
        ("src/a.rs", "fn main() {}\n"),
        (".env", "TOKEN=hush\n"),
        (".gitignore", "hidden/\n"),
        ("hidden/b.rs", "hush\n"),
        ("node_modules/x/i.js", "hush\n"),
    ];
    files.iter().for_each(|(path, text)| fs::write(root.join(path), text).expect("a file"));
    fs::write(folder.path().join("outside.rs"), "hush\n").expect("a file");
    let engine = Engine::open(EngineOptions::new(root, folder.path().join("index"))).expect("open");
    (folder, engine)
}

fn kind(engine: &Engine, path: &str) -> ErrorKind {
    engine.read(path).expect_err(path).kind()
}

#[test]
fn a_file_is_read_as_it_is_now() {
    let (_folder, engine) = tree();
    let read = engine.read("./src//a.rs").expect("a file");
    assert_eq!((read.path.as_str(), read.language.as_str()), ("src/a.rs", "rust"));
    fs::write(engine.root().join("src/a.rs"), "fn other() {}\n").expect("a file");
    assert_eq!(engine.read("src/a.rs").expect("a file").text, "fn other() {}\n");
}

#[test]
fn what_is_not_searched_is_not_readable() {
    let (_folder, engine) = tree();
    for path in [".env", "hidden/b.rs", "node_modules/x/i.js"] {
        assert_eq!(kind(&engine, path), ErrorKind::Forbidden, "{path}");
    }
    for path in ["../outside.rs", "src/../../outside.rs", "/etc/passwd", "", ".", "a\0b"] {
        assert_eq!(kind(&engine, path), ErrorKind::Usage, "{path}");
    }
    assert_eq!(kind(&engine, "src"), ErrorKind::Usage);
    assert_eq!(kind(&engine, "src/none.rs"), ErrorKind::NotFound);
    assert_eq!(kind(&engine, "src%2Fa.rs"), ErrorKind::NotFound);
}

#[cfg(unix)]
#[test]
fn links_lead_nowhere() {
    use std::os::unix::fs::symlink;
    let (folder, engine) = tree();
    symlink(folder.path().join("outside.rs"), engine.root().join("link.rs")).expect("a link");
    symlink(folder.path(), engine.root().join("up")).expect("a link");
    assert_eq!(kind(&engine, "link.rs"), ErrorKind::Forbidden);
    assert_eq!(kind(&engine, "up/outside.rs"), ErrorKind::Forbidden);
}

#[test]
fn folders_are_those_that_are_scanned() {
    let (_folder, engine) = tree();
    let mut folders = engine.folders().expect("folders");
    folders.sort();
    assert_eq!(folders, [engine.root().to_owned(), engine.root().join("src")]);
}

proptest! {
    /// Whatever a path is made of, nothing that is not searched comes back.
    #[test]
    fn no_path_reaches_what_is_hidden(
        parts in prop::collection::vec(
            prop::sample::select(vec![
                "..", ".", "src", "a.rs", ".env", "hidden", "b.rs", "outside.rs", "", "/", "\\", "%2e%2e", "\0", "C:",
            ]),
            0..6,
        ),
        separator in prop::sample::select(vec!["/", "\\", "//", "%2f"]),
    ) {
        let (_folder, engine) = tree();
        if let Ok(read) = engine.read(&parts.join(separator)) {
            prop_assert!(!read.text.contains("hush"), "{parts:?}");
        }
    }
}

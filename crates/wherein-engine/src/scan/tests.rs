//! Which files a tree gives, told as lists of paths.

use std::sync::Mutex;

use super::*;

/// Makes a tree and returns what the scan keeps, sorted.
pub(super) fn kept(make: impl FnOnce(&Path)) -> Vec<String> {
    let dir = tempfile::tempdir().expect("a folder");
    make(dir.path());
    scan_at(dir.path()).0
}

fn scan_at(root: &Path) -> (Vec<String>, ScanSummary) {
    let options = ScanOptions {
        root: root.canonicalize().expect("a root"),
        index_base: "/nowhere".into(),
        include_sensitive: false,
        max_file_bytes: 1_000_000,
    };
    let paths = Mutex::new(Vec::new());
    let summary = scan(&options, &|found| paths.lock().expect("lock").push(found.path.text));
    let mut paths = paths.into_inner().expect("lock");
    paths.sort();
    (paths, summary.expect("a scan"))
}

fn write(root: &Path, files: &[(&str, &str)]) {
    for (path, text) in files {
        let path = root.join(path);
        std::fs::create_dir_all(path.parent().expect("a parent")).expect("folders");
        std::fs::write(path, text).expect("a file");
    }
}

#[test]
fn ignore_files_nest_and_negate() {
    let paths = kept(|root| {
        write(
            root,
            &[
                (".gitignore", "*.log\n!keep.log\n/top.txt\nskipped/\n"),
                ("a.log", ""),
                ("keep.log", ""),
                ("top.txt", ""),
                ("sub/top.txt", ""),
                ("sub/.gitignore", "!b.log\n"),
                ("sub/b.log", ""),
                ("sub/skipped/c.rs", ""),
            ],
        );
    });
    assert_eq!(paths, [".gitignore", "keep.log", "sub/.gitignore", "sub/b.log", "sub/top.txt"]);
}

#[test]
fn built_in_rules_are_lifted_by_our_own_file() {
    let files = [("dist/a.js", ""), ("yarn.lock", ""), ("x.svg", ""), (".env", ""), ("a.rs", "")];
    assert_eq!(kept(|root| write(root, &files)), ["a.rs"]);
    let lifted = kept(|root| {
        write(root, &files);
        write(root, &[(".whereinignore", "!dist/\n!yarn.lock\n!*.svg\n!.env\n")]);
    });
    assert_eq!(lifted, [".env", ".whereinignore", "a.rs", "dist/a.js", "x.svg", "yarn.lock"]);
}

#[test]
fn every_skip_is_counted_with_its_reason() {
    let dir = tempfile::tempdir().expect("a folder");
    write(
        dir.path(),
        &[
            (".gitignore", "*.log\n"),
            ("a.log", ""),
            ("node_modules/x.js", ""),
            ("Cargo.lock", ""),
            ("logo.svg", ""),
            ("id_rsa", ""),
            ("big.txt", &"x".repeat(1_000_001)),
        ],
    );
    let (_, summary) = scan_at(dir.path());
    for reason in [
        SkipReason::Ignored,
        SkipReason::ExcludedDir,
        SkipReason::Lockfile,
        SkipReason::Svg,
        SkipReason::Sensitive,
        SkipReason::TooLarge,
    ] {
        assert_eq!(summary.skipped.get(reason), 1, "{reason:?}");
    }
    assert_eq!(summary.problems[0].path, "big.txt");
}

#[test]
fn the_path_above_the_root_does_not_count() {
    let dir = tempfile::tempdir().expect("a folder");
    let root = dir.path().join("build/vendor/node_modules/proj");
    write(&root, &[("a.rs", "")]);
    assert_eq!(scan_at(&root).0, ["a.rs"]);
}

//! Root discovery and the meaning of paths, on real folders with a made-up engine.

use super::*;
use std::fs;

struct Fake {
    indexed: Vec<PathBuf>,
    hiding: bool,
}

impl Probe for Fake {
    fn has_index(&self, root: &Path) -> bool {
        self.indexed.iter().any(|folder| folder == root)
    }
    fn hides(&self, _root: &Path, _folder: &Path) -> bool {
        self.hiding
    }
}

/// A tree `top/repo/{.git,sub/deep,app/[id]}` with a few files.
fn tree() -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let top = folder.path().canonicalize().unwrap();
    for dir in ["repo/.git", "repo/sub/deep", "repo/app/[id]", "other"] {
        fs::create_dir_all(top.join(dir)).unwrap();
    }
    for file in ["repo/sub/a.rs", "repo/app/[id]/page.tsx", "other/b.rs"] {
        fs::write(top.join(file), "x\n").unwrap();
    }
    (folder, top)
}

fn find(cwd: &Path, paths: &[&str], globs: &[&str], indexed: &[&Path]) -> Result<Place> {
    let probe =
        Fake { indexed: indexed.iter().map(|path| path.to_path_buf()).collect(), hiding: false };
    let paths: Vec<PathBuf> = paths.iter().map(PathBuf::from).collect();
    let globs: Vec<String> = globs.iter().map(|glob| (*glob).to_owned()).collect();
    let wanted = Wanted {
        cwd,
        home: None,
        root: None,
        paths: &paths,
        globs: &globs,
        yes: false,
        index_base: Path::new("/nowhere/cache"),
    };
    Place::find(&wanted, &probe)
}

#[test]
fn a_folder_is_its_own_root() {
    let (_keep, top) = tree();
    let place = find(&top.join("repo"), &[], &[], &[]).unwrap();
    assert_eq!(place.root, top.join("repo"));
    assert!(place.prefix.is_empty() && place.paths.is_empty());
}

#[test]
fn a_subfolder_borrows_the_index_above_it() {
    let (_keep, top) = tree();
    let repo = top.join("repo");
    let place = find(&repo.join("sub/deep"), &[], &[], &[&repo]).unwrap();
    assert_eq!((place.root.clone(), place.prefix.as_str()), (repo, "sub/deep"));
    assert_eq!(place.paths, ["sub/deep"]);
    assert_eq!(place.shown("sub/deep/x.rs"), "x.rs");
}

#[test]
fn nothing_is_borrowed_from_beyond_the_repository() {
    let (_keep, top) = tree();
    let place = find(&top.join("repo/sub"), &[], &[], &[&top]).unwrap();
    assert_eq!(place.root, top.join("repo/sub"));
}

#[test]
fn an_index_that_hides_the_folder_is_not_borrowed() {
    let (_keep, top) = tree();
    let probe = Fake { indexed: vec![top.join("repo")], hiding: true };
    assert_eq!(root::index_root(&top.join("repo/sub"), None, &probe), top.join("repo/sub"));
}

#[test]
fn all_spellings_of_a_folder_are_one() {
    let (_keep, top) = tree();
    let repo = top.join("repo");
    let absolute = repo.join("sub").display().to_string();
    for spelling in ["sub", "sub/", "./sub", "sub/../sub", &absolute] {
        assert_eq!(find(&repo, &[spelling], &[], &[]).unwrap().paths, ["sub"], "{spelling}");
    }
    assert!(find(&repo, &["."], &[], &[]).unwrap().paths.is_empty());
}

#[test]
fn a_single_folder_outside_becomes_the_root() {
    let (_keep, top) = tree();
    let place = find(&top.join("repo"), &["../other"], &[], &[]).unwrap();
    assert_eq!(place.root, top.join("other"));
    assert!(place.paths.is_empty());
    let error = find(&top.join("repo"), &["../other", "sub"], &[], &[]).unwrap_err();
    assert!(error.hint().is_some());
}

#[test]
fn a_path_that_is_nowhere_hints_at_quotes() {
    let (_keep, top) = tree();
    let error = find(&top, &["is", "the"], &[], &[]).unwrap_err();
    assert!(error.hint().unwrap().contains("quote"));
}

#[test]
fn globs_and_names_that_look_like_globs() {
    let (_keep, top) = tree();
    let repo = top.join("repo");
    let paths = |cwd: &Path, given: &[&str], globs: &[&str]| {
        find(cwd, given, globs, &[&repo]).unwrap().paths
    };
    assert_eq!(paths(&repo, &["*.rs"], &[]), ["**/*.rs"]);
    assert_eq!(paths(&repo.join("sub"), &["*.rs"], &[]), ["sub/**/*.rs"]);
    assert_eq!(paths(&repo, &["app/[id]"], &[]), ["app/[[]id[]]/**"]);
    assert_eq!(paths(&repo, &["app/[id]/page.tsx"], &[]), ["app/[[]id[]]/page.tsx"]);
    assert_eq!(paths(&repo, &["sub"], &["*.rs"]), ["sub/**/*.rs"]);
    assert_eq!(paths(&repo, &["sub"], &["**/*.rs"]), ["sub/**/*.rs"]);
    assert_eq!(paths(&repo, &["sub"], &["sub/deep"]), ["sub/deep"]);
    assert_eq!(paths(&repo.join("sub"), &[], &["deep/**"]), ["sub/deep/**"]);
}

#[test]
fn the_index_may_not_lie_inside() {
    let (_keep, top) = tree();
    assert!(root::refuse_index_inside(&top, &top.join("not/yet/made")).is_err());
    assert!(root::refuse_index_inside(&top.join("repo"), &top.join("cache")).is_ok());
    assert!(root::refuse_index_inside(&top.join("repo"), &top.join("repo/../cache")).is_ok());
}

#[test]
fn the_home_folder_needs_a_yes_but_a_folder_in_it_does_not() {
    let (_keep, top) = tree();
    let project = [PathBuf::from("repo")];
    let mut wanted = Wanted {
        cwd: &top,
        home: Some(&top),
        root: None,
        paths: &[],
        globs: &[],
        yes: false,
        index_base: Path::new("/nowhere/cache"),
    };
    let probe = Fake { indexed: vec![], hiding: false };
    assert!(Place::find(&wanted, &probe).unwrap_err().hint().unwrap().contains("--yes"));
    wanted.paths = &project;
    assert_eq!(Place::find(&wanted, &probe).unwrap().root, top.join("repo"));
}

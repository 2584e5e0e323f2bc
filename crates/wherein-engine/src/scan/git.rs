//! What the scan needs to know of git, read from files: where a repository begins, and which folders are
//! working trees of one.
//!
//! Must not start git: a scan has milliseconds.

use std::path::{Path, PathBuf};

/// The folder that holds the nearest `.git`, at or above `path`.
pub(super) fn toplevel(path: &Path) -> Option<&Path> {
    path.ancestors().find(|dir| dir.join(".git").symlink_metadata().is_ok())
}

/// The repository folder shared by all working trees of the repository that `path` lies in.
pub(super) fn common_dir(path: &Path) -> Option<PathBuf> {
    common_dir_of_tree(toplevel(path)?)
}

/// What all working trees of a repository share at the same place in them: the repository and the path of
/// `root` in its tree. `None` outside of repositories.
pub(crate) fn family(root: &Path) -> Option<String> {
    let top = toplevel(root)?;
    let place = root.strip_prefix(top).ok()?;
    Some(format!("{}\n{}\n", common_dir_of_tree(top)?.display(), place.display()))
}

/// The shared repository folder of a working tree whose top is `top`.
fn common_dir_of_tree(top: &Path) -> Option<PathBuf> {
    let git_dir = git_dir(top)?;
    let shared = match std::fs::read_to_string(git_dir.join("commondir")) {
        Ok(text) => git_dir.join(text.trim()),
        Err(_) => git_dir,
    };
    shared.canonicalize().ok()
}

/// `.git` itself where it is a folder, or the folder that the `.git` file names.
fn git_dir(top: &Path) -> Option<PathBuf> {
    let dot_git = top.join(".git");
    if dot_git.is_dir() {
        return Some(dot_git);
    }
    let text = std::fs::read_to_string(&dot_git).ok()?;
    Some(top.join(text.strip_prefix("gitdir:")?.trim()))
}

/// Whether the folder `dir`, met inside `root`, is another working tree of the root's own repository, or
/// of a repository that lies inside the root: its files are then searched already.
/// Submodules have a repository of their own and are searched.
pub(super) fn is_nested_worktree(dir: &Path, root: &Path, repository: Option<&Path>) -> bool {
    if !dir.join(".git").is_file() || !is_linked_worktree(dir) {
        return false;
    }
    common_dir_of_tree(dir)
        .is_some_and(|common| Some(common.as_path()) == repository || common.starts_with(root))
}

/// A linked working tree has a `commondir` file in its repository folder; a submodule has none.
fn is_linked_worktree(dir: &Path) -> bool {
    git_dir(dir).is_some_and(|git_dir| git_dir.join("commondir").is_file())
}

/// The exclude file of the repository whose working tree begins at `top`.
pub(super) fn exclude_file(top: &Path) -> Option<PathBuf> {
    let file = common_dir_of_tree(top)?.join("info/exclude");
    file.is_file().then_some(file)
}

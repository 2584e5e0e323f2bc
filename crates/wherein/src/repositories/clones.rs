//! Clones of repositories, beside the index folders: made whole or not at all, one process at a time.
//!
//! Each has one commit of depth one. An update rewrites only files that changed, so that the index finds the others as
//! they were. Everything here can be fetched again; nothing here is anybody's only copy.

use std::fs::{self, File};
use std::path::{Path, PathBuf};

use wherein_engine::{Engine, Error, ErrorKind, Result};

use super::Address;
use super::git::Git;

/// The folder of clones, beside the index folders.
const FOLDER: &str = "repositories";

/// In a clone's `.git` while files are being rewritten.
const MOVING: &str = "wherein-moving";

/// What a killed git leaves, which keeps the next one from working.
const LEFT_OVER: [&str; 4] = ["index.lock", "shallow.lock", "HEAD.lock", "FETCH_HEAD.lock"];

/// The clones below one folder of indexes.
#[derive(Debug, Clone)]
pub(crate) struct Clones {
    base: PathBuf,
}

/// A clone after an attempt to bring it up to date.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Update {
    /// The commit that its files are of.
    pub(crate) commit: String,
    /// What was done.
    pub(crate) fetched: Fetched,
}

/// What became of a clone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Fetched {
    /// There was none.
    Cloned,
    /// Its files are of a newer commit.
    Moved,
    /// There is nothing newer.
    Same,
    /// It could not be asked, for this reason; the files are those of the last time.
    Stale(String),
}

impl Clones {
    /// Those beside the indexes below `index_base`.
    pub(crate) fn of(index_base: &Path) -> Clones {
        Clones { base: Engine::resolve_base(index_base).join(FOLDER) }
    }

    /// Where the files of a clone lie, cloned already or not. Its name is that of the repository.
    pub(crate) fn tree(&self, url: &Address, reference: Option<&str>) -> PathBuf {
        let plain = |c: char| if c.is_ascii_alphanumeric() || ".-_".contains(c) { c } else { '_' };
        let name: String = url.name().chars().map(plain).take(40).collect();
        self.home(url, reference, "").join(if name.trim_matches('.').is_empty() {
            "tree"
        } else {
            &name
        })
    }

    /// Whether it was cloned.
    pub(crate) fn is_here(tree: &Path) -> bool {
        tree.join(".git").is_dir()
    }

    /// The commit that the files are of, where that can be told.
    pub(crate) fn commit(tree: &Path) -> Option<String> {
        let text = fs::read_to_string(tree.join(".git/HEAD")).ok()?;
        let hash = text.trim();
        (hash.len() >= 40 && hash.bytes().all(|b| b.is_ascii_hexdigit())).then(|| hash.to_owned())
    }

    /// Clones, or brings the clone up to date. `on_wait` is called when another process is at it.
    ///
    /// # Errors
    /// Git's, where there is no clone to fall back on.
    pub(crate) fn update(
        &self,
        url: &Address,
        reference: Option<&str>,
        on_wait: impl FnOnce(),
    ) -> Result<Update> {
        fs::create_dir_all(&self.base).map_err(|error| {
            Error::io("create", &self.base, &error).with_hint(
                "name a folder that can be written to with --index-dir or WHEREIN_INDEX_DIR",
            )
        })?;
        let _lock = self.lock(url, reference, on_wait)?;
        let tree = self.tree(url, reference);
        let git = Git { address: url };
        if let Some(commit) = Clones::is_here(&tree).then(|| Clones::commit(&tree)).flatten() {
            match moved(git, &tree, &commit, reference) {
                Err(error) if error.kind() == ErrorKind::Network => {
                    return Ok(Update { commit, fetched: Fetched::Stale(error.to_string()) });
                }
                done => return done,
            }
        }
        self.clone(git, reference, &tree)
    }

    /// Clones beside its place and puts it there in one step.
    fn clone(&self, git: Git<'_>, reference: Option<&str>, tree: &Path) -> Result<Update> {
        let home = self.home(git.address, reference, "");
        self.remove_parts(&home);
        let new = self.home(git.address, reference, &format!(".new-{}", std::process::id()));
        let inner = new.join(tree.file_name().unwrap_or_default());
        let made = fs::create_dir_all(&inner).map_err(|error| Error::io("create", &inner, &error));
        let made = made.and_then(|()| {
            git.run(&inner, &["init", "--quiet", "--template="])?;
            fetch(git, &inner, reference)?;
            let commit = fetched(git, &inner)?;
            checkout(git, &inner, &commit)?;
            remove_if_there(&home)?;
            fs::rename(&new, &home).map_err(|error| Error::io("create", &home, &error))?;
            Ok(Update { commit, fetched: Fetched::Cloned })
        });
        if made.is_err() {
            let _ = fs::remove_dir_all(&new);
        }
        made
    }

    /// What killed processes left of this clone.
    fn remove_parts(&self, home: &Path) {
        let name = home.file_name().unwrap_or_default().to_string_lossy();
        let start = format!("{name}.new-");
        for entry in fs::read_dir(&self.base).into_iter().flatten().flatten() {
            if entry.file_name().to_string_lossy().starts_with(&start) {
                let _ = fs::remove_dir_all(entry.path());
            }
        }
    }

    fn lock(&self, url: &Address, reference: Option<&str>, on_wait: impl FnOnce()) -> Result<File> {
        let path = self.home(url, reference, ".lock");
        let file = File::options().create(true).truncate(false).write(true).open(&path);
        let file = file.map_err(|error| Error::io("open", &path, &error))?;
        if file.try_lock().is_err() {
            on_wait();
            file.lock().map_err(|error| Error::io("lock", &path, &error))?;
        }
        Ok(file)
    }

    /// The folder of a clone, or with an `end` what lies beside it.
    fn home(&self, url: &Address, reference: Option<&str>, end: &str) -> PathBuf {
        let identity = format!("{}\n{}\n", url.shown(), reference.unwrap_or_default());
        let hash = blake3::hash(identity.as_bytes()).to_hex();
        self.base.join(format!("{}{end}", &hash.as_str()[..16]))
    }
}

/// Fetches into a clone of `commit`, and rewrites what changed when there is a newer one.
fn moved(git: Git<'_>, tree: &Path, commit: &str, reference: Option<&str>) -> Result<Update> {
    let dot_git = tree.join(".git");
    for name in LEFT_OVER {
        let _ = fs::remove_file(dot_git.join(name));
    }
    fetch(git, tree, reference)?;
    let newest = fetched(git, tree)?;
    let marker = dot_git.join(MOVING);
    if newest == commit && !marker.exists() {
        return Ok(Update { commit: newest, fetched: Fetched::Same });
    }
    fs::write(&marker, "").map_err(|error| Error::io("write", &marker, &error))?;
    checkout(git, tree, &newest)?;
    remove_if_there(&marker)?;
    Ok(Update { commit: newest, fetched: Fetched::Moved })
}

fn fetch(git: Git<'_>, tree: &Path, reference: Option<&str>) -> Result<()> {
    let flags = ["fetch", "--quiet", "--depth=1", "--no-tags", "--no-recurse-submodules"];
    let what = ["--", git.address.raw(), reference.unwrap_or("HEAD")];
    git.run(tree, &[&flags[..], &what].concat()).map(drop)
}

/// The commit that was fetched last.
fn fetched(git: Git<'_>, tree: &Path) -> Result<String> {
    git.run(tree, &["rev-parse", "--verify", "--quiet", "FETCH_HEAD^{commit}"])
}

fn checkout(git: Git<'_>, tree: &Path, commit: &str) -> Result<()> {
    git.run(tree, &["checkout", "--quiet", "--force", "--detach", commit]).map(drop)
}

fn remove_if_there(path: &Path) -> Result<()> {
    let removed = match path.is_dir() {
        true => fs::remove_dir_all(path),
        false => fs::remove_file(path),
    };
    match removed {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            Err(Error::io("remove", path, &error))
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_address_and_ref_has_one_place_whatever_the_password() {
        let clones = Clones { base: "/cache/repositories".into() };
        let tree = |text: &str, reference| clones.tree(&Address::parse(text).unwrap(), reference);
        let plain = tree("https://host/team/api.git", None);
        assert_eq!(plain, tree("https://me:secret@host/team/api.git", None));
        assert_ne!(plain, tree("https://host/team/api.git", Some("v1")));
        assert_ne!(plain, tree("https://host/other/api.git", None));
        assert_eq!(plain.file_name().unwrap(), "api");
        assert_eq!(tree("https://host/a/..", None).file_name().unwrap(), "tree");
    }
}

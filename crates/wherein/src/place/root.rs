//! Which folder is searched, and which folder's index serves it.
//!
//! A subfolder borrows the index of a folder above it, but never from beyond its repository, the home
//! folder or `/`.

use std::path::{Path, PathBuf};

use wherein_engine::{Engine, Error, Result};

use super::{Probe, Wanted, lexical, missing};

/// The path without links; the error says what is wrong with it.
pub(super) fn canonical(path: &Path) -> Result<PathBuf> {
    path.canonicalize().map_err(|error| match error.kind() {
        std::io::ErrorKind::NotFound => missing(path),
        _ => Error::io("open", path, &error),
    })
}

/// The searched folder, and whether the PATH arguments still narrow it (one may be the folder itself).
pub(super) fn searched(wanted: &Wanted<'_>, cwd: &Path) -> Result<(PathBuf, bool)> {
    if let Some(root) = wanted.root {
        let root = canonical(&cwd.join(root))?;
        if !root.is_dir() {
            return Err(Error::usage(format!("{} is not a folder", root.display()))
                .with_hint("--root takes a folder; name files as PATH arguments"));
        }
        return Ok((root, true));
    }
    let single = match wanted.paths {
        [single] => cwd.join(single).canonicalize().ok().filter(|path| path.is_dir()),
        _ => None,
    };
    let Some(single) = single else {
        return Ok((cwd.to_owned(), true));
    };
    let too_wide = !wanted.yes && is_whole_system(cwd, wanted.home) && single != cwd;
    if too_wide || !single.starts_with(cwd) {
        Ok((single, false))
    } else {
        Ok((cwd.to_owned(), true))
    }
}

/// The nearest folder above `searched` that has an index and does not hide it; else `searched` itself.
pub(super) fn index_root(searched: &Path, home: Option<&Path>, probe: &dyn Probe) -> PathBuf {
    for folder in searched.ancestors() {
        let above = folder != searched;
        if above && is_whole_system(folder, home) {
            break;
        }
        if above && probe.has_index(folder) && !probe.hides(folder, searched) {
            return folder.to_owned();
        }
        if folder.join(".git").exists() {
            break;
        }
    }
    searched.to_owned()
}

/// Whether `folder` is the whole file system or the home folder.
fn is_whole_system(folder: &Path, home: Option<&Path>) -> bool {
    let home = home.and_then(|home| home.canonicalize().ok());
    folder.parent().is_none() || home.as_deref() == Some(folder)
}

/// Refuses `/` and the home folder unless the user said yes.
pub(super) fn refuse_whole_system(searched: &Path, wanted: &Wanted<'_>) -> Result<()> {
    if wanted.yes || !is_whole_system(searched, wanted.home) {
        return Ok(());
    }
    Err(Error::usage(format!("{} is a lot to search", searched.display()))
        .with_hint("go to a project's folder, name one as PATH, or insist with --yes"))
}

/// Refuses an index that would lie inside the folder that it indexes. Who insists on the whole home folder
/// has the cache in it; the scan leaves it out.
pub(super) fn refuse_index_inside(root: &Path, wanted: &Wanted<'_>) -> Result<()> {
    let index_base = wanted.index_base;
    if index_base.as_os_str().is_empty() {
        return Err(Error::usage("there is no cache directory for indexes")
            .with_hint("name a folder with --index-dir DIR or WHEREIN_INDEX_DIR"));
    }
    let insists = wanted.yes && is_whole_system(root, wanted.home);
    if insists || !lexical(&Engine::resolve_base(index_base)).starts_with(root) {
        return Ok(());
    }
    let message =
        format!("the index folder {} lies inside the searched folder", index_base.display());
    Err(Error::usage(message).with_hint("name a folder outside of it with --index-dir DIR"))
}

//! Where to search: which folder is the root, which index serves it, and what the paths mean.
//!
//! Discovery looks at folders, never at files' contents. Whether an index exists and whether its rules
//! hide a folder are asked of the engine through [`Probe`], so that the logic is tested without one.

mod filter;
mod patterns;
mod root;

use std::path::{Path, PathBuf};

use wherein_engine::{Error, Result};

pub(crate) use filter::not_paths;
pub(crate) use patterns::{lexical, slashed};

/// What discovery has to know about indexes.
pub(crate) trait Probe {
    /// Whether `root` has an index.
    fn has_index(&self, root: &Path) -> bool;
    /// Whether the rules of `root` hide `folder`, which lies below it.
    fn hides(&self, root: &Path, folder: &Path) -> bool;
}

/// What the user said about places.
#[derive(Debug, Clone)]
pub(crate) struct Wanted<'a> {
    /// The current folder.
    pub(crate) cwd: &'a Path,
    /// The home folder, where there is one.
    pub(crate) home: Option<&'a Path>,
    /// `--root`.
    pub(crate) root: Option<&'a Path>,
    /// The PATH arguments.
    pub(crate) paths: &'a [PathBuf],
    /// The `--path` globs.
    pub(crate) globs: &'a [String],
    /// Whether `/` and the home folder may be searched.
    pub(crate) yes: bool,
    /// The folder that holds index folders.
    pub(crate) index_base: &'a Path,
}

/// Where to search.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Place {
    /// The folder whose index answers; canonical.
    pub(crate) root: PathBuf,
    /// The folder that printed paths are relative to: the root or a folder below it.
    pub(crate) searched: PathBuf,
    /// `searched` relative to `root`, `/`-separated; empty when they are the same.
    pub(crate) prefix: String,
    /// The engine's path filter, relative to `root`.
    pub(crate) paths: Vec<String>,
}

impl Place {
    /// Finds the place.
    pub(crate) fn find(wanted: &Wanted<'_>, probe: &dyn Probe) -> Result<Place> {
        let cwd = root::canonical(wanted.cwd)?;
        let (searched, own_paths) = root::searched(wanted, &cwd)?;
        root::refuse_whole_system(&searched, wanted)?;
        let root = match wanted.root {
            Some(_) => searched.clone(),
            None => root::index_root(&searched, wanted.home, probe),
        };
        root::refuse_index_inside(&root, wanted)?;
        let prefix = patterns::relative(&searched, &root).unwrap_or_default();
        let mut place = Place { root, searched, prefix, paths: Vec::new() };
        let paths = if own_paths { wanted.paths } else { &[] };
        place.paths = filter::engine_paths(&place, &cwd, paths, wanted.globs)?;
        Ok(place)
    }

    /// The place of a published repository that has no tree on this machine: paths are those of its own root.
    pub(crate) fn elsewhere(name: &str, paths: &[PathBuf], globs: &[String]) -> Result<Place> {
        let text = |path: &PathBuf| slashed(path);
        let paths = match (paths, globs) {
            (paths, []) => paths.iter().map(text).collect(),
            ([], globs) => globs.to_vec(),
            _ => {
                return Err(Error::usage("both PATH and --path narrow the search")
                    .with_hint("give one of them: the repository has no tree here"));
            }
        };
        let root = PathBuf::from(name);
        Ok(Place { searched: root.clone(), root, prefix: String::new(), paths })
    }

    /// A path of the engine as it is printed: relative to the searched folder.
    pub(crate) fn shown<'p>(&self, path: &'p str) -> &'p str {
        if self.prefix.is_empty() {
            return path;
        }
        path.strip_prefix(&self.prefix).and_then(|rest| rest.strip_prefix('/')).unwrap_or(path)
    }
}

/// A question typed without quotes is the likeliest reason for a PATH that is not there.
fn missing(path: &Path) -> Error {
    Error::usage(format!("there is no file or folder {}", path.display())).with_hint(
        "quote a question of several words: wherein \"where do we …\"; quote a glob: '**/*.rs'",
    )
}

#[cfg(test)]
#[path = "place_tests.rs"]
mod tests;

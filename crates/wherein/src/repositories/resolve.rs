//! Where a declared repository lies on this machine: its working tree, and the folder in it that is searched.
//!
//! A link must not lead out of what was declared: the trees of clones and projects are other people's.

use std::path::{Path, PathBuf};

use wherein_engine::{Error, ErrorKind, Result};

use super::{Address, Clones, Declared, Source};
use crate::settings::Origin;

/// A repository with its place on this machine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Repository {
    /// What it is asked by, and what results carry.
    pub(crate) name: String,
    /// Its working tree; a clone may not be there yet.
    pub(crate) tree: PathBuf,
    /// The sub-folder that is searched, `/`-separated; empty is all of it.
    pub(crate) root: String,
    /// Patterns of what is left out, relative to what is searched.
    pub(crate) exclude: Vec<String>,
    /// What a collection calls it; `None` for a folder that nobody declared, which is called as it would be by itself.
    pub(crate) published_as: Option<String>,
    /// What it is cloned from; `None` for a folder of this machine.
    pub(crate) remote: Option<(Address, Option<String>)>,
    /// The folder that it must not leave, where other people declared it.
    within: Option<PathBuf>,
}

impl Repository {
    /// The place of `declared`, with clones in `clones`.
    pub(crate) fn of(declared: Declared, clones: &Clones) -> Repository {
        let Declared { name, source, root, exclude, origin } = declared;
        let is_typed = matches!((&source, &origin), (Source::Folder(_), Origin::Flag("PATH")));
        let published_as = (!is_typed).then(|| name.clone());
        let (tree, remote) = match source {
            Source::Folder(path) => (path, None),
            Source::Remote { url, reference } => {
                (clones.tree(&url, reference.as_deref()), Some((url, reference)))
            }
        };
        let within = match origin {
            Origin::Project(file) if remote.is_none() => file.parent().map(Path::to_owned),
            _ => None,
        };
        Repository { name, tree, root, exclude, published_as, remote, within }
    }

    /// The folder that is searched, without links.
    ///
    /// # Errors
    /// [`ErrorKind::NotIndexed`] for what was not cloned yet, [`ErrorKind::Usage`] for a folder that is not there.
    pub(crate) fn searched(&self) -> Result<PathBuf> {
        if self.remote.is_some() && !Clones::is_here(&self.tree) {
            return Err(Error::new(ErrorKind::NotIndexed, "it is not cloned yet")
                .with_hint(format!("wherein index {} clones it", self.name)));
        }
        let tree = self.folder(&self.tree)?;
        let searched = match self.root.as_str() {
            "" => tree.clone(),
            root => self.folder(&tree.join(root))?,
        };
        let within = self.within.as_ref().map(|folder| self.folder(folder)).transpose()?;
        if !searched.starts_with(&tree)
            || within.is_some_and(|within| !searched.starts_with(within))
        {
            let message = format!("a link leads out of it to {}", searched.display());
            return Err(Error::new(ErrorKind::Forbidden, message)
                .with_hint("declare that folder itself in your own settings file"));
        }
        Ok(searched)
    }

    fn folder(&self, path: &Path) -> Result<PathBuf> {
        path.canonicalize().ok().filter(|real| real.is_dir()).ok_or_else(|| {
            Error::usage(format!("there is no folder {}", path.display())).with_hint(format!(
                "correct where repository '{}' is; wherein config shows it",
                self.name
            ))
        })
    }

    /// Its address as it may be shown, where it has one.
    pub(crate) fn url(&self) -> Option<String> {
        self.remote.as_ref().map(|(url, _)| url.shown())
    }

    /// The commit that its files are of, where it was cloned.
    pub(crate) fn commit(&self) -> Option<String> {
        self.remote.as_ref().and_then(|_| Clones::commit(&self.tree))
    }
}

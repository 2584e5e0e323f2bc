//! The list of what the model may learn from: repositories, revisions and licences; and what it must never see.
//!
//! Written by hand after reading each licence. Must not be believed: `licence` holds it against the clone.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use serde::Deserialize;

/// Everything that training is told.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Manifest {
    /// `owner/name` of repositories whose content must not be learned from, wherever it lies.
    pub(crate) excluded: Vec<String>,
    /// What is learned from.
    pub(crate) repository: Vec<Repository>,
}

/// One clone.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Repository {
    /// `owner/name`.
    pub(crate) name: String,
    /// The commit to learn from, with what precedes it.
    pub(crate) revision: String,
    /// SPDX name.
    pub(crate) licence: String,
    /// Where the licence stands; found by its name where this is missing.
    pub(crate) licence_file: Option<String>,
    /// Kept out of training, to choose by.
    #[serde(default)]
    pub(crate) development: bool,
}

impl Repository {
    /// A name for files: `owner+name`.
    pub(crate) fn slug(&self) -> String {
        self.name.replace('/', "+")
    }
}

/// Reads and checks a manifest.
pub(crate) fn read(path: &Path) -> Result<Manifest> {
    let text = std::fs::read_to_string(path).with_context(|| format!("read {}", path.display()))?;
    let manifest: Manifest = toml::from_str(&text).with_context(|| path.display().to_string())?;
    let mut seen = HashSet::new();
    for repository in &manifest.repository {
        let name = &repository.name;
        ensure!(seen.insert(name.to_lowercase()), "{name} stands twice in the manifest");
        ensure!(
            !manifest.excluded.iter().any(|other| other.eq_ignore_ascii_case(name)),
            "{name} is excluded and listed"
        );
        let is_commit = repository.revision.len() == 40
            && repository.revision.bytes().all(|b| b.is_ascii_hexdigit());
        ensure!(is_commit, "{name}: a revision is a commit of 40 digits");
    }
    Ok(manifest)
}

/// The git directory of a repository below `clones`.
pub(crate) fn locate(clones: &Path, name: &str) -> Result<PathBuf> {
    let short = name.rsplit('/').next().unwrap_or(name);
    for folder in [name.replace('/', "+"), name.to_owned(), short.to_owned()] {
        for inner in ["", ".git", "repo", "repo/.git"] {
            let path = clones.join(&folder).join(inner);
            if path.join("objects").is_dir() && path.join("HEAD").is_file() {
                return Ok(path);
            }
        }
    }
    bail!(
        "there is no clone of {name} in {} (tried owner+name, owner/name, name)",
        clones.display()
    )
}

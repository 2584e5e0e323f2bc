//! Our side: what `wherein outline --json` lists in a repository.
//!
//! The index goes to the scratch folder, never beside the checkouts.

use std::path::Path;
use std::process::Command;

use anyhow::{Context, bail};

use super::Tag;

#[derive(serde::Deserialize)]
struct Outline {
    files: Vec<File>,
}

/// One listed file.
#[derive(serde::Deserialize)]
pub(super) struct File {
    pub(super) path: String,
    #[serde(default)]
    pub(super) language: String,
    /// Why the file has no symbols, if it is one whose syntax is not read.
    pub(super) fallback: Option<String>,
    symbols: Vec<Symbol>,
}

#[derive(serde::Deserialize)]
struct Symbol {
    name: String,
    kind: String,
    name_line: usize,
}

impl File {
    pub(super) fn tags(self) -> Vec<Tag> {
        let tag = |symbol: Symbol| Tag {
            file: self.path.clone(),
            line: symbol.name_line,
            name: symbol.name,
            kind: symbol.kind,
        };
        self.symbols.into_iter().map(tag).collect()
    }
}

/// All files of a repository with their symbols.
pub(super) fn outline(
    binary: &Path,
    scratch: &Path,
    repository: &Path,
) -> anyhow::Result<Vec<File>> {
    let mut command = Command::new(binary);
    command.args(["outline", "--json", "--quiet", "--root", "."]);
    command.arg("--index-dir").arg(scratch).current_dir(repository);
    let output = command.output().with_context(|| format!("cannot start {}", binary.display()))?;
    if output.status.code().is_none_or(|code| code > 1) {
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        bail!("{command:?} in {} ended with {}: {said}", repository.display(), output.status);
    }
    let outline: Outline = serde_json::from_slice(&output.stdout)
        .with_context(|| format!("cannot read the outline of {}", repository.display()))?;
    Ok(outline.files)
}

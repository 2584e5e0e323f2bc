//! `cargo xtask tidy`: the rules that a reviewer would repeat, checked.
//!
//! Each breach is one line, `path:line: rule`. The rules are pure functions over texts, so that each has
//! its tests; only this file looks at the disk. Rules that clippy or rustc can hold belong to them.

mod blank;
mod crates;
mod documents;
mod page;
mod sources;

use std::fmt;
use std::path::Path;
use std::process::{Command, ExitCode};

use anyhow::Context;

use crate::say;

/// One file of the repository: path relative to its root, `/`-separated.
pub(crate) struct TextFile {
    pub(crate) path: String,
    pub(crate) text: String,
}

/// A breach of a rule, at a line (1-based).
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Breach {
    pub(crate) path: String,
    pub(crate) line: usize,
    pub(crate) rule: String,
}

impl Breach {
    pub(crate) fn new(path: &str, line: usize, rule: impl Into<String>) -> Breach {
        Breach { path: path.to_owned(), line, rule: rule.into() }
    }
}

impl fmt::Display for Breach {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.path, self.line, self.rule)
    }
}

/// Checks every rule over the repository; fails when one is broken.
pub(crate) fn run(root: &Path) -> anyhow::Result<ExitCode> {
    let paths = listed_paths(root)?;
    let files = read_texts(root, &paths);
    let mut breaches = check(&files, &paths);
    breaches.sort();
    for breach in &breaches {
        say(&breach.to_string());
    }
    if breaches.is_empty() {
        say(&format!("tidy: {} files in order", files.len()));
        return Ok(ExitCode::SUCCESS);
    }
    say(&format!("tidy: {} breaches", breaches.len()));
    Ok(ExitCode::FAILURE)
}

fn check(files: &[TextFile], paths: &[String]) -> Vec<Breach> {
    let mut breaches = Vec::new();
    for file in files {
        breaches.extend(documents::machine_paths(file));
        if is_rust(&file.path) {
            breaches.extend(sources::check(file));
        }
        if let Some(name) = crates::crate_of(&file.path) {
            breaches.extend(crates::check(name, file));
        }
    }
    let text_of = |path| files.iter().find(|file| file.path == path).map(|f| f.text.as_str());
    breaches.extend(documents::architecture(text_of("ARCHITECTURE.md"), paths));
    breaches.extend(documents::changelog(text_of("CHANGELOG.md")));
    breaches.extend(page::check(files));
    breaches
}

fn is_rust(path: &str) -> bool {
    path.ends_with(".rs") && (path.starts_with("crates/") || path.starts_with("xtask/"))
}

/// Files that git knows, and new ones that it does not ignore: what a commit could hold.
fn listed_paths(root: &Path) -> anyhow::Result<Vec<String>> {
    let output = Command::new("git")
        .args(["ls-files", "-z", "--cached", "--others", "--exclude-standard"])
        .current_dir(root)
        .output()
        .context("cannot start git")?;
    anyhow::ensure!(
        output.status.success(),
        "git cannot list the files: {}",
        String::from_utf8_lossy(&output.stderr).trim()
    );
    let listed = String::from_utf8_lossy(&output.stdout);
    let exists = |path: &&str| !path.is_empty() && root.join(path).is_file();
    Ok(listed.split('\0').filter(exists).map(str::to_owned).collect())
}

fn read_texts(root: &Path, paths: &[String]) -> Vec<TextFile> {
    let read = |path: &String| {
        // Pictures and the like are no text and break no rule.
        let text = std::fs::read_to_string(root.join(path)).ok()?;
        Some(TextFile { path: path.clone(), text: text.replace("\r\n", "\n") })
    };
    paths.iter().filter_map(read).collect()
}

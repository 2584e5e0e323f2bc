//! `cargo xtask agree`: compares the symbols of `wherein outline` with those of universal-ctags.
//!
//! Both read the same files of a folder of checkouts; a symbol is its file, name and line. Raw figures stand
//! beside those after a few named normalisations (`agree/normal.rs`), and every difference falls in a class
//! that was judged by looking at the source (`agree/judged.rs`). It asserts nothing and changes no index.

mod compare;
mod ctags;
mod judged;
mod languages;
mod normal;
mod ours;
mod report;
mod scala;

use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, bail};

use self::compare::Tally;
use self::languages::{LANGUAGES, Language};
use crate::{chores, say};

/// What one of the two says stands in a line.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Tag {
    file: String,
    line: usize,
    name: String,
    kind: String,
}

/// A file that both read.
struct Source {
    language: &'static Language,
    path: String,
    lines: Vec<String>,
    ours: Vec<Tag>,
    theirs: Vec<Tag>,
}

/// What the arguments ask for.
struct Asked {
    checkouts: Vec<PathBuf>,
    out: PathBuf,
    scratch: Option<PathBuf>,
    differences: Option<PathBuf>,
}

/// Compares all repositories: `--checkouts DIR… --out DIR [--scratch DIR] [--differences FILE]`.
pub(crate) fn run(root: &Path, arguments: &[String]) -> anyhow::Result<ExitCode> {
    let asked = parse(arguments)?;
    let Some(version) = ctags::version() else {
        say("skipped: there is no universal-ctags here (`ctags --version` does not name it)");
        return Ok(ExitCode::SUCCESS);
    };
    let binary = chores::target_folder(root).join("release/wherein");
    if !binary.exists() {
        bail!("there is no {}; run: cargo build --release --package wherein", binary.display());
    }
    let own = std::env::temp_dir().join(format!("wherein-agree-{}", std::process::id()));
    let scratch = asked.scratch.clone().unwrap_or_else(|| own.clone());
    std::fs::create_dir_all(&scratch)?;
    let scratch = scratch.canonicalize()?;
    let mut tallies: Vec<Tally> = LANGUAGES.iter().map(Tally::new).collect();
    let mut seen = HashSet::new();
    for repository in repositories(&asked.checkouts)? {
        let sources = sources(&binary, &scratch, &repository, &mut seen)?;
        say(&format!("{:<60} {:>5} files", repository.display(), sources.len()));
        let name = label(&repository);
        for tally in &mut tallies {
            tally.add(
                &name,
                sources.iter().filter(|source| source.language.name == tally.language.name),
            );
        }
    }
    report::write(&asked.out, &version, &tallies)?;
    if let Some(file) = &asked.differences {
        std::fs::write(file, report::differences(&tallies))?;
    }
    if asked.scratch.is_none() {
        std::fs::remove_dir_all(&own)?;
    }
    Ok(ExitCode::SUCCESS)
}

fn parse(arguments: &[String]) -> anyhow::Result<Asked> {
    let (mut checkouts, mut out, mut scratch, mut differences) = (Vec::new(), None, None, None);
    let mut rest = arguments.iter();
    while let Some(argument) = rest.next() {
        let value = rest.next().map(PathBuf::from);
        let value = value.with_context(|| format!("{argument} takes a path"))?;
        match argument.as_str() {
            "--checkouts" => checkouts.push(value),
            "--out" => out = Some(value),
            "--scratch" => scratch = Some(value),
            "--differences" => differences = Some(value),
            other => bail!("agree takes no {other}"),
        }
    }
    if checkouts.is_empty() {
        bail!("--checkouts DIR says where the repositories are (repeatable)");
    }
    let out = out.context("--out DIR says where the report goes")?;
    Ok(Asked { checkouts, out, scratch, differences })
}

/// The folders directly in the given ones, in order.
fn repositories(checkouts: &[PathBuf]) -> anyhow::Result<Vec<PathBuf>> {
    let mut all = Vec::new();
    for folder in checkouts {
        let entries = std::fs::read_dir(folder)
            .with_context(|| format!("cannot read {}", folder.display()))?;
        let mut found = Vec::new();
        for entry in entries {
            found.push(entry?.path());
        }
        found.retain(|path| path.is_dir());
        found.sort();
        all.extend(found);
    }
    Ok(all)
}

/// `peer/flask`: enough to tell a repository from the same one at another commit.
fn label(repository: &Path) -> String {
    let last = |path: Option<&Path>| {
        path.and_then(Path::file_name)
            .map_or_else(String::new, |n| n.to_string_lossy().into_owned())
    };
    format!("{}/{}", last(repository.parent()), last(Some(repository)))
}

/// The files of a repository that both read, without those whose bytes were compared before.
fn sources(
    binary: &Path,
    scratch: &Path,
    repository: &Path,
    seen: &mut HashSet<u64>,
) -> anyhow::Result<Vec<Source>> {
    let mut sources = Vec::new();
    for file in ours::outline(binary, scratch, repository)? {
        let Some(language) = languages::of(&file.language) else { continue };
        if file.fallback.is_some() {
            // Its syntax is not read, and the outline says why.
            continue;
        }
        let Ok(bytes) = std::fs::read(repository.join(&file.path)) else { continue };
        let mut hasher = DefaultHasher::new();
        (language.name, &bytes).hash(&mut hasher);
        if seen.insert(hasher.finish()) {
            let text = String::from_utf8_lossy(&bytes);
            let lines = text.split('\n').map(str::to_owned).collect();
            let (path, ours) = (file.path.clone(), file.tags());
            sources.push(Source { language, path, lines, ours, theirs: Vec::new() });
        }
    }
    ctags::read(scratch, repository, &mut sources)?;
    Ok(sources)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_name_folders_and_files() {
        let words =
            |line: &str| parse(&line.split_whitespace().map(str::to_owned).collect::<Vec<_>>());
        let asked = words("--checkouts a --checkouts b --out c --differences d").unwrap();
        assert_eq!(asked.checkouts, [PathBuf::from("a"), PathBuf::from("b")]);
        assert_eq!((asked.out, asked.differences), (PathBuf::from("c"), Some(PathBuf::from("d"))));
        for wrong in ["", "--out c", "--checkouts a", "--checkouts", "--cards a"] {
            assert!(words(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_repository_is_called_by_two_folders() {
        assert_eq!(label(Path::new("/x/peer/flask")), "peer/flask");
    }
}

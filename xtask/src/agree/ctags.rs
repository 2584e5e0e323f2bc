//! Their side: universal-ctags, or a line pattern for Scala, which it cannot read.
//!
//! A file that ctags does not read, because its ending is unknown to it, is taken out of the comparison.

use std::collections::HashMap;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, bail};

use super::languages::{LANGUAGES, Language};
use super::{Source, Tag, scala};

/// The kind under which ctags lists the files that it reads.
const FILE: &str = "file";

#[derive(serde::Deserialize)]
struct Line {
    #[serde(rename = "_type")]
    type_: String,
    name: String,
    path: String,
    #[serde(default)]
    language: String,
    #[serde(default)]
    line: usize,
    #[serde(default)]
    kind: String,
}

/// The version of universal-ctags, if it is that which is here.
pub(super) fn version() -> Option<String> {
    let output = Command::new("ctags").arg("--version").output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    let first = text.lines().next()?.split(',').next()?;
    first.starts_with("Universal Ctags").then(|| first.to_owned())
}

/// Gives each source its tags, and drops the sources that ctags does not read.
pub(super) fn read(
    scratch: &Path,
    repository: &Path,
    sources: &mut Vec<Source>,
) -> anyhow::Result<()> {
    let list: String = sources.iter().map(|source| format!("{}\n", source.path)).collect();
    let list_file = scratch.join("files.txt");
    std::fs::write(&list_file, list)?;
    let mut tags = by_file(&run(&list_file, repository)?)?;
    sources.retain_mut(|source| {
        if source.language.theirs.is_empty() {
            source.theirs = scala::tags(&source.path, &source.lines);
            return true;
        }
        let found = tags.remove(&source.path).unwrap_or_default();
        let mut own: Vec<Tag> = found
            .into_iter()
            .filter(|tag| is_of(source.language, &tag.0))
            .map(|tag| tag.1)
            .collect();
        let is_read = own.iter().any(|tag| tag.kind == FILE);
        own.retain(|tag| tag.kind != FILE);
        source.theirs = own;
        is_read
    });
    Ok(())
}

fn is_of(language: &Language, theirs: &str) -> bool {
    language.theirs.contains(&theirs)
}

fn run(list: &Path, repository: &Path) -> anyhow::Result<String> {
    let languages: Vec<&str> =
        LANGUAGES.iter().flat_map(|language| language.theirs).copied().collect();
    let mut command = Command::new("ctags");
    command
        .args(["--options=NONE", "--output-format=json", "--fields=+nKZl", "--sort=no"])
        .args(["--extras=+f", "--kinds-C=+px", "--kinds-C++=+px"])
        // Endings that this ctags does not give to its own parsers.
        .args(["--map-TypeScript=+.tsx", "--map-TypeScript=+.mts", "--map-TypeScript=+.cts"])
        .args(["--map-JavaScript=+.cjs", "--map-Python=+.pyi"])
        .arg(format!("--languages={}", languages.join(",")))
        .args(["-f", "-", "-L"])
        .arg(list)
        .current_dir(repository);
    let output = command.output().context("cannot start ctags")?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        bail!("{command:?} in {} ended with {}: {said}", repository.display(), output.status);
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// The tags of each file, with the language that ctags takes them for.
fn by_file(json: &str) -> anyhow::Result<HashMap<String, Vec<(String, Tag)>>> {
    let mut files: HashMap<String, Vec<(String, Tag)>> = HashMap::new();
    for text in json.lines() {
        let line: Line =
            serde_json::from_str(text).with_context(|| format!("cannot read {text}"))?;
        if line.type_ == "tag" {
            let tag =
                Tag { file: line.path.clone(), line: line.line, name: line.name, kind: line.kind };
            files.entry(line.path).or_default().push((line.language, tag));
        }
    }
    Ok(files)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_are_read_by_file() {
        let json = concat!(
            r#"{"_type": "tag", "name": "a.go", "path": "a.go", "language": "Go", "line": 1, "kind": "file"}"#,
            "\n",
            r#"{"_type": "tag", "name": "F", "path": "a.go", "language": "Go", "line": 3, "kind": "func"}"#,
            "\n",
            r#"{"_type": "ptag", "name": "X", "path": "y"}"#,
        );
        let files = by_file(json).unwrap();
        assert_eq!(files.len(), 1);
        let (language, tag) = &files["a.go"][1];
        assert_eq!((language.as_str(), tag.name.as_str(), tag.line), ("Go", "F", 3));
        assert_eq!(files["a.go"][0].1.kind, FILE);
    }
}

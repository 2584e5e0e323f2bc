//! A clone's history → pairs of a commit's subject with the lines that it changed.

use std::io::BufRead;

use anyhow::Result;
use wherein_engine::SourceReader;

use super::questions::subject;
use super::{is_learned, is_left_out, language_of};
use crate::git::Git;
use crate::pair::{Pair, PairKind};

/// Newest commits that are read.
const MAX_COMMITS: usize = 9000;
/// Bytes of one commit's changes; larger ones are about everything.
const MAX_DIFF: usize = 120_000;
/// Files of one commit, likewise.
const MAX_FILES: usize = 8;
/// Files of a commit that become pairs: those with the most changes.
const FILES_KEPT: usize = 2;
/// Bytes of code in a pair.
const MAX_TEXT: usize = 3000;

/// Calls `emit` for each pair, newest commit first.
pub(super) fn mine(git: &Git, revision: &str, emit: &mut impl FnMut(Pair)) -> Result<()> {
    let mut arguments: Vec<String> = ["log", "--no-merges", "--no-renames", "--no-ext-diff"]
        .into_iter()
        .chain(["--no-textconv", "--no-color", "-U6", "-p", "--diff-filter=M", "--format=%x01%s"])
        .map(str::to_owned)
        .collect();
    arguments.push(format!("-n{MAX_COMMITS}"));
    arguments.extend([revision.to_owned(), "--".to_owned()]);
    arguments.extend(super::EXTENSIONS.iter().map(|extension| format!("*.{extension}")));
    let (mut child, mut stream) = git.stream(&arguments)?;
    let mut reader = SourceReader::default();
    let (mut line, mut commit, mut n_bytes) = (Vec::new(), Vec::new(), 0);
    loop {
        line.clear();
        let n = stream.read_until(b'\n', &mut line)?;
        if n == 0 || line.first() == Some(&1) {
            if n_bytes <= MAX_DIFF {
                read_commit(&mut reader, &String::from_utf8_lossy(&commit), emit);
            }
            commit.clear();
            n_bytes = 0;
            if n == 0 {
                break;
            }
        }
        n_bytes += n;
        if n_bytes <= MAX_DIFF {
            commit.extend_from_slice(&line);
        }
    }
    let _ = child.wait();
    Ok(())
}

fn read_commit(reader: &mut SourceReader, commit: &str, emit: &mut impl FnMut(Pair)) {
    let mut parts = commit.split("\ndiff --git ");
    let first = parts.next().and_then(|part| part.lines().next()).unwrap_or_default();
    let Some(question) = subject(first.trim_start_matches('\u{1}')) else {
        return;
    };
    let files: Vec<Changed<'_>> = parts.filter_map(changed).collect();
    if files.is_empty() || files.len() > MAX_FILES {
        return;
    }
    let mut ordered: Vec<&Changed<'_>> = files.iter().collect();
    ordered.sort_by_key(|file| (file.is_test, std::cmp::Reverse(file.n_changed)));
    for (idx, file) in ordered.iter().take(FILES_KEPT).enumerate() {
        if file.is_test && idx > 0 {
            continue;
        }
        let Some(language) = language_of(reader, file.path) else { continue };
        emit(Pair {
            kind: PairKind::Commit,
            language,
            question: question.clone(),
            head: file.path.to_owned(),
            text: file.text.clone(),
        });
    }
}

struct Changed<'a> {
    path: &'a str,
    is_test: bool,
    n_changed: usize,
    text: String,
}

/// One file of a commit: the lines around and of its changes, before and after.
fn changed(diff: &str) -> Option<Changed<'_>> {
    let (header, rest) = diff.split_once('\n')?;
    let path = header.rsplit_once(" b/")?.1;
    if is_left_out(path) || !is_learned(path) {
        return None;
    }
    let (mut text, mut n_changed) = (String::new(), 0);
    for hunk in rest.split("\n@@ ").skip(1) {
        let Some((position, lines)) = hunk.split_once('\n') else { continue };
        // What stands behind the second mark is the line of the enclosing definition.
        let around = position.split_once("@@").map_or("", |(_, around)| around.trim());
        let is_code = |line: &&str| line.starts_with([' ', '+', '-']);
        let n = lines.lines().filter(|line| line.starts_with(['+', '-'])).count();
        if n == 0 || text.len() + lines.len() > MAX_TEXT {
            continue;
        }
        n_changed += n;
        text.push_str(around);
        text.push('\n');
        for line in lines.lines().filter(is_code) {
            text.push_str(&line[1..]);
            text.push('\n');
        }
    }
    let lower = path.to_ascii_lowercase();
    let is_test = ["test", "spec", "example"].iter().any(|word| lower.contains(word));
    (n_changed > 0).then_some(Changed { path, is_test, n_changed, text })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_commit_gives_its_files_with_most_changes() {
        let commit = "\u{1}Keep cookies apart by port (#12)\ndiff --git a/src/jar.py b/src/jar.py\nindex 1..2 100644\n--- a/src/jar.py\n+++ b/src/jar.py\n@@ -1,3 +1,3 @@ class Jar:\n a = 1\n-key = host\n+key = (host, port)\n b = 2\n";
        let mut pairs = Vec::new();
        read_commit(&mut SourceReader::default(), &format!("{commit}\n"), &mut |pair| {
            pairs.push(pair);
        });
        assert_eq!(pairs.len(), 1);
        assert_eq!(pairs[0].question, "Keep cookies apart by port");
        assert_eq!(pairs[0].text, "class Jar:\na = 1\nkey = host\nkey = (host, port)\nb = 2\n");
        assert_eq!(pairs[0].head, "src/jar.py");
    }
}

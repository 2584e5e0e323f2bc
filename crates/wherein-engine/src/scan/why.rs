//! `status --why PATH`: which rule decides whether a path is searched.
//!
//! Walks down from the root to the path with the same judge as the scan, so that it cannot disagree with it.

use std::path::Path;
use std::sync::Arc;

use super::ignore_files::Level;
use super::read::read_regular;
use super::rules::{Entry, Rule, Verdict, judge};
use super::{RelPath, ScanOptions, decode, git, is_private_key};
use crate::model::SkipReason;
use crate::request::Why;

/// Explains the path `rel`, relative to the root and `/`-separated.
pub(crate) fn why(options: &ScanOptions, rel: &str) -> Why {
    let mut level = Arc::new(Level::above(&options.root));
    let mut dir = RelPath { text: String::new(), raw: None };
    let mut names = rel.split('/').filter(|name| !name.is_empty() && *name != ".").peekable();
    while let Some(name) = names.next() {
        let abs_dir = dir.under(&options.root);
        level = Arc::new(enter(&level, &abs_dir, &dir.text));
        let path = dir.child(name.as_ref());
        let is_last = names.peek().is_none();
        if let Some(no) = why_entry(options, &level, &path, rel, is_last) {
            return no;
        }
        dir = path;
    }
    Why {
        path: rel.to_owned(),
        searched: true,
        reason: None,
        rule: "no rule leaves it out".to_owned(),
    }
}

fn enter(parent: &Arc<Level>, abs: &Path, rel: &str) -> Level {
    let entries = std::fs::read_dir(abs).into_iter().flatten().flatten();
    Level::enter(parent, abs, rel, entries.map(|entry| entry.file_name()))
}

/// The "no" of one step on the way, if there is one.
fn why_entry(
    options: &ScanOptions,
    level: &Level,
    path: &RelPath,
    asked: &str,
    is_last: bool,
) -> Option<Why> {
    let no = |reason: &str, rule: String| {
        let rule = if is_last { rule } else { format!("{rule} (folder {})", path.text) };
        Some(Why { path: asked.to_owned(), searched: false, reason: Some(reason.to_owned()), rule })
    };
    let abs = path.under(&options.root);
    let Ok(metadata) = abs.symlink_metadata() else {
        return no("missing", "there is no such file or folder".into());
    };
    if metadata.is_symlink() {
        return no(SkipReason::Symlink.as_str(), "symbolic links are not followed".into());
    }
    if !metadata.is_dir() && !metadata.is_file() {
        return no(SkipReason::Special.as_str(), "neither a file nor a folder".into());
    }
    let is_dir = metadata.is_dir();
    let entry = Entry { rel: &path.text, is_dir, n_bytes: metadata.len() };
    if let Verdict::Skip(reason, rule) = judge(level, &entry, options) {
        return no(reason.as_str(), describe(options, rule));
    }
    if is_dir {
        let repository = git::common_dir(&options.root);
        if git::is_nested_worktree(&abs, &options.root, repository.as_deref()) {
            let reason = SkipReason::NestedWorktree.as_str();
            return no(reason, "another working tree of a repository searched here".into());
        }
        return None;
    }
    content_rule(options, path, &abs).and_then(|(reason, rule)| no(reason.as_str(), rule))
}

fn content_rule(options: &ScanOptions, path: &RelPath, abs: &Path) -> Option<(SkipReason, String)> {
    let n_bytes = abs.metadata().map_or(0, |metadata| metadata.len());
    let bytes = match read_regular(abs, options.read_limit(n_bytes)) {
        Ok(bytes) => bytes,
        Err(e) if e.kind() == std::io::ErrorKind::FileTooLarge => {
            return Some((SkipReason::TooLarge, "it holds more than its size says".into()));
        }
        Err(e) => return Some((SkipReason::Unreadable, e.to_string())),
    };
    if decode::is_binary(&bytes) {
        return Some((SkipReason::Binary, "a NUL byte in the first 512 bytes".into()));
    }
    if !options.include_sensitive && is_private_key(&path.text, &bytes) {
        return Some((SkipReason::Sensitive, "the content is a private key".into()));
    }
    None
}

fn describe(options: &ScanOptions, rule: Rule) -> String {
    match rule {
        Rule::BuiltIn(text) => text,
        Rule::Pattern(pattern) => match pattern.file {
            None => format!("pattern {}", pattern.text),
            Some(file) => {
                let shown = file.strip_prefix(&options.root).unwrap_or(&file);
                let line = line_of(&file, &pattern.text);
                format!("pattern {} at {}{line}", pattern.text, shown.display())
            }
        },
    }
}

/// `:N` for the last line of the file that is the pattern, as the last one wins.
fn line_of(file: &Path, pattern: &str) -> String {
    let text = std::fs::read_to_string(file).unwrap_or_default();
    let found = text.lines().enumerate().filter(|(_, line)| line.trim_end() == pattern).last();
    found.map_or_else(String::new, |(i, _)| format!(":{}", i + 1))
}

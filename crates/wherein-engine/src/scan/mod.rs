//! Root + rules → source files, skip counts with reasons, problems.
//!
//! A walker of our own over `ignore`'s pattern matcher, because every skipped entry must be counted with
//! its reason and `ignore`'s walker drops them silently. Files leave through a sink as they are found: the
//! tree is never held in memory. Must not read file contents, and must not judge the path above the root.

pub(crate) mod decode;
mod fingerprint;
mod git;
mod ignore_files;
pub(crate) mod kind;
pub(crate) mod language;
mod read;
mod rules;
mod sensitive;
mod why;

use std::ffi::OsStr;
use std::fs::{DirEntry, FileType};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

pub(crate) use fingerprint::{Fingerprint, now_ns};
pub(crate) use git::family;
pub(crate) use read::read_regular;
pub(crate) use why::why;

use crate::error::Result;
use crate::model::{Problem, SkipCounts, SkipReason};
use ignore_files::Level;
use rules::{Entry, Verdict};

/// Changes whenever the same tree gives other files, kinds or languages; part of a generation's identity.
pub(crate) const SCAN_VERSION: u32 = 1;

/// What shapes a scan.
#[derive(Debug, Clone)]
pub(crate) struct ScanOptions {
    /// Canonical root.
    pub(crate) root: PathBuf,
    /// A folder inside the tree that must never be read: our own indexes.
    pub(crate) index_base: PathBuf,
    /// Whether files that look like secrets are kept.
    pub(crate) include_sensitive: bool,
    /// Larger files are skipped.
    pub(crate) max_file_bytes: u64,
}

impl ScanOptions {
    /// How much of a file may be read: what the scan saw of one that a rule lifted, the limit otherwise.
    pub(crate) fn read_limit(&self, n_bytes_seen: u64) -> u64 {
        self.max_file_bytes.max(n_bytes_seen)
    }
}

/// A path below the root: what people read, and the raw bytes where those are not UTF-8.
#[derive(
    Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize,
)]
pub(crate) struct RelPath {
    /// `/`-separated; bytes that are not UTF-8 are shown as U+FFFD.
    pub(crate) text: String,
    /// The raw bytes, only where `text` had to replace some.
    pub(crate) raw: Option<Vec<u8>>,
}

impl RelPath {
    /// The path to open, below `root`.
    pub(crate) fn under(&self, root: &Path) -> PathBuf {
        match &self.raw {
            #[cfg(unix)]
            Some(raw) => {
                use std::os::unix::ffi::OsStrExt;
                root.join(OsStr::from_bytes(raw))
            }
            _ => root.join(&self.text),
        }
    }

    fn child(&self, name: &OsStr) -> RelPath {
        let text_name = name.to_string_lossy();
        let text = match self.text.is_empty() {
            true => text_name.clone().into_owned(),
            false => format!("{}/{text_name}", self.text),
        };
        RelPath { raw: self.raw_child(name, name.to_str().is_some()), text }
    }

    #[cfg(unix)]
    fn raw_child(&self, name: &OsStr, is_utf8: bool) -> Option<Vec<u8>> {
        use std::os::unix::ffi::OsStrExt;
        if is_utf8 && self.raw.is_none() {
            return None;
        }
        let mut raw = self.raw.clone().unwrap_or_else(|| self.text.clone().into_bytes());
        if !raw.is_empty() {
            raw.push(b'/');
        }
        raw.extend_from_slice(name.as_bytes());
        Some(raw)
    }

    #[cfg(not(unix))]
    fn raw_child(&self, _name: &OsStr, _is_utf8: bool) -> Option<Vec<u8>> {
        None
    }
}

/// A file that passed the path rules; its content is still unread.
#[derive(Debug, Clone)]
pub(crate) struct Found {
    pub(crate) path: RelPath,
    pub(crate) fingerprint: Fingerprint,
}

/// What a scan saw besides the files it handed to the sink.
#[derive(Debug, Default)]
pub(crate) struct ScanSummary {
    pub(crate) skipped: SkipCounts,
    pub(crate) problems: Vec<Problem>,
}

impl ScanSummary {
    fn trouble(&mut self, path: &RelPath, error: &io::Error) {
        self.skipped.add(SkipReason::Unreadable);
        self.problems.push(Problem { path: path.text.clone(), reason: error.to_string() });
    }
}

/// Walks the tree in parallel on the current rayon pool and hands every file that passes the path rules
/// to `sink`, in no particular order. Fails only when the root itself cannot be read.
pub(crate) fn scan(options: &ScanOptions, sink: &(dyn Fn(Found) + Sync)) -> Result<ScanSummary> {
    std::fs::read_dir(&options.root).map_err(|e| {
        crate::Error::io("read", &options.root, &e)
            .with_hint("name a folder that exists and that you may read")
    })?;
    let top = Arc::new(Level::above(&options.root));
    let repository = git::common_dir(&options.root);
    let walk = Walk { options, sink, entered: &|_| (), repository, total: Mutex::default() };
    let root = Dir { rel: RelPath { text: String::new(), raw: None }, parent: top };
    rayon::scope(|scope| walk.visit(scope, &root));
    let mut summary = walk.total.into_inner().unwrap_or_else(PoisonError::into_inner);
    summary.problems.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(summary)
}

/// The folders that a scan looks into, the root first, the others in no particular order: where a change can matter.
pub(crate) fn folders(options: &ScanOptions) -> Vec<PathBuf> {
    let folders = Mutex::new(Vec::new());
    let entered = |abs: &Path| {
        folders.lock().unwrap_or_else(PoisonError::into_inner).push(abs.to_path_buf());
    };
    let walk = Walk {
        options,
        sink: &|_| (),
        entered: &entered,
        repository: git::common_dir(&options.root),
        total: Mutex::default(),
    };
    let top = Arc::new(Level::above(&options.root));
    let root = Dir { rel: RelPath { text: String::new(), raw: None }, parent: top };
    rayon::scope(|scope| walk.visit(scope, &root));
    folders.into_inner().unwrap_or_else(PoisonError::into_inner)
}

/// A folder to visit, with the ignore rules that hold above it.
struct Dir {
    rel: RelPath,
    parent: Arc<Level>,
}

struct Walk<'a> {
    options: &'a ScanOptions,
    sink: &'a (dyn Fn(Found) + Sync),
    /// Told of each folder before it is listed.
    entered: &'a (dyn Fn(&Path) + Sync),
    repository: Option<PathBuf>,
    total: Mutex<ScanSummary>,
}

impl<'a> Walk<'a> {
    fn visit<'s>(&'s self, scope: &rayon::Scope<'s>, dir: &Dir) {
        let mut summary = ScanSummary::default();
        let abs = dir.rel.under(&self.options.root);
        (self.entered)(&abs);
        match self.list(&abs) {
            Ok(entries) => self.visit_entries(scope, dir, &abs, entries, &mut summary),
            // A folder that vanished or became a file meanwhile simply has no entries.
            Err(e) if is_gone(&e) => {}
            Err(e) => summary.trouble(&dir.rel, &e),
        }
        let mut total = self.total.lock().unwrap_or_else(PoisonError::into_inner);
        total.skipped.merge(&summary.skipped);
        total.problems.append(&mut summary.problems);
    }

    fn list(&self, abs: &Path) -> io::Result<Vec<(DirEntry, FileType)>> {
        let mut entries = Vec::new();
        for entry in std::fs::read_dir(abs)? {
            let entry = entry?;
            match entry.file_type() {
                Ok(file_type) => entries.push((entry, file_type)),
                // One entry that vanished must not take its whole folder with it.
                Err(e) if is_gone(&e) => {}
                Err(e) => return Err(e),
            }
        }
        Ok(entries)
    }

    fn visit_entries<'s>(
        &'s self,
        scope: &rayon::Scope<'s>,
        dir: &Dir,
        abs: &Path,
        entries: Vec<(DirEntry, FileType)>,
        summary: &mut ScanSummary,
    ) {
        let names = entries.iter().map(|(entry, _)| entry.file_name());
        let level = Arc::new(Level::enter(&dir.parent, abs, &dir.rel.text, names));
        for (entry, file_type) in entries {
            let rel = dir.rel.child(&entry.file_name());
            if file_type.is_dir() {
                match self.judge_dir(&level, &rel, &entry.path()) {
                    Some(reason) => summary.skipped.add(reason),
                    None => {
                        let child = Dir { rel, parent: Arc::clone(&level) };
                        scope.spawn(move |scope| self.visit(scope, &child));
                    }
                }
            } else if let Some(reason) = self.visit_file(&level, rel, &entry, file_type, summary) {
                summary.skipped.add(reason);
            }
        }
    }

    fn judge_dir(&self, level: &Level, rel: &RelPath, abs: &Path) -> Option<SkipReason> {
        let entry = Entry { rel: &rel.text, is_dir: true, n_bytes: 0 };
        match rules::judge(level, &entry, self.options) {
            Verdict::Skip(reason, _) => Some(reason),
            Verdict::Keep if abs == self.options.index_base => Some(SkipReason::ExcludedDir),
            Verdict::Keep if self.is_nested_worktree(abs) => Some(SkipReason::NestedWorktree),
            Verdict::Keep => None,
        }
    }

    fn is_nested_worktree(&self, abs: &Path) -> bool {
        git::is_nested_worktree(abs, &self.options.root, self.repository.as_deref())
    }

    fn visit_file(
        &self,
        level: &Level,
        rel: RelPath,
        entry: &DirEntry,
        file_type: FileType,
        summary: &mut ScanSummary,
    ) -> Option<SkipReason> {
        if file_type.is_symlink() {
            return Some(SkipReason::Symlink);
        }
        if !file_type.is_file() {
            return Some(SkipReason::Special);
        }
        let metadata = match entry.metadata() {
            Ok(metadata) => metadata,
            Err(e) if is_gone(&e) => return None,
            Err(e) => {
                summary.trouble(&rel, &e);
                return None;
            }
        };
        let judged = Entry { rel: &rel.text, is_dir: false, n_bytes: metadata.len() };
        match rules::judge(level, &judged, self.options) {
            Verdict::Skip(reason, _) => {
                if reason == SkipReason::TooLarge {
                    let reason = format!("{} bytes, over the limit", metadata.len());
                    summary.problems.push(Problem { path: rel.text, reason });
                }
                Some(reason)
            }
            Verdict::Keep => {
                (self.sink)(Found { path: rel, fingerprint: Fingerprint::of(&metadata) });
                None
            }
        }
    }
}

/// Whether a file is a private key by its content. Those that tests are made of are not secrets.
pub(crate) fn is_private_key(path: &str, bytes: &[u8]) -> bool {
    sensitive::holds_private_key(bytes) && !sensitive::is_test_material(path)
}

/// Errors that mean "not there any more", which a live tree produces all the time.
pub(crate) fn is_gone(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory)
}

#[cfg(test)]
mod tests;

//! Writes what was planned: whole files at once, the first original beside each, and only what changed.
//!
//! A file that somebody else changed since it was read is left alone. Decides nothing about contents.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use wherein_engine::{Error, Result};

use super::file::{self, Target};

/// What a file's name is followed by where its original is kept.
const SUFFIX: &str = ".wherein-backup";

/// A file and what is to become of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Change {
    pub(crate) target: Target,
    /// `None`: the file goes.
    pub(crate) after: Option<String>,
    /// Whether all that the user wrote is in a backup already.
    pub(crate) is_kept: bool,
    /// The folder above which no empty folder is removed.
    pub(crate) base: PathBuf,
}

/// What was done beside the change itself.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Written {
    /// Where the original was put, if this change put it there.
    pub(crate) backup: Option<PathBuf>,
}

/// Makes the change.
pub(crate) fn apply(change: &Change) -> Result<Written> {
    let Change { target, after, .. } = change;
    if file::read(&target.path)? != *target {
        return Err(Error::usage(format!("{} was changed meanwhile", target.path.display()))
            .with_hint("nothing was written there; run it again"));
    }
    if fs::metadata(&target.real).is_ok_and(|metadata| metadata.permissions().readonly()) {
        return Err(Error::usage(format!("{} is read-only", target.path.display()))
            .with_hint("make it writable, or change what it is generated from"));
    }
    let mut written = Written::default();
    match after {
        Some(after) => {
            if !change.is_kept
                && let Some(before) = &target.text
            {
                written.backup = back_up(target, before)?;
            }
            put(&target.real, after, &target.real)?;
            forget_equal_backups(&target.path, after);
        }
        None => delete(change)?,
    }
    Ok(written)
}

/// The originals of a file that are kept, first the first.
pub(super) fn backups(path: &Path) -> Vec<PathBuf> {
    let Some(name) = path.file_name().and_then(|name| name.to_str()) else { return Vec::new() };
    let Some(folder) = path.parent() else { return Vec::new() };
    let start = format!("{name}{SUFFIX}");
    let is_backup = |path: &PathBuf| {
        let name = path.file_name().and_then(|name| name.to_str());
        let rest = name.and_then(|name| name.strip_prefix(&start));
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('-')) && path.is_file()
    };
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut found: Vec<PathBuf> = entries.map(|entry| entry.path()).filter(is_backup).collect();
    found.sort();
    found
}

/// Keeps the original beside the name under which the client knows it; tells where, if it was not kept already.
fn back_up(target: &Target, before: &str) -> Result<Option<PathBuf>> {
    let kept = backups(&target.path);
    if kept.iter().any(|backup| fs::read(backup).is_ok_and(|bytes| bytes == before.as_bytes())) {
        return Ok(None);
    }
    let place = free_name(&target.path);
    put(&place, before, &target.real)?;
    Ok(Some(place))
}

/// The name of a backup that is not taken: no older one is overwritten.
fn free_name(path: &Path) -> PathBuf {
    let named = |rest: &str| {
        let mut name = path.file_name().unwrap_or_default().to_owned();
        name.push(SUFFIX);
        name.push(rest);
        path.with_file_name(name)
    };
    let plain = named("");
    if plain.symlink_metadata().is_err() {
        return plain;
    }
    let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
    let mut later = (now..).map(|second| named(&format!("-{second}")));
    later.find(|place| place.symlink_metadata().is_err()).unwrap_or(plain)
}

/// A backup that says what the file says is of no use any more.
fn forget_equal_backups(path: &Path, text: &str) {
    for backup in backups(path) {
        if fs::read(&backup).is_ok_and(|bytes| bytes == text.as_bytes()) {
            // What stays costs little.
            let _ = fs::remove_file(backup);
        }
    }
}

/// Writes a file whole or not at all, with the permissions of `like` where that exists.
fn put(place: &Path, text: &str, like: &Path) -> Result<()> {
    let failed = |error: std::io::Error| Error::io("write", place, &error);
    let folder = place.parent().unwrap_or(Path::new("."));
    fs::create_dir_all(folder).map_err(failed)?;
    let mut builder = tempfile::Builder::new();
    builder.prefix(".wherein-");
    #[cfg(unix)]
    let everybody = std::os::unix::fs::PermissionsExt::from_mode(0o666);
    #[cfg(unix)]
    builder.permissions(everybody);
    let mut file = builder.tempfile_in(folder).map_err(failed)?;
    if let Ok(metadata) = fs::metadata(like) {
        file.as_file().set_permissions(metadata.permissions()).map_err(failed)?;
    }
    file.write_all(text.as_bytes()).map_err(failed)?;
    file.as_file().sync_all().map_err(failed)?;
    file.persist(place).map_err(|error| failed(error.error))?;
    Ok(())
}

/// Deletes a file that we made, and the folders that are empty without it.
fn delete(change: &Change) -> Result<()> {
    let path = &change.target.path;
    fs::remove_file(path).map_err(|error| Error::io("delete", path, &error))?;
    for folder in path.ancestors().skip(1).take(3) {
        let is_inside = folder != change.base && folder.starts_with(&change.base);
        if !is_inside || fs::remove_dir(folder).is_err() {
            break;
        }
    }
    Ok(())
}

/// The change as `diff -u` tells it.
pub(crate) fn unified_diff(change: &Change) -> String {
    let before = change.target.text.as_deref().unwrap_or_default();
    let after = change.after.as_deref().unwrap_or_default();
    let name = |is_there: bool| {
        if is_there { change.target.path.display().to_string() } else { "/dev/null".to_owned() }
    };
    similar::TextDiff::from_lines(before, after)
        .unified_diff()
        .header(&name(change.target.text.is_some()), &name(change.after.is_some()))
        .to_string()
}

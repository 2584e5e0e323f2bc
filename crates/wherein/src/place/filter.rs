//! PATH arguments, `--path` and `--not-path` as the engine's filter, relative to its root.
//!
//! PATH arguments widen one another, `--path` globs widen one another, and the two narrow each other.
//! The engine knows one list, so the narrowing is written out as combined patterns.

use std::path::{Path, PathBuf};

use wherein_engine::{Error, Result};

use super::patterns::{escape, glob_below, is_glob, join, lexical, relative};
use super::{Place, missing};

/// What a PATH argument stands for.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Base {
    /// A folder, relative to the root.
    Folder(String),
    /// A file, relative to the root.
    File(String),
    /// A glob, relative to the root.
    Glob(String),
}

impl Base {
    /// As a pattern of the engine.
    fn pattern(&self) -> String {
        match self {
            Base::Folder(path) if is_glob(path) => format!("{}/**", escape(path)),
            Base::File(path) if is_glob(path) => escape(path),
            Base::Folder(path) | Base::File(path) | Base::Glob(path) => path.clone(),
        }
    }
}

/// The engine's path filter; empty means everything.
pub(super) fn engine_paths(
    place: &Place,
    cwd: &Path,
    paths: &[PathBuf],
    globs: &[String],
) -> Result<Vec<String>> {
    let mut bases = paths.iter().map(|path| base(place, cwd, path)).collect::<Result<Vec<_>>>()?;
    if bases.is_empty() {
        bases.push(Base::Folder(place.prefix.clone()));
    }
    if bases.iter().any(|base| *base == Base::Folder(String::new())) {
        // The root itself: everything, whatever else was named.
        bases = vec![Base::Folder(String::new())];
    }
    if globs.is_empty() {
        let patterns = bases.iter().map(Base::pattern);
        return Ok(patterns.filter(|pattern| !pattern.is_empty()).collect());
    }
    let pairs = bases.iter().flat_map(|base| globs.iter().map(move |glob| (base, glob)));
    pairs.map(|(base, glob)| narrow(place, base, glob)).collect()
}

/// What one PATH argument stands for: relative to the current folder, else to the searched one.
fn base(place: &Place, cwd: &Path, path: &Path) -> Result<Base> {
    let found = [cwd, &place.searched].into_iter().find_map(|from| {
        let real = from.join(path).canonicalize().ok()?;
        Some((relative(&real, &place.root), real))
    });
    match found {
        Some((Some(relative), real)) if real.is_dir() => Ok(Base::Folder(relative)),
        Some((Some(relative), _)) => Ok(Base::File(relative)),
        Some((None, real)) => Err(outside(&real, place)),
        None => glob(place, cwd, path),
    }
}

/// A PATH argument that does not exist: a glob, or a mistake.
fn glob(place: &Place, cwd: &Path, path: &Path) -> Result<Base> {
    let text = super::slashed(path).replace("//", "/");
    if !is_glob(&text) {
        return Err(missing(path));
    }
    if !text.contains('/') {
        return Ok(Base::Glob(glob_below(&escape(&place.prefix), &text)));
    }
    let whole = lexical(&cwd.join(path));
    relative(&whole, &place.root).map(Base::Glob).ok_or_else(|| outside(path, place))
}

fn outside(path: &Path, place: &Place) -> Error {
    let (path, root) = (path.display(), place.root.display());
    Error::usage(format!("{path} lies outside the searched folder {root}"))
        .with_hint("search it alone as the only PATH, or name a folder above both with --root DIR")
}

/// The pattern for files that lie in `base` and match `glob`, which is relative to the searched folder.
fn narrow(place: &Place, base: &Base, glob: &str) -> Result<String> {
    let prefix = escape(&place.prefix);
    let Base::Folder(folder) = base else {
        return Err(cannot_combine(&base.pattern(), glob));
    };
    let folder = escape(folder);
    if folder == prefix {
        return Ok(glob_below(&prefix, glob));
    }
    let any_depth = glob.strip_prefix("**/");
    if let Some(rest) = any_depth.or((is_glob(glob) && !glob.contains('/')).then_some(glob)) {
        return Ok(join(&folder, &format!("**/{rest}")));
    }
    let whole = glob_below(&prefix, glob);
    let inside = |inner: &str, outer: &str| {
        inner
            .strip_prefix(outer.trim_end_matches('/'))
            .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    };
    if inside(&whole, &folder) {
        Ok(whole)
    } else if inside(&folder, &whole) {
        Ok(if is_glob(&folder) { format!("{folder}/**") } else { folder })
    } else {
        Err(cannot_combine(&folder, glob))
    }
}

fn cannot_combine(base: &str, glob: &str) -> Error {
    Error::usage(format!("'{base}' and --path '{glob}' cannot be combined"))
        .with_hint("write them as one glob, such as --path 'src/**/*.rs'")
}

/// `--not-path` patterns for the engine: relative to the searched folder, or to the root where a project
/// file named them.
pub(crate) fn not_paths(place: &Place, patterns: &[String], of_project: bool) -> Vec<String> {
    let base = if of_project { String::new() } else { escape(&place.prefix) };
    patterns.iter().map(|pattern| glob_below(&base, pattern)).collect()
}

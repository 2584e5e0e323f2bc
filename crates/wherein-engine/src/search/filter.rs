//! Which files may answer, decided before anything is ranked.
//!
//! A path is a folder, a file or a glob relative to the root. A name without `/` and with a wildcard matches
//! at any depth (`*.rs`); anything else is anchored at the root. Must not touch the file system.

use std::collections::HashSet;

use globset::{GlobBuilder, GlobMatcher};

use crate::error::{Error, Result};
use crate::model::Kind;
use crate::published::CandidateFilter;
use crate::request::Filter;
use crate::scan::language;
use crate::store::Generation;

/// One flag for each file of the table; skipped files are never allowed.
pub(crate) fn allowed_files(generation: &Generation, filter: &Filter) -> Result<Vec<bool>> {
    let is_asked = any_of(&filter.paths)?;
    let is_left_out = any_of(&filter.not_paths)?;
    let languages = resolve_languages(&filter.languages)?;
    let mut allowed = Vec::with_capacity(generation.manifest.files.len());
    for entry in &generation.manifest.files {
        let Some(indexed) = entry.indexed() else {
            allowed.push(false);
            continue;
        };
        let path = entry.path.text.as_str();
        let language = generation.language(indexed);
        allowed.push(
            (filter.paths.is_empty() || is_asked(path))
                && !is_left_out(path)
                && (languages.is_empty() || languages.contains(&language))
                && has_kind(&filter.kinds, indexed.kind),
        );
    }
    Ok(allowed)
}

/// Whether a path is one of these folders, files or globs, or lies in one.
pub(crate) fn any_of(patterns: &[String]) -> Result<impl Fn(&str) -> bool + use<>> {
    let patterns = compile(patterns)?;
    Ok(move |path: &str| patterns.iter().any(|pattern| pattern.matches(path)))
}

/// The same condition as a collection can be asked for it: what of the filter it knows by itself, and the folders and files
/// that paths and globs allow here.
pub(super) fn pushed(generation: &Generation, filter: &Filter) -> Result<CandidateFilter> {
    let mut pushed = CandidateFilter {
        languages: resolve_languages(&filter.languages)?.into_iter().map(str::to_owned).collect(),
        kinds: filter.kinds.clone(),
        symbol_kinds: filter.symbol_kinds.clone(),
        ..CandidateFilter::default()
    };
    if filter.paths.is_empty() && filter.not_paths.is_empty() {
        return Ok(pushed);
    }
    let Filter { paths, not_paths, .. } = filter.clone();
    let by_path = Filter { paths, not_paths, ..Filter::default() };
    let allowed = allowed_files(generation, &by_path)?;
    (pushed.folders, pushed.paths) = covering(generation, &allowed);
    Ok(pushed)
}

/// The largest folders of which all files are allowed, and the paths of the allowed files in none of them.
fn covering(generation: &Generation, allowed: &[bool]) -> (Vec<String>, Vec<String>) {
    let folders_of =
        |path: &'_ str| -> Vec<usize> { path.match_indices('/').map(|(at, _)| at).collect() };
    let mut refused: HashSet<&str> = HashSet::new();
    let files = generation.manifest.files.iter().zip(allowed);
    for (entry, _) in files.clone().filter(|(entry, is)| !**is && entry.indexed().is_some()) {
        let path = entry.path.text.as_str();
        refused.extend(folders_of(path).into_iter().map(|end| &path[..end]));
    }
    let (mut folders, mut paths) = (Vec::<String>::new(), Vec::new());
    for (entry, _) in files.filter(|(_, is)| **is) {
        let path = entry.path.text.as_str();
        let whole = folders_of(path).into_iter().find(|end| !refused.contains(&path[..*end]));
        match whole {
            None => paths.push(path.to_owned()),
            // Files stand in the order of their paths, and so in that of these folders.
            Some(end) if folders.last().is_none_or(|last| *last != path[..end]) => {
                folders.push(path[..end].to_owned());
            }
            Some(_) => {}
        }
    }
    (folders, paths)
}

fn has_kind(kinds: &[Kind], kind: Kind) -> bool {
    kinds.is_empty() || kinds.contains(&kind)
}

fn resolve_languages(names: &[String]) -> Result<Vec<&'static str>> {
    let resolve = |name: &String| {
        language::resolve(name).ok_or_else(|| {
            let mut alike: Vec<_> = language::names().filter(|n| begins_alike(n, name)).collect();
            alike.sort_unstable();
            let hint = match alike.is_empty() {
                true => {
                    "give a name or an extension: --lang rust, --lang py, --lang c++".to_owned()
                }
                false => format!("names that begin like it: {}", alike.join(", ")),
            };
            Error::usage(format!("'{name}' is not a language that is known here")).with_hint(hint)
        })
    };
    names.iter().map(resolve).collect()
}

/// Whether two names share their first two letters.
fn begins_alike(known: &str, given: &str) -> bool {
    let start = given.get(..2).unwrap_or(given).to_lowercase();
    !start.is_empty() && known.starts_with(&start)
}

/// A path as the user gave it.
#[derive(Debug)]
struct PathPattern {
    /// Without `./` and a final `/`; empty for the root itself.
    text: String,
    glob: Option<GlobMatcher>,
}

fn compile(patterns: &[String]) -> Result<Vec<PathPattern>> {
    patterns.iter().map(|pattern| PathPattern::new(pattern)).collect()
}

impl PathPattern {
    fn new(given: &str) -> Result<PathPattern> {
        let mut text = given;
        while let Some(rest) = text.strip_prefix("./") {
            text = rest.trim_start_matches('/');
        }
        let text = if text == "." { "" } else { text.trim_end_matches('/') };
        let glob = match text.contains(['*', '?', '[', '{']) {
            true => Some(glob(text)?),
            false => None,
        };
        Ok(PathPattern { text: text.to_owned(), glob })
    }

    /// Whether the path is the file, lies in the folder, or matches the glob (itself or by a folder above).
    fn matches(&self, path: &str) -> bool {
        if is_at_or_below(path, &self.text) {
            return true;
        }
        let Some(glob) = &self.glob else { return false };
        let mut end = path.len();
        loop {
            if glob.is_match(&path[..end]) {
                return true;
            }
            match path[..end].rfind('/') {
                Some(slash) => end = slash,
                None => return false,
            }
        }
    }
}

fn is_at_or_below(path: &str, folder: &str) -> bool {
    folder.is_empty()
        || path.strip_prefix(folder).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

fn glob(text: &str) -> Result<GlobMatcher> {
    let anywhere = match text.contains('/') {
        true => text.to_owned(),
        false => format!("**/{text}"),
    };
    let glob = GlobBuilder::new(&anywhere).literal_separator(true).backslash_escape(true).build();
    glob.map(|glob| glob.compile_matcher()).map_err(|e| {
        Error::usage(format!("'{text}' is not a valid glob: {}", e.kind()))
            .with_hint("a literal bracket or star is written as \\[ or \\*")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(pattern: &str, path: &str, expected: bool) {
        let compiled = PathPattern::new(pattern).expect("a valid pattern");
        assert_eq!(compiled.matches(path), expected, "{pattern} on {path}");
    }

    #[test]
    fn folders_files_and_globs() {
        for folder in ["sub", "sub/", "./sub", "././sub//"] {
            check(folder, "sub/a.rs", true);
            check(folder, "sub", true);
            check(folder, "subway/a.rs", false);
            check(folder, "x/sub/a.rs", false);
        }
        check(".", "any/thing", true);
        check("*.rs", "deep/down/a.rs", true);
        check("src/*.rs", "src/a.rs", true);
        check("src/*.rs", "src/deep/a.rs", false);
        check("src/**/*.rs", "src/deep/a.rs", true);
        check("crates/*", "crates/one/src/a.rs", true);
        check("src/{a,b}.rs", "src/b.rs", true);
        check("app/[id]/page.tsx", "app/[id]/page.tsx", true);
    }

    #[test]
    fn a_broken_glob_is_a_usage_error() {
        let error = PathPattern::new("src/{a").expect_err("unclosed");
        assert_eq!(error.kind(), crate::ErrorKind::Usage);
    }
}

//! Paths and globs as text: relative, `/`-separated, and escaped where a name looks like a glob.
//!
//! Pure functions over paths; nothing here touches the disk.

use std::path::{Component, Path, PathBuf};

/// Whether `text` has a character that globs give a meaning.
pub(super) fn is_glob(text: &str) -> bool {
    text.contains(['*', '?', '[', '{'])
}

/// `text` as a glob that matches just itself.
pub(super) fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        if matches!(c, '*' | '?' | '[' | ']' | '{' | '}') {
            escaped.extend(['[', c, ']']);
        } else {
            escaped.push(c);
        }
    }
    escaped
}

/// The path with `/` between its parts.
pub(crate) fn slashed(path: &Path) -> String {
    let parts: Vec<_> = path.iter().map(|part| part.to_string_lossy()).collect();
    parts.join("/")
}

/// `path` relative to `base` with `/`; `None` when it lies elsewhere.
pub(super) fn relative(path: &Path, base: &Path) -> Option<String> {
    path.strip_prefix(base).ok().map(slashed)
}

/// The path with `.` and `..` resolved by name alone.
pub(crate) fn lexical(path: &Path) -> PathBuf {
    let mut resolved = PathBuf::new();
    for component in path.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir => {
                resolved.pop();
            }
            other => resolved.push(other),
        }
    }
    resolved
}

/// `a/b` or, with an empty base, `b`.
pub(super) fn join(base: &str, rest: &str) -> String {
    if base.is_empty() { rest.to_owned() } else { format!("{base}/{rest}") }
}

/// A glob relative to the folder `base` (already a pattern); one without `/` matches at any depth.
pub(super) fn glob_below(base: &str, glob: &str) -> String {
    let glob = glob.trim_start_matches("./");
    if glob.trim_end_matches('/').contains('/') || !is_glob(glob) {
        join(base, glob.trim_start_matches('/'))
    } else {
        join(base, &format!("**/{glob}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_look_like_globs_are_escaped() {
        assert_eq!(escape("app/[id]/page.tsx"), "app/[[]id[]]/page.tsx");
        assert_eq!(escape("src/lib.rs"), "src/lib.rs");
    }

    #[test]
    fn a_glob_without_a_slash_matches_at_any_depth() {
        assert_eq!(glob_below("", "*.rs"), "**/*.rs");
        assert_eq!(glob_below("sub", "*.rs"), "sub/**/*.rs");
        assert_eq!(glob_below("sub", "./a/*.rs"), "sub/a/*.rs");
        assert_eq!(glob_below("sub", "docs/"), "sub/docs/");
    }

    #[test]
    fn dots_resolve_by_name() {
        assert_eq!(lexical(Path::new("/a/b/../c/./d")), PathBuf::from("/a/c/d"));
    }
}

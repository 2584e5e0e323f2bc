//! What a path says: how deep it is, and what its folders are for.
//!
//! Folder names that projects of all languages share, whole: a look-alike (`examples_of.rs`, `latest`) says nothing.
//! Must not know the question.

use std::collections::HashSet;

use super::Features;
use super::compute::flag;
use crate::store::Generation;

const INTERNAL: &[&str] = &["internal", "internals", "private", "impl", "detail", "details"];
const EXAMPLE: &[&str] = &[
    "examples",
    "example",
    "samples",
    "sample",
    "demo",
    "demos",
    "playground",
    "scripts",
    "tools",
    "benchmarks",
    "benchmark",
    "bench",
    "benches",
];
const LEGACY: &[&str] = &[
    "compat",
    "compatibility",
    "legacy",
    "deprecated",
    "deprecations",
    "shim",
    "shims",
    "polyfill",
    "polyfills",
    "vendor",
    "vendored",
    "third_party",
    "contrib",
    "obsolete",
    "old",
];
/// Names of files that gather what others define.
const BARRELS: &[&str] = &["__init__", "index", "mod", "lib", "package-info"];
const HEADERS: &[&str] = &["h", "hpp", "hh"];

/// What a path says by itself.
#[derive(Debug, Clone, Copy)]
pub(in crate::search) struct Place {
    depth: f32,
    barrel: f32,
    header: f32,
    internal: f32,
    example: f32,
    legacy: f32,
    /// Whether a folder is named as a version: then those beside it matter.
    has_version: bool,
}

impl Place {
    /// Reads a path.
    pub(in crate::search) fn of(path: &str) -> Place {
        let (dirs, name) = path.rsplit_once('/').unwrap_or(("", path));
        Place {
            depth: path.split('/').count() as f32 / 10.0,
            barrel: flag(BARRELS.contains(&stem(name))),
            header: flag(name.rsplit_once('.').is_some_and(|(_, end)| HEADERS.contains(&end))),
            internal: flag(lies_in(path, INTERNAL)),
            example: flag(lies_in(path, EXAMPLE)),
            legacy: flag(lies_in(path, LEGACY)),
            has_version: dirs.split('/').any(|dir| version(dir).is_some()),
        }
    }

    /// Fills what the path says; `places` is asked for where the folders beside it matter.
    pub(super) fn fill<'g>(
        &self,
        path: &str,
        places: impl FnOnce() -> &'g Places<'g>,
        row: &mut Features,
    ) {
        let dirs = path.rsplit_once('/').map_or("", |(dirs, _)| dirs);
        row.depth = self.depth;
        row.barrel = self.barrel;
        row.header = self.header;
        row.older = flag(self.has_version && places().is_older(dirs));
        row.internal = self.internal;
        row.example = self.example;
        row.legacy = self.legacy;
    }
}

/// The number of a version that a folder is named after.
fn version(dir: &str) -> Option<u16> {
    dir.strip_prefix('v').and_then(|digits| digits.parse().ok())
}

/// The folders of a generation.
#[derive(Debug)]
pub(super) struct Places<'g> {
    all: HashSet<&'g str>,
    /// Those that files lie in, not only folders.
    with_files: HashSet<&'g str>,
}

impl<'g> Places<'g> {
    pub(super) fn of(generation: &'g Generation) -> Places<'g> {
        let mut places = Places { all: HashSet::new(), with_files: HashSet::new() };
        for (entry, _) in generation.manifest.source_files() {
            let Some((dir, _)) = entry.path.text.rsplit_once('/') else { continue };
            // What is known with its files has brought those above it.
            if !places.with_files.insert(dir) {
                continue;
            }
            let mut above = Some(dir);
            while let Some(dir) = above.filter(|dir| places.all.insert(dir)) {
                above = dir.rsplit_once('/').map(|(above, _)| above);
            }
        }
        places
    }

    /// Whether a folder of the path holds an older version: `v1` beside `v2`, or inside of what took its place.
    fn is_older(&self, dirs: &str) -> bool {
        let mut above = Some(dirs).filter(|dirs| !dirs.is_empty());
        while let Some(dir) = above {
            let (parent, last) = dir.rsplit_once('/').unwrap_or(("", dir));
            if version(last).is_some_and(|version| self.is_superseded(parent, version)) {
                return true;
            }
            above = Some(parent).filter(|parent| !parent.is_empty());
        }
        false
    }

    fn is_superseded(&self, parent: &str, version: u16) -> bool {
        let sibling = |other: u16| match parent {
            "" => format!("v{other}"),
            parent => format!("{parent}/v{other}"),
        };
        let has = |other: u16| self.all.contains(sibling(other).as_str());
        let has_newer = (1..4).any(|step| has(version.saturating_add(step)));
        has_newer || (version == 1 && !has(0) && self.with_files.contains(parent))
    }
}

/// The name of a file up to its first dot that ends something.
pub(in crate::search) fn stem(name: &str) -> &str {
    name.split('.').find(|part| !part.is_empty()).unwrap_or(name)
}

/// Whether a folder of the path, or its file, has one of these names; a leading underscore does not matter.
fn lies_in(path: &str, names: &[&str]) -> bool {
    path.split('/').any(|part| {
        let part = part.trim_start_matches('_');
        let part = part.split('.').next().unwrap_or(part);
        names.iter().any(|name| part.eq_ignore_ascii_case(name))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_whole_names_count() {
        assert!(lies_in("src/_compat.py", LEGACY));
        assert!(lies_in("Examples/a.rs", EXAMPLE));
        assert!(!lies_in("src/latest/examples_of.rs", EXAMPLE));
        assert!(!lies_in("src/older.rs", LEGACY));
    }

    #[test]
    fn a_version_is_older_beside_a_newer_one_or_below_what_took_its_place() {
        let places = |dirs: &'static [&str], with_files: &'static [&str]| Places {
            all: dirs.iter().copied().collect(),
            with_files: with_files.iter().copied().collect(),
        };
        let beside = places(&["pkg", "pkg/v3", "pkg/v4"], &["pkg/v3", "pkg/v4"]);
        assert!(beside.is_older("pkg/v3/core") && !beside.is_older("pkg/v4/core"));
        let below = places(&["lib", "lib/v1"], &["lib", "lib/v1"]);
        assert!(below.is_older("lib/v1") && !below.is_older("lib"));
        let only = places(&["api", "api/v1"], &["api/v1"]);
        assert!(!only.is_older("api/v1"), "the first version of an interface is no old one");
    }

    #[test]
    fn stems_end_at_the_first_dot() {
        assert_eq!(
            [stem("a.test.ts"), stem(".bashrc"), stem("Makefile")],
            ["a", "bashrc", "Makefile"]
        );
    }
}

//! Rules of documents: the map of the code is true, changes have their place, no machine leaks in.
//!
//! Only names are checked, never prose.

use std::collections::BTreeSet;

use super::{Breach, TextFile};

const MAP: &str = "ARCHITECTURE.md";
const CHANGES: &str = "CHANGELOG.md";

/// Folders of one machine; written in parts, so that this file does not break its own rule.
const MACHINE_FOLDERS: [&str; 3] =
    [concat!("/wo", "rk/"), concat!("/ho", "me/"), concat!("/ro", "ot/")];

/// Absolute paths of somebody's machine mean nothing to anybody else.
pub(crate) fn machine_paths(file: &TextFile) -> Vec<Breach> {
    let leaks = |line: &str| {
        MACHINE_FOLDERS.into_iter().find(|folder| {
            line.match_indices(folder).any(|(at, _)| {
                // `a/home/b`, `./root/x` and URLs are relative to something.
                let before = line[..at].chars().next_back();
                !before.is_some_and(|c| c.is_alphanumeric() || "._-~/}$".contains(c))
            })
        })
    };
    let breach = |(idx, line): (usize, &str)| {
        leaks(line).map(|folder| Breach::new(&file.path, idx + 1, format!("machine path {folder}")))
    };
    file.text.lines().enumerate().filter_map(breach).collect()
}

/// Unreleased changes have a section to go to.
pub(crate) fn changelog(text: Option<&str>) -> Option<Breach> {
    let Some(text) = text else { return Some(Breach::new(CHANGES, 1, "the file is missing")) };
    let is_section = |line: &str| line.trim_end() == "## Unreleased";
    let rule = "a section '## Unreleased' is missing";
    (!text.lines().any(is_section)).then(|| Breach::new(CHANGES, 1, rule))
}

/// Every path that the map names in backticks exists, and every crate is named there.
///
/// A path counts from the repository's root, from a crate or from a crate's `src`; `a/{b,c}.rs` is two.
pub(crate) fn architecture(text: Option<&str>, paths: &[String]) -> Vec<Breach> {
    let Some(text) = text else { return vec![Breach::new(MAP, 1, "the file is missing")] };
    let known = known_names(paths);
    let mut breaches = Vec::new();
    for (idx, line) in text.lines().enumerate() {
        for name in line.split('`').skip(1).step_by(2).filter(|name| is_path(name)) {
            for path in expand(name) {
                if !known.contains(path.trim_end_matches('/')) {
                    breaches.push(Breach::new(MAP, idx + 1, format!("`{path}` does not exist")));
                }
            }
        }
    }
    for name in crate_names(paths) {
        if !text.contains(&format!("`{name}`")) {
            breaches.push(Breach::new(MAP, 1, format!("crate `{name}` is not named")));
        }
    }
    breaches
}

/// Whether a word in backticks means a file or folder of the repository.
fn is_path(name: &str) -> bool {
    let is_plain = name.chars().all(|c| c.is_alphanumeric() || "._-/{},".contains(c));
    let has_place = name.contains('/') || name.ends_with(".rs") || name.ends_with(".md");
    is_plain && has_place && !name.starts_with('/') && !name.starts_with('.')
}

/// `a/{b,c}.rs` as `a/b.rs` and `a/c.rs`; one pair of braces is enough for a map.
fn expand(name: &str) -> Vec<String> {
    let parts = name.split_once('{').and_then(|(head, rest)| Some((head, rest.split_once('}')?)));
    match parts {
        None => vec![name.to_owned()],
        Some((head, (list, tail))) => {
            list.split(',').map(|part| format!("{head}{}{tail}", part.trim())).collect()
        }
    }
}

/// Every file and folder, as it may be named: in full, and relative to its crate or the crate's `src`.
fn known_names(paths: &[String]) -> BTreeSet<&str> {
    let mut known = BTreeSet::new();
    for path in paths {
        for (at, _) in path.match_indices('/').chain([(path.len(), "")]) {
            let full = &path[..at];
            let below_crate = full.strip_prefix("crates/").and_then(|rest| rest.split_once('/'));
            known.insert(full);
            if let Some((_, inner)) = below_crate {
                known.insert(inner);
                known.extend(inner.strip_prefix("src/"));
            }
        }
    }
    known
}

fn crate_names(paths: &[String]) -> Vec<&str> {
    paths.iter().filter_map(|path| super::crates::crate_of(path)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(breaches: impl IntoIterator<Item = Breach>) -> Vec<String> {
        breaches.into_iter().map(|breach| format!("{}: {}", breach.line, breach.rule)).collect()
    }

    #[test]
    fn the_map_names_what_exists() {
        let paths = [
            "crates/wherein-engine/Cargo.toml",
            "crates/wherein-engine/src/scan/mod.rs",
            "crates/wherein-engine/src/scan/rules.rs",
            "docs/decisions.md",
        ]
        .map(str::to_owned);
        let text = "`wherein-engine` `scan/{mod,rules}.rs` `scan/` `docs/decisions.md` `path:1-2`\n\
                    `crates/wherein-engine/src/scan` `src/scan/mod.rs` `HashMap` `--json` `a b/c`\n";
        assert!(architecture(Some(text), &paths).is_empty());
        let wrong = "`wherein-engine`\n`scan/{mod,gone}.rs` and `old.md`\n";
        let wanted = ["2: `scan/gone.rs` does not exist", "2: `old.md` does not exist"];
        assert_eq!(found(architecture(Some(wrong), &paths)), wanted);
        let wanted = ["1: crate `wherein-engine` is not named"];
        assert_eq!(found(architecture(Some("# Map\n"), &paths)), wanted);
        assert_eq!(found(architecture(None, &paths)), ["1: the file is missing"]);
    }

    #[test]
    fn changes_have_their_place() {
        assert!(changelog(Some("# Changes\n\n## Unreleased\n")).is_none());
        assert!(changelog(Some("## 0.1.0\n")).is_some());
        assert!(changelog(None).is_some());
    }

    #[test]
    fn machine_paths_are_found_and_relative_ones_are_not() {
        let [one, two, three] = MACHINE_FOLDERS;
        let bad = [format!("see {one}x"), format!("\"{two}me\""), format!("{three}.cache")];
        for text in bad {
            let file = TextFile { path: "a.md".to_owned(), text: format!("fine\n{text}\n") };
            assert_eq!(found(machine_paths(&file)).len(), 1, "{text}");
        }
        let good = [format!("a{one}b"), format!(".{two}b"), format!("https://x.y{three}z")];
        for text in good {
            let file = TextFile { path: "a.md".to_owned(), text: text.clone() };
            assert!(machine_paths(&file).is_empty(), "{text}");
        }
    }
}

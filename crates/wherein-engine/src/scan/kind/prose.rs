//! Prose for people, by format and by the names that projects give their notes.
//!
//! Code below `docs/` and `examples/` is judged by folder (`place`), not here. A source file called
//! `doc.go` or `history.js` is source: only prose formats and names without an extension count.

use super::place::{File, fold};

/// Plain text files that tools read.
const TEXT_SETTINGS: &[&str] = &[
    "robots.txt",
    "runtime.txt",
    "conanfile.txt",
    "version.txt",
    "top_level.txt",
    "sources.txt",
    "entry_points.txt",
    "dependency_links.txt",
    "packages.txt",
    "apt.txt",
    "version",
    "humans.txt",
    "ads.txt",
    "requires.txt",
    "not-zip-safe",
    "zip-safe",
];

pub(super) fn is_prose(file: &File<'_>) -> bool {
    match file.language {
        "markdown" | "restructuredtext" | "asciidoc" | "org" | "latex" | "typst" | "texinfo"
        | "roff" | "pod" | "rdoc" | "textile" | "mediawiki" => true,
        "text" => !is_text_setting(file),
        "html" => is_note(file.first_stem),
        // `COPYING.LESSER` is a note, `history.ext` of an unknown language is not.
        "" => {
            is_note(file.first_stem) && !file.first_stem.contains(|c: char| c.is_lowercase())
                || file.ending.is_empty() && is_note(file.name)
        }
        // Storybook's pages are examples by convention.
        "javascript" | "typescript" => file.stem.ends_with(".stories"),
        _ => false,
    }
}

/// README, CHANGELOG and their like, by stem.
pub(super) fn is_note(stem: &str) -> bool {
    let mut buffer = [0; 32];
    let folded = fold(stem, &mut buffer);
    matches!(
        folded,
        "readme"
            | "changelog"
            | "changes"
            | "history"
            | "license"
            | "licence"
            | "copying"
            | "notice"
            | "authors"
            | "contributors"
            | "maintainers"
            | "contributing"
            | "code_of_conduct"
            | "security"
            | "install"
            | "todo"
            | "news"
            | "roadmap"
            | "thanks"
            | "credits"
            | "upgrading"
            | "release-notes"
            | "release_notes"
            | "patents"
            | "unlicense"
    ) || folded.starts_with("license-")
        || folded.starts_with("readme-")
        || folded.starts_with("readme_")
}

pub(super) fn is_text_setting(file: &File<'_>) -> bool {
    let mut buffer = [0; 32];
    let name = fold(file.name, &mut buffer);
    let is_pip = |name: &str| {
        ["requirements", "constraints"].iter().any(|word| {
            name.starts_with(word)
                || name.strip_suffix(".txt").is_some_and(|stem| stem.ends_with(word))
        })
    };
    // `requirements/dev.txt` is the other layout of pip's lists.
    TEXT_SETTINGS.contains(&name)
        || is_pip(name)
        || file.dirs == "requirements"
        || file.dirs.ends_with("/requirements")
}

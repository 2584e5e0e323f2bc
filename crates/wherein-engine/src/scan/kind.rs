//! The role of a file in its project: source, test, docs, config or generated.
//!
//! Ranking pushes tests, docs and generated files down and `--kind` filters by the label, so a wrong
//! label hides an answer. Hence conventions only: what the tools of an ecosystem act on (folder and
//! file names, header comments), never a resemblance. `latest.rs`, `contest.py` and `TestRunner.java`
//! are source, and so is everything that no convention claims. It must not read files or allocate.

mod generated;
mod place;
mod prose;
mod settings;
mod testing;

use crate::model::Kind;
use place::File;

/// The role of a file.
///
/// `path` is relative to the root with `/`; `language` as `language::detect` names it; `head` the
/// first 2 KB or so of the text, cut anywhere.
///
/// The order settles the overlaps: a generated test is generated, a test below `docs/` is a test, and
/// a manifest below `docs/` is config.
pub(crate) fn classify(path: &str, language: &str, head: &str) -> Kind {
    let file = File::new(path, language, head);
    match () {
        () if generated::is_generated(&file) => Kind::Generated,
        () if testing::is_test(&file) => Kind::Test,
        () if prose::is_prose(&file) => Kind::Docs,
        () if settings::is_config(&file) => Kind::Config,
        () if file.place.docs => Kind::Docs,
        () => Kind::Source,
    }
}

#[cfg(test)]
mod tests;

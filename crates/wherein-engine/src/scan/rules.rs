//! The verdict on one entry of the tree: ignore files first, then the built-in rules.
//!
//! A `!pattern` in `.whereinignore` (or `.ignore`) lifts any built-in rule; one in `.gitignore` lifts only
//! the folder rules, so that a template's `!package-lock.json` does not index lockfiles.
//! Judges by the path below the root and the size alone: the path above the root and the content do not count.

use super::ScanOptions;
use super::ignore_files::{Level, Pattern, Said};
use super::sensitive::is_sensitive;
use crate::model::SkipReason;

/// Folders that hold what tools made or fetched (design §8).
const EXCLUDED_DIRS: &[&str] = &[
    ".git",
    ".hg",
    ".svn",
    "node_modules",
    "bower_components",
    "dist",
    "build",
    "out",
    "target",
    ".venv",
    "venv",
    "__pycache__",
    ".tox",
    ".mypy_cache",
    ".pytest_cache",
    ".ruff_cache",
    ".gradle",
    ".idea",
    ".next",
    ".nuxt",
    ".terraform",
];

/// Folders left out by more than their name: agents keep whole copies of the tree there.
const EXCLUDED_PATHS: &[&str] = &[".claude/worktrees"];

/// Lockfiles by full name: an extension rule misses `package-lock.json` and `pnpm-lock.yaml`.
const LOCKFILES: &[&str] = &[
    "package-lock.json",
    "npm-shrinkwrap.json",
    "pnpm-lock.yaml",
    "yarn.lock",
    "bun.lock",
    "bun.lockb",
    "deno.lock",
    "Cargo.lock",
    "poetry.lock",
    "uv.lock",
    "Pipfile.lock",
    "pdm.lock",
    "pixi.lock",
    "conda-lock.yml",
    "Gemfile.lock",
    "composer.lock",
    "go.sum",
    "mix.lock",
    "pubspec.lock",
    "Podfile.lock",
    "Cartfile.resolved",
    "Package.resolved",
    "packages.lock.json",
    "paket.lock",
    "flake.lock",
    "gradle.lockfile",
    "stack.yaml.lock",
    "cabal.project.freeze",
    ".terraform.lock.hcl",
    "Chart.lock",
    "MODULE.bazel.lock",
    "rebar.lock",
    "shard.lock",
];

/// One entry to judge.
#[derive(Debug, Clone, Copy)]
pub(super) struct Entry<'a> {
    /// Path relative to the root, `/`-separated.
    pub(super) rel: &'a str,
    pub(super) is_dir: bool,
    pub(super) n_bytes: u64,
}

impl Entry<'_> {
    fn name(&self) -> &str {
        self.rel.rsplit('/').next().unwrap_or(self.rel)
    }
}

/// Whether an entry is searched, and the rule behind a "no".
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Verdict {
    Keep,
    Skip(SkipReason, Rule),
}

/// The rule that leaves an entry out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Rule {
    Pattern(Pattern),
    BuiltIn(String),
}

/// Judges one entry, given the ignore files that hold for its folder.
pub(super) fn judge(level: &Level, entry: &Entry<'_>, options: &ScanOptions) -> Verdict {
    let said = level.say(entry.rel, entry.is_dir);
    let built_in = || match entry.is_dir {
        true => judge_dir(entry),
        false => judge_file(entry, options),
    };
    match said {
        Said::Ignored(pattern) => Verdict::Skip(SkipReason::Ignored, Rule::Pattern(pattern)),
        Said::KeptByOurs => Verdict::Keep,
        Said::KeptByGit if entry.is_dir && entry.name() != ".git" => Verdict::Keep,
        Said::KeptByGit | Said::Nothing => match built_in() {
            Some((reason, rule)) => Verdict::Skip(reason, Rule::BuiltIn(rule)),
            None => Verdict::Keep,
        },
    }
}

fn judge_dir(entry: &Entry<'_>) -> Option<(SkipReason, String)> {
    let name = entry.name();
    if EXCLUDED_DIRS.contains(&name) {
        return Some((SkipReason::ExcludedDir, format!("built-in: folders named {name}")));
    }
    let excluded = EXCLUDED_PATHS
        .iter()
        .find(|path| entry.rel == **path || entry.rel.ends_with(&format!("/{path}")));
    excluded.map(|path| (SkipReason::ExcludedDir, format!("built-in: folders at {path}")))
}

fn judge_file(entry: &Entry<'_>, options: &ScanOptions) -> Option<(SkipReason, String)> {
    let name = entry.name();
    if name == ".git" {
        return Some((SkipReason::ExcludedDir, "built-in: the .git file of a working tree".into()));
    }
    if LOCKFILES.contains(&name) {
        return Some((SkipReason::Lockfile, format!("built-in: lockfiles named {name}")));
    }
    if name.len() > 4 && name.as_bytes()[name.len() - 4..].eq_ignore_ascii_case(b".svg") {
        return Some((SkipReason::Svg, "built-in: SVG pictures".into()));
    }
    if !options.include_sensitive && is_sensitive(entry.rel) {
        let rule = "built-in: the name of a secret (--include-sensitive searches it)";
        return Some((SkipReason::Sensitive, rule.into()));
    }
    if entry.n_bytes > options.max_file_bytes {
        let rule = format!(
            "built-in: {} bytes, over the limit of {} (--max-file-size raises it)",
            entry.n_bytes, options.max_file_bytes
        );
        return Some((SkipReason::TooLarge, rule));
    }
    None
}

//! The ignore files that hold for a folder: a chain of levels from the folder up to the repository's top.
//!
//! Precedence, highest first: `.whereinignore`, `.ignore`, `.gitignore` (the deepest file that says
//! something wins within each), then git's `info/exclude`, then the user's global excludes. A nested
//! repository does not see the `.gitignore` files above it, as git has it.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use ignore::Match;
use ignore::gitignore::{Gitignore, GitignoreBuilder, gitconfig_excludes_path};

use super::git;
use super::read::read_regular;

const OURS: &str = ".whereinignore";
const PLAIN: &str = ".ignore";
const GIT: &str = ".gitignore";

/// An ignore file is written by people; a larger one is not read.
const MAX_RULES_BYTES: u64 = 1 << 20;

/// The rules that stand in one folder, linked to those above it.
#[derive(Debug)]
pub(super) struct Level {
    parent: Option<Arc<Level>>,
    place: Place,
    ours: Option<Gitignore>,
    plain: Option<Gitignore>,
    git: Option<Gitignore>,
    /// `info/exclude` and the global excludes, at the top of a working tree.
    repository: Option<RepositoryRules>,
}

/// How a path relative to the root is made relative to a level's folder.
#[derive(Debug)]
enum Place {
    /// The folder lies at or below the root: cut this many bytes.
    Below(usize),
    /// The folder lies above the root: put this in front.
    Above(String),
}

#[derive(Debug)]
struct RepositoryRules {
    exclude: Option<Gitignore>,
    global: Option<Gitignore>,
}

/// What the ignore files say of a path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Said {
    Nothing,
    /// Left out by this pattern.
    Ignored(Pattern),
    /// A `!pattern` of git's files keeps it.
    KeptByGit,
    /// A `!pattern` of `.whereinignore` or `.ignore` keeps it: it lifts built-in rules too.
    KeptByOurs,
}

/// A pattern and where it stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Pattern {
    pub(super) text: String,
    pub(super) file: Option<PathBuf>,
}

impl Level {
    /// The levels above the root that still count: up to the top of the repository it lies in.
    pub(super) fn above(root: &Path) -> Level {
        let mut level = Level::empty();
        let Some(top) = git::toplevel(root) else {
            return level;
        };
        let mut dirs: Vec<&Path> = root.ancestors().take_while(|dir| *dir != top).collect();
        if top != root {
            dirs.push(top);
            dirs.remove(0);
        }
        for dir in dirs.into_iter().rev() {
            let below = root.strip_prefix(dir).unwrap_or(Path::new(""));
            let prefix = format!("{}/", below.to_string_lossy().replace('\\', "/"));
            level = Level::load(Some(Arc::new(level)), dir, Place::Above(prefix), &|_| true);
        }
        level
    }

    /// The level of a folder at or below the root, whose entries are `names`.
    pub(super) fn enter(
        parent: &Arc<Level>,
        abs: &Path,
        rel: &str,
        names: impl Iterator<Item = OsString>,
    ) -> Level {
        let special: Vec<OsString> =
            names.filter(|n| n == OURS || n == PLAIN || n == GIT || n == ".git").collect();
        let cut = if rel.is_empty() { 0 } else { rel.len() + 1 };
        let has = |name: &str| special.iter().any(|n| n == name);
        Level::load(Some(Arc::clone(parent)), abs, Place::Below(cut), &has)
    }

    fn empty() -> Level {
        Level {
            parent: None,
            place: Place::Below(0),
            ours: None,
            plain: None,
            git: None,
            repository: None,
        }
    }

    fn load(
        parent: Option<Arc<Level>>,
        dir: &Path,
        place: Place,
        has: &dyn Fn(&str) -> bool,
    ) -> Level {
        let read = |name: &str| has(name).then(|| read_rules(dir, &dir.join(name))).flatten();
        let is_top = has(".git") && dir.join(".git").symlink_metadata().is_ok();
        Level {
            parent,
            place,
            ours: read(OURS),
            plain: read(PLAIN),
            git: read(GIT),
            repository: is_top.then(|| RepositoryRules::load(dir)),
        }
    }

    /// What the chain says of `rel`, a path relative to the root.
    pub(super) fn say(&self, rel: &str, is_dir: bool) -> Said {
        let ours = self.first(rel, is_dir, |level| level.ours.as_ref(), false);
        let ours = ours.or_else(|| self.first(rel, is_dir, |level| level.plain.as_ref(), false));
        match ours {
            Some((true, _)) => return Said::KeptByOurs,
            Some((false, pattern)) => return Said::Ignored(pattern),
            None => {}
        }
        let git = self.first(rel, is_dir, |level| level.git.as_ref(), true);
        let git = git
            .or_else(|| self.repository(rel, is_dir, |rules| rules.exclude.as_ref()))
            .or_else(|| self.repository(rel, is_dir, |rules| rules.global.as_ref()));
        match git {
            Some((true, _)) => Said::KeptByGit,
            Some((false, pattern)) => Said::Ignored(pattern),
            None => Said::Nothing,
        }
    }

    /// The first level, deepest first, whose file says something: whether it keeps, and the pattern.
    fn first(
        &self,
        rel: &str,
        is_dir: bool,
        rules: impl Fn(&Level) -> Option<&Gitignore>,
        stop_at_top: bool,
    ) -> Option<(bool, Pattern)> {
        let mut level = Some(self);
        while let Some(here) = level {
            if let Some(said) = rules(here).and_then(|r| here.ask(r, rel, is_dir)) {
                return Some(said);
            }
            if stop_at_top && here.repository.is_some() {
                return None;
            }
            level = here.parent.as_deref();
        }
        None
    }

    fn repository(
        &self,
        rel: &str,
        is_dir: bool,
        rules: impl Fn(&RepositoryRules) -> Option<&Gitignore>,
    ) -> Option<(bool, Pattern)> {
        let mut level = Some(self);
        while let Some(here) = level {
            if let Some(repository) = &here.repository {
                return rules(repository).and_then(|r| here.ask(r, rel, is_dir));
            }
            level = here.parent.as_deref();
        }
        None
    }

    fn ask(&self, rules: &Gitignore, rel: &str, is_dir: bool) -> Option<(bool, Pattern)> {
        let matched = match &self.place {
            Place::Below(cut) => rules.matched(rel.get(*cut..).unwrap_or(rel), is_dir),
            Place::Above(prefix) => rules.matched(format!("{prefix}{rel}"), is_dir),
        };
        let (keeps, glob) = match matched {
            Match::None => return None,
            Match::Ignore(glob) => (false, glob),
            Match::Whitelist(glob) => (true, glob),
        };
        let pattern =
            Pattern { text: glob.original().to_owned(), file: glob.from().map(Path::to_path_buf) };
        Some((keeps, pattern))
    }
}

impl RepositoryRules {
    fn load(top: &Path) -> RepositoryRules {
        RepositoryRules {
            exclude: git::exclude_file(top).and_then(|file| read_rules(top, &file)),
            global: gitconfig_excludes_path().and_then(|file| read_rules(top, &file)),
        }
    }
}

/// Reads one ignore file; a broken line in it is passed over, as git does.
fn read_rules(dir: &Path, file: &Path) -> Option<Gitignore> {
    // Paths are handed over relative to `dir`, so the matcher's own root must not be stripped again.
    let mut builder = GitignoreBuilder::new(dir);
    // Like git, which reads no `.gitignore` through a link of the tree; a clone could point one anywhere.
    let is_link = file.starts_with(dir) && file.symlink_metadata().is_ok_and(|m| m.is_symlink());
    let bytes = (!is_link).then(|| read_regular(file, MAX_RULES_BYTES).ok()).flatten()?;
    let text = String::from_utf8_lossy(&bytes);
    for line in text.trim_start_matches('\u{feff}').lines() {
        let _ = builder.add_line(Some(file.to_path_buf()), line);
    }
    builder.build().ok().filter(|rules| !rules.is_empty())
}

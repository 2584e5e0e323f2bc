//! What look-ups of a name share: a checked name, one answer of a folder or of repositories, how much to
//! print, and the notices after it.
//!
//! No model is loaded for them: they compare names, not meanings.

use std::path::PathBuf;

use wherein_engine::{Error, Filter, Result, SkipCounts};

use super::chosen::{Chosen, here};
use super::merge::{Merge, Merged, merged};
use super::session::{Asked, Purpose, Session};
use crate::cli::{CommonArgs, FilterArgs, LookupArgs, RepoArgs};
use crate::failure::Outcome;
use crate::output::{Printer, lines, notices};
use crate::place::slashed;
use crate::settings::{Flags, Key, Settings};

/// What a look-up is asked of: a folder, or repositories.
pub(super) struct Where<'a> {
    pub(super) flags: Flags,
    pub(super) common: &'a CommonArgs,
    pub(super) repo: &'a RepoArgs,
    pub(super) paths: &'a [PathBuf],
    pub(super) filter: &'a FilterArgs,
}

impl<'a> Where<'a> {
    /// Of a look-up of a name, with its flags.
    pub(super) fn of(args: &'a LookupArgs, flags: Flags) -> Where<'a> {
        let LookupArgs { common, repo, paths, filter, .. } = args;
        Where { flags, common, repo, paths, filter }
    }
}

/// An answer, and what printing it takes.
pub(super) struct Looked<A> {
    pub(super) merged: Merged<A>,
    /// Why the index was built again, if it was.
    pub(super) rebuilt: Option<String>,
    pub(super) view: View,
}

/// Where an answer is printed.
pub(super) struct View {
    pub(super) printer: Printer,
    /// The folder that paths are relative to.
    pub(super) searched: PathBuf,
    /// Which files and symbols were asked.
    filter: Filter,
}

/// Asks a folder or repositories, and makes one answer of it with the first `limit` results.
pub(super) fn ask<A: Merge + Send>(
    wanted: &Where<'_>,
    limit: impl Fn(&Settings) -> Option<usize>,
    question: impl Fn(&mut Session) -> Result<Asked<A>> + Sync,
) -> Result<Looked<A>> {
    let question = |session: &mut Session| {
        session.require_symbols()?;
        let Asked { mut answer, rebuilt, degraded } = question(session)?;
        answer.degraded().splice(0..0, degraded);
        Ok(Asked { answer, rebuilt, degraded: Vec::new() })
    };
    let Where { flags, common, repo, paths, filter } = wanted;
    if !repo.names.is_empty() {
        return ask_repositories(wanted, limit, question);
    }
    let mut session = Session::open(flags, common, paths, &filter.globs, Purpose::Name)?;
    let Asked { mut answer, rebuilt, .. } = question(&mut session)?;
    for path in answer.found().iter_mut().flat_map(A::paths) {
        *path = session.place.shown(path).to_owned();
    }
    let filter = session.filter();
    let Session { printer, place, .. } = session;
    let view = View { printer, searched: place.searched, filter };
    Ok(Looked { merged: Merged::of_folder(answer), rebuilt, view })
}

fn ask_repositories<A: Merge + Send>(
    wanted: &Where<'_>,
    limit: impl Fn(&Settings) -> Option<usize>,
    question: impl Fn(&mut Session) -> Result<Asked<A>> + Sync,
) -> Result<Looked<A>> {
    let Where { flags, common, repo, paths, filter } = wanted;
    let chosen = Chosen::named(flags, common, repo)?;
    let parts = chosen.ask((paths, filter), Purpose::Name, |session| {
        let mut asked = question(session)?;
        asked.degraded = std::mem::take(asked.answer.degraded());
        Ok(asked)
    })?;
    let merged = merged(parts, limit(&chosen.settings));
    let merged = merged.ok_or_else(|| Error::bug("no repository was asked"))?;
    let Settings { languages, kinds, symbol_kinds, not_paths, .. } = &chosen.settings;
    let asked: Vec<String> = paths.iter().map(|path| slashed(path)).collect();
    let filter = Filter {
        paths: [&asked[..], &filter.globs].concat(),
        not_paths: not_paths.clone(),
        languages: languages.clone(),
        kinds: kinds.clone(),
        symbol_kinds: symbol_kinds.clone(),
    };
    let view = View { printer: chosen.printer(), searched: here(), filter };
    Ok(Looked { merged, rebuilt: None, view })
}

/// Refuses a name that is none.
pub(super) fn require_name(name: &str) -> Result<()> {
    match name.trim().is_empty() {
        true => Err(Error::usage("the name is empty")
            .with_hint("name a symbol: wherein symbols parse_config")),
        false => Ok(()),
    }
}

/// The most results; `None` is all. A limit among the settings is meant for questions, whose rest is noise; here it
/// would hide what is true, so it has to be typed. Counts are complete unless it is.
pub(super) fn limit(args: &LookupArgs, settings: &Settings, default: usize) -> Option<usize> {
    if settings.is_typed(Key::Limit) {
        return settings.limit;
    }
    let is_complete = args.all || args.format.count || args.format.files_with_matches;
    (!is_complete).then_some(default)
}

/// The name as one types it in a shell.
pub(super) fn typed(name: &str) -> String {
    let is_plain = name.chars().all(|c| c.is_alphanumeric() || "_.:-".contains(c));
    if is_plain { name.to_owned() } else { format!("'{}'", name.replace('\'', r"'\''")) }
}

/// Prints the forms that are about files; whether one was asked for.
pub(super) fn print_files<'p>(
    args: &LookupArgs,
    view: &mut View,
    paths: impl Iterator<Item = &'p str>,
) -> Outcome<bool> {
    if args.format.files_with_matches {
        lines::files(&mut view.printer, paths, args.null)?;
    } else if args.format.count {
        lines::counts(&mut view.printer, paths, args.null)?;
    } else {
        return Ok(false);
    }
    Ok(true)
}

/// Says why there may be more than nothing.
pub(super) fn explain_nothing(view: &mut View, skipped: &SkipCounts) -> Outcome<()> {
    let Filter { symbol_kinds, paths, not_paths, languages, kinds } = &view.filter;
    let is_whole = paths.is_empty() && not_paths.is_empty();
    let is_filtered = !(is_whole && languages.is_empty() && kinds.is_empty());
    notices::not_searched(&mut view.printer, skipped, is_filtered)?;
    notices::some_symbol_kinds(&mut view.printer, symbol_kinds)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_in_a_hint_can_be_pasted() {
        assert_eq!(typed("Session::größe"), "Session::größe");
        assert_eq!(typed("operator <<"), "'operator <<'");
        assert_eq!(typed("it's"), r"'it'\''s'");
    }
}

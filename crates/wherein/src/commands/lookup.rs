//! What look-ups of a name share: a checked name, an open session, how much to print, and the notices after it.
//!
//! No model is loaded for them: they compare names, not meanings.

use wherein_engine::{Error, Filter, Result, SkipCounts};

use super::session::{Purpose, Session};
use crate::cli::LookupArgs;
use crate::failure::Outcome;
use crate::output::{lines, notices};
use crate::settings::{Flags, Key};

/// Opens the place that the arguments name, ready to be asked for `name`.
pub(super) fn open(name: &str, flags: &Flags, args: &LookupArgs) -> Result<Session> {
    if name.trim().is_empty() {
        return Err(Error::usage("the name is empty")
            .with_hint("name a symbol: wherein symbols parse_config"));
    }
    let globs = &args.filter.globs;
    let session = Session::open(flags, &args.common, &args.paths, globs, Purpose::Name)?;
    session.require_symbols()?;
    Ok(session)
}

/// The most results; `None` is all. A limit among the settings is meant for questions, whose rest is noise; here it
/// would hide what is true, so it has to be typed. Counts are complete unless it is.
pub(super) fn limit(args: &LookupArgs, session: &Session, default: usize) -> Option<usize> {
    if session.settings.is_typed(Key::Limit) {
        return session.settings.limit;
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
    session: &mut Session,
    paths: impl Iterator<Item = &'p str>,
) -> Outcome<bool> {
    if args.format.files_with_matches {
        lines::files(&mut session.printer, paths, args.null)?;
    } else if args.format.count {
        lines::counts(&mut session.printer, paths, args.null)?;
    } else {
        return Ok(false);
    }
    Ok(true)
}

/// Says why there may be more than nothing.
pub(super) fn explain_nothing(session: &mut Session, skipped: &SkipCounts) -> Outcome<()> {
    let Filter { symbol_kinds, paths, not_paths, languages, kinds } = session.filter();
    let is_whole = paths.is_empty() && not_paths.is_empty();
    let is_filtered = !(is_whole && languages.is_empty() && kinds.is_empty());
    notices::not_searched(&mut session.printer, skipped, is_filtered)?;
    notices::some_symbol_kinds(&mut session.printer, &symbol_kinds)
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

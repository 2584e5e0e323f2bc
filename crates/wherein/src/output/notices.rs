//! What people are told beside the results: dropped stages, a rebuilt index, and what was not searched.
//!
//! Goes to standard error, so that results stay clean.

use std::io::IsTerminal;

use wherein_engine::{Answer, Confidence, Mode, Reranked, SkipCounts, SkipReason, SymbolKind};

use super::Printer;
use crate::failure::Outcome;

/// Whether somebody reads notices as they come: a terminal shows standard error.
pub(crate) fn is_watched() -> bool {
    std::io::stderr().is_terminal()
}

/// Dropped stages and a rebuilt index.
pub(crate) fn degraded(
    printer: &mut Printer,
    rebuilt: Option<&str>,
    degraded: &[String],
) -> Outcome<()> {
    if let Some(reason) = rebuilt {
        printer.note(&format!("the index was built again: {reason}"))?;
    }
    degraded.iter().try_for_each(|reason| printer.note(reason))
}

/// How much of the tree the model that compared the first places knows, until it knows all.
pub(crate) fn reranked(printer: &mut Printer, answer: &Answer) -> Outcome<()> {
    let Some(reranked) = &answer.reranked else {
        return Ok(());
    };
    let Reranked { model, n_places, n_vectors, n_chunks, .. } = reranked;
    if n_vectors >= n_chunks {
        return Ok(());
    }
    printer.aside(&format!(
        "{n_places} places compared with {model}, which has vectors of {n_vectors} of {n_chunks} chunks so far"
    ))
}

/// That nothing is close, where the ranking is that unsure.
pub(crate) fn unsure(printer: &mut Printer, answer: &Answer) -> Outcome<()> {
    match answer.confidence {
        Some(Confidence::Low) => printer.note("nothing is close; these are the nearest places"),
        Some(Confidence::Fair | Confidence::High) | None => Ok(()),
    }
}

/// Nothing was found: what was not searched, and what to try.
pub(crate) fn nothing_found(printer: &mut Printer, answer: &Answer, filtered: bool) -> Outcome<()> {
    printer.note("nothing found")?;
    not_searched(printer, &answer.skipped, filtered)?;
    printer.hint(match answer.mode {
        Mode::Exact | Mode::Regex => "-i folds case; without -F or -E the words are ranked instead",
        Mode::Hybrid | Mode::Keyword | Mode::Semantic => "try other words, or -F for an exact text",
    })
}

/// What nobody looked at, and that it may have been the user's wish.
pub(crate) fn not_searched(
    printer: &mut Printer,
    counts: &SkipCounts,
    filtered: bool,
) -> Outcome<()> {
    if counts.total() > 0 {
        printer.note(&format!("not searched: {}", skipped(counts)))?;
        printer.hint("wherein status --why PATH tells which rule hides a path")?;
    }
    if filtered {
        printer.hint("only some files were asked for; drop PATH, --path, --lang or --kind")?;
    }
    Ok(())
}

/// That only some kinds of symbols were asked for, where that is so.
pub(crate) fn some_symbol_kinds(printer: &mut Printer, kinds: &[SymbolKind]) -> Outcome<()> {
    if kinds.is_empty() {
        return Ok(());
    }
    let kinds: Vec<&str> = kinds.iter().map(|kind| kind.as_str()).collect();
    printer.hint(&format!(
        "only symbols of the kind {} were asked for; drop --symbol-kind",
        kinds.join(", ")
    ))
}

/// How much the limit left out, and how to see it.
pub(crate) fn more(
    printer: &mut Printer,
    n_shown: usize,
    n_matches: u64,
    what: &str,
) -> Outcome<()> {
    match n_matches.saturating_sub(n_shown as u64) {
        0 => Ok(()),
        n => printer.note(&format!("{n} more {what}; --all shows them")),
    }
}

/// `3 ignored, 1 too large` …; only what is not zero.
pub(crate) fn skipped(counts: &SkipCounts) -> String {
    let counted = counts.iter().filter(|(_, count)| *count > 0);
    let said: Vec<String> =
        counted.map(|(reason, count)| format!("{count} {}", in_words(reason))).collect();
    if said.is_empty() { "nothing".to_owned() } else { said.join(", ") }
}

/// The reason as people say it.
fn in_words(reason: SkipReason) -> &'static str {
    match reason {
        SkipReason::Ignored => "ignored",
        SkipReason::ExcludedDir => "excluded folders",
        SkipReason::Lockfile => "lockfiles",
        SkipReason::Svg => "SVG",
        SkipReason::Sensitive => "sensitive",
        SkipReason::TooLarge => "too large",
        SkipReason::Binary => "binary",
        SkipReason::Symlink => "symbolic links",
        SkipReason::NestedWorktree => "nested worktrees",
        SkipReason::Special => "special files",
        SkipReason::Unreadable => "unreadable",
        other => other.as_str(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_was_skipped_is_said() {
        let mut counts = SkipCounts::default();
        assert_eq!(skipped(&counts), "nothing");
        counts.add(SkipReason::TooLarge);
        counts.add(SkipReason::Ignored);
        counts.add(SkipReason::Ignored);
        assert_eq!(skipped(&counts), "2 ignored, 1 too large");
    }
}

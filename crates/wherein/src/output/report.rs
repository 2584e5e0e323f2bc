//! Reports for people: the state of an index, what a refresh did, the verdict on a path, the settings.

use indicatif::HumanBytes;
use wherein_engine::{Problem, RefreshReport, Status, Why};

use super::Printer;
use super::notices::skipped;
use super::text::visible;
use crate::failure::Outcome;
use crate::settings::{Key, Settings};

/// The state of an index.
pub(crate) fn status(printer: &mut Printer, status: &Status) -> Outcome<()> {
    let state = match (status.generation, status.complete, status.stale) {
        (0, ..) => "no index yet; the next question makes one",
        (_, false, _) => "incomplete; the next question goes on with it",
        (_, _, true) => "out of date; the next question brings it up to date",
        _ => "up to date",
    };
    let kinds = status.by_kind.iter().map(|(kind, count)| (kind.as_str(), *count));
    let languages = status.by_language.iter().map(|(name, count)| (name.as_str(), *count));
    let rows = [
        ("root", status.root.display().to_string()),
        ("index", status.index_dir.display().to_string()),
        ("state", state.to_owned()),
        ("generation", format!("{} ({} profile)", status.generation, status.profile.as_str())),
        ("files", format!("{} ({})", status.n_files, HumanBytes(status.n_bytes))),
        ("chunks", status.n_chunks.to_string()),
        ("model", status.model.as_ref().map_or("none", |model| model.name.as_str()).to_owned()),
        ("vectors", vectors(status)),
        ("on disk", HumanBytes(status.index_bytes).to_string()),
        ("kinds", listed(kinds)),
        ("languages", listed(languages)),
        ("not searched", skipped(&status.skipped)),
    ];
    // Seldom there at all, so they have no row that says none.
    let fallbacks =
        (!status.fallbacks.is_empty()).then(|| ("cut by lines", fallbacks(&status.fallbacks)));
    let reranker = status.reranker.as_ref().map(|model| {
        let (n_vectors, n_chunks) = (status.n_reranker_vectors, status.n_chunks);
        ("compared by", format!("{}, {n_vectors} of {n_chunks} chunks so far", model.name))
    });
    for (name, value) in rows.into_iter().chain(reranker).chain(fallbacks) {
        writeln!(printer.out(), "{name:<13}{}", visible(&value))?;
    }
    problems(printer, &status.problems)
}

/// `120 of 130 chunks (int8, 46.41 KiB)`.
fn vectors(status: &Status) -> String {
    let Status { n_vectors, n_chunks, encoding, vector_bytes, .. } = status;
    match n_vectors {
        0 => "none".to_owned(),
        _ => format!(
            "{n_vectors} of {n_chunks} chunks ({}, {})",
            encoding.as_str(),
            HumanBytes(*vector_bytes)
        ),
    }
}

/// `3 generated, 1 nested too deep to parse`.
fn fallbacks(counts: &[(String, u64)]) -> String {
    let said: Vec<String> = counts
        .iter()
        .map(|(reason, count)| {
            format!("{count} {}", reason.strip_suffix(": cut by lines").unwrap_or(reason))
        })
        .collect();
    said.join(", ")
}

/// `rust 12, python 3`.
fn listed<'n>(counts: impl Iterator<Item = (&'n str, u64)>) -> String {
    let said: Vec<String> = counts
        .filter(|(name, count)| *count > 0 && !name.is_empty())
        .map(|(name, count)| format!("{name} {count}"))
        .collect();
    if said.is_empty() { "none".to_owned() } else { said.join(", ") }
}

/// Per-file trouble, one line each.
fn problems(printer: &mut Printer, problems: &[Problem]) -> Outcome<()> {
    for problem in problems {
        let line = format!("{}: {}", problem.path, problem.reason);
        writeln!(printer.out(), "problem      {}", visible(&line))?;
    }
    Ok(())
}

/// What a refresh did; `model` is the one whose vectors are in play.
pub(crate) fn refresh(
    printer: &mut Printer,
    report: &RefreshReport,
    model: Option<&str>,
) -> Outcome<()> {
    let RefreshReport { generation, added, changed, removed, n_files, .. } = report;
    writeln!(
        printer.out(),
        "{n_files} files indexed: {added} added, {changed} changed, {removed} removed \
         (generation {generation})"
    )?;
    if let Some(model) = model {
        let RefreshReport { embedded, cached, n_vectors, n_chunks, .. } = report;
        let line = format!(
            "{embedded} chunks embedded, {cached} from the cache; {n_vectors} of {n_chunks} chunks have vectors \
             (model {model})"
        );
        writeln!(printer.out(), "{}", visible(&line))?;
    }
    writeln!(printer.out(), "not searched: {}", skipped(&report.skipped))?;
    problems(printer, &report.problems)
}

/// Which model will embed what questions touch.
pub(crate) fn reranker(printer: &mut Printer, model: &str) -> Outcome<()> {
    let line = format!(
        "{model} compares the first places of each question and embeds only those (--embed all: everything, now)"
    );
    writeln!(printer.out(), "{}", visible(&line))?;
    Ok(())
}

/// The verdict on a path.
pub(crate) fn why(printer: &mut Printer, why: &Why) -> Outcome<()> {
    let verdict = if why.searched { "searched" } else { "not searched" };
    let reason = why.reason.as_deref().map(|reason| format!(" ({reason})")).unwrap_or_default();
    let line = format!("{}: {verdict}{reason}: {}", why.path, why.rule);
    writeln!(printer.out(), "{}", visible(&line))?;
    Ok(())
}

/// The settings in force, one line each.
pub(crate) fn settings(printer: &mut Printer, settings: &Settings, origin: bool) -> Outcome<()> {
    for key in Key::ALL {
        let line = format!("{} = {}", key.name(), settings.shown(key));
        let line = if origin { format!("{line}  # {}", settings.origin(key)) } else { line };
        writeln!(printer.out(), "{}", visible(&line))?;
    }
    Ok(())
}

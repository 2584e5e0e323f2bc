//! Several repositories for people: a line for each as it is done, and which ones failed.

use wherein_engine::{Error, RefreshReport, Result, Status};

use super::text::visible;
use super::{Printer, report};
use crate::failure::Outcome;
use crate::repositories::{Declared, Repository, Source};

/// `name: 12 files indexed: …`.
pub(crate) fn refreshed(printer: &mut Printer, name: &str, report: &RefreshReport) -> Outcome<()> {
    let RefreshReport { generation, added, changed, removed, n_files, problems, .. } = report;
    let trouble = match problems.len() {
        0 => String::new(),
        n => format!("; problems with {n}: wherein status --repo NAME"),
    };
    let line = format!(
        "{name}: {n_files} files indexed: {added} added, {changed} changed, {removed} removed \
         (generation {generation}){trouble}"
    );
    writeln!(printer.out(), "{}", visible(&line))?;
    Ok(())
}

/// The state of one: its name, what it was cloned from, and its index, or why there is nothing to say.
pub(crate) fn status(
    printer: &mut Printer,
    repository: &Repository,
    status: &Result<Status>,
) -> Outcome<()> {
    let status = match status {
        Ok(status) => status,
        Err(reason) => return error(printer, &repository.name, reason),
    };
    let url = repository.url().map(|url| ("url", url));
    let commit = repository.commit().map(|commit| ("commit", commit));
    let rows = [("repository", repository.name.clone())];
    for (name, value) in rows.into_iter().chain(url).chain(commit) {
        writeln!(printer.out(), "{name:<13}{}", visible(&value))?;
    }
    report::status(printer, status)?;
    writeln!(printer.out())?;
    Ok(())
}

/// The trouble of one, on standard error.
pub(crate) fn error(printer: &mut Printer, name: &str, error: &Error) -> Outcome<()> {
    printer.note(&format!("{name}: {error}"))?;
    error.hint().map_or(Ok(()), |hint| printer.hint(hint))
}

/// Which ones failed, after all were tried.
pub(crate) fn failed(printer: &mut Printer, names: &[&str], n_all: usize) -> Outcome<()> {
    printer.note(&format!("{} of {n_all} failed: {}", names.len(), names.join(", ")))
}

/// Declared repositories as a settings file has them, secrets left out.
pub(crate) fn declared(printer: &mut Printer, all: &[Declared], origin: bool) -> Outcome<()> {
    let quoted = |text: &str| toml::Value::from(text).to_string();
    for one in all {
        let from = if origin { format!("  # {}", one.origin) } else { String::new() };
        let mut lines =
            vec![format!("\n[[repository]]{from}"), format!("name = {}", quoted(&one.name))];
        match &one.source {
            Source::Folder(path) => {
                lines.push(format!("path = {}", quoted(&path.to_string_lossy())));
            }
            Source::Remote { url, reference } => {
                lines.push(format!("url = {}", quoted(&url.shown())));
                lines.extend(reference.iter().map(|name| format!("ref = {}", quoted(name))));
            }
        }
        if !one.root.is_empty() {
            lines.push(format!("root = {}", quoted(&one.root)));
        }
        if !one.exclude.is_empty() {
            lines.push(format!("exclude = {}", toml::Value::from(one.exclude.clone())));
        }
        for line in lines.iter().flat_map(|line| line.split('\n')) {
            writeln!(printer.out(), "{}", visible(line))?;
        }
    }
    Ok(())
}

//! Why a place is not higher, for people: where it stands, what speaks for it, where it loses, and beside which hits.
//!
//! Paths and texts are made harmless, because a terminal or an agent's log will show them.

use std::path::Path;

use wherein_engine::{Hit, WhyPlace};

use super::Printer;
use super::human::{path, reasons};
use super::style::{DIM, paint};
use super::text::visible;
use crate::failure::Outcome;

/// The whole verdict.
pub(crate) fn place(printer: &mut Printer, searched: &Path, why: &WhyPlace) -> Outcome<()> {
    let lines = why.place.as_ref().map(|hit| (hit.start_line, hit.end_line)).or(why.lines);
    let lines = lines.map(|(first, last)| format!(":{first}-{last}")).unwrap_or_default();
    let shown = path(printer, searched, &why.path, &lines);
    writeln!(printer.out(), "{shown}  {}", visible(&why.told))?;
    if let Some(hit) = &why.place {
        row(printer, "reasons", &reasons(hit))?;
    }
    for (idx, loss) in why.losses.iter().enumerate() {
        let name = if idx == 0 { "loses in" } else { "" };
        row(printer, name, &format!("{} ({:.2}): {}", in_words(loss.group), loss.lost, loss.said))?;
    }
    let is_first = why.rank == Some(1) && why.copy_of.is_none();
    if let (Some(first), false) = (&why.first, is_first) {
        beside(printer, searched, "the first", first)?;
    }
    if let Some(hit) = &why.place {
        row(printer, "score", &score(why, hit))?;
    }
    Ok(())
}

/// `2.31, the first 9.10, the last of the first ten 4.55`.
fn score(why: &WhyPlace, hit: &Hit) -> String {
    let mut said = format!("{:.2}", hit.score);
    for (name, other) in [("the first", &why.first), ("the last of the first ten", &why.tenth)] {
        if let Some(other) = other {
            said = format!("{said}, {name} {:.2}", other.score);
        }
    }
    said
}

fn beside(printer: &mut Printer, searched: &Path, name: &str, hit: &Hit) -> Outcome<()> {
    let shown =
        path(printer, searched, &hit.path, &format!(":{}-{}", hit.start_line, hit.end_line));
    writeln!(printer.out(), "  {name:<10}{shown}")?;
    row(printer, "", &reasons(hit))
}

/// A name and what there is to say under it.
fn row(printer: &mut Printer, name: &str, said: &str) -> Outcome<()> {
    if said.is_empty() {
        return Ok(());
    }
    let said = paint(printer.color, DIM, &visible(said));
    writeln!(printer.out(), "  {name:<10}{said}")?;
    Ok(())
}

/// A part of the score as people say it.
fn in_words(group: &str) -> &str {
    match group {
        "same_file" => "other hits of its file",
        "similarity" => "likeness",
        "place" => "what the question names",
        other => other,
    }
}

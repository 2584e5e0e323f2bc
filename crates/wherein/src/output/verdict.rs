//! What `eval` prints: tables that the evaluation laid out, and the next step after `eval init`.

use super::text::visible;
use super::{Printer, raw};
use crate::failure::Outcome;

/// Tables, line by line; what a suite holds may come from anywhere, so a terminal gets it harmless.
pub(crate) fn text(printer: &mut Printer, text: &str) -> Outcome<()> {
    let guards = printer.guards();
    for line in text.trim_end().lines() {
        match guards {
            true => writeln!(printer.out(), "{}", visible(line))?,
            false => writeln!(printer.out(), "{line}")?,
        }
    }
    Ok(())
}

/// A question file was written.
pub(crate) fn questions_written(file: &str, next: &str) -> Outcome<()> {
    let said = format!(
        "wrote {}: put your questions and answers in it before you look at any result, then run\n  {}\n",
        visible(file),
        visible(next)
    );
    raw(said.as_bytes())
}

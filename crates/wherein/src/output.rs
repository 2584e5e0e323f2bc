//! Everything that is printed: the printer and the formats. It computes nothing about code.
//!
//! Standard output is an API; nothing outside this module writes to it or to standard error.

pub(crate) mod agents;
mod columns;
pub(crate) mod errors;
pub(crate) mod human;
pub(crate) mod json;
pub(crate) mod lines;
mod link;
pub(crate) mod lookup;
pub(crate) mod models;
pub(crate) mod notices;
mod printer;
pub(crate) mod progress;
pub(crate) mod report;
pub(crate) mod repositories;
pub(crate) mod stores;
mod style;
mod text;
pub(crate) mod verdict;
pub(crate) mod watching;
pub(crate) mod why;

pub(crate) use printer::Printer;

/// Bytes on standard output as they are: scripts and pages.
pub(crate) fn raw(bytes: &[u8]) -> crate::failure::Outcome<()> {
    Ok(printer::to_stdout(bytes)?)
}

//! Questions with known answers, turned into tables: how well does this search on that code?
//!
//! Modules stand in the order in which data flows: suite → run (with grep beside it) → results → judge →
//! report. The figures equal those of the suites' own scoring script, which shares no code with this crate.
//! The crate uses only the public names of the engine, never prints, and knows nothing of flags.

mod error;
mod grep;
mod judge;
mod report;
mod results;
mod run;
mod suite;
mod table;

use std::path::Path;

pub use error::{Error, Result};
pub use judge::{Figures, figures, rank_of_definition};
pub use report::{Mean, QuestionRow, Report};
pub use results::{RankedPlaces, read_results, write_results};
pub use run::{EvalOptions, run};
pub use suite::{GrepCounts, Lines, Place, Question, Repository, Suite};

/// Judges an existing results file against a suite; searches nothing.
///
/// # Errors
/// When either file is missing or malformed.
pub fn judge_results(suite: &Path, results: &Path) -> Result<Report> {
    let suite = Suite::read(suite)?;
    let ranked = read_results(results)?;
    Ok(Report::new(&suite, &ranked, &Default::default()))
}

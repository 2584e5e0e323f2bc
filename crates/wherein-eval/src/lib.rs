//! Questions with known answers, turned into tables: how well does this search on that code?
//!
//! Data flows suite → run (with grep beside it) → results → judge → report for one mode, and suite → compare
//! → comparison → tables and plot for several methods. The figures equal those of the suites' own scoring script, which shares no code with this crate.
//! The crate uses only the public names of the engine, never prints, and knows nothing of flags.

mod checkout;
mod compare;
mod comparison;
mod error;
pub mod fit;
mod grep;
mod grid;
mod judge;
mod method;
mod options;
mod plot;
mod progress;
mod remember;
mod report;
mod results;
mod run;
mod suite;
mod table;
mod tables;
mod template;

use std::path::Path;

pub use checkout::Checkouts;
pub use compare::compare;
pub use comparison::{Compared, Comparison, MethodFacts, Scope, SummaryRow};
pub use error::{Error, Result};
pub use judge::{Figures, figures, rank_of_definition};
pub use method::Method;
pub use options::{Elsewhere, EvalOptions};
pub use progress::{OnStep, Step};
pub use report::{Mean, QuestionRow, Report};
pub use results::{RankedPlaces, read_results, write_results};
pub use run::run;
pub use suite::{GrepCounts, Lines, Place, Question, Repository, Suite};
pub use tables::Layout;
pub use template::write_template;

/// Judges an existing results file against a suite; searches nothing.
///
/// # Errors
/// When either file is missing or malformed.
pub fn judge_results(suite: &Path, results: &Path) -> Result<Report> {
    let suite = Suite::read(suite)?;
    let ranked = read_results(results)?;
    Ok(Report::new(&suite, &ranked, &Default::default()))
}

//! The arguments of `why`, as typed. Doc comments are the help.
//!
//! Values that are also settings stay text, as in `args`.

use std::path::PathBuf;

use clap::{Args, ValueHint};

use super::args::FilterArgs;
use super::{CommonArgs, FusionArgs, ModelArgs, SymbolKindArgs};

/// The arguments of `why`.
#[derive(Debug, Args)]
pub(crate) struct WhyArgs {
    /// The place that was expected: path:line, path:start-end as results show it, or a path for its best chunk
    #[arg(value_name = "PATH:LINE", value_hint = ValueHint::AnyPath)]
    pub(crate) place: String,
    /// The question, as it was asked
    #[arg(value_name = "QUESTION")]
    pub(crate) question: String,
    /// The folders, files or globs that it was asked of, relative to the current folder
    #[arg(value_name = "PATH", value_hint = ValueHint::AnyPath)]
    pub(crate) paths: Vec<PathBuf>,
    /// hybrid (words and meaning, the default), keyword or semantic
    #[arg(long, value_name = "MODE")]
    pub(crate) mode: Option<String>,
    /// Answer from the index as it stands, without bringing it up to date first
    #[arg(long)]
    pub(crate) no_refresh: bool,
    #[command(flatten)]
    pub(crate) filter: FilterArgs,
    #[command(flatten)]
    pub(crate) symbols: SymbolKindArgs,
    #[command(flatten)]
    pub(crate) model: ModelArgs,
    #[command(flatten)]
    pub(crate) fusion: FusionArgs,
    /// One JSON object
    #[arg(long, help_heading = "Output")]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) common: CommonArgs,
}

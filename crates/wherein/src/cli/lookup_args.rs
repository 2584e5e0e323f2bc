//! The arguments of look-ups by name, as typed: symbols, usages, outline. Doc comments are the help.
//!
//! Values that are also settings stay text, as in `args`; kinds of symbols are checked here, too, because shells
//! complete them.

use std::path::PathBuf;

use clap::builder::PossibleValuesParser;
use clap::{Args, ValueHint};
use wherein_engine::SymbolKind;

use super::args::{FilterArgs, Format};
use super::{CommonArgs, PublishedArgs, RepoArgs};

/// Which symbols may answer.
#[derive(Debug, Default, Args)]
#[command(next_help_heading = "Filters")]
pub(crate) struct SymbolKindArgs {
    /// Only symbols of this kind (repeatable); a question finds the places that hold one
    #[arg(long = "symbol-kind", value_name = "KIND", value_delimiter = ',')]
    #[arg(value_parser = PossibleValuesParser::new(SymbolKind::ALL.iter().map(|kind| kind.as_str())))]
    pub(crate) symbol_kinds: Vec<String>,
}

/// What look-ups of a name share.
#[derive(Debug, Args)]
pub(crate) struct LookupArgs {
    /// Folders, files or globs to look in, relative to the current folder
    #[arg(value_name = "PATH", value_hint = ValueHint::AnyPath)]
    pub(crate) paths: Vec<PathBuf>,
    /// At most N results (50 symbols, 100 usages)
    #[arg(short = 'k', long, value_name = "N", allow_negative_numbers = true)]
    pub(crate) limit: Option<String>,
    /// Every result, however many there are
    #[arg(long, conflicts_with = "limit")]
    pub(crate) all: bool,
    /// Answer from the index as it stands, without bringing it up to date first
    #[arg(long)]
    pub(crate) no_refresh: bool,
    #[command(flatten)]
    pub(crate) filter: FilterArgs,
    #[command(flatten)]
    pub(crate) format: Format,
    /// End paths with a NUL byte instead of ':' or a newline (with -l and -c)
    #[arg(short = '0', long, help_heading = "Output")]
    #[arg(conflicts_with_all = ["vimgrep", "json", "jsonl"])]
    pub(crate) null: bool,
    #[command(flatten)]
    pub(crate) repo: RepoArgs,
    #[command(flatten)]
    pub(crate) store: PublishedArgs,
    #[command(flatten)]
    pub(crate) common: CommonArgs,
}

/// The arguments of `symbols`.
#[derive(Debug, Args)]
pub(crate) struct SymbolsArgs {
    /// The name, how it begins, or one of its parts; its parents may stand in front (Session.send)
    #[arg(value_name = "NAME")]
    pub(crate) name: String,
    #[command(flatten)]
    pub(crate) lookup: LookupArgs,
    #[command(flatten)]
    pub(crate) symbols: SymbolKindArgs,
}

/// The arguments of `usages`.
#[derive(Debug, Args)]
pub(crate) struct UsagesArgs {
    /// The name as code writes it, in full
    #[arg(value_name = "NAME")]
    pub(crate) name: String,
    /// Also the lines where it stands in a comment or a string alone
    #[arg(long)]
    pub(crate) comments: bool,
    #[command(flatten)]
    pub(crate) lookup: LookupArgs,
}

/// The arguments of `outline`.
#[derive(Debug, Args)]
pub(crate) struct OutlineArgs {
    /// Files, folders or globs, relative to the current folder (all of it)
    #[arg(value_name = "PATH", value_hint = ValueHint::AnyPath)]
    pub(crate) paths: Vec<PathBuf>,
    /// List from the index as it stands, without bringing it up to date first
    #[arg(long)]
    pub(crate) no_refresh: bool,
    #[command(flatten)]
    pub(crate) filter: FilterArgs,
    #[command(flatten)]
    pub(crate) symbols: SymbolKindArgs,
    /// One JSON object
    #[arg(long, help_heading = "Output")]
    pub(crate) json: bool,
    /// One JSON object a line for each file
    #[arg(long, help_heading = "Output", conflicts_with = "json")]
    pub(crate) jsonl: bool,
    #[command(flatten)]
    pub(crate) repo: RepoArgs,
    #[command(flatten)]
    pub(crate) store: PublishedArgs,
    #[command(flatten)]
    pub(crate) common: CommonArgs,
}

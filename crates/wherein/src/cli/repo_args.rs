//! The arguments about repositories that settings declare. Doc comments are the help.
//!
//! Names stay text here: `repositories` finds out what they mean.

use std::path::PathBuf;

use clap::{Args, ValueHint};

/// Which repositories a command is about.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Repositories")]
pub(crate) struct RepoArgs {
    /// This repository of the settings instead of the current folder (repeatable; 'team-*' is all that begin so, '*' is
    /// all; a git address that was indexed, too)
    #[arg(long = "repo", value_name = "NAME", conflicts_with = "root")]
    pub(crate) names: Vec<String>,
    #[command(flatten)]
    pub(crate) file: RepoFileArgs,
}

/// Where repositories are declared beside the settings files.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Repositories")]
pub(crate) struct RepoFileArgs {
    /// Also the repositories that this file declares (TOML, [[repository]] tables)
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) repositories: Option<PathBuf>,
}

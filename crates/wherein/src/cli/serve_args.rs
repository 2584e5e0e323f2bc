//! The arguments of the commands that stay: `mcp`, `serve` and `watch`. Doc comments are the help.
//!
//! Values that are also settings stay text, as in `args`.

use std::net::IpAddr;
use std::path::PathBuf;

use clap::{Args, ValueHint};

use super::{CommonArgs, ModelArgs, PublishedArgs, RepoArgs};

/// The port where nobody names one.
const PORT: &str = "7878";

/// The arguments of `mcp`.
#[derive(Debug, Args)]
pub(crate) struct McpArgs {
    /// Look for changed files at each question instead of being told by the system
    #[arg(long)]
    pub(crate) no_watch: bool,
    #[command(flatten)]
    pub(crate) limits: LimitArgs,
    #[command(flatten)]
    pub(crate) model: ModelArgs,
    #[command(flatten)]
    pub(crate) repo: RepoArgs,
    #[command(flatten)]
    pub(crate) store: PublishedArgs,
    #[command(flatten)]
    pub(crate) common: CommonArgs,
}

/// The arguments of `serve`.
#[derive(Debug, Args)]
pub(crate) struct ServeArgs {
    /// The folders to serve (the current one)
    #[arg(value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub(crate) folders: Vec<PathBuf>,
    /// Listen on this port; 0 takes a free one
    #[arg(long, value_name = "N", default_value = PORT)]
    pub(crate) port: u16,
    /// Listen on this address; one that others reach needs a token
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1")]
    pub(crate) address: IpAddr,
    /// Write the port here once the server listens
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) port_file: Option<PathBuf>,
    /// Start although no folder is named; some may be added on the page, below --allow-root
    #[arg(long, conflicts_with_all = ["folders", "names"])]
    pub(crate) empty: bool,
    #[command(flatten)]
    pub(crate) access: AccessArgs,
    /// Look for changed files at each question instead of being told by the system
    #[arg(long)]
    pub(crate) no_watch: bool,
    #[command(flatten)]
    pub(crate) limits: LimitArgs,
    /// Answer at most N questions at once (one per core)
    #[arg(long, value_name = "N", help_heading = "Limits")]
    pub(crate) max_searches: Option<usize>,
    /// Let at most N questions wait for their turn; further ones get 429
    #[arg(long, value_name = "N", default_value_t = 256, help_heading = "Limits")]
    pub(crate) max_waiting: usize,
    #[command(flatten)]
    pub(crate) model: ModelArgs,
    #[command(flatten)]
    pub(crate) repo: RepoArgs,
    #[command(flatten)]
    pub(crate) store: PublishedArgs,
    #[command(flatten)]
    pub(crate) common: CommonArgs,
}

/// Who may ask a server, and for what.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Access")]
pub(crate) struct AccessArgs {
    /// Requests must show this secret (other users see it in the list of processes: prefer --token-file or
    /// WHEREIN_TOKEN)
    #[arg(long, value_name = "SECRET", env = "WHEREIN_TOKEN", hide_env_values = true)]
    pub(crate) token: Option<String>,
    /// Requests must show the secret in the first line of this file
    #[arg(long, value_name = "FILE", conflicts_with = "token", value_hint = ValueHint::FilePath)]
    pub(crate) token_file: Option<PathBuf>,
    /// Answer to this host name, too (repeatable; addresses and localhost always do)
    #[arg(long = "allow-host", value_name = "NAME")]
    pub(crate) hosts: Vec<String>,
    /// Requests may add folders below this one (repeatable; none)
    #[arg(long = "allow-root", value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub(crate) roots: Vec<PathBuf>,
}

/// How long questions may take.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Limits")]
pub(crate) struct LimitArgs {
    /// Answer from what there is when an index is not ready after this many seconds (8)
    #[arg(long, value_name = "SECONDS", default_value_t = 8.0, hide_default_value = true)]
    pub(crate) patience: f64,
    /// Give a question up after this many seconds (30)
    #[arg(long, value_name = "SECONDS", default_value_t = 30.0, hide_default_value = true)]
    pub(crate) deadline: f64,
}

/// The arguments of `watch`.
#[derive(Debug, Args)]
pub(crate) struct WatchArgs {
    /// The folders to watch (the current one)
    #[arg(value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub(crate) folders: Vec<PathBuf>,
    /// One JSON object a line for each change of state
    #[arg(long)]
    pub(crate) jsonl: bool,
    #[command(flatten)]
    pub(crate) model: ModelArgs,
    #[command(flatten)]
    pub(crate) repo: RepoArgs,
    #[command(flatten)]
    pub(crate) common: CommonArgs,
}

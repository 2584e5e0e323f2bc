//! The arguments of `wherein agent …`, as typed. Doc comments are the help.
//!
//! Which clients there are is told by `agent`; nothing here looks for them.

use std::path::PathBuf;

use clap::builder::PossibleValue;
use clap::{Args, Subcommand, ValueEnum, ValueHint};

use super::examples;
use crate::agent::{Client, Scope};

/// The arguments of `agent`.
#[derive(Debug, Args)]
pub(crate) struct AgentArgs {
    /// What to do.
    #[command(subcommand)]
    pub(crate) command: AgentCommand,
}

/// What can be done about coding agents.
#[derive(Debug, Subcommand)]
#[command(subcommand_help_heading = "Commands", disable_help_subcommand = true)]
pub(crate) enum AgentCommand {
    /// Register the MCP server (wherein mcp) with clients
    #[command(after_help = examples::AGENT_INSTALL)]
    Install(AgentInstallArgs),
    /// Take out what install wrote
    #[command(after_help = examples::AGENT_UNINSTALL)]
    Uninstall(AgentUninstallArgs),
    /// Show which clients are here and which have the server
    #[command(after_help = examples::AGENT_STATUS)]
    Status(AgentStatusArgs),
}

/// A client, or all that are here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ClientName {
    All,
    One(Client),
}

impl ValueEnum for ClientName {
    fn value_variants<'a>() -> &'a [Self] {
        const NAMES: [ClientName; 10] = {
            let mut names = [ClientName::All; 10];
            let mut idx = 0;
            while idx < Client::ALL.len() {
                names[idx] = ClientName::One(Client::ALL[idx]);
                idx += 1;
            }
            names
        };
        &NAMES
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        match self {
            ClientName::All => Some(PossibleValue::new("all").help("All that are found here")),
            ClientName::One(client) => client.to_possible_value(),
        }
    }
}

/// Which clients, and for whom.
#[derive(Debug, Args)]
pub(crate) struct ClientArgs {
    /// Which clients; all means those that are found here
    #[arg(value_name = "CLIENT")]
    pub(crate) clients: Vec<ClientName>,
    /// For whom: all projects of this user, or everyone who works in this repository
    #[arg(long, value_name = "SCOPE", default_value = "user")]
    pub(crate) scope: Scope,
    /// The repository of --scope project (the one around the current folder)
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub(crate) root: Option<PathBuf>,
    /// The command that clients start (wherein where that is this program, else its path)
    #[arg(long = "command", value_name = "PATH", value_hint = ValueHint::CommandName)]
    pub(crate) program: Option<PathBuf>,
}

/// The arguments of `agent install`.
#[derive(Debug, Args)]
pub(crate) struct AgentInstallArgs {
    #[command(flatten)]
    pub(crate) which: ClientArgs,
    /// Let the server answer for this folder (wherein mcp --root DIR), for clients that start it elsewhere
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub(crate) mcp_root: Option<PathBuf>,
    /// Also write a short text that tells the agent when to ask wherein and when to grep
    #[arg(long)]
    pub(crate) rules: bool,
    /// Take the place of another entry called wherein
    #[arg(long)]
    pub(crate) force: bool,
    /// Show what would change, as a diff, and write nothing
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// Print what to paste into a client's settings, and write nothing
    #[arg(long, conflicts_with_all = ["dry_run", "force", "rules"])]
    pub(crate) print: bool,
}

/// The arguments of `agent uninstall`.
#[derive(Debug, Args)]
pub(crate) struct AgentUninstallArgs {
    #[command(flatten)]
    pub(crate) which: ClientArgs,
    /// Remove an entry called wherein that starts something else, too
    #[arg(long)]
    pub(crate) force: bool,
    /// Show what would change, as a diff, and write nothing
    #[arg(long)]
    pub(crate) dry_run: bool,
}

/// The arguments of `agent status`.
#[derive(Debug, Args)]
pub(crate) struct AgentStatusArgs {
    #[command(flatten)]
    pub(crate) which: ClientArgs,
    /// One JSON object
    #[arg(long)]
    pub(crate) json: bool,
}

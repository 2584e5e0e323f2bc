//! `wherein mcp`: tools for one coding agent over standard input and output.

use std::sync::Arc;

use wherein_serve::McpOptions;

use super::opener::{self, Folders};
use crate::cli::McpArgs;
use crate::exit::Exit;
use crate::failure::Outcome;

/// Runs the command.
pub(super) fn run(args: &McpArgs) -> Outcome<Exit> {
    let folders = Folders::new(&args.common, (&args.model, &args.store), &args.repo)?;
    let (patience, deadline) = opener::limits(&args.limits)?;
    let options = McpOptions {
        // A root that is wrong is told to whoever asks: a client shows no other error.
        roots: args.common.root.iter().cloned().chain(folders.repositories()).collect(),
        cwd: std::env::current_dir().ok(),
        watches: !args.no_watch,
        patience,
        deadline,
    };
    wherein_serve::mcp(Arc::new(folders), options)?;
    Ok(Exit::Found)
}

//! One file for each command. A command resolves its settings, calls the engine once, and prints.

mod agent;
mod chosen;
mod completions;
mod config;
mod eval;
mod index;
mod lookup;
mod mcp;
mod meaning;
mod merge;
mod model;
mod opener;
mod outline;
mod published;
mod reranker;
mod search;
mod serve;
mod session;
mod status;
mod store;
mod symbols;
mod usages;
mod watch;
mod why;

use std::path::Path;

use wherein_engine::{Error, Result};

use crate::cli::{Cli, Command, CommonArgs};
use crate::exit::Exit;
use crate::failure::Outcome;

/// Runs what the arguments ask for.
pub(crate) fn run(cli: Cli) -> Outcome<Exit> {
    match cli.command {
        None => search::run(&cli.search),
        Some(Command::Search(args)) => search::run(&args),
        Some(Command::Symbols(args)) => symbols::run(&args),
        Some(Command::Usages(args)) => usages::run(&args),
        Some(Command::Outline(args)) => outline::run(&args),
        Some(Command::Why(args)) => why::run(&args),
        Some(Command::Index(args)) => index::run(&args),
        Some(Command::Status(args)) => status::run(&args),
        Some(Command::Model(args)) => model::run(&args.command),
        Some(Command::Store(args)) => store::run(&args.command),
        Some(Command::Agent(args)) => agent::run(&args.command),
        Some(Command::Eval(args)) => eval::run(&args),
        Some(Command::Mcp(args)) => mcp::run(&args),
        Some(Command::Serve(args)) => serve::run(&args),
        Some(Command::Watch(args)) => watch::run(&args),
        Some(Command::Config(args)) => config::run(&args),
        Some(Command::Completions(args)) => completions::run(&args),
        Some(Command::Man) => completions::man(),
    }
}

/// The arguments with a PATH of `index` or `status` as the root, which is what it means there.
fn with_root(common: &CommonArgs, path: Option<&Path>) -> Result<CommonArgs> {
    match (path, &common.root) {
        (None, _) => Ok(common.clone()),
        (Some(path), None) => Ok(CommonArgs { root: Some(path.to_owned()), ..common.clone() }),
        (Some(_), Some(_)) => {
            Err(Error::usage("both PATH and --root name the folder").with_hint("give one of them"))
        }
    }
}

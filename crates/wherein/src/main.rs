//! The binary: arguments → settings → place → command → printer → exit status.
//!
//! Tells that story and nothing else. It must not search, print or decide by itself.

mod agent;
mod cli;
mod commands;
mod exit;
mod failure;
mod output;
mod place;
mod repositories;
mod settings;

use std::process::ExitCode;

use clap::{CommandFactory, FromArgMatches};

use crate::cli::{Cli, words};
use crate::exit::Exit;
use crate::failure::Failure;

/// Measured in `docs/decisions.md`; other systems keep their own.
#[cfg(target_os = "linux")]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    let given: Vec<_> = std::env::args_os().collect();
    let args = words::subcommand_first(given, &Cli::command());
    let wants_json = words::wants_json(&args);
    let exit = match run(args) {
        Ok(exit) => exit,
        Err(failure) => output::errors::report(&failure, wants_json),
    };
    ExitCode::from(exit.code())
}

/// Parses the arguments and runs what they ask for.
fn run(args: Vec<std::ffi::OsString>) -> Result<Exit, Failure> {
    let matches = match Cli::command().try_get_matches_from(args) {
        Ok(matches) => matches,
        Err(error) => return output::errors::from_clap(&error),
    };
    let cli = Cli::from_arg_matches(&matches)
        .map_err(|error| wherein_engine::Error::bug(error.to_string()))?;
    if !cli.is_long_lived() {
        // Finished work is kept whatever stops the program, so leaving at once is safe.
        // Without a handler the system's own action ends it; that is not worth an error.
        let _ = ctrlc::set_handler(|| std::process::exit(i32::from(Exit::Interrupted.code())));
    }
    commands::run(cli)
}

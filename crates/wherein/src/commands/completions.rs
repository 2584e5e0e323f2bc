//! `wherein completions` and `wherein man`: generated from the same table that parses the arguments.

use std::io;

use clap::CommandFactory;

use crate::cli::{Cli, CompletionsArgs};
use crate::exit::Exit;
use crate::failure::Outcome;
use crate::output;

/// Prints the completion script of a shell.
pub(super) fn run(args: &CompletionsArgs) -> Outcome<Exit> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "wherein", &mut script);
    output::raw(&script)?;
    Ok(Exit::Found)
}

/// Prints the manual page, the pages of all commands after it.
pub(super) fn man() -> Outcome<Exit> {
    let page = page().map_err(|error| wherein_engine::Error::bug(error.to_string()))?;
    output::raw(&page)?;
    Ok(Exit::Found)
}

fn page() -> io::Result<Vec<u8>> {
    let mut page = Vec::new();
    let mut command = Cli::command();
    command.build();
    clap_mangen::Man::new(command.clone()).render(&mut page)?;
    below(&command, &mut page)?;
    Ok(page)
}

/// The sections of every command below `command`, theirs included.
fn below(command: &clap::Command, page: &mut Vec<u8>) -> io::Result<()> {
    for subcommand in command.get_subcommands() {
        let man = clap_mangen::Man::new(subcommand.clone());
        man.render_name_section(page)?;
        man.render_synopsis_section(page)?;
        man.render_options_section(page)?;
        below(subcommand, page)?;
    }
    Ok(())
}

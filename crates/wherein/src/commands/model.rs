//! `wherein model …`: the models of this machine. One function a command; what they share stands here.
//!
//! Only `pull` uses the network. Nothing here opens an index, but `bench`.

mod bench;
mod change;
mod measure;
mod show;

use wherein_embed::{ModelStore, Overrides};
use wherein_engine::{Error, Result};

use super::meaning;
use crate::cli::{ModelCommand, StoreArgs, UseArgs};
use crate::exit::Exit;
use crate::failure::Outcome;
use crate::output::Printer;
use crate::settings::{Flags, Settings, Sources};

/// Runs the command.
pub(super) fn run(command: &ModelCommand) -> Outcome<Exit> {
    match command {
        ModelCommand::List(args) => show::list(args),
        ModelCommand::Info(args) => show::info(args),
        ModelCommand::Pull(args) => change::pull(args),
        ModelCommand::Add(args) => change::add(args),
        ModelCommand::Verify(args) => change::verify(args),
        ModelCommand::Remove(args) => change::remove(args),
        ModelCommand::Bench(args) => bench::run(args),
    }
}

/// The models with what is needed to talk about them.
struct Opened {
    store: ModelStore,
    settings: Settings,
    printer: Printer,
}

impl Opened {
    fn new(args: &StoreArgs) -> Result<Opened> {
        let flags = Flags::default().with_model_dir(&args.dir).with_quiet(args.quiet);
        let settings = Sources::read(&flags)?.before_project()?;
        Ok(Opened { store: meaning::store(&settings)?, printer: Printer::new(&settings), settings })
    }
}

/// What was typed about how a model is used.
fn overrides(args: &UseArgs) -> Result<Overrides> {
    let number = |text: &String| {
        text.trim().parse().map_err(|_| {
            Error::usage(format!("--max-tokens: '{text}' is not a whole number"))
                .with_hint("give digits, such as 512")
        })
    };
    Ok(Overrides {
        max_tokens: args.max_tokens.as_ref().map(number).transpose()?,
        pooling: args.pooling.as_deref().map(str::parse).transpose()?,
        question_prefix: args.question_prefix.clone(),
        passage_prefix: args.passage_prefix.clone(),
        ..Overrides::default()
    })
}

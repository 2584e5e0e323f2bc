//! The command that fits the ranking's weights. For those who work on `wherein`; it is never shipped.
//!
//! `cargo run --release -p wherein-eval -- fit SUITE.json=CHECKOUTS=WEIGHT … --into FILE --report FILE`

#![allow(clippy::print_stderr, reason = "a tool for a terminal")]

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

use clap::{Args, Parser, Subcommand};
use wherein_embed::BuiltinModel;
use wherein_eval::fit::{FitOptions, Lesson, fit, weights_file};
use wherein_eval::{Error, Step};

/// Works on the ranking.
#[derive(Debug, Parser)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Fit the weights of the ranking on suites, judged by cross-validation over repositories
    Fit(FitArgs),
}

#[derive(Debug, Args)]
struct FitArgs {
    /// A suite, the folder of its checkouts and what one of its questions counts: SUITE.json=DIR=1.0
    #[arg(required = true, value_name = "SUITE=DIR=WEIGHT", value_parser = lesson)]
    lessons: Vec<Lesson>,
    /// Keep indexes below this folder
    #[arg(long, value_name = "DIR")]
    index_dir: PathBuf,
    /// Write the weights here
    #[arg(long, value_name = "WEIGHTS.toml")]
    into: Option<PathBuf>,
    /// Write held-out figures and the table of weights here
    #[arg(long, value_name = "REPORT.md")]
    report: Option<PathBuf>,
    /// Also leave out each group of features, to see what it is worth
    #[arg(long)]
    ablate: bool,
    /// Steps of the optimiser
    #[arg(long, default_value_t = 150)]
    steps: usize,
    /// What a weight costs
    #[arg(long, default_value_t = 0.01)]
    decay: f32,
}

fn lesson(text: &str) -> Result<Lesson, String> {
    let parts: Vec<&str> = text.split('=').collect();
    let [suite, checkouts, weight] = parts[..] else {
        return Err("give SUITE.json=DIR=WEIGHT".to_owned());
    };
    let weight = weight.parse().map_err(|_| format!("{weight} is no number"))?;
    Ok(Lesson { suite: suite.into(), checkouts: checkouts.into(), weight })
}

fn main() -> ExitCode {
    let Command::Fit(args) = Cli::parse().command;
    match run(&args) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(2)
        }
    }
}

fn run(args: &FitArgs) -> Result<(), Error> {
    let model = BuiltinModel::open()
        .map_err(|source| Error::Engine { about: "the built-in model".to_owned(), source })?;
    let options = FitOptions {
        lessons: args.lessons.clone(),
        ablate: args.ablate,
        n_steps: args.steps,
        decay: args.decay,
        ..FitOptions::new(args.index_dir.clone(), Arc::new(model))
    };
    let (ranking, report) = fit(&options, &|step| {
        if let Step::Asked { n_done, n_total } = step
            && n_done % 100 == 0
        {
            eprintln!("asked {n_done} of {n_total}");
        }
    })?;
    let write = |path: &Option<PathBuf>, text: &str| match path {
        Some(path) => std::fs::write(path, text).map_err(|source| Error::Io {
            action: "write",
            path: path.clone(),
            source,
        }),
        None => Ok(()),
    };
    write(&args.report, &report.to_markdown())?;
    write(&args.into, &weights_file(&ranking))
}

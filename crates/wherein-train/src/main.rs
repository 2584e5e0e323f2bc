//! Makes the built-in model from local git clones: mine → vocabulary → init → fit → quantise → card.
//!
//! Each step reads what the one before wrote below one folder, says what it did, and gives the same bytes when it is run
//! again. Not shipped. Must not fetch anything.

mod card;
mod corpus;
mod develop;
mod exclusion;
mod fit;
mod git;
mod init;
mod licence;
mod manifest;
mod mine;
mod pair;
mod quantise;
mod random;
mod vocabulary;
mod weights;

use std::path::PathBuf;

use anyhow::Result;
use clap::{Parser, Subcommand};

/// Makes the built-in model of wherein from local git clones.
#[derive(Debug, Parser)]
#[command(version, arg_required_else_help = true)]
struct Cli {
    /// The list of repositories
    #[arg(long, default_value = "crates/wherein-train/manifest.toml", global = true)]
    manifest: PathBuf,
    /// The folder that every step reads and writes
    #[arg(long, default_value = "target/train", global = true)]
    work: PathBuf,
    /// The number that everything random follows from
    #[arg(long, default_value_t = 1, global = true)]
    seed: u64,
    #[command(subcommand)]
    step: Step,
}

#[derive(Debug, Subcommand)]
enum Step {
    /// Clones → pairs of questions and code
    Mine {
        /// The folder of clones, those of excluded repositories included
        #[arg(long)]
        clones: PathBuf,
    },
    /// Pairs → the words of the table, and the pairs as numbers
    Vocabulary,
    /// The first vectors, from all-MiniLM-L6-v2
    Init {
        /// The folder of models
        #[arg(long, env = "WHEREIN_MODEL_DIR")]
        models: PathBuf,
    },
    /// Learns from the pairs
    Fit(fit::Options),
    /// Learned weights → the table of the product
    Quantise {
        /// Where the model lies
        #[arg(long, default_value = "models")]
        into: PathBuf,
        #[command(flatten)]
        options: fit::Options,
    },
    /// What the model is, from what, and how good
    Card {
        /// Where the model lies
        #[arg(long, default_value = "models")]
        into: PathBuf,
        /// The result of `fit` that was quantised
        #[arg(long, default_value = "fit.bin")]
        fitted: String,
    },
    /// Questions about the development repositories, to choose weights by: a suite for `wherein eval` and its checkouts
    Develop {
        /// The folder of clones
        #[arg(long)]
        clones: PathBuf,
    },
}

fn main() -> Result<()> {
    let cli = Cli::parse();
    match cli.step {
        Step::Mine { clones } => {
            let manifest = manifest::read(&cli.manifest)?;
            mine::mine(&mine::MineJob { manifest, clones, out: cli.work, seed: cli.seed })
        }
        Step::Vocabulary => {
            let manifest = manifest::read(&cli.manifest)?;
            vocabulary::run(&manifest, &cli.work)?;
            corpus::run(&manifest, &cli.work)
        }
        Step::Init { models } => init::run(&cli.work, &models),
        Step::Fit(options) => fit::run(&cli.work, &options, cli.seed),
        Step::Quantise { into, options } => quantise::run(&cli.work, &into, &options),
        Step::Card { into, fitted } => {
            card::run(&manifest::read(&cli.manifest)?, &cli.work, &into, &fitted)
        }
        Step::Develop { clones } => {
            develop::run(&manifest::read(&cli.manifest)?, &clones, &cli.work, cli.seed)
        }
    }
}

/// One line for whoever watches.
#[expect(clippy::print_stderr, reason = "the printer of this program")]
fn say(line: &str) {
    eprintln!("{line}");
}

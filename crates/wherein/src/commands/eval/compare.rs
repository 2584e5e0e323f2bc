//! `wherein eval SUITE.json --compare`: grep, words, and each model alone and with words, side by side.

use std::path::Path;

use wherein_engine::{Error, Result};
use wherein_eval::{Comparison, Layout, Method};

use super::models;
use crate::cli::EvalArgs;
use crate::exit::Exit;
use crate::failure::Outcome;
use crate::output::{Printer, json, verdict};
use crate::settings::Settings;

/// Compares methods.
pub(super) fn run(args: &EvalArgs, settings: &Settings) -> Outcome<Exit> {
    let options = super::options(args, settings)?;
    if let Some(path) = &args.plot {
        require_folder_of(path)?;
    }
    // Models are looked at before anything is asked: one that is missing must not cost an hour first.
    let methods = Method::all(&models::load_all(&models::names(&args.models, settings), settings)?);
    let compared = super::watched(settings, args, |on_step| {
        wherein_eval::compare(&options, &methods, on_step)
    })?;
    let mut printer = Printer::new(settings);
    if args.json {
        json::object(&mut printer, &compared.to_json())?;
    } else {
        let layout = if args.markdown { Layout::Markdown } else { Layout::Text };
        verdict::text(&mut printer, &compared.to_tables(layout, args.published))?;
    }
    printer.finish()?;
    if let Some(path) = &args.plot {
        draw(&compared, path)?;
    }
    Ok(Exit::Found)
}

/// A picture that has no place to go must not be noticed when all is asked.
fn require_folder_of(file: &Path) -> Result<()> {
    match file.parent() {
        Some(folder) if !folder.as_os_str().is_empty() && !folder.is_dir() => {
            Err(Error::usage(format!("there is no folder {}", folder.display()))
                .with_hint("make it first, or name another file with --plot"))
        }
        _ => Ok(()),
    }
}

fn draw(compared: &Comparison, path: &Path) -> Result<()> {
    std::fs::write(path, compared.to_svg()).map_err(|error| Error::io("write", path, &error))
}

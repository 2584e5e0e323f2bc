//! `wherein eval SUITE.json`: the figures of one mode.

use wherein_embed::BuiltinModel;
use wherein_engine::{Error, Mode, Result};

use super::models;
use crate::cli::EvalArgs;
use crate::exit::Exit;
use crate::failure::Outcome;
use crate::output::{Printer, json, verdict};
use crate::settings::{Embed, Settings};

/// Judges one mode.
pub(super) fn run(args: &EvalArgs, settings: &Settings) -> Outcome<Exit> {
    let mut options = super::options(args, settings)?;
    let names = models::names(&args.models, settings);
    options.embedder = match only(&names)? {
        Some(name) if settings.mode.needs_model() => Some(models::load(name, settings)?),
        _ => None,
    };
    let is_larger = options.embedder.as_ref().is_some_and(|model| model.table().is_none());
    if is_larger && settings.mode == Mode::Hybrid && settings.embed == Embed::Touched {
        // As users get it: the built-in model proposes, the larger one compares.
        options.reranker = options.embedder.replace(models::load(BuiltinModel::NAME, settings)?);
    }
    let report = super::watched(settings, args, |on_step| wherein_eval::run(&options, on_step))?;
    let mut printer = Printer::new(settings);
    match args.json {
        true => json::object(&mut printer, &report.to_json())?,
        false => verdict::text(&mut printer, &report.to_text())?,
    }
    printer.finish()?;
    Ok(Exit::Found)
}

/// One mode has at most one model.
fn only(names: &[String]) -> Result<Option<&String>> {
    match names {
        [] | [_] => Ok(names.first()),
        _ => Err(Error::usage("one mode is judged with one model")
            .with_hint("name one --model, or ask by several methods with --compare")),
    }
}

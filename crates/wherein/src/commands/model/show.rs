//! `wherein model list` and `info`: what is known by name, and what is here. They change nothing.

use wherein_embed::{BuiltinModel, KnownModel, known_models};

use super::Opened;
use crate::cli::{ModelInfoArgs, ModelListArgs};
use crate::exit::Exit;
use crate::failure::Outcome;
use crate::output::json;
use crate::output::models::{self, Info, List, Row};

/// The built-in model, every other one known by name, then those that are here under other names.
pub(super) fn list(args: &ModelListArgs) -> Outcome<Exit> {
    let mut opened = Opened::new(&args.store)?;
    let here = opened.store.list()?;
    let row = |known: &KnownModel| match here.iter().find(|info| info.name == known.name) {
        Some(info) => Row::here(info),
        None => Row::known(known),
    };
    let mut rows = vec![Row::builtin(&BuiltinModel::open()?)];
    rows.extend(known_models().iter().map(row));
    let is_known = |name: &str| known_models().iter().any(|known| known.name == name);
    rows.extend(here.iter().filter(|info| !is_known(&info.name)).map(Row::here));
    let list = List { model_dir: opened.store.folder().display().to_string(), models: rows };
    match args.json {
        true => json::object(&mut opened.printer, &list)?,
        false => models::list(&mut opened.printer, &list)?,
    }
    for error in opened.store.damaged()? {
        opened.printer.note(&error.to_string())?;
    }
    opened.printer.finish()?;
    Ok(Exit::Found)
}

/// What a model is and how it is used.
pub(super) fn info(args: &ModelInfoArgs) -> Outcome<Exit> {
    let mut opened = Opened::new(&args.store)?;
    let info = match BuiltinModel::is_named(&args.name) {
        true => Info::builtin(&BuiltinModel::open()?),
        false => {
            let info = opened.store.info(&args.name)?;
            Info::new(&info, &opened.store.folder().join(&info.name))
        }
    };
    match args.json {
        true => json::object(&mut opened.printer, &info)?,
        false => models::info(&mut opened.printer, &info)?,
    }
    opened.printer.finish()?;
    Ok(Exit::Found)
}

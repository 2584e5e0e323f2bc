//! `wherein model pull`, `add`, `verify` and `remove`: how models come, are kept whole, and go.
//!
//! A model appears whole or not at all; that is the store's doing, and nothing here writes a file.

use std::path::Path;

use wherein_embed::{BuiltinModel, ModelInfo, Overrides, PullEvent, name_of_folder};
use wherein_engine::{Error, Result};

use super::{Opened, overrides};
use crate::cli::{ModelAddArgs, ModelPullArgs, ModelRemoveArgs, ModelVerifyArgs};
use crate::exit::Exit;
use crate::failure::Outcome;
use crate::output::models;
use crate::output::progress::Progress;

/// Fetches a model, unless it is here and whole: then only how it is used may change.
pub(super) fn pull(args: &ModelPullArgs) -> Outcome<Exit> {
    let mut opened = Opened::new(&args.store)?;
    let overrides = overrides(&args.usage)?;
    let is_whole = opened.store.verify(&args.name).is_ok_and(|wrong| wrong.is_empty());
    let (what, info) = if !is_whole {
        ("pulled", fetch(&opened, &args.name, &overrides)?)
    } else if overrides == Overrides::default() {
        ("already here:", opened.store.info(&args.name)?)
    } else {
        ("already here, now used as told:", opened.store.reuse(&args.name, &overrides)?)
    };
    said(&mut opened, what, &info)
}

fn fetch(opened: &Opened, name: &str, overrides: &Overrides) -> Result<ModelInfo> {
    let progress = Progress::new(opened.settings.quiet);
    let pulled = opened.store.pull(name, overrides, &mut |event| {
        if let PullEvent::Fetching { path, n_bytes, size } = event {
            progress.fetched(path, n_bytes, size);
        }
    });
    progress.finish();
    pulled
}

/// Takes in a model that lies in a folder.
pub(super) fn add(args: &ModelAddArgs) -> Outcome<Exit> {
    let mut opened = Opened::new(&args.store)?;
    let overrides = Overrides {
        onnx: args.onnx.clone(),
        normalise: args.no_normalise.then_some(false),
        ..overrides(&args.usage)?
    };
    let name = match &args.name {
        Some(name) => name.clone(),
        None => own_name(&args.folder)?,
    };
    let info = opened.store.add(&args.folder, &name, &overrides)?;
    said(&mut opened, "added", &info)
}

fn own_name(folder: &Path) -> Result<String> {
    match name_of_folder(folder) {
        name if name.is_empty() => {
            let message = format!("the folder {} gives no name for a model", folder.display());
            Err(Error::usage(message).with_hint("give one with --name NAME"))
        }
        name => Ok(name),
    }
}

fn said(opened: &mut Opened, what: &str, info: &ModelInfo) -> Outcome<Exit> {
    let place = opened.store.folder().join(&info.name);
    models::changed(&mut opened.printer, what, info, &place)?;
    opened.printer.finish()?;
    Ok(Exit::Found)
}

/// Reads every file of a model, or of all, again; an error counts those that are not as recorded.
pub(super) fn verify(args: &ModelVerifyArgs) -> Outcome<Exit> {
    let mut opened = Opened::new(&args.store)?;
    if args.name.as_deref().is_none_or(BuiltinModel::is_named) {
        BuiltinModel::open()?.verify()?;
        models::verified_builtin(&mut opened.printer, BuiltinModel::NAME)?;
    }
    let infos = match &args.name {
        Some(name) if BuiltinModel::is_named(name) => Vec::new(),
        Some(name) => vec![opened.store.info(name)?],
        None => opened.store.list()?,
    };
    let mut n_wrong = 0;
    if args.name.is_none() {
        let damaged = opened.store.damaged()?;
        n_wrong = damaged.len();
        damaged.iter().try_for_each(|error| opened.printer.note(&error.to_string()))?;
    }
    for info in &infos {
        let wrong = opened.store.verify(&info.name)?;
        models::verified(&mut opened.printer, info, &wrong)?;
        n_wrong += wrong.len();
    }
    if infos.is_empty() && n_wrong == 0 && args.name.is_none() {
        let folder = opened.store.folder().display().to_string();
        opened.printer.note(&format!("there is no other model in {folder}"))?;
    }
    opened.printer.finish()?;
    match n_wrong {
        0 => Ok(Exit::Found),
        1 => Err(differ("1 file is not as it was recorded").into()),
        n => Err(differ(&format!("{n} files are not as they were recorded")).into()),
    }
}

fn differ(message: &str) -> Error {
    Error::model(message).with_hint("pull or add the model again")
}

/// Deletes a model.
pub(super) fn remove(args: &ModelRemoveArgs) -> Outcome<Exit> {
    let mut opened = Opened::new(&args.store)?;
    let name = opened.store.remove(&args.name)?;
    models::removed(&mut opened.printer, &name)?;
    opened.printer.finish()?;
    Ok(Exit::Found)
}

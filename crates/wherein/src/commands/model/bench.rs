//! `wherein model bench`: what any model costs on any folder, measured here and now.
//!
//! The folder is indexed by words first, which cuts it into the chunks that a model would embed; its vectors, if it has
//! any, stay as they are.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use wherein_embed::{
    BuiltinModel, ModelFolder, ModelStore, OnnxModel, OnnxOptions, Overrides, name_of_folder,
};
use wherein_engine::{Embedder, Engine, Error, Result};

use super::super::meaning;
use super::super::session::{Purpose, Session};
use super::measure::{self, Cost};
use super::overrides;
use crate::cli::ModelBenchArgs;
use crate::exit::Exit;
use crate::failure::Outcome;
use crate::output::progress::Progress;
use crate::output::{json, models};
use crate::settings::{Flags, ModelChoice, Settings};

/// A model that is not loaded yet.
enum Candidate {
    Builtin,
    OfStore(String),
    OfFolder(PathBuf),
}

/// Runs the command.
pub(super) fn run(args: &ModelBenchArgs) -> Outcome<Exit> {
    let flags = Flags::of_common(&args.common).with_model_dir(&args.dir);
    let common = super::super::with_root(&args.common, args.path.as_deref())?;
    let mut session = Session::open(&flags, &common, &[], &[], Purpose::Look)?;
    let (sample, overrides) = (sample(args)?, overrides(&args.usage)?);
    let store = meaning::store(&session.settings)?;
    let candidate = candidate(args, &session, &store)?;
    session.refresh()?;
    let passages = session.engine.passages()?;
    measure::reset_peak();
    let options = meaning::onnx_options(&session.settings);
    let (model, load_time) = load(&candidate, &store, &overrides, &options)?;
    let progress = Progress::new(session.settings.quiet);
    let cost = measure::cost(&*model, &passages, sample, &|event| progress.event(event));
    progress.finish();
    let bench = report(&session, cost?, load_time);
    match args.json {
        true => json::object(&mut session.printer, &bench)?,
        false => models::bench(&mut session.printer, &bench)?,
    }
    session.printer.finish()?;
    Ok(Exit::Found)
}

fn sample(args: &ModelBenchArgs) -> Result<Option<usize>> {
    let parsed = args.sample.as_ref().map(|text| text.trim().parse().ok().filter(|n| *n > 0));
    match parsed {
        None => Ok(None),
        Some(Some(n)) => Ok(Some(n)),
        Some(None) => Err(Error::usage("--sample takes a whole number from 1 up")
            .with_hint("such as --sample 50")),
    }
}

/// The model that was named, else that of the settings, of the index, or the only one that was added; without one, the
/// built-in one.
fn candidate(args: &ModelBenchArgs, session: &Session, store: &ModelStore) -> Result<Candidate> {
    let of_index = |settings: &Settings| {
        let known = Engine::models_of(&settings.index_base, &session.place.root);
        known.reranker.or(known.vectors).map(|model| model.name)
    };
    let chosen = match (&args.name, &session.settings.model) {
        (Some(name), _) | (None, ModelChoice::Named(name)) => Some(name.clone()),
        (None, _) => of_index(&session.settings),
    };
    if chosen.as_deref().is_some_and(BuiltinModel::is_named) {
        return Ok(Candidate::Builtin);
    }
    if let Some(name) = chosen {
        let is_folder = Path::new(&name).is_dir() && store.info(&name).is_err();
        return Ok(match is_folder {
            true => Candidate::OfFolder(PathBuf::from(name)),
            false => Candidate::OfStore(store.info(&name)?.name),
        });
    }
    match store.list()?.as_slice() {
        [only] => Ok(Candidate::OfStore(only.name.clone())),
        [] => Ok(Candidate::Builtin),
        several => {
            let names: Vec<&str> = several.iter().map(|info| info.name.as_str()).collect();
            let names = [names, vec![BuiltinModel::NAME]].concat();
            Err(Error::usage("which model?").with_hint(format!("one of {}", names.join(", "))))
        }
    }
}

fn load(
    candidate: &Candidate,
    store: &ModelStore,
    overrides: &Overrides,
    options: &OnnxOptions,
) -> Result<(Arc<dyn Embedder>, Duration)> {
    let started = Instant::now();
    let model: Arc<dyn Embedder> = match candidate {
        Candidate::Builtin if *overrides != Overrides::default() => {
            return Err(Error::usage("the built-in model is used in one way only")
                .with_hint("leave out --max-tokens, --pooling and the prefixes"));
        }
        Candidate::Builtin => Arc::new(BuiltinModel::open()?),
        Candidate::OfStore(name) => store.model(name, overrides, options)?.load()?,
        Candidate::OfFolder(folder) => {
            let folder = ModelFolder::read(folder, &name_of_folder(folder), overrides)?;
            Arc::new(OnnxModel::load(&folder, options)?)
        }
    };
    Ok((model, started.elapsed()))
}

fn report(session: &Session, cost: Cost, load_time: Duration) -> models::Bench {
    let available = || std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    models::Bench {
        folder: session.place.root.display().to_string(),
        threads: session.settings.threads.unwrap_or_else(available),
        load_seconds: load_time.as_secs_f64(),
        peak_memory_bytes: measure::peak(),
        cost: cost.into(),
    }
}

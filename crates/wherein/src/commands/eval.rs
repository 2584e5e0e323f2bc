//! `wherein eval`: search quality on questions with known answers, of one mode or of several side by side.
//!
//! Turns arguments into the options of the evaluation; what it found is laid out there and printed by
//! `output`. It must not judge.

mod compare;
mod init;
mod judge;
mod models;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use wherein_engine::{Engine, Error, ErrorKind, Event, Result};
use wherein_eval::{Checkouts, Elsewhere, EvalOptions, Step};
use wherein_qdrant::Layout;

use super::published;
use crate::cli::{EvalArgs, EvalCommand};
use crate::exit::Exit;
use crate::failure::Outcome;
use crate::output::progress::Progress;
use crate::settings::{Flags, Settings, Sources, StoreKind};

/// Runs the command.
pub(super) fn run(args: &EvalArgs) -> Outcome<Exit> {
    if let Some(EvalCommand::Init(init)) = &args.command {
        return init::run(init);
    }
    let flags = Flags::of_common(&args.common).with_mode(args.mode.as_ref());
    let flags = flags
        .with_model_dir(&args.model_dir)
        .with_encoding(&args.encoding)
        .with_embed(&args.embed)
        .with_fusion(&args.fusion)
        .with_store(&args.store);
    let settings = Sources::read(&flags)?.before_project()?;
    match args.compare {
        true => compare::run(args, &settings),
        false => judge::run(args, &settings),
    }
}

/// What both ways to evaluate are told.
fn options(args: &EvalArgs, settings: &Settings) -> Result<EvalOptions> {
    let suite = args.suite.clone().ok_or_else(|| {
        Error::usage("no suite is named").with_hint("write one with `wherein eval init`")
    })?;
    let checkouts = match (&args.checkouts, &args.common.root) {
        (Some(folder), _) => Checkouts::Below(folder.clone()),
        (None, Some(folder)) => Checkouts::Only(folder.clone()),
        (None, None) => Checkouts::Only(std::env::current_dir().map_err(|error| {
            Error::new(ErrorKind::Io, format!("the current folder cannot be used: {error}"))
        })?),
    };
    Ok(EvalOptions {
        mode: settings.mode,
        profile: settings.profile,
        paths: args.paths.clone(),
        results: args.results.clone(),
        encoding: settings.vectors,
        fusion: settings.asked_fusion(),
        threads: settings.threads,
        elsewhere: elsewhere(settings),
        ..EvalOptions::new(suite, checkouts, settings.index_base.clone())
    })
}

/// The store that answers, where it is not the index folder.
fn elsewhere(settings: &Settings) -> Option<Arc<dyn Elsewhere>> {
    let is_published = settings.store.kind == StoreKind::Qdrant;
    is_published.then(|| Arc::new(Published { settings: settings.clone() }) as Arc<dyn Elsewhere>)
}

/// Publishes the index of each repository below `eval/`, and asks it there.
#[derive(Debug)]
struct Published {
    settings: Settings,
}

impl Elsewhere for Published {
    fn take(
        &self,
        engine: Engine,
        repository: &str,
        events: &(dyn Fn(Event) + Sync),
    ) -> Result<Engine> {
        let collection = Arc::new(published::qdrant(&self.settings, Layout::default())?);
        let mut settings = self.settings.clone();
        // A name that no folder has: what is published for a team stays as it is.
        settings.store.repository = Some(format!("eval/{repository}"));
        let mut how = published::publishing(&*collection, engine.root(), &settings, false)?;
        how.origin = repository.to_owned();
        engine.publish(&*collection, &how, events)?;
        engine.published(published::options(collection, how.repository, &settings)?)
    }
}

/// Runs an evaluation with a bar for those who wait.
fn watched<T>(
    settings: &Settings,
    args: &EvalArgs,
    evaluate: impl FnOnce(wherein_eval::OnStep<'_>) -> wherein_eval::Result<T>,
) -> Result<T> {
    let progress = Progress::new(settings.quiet || args.json);
    let indexing = AtomicBool::new(false);
    let done = evaluate(&|step| match step {
        Step::Index(event) => {
            // One bar at a time: that of the questions gives way to that of the index, and back.
            if !indexing.swap(true, Ordering::Relaxed) {
                progress.finish();
            }
            progress.event(event);
        }
        Step::Asked { n_done, n_total } => {
            if indexing.swap(false, Ordering::Relaxed) {
                progress.finish();
            }
            progress.count(n_done, n_total);
        }
        _ => {}
    });
    progress.finish();
    done.map_err(error)
}

/// An error of the evaluation as one of the command line; the engine's own stay as they are.
fn error(error: wherein_eval::Error) -> Error {
    let (message, hint) = (error.message(), error.hint());
    if let wherein_eval::Error::Engine { source, .. } = error {
        return source;
    }
    let error = Error::new(ErrorKind::Usage, message);
    hint.map_or(error.clone(), |hint| error.with_hint(hint))
}

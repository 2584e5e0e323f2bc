//! What every command that works on a folder does first: place, settings, engine, printer.
//!
//! Settings are resolved here once; the index folder has to be known before the place is, and the place
//! before its project file.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use wherein_engine::{
    Collection, Engine, EngineOptions, Error, ErrorKind, Filter, IndexModels, Mode, Profile,
    RefreshReport, Result,
};

use super::meaning::{Meaning, Work};
use super::published;
use super::reranker::Reranker;
use crate::cli::CommonArgs;
use crate::output::Printer;
use crate::output::progress::Progress;
use crate::place::{Place, Probe, Wanted, not_paths};
use crate::settings::{Embed, Flags, Key, ModelChoice, Origin, Settings, Sources, StoreKind};

/// What a folder is opened for, which decides whether vectors are made and for how long.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Purpose {
    /// To answer a question: vectors only where it compares meanings, and for a short while, or where they cost nothing
    /// to speak of.
    Question,
    /// To index: until all is done, in place of another model's vectors where a model was typed.
    Index,
    /// To look for a name in it, without comparing meanings.
    Name,
    /// To look at it, without a model.
    Look,
}

/// What an index answered, with what happened on the way.
pub(super) struct Asked<A> {
    pub(super) answer: A,
    /// Why the index was built again, if it was.
    pub(super) rebuilt: Option<String>,
    /// Why it may not be true to the tree.
    pub(super) degraded: Vec<String>,
}

/// A folder with its settings, ready to be searched.
pub(super) struct Session {
    pub(super) place: Place,
    pub(super) settings: Settings,
    pub(super) engine: Engine,
    pub(super) printer: Printer,
    pub(super) meaning: Meaning,
    pub(super) reranker: Reranker,
    purpose: Purpose,
    /// The mode that answers: not the one of the settings where that needs a model and there is none.
    pub(super) mode: Mode,
}

impl Session {
    /// Opens the place that the arguments name.
    pub(super) fn open(
        flags: &Flags,
        common: &CommonArgs,
        paths: &[PathBuf],
        globs: &[String],
        purpose: Purpose,
    ) -> Result<Session> {
        let sources = Sources::read(flags)?;
        let early = sources.before_project()?;
        let place = find_place(common, paths, globs, &early)?;
        let settings = sources.for_root(&place.root)?;
        Session::at(place, settings, purpose)
    }

    /// Opens the index folder of the place that the arguments name, wherever the settings say that indexes are kept.
    pub(super) fn embedded(
        flags: &Flags,
        common: &CommonArgs,
        purpose: Purpose,
    ) -> Result<Session> {
        let sources = Sources::read(flags)?;
        let early = sources.before_project()?;
        let place = find_place(common, &[], &[], &early)?;
        let mut settings = sources.for_root(&place.root)?;
        settings.store.kind = StoreKind::Embedded;
        Session::at(place, settings, purpose)
    }

    /// Opens a place that was found, with its settings.
    pub(super) fn at(place: Place, settings: Settings, purpose: Purpose) -> Result<Session> {
        let Models { engine, meaning, reranker } = open(&place.root, &settings, purpose)?;
        let mode = match purpose {
            Purpose::Question => meaning.mode(settings.mode)?,
            Purpose::Index | Purpose::Name | Purpose::Look => settings.mode,
        };
        let printer = Printer::new(&settings);
        Ok(Session { place, settings, engine, printer, meaning, reranker, purpose, mode })
    }

    /// Whether words may answer although the model fails: nobody named it here, and nobody asked for meaning alone.
    pub(super) fn goes_on_without_model(&self, error: &Error) -> bool {
        let has_model = self.meaning.embedder().is_some() || self.reranker.model().is_some();
        error.kind() == ErrorKind::Model
            && has_model
            && self.mode == Mode::Hybrid
            && self.settings.model == ModelChoice::OfIndex
    }

    /// Goes on without the model that failed with `error`: a table never does, so it is not the one where there is
    /// another.
    pub(super) fn drop_model(&mut self, error: &Error) -> Result<()> {
        let is_table = self.meaning.embedder().is_some_and(|model| model.table().is_some());
        if is_table && self.reranker.model().is_some() {
            self.reranker = self.reranker.failed(error);
        } else {
            self.meaning = self.meaning.failed(error);
            self.reranker = Reranker::Unused;
        }
        self.mode = self.meaning.mode(self.settings.mode)?;
        let models = (&self.meaning, &self.reranker);
        self.engine = match published::collection(&self.settings)? {
            None => open_engine(&self.place.root, &self.settings, self.purpose, models)?,
            Some(collection) => {
                let options = EngineOptions {
                    embedder: self.meaning.embedder(),
                    reranker: self.reranker.model(),
                    ..engine_options(&self.place.root, &self.settings)
                };
                let name = published::name(&self.place.root, &self.settings);
                published::open(collection, name, &self.settings, options)?
            }
        };
        Ok(())
    }

    /// The lines for `degraded` of an answer in hybrid mode.
    pub(super) fn lacks(&self) -> impl Iterator<Item = String> {
        lacks(&self.meaning, &self.reranker)
    }

    /// Makes the index true unless told not to, and asks it.
    pub(super) fn ask<A>(&self, question: impl Fn(&Engine) -> Result<A>) -> Result<Asked<A>> {
        let (mut rebuilt, degraded) = self.freshen()?;
        let answer = match question(&self.engine) {
            // Damage deep inside shows only when it is read. The tree is at hand, so the index is made anew; a published one
            // is not ours to make.
            Err(error)
                if error.kind() == ErrorKind::IndexFormat
                    && !self.settings.no_refresh
                    && self.settings.store.kind == StoreKind::Embedded =>
            {
                rebuilt = Some(error.to_string());
                self.rebuild()?;
                question(&self.engine)?
            }
            answer => answer?,
        };
        Ok(Asked { answer, rebuilt, degraded })
    }

    /// Makes the index true unless told not to: why it was rebuilt, and why it may not be true.
    fn freshen(&self) -> Result<(Option<String>, Vec<String>)> {
        if self.settings.no_refresh {
            return Ok((None, vec!["not refreshed: --no-refresh".to_owned()]));
        }
        let report = self.refresh()?;
        Ok((report.rebuilt, report.degraded))
    }

    /// Which files and symbols may answer.
    pub(super) fn filter(&self) -> Filter {
        filter(&self.place, &self.settings)
    }

    /// Refuses a profile without symbols, before anything is indexed with it.
    pub(super) fn require_symbols(&self) -> Result<()> {
        if self.settings.profile != Profile::Lines {
            return Ok(());
        }
        let hint = match self.settings.origin(Key::Profile) {
            Origin::Flag(_) => "ask without --profile lines".to_owned(),
            origin => format!("it comes from {origin}; --profile symbols overrules it"),
        };
        Err(Error::usage("the lines profile knows no symbols").with_hint(hint))
    }

    /// Makes the index true to the tree, with a bar where somebody watches.
    pub(super) fn refresh(&self) -> Result<RefreshReport> {
        let progress = Progress::new(self.settings.quiet);
        let report = self.engine.refresh(&|event| progress.event(event));
        progress.finish();
        report
    }

    /// Throws the index away and makes a new one, with a bar where somebody watches.
    pub(super) fn rebuild(&self) -> Result<RefreshReport> {
        let progress = Progress::new(self.settings.quiet);
        let report = self.engine.rebuild(&|event| progress.event(event));
        progress.finish();
        report
    }
}

/// Which files and symbols of a place may answer, as settings have it.
pub(super) fn filter(place: &Place, settings: &Settings) -> Filter {
    let of_project = matches!(settings.origin(Key::NotPaths), Origin::Project(_));
    let mut left_out = not_paths(place, &settings.not_paths, of_project);
    left_out.extend(not_paths(place, &settings.exclude, true));
    Filter {
        paths: place.paths.clone(),
        not_paths: left_out,
        languages: settings.languages.clone(),
        kinds: settings.kinds.clone(),
        symbol_kinds: settings.symbol_kinds.clone(),
    }
}

/// An engine with the models that it was opened with.
pub(super) struct Models {
    pub(super) engine: Engine,
    pub(super) meaning: Meaning,
    pub(super) reranker: Reranker,
}

impl Models {
    /// The lines for `degraded` of an answer in hybrid mode.
    pub(super) fn lacks(&self) -> Vec<String> {
        lacks(&self.meaning, &self.reranker).collect()
    }
}

fn lacks(meaning: &Meaning, reranker: &Reranker) -> impl Iterator<Item = String> {
    meaning.lack().map(str::to_owned).into_iter().chain(reranker.lack())
}

/// Opens the engine of `root` with the models that settings and index want for `purpose`.
pub(super) fn open(root: &Path, settings: &Settings, purpose: Purpose) -> Result<Models> {
    // An index is made here, and published from here.
    if let Some(collection) = published::collection(settings)?.filter(|_| purpose != Purpose::Index)
    {
        return open_published(root, settings, purpose, collection);
    }
    let (meaning, reranker) = models(root, settings, purpose)?;
    let engine = open_engine(root, settings, purpose, (&meaning, &reranker))?;
    Ok(Models { engine, meaning, reranker })
}

/// Opens the published index of `root` with the models that settings and collection want for `purpose`.
fn open_published(
    root: &Path,
    settings: &Settings,
    purpose: Purpose,
    collection: Arc<dyn Collection>,
) -> Result<Models> {
    let known = published::models(&*collection)?;
    let (meaning, reranker) = models_for(&known, settings, purpose)?;
    let options = EngineOptions {
        embedder: meaning.embedder(),
        reranker: reranker.model(),
        embed_within: embed_within(settings, purpose, &meaning),
        ..engine_options(root, settings)
    };
    let name = published::name(root, settings);
    let engine = published::open(collection, name, settings, options)?;
    Ok(Models { engine, meaning, reranker })
}

/// What proposes places in the index of `root`, and what compares the first ones again.
fn models(root: &Path, settings: &Settings, purpose: Purpose) -> Result<(Meaning, Reranker)> {
    models_for(&Engine::models_of(&settings.index_base, root), settings, purpose)
}

/// The same for an index that was made for `known`.
fn models_for(
    known: &IndexModels,
    settings: &Settings,
    purpose: Purpose,
) -> Result<(Meaning, Reranker)> {
    if purpose == Purpose::Look {
        return Ok((Meaning::Unused, Reranker::Unused));
    }
    let compares =
        purpose == Purpose::Index || (purpose == Purpose::Question && settings.mode.needs_model());
    if !compares {
        return Ok((Meaning::aside(known, settings), Reranker::Unused));
    }
    let meaning = Meaning::of(known, settings, work(settings, purpose))?;
    let reranker = Reranker::of(known, settings, &meaning)?;
    Ok((meaning, reranker))
}

fn work(settings: &Settings, purpose: Purpose) -> Work {
    let is_typed = settings.is_typed(Key::Model) || settings.is_typed(Key::Embed);
    match (purpose, settings.embed) {
        (Purpose::Index, Embed::Touched) => Work::Touch { is_typed },
        (Purpose::Index, Embed::All) => Work::All { is_typed },
        _ => Work::Ask,
    }
}

fn open_engine(
    root: &Path,
    settings: &Settings,
    purpose: Purpose,
    (meaning, reranker): (&Meaning, &Reranker),
) -> Result<Engine> {
    let work = work(settings, purpose);
    let is_typed = matches!(work, Work::Touch { is_typed: true } | Work::All { is_typed: true });
    // Only who types `--model none` wants vectors to go without others in their place.
    let replaces = is_typed && (settings.is_typed(Key::Model) || meaning.embedder().is_some());
    Engine::open(EngineOptions {
        embedder: meaning.embedder(),
        reranker: reranker.model(),
        // A model that is not to be had now stays the folder's.
        remember_reranker: is_typed
            && (settings.is_typed(Key::Model) || reranker.model().is_some()),
        // Without a model vectors stay as they are.
        encoding: settings.vectors.filter(|_| meaning.embedder().is_some()),
        replace_model: matches!(meaning, Meaning::Renewed(_)) || replaces,
        embed_within: embed_within(settings, purpose, meaning),
        ..engine_options(root, settings)
    })
}

/// A setting is meant for questions, which somebody waits for; what is typed is meant here.
fn embed_within(settings: &Settings, purpose: Purpose, meaning: &Meaning) -> Option<Duration> {
    if matches!(meaning, Meaning::Aside(_)) {
        return Some(Duration::ZERO);
    }
    let has_limit = purpose == Purpose::Question || settings.is_typed(Key::EmbedWithin);
    has_limit.then_some(settings.embed_within)
}

/// Where the arguments want to search.
pub(super) fn find_place(
    common: &CommonArgs,
    paths: &[PathBuf],
    globs: &[String],
    settings: &Settings,
) -> Result<Place> {
    let cwd = std::env::current_dir().map_err(|error| {
        Error::io("open", Path::new("the current folder"), &error)
            .with_hint("it may have been deleted; go to another one")
    })?;
    place_at(&cwd, common, paths, globs, settings)
}

/// Where the arguments want to search, seen from the folder `cwd`.
pub(super) fn place_at(
    cwd: &Path,
    common: &CommonArgs,
    paths: &[PathBuf],
    globs: &[String],
    settings: &Settings,
) -> Result<Place> {
    let home = etcetera::home_dir().ok();
    let wanted = Wanted {
        cwd,
        home: home.as_deref(),
        root: common.root.as_deref(),
        paths,
        globs,
        yes: settings.yes,
        index_base: &settings.index_base,
    };
    Place::find(&wanted, &Indexes { settings })
}

fn engine_options(root: &Path, settings: &Settings) -> EngineOptions {
    EngineOptions {
        profile: settings.profile,
        include_sensitive: settings.include_sensitive,
        max_file_bytes: settings.max_file_bytes,
        threads: settings.threads,
        commit_every: settings.commit_every,
        ..EngineOptions::new(root, &settings.index_base)
    }
}

/// The engine's knowledge of indexes.
struct Indexes<'s> {
    settings: &'s Settings,
}

impl Probe for Indexes<'_> {
    fn has_index(&self, root: &Path) -> bool {
        Engine::has_index(&self.settings.index_base, root)
    }

    fn hides(&self, root: &Path, folder: &Path) -> bool {
        let engine = Engine::open(engine_options(root, self.settings));
        // When in doubt the folder is searched by itself.
        !engine.and_then(|engine| engine.why(folder)).is_ok_and(|why| why.searched)
    }
}

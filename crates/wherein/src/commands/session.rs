//! What every command that works on a folder does first: place, settings, engine, printer.
//!
//! Settings are resolved here once; the index folder has to be known before the place is, and the place
//! before its project file.

use std::path::{Path, PathBuf};

use wherein_engine::{Engine, EngineOptions, Error, RefreshReport, Result};

use crate::cli::CommonArgs;
use crate::output::Printer;
use crate::output::progress::Progress;
use crate::place::{Place, Probe, Wanted};
use crate::settings::{Flags, Settings, Sources};

/// A folder with its settings, ready to be searched.
pub(super) struct Session {
    pub(super) place: Place,
    pub(super) settings: Settings,
    pub(super) engine: Engine,
    pub(super) printer: Printer,
}

impl Session {
    /// Opens the place that the arguments name.
    pub(super) fn open(
        flags: &Flags,
        common: &CommonArgs,
        paths: &[PathBuf],
        globs: &[String],
    ) -> Result<Session> {
        let sources = Sources::read(flags)?;
        let early = sources.before_project()?;
        let place = find_place(common, paths, globs, &early)?;
        let settings = sources.for_root(&place.root)?;
        let engine = Engine::open(engine_options(&place.root, &settings))?;
        let printer = Printer::new(&settings);
        Ok(Session { place, settings, engine, printer })
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
    let home = etcetera::home_dir().ok();
    let wanted = Wanted {
        cwd: &cwd,
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

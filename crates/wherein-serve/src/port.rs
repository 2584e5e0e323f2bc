//! How a folder is opened: settings and models belong to the program, not to its fronts.
//!
//! The program implements [`Opener`]; nothing here resolves a setting or loads a model.

use std::fmt::Debug;
use std::path::{Path, PathBuf};

use wherein_engine::{Engine, Filter, IndexModels, Result};

/// Opens folders as the settings of the program and of the folder want it.
pub trait Opener: Debug + Send + Sync {
    /// The canonical root that `folder` stands for. Touches no index.
    ///
    /// # Errors
    /// [`wherein_engine::ErrorKind::Usage`] or [`wherein_engine::ErrorKind::Io`] for what is missing, no folder, or too wide
    /// to be searched without insisting (`/`, the home folder).
    fn root(&self, folder: &Path) -> Result<PathBuf>;

    /// Opens `root`, which [`Opener::root`] gave. Makes no index.
    ///
    /// # Errors
    /// Those of the settings of the folder and of its models.
    fn open(&self, root: &Path) -> Result<Opened>;

    /// Which models the index of `root` was made for; others than those of [`Opened`] mean that another process chose.
    fn models(&self, root: &Path) -> IndexModels;
}

/// A folder that is ready to be refreshed and asked.
#[derive(Debug)]
pub struct Opened {
    /// Answers and refreshes.
    pub engine: Engine,
    /// What the settings narrow answers to where a question does not say it.
    pub filter: Filter,
    /// The models of its index when it was opened.
    pub models: IndexModels,
    /// What is to be said with each answer of hybrid mode, such as a model that is missing.
    pub lacks: Vec<String>,
}

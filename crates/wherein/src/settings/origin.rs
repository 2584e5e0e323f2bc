//! Where a setting came from, in the words that `wherein config --origin` prints.

use std::fmt;
use std::path::PathBuf;

/// The source of one value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Origin {
    /// A flag on the command line.
    Flag(&'static str),
    /// An environment variable.
    Environment(&'static str),
    /// The project file of the searched folder: anyone may have written it.
    Project(PathBuf),
    /// The user's own file.
    User(PathBuf),
    /// Built in.
    Default,
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Origin::Flag(name) => write!(f, "flag {name}"),
            Origin::Environment(name) => write!(f, "environment {name}"),
            Origin::Project(path) => write!(f, "project file {}", path.display()),
            Origin::User(path) => write!(f, "user file {}", path.display()),
            Origin::Default => f.write_str("default"),
        }
    }
}

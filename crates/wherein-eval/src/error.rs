//! One error type for the crate: a one-line message and, kept apart, a hint on what to do.
//!
//! Every variant names the file, folder or question it is about. Nothing here prints or exits.

use std::path::PathBuf;

/// The crate's result type.
pub type Result<T> = std::result::Result<T, Error>;

/// What can go wrong while a suite is read, asked or judged.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A file could not be read or written.
    #[error("cannot {action} {path}: {source}")]
    Io {
        /// What was tried: `read`, `create`, `write`.
        action: &'static str,
        /// The file.
        path: PathBuf,
        /// The operating system's word.
        source: std::io::Error,
    },
    /// A suite that is no suite.
    #[error("{path} is not a suite: {reason}")]
    MalformedSuite {
        /// The suite's file.
        path: PathBuf,
        /// What is wrong with it, in one line.
        reason: String,
    },
    /// A results file with a line that cannot be judged.
    #[error("{path}:{line} is not a results line: {reason}")]
    MalformedResults {
        /// The results file.
        path: PathBuf,
        /// The line, 1-based.
        line: usize,
        /// What is wrong with it.
        reason: String,
    },
    /// A repository of the suite that is not laid out.
    #[error("the checkout of '{repo}' is missing: there is no folder {folder}")]
    MissingCheckout {
        /// The repository's name in the suite.
        repo: String,
        /// The folder that was looked for.
        folder: PathBuf,
    },
    /// A suite of several repositories where one folder was named for all.
    #[error("the suite has {n_repositories} repositories; where do they lie?")]
    ManyRepositories {
        /// How many it has.
        n_repositories: usize,
    },
    /// A folder that holds no file of any answer.
    #[error("{folder} holds no file that answers a question about '{repo}'")]
    OtherFolder {
        /// The repository's name in the suite.
        repo: String,
        /// The folder that was taken for its checkout.
        folder: PathBuf,
    },
    /// A suite that still holds an example of its template.
    #[error("question '{id}' of {path} is still the example that came with the file")]
    Unfilled {
        /// The suite's file.
        path: PathBuf,
        /// The question's id.
        id: String,
    },
    /// A file that exists and may be of value.
    #[error("{path} exists")]
    Exists {
        /// The file.
        path: PathBuf,
    },
    /// The engine refused.
    #[error("'{about}': {source}")]
    Engine {
        /// The repository or the question.
        about: String,
        /// The engine's error.
        source: wherein_engine::Error,
    },
}

impl Error {
    /// What happened, in one line.
    pub fn message(&self) -> String {
        self.to_string()
    }

    /// Advice on what to do, where there is any.
    pub fn hint(&self) -> Option<String> {
        match self {
            Error::Io { .. } => None,
            Error::MalformedSuite { .. } => Some(
                "a suite is {\"suite\", \"repositories\": [{\"name\", \"language\"}], \"questions\": \
                 [{\"id\", \"repo\", \"question\", \"category\", \"answers\": [{\"path\"}]}]}"
                    .to_owned(),
            ),
            Error::MalformedResults { .. } => Some(
                "each line is {\"id\", \"results\": [{\"path\", \"start\", \"end\"}]}, best first"
                    .to_owned(),
            ),
            Error::MissingCheckout { .. } => Some(
                "lay the repositories out with the suite's checkout script, or name their parent \
                 folder with --checkouts DIR"
                    .to_owned(),
            ),
            Error::ManyRepositories { .. } => {
                Some("name the folder that holds them: --checkouts DIR".to_owned())
            }
            Error::OtherFolder { .. } => Some(
                "ask in the repository that the suite is about, or name the folder above it with \
                 --checkouts DIR; answers are paths from the repository's top"
                    .to_owned(),
            ),
            Error::Unfilled { .. } => Some(
                "put a question of your own in its place and take the line \"example\": true out, \
                 or delete the entry"
                    .to_owned(),
            ),
            Error::Exists { .. } => {
                Some("give another name, or --force to lose what it holds".to_owned())
            }
            Error::Engine { source, .. } => source.hint().map(str::to_owned),
        }
    }
}

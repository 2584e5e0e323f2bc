//! Repositories beside answers: which ones were asked, and what became of each that was indexed or looked at.
//!
//! Fields about repositories stand only where repositories were named, so that answers of a folder stay as they are.

use serde::Serialize;
use wherein_engine::Error;

use crate::error::ErrorObject;

/// A repository that answered.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct AskedRepository {
    /// Its name, as hits have it in `repository`.
    pub name: String,
    /// The folder that paths of its hits are relative to.
    pub root: String,
    /// The generation that answered.
    pub generation: u64,
}

/// What became of several repositories.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Repositories<T> {
    /// In the order in which they were worked on.
    pub repositories: Vec<RepositoryReport<T>>,
}

/// What became of one repository; `error` where it failed, the fields of the report where it did not.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RepositoryReport<T> {
    /// Its name.
    pub name: String,
    /// What it was cloned from, without secrets; absent for a folder of this machine.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    /// The commit that its files are of; absent for a folder of this machine.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub commit: Option<String>,
    /// What was done, or why nothing was.
    #[serde(flatten)]
    pub outcome: Outcome<T>,
}

/// A report or an error.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Outcome<T> {
    /// It went well.
    Done(T),
    /// It did not.
    Failed(ErrorObject),
}

impl<T> RepositoryReport<T> {
    /// What became of the repository of that name, address and commit.
    pub fn of(
        (name, url, commit): (String, Option<String>, Option<String>),
        done: Result<T, Error>,
    ) -> Self {
        let outcome = match done {
            Ok(report) => Outcome::Done(report),
            Err(error) => Outcome::Failed(ErrorObject::from(&error)),
        };
        RepositoryReport { name, url, commit, outcome }
    }
}

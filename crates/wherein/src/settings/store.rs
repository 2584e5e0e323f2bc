//! The settings of stores: where indexes are kept, and how a published one is reached and asked.
//!
//! Must not connect.

use std::str::FromStr;
use std::time::Duration;

use wherein_engine::{Error, Result};
use wherein_qdrant::QdrantOptions;

use super::Key;
use super::parse::{decimal, seconds};

/// Where indexes are kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum StoreKind {
    /// In index folders of this machine.
    #[default]
    Embedded,
    /// In a collection of a Qdrant server.
    Qdrant,
}

impl StoreKind {
    fn as_str(self) -> &'static str {
        match self {
            StoreKind::Embedded => "embedded",
            StoreKind::Qdrant => "qdrant",
        }
    }
}

impl FromStr for StoreKind {
    type Err = Error;

    fn from_str(text: &str) -> Result<StoreKind> {
        let all = [StoreKind::Embedded, StoreKind::Qdrant];
        all.into_iter().find(|kind| kind.as_str() == text).ok_or_else(|| {
            Error::usage(format!("'{text}' is not a store"))
                .with_hint("the stores are embedded (on this machine) and qdrant")
        })
    }
}

/// The key of a server; shown nowhere.
#[derive(Clone, Default)]
pub(crate) struct Secret(pub(crate) Option<String>);

impl std::fmt::Debug for Secret {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(if self.0.is_some() { "set" } else { "not set" })
    }
}

/// Where indexes are kept, and how a published one is asked.
#[derive(Debug, Clone)]
pub(crate) struct StoreSettings {
    pub(crate) kind: StoreKind,
    pub(crate) qdrant_url: String,
    pub(crate) qdrant_api_key: Secret,
    pub(crate) collection: String,
    /// The name of the current folder's repository; `None` for the folder's own.
    pub(crate) repository: Option<String>,
    /// `code`, `semcode`, or the folder of a learned sparse model; `None` as the collection has it, else `code`.
    pub(crate) sparse: Option<String>,
    pub(crate) sparse_k: Option<f64>,
    pub(crate) sparse_b: Option<f64>,
    /// Whether every vector is compared.
    pub(crate) exact: bool,
    /// The time that the store has for one question.
    pub(crate) timeout: Duration,
}

impl Default for StoreSettings {
    fn default() -> StoreSettings {
        StoreSettings {
            kind: StoreKind::default(),
            qdrant_url: "http://localhost:6334".to_owned(),
            qdrant_api_key: Secret::default(),
            collection: QdrantOptions::COLLECTION.to_owned(),
            repository: None,
            sparse: None,
            sparse_k: None,
            sparse_b: None,
            exact: false,
            timeout: Duration::from_secs(5),
        }
    }
}

impl StoreSettings {
    /// Takes the value of one of the keys of stores.
    pub(super) fn set(&mut self, key: Key, text: &str) -> Result<()> {
        match key {
            Key::Store => self.kind = text.parse()?,
            Key::QdrantUrl => {
                let url = text.trim_end_matches('/');
                QdrantOptions::check_url(url)?;
                url.clone_into(&mut self.qdrant_url);
            }
            Key::QdrantApiSecret => self.qdrant_api_key = Secret(Some(text.to_owned())),
            Key::Collection => self.collection = text.to_owned(),
            Key::RepositoryName => self.repository = Some(name(text)?),
            Key::Sparse => self.sparse = Some(text.to_owned()),
            Key::SparseK => self.sparse_k = Some(decimal(text)?),
            Key::SparseB => {
                let b = decimal(text)?;
                if b > 1.0 {
                    return Err(Error::usage(format!("{text} is more than 1"))
                        .with_hint("b is between 0 (length does not count) and 1"));
                }
                self.sparse_b = Some(b);
            }
            Key::VectorSearch => {
                self.exact = match text {
                    "exact" => true,
                    "approximate" => false,
                    _ => {
                        return Err(Error::usage(format!("'{text}' is no way to search vectors"))
                            .with_hint("the ways are approximate and exact"));
                    }
                };
            }
            Key::StoreTimeout => self.timeout = seconds(text)?,
            _ => return Err(Error::bug(format!("{key:?} is no key of a store"))),
        }
        Ok(())
    }

    /// The value of `key` as a settings file would hold it.
    pub(super) fn shown(&self, key: Key) -> String {
        let quoted = |text: &str| toml::Value::from(text).to_string();
        let number = |value: Option<f64>, usual: &str| {
            value.map_or_else(|| usual.to_owned(), |value| value.to_string())
        };
        match key {
            Key::Store => quoted(self.kind.as_str()),
            Key::QdrantUrl => quoted(&self.qdrant_url),
            Key::QdrantApiSecret => format!("{:?}", self.qdrant_api_key),
            Key::Collection => quoted(&self.collection),
            Key::RepositoryName => self
                .repository
                .as_deref()
                .map_or_else(|| "the name of the folder".to_owned(), quoted),
            Key::Sparse => self
                .sparse
                .as_deref()
                .map_or_else(|| "as the collection has it, else code".to_owned(), quoted),
            Key::SparseK => number(self.sparse_k, "as the profile has it"),
            Key::SparseB => number(self.sparse_b, "as the profile has it"),
            Key::VectorSearch => quoted(if self.exact { "exact" } else { "approximate" }),
            Key::StoreTimeout => self.timeout.as_secs_f64().to_string(),
            _ => String::new(),
        }
    }
}

/// A name that a repository can have in a collection.
fn name(text: &str) -> Result<String> {
    let is_odd = |c: char| c.is_control() || c == '/';
    if text.trim().is_empty() || text.len() > 200 || text.contains(is_odd) {
        return Err(Error::usage(format!("{text:?} is not a name of a repository"))
            .with_hint("give a short name without '/'"));
    }
    Ok(text.trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_parameter_that_is_typed_is_the_one_that_a_collection_was_made_with() {
        let mut settings = StoreSettings::default();
        settings.set(Key::SparseK, "1.2").unwrap();
        settings.set(Key::SparseB, "0.75").unwrap();
        let usual = wherein_engine::Bm25::default();
        assert_eq!((settings.sparse_k, settings.sparse_b), (Some(usual.k), Some(usual.b)));
        assert!(settings.set(Key::SparseB, "1.1").is_err());
        assert!(settings.set(Key::SparseK, "-1").is_err());
        assert!(settings.set(Key::SparseK, "inf").is_err());
    }
}

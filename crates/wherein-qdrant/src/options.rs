//! How a collection is reached, and how it is laid out where it is made. Must not read settings.

use std::str::FromStr;
use std::time::Duration;

use wherein_engine::{Error, Result};

/// How a collection is reached.
#[derive(Clone)]
pub struct QdrantOptions {
    /// The gRPC address: `http://host:6334`, or `https://…` for TLS.
    pub url: String,
    /// The key that the server wants, where it wants one.
    pub api_key: Option<String>,
    /// The name of the collection.
    pub collection: String,
    /// How long one write is tried again while the server is away.
    pub patience: Duration,
    /// How long one request may take.
    pub timeout: Duration,
    /// How the collection is laid out where it is made.
    pub layout: Layout,
}

// The key stays out of logs and errors.
impl std::fmt::Debug for QdrantOptions {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("QdrantOptions")
            .field("url", &self.url)
            .field("collection", &self.collection)
            .finish_non_exhaustive()
    }
}

impl QdrantOptions {
    /// The name of a collection that nobody named.
    pub const COLLECTION: &'static str = "wherein";

    /// A collection with its defaults.
    pub fn new(url: impl Into<String>, collection: impl Into<String>) -> QdrantOptions {
        QdrantOptions {
            url: url.into(),
            api_key: None,
            collection: collection.into(),
            patience: Duration::from_secs(30),
            timeout: Duration::from_secs(30),
            layout: Layout::default(),
        }
    }

    /// What is said of an address that can be none.
    pub(crate) fn no_address(url: &str) -> Error {
        Error::usage(format!("'{url}' is not the address of a Qdrant server"))
            .with_hint("give its gRPC address: --qdrant-url http://localhost:6334")
    }

    /// Refuses what can be no address of a server, and one that may hold a secret: addresses are shown.
    ///
    /// # Errors
    /// [`wherein_engine::ErrorKind::Usage`].
    pub fn check_url(url: &str) -> Result<()> {
        if url.contains(['@', '?', '#']) {
            return Err(Error::usage("the address of the Qdrant server holds more than a host")
                .with_hint("give a key by WHEREIN_QDRANT_API_KEY, not in the address"));
        }
        if is_address(url) { Ok(()) } else { Err(QdrantOptions::no_address(url)) }
    }

    /// Refuses what can be no address or name.
    pub(crate) fn check(&self) -> Result<()> {
        QdrantOptions::check_url(&self.url)?;
        let is_name = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
        let fits = !self.collection.is_empty() && self.collection.len() <= 200;
        if !fits || !self.collection.chars().all(is_name) || self.collection.starts_with('.') {
            return Err(Error::usage(format!(
                "'{}' is not a name of a collection",
                self.collection
            ))
            .with_hint("names are made of letters, digits, '-', '_' and '.'"));
        }
        Ok(())
    }
}

/// Whether there is a scheme, a host, and no port that is none.
fn is_address(url: &str) -> bool {
    let rest = ["http://", "https://"].iter().find_map(|scheme| url.strip_prefix(scheme));
    let Some(authority) = rest.and_then(|rest| rest.split('/').next()) else {
        return false;
    };
    let (host, port) = match authority.rsplit_once(':') {
        // The colons of an IPv6 address stand within brackets.
        Some((host, port)) if !port.ends_with(']') => (host, Some(port)),
        _ => (authority, None),
    };
    !host.is_empty()
        && !host.contains(char::is_whitespace)
        && port.is_none_or(|port| port.parse::<u16>().is_ok())
}

/// How vectors are kept small.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Quantization {
    /// As they are: four bytes a component.
    #[default]
    None,
    /// One byte a component beside the vectors themselves, which then may lie on disk.
    Scalar,
    /// One bit a component, the same way.
    Binary,
}

impl FromStr for Quantization {
    type Err = Error;

    fn from_str(text: &str) -> Result<Quantization> {
        match text {
            "none" => Ok(Quantization::None),
            "scalar" => Ok(Quantization::Scalar),
            "binary" => Ok(Quantization::Binary),
            _ => Err(Error::usage(format!("'{text}' is not a way to quantise vectors"))
                .with_hint("the ways are none, scalar and binary")),
        }
    }
}

/// How a collection is laid out; what is made stays so.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Layout {
    /// Shards; the server's choice where this is `None`.
    pub shards: Option<u32>,
    /// Copies of each shard; the server's choice where this is `None`.
    pub replicas: Option<u32>,
    /// Copies that have to keep a write before it counts; the server's choice where this is `None`.
    pub write_consistency: Option<u32>,
    /// How dense vectors are kept small.
    pub quantization: Quantization,
    /// Whether dense vectors lie on disk.
    pub dense_on_disk: bool,
    /// Whether the index of sparse vectors lies on disk.
    pub sparse_on_disk: bool,
    /// Whether the indexes of payloads lie on disk.
    pub payload_index_on_disk: bool,
}

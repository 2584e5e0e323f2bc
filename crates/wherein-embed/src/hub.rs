//! The Hugging Face hub as far as a pull needs it: addresses, what it says of a file, and transfers.
//!
//! Settings are those of its own client: `HF_ENDPOINT`, `HF_TOKEN`, `HF_HOME`, `HF_HUB_CACHE`, `HF_HUB_OFFLINE`, and the proxies
//! of the environment. It must not know models or the store.

use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use ureq::config::RedirectAuthHeaders;
use ureq::tls::{RootCerts, TlsConfig};
use ureq::{Agent, Body, http::Response};
use wherein_engine::{Error, Result};

const ENDPOINT: &str = "https://huggingface.co";

/// All of the first question, under the five seconds in which a machine without network must say so: a gateway may
/// take the connection and never answer.
const FIRST_TIMEOUT: Duration = Duration::from_millis(4500);
/// Together under that, too.
const RESOLVE_TIMEOUT: Duration = Duration::from_secs(2);
const CONNECT_TIMEOUT: Duration = Duration::from_secs(2);
/// A server that has answered before may think for longer.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(20);
const READ_TIMEOUT: Duration = Duration::from_secs(30);

/// How to reach the hub.
#[derive(Debug)]
pub(crate) struct Hub {
    agent: Agent,
    endpoint: String,
    token: Option<String>,
    cache: Option<PathBuf>,
    is_offline: bool,
    has_answered: AtomicBool,
}

/// What the hub says of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct FileFacts {
    pub(crate) size: Option<u64>,
    /// A sha256 (large files) or the id of a git blob (small ones).
    pub(crate) etag: Option<String>,
    pub(crate) commit: Option<String>,
}

impl Hub {
    /// As the variables say; `get` looks one up.
    pub(crate) fn new(get: &dyn Fn(&str) -> Option<String>) -> Hub {
        let set = |name: &str| get(name).filter(|value| !value.is_empty());
        let user = set("HOME").or_else(|| set("USERPROFILE")).map(PathBuf::from);
        let caches =
            set("XDG_CACHE_HOME").map(PathBuf::from).or(user.map(|home| home.join(".cache")));
        let home =
            set("HF_HOME").map(PathBuf::from).or(caches.map(|caches| caches.join("huggingface")));
        let cache =
            set("HF_HUB_CACHE").map(PathBuf::from).or(home.as_ref().map(|home| home.join("hub")));
        let token_file = home.map(|home| home.join("token"));
        let saved = || token_file.and_then(|path| std::fs::read_to_string(path).ok());
        let token = set("HF_TOKEN").or_else(saved).map(|token| token.trim().to_owned());
        let endpoint = set("HF_ENDPOINT").unwrap_or_else(|| ENDPOINT.to_owned());
        let is_on =
            |value: String| !["0", "false", "no", "off"].contains(&value.to_lowercase().as_str());
        Hub {
            agent: agent(),
            endpoint: endpoint.trim_end_matches('/').to_owned(),
            token: token.filter(|token| !token.is_empty()),
            cache,
            is_offline: set("HF_HUB_OFFLINE").is_some_and(is_on),
            has_answered: AtomicBool::new(false),
        }
    }

    pub(crate) fn url(&self, repository: &str, revision: &str, path: &str) -> String {
        format!("{}/{repository}/resolve/{revision}/{path}", self.endpoint)
    }

    /// The file in the cache of the hub's own client and its commit, where that has fetched it before.
    pub(crate) fn cached(&self, repository: &str, path: &str) -> Option<(PathBuf, String)> {
        let repository = format!("models--{}", repository.replace('/', "--"));
        let folder = self.cache.as_ref()?.join(repository);
        let commit = std::fs::read_to_string(folder.join("refs").join("main")).ok()?;
        let file = folder.join("snapshots").join(commit.trim()).join(path);
        file.is_file().then(|| (file, commit.trim().to_owned()))
    }

    /// Asks about a file; `None` where the repository has none of that name.
    pub(crate) fn facts(&self, url: &str) -> Result<Option<FileFacts>> {
        self.online(url)?;
        // The answer about a large file is a redirection, and what is wanted stands in its headers.
        let request =
            self.agent.head(url).config().max_redirects(0).max_redirects_will_error(false);
        let first = !self.has_answered.load(Ordering::Relaxed);
        let mut request = request.timeout_global(first.then_some(FIRST_TIMEOUT)).build();
        if let Some(token) = &self.token {
            request = request.header("Authorization", format!("Bearer {token}"));
        }
        let answer = request.call().map_err(|error| unreachable(url, &error))?;
        self.has_answered.store(true, Ordering::Relaxed);
        match answer.status().as_u16() {
            404 if header(&answer, "x-error-code").as_deref() != Some("RepoNotFound") => Ok(None),
            status @ 400.. => Err(refused(url, status)),
            _ => Ok(Some(facts_of(&answer))),
        }
    }

    /// Opens a file from byte `from` on; says where the transfer really starts.
    pub(crate) fn open(&self, url: &str, from: u64) -> Result<(u64, Box<dyn Read>)> {
        self.online(url)?;
        let mut request = self.agent.get(url);
        if from > 0 {
            request = request.header("Range", format!("bytes={from}-"));
        }
        if let Some(token) = &self.token {
            request = request.header("Authorization", format!("Bearer {token}"));
        }
        let answer = request.call().map_err(|error| unreachable(url, &error))?;
        match answer.status().as_u16() {
            206 => Ok((from, reader(answer))),
            200 => Ok((0, reader(answer))),
            status => Err(refused(url, status)),
        }
    }

    fn online(&self, url: &str) -> Result<()> {
        if self.is_offline {
            let error = Error::network(format!("cannot fetch {url}: HF_HUB_OFFLINE is set"));
            return Err(error.with_hint(WAYS_ROUND));
        }
        Ok(())
    }
}

/// What to do where the hub cannot be reached.
pub(crate) const WAYS_ROUND: &str = "copy the model's folder here and run `wherein model add DIR`, or name a mirror with \
                          HF_ENDPOINT=https://mirror.example";

fn agent() -> Agent {
    let tls = TlsConfig::builder().root_certs(RootCerts::PlatformVerifier).build();
    let config = Agent::config_builder()
        .tls_config(tls)
        .http_status_as_error(false)
        .redirect_auth_headers(RedirectAuthHeaders::SameHost)
        .timeout_resolve(Some(RESOLVE_TIMEOUT))
        .timeout_connect(Some(CONNECT_TIMEOUT))
        .timeout_recv_response(Some(ANSWER_TIMEOUT))
        .timeout_per_read(Some(READ_TIMEOUT))
        .user_agent(concat!("wherein/", env!("CARGO_PKG_VERSION")));
    config.build().new_agent()
}

fn reader(answer: Response<Body>) -> Box<dyn Read> {
    Box::new(answer.into_body().into_with_config().limit(u64::MAX).reader())
}

fn facts_of(answer: &Response<Body>) -> FileFacts {
    let unquoted = |value: String| value.trim_start_matches("W/").trim_matches('"').to_owned();
    let is_redirect = answer.status().is_redirection();
    let linked = header(answer, "x-linked-size");
    let plain = || header(answer, "content-length").filter(|_| !is_redirect);
    FileFacts {
        size: linked.or_else(plain).and_then(|value| value.parse().ok()),
        etag: header(answer, "x-linked-etag").or_else(|| header(answer, "etag")).map(unquoted),
        commit: header(answer, "x-repo-commit"),
    }
}

fn header(answer: &Response<Body>, name: &str) -> Option<String> {
    answer.headers().get(name)?.to_str().ok().map(str::to_owned)
}

fn unreachable(url: &str, error: &ureq::Error) -> Error {
    Error::network(format!("cannot fetch {url}: {error}")).with_hint(WAYS_ROUND)
}

fn refused(url: &str, status: u16) -> Error {
    let error = Error::network(format!("cannot fetch {url}: the server answers {status}"));
    match status {
        401 | 403 => error.with_hint("the model wants an account: set HF_TOKEN"),
        _ => error.with_hint(WAYS_ROUND),
    }
}

/// Checks a file against what the hub says; nothing where it says nothing that can be checked.
pub(crate) fn check(path: &Path, facts: &FileFacts) -> Result<()> {
    use crate::files::{git_blob_id, sha256, size};
    let found_size = size(path)?;
    if let Some(wanted) = facts.size.filter(|wanted| *wanted != found_size) {
        return Err(differs(path, &format!("{found_size} bytes, the hub says {wanted}")));
    }
    let Some(etag) =
        facts.etag.as_deref().filter(|etag| etag.bytes().all(|b| b.is_ascii_hexdigit()))
    else {
        return Ok(());
    };
    let found = match etag.len() {
        64 => sha256(path)?,
        40 => git_blob_id(path)?,
        _ => return Ok(()),
    };
    if found == etag {
        Ok(())
    } else {
        Err(differs(path, &format!("hash {found}, the hub says {etag}")))
    }
}

/// What the cache says of a file: a snapshot links to a blob that is named after its hash.
pub(crate) fn cached_facts(path: &Path) -> FileFacts {
    let blob =
        path.canonicalize().ok().filter(|blob| blob.parent().is_some_and(|p| p.ends_with("blobs")));
    let name = blob.and_then(|blob| Some(blob.file_name()?.to_string_lossy().into_owned()));
    FileFacts { size: None, etag: name, commit: None }
}

pub(crate) fn differs(path: &Path, how: &str) -> Error {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    Error::network(format!("{name} did not arrive as it was sent: {how}")).with_hint("pull again")
}

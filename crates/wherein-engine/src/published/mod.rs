//! Published indexes: those of many repositories, kept together in a collection that is asked over a network.
//!
//! The port is [`Collection`]: what a store has to be able to do. What the engine does with one is told in `publish` (the
//! write story), `ask` (the read story) and `restore` (the way back). A question fetches both lists of candidates and the
//! records of their files, and is then ranked by the code that ranks a local index, so both give the same answers.
//! Must not know a store's name or its wire.

mod ask;
mod guard;
mod memory;
mod point;
mod publish;
mod records;
mod restore;

use std::collections::HashMap;
use std::fmt::Debug;
use std::time::Duration;

pub(crate) use ask::{Ask, Remote};
pub use guard::{Guard, SparseEncoder};
pub use memory::MemoryCollection;
pub use point::{BlobPoint, ChunkPoint, Point, PointId};
pub(crate) use publish::{Publication, publish};
pub use publish::{PublishOptions, PublishReport};
pub(crate) use restore::{Restoration, restore};

use crate::error::Result;
use crate::model::Kind;
use crate::sparse::SparseVector;
use crate::symbol::SymbolKind;

/// What a collection says of one repository: the commit of its published index. Replacing it makes the new one visible.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Head {
    /// The name of the repository.
    pub repository: String,
    /// Where it came from, without credentials: a remote's address or a folder's name.
    pub origin: String,
    /// Tells publications apart: the hash of the catalogue.
    pub version: String,
    /// The keys of the parts of the catalogue, in order.
    pub parts: Vec<PointId>,
    /// Source files.
    pub n_files: u64,
    /// Chunks.
    pub n_chunks: u64,
    /// Chunks with a dense vector.
    pub n_vectors: u64,
    /// When it was published, in milliseconds since 1970.
    pub published_ms: u64,
}

impl Head {
    /// The id of the point that a repository's head is kept as.
    pub fn id(repository: &str) -> PointId {
        point::id_of("head", &[repository.as_bytes()])
    }
}

/// Which chunks may be candidates; of each list that is not empty one entry must fit.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct CandidateFilter {
    /// Names of repositories.
    pub repositories: Vec<String>,
    /// Canonical names of languages.
    pub languages: Vec<String>,
    /// Kinds.
    pub kinds: Vec<Kind>,
    /// Kinds of symbol that a chunk defines.
    pub symbol_kinds: Vec<SymbolKind>,
    /// Folders relative to the root, without a slash at the end.
    pub folders: Vec<String>,
    /// Whole paths.
    pub paths: Vec<String>,
}

/// What is asked of a collection: one list for each vector that is there.
#[derive(Debug, Clone, Default)]
pub struct CandidateQuestion {
    /// The question as terms.
    pub sparse: Option<SparseVector>,
    /// The question as a unit vector.
    pub dense: Option<Vec<f32>>,
    /// The most candidates of each list.
    pub limit: usize,
    /// Which chunks may answer.
    pub filter: CandidateFilter,
    /// Whether what is found by words comes with its sparse vector.
    pub with_sparse: bool,
    /// Whether every vector is compared, instead of those that an index of neighbours leads to.
    pub exact: bool,
    /// Whether the server is to fuse both lists into one, by reciprocal rank fusion with this constant.
    pub fuse: Option<u32>,
    /// The time that there is; a list that is not there by then is left out.
    pub deadline: Option<Duration>,
}

/// A chunk that a collection proposes.
#[derive(Debug, Clone, PartialEq)]
pub struct FoundChunk {
    /// The id of its point: tells whether it is the chunk of what is published, or of a publication under way.
    pub id: PointId,
    /// The name of its repository.
    pub repository: String,
    /// Path relative to the root, `/`-separated.
    pub path: String,
    /// First line, 1-based.
    pub start_line: u32,
    /// Last line, inclusive.
    pub end_line: u32,
    /// By words: the sum of weight and idf; by meaning: the cosine; fused: the sum of reciprocal ranks.
    pub score: f32,
    /// Its sparse vector, where that was asked for.
    pub sparse: Option<SparseVector>,
}

/// What a collection proposes, best first.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Candidates {
    /// By sparse vectors.
    pub by_words: Vec<FoundChunk>,
    /// By dense vectors.
    pub by_meaning: Vec<FoundChunk>,
    /// Both fused, where that was asked for; then the others are empty.
    pub fused: Vec<FoundChunk>,
    /// Lists that are missing, in words.
    pub degraded: Vec<String>,
}

/// A place for published indexes. Calls may come from several threads at once.
///
/// # Errors
/// All methods: [`crate::ErrorKind::Network`] where the store cannot be reached, refuses the key or does not answer in time,
/// [`crate::ErrorKind::IndexFormat`] where what lies there was not made by this program or by another version of it.
pub trait Collection: Send + Sync + Debug {
    /// What people call it, for messages.
    fn name(&self) -> String;

    /// What the collection was made for; `None` where there is none.
    fn guard(&self) -> Result<Option<Guard>>;

    /// Makes the collection, empty; does nothing where it is there already.
    fn create(&self, guard: &Guard) -> Result<()>;

    /// Every repository that was published, by name.
    fn heads(&self) -> Result<Vec<Head>>;

    /// How many repositories were published.
    fn n_repositories(&self) -> Result<u64>;

    /// One repository; `None` where it was never published.
    fn head(&self, repository: &str) -> Result<Option<Head>>;

    /// The points of a repository with their digests, whether published or left by a run that was killed.
    fn present(&self, repository: &str) -> Result<HashMap<PointId, u64>>;

    /// Writes points over those that have their ids. Returns when all are kept; `done` is told how many are, now and then.
    fn upsert(
        &self,
        points: &mut (dyn Iterator<Item = Point> + Send),
        done: &(dyn Fn(u64) + Sync),
    ) -> Result<u64>;

    /// Replaces the head of a repository.
    fn commit(&self, head: &Head) -> Result<()>;

    /// Removes points of a repository; ids that are not there are no trouble.
    fn delete(&self, repository: &str, ids: &[PointId]) -> Result<()>;

    /// Removes a repository, head first.
    fn forget(&self, repository: &str) -> Result<()>;

    /// The chunks that may answer.
    fn candidates(&self, question: &CandidateQuestion) -> Result<Candidates>;

    /// The bytes of blobs, in order; `None` for those that are not there.
    fn blobs(&self, ids: &[PointId], deadline: Option<Duration>) -> Result<Vec<Option<Vec<u8>>>>;

    /// The paths of files that define this very name, then of those that define one which has one of these tokens, each once,
    /// at most `limit`.
    fn defining(
        &self,
        repository: &str,
        wanted: (&str, &[String]),
        limit: usize,
    ) -> Result<Vec<String>>;

    /// The dense vectors of chunks, in order; `None` for those that have none.
    fn vectors(&self, ids: &[PointId]) -> Result<Vec<Option<Vec<f32>>>>;
}

//! A served folder with its index, as those see it who keep folders: state, progress, what is in it.

use serde::Serialize;
use wherein_engine as engine;

use crate::counts::Counts;
use crate::error::ErrorBody;
use crate::status::Problem;

/// A folder that a server keeps.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Folder {
    /// What requests name it by: lower-case letters, digits and `-`; stable for a root.
    pub id: String,
    /// The last name of its root.
    pub name: String,
    /// Canonical root.
    pub root: String,
    /// What is going on.
    pub state: FolderState,
    /// How far an index or a refresh is; `null` while there is none.
    pub progress: Option<FolderProgress>,
    /// Whether changes of the tree are noticed by themselves.
    pub watch: FolderWatch,
    /// When the index was last true to the tree, in milliseconds of Unix time; `null` where it never was.
    pub checked_ms: Option<u64>,
    /// What went wrong last; `null` where nothing did.
    pub error: Option<ErrorBody>,
    /// What is indexed; `null` before the first index.
    pub summary: Option<FolderSummary>,
}

/// What is going on with a folder.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "lowercase")]
pub enum FolderState {
    /// Nothing has been done yet, or another process is writing its index.
    #[default]
    Waiting,
    /// Its index is made or brought up to date.
    Indexing,
    /// Its index was true to the tree when it was last checked.
    Ready,
    /// It could not be indexed.
    Failed,
}

/// How far an index or a refresh is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct FolderProgress {
    /// `scanning`, `files` or `embedding`.
    pub stage: &'static str,
    /// Done so far: bytes of files, or chunks.
    pub done: u64,
    /// To be done; 0 while that is not known.
    pub total: u64,
    /// Of a hundred.
    pub percent: u32,
}

/// Whether changes of a tree are noticed by themselves.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct FolderWatch {
    /// Whether they are; otherwise each question looks for changes first.
    pub active: bool,
    /// Why not; `null` where they are.
    pub note: Option<String>,
}

/// What is indexed of a folder.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct FolderSummary {
    /// Current generation.
    pub generation: u64,
    /// Whether it holds every file.
    pub complete: bool,
    /// Source files.
    pub files: u64,
    /// Bytes of source files.
    pub bytes: u64,
    /// Chunks.
    pub chunks: u64,
    /// Vectors.
    pub vectors: u64,
    /// The model that made them; `null` for a keyword index.
    pub model: Option<String>,
    /// The model that compares the first places again; `null` where none does.
    pub reranker: Option<String>,
    /// How files are cut.
    pub profile: &'static str,
    /// Bytes of the index on disk.
    pub index_bytes: u64,
    /// What was not searched, by reason, zeros included.
    pub skipped: Counts,
    /// Source files by kind.
    pub by_kind: Counts,
    /// Source files by language, most first.
    pub by_language: Counts,
    /// Per-file trouble.
    pub problems: Vec<Problem>,
}

impl From<engine::Status> for FolderSummary {
    fn from(status: engine::Status) -> Self {
        let status = crate::Status::from(status);
        FolderSummary {
            generation: status.generation,
            complete: status.complete,
            files: status.files,
            bytes: status.bytes,
            chunks: status.chunks,
            vectors: status.vectors,
            model: status.model,
            reranker: status.reranker,
            profile: status.profile,
            index_bytes: status.index_bytes,
            skipped: status.skipped,
            by_kind: status.by_kind,
            by_language: status.by_language,
            problems: status.problems,
        }
    }
}

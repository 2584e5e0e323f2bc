//! The state of an index, the report of a refresh, and the verdict on one path.

use serde::Serialize;
use wherein_engine as engine;

use crate::counts::Counts;

/// The state of an index.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Status {
    /// Canonical root.
    pub root: String,
    /// The index folder.
    pub index_dir: String,
    /// Current generation; 0 when there is none.
    pub generation: u64,
    /// Whether the generation holds every file.
    pub complete: bool,
    /// How files are cut.
    pub profile: &'static str,
    /// The model; `null` for a keyword index.
    pub model: Option<String>,
    /// Source files.
    pub files: u64,
    /// Bytes of source files.
    pub bytes: u64,
    /// Chunks.
    pub chunks: u64,
    /// Vectors; 0 for a keyword index.
    pub vectors: u64,
    /// The model that compares the first places of a question again; `null` where none does.
    pub reranker: Option<String>,
    /// Chunks that have vectors of that model.
    pub reranker_vectors: u64,
    /// How vectors are kept: `int8` or `f32`.
    pub encoding: &'static str,
    /// Bytes of the vectors on disk.
    pub vector_bytes: u64,
    /// Bytes of the index on disk.
    pub index_bytes: u64,
    /// Source files by kind.
    pub by_kind: Counts,
    /// Source files by language, most first.
    pub by_language: Counts,
    /// What was not searched, by reason, zeros included.
    pub skipped: Counts,
    /// Whether the tree has changed since the generation was made.
    pub stale: bool,
    /// Per-file trouble.
    pub problems: Vec<Problem>,
    /// Source files that were cut by lines although their language has symbols, by reason; empty where none was.
    pub fallbacks: Counts,
}

impl From<engine::Status> for Status {
    fn from(status: engine::Status) -> Self {
        let engine::Status {
            root,
            index_dir,
            generation,
            complete,
            profile,
            n_files,
            n_bytes,
            n_chunks,
            n_vectors,
            model,
            reranker,
            n_reranker_vectors,
            encoding,
            vector_bytes,
            index_bytes,
            by_kind,
            by_language,
            skipped,
            stale,
            problems,
            fallbacks,
        } = status;
        Status {
            root: root.display().to_string(),
            index_dir: index_dir.display().to_string(),
            generation,
            complete,
            profile: profile.as_str(),
            model: model.map(|model| model.name),
            files: n_files,
            bytes: n_bytes,
            chunks: n_chunks,
            vectors: n_vectors,
            reranker: reranker.map(|model| model.name),
            reranker_vectors: n_reranker_vectors,
            encoding: encoding.as_str(),
            vector_bytes,
            index_bytes,
            by_kind: Counts::new(
                by_kind.into_iter().map(|(kind, count)| (kind.as_str().to_owned(), count)),
            ),
            by_language: Counts::new(by_language),
            skipped: Counts::from(&skipped),
            stale,
            problems: problems.into_iter().map(Problem::from).collect(),
            fallbacks: Counts::new(fallbacks),
        }
    }
}

/// One file's trouble.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Problem {
    /// Path relative to the root, `/`-separated.
    pub path: String,
    /// What is wrong, in one line.
    pub reason: String,
}

impl From<engine::Problem> for Problem {
    fn from(problem: engine::Problem) -> Self {
        let engine::Problem { path, reason } = problem;
        Problem { path, reason }
    }
}

/// What one refresh did.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Refresh {
    /// The generation that is current afterwards.
    pub generation: u64,
    /// Files that were new.
    pub added: u64,
    /// Files whose content had changed.
    pub changed: u64,
    /// Files that are gone.
    pub removed: u64,
    /// Source files after the refresh.
    pub files: u64,
    /// Chunks after the refresh.
    pub chunks: u64,
    /// Chunks that have a vector after the refresh.
    pub vectors: u64,
    /// Chunks that the model embedded in this refresh.
    pub embedded: u64,
    /// Chunks whose vector was found in the cache in this refresh.
    pub cached: u64,
    /// What was not searched, by reason, zeros included.
    pub skipped: Counts,
    /// Per-file trouble.
    pub problems: Vec<Problem>,
    /// Why the index may not be true to the tree; empty when it is.
    pub degraded: Vec<String>,
    /// Why the index was built anew; `null` when it was not.
    pub rebuilt: Option<String>,
}

impl From<engine::RefreshReport> for Refresh {
    fn from(report: engine::RefreshReport) -> Self {
        let engine::RefreshReport {
            generation,
            added,
            changed,
            removed,
            n_files,
            n_chunks,
            n_vectors,
            embedded,
            cached,
            skipped,
            problems,
            degraded,
            rebuilt,
        } = report;
        Refresh {
            generation,
            added,
            changed,
            removed,
            files: n_files,
            chunks: n_chunks,
            vectors: n_vectors,
            embedded,
            cached,
            skipped: Counts::from(&skipped),
            problems: problems.into_iter().map(Problem::from).collect(),
            degraded,
            rebuilt,
        }
    }
}

/// Which rule decides whether a path is searched.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Why {
    /// The path asked about, relative to the root.
    pub path: String,
    /// Whether it is searched.
    pub searched: bool,
    /// The reason's key where it is not; `null` where it is.
    pub reason: Option<String>,
    /// The rule in words.
    pub rule: String,
}

impl From<engine::Why> for Why {
    fn from(why: engine::Why) -> Self {
        let engine::Why { path, searched, reason, rule } = why;
        Why { path, searched, reason, rule }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use wherein_engine::{Kind, Profile, SkipCounts};

    #[test]
    fn status_has_the_keys_of_the_contract() {
        let status = engine::Status {
            root: "/r".into(),
            index_dir: "/i".into(),
            generation: 3,
            complete: true,
            profile: Profile::Symbols,
            n_files: 2,
            n_bytes: 30,
            n_chunks: 4,
            n_vectors: 0,
            model: None,
            reranker: None,
            n_reranker_vectors: 0,
            encoding: wherein_engine::VectorEncoding::Int8,
            vector_bytes: 0,
            index_bytes: 50,
            by_kind: vec![(Kind::Source, 2)],
            by_language: vec![("rust".to_owned(), 2)],
            skipped: SkipCounts::default(),
            stale: false,
            problems: vec![engine::Problem { path: "a".into(), reason: "b".into() }],
            fallbacks: vec![("too deep".to_owned(), 1)],
        };
        let value = serde_json::to_value(Status::from(status)).unwrap();
        for key in ["root", "index_dir", "generation", "profile", "model", "files", "bytes"] {
            assert!(value.get(key).is_some(), "{key}");
        }
        assert_eq!(value["chunks"], 4);
        assert_eq!(value["vectors"], 0);
        assert!(value["reranker"].is_null() && value["reranker_vectors"] == 0);
        assert_eq!(value["stale"], false);
        assert_eq!(value["by_language"]["rust"], 2);
        assert_eq!(value["skipped"]["svg"], 0);
        assert_eq!(value["problems"][0]["reason"], "b");
        assert_eq!(value["profile"], "symbols");
        assert_eq!(value["fallbacks"]["too deep"], 1);
    }

    #[test]
    fn a_refresh_says_whether_it_rebuilt() {
        let report = engine::RefreshReport { added: 2, ..engine::RefreshReport::default() };
        let value = serde_json::to_value(Refresh::from(report)).unwrap();
        assert_eq!(value["added"], 2);
        assert!(value["rebuilt"].is_null());
    }
}

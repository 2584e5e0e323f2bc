//! What callers hand to the engine and what they get back: requests, answers, events.
//!
//! Plain structs with public fields; nothing here touches an index.

mod cancel;
mod why_place;

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use crate::embed::{Embedder, ModelIdentity};
use crate::model::{
    BestLines, Confidence, Fusion, Hit, Kind, Mode, Problem, Profile, SkipCounts, Touched,
    VectorEncoding,
};
use crate::search::Shape;
use crate::symbol::SymbolKind;
pub use cancel::Cancel;
pub use why_place::{Loss, Standing, WhyPlace};

/// How an [`crate::Engine`] is opened.
#[derive(Debug, Clone)]
pub struct EngineOptions {
    /// The folder to search. Must exist; need not be canonical.
    pub root: PathBuf,
    /// The folder that holds index folders; never inside the searched tree.
    pub index_base: PathBuf,
    /// How files are cut.
    pub profile: Profile,
    /// Whether files that look like secrets are indexed.
    pub include_sensitive: bool,
    /// Files above this many bytes are skipped.
    pub max_file_bytes: u64,
    /// Worker threads; `None` takes one per core.
    pub threads: Option<usize>,
    /// How often the work of a long refresh is kept, so that a killed one goes on where it ended.
    pub commit_every: Duration,
    /// What turns texts into vectors. Without one a refresh makes none and keeps those that there are.
    pub embedder: Option<Arc<dyn Embedder>>,
    /// What compares the first places of hybrid mode again; embeds only those. May be the `embedder`.
    pub reranker: Option<Arc<dyn Embedder>>,
    /// Whether a refresh makes `reranker` that of the folder, or takes the folder's away where there is none.
    pub remember_reranker: bool,
    /// The folder that holds the cache of embeddings; `None` takes `index_base`, so that all indexes share it.
    pub cache_base: Option<PathBuf>,
    /// How vectors are kept; `None` keeps them as the index does, or takes the default.
    pub encoding: Option<VectorEncoding>,
    /// Whether vectors of another model are replaced, by none where there is no `embedder`; without it a refresh
    /// refuses another model.
    pub replace_model: bool,
    /// About how many bytes are kept between questions: texts, their words and vectors. Changes no answer; 0 keeps nothing.
    pub cache_bytes: usize,
    /// How long one refresh goes on embedding, and one question; `None` goes on until all is done. What is left is done
    /// by the next. Where a `reranker` stands by and most chunks lack a vector, a refresh with such a limit leaves them.
    pub embed_within: Option<Duration>,
}

impl EngineOptions {
    /// The files over 1 MB that design §8 leaves out.
    pub const MAX_FILE_BYTES: u64 = 1_000_000;

    /// Two minutes, the shortest limit that callers are known to set, hold many of these.
    pub const COMMIT_EVERY: Duration = Duration::from_secs(5);

    /// Enough for some 300,000 lines of code; only what questions touch is kept.
    pub const CACHE_BYTES: usize = 128 << 20;

    /// Default options for `root`, with index folders under `index_base`.
    pub fn new(root: impl Into<PathBuf>, index_base: impl Into<PathBuf>) -> Self {
        EngineOptions {
            root: root.into(),
            index_base: index_base.into(),
            profile: Profile::default(),
            include_sensitive: false,
            max_file_bytes: Self::MAX_FILE_BYTES,
            threads: None,
            commit_every: Self::COMMIT_EVERY,
            embedder: None,
            reranker: None,
            remember_reranker: false,
            cache_base: None,
            encoding: None,
            replace_model: false,
            cache_bytes: Self::CACHE_BYTES,
            embed_within: None,
        }
    }
}

/// Which files may answer. All given conditions must hold; within one list any entry may match.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Filter {
    /// Folders, files or globs relative to the root (`src`, `./src/`, `**/*.rs`).
    pub paths: Vec<String>,
    /// Folders, files or globs that must not match.
    pub not_paths: Vec<String>,
    /// Language names, aliases or extensions (`rust`, `rs`).
    pub languages: Vec<String>,
    /// Kinds.
    pub kinds: Vec<Kind>,
    /// Kinds of symbol: only chunks that hold one of them may answer.
    pub symbol_kinds: Vec<SymbolKind>,
}

impl Filter {
    /// Whether a symbol of this kind may answer.
    pub(crate) fn has_symbol_kind(&self, kind: SymbolKind) -> bool {
        self.symbol_kinds.is_empty() || self.symbol_kinds.contains(&kind)
    }
}

/// A question with everything that shapes its answer.
#[derive(Debug, Clone)]
pub struct SearchRequest {
    /// The question, the text or the pattern.
    pub text: String,
    /// How to answer it.
    pub mode: Mode,
    /// Which files may answer.
    pub filter: Filter,
    /// The most hits to return; `None` returns all (exact and regex only, ranked modes take 10).
    pub limit: Option<usize>,
    /// Lines of context around the matching lines of a snippet.
    pub context: usize,
    /// Whether exact and regex modes fold case.
    pub ignore_case: bool,
    /// How hybrid mode makes one list of two; as suits the model where this is `None`.
    pub fusion: Option<Fusion>,
    /// How the best lines of a chunk count, with a model that is a table.
    pub best_lines: BestLines,
    /// How the first places are compared again, where the engine has a re-ranker.
    pub touched: Touched,
    /// Whether hits carry the contribution of each term.
    pub explain: bool,
    /// Whether hits carry a snippet; without one no file is read in ranked modes, but for `best_lines` and `touched`.
    pub snippets: bool,
    /// What ends the search early, with an error of [`crate::ErrorKind::Cancelled`]: looked at between files and stages.
    pub cancel: Option<Cancel>,
}

impl SearchRequest {
    /// Questions longer than this are refused.
    pub const MAX_BYTES: usize = 64 << 10;

    /// A question with the defaults: ten hits, snippets, no context.
    pub fn new(text: impl Into<String>) -> Self {
        SearchRequest {
            text: text.into(),
            mode: Mode::default(),
            filter: Filter::default(),
            limit: None,
            context: 0,
            ignore_case: false,
            fusion: None,
            best_lines: BestLines::default(),
            touched: Touched::default(),
            explain: false,
            snippets: true,
            cancel: None,
        }
    }
}

/// A place that a ranking would order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Proposed {
    /// Path relative to the searched root, `/`-separated.
    pub path: String,
    /// A number that the places of one file share.
    pub file: u32,
    /// First line, 1-based.
    pub start_line: u32,
    /// Last line, inclusive.
    pub end_line: u32,
}

/// The places that a ranking would order for a question.
#[derive(Debug, Clone, PartialEq)]
pub struct Proposals {
    /// The shape of the question.
    pub shape: Shape,
    /// By file and line.
    pub places: Vec<Proposed>,
    /// The features of each place, in the order of [`crate::FEATURES`].
    pub features: Vec<Vec<f32>>,
}

/// The answer to a [`SearchRequest`].
#[derive(Debug, Clone)]
pub struct Answer {
    /// The question as asked.
    pub query: String,
    /// The mode that answered.
    pub mode: Mode,
    /// The model whose vectors proposed places, by name; `None` where none did.
    pub model: Option<String>,
    /// What a re-ranker did; `None` where none had a say.
    pub reranked: Option<Reranked>,
    /// How sure the ranking is that its first hits are what was asked for; `None` where no ranking was at work.
    pub confidence: Option<Confidence>,
    /// The generation that answered; 0 for an empty index.
    pub generation: u64,
    /// Best first; by path and line in exact and regex mode.
    pub hits: Vec<Hit>,
    /// How many places matched before the limit.
    pub n_matches: u64,
    /// Stages that were dropped, in words.
    pub degraded: Vec<String>,
    /// What was not searched, by reason.
    pub skipped: SkipCounts,
}

/// What a re-ranker did for one answer, and how much of the tree it knows by now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reranked {
    /// The model that compared the first places again, by name.
    pub model: String,
    /// Places that were compared.
    pub n_places: u64,
    /// Parts of them that were embedded for this answer.
    pub n_embedded: u64,
    /// Parts of them whose vectors were known.
    pub n_cached: u64,
    /// Chunks of the tree that have vectors of this model.
    pub n_vectors: u64,
    /// Chunks of the tree.
    pub n_chunks: u64,
}

/// Which models an index was made for.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct IndexModels {
    /// What made its vectors.
    pub vectors: Option<ModelIdentity>,
    /// What compares the first places again.
    pub reranker: Option<ModelIdentity>,
    /// Whether it is to stay without vectors until a model is named for it.
    pub is_words_only: bool,
}

/// What one refresh did.
#[derive(Debug, Clone, Default)]
pub struct RefreshReport {
    /// The generation that is current afterwards.
    pub generation: u64,
    /// Files that were new.
    pub added: u64,
    /// Files whose content had changed.
    pub changed: u64,
    /// Files that are gone.
    pub removed: u64,
    /// Source files after the refresh.
    pub n_files: u64,
    /// Chunks after the refresh.
    pub n_chunks: u64,
    /// Chunks that have a vector after the refresh.
    pub n_vectors: u64,
    /// Chunks that the model embedded in this refresh.
    pub embedded: u64,
    /// Chunks whose vector was found in the cache in this refresh.
    pub cached: u64,
    /// What was not searched, by reason.
    pub skipped: SkipCounts,
    /// Per-file trouble.
    pub problems: Vec<Problem>,
    /// Why the index may not be true to the tree, in words; empty when it is.
    pub degraded: Vec<String>,
    /// Set when a damaged or outdated index was thrown away and built again: the reason.
    pub rebuilt: Option<String>,
}

/// The state of an index.
#[derive(Debug, Clone)]
pub struct Status {
    /// Canonical root.
    pub root: PathBuf,
    /// The index folder.
    pub index_dir: PathBuf,
    /// Current generation; 0 when there is none.
    pub generation: u64,
    /// Whether the current generation holds every file (false while a first index is under way).
    pub complete: bool,
    /// How files are cut.
    pub profile: Profile,
    /// Source files.
    pub n_files: u64,
    /// Bytes of source files.
    pub n_bytes: u64,
    /// Chunks.
    pub n_chunks: u64,
    /// Chunks that have a vector.
    pub n_vectors: u64,
    /// What made the vectors; `None` for a keyword index.
    pub model: Option<ModelIdentity>,
    /// What compares the first places of a question again; `None` where nothing does.
    pub reranker: Option<ModelIdentity>,
    /// Chunks that have vectors of the `reranker`.
    pub n_reranker_vectors: u64,
    /// How the vectors are kept.
    pub encoding: VectorEncoding,
    /// Bytes of the vectors on disk.
    pub vector_bytes: u64,
    /// Bytes of the index on disk, vectors included.
    pub index_bytes: u64,
    /// Source files by kind, in the order of [`Kind::ALL`].
    pub by_kind: Vec<(Kind, u64)>,
    /// Source files by language, most first.
    pub by_language: Vec<(String, u64)>,
    /// What was not searched, by reason.
    pub skipped: SkipCounts,
    /// Whether the tree has changed since the generation was made.
    pub stale: bool,
    /// Per-file trouble.
    pub problems: Vec<Problem>,
    /// Source files that were cut by lines although their language has symbols, by reason.
    pub fallbacks: Vec<(String, u64)>,
}

/// The verdict of `status --why PATH`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Why {
    /// The path asked about, relative to the root.
    pub path: String,
    /// Whether the path is searched.
    pub searched: bool,
    /// The reason's key where it is not searched (a `SkipReason` name, or `missing`).
    pub reason: Option<String>,
    /// The rule in words: the pattern and the file and line it stands in, or the built-in rule.
    pub rule: String,
}

/// A source file as it is now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourceText {
    /// Path relative to the root, `/`-separated.
    pub path: String,
    /// The language by name; empty when unknown.
    pub language: String,
    /// Its role.
    pub kind: Kind,
    /// The whole text, decoded.
    pub text: String,
}

/// Progress of a refresh, for a bar or a log. Counts never go backwards within one refresh.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Event {
    /// Another process holds the writer lock; waiting for it.
    WaitingForWriter,
    /// The walk is done; this much has to be indexed.
    Planned {
        /// Files to index.
        n_files: u64,
        /// Their bytes.
        n_bytes: u64,
    },
    /// Work so far.
    Indexed {
        /// Files done.
        n_files: u64,
        /// Bytes done.
        n_bytes: u64,
    },
    /// This many chunks have no vector yet.
    EmbedPlanned {
        /// Chunks to embed or to find in the cache.
        n_chunks: u64,
    },
    /// Vectors so far.
    Embedded {
        /// Chunks done.
        n_chunks: u64,
    },
    /// Points of a published index were written.
    Published {
        /// So many so far.
        n_points: u64,
    },
    /// A generation was committed.
    Committed {
        /// Its number.
        generation: u64,
    },
}

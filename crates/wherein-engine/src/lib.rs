//! The library behind `wherein`: it finds places in a folder of code by words and by name.
//!
//! Modules stand in the order in which data flows: scan → chunk → tokenize → store ← ingest, and on the
//! read side search over one immutable generation. The library is synchronous; it never prints, opens a
//! socket or starts a runtime, and its progress leaves through [`Event`] alone.

mod crew;
mod embed;
mod engine;
mod error;
mod ingest;
mod lookup;
mod model;
mod published;
mod reader;
mod request;
mod search;
mod sparse;
mod symbol;

pub use embed::{
    BATCH_TOKENS, Bag, Embedder, ModelIdentity, Role, SparseEmbedder, TableReader, TermTable,
    TermTableBuilder, head, piece_hash, pieces, settle, spell, term_hash, usual_encoding,
};
pub use engine::{Engine, PublishedOptions, promising};
pub use error::{Error, ErrorKind, Result};
pub use lookup::{
    FileOutline, FoundSymbol, FoundUsage, NameMatch, Outline, OutlineRequest, SymbolAnswer,
    SymbolRequest, UsageAnswer, UsageKind, UsageRequest,
};
pub use model::{
    BestLines, Candidate, Chunk, Confidence, Copy, Feature, Fusion, FusionMethod, Hit, Kind, Mode,
    Problem, Profile, ScoreParts, SkipCounts, SkipReason, SnippetLine, TermScore, Touched,
    VectorEncoding,
};
pub use published::{
    BlobPoint, CandidateFilter, CandidateQuestion, Candidates, ChunkPoint, Collection, FoundChunk,
    Guard, Head, MemoryCollection, Point, PointId, PublishOptions, PublishReport, SparseEncoder,
};
pub use reader::{SourceParts, SourceReader, SymbolPart};
pub use request::{
    Answer, Cancel, EngineOptions, Event, Filter, IndexModels, Loss, Proposals, Proposed,
    RefreshReport, Reranked, SearchRequest, SourceText, Standing, Status, Why, WhyPlace,
};
pub use search::{FEATURES, FeatureGroup, FeatureInfo, Ordered, Ranking, Shape, Sureness, Weights};
pub use sparse::{
    BM25_VERSION, Bm25, Semcode, SparseIdentity, SparseProfile, SparseVector, idf, rrf,
    split_code_identifiers,
};
pub use symbol::{Route, Symbol, SymbolKind, UsageClass};
pub use tokenize::TOKENIZER_VERSION;

mod chunk;
mod scan;
mod store;
mod syntax;
mod tokenize;

//! The table of settings: name in files, environment variable, flag, and who may set it.
//!
//! A setting that is not in this table does not exist. A project file arrives with other people's code,
//! so only keys that cannot widen what is read or written are allowed there.

/// One setting.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Key {
    Mode,
    Limit,
    Context,
    Kinds,
    SymbolKinds,
    Languages,
    NotPaths,
    Color,
    Hyperlink,
    IndexDir,
    Profile,
    IncludeSensitive,
    MaxFileSize,
    Threads,
    CommitEveryMs,
    Model,
    ModelDir,
    Vectors,
    Embed,
    EmbedWithin,
    Fusion,
    RrfK,
    FusionDepth,
    KeywordWeight,
    SemanticWeight,
    Repositories,
    Store,
    QdrantUrl,
    QdrantApiSecret,
    Collection,
    RepositoryName,
    Sparse,
    SparseK,
    SparseB,
    VectorSearch,
    StoreTimeout,
    Yes,
    NoRefresh,
    Quiet,
}

impl Key {
    /// Every key, in the order that `wherein config` lists them.
    pub(crate) const ALL: [Key; 39] = [
        Key::Mode,
        Key::Limit,
        Key::Context,
        Key::Kinds,
        Key::SymbolKinds,
        Key::Languages,
        Key::NotPaths,
        Key::Color,
        Key::Hyperlink,
        Key::IndexDir,
        Key::Profile,
        Key::IncludeSensitive,
        Key::MaxFileSize,
        Key::Threads,
        Key::CommitEveryMs,
        Key::Model,
        Key::ModelDir,
        Key::Vectors,
        Key::Embed,
        Key::EmbedWithin,
        Key::Fusion,
        Key::RrfK,
        Key::FusionDepth,
        Key::KeywordWeight,
        Key::SemanticWeight,
        Key::Repositories,
        Key::Store,
        Key::QdrantUrl,
        Key::QdrantApiSecret,
        Key::Collection,
        Key::RepositoryName,
        Key::Sparse,
        Key::SparseK,
        Key::SparseB,
        Key::VectorSearch,
        Key::StoreTimeout,
        Key::Yes,
        Key::NoRefresh,
        Key::Quiet,
    ];

    /// File key, environment variable and flag.
    fn names(self) -> (&'static str, &'static str, &'static str) {
        match self {
            Key::Mode => ("mode", "WHEREIN_MODE", "--mode"),
            Key::Limit => ("limit", "WHEREIN_LIMIT", "--limit"),
            Key::Context => ("context", "WHEREIN_CONTEXT", "--context"),
            Key::Kinds => ("kinds", "WHEREIN_KINDS", "--kind"),
            Key::SymbolKinds => ("symbol_kinds", "WHEREIN_SYMBOL_KINDS", "--symbol-kind"),
            Key::Languages => ("languages", "WHEREIN_LANGUAGES", "--lang"),
            Key::NotPaths => ("not_paths", "WHEREIN_NOT_PATHS", "--not-path"),
            Key::Color => ("color", "WHEREIN_COLOR", "--color"),
            Key::Hyperlink => ("hyperlink", "WHEREIN_HYPERLINK", "--hyperlink"),
            Key::IndexDir => ("index_dir", "WHEREIN_INDEX_DIR", "--index-dir"),
            Key::Profile => ("profile", "WHEREIN_PROFILE", "--profile"),
            Key::IncludeSensitive => {
                ("include_sensitive", "WHEREIN_INCLUDE_SENSITIVE", "--include-sensitive")
            }
            Key::MaxFileSize => ("max_file_size", "WHEREIN_MAX_FILE_SIZE", "--max-file-size"),
            Key::Threads => ("threads", "WHEREIN_THREADS", "--threads"),
            // Nobody types it: callers with a time limit set the variable.
            Key::CommitEveryMs => ("commit_every_ms", "WHEREIN_COMMIT_EVERY_MS", "(no flag)"),
            Key::Model => ("model", "WHEREIN_MODEL", "--model"),
            Key::ModelDir => ("model_dir", "WHEREIN_MODEL_DIR", "--model-dir"),
            Key::Vectors => ("vectors", "WHEREIN_VECTORS", "--vectors"),
            Key::Embed => ("embed", "WHEREIN_EMBED", "--embed"),
            Key::EmbedWithin => ("embed_within", "WHEREIN_EMBED_WITHIN", "--embed-within"),
            Key::Fusion => ("fusion", "WHEREIN_FUSION", "--fusion"),
            Key::RrfK => ("rrf_k", "WHEREIN_RRF_K", "--rrf-k"),
            Key::FusionDepth => ("fusion_depth", "WHEREIN_FUSION_DEPTH", "--fusion-depth"),
            Key::KeywordWeight => ("keyword_weight", "WHEREIN_KEYWORD_WEIGHT", "--keyword-weight"),
            Key::SemanticWeight => {
                ("semantic_weight", "WHEREIN_SEMANTIC_WEIGHT", "--semantic-weight")
            }
            Key::Repositories => ("repositories", "WHEREIN_REPOSITORIES", "--repositories"),
            Key::Store => ("store", "WHEREIN_STORE", "--store"),
            Key::QdrantUrl => ("qdrant_url", "WHEREIN_QDRANT_URL", "--qdrant-url"),
            // What is typed stands in the shell's history and in the list of processes.
            Key::QdrantApiSecret => ("qdrant_api_key", "WHEREIN_QDRANT_API_KEY", "(no flag)"),
            Key::Collection => ("collection", "WHEREIN_COLLECTION", "--collection"),
            Key::RepositoryName => ("repository_name", "WHEREIN_REPOSITORY_NAME", "--repo-name"),
            Key::Sparse => ("sparse", "WHEREIN_SPARSE", "--sparse"),
            Key::SparseK => ("sparse_k", "WHEREIN_SPARSE_K", "--sparse-k"),
            Key::SparseB => ("sparse_b", "WHEREIN_SPARSE_B", "--sparse-b"),
            Key::VectorSearch => ("vector_search", "WHEREIN_VECTOR_SEARCH", "--vector-search"),
            Key::StoreTimeout => ("store_timeout", "WHEREIN_STORE_TIMEOUT", "--store-timeout"),
            Key::Yes => ("yes", "WHEREIN_YES", "--yes"),
            Key::NoRefresh => ("no_refresh", "WHEREIN_NO_REFRESH", "--no-refresh"),
            Key::Quiet => ("quiet", "WHEREIN_QUIET", "--quiet"),
        }
    }

    /// The key in a settings file.
    pub(crate) fn name(self) -> &'static str {
        self.names().0
    }

    /// The environment variable.
    pub(crate) fn env(self) -> &'static str {
        self.names().1
    }

    /// The flag.
    pub(crate) fn flag(self) -> &'static str {
        self.names().2
    }

    /// Whether it takes several values.
    pub(crate) fn is_list(self) -> bool {
        matches!(self, Key::Kinds | Key::SymbolKinds | Key::Languages | Key::NotPaths)
    }

    /// Whether a project file may set it.
    pub(crate) fn allowed_in_project(self) -> bool {
        use Key::{Color, Context, Kinds, Languages, Limit, Mode, NotPaths, Profile, SymbolKinds};
        use Key::{Fusion, FusionDepth, KeywordWeight, RrfK, SemanticWeight};
        matches!(self, Mode | Limit | Context | Kinds | SymbolKinds | NotPaths | Languages | Color)
            || self == Profile
            || matches!(self, Fusion | RrfK | FusionDepth | KeywordWeight | SemanticWeight)
    }

    /// The key with this name.
    pub(crate) fn find(name: &str) -> Option<Key> {
        Key::ALL.into_iter().find(|key| key.name() == name)
    }

    /// The key whose name is most like `name`, when one is like it at all.
    pub(crate) fn nearest(name: &str) -> Option<Key> {
        let likeness = |key: &Key| strsim::jaro_winkler(key.name(), name);
        Key::ALL
            .into_iter()
            .max_by(|left, right| likeness(left).total_cmp(&likeness(right)))
            .filter(|key| likeness(key) > 0.7)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_follow_one_pattern() {
        for key in Key::ALL {
            assert_eq!(key.env(), format!("WHEREIN_{}", key.name().to_uppercase()));
            assert_eq!(Key::find(key.name()), Some(key));
        }
    }

    #[test]
    fn a_typo_finds_its_key() {
        assert_eq!(Key::nearest("limt"), Some(Key::Limit));
        assert_eq!(Key::nearest("not_path"), Some(Key::NotPaths));
        assert_eq!(Key::nearest("zzz"), None);
    }

    #[test]
    fn a_project_may_not_widen_what_is_read_or_written() {
        use Key::{IncludeSensitive, IndexDir, MaxFileSize, Repositories, Threads, Yes};
        for key in [IncludeSensitive, IndexDir, MaxFileSize, Repositories, Threads, Yes] {
            assert!(!key.allowed_in_project(), "{key:?}");
        }
    }

    #[test]
    fn a_project_may_not_send_questions_or_code_elsewhere() {
        use Key::{Collection, QdrantApiSecret, QdrantUrl, RepositoryName, Store};
        for key in [Collection, QdrantApiSecret, QdrantUrl, RepositoryName, Store] {
            assert!(!key.allowed_in_project(), "{key:?}");
        }
    }

    #[test]
    fn a_project_may_not_choose_a_model_or_spend_time_on_one() {
        use Key::{Embed, EmbedWithin, Model, ModelDir, Vectors};
        for key in [Embed, EmbedWithin, Model, ModelDir, Vectors] {
            assert!(!key.allowed_in_project(), "{key:?}");
        }
    }
}

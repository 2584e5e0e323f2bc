//! Flags as a layer of settings. Only what was typed enters; everything else stays unset.

use std::ffi::OsString;

use super::{Key, Layer, Origin};
use crate::cli::{
    CommonArgs, EmbedArgs, EncodingArgs, FilterArgs, FusionArgs, LookupArgs, ModelArgs,
    ModelDirArgs, OutlineArgs, PublishedArgs, RepoFileArgs, SearchArgs, SymbolKindArgs, WhyArgs,
};

/// The flags that are settings, collected from whichever command was typed.
#[derive(Debug, Clone, Default)]
pub(crate) struct Flags(Layer);

impl Flags {
    /// From the main job.
    pub(crate) fn of_search(args: &SearchArgs) -> Flags {
        let how = &args.how;
        let mut flags = Flags::of_common(&args.common)
            .with_asking((&args.model, &args.fusion), how.mode.as_ref(), how.no_refresh)
            .with_filter(&args.filter)
            .with_symbol_kinds(&args.symbols)
            .with_repositories(&args.repo.file)
            .with_store(&args.store);
        if how.exact {
            flags.push(Key::Mode, vec!["exact".into()], "--exact");
        }
        if how.regex {
            flags.push(Key::Mode, vec!["regex".into()], "--regex");
        }
        flags.text(Key::Limit, how.limit.as_ref());
        flags.text(Key::Context, how.context.as_ref());
        flags
    }

    /// From a look-up of a name.
    pub(crate) fn of_lookup(args: &LookupArgs) -> Flags {
        let mut flags = Flags::of_common(&args.common)
            .with_filter(&args.filter)
            .with_repositories(&args.repo.file)
            .with_store(&args.store);
        flags.text(Key::Limit, args.limit.as_ref());
        flags.switch(Key::NoRefresh, args.no_refresh);
        flags
    }

    /// From `outline`.
    pub(crate) fn of_outline(args: &OutlineArgs) -> Flags {
        let mut flags = Flags::of_common(&args.common).with_filter(&args.filter);
        flags.switch(Key::NoRefresh, args.no_refresh);
        flags
            .with_symbol_kinds(&args.symbols)
            .with_repositories(&args.repo.file)
            .with_store(&args.store)
    }

    /// From `why`.
    pub(crate) fn of_why(args: &WhyArgs) -> Flags {
        Flags::of_common(&args.common)
            .with_asking((&args.model, &args.fusion), args.mode.as_ref(), args.no_refresh)
            .with_filter(&args.filter)
            .with_symbol_kinds(&args.symbols)
    }

    /// The same flags with how a question is asked.
    fn with_asking(
        self,
        (model, fusion): (&ModelArgs, &FusionArgs),
        mode: Option<&String>,
        no_refresh: bool,
    ) -> Flags {
        let mut flags = self.with_model(model).with_fusion(fusion);
        flags.text(Key::Mode, mode);
        flags.switch(Key::NoRefresh, no_refresh);
        flags
    }

    /// From what every command takes.
    pub(crate) fn of_common(args: &CommonArgs) -> Flags {
        let mut flags = Flags::default();
        if let Some(folder) = &args.index_dir {
            flags.push(Key::IndexDir, vec![folder.into()], Key::IndexDir.flag());
        }
        flags.text(Key::Profile, args.profile.as_ref());
        flags.switch(Key::IncludeSensitive, args.include_sensitive);
        flags.text(Key::MaxFileSize, args.max_file_size.as_ref());
        flags.text(Key::Threads, args.threads.as_ref());
        flags.switch(Key::Yes, args.yes);
        flags.text(Key::Color, args.color.as_ref());
        flags.text(Key::Hyperlink, args.hyperlink.as_ref());
        flags.switch(Key::Quiet, args.quiet);
        flags
    }

    /// The same flags with which files may answer.
    #[must_use]
    fn with_filter(mut self, args: &FilterArgs) -> Flags {
        self.list(Key::Kinds, &args.kinds);
        self.list(Key::Languages, &args.languages);
        self.list(Key::NotPaths, &args.not_paths);
        self
    }

    /// The same flags with which symbols may answer.
    #[must_use]
    pub(crate) fn with_symbol_kinds(mut self, args: &SymbolKindArgs) -> Flags {
        self.list(Key::SymbolKinds, &args.symbol_kinds);
        self
    }

    /// The same flags with which model compares meanings, and how.
    #[must_use]
    pub(crate) fn with_model(self, args: &ModelArgs) -> Flags {
        let mut flags = self.with_model_dir(&args.dir);
        flags.text(Key::Model, args.model.as_ref());
        flags = flags.with_encoding(&args.encoding);
        flags.text(Key::EmbedWithin, args.embed_within.as_ref());
        flags
    }

    /// The same flags with what `wherein index` embeds.
    #[must_use]
    pub(crate) fn with_embed(mut self, args: &EmbedArgs) -> Flags {
        self.text(Key::Embed, args.embed.as_ref());
        self
    }

    /// The same flags with how vectors are kept.
    #[must_use]
    pub(crate) fn with_encoding(mut self, args: &EncodingArgs) -> Flags {
        self.text(Key::Vectors, args.vectors.as_ref());
        self
    }

    /// The same flags with where models live.
    #[must_use]
    pub(crate) fn with_model_dir(mut self, args: &ModelDirArgs) -> Flags {
        if let Some(folder) = &args.model_dir {
            self.push(Key::ModelDir, vec![folder.into()], Key::ModelDir.flag());
        }
        self
    }

    /// The same flags with whether to show progress.
    #[must_use]
    pub(crate) fn with_quiet(mut self, quiet: bool) -> Flags {
        self.switch(Key::Quiet, quiet);
        self
    }

    /// The same flags with where repositories are declared.
    #[must_use]
    pub(crate) fn with_repositories(mut self, args: &RepoFileArgs) -> Flags {
        if let Some(file) = &args.repositories {
            self.push(Key::Repositories, vec![file.into()], Key::Repositories.flag());
        }
        self
    }

    /// The same flags with where indexes are kept.
    #[must_use]
    pub(crate) fn with_store(mut self, args: &PublishedArgs) -> Flags {
        self.text(Key::Store, args.store.as_ref());
        self.text(Key::QdrantUrl, args.qdrant_url.as_ref());
        self.text(Key::Collection, args.collection.as_ref());
        self.text(Key::RepositoryName, args.repo_name.as_ref());
        self.text(Key::Sparse, args.sparse.as_ref());
        self.text(Key::SparseK, args.sparse_k.as_ref());
        self.text(Key::SparseB, args.sparse_b.as_ref());
        self.text(Key::VectorSearch, args.vector_search.as_ref());
        self.text(Key::StoreTimeout, args.store_timeout.as_ref());
        self
    }

    /// The same flags with how two lists become one.
    #[must_use]
    pub(crate) fn with_fusion(mut self, args: &FusionArgs) -> Flags {
        self.text(Key::Fusion, args.fusion.as_ref());
        self.text(Key::RrfK, args.rrf_k.as_ref());
        self.text(Key::FusionDepth, args.fusion_depth.as_ref());
        self.text(Key::KeywordWeight, args.keyword_weight.as_ref());
        self.text(Key::SemanticWeight, args.semantic_weight.as_ref());
        self
    }

    /// The same flags with a mode as `eval` takes it.
    #[must_use]
    pub(crate) fn with_mode(mut self, mode: Option<&String>) -> Flags {
        self.text(Key::Mode, mode);
        self
    }

    /// As a layer.
    pub(crate) fn layer(&self) -> Layer {
        self.0.clone()
    }

    fn push(&mut self, key: Key, raw: Vec<OsString>, flag: &'static str) {
        self.0.push((key, raw, Origin::Flag(flag)));
    }

    fn text(&mut self, key: Key, value: Option<&String>) {
        if let Some(value) = value {
            self.push(key, vec![value.into()], key.flag());
        }
    }

    fn switch(&mut self, key: Key, on: bool) {
        if on {
            self.push(key, vec!["true".into()], key.flag());
        }
    }

    fn list(&mut self, key: Key, values: &[String]) {
        if !values.is_empty() {
            self.push(key, values.iter().map(OsString::from).collect(), key.flag());
        }
    }
}

//! Published indexes at the facade: an engine whose index lies in a collection, and the ways there and back.
//!
//! Thin: `published` tells the stories. An engine of a published index has no tree: it refreshes nothing and reads only what
//! was published.

use std::cell::Cell;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use super::Engine;
use crate::error::{Error, ErrorKind, Result};
use crate::ingest::report_of;
use crate::lookup::{self, OutlineRequest, SymbolRequest, UsageRequest};
use crate::published::{
    self, Ask, CandidateFilter, CandidateQuestion, Collection, Guard, Head, Publication,
    PublishOptions, PublishReport, Remote, Restoration, SparseEncoder,
};
use crate::request::{
    Answer, EngineOptions, Event, RefreshReport, SearchRequest, SourceText, Status,
};
use crate::scan::RelPath;
use crate::search::{self, indexed_text_of};
use crate::store::{self, Generation, Identity, Manifest, Work};

/// How much more is remembered than of a folder, whose index lies on the own disk.
const CACHE_TIMES: usize = 3;
/// Files that are looked at for what defines one name.
const MAX_FILES: usize = 500;
/// Chunks whose files are looked at for what uses one name.
const MAX_CHUNKS: usize = 2000;

/// Which published index an engine answers from.
#[derive(Debug, Clone)]
pub struct PublishedOptions {
    /// Where it is kept.
    pub collection: Arc<dyn Collection>,
    /// The name of the repository there.
    pub repository: String,
    /// What makes sparse vectors of questions: that of the collection.
    pub sparse: SparseEncoder,
    /// Whether every vector is compared, instead of those that an index of neighbours leads to.
    pub exact: bool,
    /// The time that the collection has for one question.
    pub deadline: Option<Duration>,
}

impl Engine {
    /// Opens the engine of a published index; `options.root` is only what it is called.
    ///
    /// # Errors
    /// Those of a [`Collection`]; [`ErrorKind::NotIndexed`] where there is no such collection, [`ErrorKind::ModelMismatch`]
    /// where it is of another sparse encoder.
    pub fn open_published(options: EngineOptions, published: PublishedOptions) -> Result<Engine> {
        let index_base = Engine::resolve_base(&options.index_base);
        let cache_bytes = options.cache_bytes.saturating_mul(CACHE_TIMES);
        let options = EngineOptions { cache_bytes, ..options };
        let mut engine = Engine::with(options, index_base, PathBuf::from(&published.repository));
        let PublishedOptions { collection, repository, sparse, exact, deadline } = published;
        if let Some(guard) = collection.guard()? {
            // Vectors are checked for each question, which may need none.
            let wanted = Guard { model: guard.model.clone(), ..engine.guard(&sparse, None) };
            guard.check(&wanted, &collection.name())?;
        }
        let index_base = engine.scan.index_base.clone();
        let ask = Ask { repository, sparse, exact, deadline, cache_bytes, index_base };
        engine.remote = Some(Remote::open(collection, None, ask)?);
        Ok(engine)
    }

    /// The engine of a published index with the options of this one: the same models, asked in the same way.
    ///
    /// # Errors
    /// Those of [`Engine::open_published`].
    pub fn published(&self, published: PublishedOptions) -> Result<Engine> {
        Engine::open_published(self.options.clone(), published)
    }

    /// The head of the published index that this engine answers from; `None` where it answers from a folder's index.
    ///
    /// # Errors
    /// Those of a [`Collection`].
    pub fn head(&self) -> Result<Option<Head>> {
        self.remote.as_ref().map(Remote::head).transpose()
    }

    /// What a collection is made for that takes the index of this engine.
    ///
    /// # Errors
    /// Those of [`Engine::search`].
    pub fn guard_for(&self, sparse: &SparseEncoder) -> Result<Guard> {
        Ok(self.guard(sparse, Some(&*self.generation()?)))
    }

    fn guard(&self, sparse: &SparseEncoder, generation: Option<&Generation>) -> Guard {
        let set = generation.and_then(|generation| generation.manifest.vectors.as_ref());
        Guard {
            format: Guard::FORMAT,
            index: index_name(&self.identity),
            model: set.map(|set| set.model.clone()),
            sparse: sparse.identity(),
        }
    }

    /// Makes the current generation visible in a collection, under the name of a repository.
    ///
    /// # Errors
    /// Those of a [`Collection`] and of [`Engine::search`]; [`ErrorKind::ModelMismatch`] and [`ErrorKind::IndexFormat`] where
    /// the collection was made for something else, [`ErrorKind::Usage`] where it has another repository of that name.
    pub fn publish(
        &self,
        collection: &dyn Collection,
        options: &PublishOptions,
        progress: &(dyn Fn(Event) + Sync),
    ) -> Result<PublishReport> {
        let (mut generation, epoch, crew) = self.at_hand()?;
        if !options.exclude.is_empty() {
            generation = Arc::new(self.without(&generation, &options.exclude)?);
        }
        let corpus = self.corpus(&generation, &epoch, &crew);
        published::publish(&Publication {
            generation: &generation,
            collection,
            options,
            wanted: &self.guard_for(&options.sparse)?,
            text: &|file_idx| indexed_text_of(corpus, file_idx),
            progress,
        })
    }

    /// A generation as if some files were not there.
    fn without(&self, generation: &Generation, paths: &[String]) -> Result<Generation> {
        let is_left_out = search::any_of(paths)?;
        let mut manifest = Manifest::clone(&generation.manifest);
        manifest.files.retain(|entry| !is_left_out(&entry.path.text));
        Generation::of(&self.dir, manifest)
    }

    /// Makes the index of this engine's folder from a published one, where it has none. The next refresh makes it true to the
    /// tree, and reads no more than what differs.
    ///
    /// # Errors
    /// Those of a [`Collection`]; [`ErrorKind::Usage`] where the folder has an index, [`ErrorKind::IndexFormat`] where the
    /// published one is cut in another way.
    pub fn restore(
        &self,
        published: &PublishedOptions,
        progress: &(dyn Fn(Event) + Sync),
    ) -> Result<RefreshReport> {
        let PublishedOptions { collection, repository, sparse, exact, deadline } =
            published.clone();
        let index_base = self.scan.index_base.clone();
        let ask = Ask { repository, sparse, exact, deadline, cache_bytes: 0, index_base };
        let remote = Remote::open(collection, None, ask)?;
        let identity = remote.bare()?.manifest.identity.clone();
        if index_name(&identity) != index_name(&self.identity) {
            return Err(Error::index_format(format!(
                "the published index is cut as {}, this one would be {}",
                index_name(&identity),
                index_name(&self.identity)
            ))
            .with_hint("use the settings that it was made with"));
        }
        self.dir.create()?;
        let patience = Duration::from_secs(3);
        let Some(_lock) = store::lock(&self.dir, Work::Write, patience, || {})? else {
            return Err(Error::new(ErrorKind::Busy, "another process is writing this index")
                .with_hint("wait for it, then try again"));
        };
        if self.dir.has_manifest() {
            return Err(Error::usage(format!("{} has an index", self.scan.root.display()))
                .with_hint("remove it first, or name another folder with --index-dir"));
        }
        let root = self.scan.root.to_string_lossy();
        let restoration = Restoration {
            dir: &self.dir,
            root: &root,
            identity: &self.identity,
            repository: &published.repository,
            progress,
        };
        let manifest = published::restore(&remote, &restoration)?;
        self.opened.forget();
        Ok(as_published(&manifest))
    }

    /// The answer of a published index.
    pub(super) fn search_published(
        &self,
        remote: &Remote,
        request: &SearchRequest,
    ) -> Result<Answer> {
        let bare = remote.bare()?;
        let (meaning, lack) = self.meaning(&bare, request)?;
        let (reranker, trouble) = self.reranker(request)?;
        let vector = meaning.as_ref().map(|meaning| &*meaning.vector);
        let (generation, missing) = remote.for_question(request, vector)?;
        let (epoch, crew) = (self.memory.epoch(), self.pools.crew());
        let corpus = self.corpus(&generation, &epoch, &crew);
        let mut answer = search::search(corpus, request, meaning.as_ref(), reranker.as_ref())?;
        answer.degraded.extend(lack.into_iter().chain(trouble).chain(missing));
        self.complete(&generation, &mut answer.degraded, &mut answer.skipped);
        Ok(answer)
    }

    /// The part of a published index that has what is looked up, and what is missing of it.
    pub(super) fn looked_up(
        &self,
        remote: &Remote,
        wish: LookUp<'_>,
    ) -> Result<(Generation, Vec<String>)> {
        let cut = Cell::new(None);
        let (generation, mut missing) = remote.files(&|bare| {
            let ((files, is_cut), limit) = match wish {
                LookUp::Symbols(request) => {
                    let tokens = lookup::tokens(bare, &request.name)?;
                    let wanted = (lookup::last_name(&request.name)?, &tokens[..]);
                    (remote.defining(bare, wanted, MAX_FILES)?, MAX_FILES)
                }
                LookUp::Guesses(request) => {
                    let tokens = lookup::guesses(bare, &request.name)?;
                    (remote.defining(bare, ("", &tokens), MAX_FILES)?, MAX_FILES)
                }
                LookUp::Usages(request) => {
                    let asked = SearchRequest {
                        filter: request.filter.clone(),
                        ..SearchRequest::new(lookup::last_name(&request.name)?)
                    };
                    (remote.having(bare, &asked, MAX_CHUNKS)?, MAX_CHUNKS)
                }
                LookUp::Outline(request) => ((lookup::outlined(bare, request)?, false), 0),
            };
            cut.set(is_cut.then_some(limit));
            Ok(files)
        })?;
        if let LookUp::Symbols(request) = wish {
            // The filter counts: what another folder defines does not answer.
            if lookup::symbols(&generation, request)?.n_matches == 0 {
                return self.looked_up(remote, LookUp::Guesses(request));
            }
        }
        let n = cut.get();
        missing.extend(n.map(|n| {
            format!(
                "looked only where the name stands in the first {n} places: narrow it down by path"
            )
        }));
        Ok((generation, missing))
    }

    /// The text of a published file.
    pub(super) fn read_published(&self, remote: &Remote, path: &str) -> Result<SourceText> {
        let missing = || {
            Error::new(ErrorKind::NotFound, format!("there is no published file {path}"))
                .with_hint("name files as results show them: src/config.rs")
        };
        let wanted = RelPath { text: path.to_owned(), raw: None };
        let (generation, _) =
            remote.files(&|bare| Ok(bare.manifest.position(&wanted).into_iter().collect()))?;
        let file_idx = generation.manifest.position(&wanted).ok_or_else(missing)?;
        let text = generation.text(file_idx).ok_or_else(missing)?.to_owned();
        let (entry, indexed) = generation.source_file(file_idx).ok_or_else(missing)?;
        Ok(SourceText {
            path: entry.path.text.clone(),
            language: generation.language(indexed).to_owned(),
            kind: indexed.kind,
            text,
        })
    }

    /// The state of a published index.
    pub(super) fn status_published(&self, remote: &Remote) -> Result<Status> {
        let bare = remote.bare()?;
        let seen = (bare.manifest.all_skips(), bare.manifest.problems.clone());
        Ok(self.state(&bare.manifest, seen, false))
    }

    /// What a refresh says of an index that somebody else keeps true.
    pub(super) fn refresh_published(&self, remote: &Remote) -> Result<RefreshReport> {
        Ok(as_published(&remote.bare()?.manifest))
    }

    /// Refuses what only a folder can be asked for.
    pub(super) fn require_folder(&self, what: &str) -> Result<()> {
        match &self.remote {
            None => Ok(()),
            Some(_) => Err(Error::usage(format!("a published index cannot be asked {what}"))
                .with_hint("ask where the folder lies, without --store")),
        }
    }
}

/// The names of the `n` repositories that a question is most likely answered in, by one look at the whole collection; all of
/// `names` where they are no more. Empty `names` are all that there are.
///
/// # Errors
/// Those of a [`Collection`].
pub fn promising(
    collection: &dyn Collection,
    sparse: &SparseEncoder,
    request: &SearchRequest,
    (names, n): (&[String], usize),
) -> Result<Vec<String>> {
    if (1..=n).contains(&names.len()) {
        return Ok(names.to_vec());
    }
    let question = CandidateQuestion {
        sparse: Some(sparse.question(&request.text, &search::unresolved(&request.text))?),
        limit: PROMISES,
        filter: CandidateFilter { repositories: names.to_vec(), ..CandidateFilter::default() },
        ..CandidateQuestion::default()
    };
    let mut promising: Vec<String> = Vec::new();
    for found in collection.candidates(&question)?.by_words {
        if promising.len() < n && !promising.contains(&found.repository) {
            promising.push(found.repository);
        }
    }
    Ok(promising)
}

/// Chunks of a whole collection whose repositories are promising.
const PROMISES: usize = 200;

/// What a published index holds, with what was skipped when it was made.
fn as_published(manifest: &Manifest) -> RefreshReport {
    report_of(manifest, manifest.all_skips(), manifest.problems.clone())
}

/// What is looked up.
#[derive(Clone, Copy)]
pub(super) enum LookUp<'a> {
    Symbols(&'a SymbolRequest),
    /// Names within a typing error.
    Guesses(&'a SymbolRequest),
    Usages(&'a UsageRequest),
    Outline(&'a OutlineRequest),
}

/// What makes the chunks of two indexes differ, in words.
fn index_name(identity: &Identity) -> String {
    let Identity { profile, chunker_version, syntax_version, tokenizer_version, .. } = identity;
    format!(
        "{} (chunker {chunker_version}, syntax {syntax_version}, tokenizer {tokenizer_version})",
        profile.as_str()
    )
}

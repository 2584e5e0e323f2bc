//! The facade: one engine per root. Thin; each method tells which stage does the work.

mod files;
mod models;
mod opened;
mod published;
mod state;
mod why_not;

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

use crate::crew::{Crew, Pools};
use crate::embed::{Embedder, ModelIdentity, VectorCache};
use crate::error::{Error, ErrorKind, IoContext, Result};
use crate::ingest::{self, EmbedJob, EmbedReport, Ingest, Progress, Wanted};
use crate::lookup::{
    self, Outline, OutlineRequest, SymbolAnswer, SymbolRequest, UsageAnswer, UsageRequest,
};
use crate::model::{Profile, SkipCounts};
use crate::published::Remote;
use crate::request::{
    Answer, Cancel, EngineOptions, Event, IndexModels, Proposals, RefreshReport, SearchRequest, Why,
};
use crate::scan::{self, ScanOptions};
use crate::search::{self, Corpus, Epoch, Memory};
use crate::store::{self, Generation, Identity, IndexDir, Work};
use opened::Opened;
use published::LookUp;
pub use published::{PublishedOptions, promising};

/// A folder that can be searched, with its index.
#[derive(Debug)]
pub struct Engine {
    options: EngineOptions,
    scan: ScanOptions,
    identity: Identity,
    dir: IndexDir,
    pools: Pools,
    opened: Opened,
    memory: Memory,
    cache: OnceLock<VectorCache>,
    /// The published index that is asked instead of the folder's.
    remote: Option<Remote>,
}

impl Engine {
    /// Opens the engine for one root. Makes no index.
    ///
    /// # Errors
    /// [`ErrorKind::Io`] when the root is missing or unreadable, [`ErrorKind::Usage`] when it is a file.
    pub fn open(options: EngineOptions) -> Result<Engine> {
        let root = options
            .root
            .canonicalize()
            .at("open", &options.root)
            .map_err(|e| e.with_hint("name a folder that exists and that you may read"))?;
        if !root.is_dir() {
            return Err(Error::usage(format!("{} is not a folder", root.display()))
                .with_hint("search the folder that holds it, with the file as a PATH"));
        }
        let index_base = Engine::resolve_base(&options.index_base);
        Ok(Engine::with(options, index_base, root))
    }

    fn with(options: EngineOptions, index_base: PathBuf, root: PathBuf) -> Engine {
        let dir = IndexDir::of(&index_base, &root);
        let scan = ScanOptions {
            root,
            index_base,
            include_sensitive: options.include_sensitive,
            max_file_bytes: options.max_file_bytes,
        };
        Engine {
            identity: ingest::identity(&options),
            pools: Pools::new(options.threads),
            memory: Memory::new(options.cache_bytes),
            options,
            scan,
            dir,
            opened: Opened::default(),
            cache: OnceLock::new(),
            remote: None,
        }
    }

    /// The canonical root.
    pub fn root(&self) -> &Path {
        &self.scan.root
    }

    /// The folder that holds this root's index.
    pub fn index_dir(&self) -> &Path {
        self.dir.path()
    }

    /// A base of index folders as the scan will see it: absolute, and without links as far as it exists.
    pub fn resolve_base(base: &Path) -> PathBuf {
        let absolute = std::path::absolute(base).unwrap_or_else(|_| base.to_path_buf());
        for known in absolute.ancestors() {
            if let Ok(canonical) = known.canonicalize() {
                let rest = absolute.strip_prefix(known).unwrap_or(Path::new(""));
                return if rest.as_os_str().is_empty() { canonical } else { canonical.join(rest) };
            }
        }
        absolute
    }

    /// Whether `root` has an index below `index_base`.
    pub fn has_index(index_base: &Path, root: &Path) -> bool {
        let root = root.canonicalize().unwrap_or_else(|_| root.to_path_buf());
        store::has_index(&Engine::resolve_base(index_base), &root)
    }

    /// The model that made the vectors of `root`'s index, where it has any.
    pub fn indexed_model(index_base: &Path, root: &Path) -> Option<ModelIdentity> {
        Engine::models_of(index_base, root).vectors
    }

    /// Whether `root`'s index is to stay without vectors until a model is named for it.
    pub fn is_words_only(index_base: &Path, root: &Path) -> bool {
        Engine::models_of(index_base, root).is_words_only
    }

    /// Which models `root`'s index was made for; none where there is no index.
    pub fn models_of(index_base: &Path, root: &Path) -> IndexModels {
        let read = |root: PathBuf| {
            store::read(&IndexDir::of(&Engine::resolve_base(index_base), &root)).ok().flatten()
        };
        let manifest = root.canonicalize().ok().and_then(read);
        manifest.map_or_else(IndexModels::default, |manifest| IndexModels {
            vectors: manifest.vectors.map(|set| set.model),
            reranker: manifest.reranker,
            is_words_only: manifest.words_only,
        })
    }

    /// Makes the index true to the tree. `progress` may be called from several threads. Questions go on meanwhile, and
    /// answer from each generation that is committed on the way.
    ///
    /// # Errors
    /// [`ErrorKind::Io`] when the root or the index folder cannot be used, [`ErrorKind::IndexFormat`] when the
    /// index belongs to another version of this program.
    pub fn refresh(&self, progress: &(dyn Fn(Event) + Sync)) -> Result<RefreshReport> {
        if let Some(remote) = &self.remote {
            return self.refresh_published(remote);
        }
        let as_of = AtomicU64::new(self.opened.n_commits());
        let watched = |event: Event| {
            if matches!(event, Event::Committed { .. }) {
                as_of.fetch_max(self.opened.count_commit(), Ordering::AcqRel);
            }
            progress(event);
        };
        let (report, generation) = self.refreshed(&watched, &as_of)?;
        if let Some(generation) = generation {
            self.opened.put(generation, as_of.into_inner());
        }
        self.opened.set_skipped(report.skipped.clone());
        Ok(report)
    }

    /// The work of a refresh: what was done, and the generation to answer from, which has seen `as_of` commits.
    fn refreshed(
        &self,
        progress: &(dyn Fn(Event) + Sync),
        as_of: &AtomicU64,
    ) -> Result<(RefreshReport, Option<Generation>)> {
        let job = self.job(progress)?;
        let pool = self.pools.refreshes()?;
        let (mut report, mut generation) = pool.install(|| ingest::ingest(&job, &self.identity))?;
        if self.options.embedder.is_none() && self.options.replace_model {
            if let Some(without) = ingest::forget_vectors(&job)? {
                as_of.store(self.opened.count_commit(), Ordering::Release);
                (report.generation, report.n_vectors) = (without.manifest.generation, 0);
                generation = Some(without);
            }
        } else if let Some(done) = self.embed(&job, generation.as_ref())? {
            report.embedded += done.n_embedded;
            report.cached = done.n_cached;
            as_of.store(self.opened.n_commits(), Ordering::Release);
            if let Some(now) = Generation::open(&self.dir)? {
                (report.generation, report.n_vectors) =
                    (now.manifest.generation, now.manifest.n_vectors());
                generation = Some(now);
            }
        }
        if self.options.remember_reranker {
            let reranker = self.options.reranker.as_deref().map(Embedder::identity);
            if let Some(now) = ingest::remember(&job, reranker)? {
                as_of.store(self.opened.count_commit(), Ordering::Release);
                report.generation = now.manifest.generation;
                generation = Some(now);
            }
        }
        Ok((report, generation))
    }

    fn job<'a>(&'a self, progress: &'a (dyn Fn(Event) + Sync)) -> Result<Ingest<'a>> {
        Ok(Ingest {
            scan: self.scan.clone(),
            profile: self.options.profile,
            n_threads: self.pools.refreshes()?.current_num_threads(),
            commit_every: self.options.commit_every,
            dir: &self.dir,
            wanted: self.options.embedder.as_deref().map(|model| Wanted {
                model,
                encoding: self.options.encoding,
                replace: self.options.replace_model,
            }),
            progress: Progress(progress),
        })
    }

    /// Embeds what has no vector yet; `None` where there is no model or nothing to do.
    fn embed(
        &self,
        job: &Ingest<'_>,
        generation: Option<&Generation>,
    ) -> Result<Option<EmbedReport>> {
        let Some(wanted) = job.wanted else {
            return Ok(None);
        };
        // Where a table made the vectors on the way, the manifest need not be read again to find that out.
        if generation.is_some_and(|known| !ingest::has_work(&wanted, &known.manifest)) {
            return Ok(None);
        }
        // Nobody who asks waits for most of a tree: what the question touches is embedded anyway.
        if generation.is_some_and(|known| self.is_left_to_touch(&wanted, known)) {
            return Ok(None);
        }
        let embed_job = EmbedJob { ingest: job, wanted, within: self.options.embed_within };
        self.pools.refreshes()?.install(|| ingest::embed(&embed_job, &|| self.cache()))
    }

    /// The cache of vectors, opened when it is first needed.
    fn cache(&self) -> Result<&VectorCache> {
        if let Some(cache) = self.cache.get() {
            return Ok(cache);
        }
        let base = self.options.cache_base.as_deref().unwrap_or(&self.scan.index_base);
        let cache = VectorCache::open(&IndexDir::vector_cache(base))?;
        Ok(self.cache.get_or_init(|| cache))
    }

    /// The text that a model is given for each chunk of the current generation, in path and line order.
    ///
    /// # Errors
    /// Those of [`Engine::search`].
    pub fn passages(&self) -> Result<Vec<String>> {
        let generation = self.generation()?;
        let job = self.job(&|_| ())?;
        let files = generation.manifest.source_files();
        let passages = files.filter_map(|(entry, _)| ingest::passages(&job, entry));
        Ok(passages.flatten().map(|(_, text)| text).collect())
    }

    /// Throws the index away, then makes a new one. One that was to stay without vectors stays so.
    ///
    /// # Errors
    /// Those of [`Engine::refresh`].
    pub fn rebuild(&self, progress: &(dyn Fn(Event) + Sync)) -> Result<RefreshReport> {
        if self.remote.is_some() {
            return self.refresh(progress);
        }
        let old = store::read(&self.dir).ok().flatten();
        let words_only = old.as_ref().is_some_and(|old| old.words_only);
        let reranker = old.and_then(|old| old.reranker);
        self.remove_index()?;
        let report = self.refresh(progress)?;
        let job = self.job(progress)?;
        let kept = if words_only && self.options.embedder.is_none() {
            ingest::forget_vectors(&job)?
        } else if self.options.remember_reranker {
            None
        } else {
            ingest::remember(&job, reranker.as_ref())?
        };
        if let Some(kept) = kept {
            self.opened.put(kept, self.opened.count_commit());
        }
        Ok(report)
    }

    /// Answers from the generation that this engine committed or found last, or from the current one on disk.
    ///
    /// # Errors
    /// [`ErrorKind::NotIndexed`] without an index, [`ErrorKind::Usage`] for a request that cannot be answered,
    /// [`ErrorKind::IndexFormat`] for a damaged index, [`ErrorKind::Cancelled`] where the request was cancelled.
    pub fn search(&self, request: &SearchRequest) -> Result<Answer> {
        search::check(request)?;
        Cancel::check(request.cancel.as_ref())?;
        if let Some(remote) = &self.remote {
            return self.search_published(remote, request);
        }
        let (generation, epoch, crew) = self.at_hand()?;
        let corpus = self.corpus(&generation, &epoch, &crew);
        let (meaning, lack) = self.meaning(&generation, request)?;
        let (reranker, trouble) = self.reranker(request)?;
        let (by_meaning, by_touch) = (meaning.as_ref(), reranker.as_ref());
        let mut answer = search::search(corpus, request, by_meaning, by_touch)?;
        answer.degraded.extend(lack.into_iter().chain(trouble));
        self.complete(&generation, &mut answer.degraded, &mut answer.skipped);
        Ok(answer)
    }

    /// The places that a ranking would order for a question, with their features: what weights are fitted on.
    ///
    /// # Errors
    /// Those of [`Engine::search`].
    pub fn proposals(&self, request: &SearchRequest) -> Result<Proposals> {
        self.require_folder("for what weights are fitted on")?;
        search::check(request)?;
        let (generation, epoch, crew) = self.at_hand()?;
        let corpus = self.corpus(&generation, &epoch, &crew);
        let (meaning, _) = self.meaning(&generation, request)?;
        search::proposals(corpus, request, meaning.as_ref())
    }

    /// Symbols by name.
    ///
    /// # Errors
    /// Those of [`Engine::search`].
    pub fn symbols(&self, request: &SymbolRequest) -> Result<SymbolAnswer> {
        let (generation, missing) = self.generation_with_symbols(LookUp::Symbols(request))?;
        let mut answer = lookup::symbols(&generation, request)?;
        answer.degraded.extend(missing);
        self.complete(&generation, &mut answer.degraded, &mut answer.skipped);
        Ok(answer)
    }

    /// Where a name is used.
    ///
    /// # Errors
    /// Those of [`Engine::search`].
    pub fn usages(&self, request: &UsageRequest) -> Result<UsageAnswer> {
        let (generation, missing) = self.generation_with_symbols(LookUp::Usages(request))?;
        let (epoch, crew) = (self.memory.epoch(), self.pools.crew());
        let mut answer = lookup::usages(self.corpus(&generation, &epoch, &crew), request)?;
        answer.degraded.extend(missing);
        self.complete(&generation, &mut answer.degraded, &mut answer.skipped);
        Ok(answer)
    }

    /// The symbols of files.
    ///
    /// # Errors
    /// Those of [`Engine::search`].
    pub fn outline(&self, request: &OutlineRequest) -> Result<Outline> {
        let (generation, missing) = self.generation_with_symbols(LookUp::Outline(request))?;
        let mut outline = lookup::outline(&generation, request)?;
        outline.degraded.extend(missing);
        self.complete(&generation, &mut outline.degraded, &mut outline.skipped);
        Ok(outline)
    }

    fn generation_with_symbols(&self, wish: LookUp<'_>) -> Result<(Arc<Generation>, Vec<String>)> {
        match (self.options.profile, &self.remote) {
            (Profile::Symbols, Some(remote)) => {
                let (generation, missing) = self.looked_up(remote, wish)?;
                Ok((Arc::new(generation), missing))
            }
            (Profile::Symbols, None) => Ok((self.generation()?, Vec::new())),
            (Profile::Lines, _) => Err(Error::usage("the lines profile knows no symbols")
                .with_hint("ask without --profile lines")),
        }
    }

    /// What every answer says of the index behind it.
    fn complete(
        &self,
        generation: &Generation,
        degraded: &mut Vec<String>,
        skipped: &mut SkipCounts,
    ) {
        if !generation.manifest.complete {
            degraded.push("the first index is not finished".to_owned());
        }
        // The last scan knows better than the manifest, which an unchanged set of files leaves as it was.
        let scanned = self.opened.skipped();
        *skipped = scanned.unwrap_or_else(|| generation.manifest.all_skips());
    }

    /// Says which rule decides whether `path` (absolute or relative to the root) is searched.
    ///
    /// # Errors
    /// [`ErrorKind::Usage`] when the path does not lie below the root.
    pub fn why(&self, path: &Path) -> Result<Why> {
        self.require_folder("why a file is searched")?;
        let rel = match path.is_absolute() {
            true => path.strip_prefix(&self.scan.root).ok(),
            false => Some(path),
        };
        let goes_up = |p: &Path| p.components().any(|c| c == std::path::Component::ParentDir);
        let rel = rel.filter(|p| !goes_up(p)).ok_or_else(|| {
            let root = self.scan.root.display();
            Error::usage(format!("{} does not lie below {root}", path.display()))
                .with_hint("ask from the folder that holds it, or name that folder with --root")
        })?;
        let rel = rel.to_string_lossy();
        let rel = if cfg!(windows) { rel.replace('\\', "/") } else { rel.into_owned() };
        Ok(scan::why(&self.scan, &rel))
    }

    /// Removes the index of this root.
    ///
    /// # Errors
    /// [`ErrorKind::Io`] when a file cannot be removed, [`ErrorKind::Busy`] while another process writes it.
    pub fn remove_index(&self) -> Result<()> {
        self.require_folder("to be removed")?;
        self.opened.forget();
        if !self.dir.path().exists() {
            return Ok(());
        }
        let patience = std::time::Duration::from_secs(3);
        let Some(lock) = store::lock(&self.dir, Work::Write, patience, || {})? else {
            return Err(Error::new(ErrorKind::Busy, "another process is writing this index")
                .with_hint("wait for it, then try again"));
        };
        self.dir.remove_generation()?;
        self.memory.forget();
        // A question that came meanwhile may have opened it again.
        self.opened.forget();
        drop(lock);
        self.dir.remove()
    }

    /// What a question needs: the generation, what is remembered, and who works.
    fn at_hand(&self) -> Result<(Arc<Generation>, Arc<Epoch>, Crew<'_>)> {
        Ok((self.generation()?, self.memory.epoch(), self.pools.crew()))
    }

    fn corpus<'a>(
        &'a self,
        generation: &'a Generation,
        epoch: &'a Epoch,
        crew: &'a Crew<'a>,
    ) -> Corpus<'a> {
        Corpus { root: &self.scan.root, generation, epoch, crew }
    }

    /// Bytes that are kept between questions, about; never much more than [`EngineOptions::cache_bytes`].
    pub fn cached_bytes(&self) -> usize {
        self.memory.n_bytes() + self.remote.as_ref().map_or(0, Remote::cached_bytes)
    }

    fn generation(&self) -> Result<Arc<Generation>> {
        self.opened.get(|| {
            let generation = Generation::open(&self.dir)?.ok_or_else(|| {
                let root = self.scan.root.display();
                Error::new(ErrorKind::NotIndexed, format!("{root} has no index"))
                    .with_hint("run: wherein index")
            })?;
            if generation.manifest.identity != self.identity {
                return Err(Error::index_format("the index was made with other settings")
                    .with_hint("ask without --no-refresh, or run: wherein index"));
            }
            Ok(generation)
        })
    }
}

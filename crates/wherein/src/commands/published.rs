//! Published indexes for every command: the collection of the settings, what a folder is called there, and its engine.
//!
//! Nothing here prints. Must not make a collection: only publishing does.

use std::path::Path;
use std::sync::Arc;

use wherein_embed::{ModelFolder, OnnxOptions, Overrides, SparseOnnxModel, name_of_folder};
use wherein_engine::{
    Bm25, Collection, Engine, EngineOptions, Error, IndexModels, PublishOptions, PublishedOptions,
    Result, Semcode, SparseEncoder, SparseIdentity, SparseProfile,
};
use wherein_qdrant::{Layout, QdrantCollection, QdrantOptions};

use crate::cli::LayoutArgs;
use crate::repositories;
use crate::settings::{Settings, StoreKind};

/// The collection that the settings name, for questions; `None` where indexes are kept on this machine.
pub(super) fn collection(settings: &Settings) -> Result<Option<Arc<dyn Collection>>> {
    match settings.store.kind {
        StoreKind::Embedded => Ok(None),
        StoreKind::Qdrant => {
            let timeout = settings.store.timeout;
            let options = QdrantOptions { timeout, ..reached(settings) };
            Ok(Some(Arc::new(QdrantCollection::new(options)?)))
        }
    }
}

/// The collection of a Qdrant server that the settings name, wherever indexes are kept, for writes.
pub(super) fn qdrant(settings: &Settings, layout: Layout) -> Result<QdrantCollection> {
    QdrantCollection::new(QdrantOptions { layout, ..reached(settings) })
}

fn reached(settings: &Settings) -> QdrantOptions {
    let store = &settings.store;
    QdrantOptions {
        api_key: store.qdrant_api_key.0.clone(),
        ..QdrantOptions::new(&store.qdrant_url, &store.collection)
    }
}

/// The layout of a new collection.
pub(super) fn layout(args: &LayoutArgs) -> Result<Layout> {
    Ok(Layout {
        shards: args.shards,
        replicas: args.replicas,
        write_consistency: args.write_consistency,
        quantization: args.quantization.as_deref().map_or(Ok(Default::default()), str::parse)?,
        dense_on_disk: args.dense_on_disk,
        sparse_on_disk: args.sparse_on_disk,
        payload_index_on_disk: args.payload_index_on_disk,
    })
}

/// What the index of `root` is called in a collection.
pub(super) fn name(root: &Path, settings: &Settings) -> String {
    let given = settings.store.repository.clone();
    let own = || root.file_name().map(|name| name.to_string_lossy().into_owned());
    given.or_else(own).unwrap_or_else(|| "root".to_owned())
}

/// What tells repositories of one name apart: where git has `root` from, else which folder it is. Says nothing of this machine.
fn origin(root: &Path) -> String {
    let folder = || {
        let hash = blake3::hash(root.as_os_str().as_encoded_bytes()).to_hex();
        format!("folder {}", &hash[..12])
    };
    repositories::origin(root).unwrap_or_else(folder)
}

/// What makes sparse vectors: as the settings say, else as the collection has it, else the `code` profile.
pub(super) fn sparse(settings: &Settings, known: Option<&SparseIdentity>) -> Result<SparseEncoder> {
    let store = &settings.store;
    let profile: SparseProfile = match (store.sparse.as_deref(), known) {
        // A folder that is called like a profile is meant as ./code.
        (Some(named), _) => match named.parse() {
            Err(_) if Path::new(named).is_dir() => return learned(Path::new(named)),
            profile => profile?,
        },
        (None, Some(known)) if known.profile == "learned" => return Err(lacks_folder(known)),
        (None, known) => known.map_or("code", |known| &known.profile).parse()?,
    };
    let usual = match profile {
        SparseProfile::Code { k, b } => Bm25 { k, b, average_length: 1.0 },
        _ => Bm25::default(),
    };
    let kept = known.filter(|_| store.sparse.is_none()).and_then(|known| known.bm25);
    let bm25 = kept.unwrap_or(usual);
    let bm25 =
        Bm25 { k: store.sparse_k.unwrap_or(bm25.k), b: store.sparse_b.unwrap_or(bm25.b), ..bm25 };
    Ok(match profile {
        SparseProfile::Code { .. } => SparseEncoder::Code(bm25),
        _ => SparseEncoder::Text(Arc::new(Semcode::new(bm25))),
    })
}

fn lacks_folder(known: &SparseIdentity) -> Error {
    let name = known.model.as_ref().map(|model| model.name.clone()).unwrap_or_default();
    Error::model(format!("the collection has sparse vectors of the learned model {name}"))
        .with_hint("name its folder with --sparse")
}

fn learned(folder: &Path) -> Result<SparseEncoder> {
    let folder = ModelFolder::read(folder, &name_of_folder(folder), &Overrides::default())?;
    let model = SparseOnnxModel::load(&folder, &OnnxOptions::default())?;
    Ok(SparseEncoder::Text(Arc::new(model)))
}

/// The models of a collection, as an index folder would have them.
pub(super) fn models(collection: &dyn Collection) -> Result<IndexModels> {
    let guard = collection.guard()?;
    Ok(guard.map_or_else(IndexModels::default, |guard| IndexModels {
        is_words_only: guard.model.is_none(),
        vectors: guard.model,
        reranker: None,
    }))
}

/// How the published index called `repository` is asked.
pub(super) fn options(
    collection: Arc<dyn Collection>,
    repository: String,
    settings: &Settings,
) -> Result<PublishedOptions> {
    let guard = collection.guard()?;
    Ok(PublishedOptions {
        sparse: sparse(settings, guard.as_ref().map(|guard| &guard.sparse))?,
        collection,
        repository,
        exact: settings.store.exact,
        deadline: Some(settings.store.timeout),
    })
}

/// The engine of the published index called `repository`.
pub(super) fn open(
    collection: Arc<dyn Collection>,
    repository: String,
    settings: &Settings,
    engine: EngineOptions,
) -> Result<Engine> {
    Engine::open_published(engine, options(collection, repository, settings)?)
}

/// How the index of `root` is published.
pub(super) fn publishing(
    collection: &dyn Collection,
    root: &Path,
    settings: &Settings,
    replace: bool,
) -> Result<PublishOptions> {
    let guard = collection.guard()?;
    Ok(PublishOptions {
        repository: name(root, settings),
        origin: origin(root),
        sparse: sparse(settings, guard.as_ref().map(|guard| &guard.sparse))?,
        replace,
        exclude: settings.exclude.clone(),
    })
}

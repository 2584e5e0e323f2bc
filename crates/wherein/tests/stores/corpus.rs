//! Trees that are indexed, published and asked: a small shop in many languages, and code of this repository.
//!
//! The shop has what is hard to keep the same on the way through a store: copies, repeats, endings of lines, letters of many
//! scripts, very long lines, files without any chunk. Must not ask.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use wherein_embed::BuiltinModel;
use wherein_engine::{
    Bm25, Embedder, Engine, EngineOptions, PublishOptions, PublishReport, PublishedOptions,
    SparseEncoder, SparseProfile, VectorEncoding,
};

use super::place::Place;

/// The name that a tree is published under where a test needs no other.
pub(crate) const NAME: &str = "shop";

/// A tree with room for its indexes.
pub(crate) struct Corpus {
    folder: tempfile::TempDir,
    model: Option<Arc<dyn Embedder>>,
}

impl Corpus {
    /// An empty tree.
    pub(crate) fn new(model: Option<Arc<dyn Embedder>>) -> Corpus {
        let corpus = Corpus { folder: tempfile::tempdir().unwrap(), model };
        fs::create_dir(corpus.root()).unwrap();
        corpus
    }

    /// The shop.
    pub(crate) fn shop(model: Option<Arc<dyn Embedder>>) -> Corpus {
        let corpus = Corpus::new(model);
        super::shop::write(&corpus);
        corpus
    }

    /// The code of the search, as it stands in this repository.
    pub(crate) fn search_code(model: Option<Arc<dyn Embedder>>) -> Corpus {
        let corpus = Corpus::new(model);
        let from = Path::new(env!("CARGO_MANIFEST_DIR")).join("../wherein-engine/src/search");
        copy(&from, &corpus.root().join("search"));
        corpus
    }

    pub(crate) fn root(&self) -> PathBuf {
        self.folder.path().join("tree")
    }

    pub(crate) fn path(&self, path: &str) -> PathBuf {
        self.root().join(path)
    }

    pub(crate) fn write(&self, path: &str, bytes: impl AsRef<[u8]>) {
        let path = self.path(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }

    pub(crate) fn remove(&self, path: &str) {
        fs::remove_file(self.path(path)).unwrap();
    }

    pub(crate) fn rename(&self, from: &str, to: &str) {
        let to = self.path(to);
        fs::create_dir_all(to.parent().unwrap()).unwrap();
        fs::rename(self.path(from), to).unwrap();
    }

    /// What the tree is opened with, its index below the folder called `index`.
    pub(crate) fn options(&self, index: &str) -> EngineOptions {
        EngineOptions {
            embedder: self.model.clone(),
            // Whole numbers are compared in another way than a store does, and places that are nearly equal may swap.
            encoding: Some(VectorEncoding::F32),
            ..EngineOptions::new(self.root(), self.folder.path().join(index))
        }
    }

    /// The engine of the tree, its index true to it.
    pub(crate) fn engine(&self) -> Engine {
        let engine = Engine::open(self.options("index")).unwrap();
        let report = engine.refresh(&|_| ()).unwrap();
        assert!(report.degraded.is_empty(), "{:?}", report.degraded);
        engine
    }

    /// The same, with the tree that it needs.
    pub(crate) fn engine_kept(self) -> (Corpus, Engine) {
        let engine = self.engine();
        (self, engine)
    }
}

/// The built-in model.
pub(crate) fn builtin() -> Option<Arc<dyn Embedder>> {
    Some(Arc::new(BuiltinModel::open().unwrap()))
}

/// The sparse vectors of a collection that nobody said more about.
pub(crate) fn code() -> SparseEncoder {
    let SparseProfile::Code { k, b } = "code".parse().unwrap() else { panic!("it is called so") };
    SparseEncoder::Code(Bm25 { k, b, average_length: 1.0 })
}

/// How a tree is published under a name.
pub(crate) fn as_repository(name: &str) -> PublishOptions {
    PublishOptions {
        repository: name.to_owned(),
        origin: format!("origin of {name}"),
        sparse: code(),
        replace: false,
        exclude: Vec::new(),
    }
}

/// Publishes what the engine has, which must go well.
pub(crate) fn publish(engine: &Engine, place: &Place) -> PublishReport {
    let report = engine.publish(&*place.collection, &as_repository(NAME), &|_| ()).unwrap();
    assert!(report.problems.is_empty(), "{:?}", report.problems);
    report
}

/// How a published tree is asked, every vector compared.
pub(crate) fn published_as(name: &str, place: &Place) -> PublishedOptions {
    PublishedOptions {
        collection: Arc::clone(&place.collection),
        repository: name.to_owned(),
        sparse: code(),
        exact: true,
        deadline: None,
    }
}

/// The published index that `engine` made.
pub(crate) fn published(engine: &Engine, place: &Place) -> Engine {
    engine.published(published_as(NAME, place)).unwrap()
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy(&entry.path(), &target);
        } else {
            fs::copy(entry.path(), target).unwrap();
        }
    }
}

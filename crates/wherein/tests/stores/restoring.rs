//! The way back: a folder's index from a published one, without embedding anything.

use std::sync::Arc;
use std::time::Duration;

use wherein_engine::{Embedder, Engine, EngineOptions, ErrorKind, Filter, Mode};

use super::asking::{MODES, few, requests, same};
use super::corpus::{Corpus, NAME, builtin, publish, published, published_as};
use super::double::HashingEmbedder;
use super::place::{Place, on_every_store};

#[test]
fn a_restored_index_answers_alike_and_embeds_nothing() {
    on_every_store(|place| {
        let model = Arc::new(HashingEmbedder::new("double"));
        let corpus = Corpus::shop(Some(Arc::clone(&model) as Arc<dyn Embedder>));
        let engine = corpus.engine();
        publish(&engine, place);
        let n_passages = model.n_passages();
        assert!(n_passages > 0);
        let restored = restored(&corpus, place, "restored");
        let report = restored.refresh(&|_| ()).unwrap();
        assert_eq!((report.embedded, report.cached), (0, 0), "{report:?}");
        assert_eq!((report.added, report.changed, report.removed), (0, 0, 0), "{report:?}");
        assert_eq!(model.n_passages(), n_passages);
        let (ours, theirs) = (engine.status().unwrap(), restored.status().unwrap());
        assert_eq!(ours.n_vectors, theirs.n_vectors);
        assert_eq!((ours.n_files, ours.n_chunks), (theirs.n_files, theirs.n_chunks));
        same("restored", (&engine, &restored), &requests(&MODES, &[Filter::default()]));
    });
}

#[test]
fn a_restored_index_takes_what_has_changed_since() {
    on_every_store(|place| {
        let corpus = Corpus::shop(builtin());
        publish(&corpus.engine(), place);
        corpus.write("src/new.rs", "/// Pays a customer back.\npub fn pay_back() {}\n");
        corpus.remove("app/auth.py");
        corpus.rename("src/cache.rs", "src/memory.rs");
        let restored = restored(&corpus, place, "restored");
        let report = restored.refresh(&|_| ()).unwrap();
        assert_eq!((report.added, report.removed), (2, 2), "{report:?}");
        same("refreshed", (&corpus.engine(), &restored), &few());
    });
}

#[test]
fn an_index_without_vectors_comes_back_without() {
    on_every_store(|place| {
        let corpus = Corpus::shop(None);
        let engine = corpus.engine();
        publish(&engine, place);
        let restored = restored(&corpus, place, "restored");
        let report = restored.refresh(&|_| ()).unwrap();
        assert_eq!((report.added, report.changed, report.n_vectors), (0, 0, 0), "{report:?}");
        let modes = [Mode::Keyword, Mode::Exact];
        same("restored", (&engine, &restored), &requests(&modes, &[Filter::default()]));
        // What was restored is published again as it was.
        let again = publish(&restored, place);
        assert!(again.n_written <= 1 && again.n_removed <= 1, "{again:?}");
        same("again", (&engine, &published(&restored, place)), &few());
    });
}

#[test]
fn an_index_that_is_embedded_in_part_comes_back_as_it_was() {
    on_every_store(|place| {
        let model = Arc::new(HashingEmbedder::new("slow"));
        let corpus = Corpus::shop(Some(model));
        let options =
            EngineOptions { embed_within: Some(Duration::ZERO), ..corpus.options("index") };
        let engine = Engine::open(options).unwrap();
        engine.refresh(&|_| ()).unwrap();
        let ours = engine.status().unwrap();
        assert!(ours.n_vectors < ours.n_chunks, "all of {} was embedded", ours.n_chunks);
        publish(&engine, place);
        let restored = restored(&corpus, place, "restored");
        assert_eq!(restored.status().unwrap().n_vectors, ours.n_vectors);
        restored.refresh(&|_| ()).unwrap();
        let whole = restored.status().unwrap();
        assert_eq!(whole.n_vectors, whole.n_chunks, "what was left is embedded now");
    });
}

#[test]
fn an_index_that_is_there_is_not_written_over() {
    on_every_store(|place| {
        let corpus = Corpus::shop(None);
        let engine = corpus.engine();
        publish(&engine, place);
        let error = engine.restore(&published_as(NAME, place), &|_| ()).unwrap_err();
        assert!(error.kind() == ErrorKind::Usage && error.hint().is_some(), "{error}");
        let error = engine.restore(&published_as("nobody", place), &|_| ()).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::NotIndexed, "{error}");
    });
}

/// An engine whose index came out of a collection, its cache of vectors empty.
fn restored(corpus: &Corpus, place: &Place, folder: &str) -> Engine {
    let restored = Engine::open(corpus.options(folder)).unwrap();
    restored.restore(&published_as(NAME, place), &|_| ()).unwrap();
    restored
}

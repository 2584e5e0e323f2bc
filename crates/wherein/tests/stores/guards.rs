//! What is refused: collections made for something else, repositories that are somebody else's.

use std::sync::Arc;

use wherein_engine::{
    Bm25, Engine, Error, ErrorKind, Profile, PublishOptions, PublishedOptions, SearchRequest,
    Semcode, SparseEncoder, promising,
};

use super::corpus::{Corpus, NAME, as_repository, code, publish, published, published_as};
use super::double::HashingEmbedder;
use super::place::{Place, on_every_store};

fn double(name: &str) -> Option<Arc<dyn wherein_engine::Embedder>> {
    Some(Arc::new(HashingEmbedder::new(name)))
}

#[track_caller]
fn refused<T: std::fmt::Debug>(result: Result<T, Error>, kind: ErrorKind, words: &str) {
    let error = result.unwrap_err();
    assert_eq!(error.kind(), kind, "{error}");
    assert!(error.hint().is_some_and(|hint| !hint.is_empty()), "no hint: {error}");
    let text = error.to_string();
    assert!(text.contains(words) && text.lines().count() == 1, "{text}");
}

#[test]
fn another_model_of_the_same_length_is_refused() {
    on_every_store(|place| {
        let (one, other) = (Corpus::shop(double("one")), Corpus::shop(double("other")));
        let (ours, theirs) = (one.engine(), other.engine());
        publish(&ours, place);
        let options = as_repository("elsewhere");
        let written = theirs.publish(&*place.collection, &options, &|_| ());
        refused(written, ErrorKind::ModelMismatch, "other");
        // A question is refused its vectors, too.
        let remote = published(&theirs, place);
        let answer = remote.search(&SearchRequest::new("redirect loop"));
        match answer {
            Ok(answer) => assert!(!answer.degraded.is_empty() && answer.model.is_none()),
            Err(error) => assert_eq!(error.kind(), ErrorKind::ModelMismatch),
        }
        let (_words, without) = Corpus::shop(None).engine_kept();
        let written = without.publish(&*place.collection, &options, &|_| ());
        refused(written, ErrorKind::ModelMismatch, "none");
    });
}

#[test]
fn another_sparse_profile_is_refused() {
    on_every_store(|place| {
        let (_corpus, engine) = Corpus::shop(None).engine_kept();
        publish(&engine, place);
        let others = [
            SparseEncoder::Text(Arc::new(Semcode::new(Bm25::default()))),
            SparseEncoder::Code(Bm25 { k: 2.0, b: 0.4, average_length: 1.0 }),
        ];
        for sparse in others {
            let options = PublishOptions { sparse: sparse.clone(), ..as_repository("elsewhere") };
            let written = engine.publish(&*place.collection, &options, &|_| ());
            refused(written, ErrorKind::ModelMismatch, "sparse");
            let options = PublishedOptions { sparse, ..published_as(NAME, place) };
            refused(engine.published(options), ErrorKind::ModelMismatch, "sparse");
        }
    });
}

#[test]
fn another_chunk_profile_is_refused() {
    on_every_store(|place| {
        let corpus = Corpus::shop(None);
        publish(&corpus.engine(), place);
        let mut options = corpus.options("lines");
        options.profile = Profile::Lines;
        let lines = Engine::open(options).unwrap();
        lines.refresh(&|_| ()).unwrap();
        let written = lines.publish(&*place.collection, &as_repository("elsewhere"), &|_| ());
        refused(written, ErrorKind::IndexFormat, "lines");
        refused(lines.published(published_as(NAME, place)), ErrorKind::IndexFormat, "lines");
        let restored = lines.restore(&published_as(NAME, place), &|_| ());
        refused(restored, ErrorKind::IndexFormat, "lines");
    });
}

#[test]
fn what_is_not_there_is_told() {
    on_every_store(|place| {
        let (_corpus, engine) = Corpus::shop(None).engine_kept();
        let nowhere = engine.published(published_as(NAME, place));
        refused(nowhere, ErrorKind::NotIndexed, "no collection");
        publish(&engine, place);
        let other = engine.published(published_as("nobody", place)).unwrap();
        let answer = other.search(&SearchRequest::new("redirect"));
        refused(answer, ErrorKind::NotIndexed, "nobody");
        let hint = other.status().unwrap_err().hint().unwrap_or_default().to_owned();
        assert!(hint.contains(NAME), "{hint}");
    });
}

#[test]
fn repositories_of_a_collection_do_not_see_each_other() {
    on_every_store(|place| {
        let (left, right) = (Corpus::new(None), Corpus::new(None));
        left.write("src/a.rs", "/// Waits for the ferry.\npub fn wait_for_ferry() {}\n");
        left.write("both.md", "# Timetable of the ferry\n");
        right.write("src/a.rs", "/// Counts herons.\npub fn count_herons() {}\n");
        right.write("both.md", "# Timetable of the ferry\n");
        let engines = [left.engine(), right.engine()];
        for (engine, name) in engines.iter().zip(["left", "right"]) {
            engine.publish(&*place.collection, &as_repository(name), &|_| ()).unwrap();
        }
        let [l, r] = ["left", "right"].map(|name| {
            let engine = &engines[usize::from(name == "right")];
            engine.published(published_as(name, place)).unwrap()
        });
        let paths = |engine: &Engine, text: &str| -> Vec<String> {
            let answer = engine.search(&SearchRequest::new(text)).unwrap();
            answer.hits.into_iter().map(|hit| hit.path).collect()
        };
        assert!(paths(&l, "wait_for_ferry").contains(&"src/a.rs".to_owned()));
        assert!(!paths(&r, "wait_for_ferry").contains(&"src/a.rs".to_owned()));
        assert!(paths(&l, "herons").is_empty());
        assert_ne!(l.read("src/a.rs").unwrap().text, r.read("src/a.rs").unwrap().text);
        let names = || promising_names(place, "count herons");
        assert_eq!(names(), ["right"]);
        place.collection.forget("right").unwrap();
        assert!(names().is_empty());
        assert_eq!(paths(&l, "timetable"), ["both.md"]);
    });
}

fn promising_names(place: &Place, text: &str) -> Vec<String> {
    promising(&*place.collection, &code(), &SearchRequest::new(text), (&[], 1)).unwrap()
}

#[test]
fn a_repository_of_that_name_from_elsewhere_is_replaced_on_request_alone() {
    on_every_store(|place| {
        let (_corpus, engine) = Corpus::shop(None).engine_kept();
        publish(&engine, place);
        let other = Corpus::new(None);
        other.write("src/a.rs", "pub fn count_herons() {}\n");
        let other = (other.engine(), other);
        let options = PublishOptions { origin: "elsewhere".into(), ..as_repository(NAME) };
        let written = other.0.publish(&*place.collection, &options, &|_| ());
        refused(written, ErrorKind::Usage, "elsewhere");
        let options = PublishOptions { replace: true, ..options };
        let report = other.0.publish(&*place.collection, &options, &|_| ()).unwrap();
        assert_eq!(report.n_files, 1);
        let head = place.collection.head(NAME).unwrap().unwrap();
        assert_eq!((head.origin.as_str(), head.n_files), ("elsewhere", 1));
        assert_eq!(place.collection.present(NAME).unwrap().len() as u64, report.n_written);
    });
}

//! Other ways of asking a store: fused by the server, and the `semcode` profile of sparse vectors.

use std::collections::BTreeMap;
use std::sync::Arc;

use wherein_engine::{
    CandidateFilter, CandidateQuestion, Filter, FoundChunk, Fusion, FusionMethod, Mode,
    PublishOptions, PublishedOptions, Role, SearchRequest, Semcode, SparseEmbedder, SparseEncoder,
};

use super::corpus::{Corpus, NAME, as_repository, builtin, publish, published, published_as};
use super::place::{Store, on_every_store};

const K: f32 = 60.0;

#[test]
fn what_the_server_fused_is_shown_in_its_order() {
    on_every_store(|place| {
        let corpus = Corpus::shop(builtin());
        let engine = corpus.engine();
        publish(&engine, place);
        let remote = published(&engine, place);
        for text in ["redirect loop", "hash a password", "total with tax", "settle a payment"] {
            let fusion = Fusion { method: FusionMethod::Server, k: K, ..Fusion::default() };
            let request = SearchRequest { fusion: Some(fusion), ..SearchRequest::new(text) };
            let answer = remote.search(&request).unwrap();
            assert!(answer.hits.len() > 2, "{text} in {:?}: {:?}", place.store, answer.hits);
            assert!(answer.hits.is_sorted_by(|a, b| a.score >= b.score), "{text}");
            // A folder's index has no server; both lists are fused in another way, or that is said.
            assert!(engine.search(&request).is_ok_and(|answer| !answer.hits.is_empty()));
        }
    });
}

#[test]
fn what_no_file_fits_is_not_served() {
    on_every_store(|place| {
        let corpus = Corpus::shop(builtin());
        let engine = corpus.engine();
        publish(&engine, place);
        let remote = published(&engine, place);
        for (paths, is_found) in [(vec!["src".to_owned()], true), (vec!["*.nope".into()], false)] {
            let fusion = Fusion { method: FusionMethod::Server, k: K, ..Fusion::default() };
            let filter = Filter { paths, ..Filter::default() };
            let text = "redirect loop";
            let request =
                SearchRequest { fusion: Some(fusion), filter, ..SearchRequest::new(text) };
            let hits = remote.search(&request).unwrap().hits;
            assert_eq!(!hits.is_empty(), is_found, "{:?} in {:?}", request.filter, place.store);
            assert!(hits.iter().all(|hit| hit.path.starts_with("src/")), "{hits:#?}");
        }
    });
}

#[test]
fn the_server_fuses_by_reciprocal_ranks() {
    on_every_store(|place| {
        let corpus = Corpus::shop(builtin());
        let options = PublishOptions { sparse: semcode(), ..as_repository(NAME) };
        corpus.engine().publish(&*place.collection, &options, &|_| ()).unwrap();
        let text = ["redirect loop"];
        let sparse = Semcode::default().embed(Role::Question, &text).unwrap();
        let dense = builtin().unwrap().embed(Role::Question, &text).unwrap();
        let ask = |fuse: Option<u32>| {
            let question = CandidateQuestion {
                sparse: sparse.first().cloned(),
                dense: dense.first().cloned(),
                limit: 60,
                filter: CandidateFilter { repositories: vec![NAME.into()], ..Default::default() },
                exact: true,
                fuse,
                ..CandidateQuestion::default()
            };
            place.collection.candidates(&question).unwrap()
        };
        let (apart, fused) = (ask(None), ask(Some(K as u32)).fused);
        assert!(!apart.by_words.is_empty() && apart.by_meaning.len() > 5 && !fused.is_empty());
        let scores = by_formula(&[apart.by_words, apart.by_meaning]);
        // Ties within one list are broken by each store in its own way.
        let tolerance = if place.store == Store::Memory { 1e-6 } else { 2e-3 };
        for found in &fused {
            let expected = scores[&place_of(found)];
            assert!((found.score - expected).abs() < tolerance, "{found:?} is not {expected}");
        }
        assert!(fused.is_sorted_by(|a, b| a.score >= b.score));
    });
}

fn semcode() -> SparseEncoder {
    SparseEncoder::Text(Arc::new(Semcode::default()))
}

fn place_of(found: &FoundChunk) -> (String, u32) {
    (found.path.clone(), found.start_line)
}

fn by_formula(lists: &[Vec<FoundChunk>]) -> BTreeMap<(String, u32), f32> {
    let mut scores = BTreeMap::new();
    for list in lists {
        for (rank, found) in list.iter().enumerate() {
            // As a server counts, the first has rank 0.
            *scores.entry(place_of(found)).or_insert(0.0) += 1.0 / (K + rank as f32);
        }
    }
    scores
}

#[test]
fn the_semcode_profile_works_from_end_to_end() {
    on_every_store(|place| {
        let corpus = Corpus::shop(builtin());
        let engine = corpus.engine();
        let options = PublishOptions { sparse: semcode(), ..as_repository(NAME) };
        let report = engine.publish(&*place.collection, &options, &|_| ()).unwrap();
        assert!(report.n_written > 50, "{report:?}");
        let again = engine.publish(&*place.collection, &options, &|_| ()).unwrap();
        assert_eq!(again.n_written, 0);
        let options = PublishedOptions { sparse: semcode(), ..published_as(NAME, place) };
        let remote = engine.published(options).unwrap();
        for (text, path) in [
            ("redirect loop", "src/http/server.rs"),
            ("evictOldest", "src/cache.rs"),
            ("hash password salt", "app/auth.py"),
        ] {
            for mode in [Mode::Keyword, Mode::Hybrid] {
                let request = SearchRequest { mode, ..SearchRequest::new(text) };
                let hits = remote.search(&request).unwrap().hits;
                let is_there = hits.iter().any(|hit| hit.path == path);
                assert!(is_there, "{text} {mode:?} in {:?}: {hits:#?}", place.store);
            }
        }
    });
}

//! A publication that is killed halfway: readers go on, and the next one finishes the work.

use std::sync::Arc;

use wherein_engine::{Engine, ErrorKind, Head, SearchRequest};

use super::asking::{Seen, answers, difference, few};
use super::corpus::{Corpus, NAME, as_repository, builtin, publish, published};
use super::failing::Failing;
use super::place::{Place, Store, on_every_store};
use super::publishing::is_as_fresh;

#[test]
fn a_first_publication_that_is_killed_is_finished_by_the_next() {
    on_every_store(|place| {
        let corpus = Corpus::shop(builtin());
        let engine = corpus.engine();
        let n_all = n_writes(&engine, &place.another());
        for n in moments(place, n_all) {
            let place = place.another();
            let failing = Failing::after(n, &place.collection);
            let error = engine.publish(&failing, &as_repository(NAME), &|_| ()).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Network, "after {n}: {error}");
            assert!(place.collection.head(NAME).ok().flatten().is_none(), "visible after {n}");
            let report = publish(&engine, &place);
            assert!(report.n_kept + 1 >= n.saturating_sub(1), "after {n}: {report:?}");
            is_as_fresh(&format!("a stop after {n} of {n_all}"), &engine, &place);
        }
    });
}

#[test]
fn readers_see_the_old_or_the_new_whenever_a_publication_is_killed() {
    on_every_store(|place| {
        // Two trees, so that the files of both can be read.
        let (_corpus, before) = Corpus::shop(builtin()).engine_kept();
        let corpus = Corpus::shop(builtin());
        change(&corpus);
        let engine = corpus.engine();
        let requests = few();
        let (old, new) = (answers(&before, &requests), answers(&engine, &requests));
        assert!(old.iter().zip(&new).filter(|(a, b)| !a.is(b)).count() > 5);
        let scratch = place.another();
        publish(&before, &scratch);
        let n_all = n_writes(&engine, &scratch);
        for n in moments(place, n_all) {
            let place = place.another();
            publish(&before, &place);
            let reader = published(&engine, &place);
            answers(&reader, &requests[..1]);
            let failing = Failing::after(n, &place.collection);
            let error = engine.publish(&failing, &as_repository(NAME), &|_| ()).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Network, "after {n}: {error}");
            let late = published(&engine, &place);
            for (who, engine) in [("who came before", &reader), ("who came after", &late)] {
                let what = format!("{who}, {n} of {n_all} writes in {:?}", place.store);
                is_one_of(&what, (engine, &requests), [&old, &new]);
            }
            publish(&engine, &place);
            is_as_fresh(&format!("a stop after {n} of {n_all}"), &engine, &place);
        }
    });
}

#[test]
fn of_two_who_publish_at_once_the_later_is_told_and_nothing_is_lost() {
    on_every_store(|place| {
        let corpus = Corpus::shop(builtin());
        let engine = corpus.engine();
        let scratch = place.another();
        publish(&engine, &scratch);
        let head = scratch.collection.head(NAME).unwrap().unwrap();
        for round in ["the first", "a later one"] {
            let other = Head { version: round.to_owned(), ..head.clone() };
            let overtaken = Failing::overtaken_by(other, &place.collection);
            let error = engine.publish(&overtaken, &as_repository(NAME), &|_| ()).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Busy, "{round}: {error}");
            assert!(error.hint().is_some());
            assert_eq!(place.collection.head(NAME).unwrap().unwrap().version, round);
            publish(&engine, place);
            is_as_fresh(round, &engine, place);
        }
    });
}

fn change(corpus: &Corpus) {
    let read = |path: &str| std::fs::read_to_string(corpus.path(path)).unwrap();
    let moved = format!("// Another\n// comment.\n\n{}", read("src/cache.rs"));
    corpus.write("src/cache.rs", moved);
    let moved = format!("// Another comment.\n{}", read("src/payments.rs"));
    corpus.write("src/payments.rs", moved);
    let edited = read("src/money.rs").replace("half up", "half even");
    corpus.write("src/money.rs", edited);
    corpus.rename("app/auth.py", "app/login.py");
    corpus.remove("java/Warehouse.java");
    corpus.write(
        "src/new.rs",
        "/// Pays a customer back after a redirect loop.\npub fn pay_back() {}\n",
    );
}

/// How many writes a publication takes.
fn n_writes(engine: &Engine, place: &Place) -> u64 {
    let all = Failing::after(u64::MAX, &Arc::clone(&place.collection));
    engine.publish(&all, &as_repository(NAME), &|_| ()).unwrap();
    all.n_writes()
}

/// After how many writes to stop, the last ones among them: they make the head visible and remove what is old.
fn moments(place: &Place, n_all: u64) -> Vec<u64> {
    let mut moments = match place.store {
        Store::Memory => (0..n_all).step_by(1 + n_all as usize / 5).collect::<Vec<_>>(),
        Store::Qdrant => vec![1, n_all / 2],
    };
    moments.extend([n_all.saturating_sub(2), n_all - 1]);
    moments.sort_unstable();
    moments.dedup();
    moments
}

#[track_caller]
fn is_one_of(
    what: &str,
    (engine, requests): (&Engine, &[SearchRequest]),
    [old, new]: [&Vec<Seen>; 2],
) {
    let seen = answers(engine, requests);
    let (is_old, is_new) = (
        (0..seen.len()).filter(|at| seen[*at].is(&old[*at])).count(),
        (0..seen.len()).filter(|at| seen[*at].is(&new[*at])).count(),
    );
    if is_old == seen.len() || is_new == seen.len() {
        return;
    }
    let nearer = if is_old > is_new { old } else { new };
    let different = (0..seen.len()).filter(|at| !seen[*at].is(&nearer[*at]));
    let different: Vec<String> =
        different.map(|at| difference(&requests[at], &nearer[at], &seen[at])).collect();
    let n = different.len();
    panic!("{what}: {n} answers are of neither state\n{}", different[..n.min(3)].join("\n"));
}

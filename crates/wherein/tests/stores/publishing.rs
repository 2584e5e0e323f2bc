//! Publishing again: nothing is written twice, and what changed is as if it had always been so.

use std::collections::HashMap;

use wherein_engine::{Engine, PointId, PublishOptions, SkipReason};

use super::asking::{few, same};
use super::corpus::{Corpus, NAME, as_repository, builtin, publish, published};
use super::place::{Place, on_every_store};

#[test]
fn publishing_again_writes_nothing() {
    on_every_store(|place| {
        let corpus = Corpus::shop(builtin());
        let engine = corpus.engine();
        let first = publish(&engine, place);
        assert!(first.n_written > 50 && first.n_kept == 0 && first.n_removed == 0, "{first:?}");
        assert!(first.n_vectors > 0 && first.n_files > 30, "{first:?}");
        let again = publish(&engine, place);
        assert_eq!((again.n_written, again.n_removed), (0, 0), "{again:?}");
        assert_eq!(again.n_kept, first.n_written);
        // Nor does an index that was built anew, by another engine.
        let options = corpus.options("another index");
        let another = Engine::open(options).unwrap();
        another.refresh(&|_| ()).unwrap();
        let third = publish(&another, place);
        assert!(third.n_written <= 1, "no more than a part of the catalogue: {third:?}");
    });
}

#[test]
fn what_changed_is_as_if_it_had_always_been_so() {
    on_every_store(|place| {
        let corpus = Corpus::shop(builtin());
        let engine = corpus.engine();
        publish(&engine, place);
        for (what, change) in CHANGES {
            change(&corpus);
            engine.refresh(&|_| ()).unwrap();
            publish(&engine, place);
            is_as_fresh(what, &engine, place);
        }
    });
}

#[test]
fn an_emptied_tree_leaves_nothing_behind() {
    on_every_store(|place| {
        let corpus = Corpus::shop(builtin());
        let engine = corpus.engine();
        publish(&engine, place);
        std::fs::remove_dir_all(corpus.root()).unwrap();
        corpus.write("only.txt", "one line\n");
        engine.refresh(&|_| ()).unwrap();
        publish(&engine, place);
        is_as_fresh("emptied", &engine, place);
        let head = place.collection.head(NAME).unwrap().unwrap();
        assert_eq!((head.n_files, head.n_chunks), (1, 1));
        place.collection.forget(NAME).unwrap();
        assert!(place.collection.heads().unwrap().is_empty());
        assert!(place.collection.present(NAME).unwrap().is_empty());
        assert!(place.collection.guard().unwrap().is_some());
    });
}

#[test]
fn what_was_skipped_is_told_beside_what_stays_here() {
    on_every_store(|place| {
        let corpus = Corpus::shop(builtin());
        corpus.write("logo.bin", [0, 1, 2, 0]);
        corpus.write("docs/secret.bin", [0, 1, 2, 0]);
        let engine = corpus.engine();
        let options = PublishOptions { exclude: vec!["docs".to_owned()], ..as_repository(NAME) };
        engine.publish(&*place.collection, &options, &|_| ()).unwrap();
        let n_binary = |engine: &Engine| engine.status().unwrap().skipped.get(SkipReason::Binary);
        assert_eq!(n_binary(&published(&engine, place)) + 1, n_binary(&engine));
    });
}

type Change = (&'static str, fn(&Corpus));

/// What people do to a tree.
const CHANGES: [Change; 8] = [
    ("an edit", |corpus| {
        corpus.write("app/auth.py", "def hash_password(password):\n    return scrypt(password)\n");
    }),
    ("an edit within the same lines", |corpus| {
        let text = std::fs::read_to_string(corpus.path("src/money.rs")).unwrap();
        corpus.write("src/money.rs", text.replace("half up", "half even"));
    }),
    ("moved lines", |corpus| {
        let text = std::fs::read_to_string(corpus.path("src/cache.rs")).unwrap();
        corpus.write("src/cache.rs", format!("// One\n// more\n// comment.\n\n\n{text}"));
    }),
    ("fewer of what repeats", |corpus| {
        let lines = "the same shelf again and again in this list\n".repeat(130);
        corpus.write("data/repeats.txt", lines);
    }),
    ("a deletion", |corpus| corpus.remove("java/Warehouse.java")),
    ("a renaming", |corpus| corpus.rename("app/models.py", "app/people/customer.py")),
    ("swapped files", |corpus| {
        corpus.rename("src/stock/basket.rs", "tmp.rs");
        corpus.rename("src/stock/invoice.rs", "src/stock/basket.rs");
        corpus.rename("tmp.rs", "src/stock/invoice.rs");
    }),
    ("a new file", |corpus| {
        corpus.write("src/new.rs", "/// Pays a customer back.\npub fn pay_back() {}\n");
    }),
];

/// Fails where a collection differs from one that the index was just published into.
#[track_caller]
pub(crate) fn is_as_fresh(what: &str, engine: &Engine, place: &Place) {
    let fresh = place.another();
    // The average length is that of the collection.
    fresh.collection.create(&place.collection.guard().unwrap().unwrap()).unwrap();
    publish(engine, &fresh);
    assert_eq!(points(place), points(&fresh), "{what} in {:?}", place.store);
    let (used, unused) = (published(engine, place), published(engine, &fresh));
    same(&format!("fresh after {what}"), (&unused, &used), &few());
    same(&format!("local after {what}"), (engine, &used), &few());
}

/// The points of the repository, in order.
fn points(place: &Place) -> Vec<(PointId, u64)> {
    let present: HashMap<PointId, u64> = place.collection.present(NAME).unwrap();
    let mut points: Vec<(PointId, u64)> = present.into_iter().collect();
    points.sort_unstable();
    points
}

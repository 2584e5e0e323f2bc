//! Records that were damaged where they are kept: an answer that says so, never a panic.

use wherein_engine::{
    Answer, BlobPoint, Mode, OutlineRequest, Point, PointId, PublishOptions, SearchRequest,
    SymbolRequest, UsageRequest,
};

use super::asking::few;
use super::corpus::{Corpus, NAME, as_repository, builtin, publish, published};
use super::place::{Place, Store};

#[test]
fn damaged_records_make_errors_and_no_panics() {
    let place = Place::of(Store::Memory).unwrap();
    let corpus = Corpus::shop(builtin());
    let engine = corpus.engine();
    publish(&engine, &place);
    let mut ids: Vec<PointId> = place.collection.present(NAME).unwrap().into_keys().collect();
    ids.sort_unstable();
    let blobs = place.collection.blobs(&ids, None).unwrap();
    let whole: Vec<(PointId, Vec<u8>)> =
        ids.into_iter().zip(blobs).filter_map(|(id, bytes)| Some((id, bytes?))).collect();
    assert!(whole.len() > 30);
    let requests: Vec<_> = few().into_iter().step_by(5).collect();
    let mut n_told = 0;
    for round in 0..24 {
        for (number, (id, bytes)) in whole.iter().enumerate() {
            put(&place, (*id, 1), &damaged(bytes, 31 * round + 7 * number));
        }
        // A new engine keeps nothing of the round before.
        let remote = published(&engine, &place);
        for request in &requests {
            let answer = remote.search(request).unwrap();
            n_told += usize::from(is_told(&answer));
        }
        let name = "parse_price".to_owned();
        let filter = wherein_engine::Filter::default();
        let request = SymbolRequest { name: name.clone(), filter: filter.clone(), limit: 9 };
        let _ = remote.symbols(&request);
        let _ = remote.usages(&UsageRequest { name, filter, limit: None, comments: true });
        let _ = (remote.outline(&OutlineRequest::default()), remote.read("src/money.rs"));
    }
    assert!(n_told > 0);
}

fn is_told(answer: &Answer) -> bool {
    answer.degraded.iter().any(|line| line.contains("damaged"))
}

#[test]
fn a_damaged_record_is_mended_by_who_replaces_the_repository() {
    let place = Place::of(Store::Memory).unwrap();
    let corpus = Corpus::shop(builtin());
    let engine = corpus.engine();
    publish(&engine, &place);
    let request = SearchRequest { mode: Mode::Exact, ..SearchRequest::new("parse_price") };
    let whole = published(&engine, &place).search(&request).unwrap();
    assert!(!whole.hits.is_empty() && !is_told(&whole));
    // The bytes change where they lie; what is said of them stays.
    let present = place.collection.present(NAME).unwrap();
    let ids: Vec<PointId> = present.keys().copied().collect();
    for (id, bytes) in ids.iter().zip(place.collection.blobs(&ids, None).unwrap()) {
        let Some(mut bytes) = bytes.filter(|bytes| bytes.len() < 8000) else { continue };
        let middle = bytes.len() / 2;
        bytes[middle] ^= 0x55;
        put(&place, (*id, present[id]), &bytes);
    }
    assert!(is_told(&published(&engine, &place).search(&request).unwrap()));
    // Who looks at digests alone sees nothing of it.
    assert_eq!(publish(&engine, &place).n_written, 0);
    let options = PublishOptions { replace: true, ..as_repository(NAME) };
    engine.publish(&*place.collection, &options, &|_| ()).unwrap();
    let mended = published(&engine, &place).search(&request).unwrap();
    assert!(!is_told(&mended), "{:?}", mended.degraded);
    assert_eq!(mended.hits.len(), whole.hits.len());
}

fn put(place: &Place, (id, digest): (PointId, u64), bytes: &[u8]) {
    let (repository, path) = (NAME.to_owned(), String::new());
    let blob = BlobPoint { id, digest, repository, path, bytes: bytes.to_vec() };
    place.collection.upsert(&mut std::iter::once(Point::Blob(blob)), &|_| ()).unwrap();
}

/// A few bytes of some blobs changed; the parts of the catalogue, which have a hash, are left whole.
fn damaged(bytes: &[u8], seed: usize) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    let is_catalogue = bytes.len() > 8000;
    for change in 0..if is_catalogue || seed.is_multiple_of(3) { 0 } else { 1 + seed % 3 } {
        let hash = blake3::hash(format!("{seed} {change}").as_bytes());
        let at = u32::from_le_bytes(hash.as_bytes()[..4].try_into().unwrap()) as usize;
        let n_bytes = bytes.len();
        bytes[at % n_bytes] ^= hash.as_bytes()[5] | 1;
    }
    bytes
}

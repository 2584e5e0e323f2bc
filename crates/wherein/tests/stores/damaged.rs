//! Records that were damaged where they are kept: an error or an answer, never a panic.

use wherein_engine::{
    BlobPoint, ErrorKind, OutlineRequest, Point, PointId, SymbolRequest, UsageRequest,
};

use super::asking::few;
use super::corpus::{Corpus, NAME, builtin, publish, published};
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
    let mut n_errors = 0;
    for round in 0..24 {
        for (number, (id, bytes)) in whole.iter().enumerate() {
            put(&place, *id, &damaged(bytes, 31 * round + 7 * number));
        }
        // A new engine keeps nothing of the round before.
        let remote = published(&engine, &place);
        for request in &requests {
            if let Err(error) = remote.search(request) {
                assert_eq!(error.kind(), ErrorKind::IndexFormat, "{error}");
                assert!(error.hint().is_some(), "{error}");
                n_errors += 1;
            }
        }
        let name = "parse_price".to_owned();
        let filter = wherein_engine::Filter::default();
        let request = SymbolRequest { name: name.clone(), filter: filter.clone(), limit: 9 };
        let _ = remote.symbols(&request);
        let _ = remote.usages(&UsageRequest { name, filter, limit: None, comments: true });
        let _ = (remote.outline(&OutlineRequest::default()), remote.read("src/money.rs"));
    }
    assert!(n_errors > 0);
}

fn put(place: &Place, id: PointId, bytes: &[u8]) {
    let (repository, path) = (NAME.to_owned(), String::new());
    let blob = BlobPoint { id, digest: 1, repository, path, bytes: bytes.to_vec() };
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

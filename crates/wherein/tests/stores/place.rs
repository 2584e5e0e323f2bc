//! Where published indexes of a test are kept: each store that there is, empty, gone after the test.
//!
//! Must not know a scenario.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

use wherein_engine::{Collection, MemoryCollection};
use wherein_qdrant::{QdrantCollection, QdrantOptions};

/// The address of a server that tests may use.
const URL: &str = "WHEREIN_TEST_QDRANT_URL";
/// The key that it wants, where it wants one.
const KEY: &str = "WHEREIN_TEST_QDRANT_API_KEY";

/// The stores.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Store {
    Memory,
    Qdrant,
}

/// A collection that goes away with this.
#[derive(Debug)]
pub(crate) struct Place {
    pub(crate) store: Store,
    pub(crate) collection: Arc<dyn Collection>,
    server: Option<QdrantCollection>,
}

impl Place {
    /// An empty collection of a store; `None` where that store is not at hand.
    pub(crate) fn of(store: Store) -> Option<Place> {
        match store {
            Store::Memory => {
                let collection = Arc::new(MemoryCollection::new());
                Some(Place { store, collection, server: None })
            }
            Store::Qdrant => {
                let server = server()?;
                let collection = Arc::new(server.clone());
                Some(Place { store, collection, server: Some(server) })
            }
        }
    }

    /// Another empty collection of the same store.
    pub(crate) fn another(&self) -> Place {
        Place::of(self.store).expect("a store that was there")
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        if let Some(server) = &self.server {
            // A test that failed has more to say than this.
            let _ = server.remove();
        }
    }
}

/// Runs a scenario on every store, each time in an empty collection.
pub(crate) fn on_every_store(scenario: impl Fn(&Place)) {
    for store in [Store::Memory, Store::Qdrant] {
        if let Some(place) = Place::of(store) {
            scenario(&place);
        }
    }
}

fn server() -> Option<QdrantCollection> {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    let Ok(url) = std::env::var(URL) else {
        let test = std::thread::current().name().unwrap_or("this test").to_owned();
        eprintln!("SKIPPED, no {URL}: {test} ran without a Qdrant server");
        return None;
    };
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_millis();
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    let name = format!("wherein-test-{now}-{}-{number}", std::process::id());
    let mut options = QdrantOptions::new(url, name);
    options.api_key = std::env::var(KEY).ok();
    Some(QdrantCollection::new(options).unwrap())
}

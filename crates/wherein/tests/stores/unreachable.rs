//! No server, and what can be no server.

use std::net::TcpListener;
use std::sync::Arc;
use std::time::{Duration, Instant};

use wherein_engine::{Collection, ErrorKind, PublishedOptions};
use wherein_qdrant::{QdrantCollection, QdrantOptions};

use super::corpus::{Corpus, NAME, as_repository, code};

#[test]
fn a_closed_port_is_told_soon_and_in_one_line() {
    let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let options = QdrantOptions::new(format!("http://127.0.0.1:{port}"), "shop");
    let collection = QdrantCollection::new(options).unwrap();
    let corpus = Corpus::new(None);
    corpus.write("a.rs", "fn a() {}\n");
    let engine = corpus.engine();
    let asked: [(&str, &dyn Fn() -> wherein_engine::Result<()>); 4] = [
        ("guard", &|| collection.guard().map(drop)),
        ("head", &|| collection.head(NAME).map(drop)),
        ("publish", &|| engine.publish(&collection, &as_repository(NAME), &|_| ()).map(drop)),
        ("ask", &|| {
            let options = PublishedOptions {
                collection: Arc::new(collection.clone()),
                repository: NAME.to_owned(),
                sparse: code(),
                exact: true,
                deadline: None,
            };
            engine.published(options).map(drop)
        }),
    ];
    for (what, ask) in asked {
        let start = Instant::now();
        let error = ask().unwrap_err();
        let wall = start.elapsed();
        assert_eq!(error.kind(), ErrorKind::Network, "{what}: {error}");
        assert_eq!(error.to_string().lines().count(), 1, "{what}: {error}");
        assert!(error.hint().is_some_and(|hint| hint.contains("6334")), "{what}: {error}");
        assert!(error.to_string().contains(&port.to_string()), "{what}: {error}");
        assert!(wall < Duration::from_secs(2), "{what} took {wall:?}");
    }
}

#[test]
fn what_can_be_no_server_or_collection_is_a_mistake_with_a_hint() {
    for (url, name) in [
        ("localhost:6334", "shop"),
        ("", "shop"),
        ("ftp://localhost:6334", "shop"),
        ("http://", "shop"),
        ("http://local host:6334", "shop"),
        ("http://localhost:port", "shop"),
        ("http://user:secret@localhost:6334", "shop"),
        ("https://secret@localhost", "shop"),
        ("http://localhost:6334", ""),
        ("http://localhost:6334", "a/b"),
        ("http://localhost:6334", "../x"),
        ("http://localhost:6334", "a b"),
        ("http://localhost:6334", &"x".repeat(201)),
    ] {
        let error = QdrantCollection::new(QdrantOptions::new(url, name)).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Usage, "{url} {name}: {error}");
        assert!(error.hint().is_some(), "{url} {name}: {error}");
        assert!(!format!("{error} {error:?}").contains("secret"), "{error}");
    }
}

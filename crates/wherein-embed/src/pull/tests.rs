//! Pulls from a hub of the test's own, on the loopback interface.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use super::*;
use wherein_engine::Embedder;

use crate::{ModelFolder, OnnxModel, OnnxOptions, Pooling};

const fn file(path: &'static str, required: bool) -> KnownFile {
    KnownFile { path, size: None, sha256: None, required }
}

const TINY: KnownModel = KnownModel {
    name: "tiny",
    repository: "somebody/tiny",
    dimensions: 32,
    max_tokens: 64,
    default_max_tokens: 64,
    pooling: Pooling::Cls,
    question_prefix: "",
    passage_prefix: "",
    licence: "MIT",
    files: &[
        file("model.onnx", true),
        file("tokenizer.json", true),
        file("config.json", true),
        file("1_Pooling/config.json", true),
        file("sentence_bert_config.json", false),
    ],
    elsewhere: &[],
};

/// A hub that serves files; what it was asked is written down.
struct FakeHub {
    endpoint: String,
    asked: Arc<Mutex<Vec<String>>>,
}

/// How a hub misbehaves.
#[derive(Clone, Copy, PartialEq)]
enum Fault {
    None,
    /// Each first transfer of a model breaks off in the middle.
    BreaksOff,
    /// The model's bytes are not those that the hub names.
    Garbles,
}

fn committed() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/models/bge-small-shaped")
}

fn start(fault: Fault) -> FakeHub {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let endpoint = format!("http://{}", listener.local_addr().unwrap());
    let asked = Arc::new(Mutex::new(Vec::new()));
    let seen = Arc::clone(&asked);
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let _ = answer(&mut stream.unwrap(), fault, &seen);
        }
    });
    FakeHub { endpoint, asked }
}

fn answer(stream: &mut TcpStream, fault: Fault, seen: &Mutex<Vec<String>>) -> std::io::Result<()> {
    let mut lines = BufReader::new(stream.try_clone()?).lines();
    let request = lines.next().unwrap()?;
    let headers: BTreeMap<String, String> = lines
        .map_while(|line| line.ok().filter(|line| !line.is_empty()))
        .filter_map(|line| line.split_once(": ").map(|(k, v)| (k.to_lowercase(), v.to_owned())))
        .collect();
    let range = headers.get("range").cloned().unwrap_or_default();
    let token = headers.get("authorization").cloned().unwrap_or_default();
    let is_again = seen.lock().unwrap().iter().any(|before| before.starts_with(&request));
    seen.lock().unwrap().push(format!("{request} {range} {token}"));
    let path = request.split(' ').nth(1).unwrap();
    let path = path.strip_prefix("/somebody/tiny/resolve/").unwrap().split_once('/').unwrap().1;
    let Ok(mut bytes) = std::fs::read(committed().join(path)) else {
        return write!(
            stream,
            "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
        );
    };
    let etag = if path == "model.onnx" {
        files::sha256(&committed().join(path)).unwrap()
    } else {
        files::git_blob_id(&committed().join(path)).unwrap()
    };
    if fault == Fault::Garbles && path == "model.onnx" {
        bytes[1000] ^= 1;
    }
    let from: usize = range.trim_start_matches("bytes=").trim_end_matches('-').parse().unwrap_or(0);
    let status = if from > 0 { "206 Partial Content" } else { "200 OK" };
    let length = bytes.len() - from;
    let facts = format!("ETag: \"{etag}\"\r\nX-Repo-Commit: c0ffee");
    write!(
        stream,
        "HTTP/1.1 {status}\r\nContent-Length: {length}\r\n{facts}\r\nConnection: close\r\n\r\n"
    )?;
    if request.starts_with("GET") {
        let breaks = fault == Fault::BreaksOff && path == "model.onnx" && !is_again;
        let end = if breaks { bytes.len() / 2 } else { bytes.len() };
        stream.write_all(&bytes[from..end])?;
    }
    Ok(())
}

fn hub(endpoint: &str, others: &[(&str, &str)]) -> Hub {
    Hub::new(&|name| {
        let found =
            others.iter().find(|(key, _)| *key == name).map(|(_, value)| (*value).to_owned());
        found.or_else(|| (name == "HF_ENDPOINT").then(|| endpoint.to_owned()))
    })
}

#[test]
fn a_pull_fetches_checks_and_admits() {
    let (fake, data) = (start(Fault::None), tempfile::tempdir().unwrap());
    let store = ModelStore::new(data.path());
    let mut checked = Vec::new();
    let mut progress = |event: PullEvent<'_>| {
        if let PullEvent::Checked { path } = event {
            checked.push(path.to_owned());
        }
    };
    let hub = hub(&fake.endpoint, &[("HF_TOKEN", "secret")]);
    let info = store.pull_with(&hub, &TINY, &Overrides::default(), &mut progress).unwrap();
    assert_eq!((info.revision.as_deref(), info.source.as_str()), (Some("c0ffee"), "somebody/tiny"));
    assert_eq!(checked.len(), 4);
    let folder: ModelFolder = store.open("tiny", &Overrides::default()).unwrap();
    OnnxModel::load(&folder, &OnnxOptions::default()).unwrap();
    let asked = fake.asked.lock().unwrap();
    assert!(asked.iter().all(|line| line.ends_with("Bearer secret")), "{asked:?}");
    // Once the first file has named the commit, the others come from that.
    assert!(asked.iter().skip(2).all(|line| line.contains("/resolve/c0ffee/")), "{asked:?}");
}

#[test]
fn a_pull_records_how_the_model_is_to_be_used() {
    let (fake, data) = (start(Fault::None), tempfile::tempdir().unwrap());
    let store = ModelStore::new(data.path());
    let overrides = Overrides { max_tokens: Some(12), ..Overrides::default() };
    let hub = hub(&fake.endpoint, &[]);
    let info = store.pull_with(&hub, &TINY, &overrides, &mut |_| {}).unwrap();
    assert_eq!(info.identity.max_tokens, 12);
    let model = store.model("tiny", &Overrides::default(), &OnnxOptions::default()).unwrap();
    assert_eq!(*model.load().unwrap().identity(), info.identity);
}

#[test]
fn a_broken_pull_leaves_no_model_and_the_next_goes_on() {
    let (fake, data) = (start(Fault::BreaksOff), tempfile::tempdir().unwrap());
    let (store, hub) = (ModelStore::new(data.path()), hub(&fake.endpoint, &[]));
    let error = store.pull_with(&hub, &TINY, &Overrides::default(), &mut |_| {}).unwrap_err();
    assert!(error.to_string().contains("model.onnx"), "{error}");
    assert!(store.list().unwrap().is_empty());
    store.pull_with(&hub, &TINY, &Overrides::default(), &mut |_| {}).unwrap();
    let asked = fake.asked.lock().unwrap();
    assert!(asked.iter().any(|line| line.contains("GET") && line.contains("bytes=")), "{asked:?}");
}

#[test]
fn wrong_bytes_are_refused() {
    let (fake, data) = (start(Fault::Garbles), tempfile::tempdir().unwrap());
    let store = ModelStore::new(data.path());
    let error = store
        .pull_with(&hub(&fake.endpoint, &[]), &TINY, &Overrides::default(), &mut |_| {})
        .unwrap_err();
    assert!(
        error.to_string().contains("model.onnx") && error.to_string().contains("hash"),
        "{error}"
    );
    assert!(store.list().unwrap().is_empty());
}

#[test]
fn without_a_network_it_says_so_within_five_seconds() {
    let data = tempfile::tempdir().unwrap();
    let store = ModelStore::new(data.path());
    // Some networks answer for every address; the words must be the same.
    let unroutable = "http://10.255.255.1";
    // A gateway may take the connection and say nothing.
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let silent = format!("http://{}", listener.local_addr().unwrap());
    let silent = silent.as_str();
    let tries = [("http://127.0.0.1:1", "0"), (silent, "0"), (unroutable, "0"), (unroutable, "1")];
    for (endpoint, offline) in tries {
        let begin = Instant::now();
        let hub = hub(endpoint, &[("HF_HUB_OFFLINE", offline)]);
        let error = store.pull_with(&hub, &TINY, &Overrides::default(), &mut |_| {}).unwrap_err();
        assert!(begin.elapsed() < Duration::from_secs(5), "{:?}", begin.elapsed());
        assert_eq!(error.kind(), wherein_engine::ErrorKind::Network);
        assert!(error.to_string().contains("somebody/tiny/resolve/main/model.onnx"), "{error}");
        assert!(error.hint().unwrap().contains("wherein model add DIR"), "{error:?}");
        assert!(error.hint().unwrap().contains("HF_ENDPOINT"), "{error:?}");
    }
}

#[test]
fn the_cache_of_the_hubs_own_client_serves_without_a_network() {
    let (home, data) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let cache = home.path().join("hub/models--somebody--tiny");
    for known in TINY.files.iter().filter(|file| file.required) {
        let place = cache.join("snapshots/abc").join(known.path);
        files::copy(&committed().join(known.path), &place).unwrap();
    }
    std::fs::create_dir_all(cache.join("refs")).unwrap();
    std::fs::write(cache.join("refs/main"), "abc").unwrap();
    // The optional file alone is not in the cache: the hub that has none of it is asked.
    let fake = start(Fault::None);
    let hub = hub(&fake.endpoint, &[("HF_HOME", home.path().to_str().unwrap())]);
    let info = ModelStore::new(data.path())
        .pull_with(&hub, &TINY, &Overrides::default(), &mut |_| {})
        .unwrap();
    assert_eq!(info.revision.as_deref(), Some("abc"));
    assert_eq!(fake.asked.lock().unwrap().len(), 1);
}

#[test]
fn unknown_models_and_those_without_a_file_say_what_to_do() {
    let store = ModelStore::new("nowhere");
    let error = store.pull("no-such", &Overrides::default(), &mut |_| {}).unwrap_err();
    assert!(error.hint().unwrap().contains("bge-small-en-v1.5"));
    let error = store.pull("bge-smal-en", &Overrides::default(), &mut |_| {}).unwrap_err();
    assert!(error.hint().unwrap().starts_with("did you mean bge-small-en-v1.5?"), "{error:?}");
    let error = store.pull("CodeRankEmbed", &Overrides::default(), &mut |_| {}).unwrap_err();
    assert!(error.to_string().contains("nomic-ai/CodeRankEmbed"), "{error}");
}

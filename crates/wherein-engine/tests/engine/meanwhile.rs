//! One engine that several threads use: questions while it is refreshed, and questions that somebody calls off.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use wherein_engine::{
    Cancel, Embedder, Engine, EngineOptions, ErrorKind, Event, Mode, ModelIdentity, Result, Role,
    SearchRequest,
};

use crate::double::HashingEmbedder;
use crate::fixture::{Tree, exact, keyword, printed, refresh, regex};

/// Longer than any machine needs.
const LONG: Duration = Duration::from_secs(60);

fn many_files() -> Tree {
    let tree = Tree::new("//- stays.rs\nfn walrus() {}\n");
    for i in 0..60 {
        tree.write(
            format!("src/f{i:02}.rs"),
            format!("fn number_{i}() {{ ostrich() }}\n").repeat(90),
        );
    }
    tree
}

#[test]
fn every_generation_of_a_first_index_answers_as_soon_as_it_is_committed() {
    let tree = many_files();
    let options =
        EngineOptions { commit_every: Duration::ZERO, threads: Some(1), ..tree.options() };
    let engine = Engine::open(options).unwrap();
    assert_eq!(engine.search(&keyword("ostrich")).unwrap_err().kind(), ErrorKind::NotIndexed);
    let seen = Mutex::new(Vec::new());
    let ask = |event| {
        if let Event::Committed { generation } = event {
            let answer = engine.search(&exact("fn number_")).expect("an answer");
            assert_eq!(answer.generation, generation);
            seen.lock().unwrap().push(answer.n_matches);
        }
    };
    engine.refresh(&ask).unwrap();
    let seen = seen.into_inner().unwrap();
    assert!(seen.len() > 2, "one commit proves nothing: {seen:?}");
    assert!(seen.is_sorted() && seen[0] < 5400 && seen.last() == Some(&5400), "{seen:?}");
    assert_eq!(engine.search(&exact("fn number_")).unwrap().n_matches, 5400);
}

#[test]
fn a_question_sees_what_a_refresh_of_another_thread_has_committed() {
    let tree = many_files();
    let engine = tree.engine();
    refresh(&engine);
    let before = engine.search(&keyword("ostrich")).unwrap().generation;
    tree.write("src/new.rs", "fn pelican() {}\n");
    tree.remove("stays.rs");
    std::thread::scope(|scope| {
        scope.spawn(|| refresh(&engine)).join().unwrap();
    });
    let answer = engine.search(&keyword("pelican")).unwrap();
    assert_eq!(
        (answer.generation, printed(&answer.hits)),
        (before + 1, vec!["src/new.rs:1-1".to_owned()])
    );
    assert!(engine.search(&keyword("walrus")).unwrap().hits.is_empty());
    engine.remove_index().unwrap();
    assert_eq!(engine.search(&keyword("pelican")).unwrap_err().kind(), ErrorKind::NotIndexed);
    engine.rebuild(&|_| ()).unwrap();
    assert_eq!(printed(&engine.search(&keyword("pelican")).unwrap().hits), ["src/new.rs:1-1"]);
}

#[test]
fn a_question_does_not_wait_for_a_refresh() {
    let tree = many_files();
    let engine = Engine::open(EngineOptions { threads: Some(1), ..tree.options() }).unwrap();
    refresh(&engine);
    tree.write("src/new.rs", "fn pelican() {}\n");
    let (begun, has_begun) = mpsc::channel();
    let (answered, is_answered) = mpsc::channel();
    let is_answered = Mutex::new(is_answered);
    std::thread::scope(|scope| {
        let engine = &engine;
        scope.spawn(move || {
            has_begun.recv_timeout(LONG).expect("a refresh");
            let found = printed(&engine.search(&keyword("walrus")).unwrap().hits);
            answered.send(found).unwrap();
        });
        let n_events = AtomicUsize::new(0);
        let hold = |_| {
            // The first event comes from the middle of the refresh, which goes on when the question is answered.
            if n_events.fetch_add(1, Ordering::Relaxed) == 0 {
                begun.send(()).unwrap();
                let found = is_answered.lock().unwrap().recv_timeout(LONG).expect("an answer");
                assert_eq!(found, ["stays.rs:1-1"]);
            }
        };
        engine.refresh(&hold).unwrap();
        assert!(n_events.into_inner() > 0);
    });
}

#[test]
fn whoever_cancels_first_gets_no_answer() {
    let tree = many_files();
    let engine = tree.engine();
    refresh(&engine);
    let cancel = Cancel::new();
    let requests = [keyword("ostrich"), exact("ostrich"), regex("ostr.ch"), keyword("\"ostrich\"")]
        .map(|request| SearchRequest { cancel: Some(cancel.clone()), ..request });
    for request in &requests {
        assert!(!engine.search(request).unwrap().hits.is_empty());
    }
    cancel.cancel();
    for request in &requests {
        assert_eq!(engine.search(request).unwrap_err().kind(), ErrorKind::Cancelled);
    }
}

#[test]
fn a_search_through_files_ends_between_them() {
    let tree = Tree::new("");
    for i in 0..200 {
        tree.write(format!("f{i}.txt"), "the heron waits in the reeds\n".repeat(600));
    }
    let engine = Engine::open(EngineOptions { threads: Some(1), ..tree.options() }).unwrap();
    refresh(&engine);
    // How far a search gets before it is told is the machine's business: most are told in time.
    let is_ended = (0..20).any(|_| {
        let cancel = Cancel::new();
        let request = SearchRequest { cancel: Some(cancel.clone()), ..regex("(h|r)e(e|r)+(o|d)") };
        std::thread::scope(|scope| {
            scope.spawn(|| {
                std::thread::sleep(Duration::from_millis(5));
                cancel.cancel();
            });
            engine.search(&request).is_err_and(|e| e.kind() == ErrorKind::Cancelled)
        })
    });
    assert!(is_ended);
}

/// Somebody hangs up while the model works.
#[derive(Debug)]
struct HangsUp {
    model: HashingEmbedder,
    cancel: Cancel,
}

impl Embedder for HangsUp {
    fn identity(&self) -> &ModelIdentity {
        self.model.identity()
    }

    fn count_tokens(&self, role: Role, texts: &[&str]) -> Result<Vec<usize>> {
        self.model.count_tokens(role, texts)
    }

    fn embed(&self, role: Role, texts: &[&str]) -> Result<Vec<Vec<f32>>> {
        if role == Role::Question {
            self.cancel.cancel();
        }
        self.model.embed(role, texts)
    }
}

#[test]
fn a_ranked_search_ends_between_its_stages() {
    let tree = many_files();
    let cancel = Cancel::new();
    let model = HangsUp { model: HashingEmbedder::new("double"), cancel: cancel.clone() };
    let options = EngineOptions { embedder: Some(Arc::new(model)), ..tree.options() };
    let engine = Engine::open(options).unwrap();
    refresh(&engine);
    assert!(!cancel.is_cancelled());
    for mode in [Mode::Hybrid, Mode::Semantic] {
        let request = SearchRequest {
            mode,
            cancel: Some(cancel.clone()),
            ..SearchRequest::new(format!("ostrich {}", mode.as_str()))
        };
        assert_eq!(engine.search(&request).unwrap_err().kind(), ErrorKind::Cancelled);
    }
}

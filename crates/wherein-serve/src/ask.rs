//! What every front does with a question: have the folder made true, wait for a turn, ask the engine, count.
//!
//! The one place where HTTP and MCP meet, so that both give the same answers. Must not know either.

use std::sync::Arc;
use std::time::{Duration, Instant};

use wherein_engine::{
    Answer, Cancel, Error, ErrorKind, Filter, Mode, SearchRequest, SkipCounts, SymbolAnswer,
    SymbolRequest, UsageAnswer, UsageRequest,
};
use wherein_wire::{Code, SearchMeta, SearchResult, SymbolResult, UsageResult};

use crate::code;
use crate::folder::{Folder, Freshness};
use crate::limits::Limits;
use crate::metrics::{Front, Metrics};
use crate::port::Opened;
use crate::refusal::{Outcome, Refusal};

/// Asks folders on behalf of one front.
#[derive(Debug, Clone)]
pub(crate) struct Asker {
    pub(crate) limits: Arc<Limits>,
    pub(crate) metrics: Arc<Metrics>,
    pub(crate) front: Front,
    /// How long a question waits for an index that is being made before it is answered with what there is.
    pub(crate) patience: Duration,
}

/// What has to be said of an answer besides itself.
#[derive(Debug, Default)]
struct Said {
    /// Why the index may not be true to the tree.
    late: Option<String>,
    /// What else was dropped.
    degraded: Vec<String>,
}

impl Said {
    fn add_to(self, degraded: &mut Vec<String>) {
        if let Some(late) = self.late {
            degraded.insert(0, format!("{late}: results so far"));
        }
        degraded.extend(self.degraded);
    }
}

impl Asker {
    /// Answers a question.
    pub(crate) async fn search(
        &self,
        folder: &Arc<Folder>,
        request: SearchRequest,
        highlights: bool,
    ) -> Outcome<SearchResult> {
        let mode = request.mode;
        let nothing = nothing_yet(&request);
        let ask = move |opened: &Opened, cancel: &Cancel| {
            let filter = narrowed(&request.filter, &opened.filter);
            let request = SearchRequest { filter, cancel: Some(cancel.clone()), ..request.clone() };
            search(opened, request)
        };
        let (answer, said, elapsed) = self.ask(folder, mode.as_str(), nothing, ask).await?;
        let mut result = SearchResult::new(answer, SearchMeta { elapsed, highlights });
        said.add_to(&mut result.degraded);
        Ok(result)
    }

    /// Symbols by name.
    pub(crate) async fn symbols(
        &self,
        folder: &Arc<Folder>,
        request: SymbolRequest,
    ) -> Outcome<SymbolResult> {
        let nothing = SymbolAnswer {
            name: request.name.clone(),
            generation: 0,
            symbols: Vec::new(),
            n_matches: 0,
            degraded: Vec::new(),
            skipped: SkipCounts::default(),
        };
        let ask = move |opened: &Opened, _: &Cancel| {
            let filter = narrowed(&request.filter, &opened.filter);
            let request = SymbolRequest { filter, ..request.clone() };
            Ok((opened.engine.symbols(&request)?, Vec::new()))
        };
        let (answer, said, elapsed) = self.ask(folder, "symbols", nothing, ask).await?;
        let mut result = SymbolResult::new(answer, SearchMeta { elapsed, highlights: false });
        said.add_to(&mut result.degraded);
        Ok(result)
    }

    /// Where a name is used.
    pub(crate) async fn usages(
        &self,
        folder: &Arc<Folder>,
        request: UsageRequest,
    ) -> Outcome<UsageResult> {
        let nothing = UsageAnswer {
            name: request.name.clone(),
            generation: 0,
            usages: Vec::new(),
            n_matches: 0,
            n_definitions: 0,
            degraded: Vec::new(),
            skipped: SkipCounts::default(),
        };
        let ask = move |opened: &Opened, _: &Cancel| {
            let filter = narrowed(&request.filter, &opened.filter);
            let request = UsageRequest { filter, ..request.clone() };
            Ok((opened.engine.usages(&request)?, Vec::new()))
        };
        let (answer, said, elapsed) = self.ask(folder, "usages", nothing, ask).await?;
        let mut result = UsageResult::new(answer, SearchMeta { elapsed, highlights: false });
        said.add_to(&mut result.degraded);
        Ok(result)
    }

    /// Lines of a file as it is now; no index is needed for a file.
    pub(crate) async fn code(&self, folder: &Arc<Folder>, wanted: code::Wanted) -> Outcome<Code> {
        let started = Instant::now();
        if let code::Place::Symbol(_) = wanted.place {
            folder.freshen(self.patience).await?;
        }
        let opened = folder.opened();
        let read = self.limits.run(move |_| code::read(&opened.engine, &wanted)).await;
        self.metrics.asked(self.front, "code", started.elapsed(), outcome(&read));
        read
    }

    /// Asks a folder, and counts it under `label`: the answer, what has to be said with it, and how long it took.
    async fn ask<A: Send + 'static>(
        &self,
        folder: &Arc<Folder>,
        label: &'static str,
        nothing: A,
        ask: impl Fn(&Opened, &Cancel) -> wherein_engine::Result<(A, Vec<String>)>
        + Send
        + Sync
        + 'static,
    ) -> Outcome<(A, Said, Duration)> {
        let started = Instant::now();
        let asked = self.answer(folder, &Arc::new(ask)).await;
        let elapsed = started.elapsed();
        self.metrics.asked(self.front, label, elapsed, outcome(&asked));
        let (answer, said) = asked?;
        Ok((answer.unwrap_or(nothing), said, elapsed))
    }

    /// Has the folder made true and asks it; no answer where its first index has committed nothing yet.
    async fn answer<A: Send + 'static>(
        &self,
        folder: &Arc<Folder>,
        ask: &Arc<
            impl Fn(&Opened, &Cancel) -> wherein_engine::Result<(A, Vec<String>)>
            + Send
            + Sync
            + 'static,
        >,
    ) -> Outcome<(Option<A>, Said)> {
        let freshness = folder.freshen(self.patience).await?;
        let asked = match self.once(folder, ask).await {
            Err(Refusal::Engine(error)) if is_mended_by_rebuild(&error) => {
                // Damage deep inside shows only when it is read; the tree is at hand.
                let number = folder.ask(error.kind() == ErrorKind::IndexFormat);
                folder.wait_for(number, self.patience).await?;
                self.once(folder, ask).await
            }
            asked => asked,
        };
        let late = match freshness {
            Freshness::Fresh => None,
            Freshness::Late(told) => Some(told),
        };
        match asked {
            Ok((answer, degraded)) => Ok((Some(answer), Said { late, degraded })),
            Err(Refusal::Engine(error))
                if error.kind() == ErrorKind::NotIndexed && late.is_some() =>
            {
                Ok((None, Said { late, degraded: Vec::new() }))
            }
            Err(refusal) => Err(refusal),
        }
    }

    async fn once<A: Send + 'static>(
        &self,
        folder: &Arc<Folder>,
        ask: &Arc<impl Fn(&Opened, &Cancel) -> wherein_engine::Result<A> + Send + Sync + 'static>,
    ) -> Outcome<A> {
        let (opened, ask) = (folder.opened(), Arc::clone(ask));
        self.limits.run(move |cancel| ask(&opened, &cancel)).await
    }
}

/// Whether another look at the tree makes the index answer.
fn is_mended_by_rebuild(error: &Error) -> bool {
    matches!(error.kind(), ErrorKind::IndexFormat | ErrorKind::ModelMismatch)
}

/// Asks the engine; by words alone where a model fails that nobody asked for by mode.
fn search(
    opened: &Opened,
    request: SearchRequest,
) -> wherein_engine::Result<(Answer, Vec<String>)> {
    let lacks = match request.mode {
        Mode::Hybrid => opened.lacks.clone(),
        _ => Vec::new(),
    };
    match opened.engine.search(&request) {
        Err(error) if error.kind() == ErrorKind::Model && request.mode == Mode::Hybrid => {
            let by_words = SearchRequest { mode: Mode::Keyword, ..request };
            let answer = opened.engine.search(&by_words)?;
            Ok((answer, vec![format!("{error}: ranked by words alone")]))
        }
        answer => Ok((answer?, lacks)),
    }
}

/// What a question says, and what settings say where it says nothing.
fn narrowed(asked: &Filter, usual: &Filter) -> Filter {
    Filter {
        paths: asked.paths.clone(),
        not_paths: asked.not_paths.iter().chain(&usual.not_paths).cloned().collect(),
        languages: or(&asked.languages, &usual.languages),
        kinds: or(&asked.kinds, &usual.kinds),
        symbol_kinds: asked.symbol_kinds.clone(),
    }
}

fn or<T: Clone>(asked: &[T], usual: &[T]) -> Vec<T> {
    if asked.is_empty() { usual.to_vec() } else { asked.to_vec() }
}

/// The answer of an index that is only just begun.
fn nothing_yet(request: &SearchRequest) -> Answer {
    Answer {
        query: request.text.clone(),
        mode: request.mode,
        model: None,
        reranked: None,
        confidence: None,
        generation: 0,
        hits: Vec::new(),
        n_matches: 0,
        degraded: Vec::new(),
        skipped: SkipCounts::default(),
    }
}

fn outcome<T>(asked: &Outcome<T>) -> &'static str {
    match asked {
        Ok(_) => "ok",
        Err(refusal) => refusal.kind(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use wherein_engine::Kind;

    #[test]
    fn a_question_overrules_settings_but_lifts_no_exclusion() {
        let usual = Filter {
            not_paths: vec!["gen".to_owned()],
            languages: vec!["rust".to_owned()],
            kinds: vec![Kind::Source],
            ..Filter::default()
        };
        let asked = Filter {
            not_paths: vec!["docs".to_owned()],
            languages: vec!["go".to_owned()],
            ..Filter::default()
        };
        let narrowed = narrowed(&asked, &usual);
        assert_eq!(narrowed.not_paths, ["docs", "gen"]);
        assert_eq!(narrowed.languages, ["go"]);
        assert_eq!(narrowed.kinds, [Kind::Source]);
    }
}

//! The read story: a question and one immutable generation → hits.
//!
//! `search` tells it in one function: query, filter, retrieve, look again, rank, present. Same generation and same question
//! give the same order, on any machine and thread count.

mod best_lines;
mod code_terms;
mod copies;
mod coverage;
mod dense;
mod evidence;
mod explain;
mod features;
mod filter;
mod fuse;
mod grep;
mod lexical;
mod literal;
mod memory;
mod places;
mod propose;
mod query;
mod question;
mod rank;
mod remarks;
mod shape;
mod snippet;
mod span;
mod symbols;
mod touched;
mod wanted;
mod weights;
mod why_not;

use std::path::Path;

use crate::crew::Crew;
use crate::embed::{self, TermTable};
use crate::error::{Error, Result};
use crate::model::{Candidate, Confidence, Hit, Mode, SkipCounts};
use crate::request::{Answer, Cancel, Proposals, Proposed, SearchRequest};
use crate::store::Generation;
pub(crate) use best_lines::indexed_text_of;
pub(crate) use code_terms::CodeTerms;
pub(crate) use coverage::count as count_touched;
pub(crate) use dense::NO_DOC;
pub use features::{FEATURES, FeatureGroup, FeatureInfo};
pub(crate) use filter::{allowed_files, any_of};
pub(crate) use grep::word_lines;
pub(crate) use lexical::{WORDS as CODE_BM25, WeightedTerm};
pub(crate) use memory::{Epoch, Memory};
pub(crate) use rank::DEPTH;
pub use shape::Shape;
pub(crate) use snippet::read_text;
pub(crate) use touched::Reranker;
pub(crate) use wanted::{Wanted, looked_at, unresolved, wanted};
pub use weights::{Ordered, Ranking, Sureness, Weights};
pub(crate) use why_not::{Asked, not_searched, why_not};

/// Hits of a ranked mode where the request sets no limit.
const DEFAULT_LIMIT: usize = 10;

/// What a search reads.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Corpus<'a> {
    pub(crate) root: &'a Path,
    pub(crate) generation: &'a Generation,
    /// What earlier questions have worked out.
    pub(crate) epoch: &'a Epoch,
    /// Who works on this one.
    pub(crate) crew: &'a Crew<'a>,
}

/// A question's vector, made by the model whose vectors the generation holds.
#[derive(Debug, Clone)]
pub(crate) struct Meaning<'m> {
    pub(crate) model: String,
    /// Zeros where the model knows nothing of the question: then nothing is found by meaning.
    pub(crate) vector: Vec<f32>,
    /// Of a model that is nothing else.
    pub(crate) table: Option<&'m TermTable>,
}

/// Hits with what is said of them.
#[derive(Debug, Default)]
struct Found {
    hits: Vec<Hit>,
    n_matches: u64,
    outcome: touched::Outcome,
    confidence: Option<Confidence>,
}

/// Answers `request`; by words alone where there is neither `meaning` nor `reranker`. Freshness, skip counts and refresh notices are the caller's.
pub(crate) fn search(
    corpus: Corpus<'_>,
    request: &SearchRequest,
    meaning: Option<&Meaning<'_>>,
    reranker: Option<&Reranker<'_>>,
) -> Result<Answer> {
    let allowed = filter::allowed_files(corpus.generation, &request.filter)?;
    let mut degraded = Vec::new();
    let Found { hits, n_matches, outcome, confidence } = match request.mode {
        Mode::Keyword | Mode::Hybrid | Mode::Semantic => {
            let query = query::parse(&request.text);
            let mentioned = places::mentioned(corpus.generation, &query.question);
            degraded = remarks::of(&query.question, &mentioned, meaning);
            ranked(corpus, request, (&query, &mentioned), (meaning, reranker), &allowed)?
        }
        Mode::Exact | Mode::Regex => Found::of(grep::search(corpus, request, &allowed)?),
    };
    Ok(Answer {
        query: request.text.clone(),
        mode: match request.mode {
            Mode::Hybrid if meaning.is_none() && outcome.reranked.is_none() => Mode::Keyword,
            mode => mode,
        },
        model: meaning.map(|meaning| meaning.model.clone()),
        reranked: outcome.reranked,
        confidence: confidence.filter(|_| !hits.is_empty()),
        generation: corpus.generation.manifest.generation,
        hits,
        n_matches,
        degraded: degraded.into_iter().chain(outcome.degraded).collect(),
        skipped: SkipCounts::default(),
    })
}

impl Found {
    fn of((hits, n_matches): (Vec<Hit>, u64)) -> Found {
        Found { hits, n_matches, ..Found::default() }
    }
}

/// Ranked by words, by meaning, or by both: retrieve, propose, rank, compare the first again, put copies together, present.
fn ranked(
    corpus: Corpus<'_>,
    request: &SearchRequest,
    (query, mentioned): (&query::Query, &places::Mentioned),
    (meaning, reranker): (Option<&Meaning<'_>>, Option<&Reranker<'_>>),
    allowed: &[bool],
) -> Result<Found> {
    let go_on = || Cancel::check(request.cancel.as_ref());
    let literal = literal::Literals::find(corpus, request, &query.literals, allowed)?;
    if query.is_empty() && query.literals.len() < 2 && meaning.is_none() {
        return literal.hits(corpus, request, allowed).map(Found::of);
    }
    let limit = request.limit.unwrap_or(DEFAULT_LIMIT);
    let depth = touched::depth(reranker, limit + 2 * copies::SPARE);
    let keep =
        if is_weighed(request, meaning) { propose::reach(request, depth) } else { usize::MAX };
    let accepts = |file: usize, start: u32, end: u32| {
        allowed[file]
            && literal.accepts(file, start, end)
            && symbols::has_kind(corpus.generation, &request.filter, file, (start, end))
    };
    let retrieved = Retrieved::of(corpus, request, (query, mentioned), meaning, (&accepts, keep))?;
    go_on()?;
    let (scored, confidence) = retrieved.rank(corpus, request, query, meaning, depth)?;
    go_on()?;
    let n_matches = retrieved.by_words.n_all.max(retrieved.by_meaning.len()) as u64;
    let scored = scored.into_iter().take(depth).collect();
    let mut hits = rank::shape(corpus.generation, scored);
    let outcome = touched::rerank(corpus, reranker, &mut hits)?;
    go_on()?;
    let mut hits: Vec<rank::Ranked> = match request.mode {
        // The plain cosine, as published measurements list it.
        Mode::Semantic => hits.into_iter().take(limit).collect(),
        _ => span::merge(copies::together(corpus, hits, limit + copies::SPARE), limit),
    };
    rank::name(corpus, query, &request.filter, &mut hits)?;
    if request.explain {
        let question = retrieved.question(request, query, meaning);
        let explainer = explain::Explainer::of(corpus, &question, outcome.reranked.as_ref())?;
        explainer.explain(&mut hits)?;
    }
    if request.snippets {
        let marker = snippet::Marker::new(query, &retrieved.terms);
        snippet::fill(corpus, &marker, request.context, &mut hits);
    }
    let hits = hits.into_iter().map(|ranked| ranked.hit).collect();
    Ok(Found { hits, n_matches, outcome, confidence })
}

/// What both ways to look found.
struct Retrieved {
    terms: Vec<lexical::WeightedTerm>,
    by_words: lexical::ByWords,
    by_meaning: Vec<Candidate>,
    /// What the question names by path and line.
    leading: Vec<Candidate>,
}

impl Retrieved {
    fn of(
        corpus: Corpus<'_>,
        request: &SearchRequest,
        (query, mentioned): (&query::Query, &places::Mentioned),
        meaning: Option<&Meaning<'_>>,
        (accepts, keep): (&(dyn Fn(usize, u32, u32) -> bool + Sync), usize),
    ) -> Result<Retrieved> {
        let generation = corpus.generation;
        let terms = lexical::resolve(generation, query)?;
        let gate = lexical::Gate { accepts, without_terms: !query.literals.is_empty() };
        let limit = request.limit.unwrap_or(DEFAULT_LIMIT);
        let by_meaning = match meaning {
            Some(meaning) => {
                let at_work = (generation, corpus.crew);
                dense::retrieve(at_work, &meaning.vector, accepts, limit)?
            }
            None => Vec::new(),
        };
        if request.mode == Mode::Semantic {
            let by_meaning = look_again(corpus, request, meaning, by_meaning)?;
            let by_words = lexical::ByWords::default();
            return Ok(Retrieved { terms, by_words, by_meaning, leading: Vec::new() });
        }
        Cancel::check(request.cancel.as_ref())?;
        let by_words = lexical::retrieve(corpus, &terms, &gate, keep)?;
        let leading = places::leading(generation, &query.question, mentioned, &accepts)?;
        Ok(Retrieved { terms, by_words, by_meaning, leading })
    }

    fn lists(&self) -> fuse::Lists<'_> {
        fuse::Lists { by_words: &self.by_words.first, by_meaning: &self.by_meaning }
    }

    /// Everything in its order. The weights of the ranking know words and the built-in model; vectors of another one, and
    /// whoever asks for a way to fuse, get the two lists fused.
    fn rank(
        &self,
        corpus: Corpus<'_>,
        request: &SearchRequest,
        query: &query::Query,
        meaning: Option<&Meaning<'_>>,
        depth: usize,
    ) -> Result<(Vec<rank::Scored>, Option<Confidence>)> {
        if let Some(list) = corpus.generation.published.as_ref().and_then(|p| p.by_server.as_ref())
        {
            return Ok((self.as_served(list), None));
        }
        if is_weighed(request, meaning) {
            let question = self.question(request, query, meaning);
            let (scored, confidence) =
                propose::rank(corpus, &question, &self.lists(), &self.leading, depth)?;
            return Ok((scored, Some(confidence)));
        }
        let fusion = request.fusion.unwrap_or_default();
        let wanted = rank::Wanted { mode: request.mode, fusion, limit: depth };
        let fused = |lists: &fuse::Lists<'_>| rank::rank(corpus.generation, query, lists, wanted);
        if self.leading.is_empty() {
            return Ok((fused(&self.lists()), None));
        }
        let (mut by_words, mut by_meaning) = (self.by_words.first.clone(), self.by_meaning.clone());
        places::lead(&self.leading, [&mut by_words, &mut by_meaning]);
        Ok((fused(&fuse::Lists { by_words: &by_words, by_meaning: &by_meaning }), None))
    }

    /// The list of a server that fused both by itself.
    fn as_served(&self, list: &[Candidate]) -> Vec<rank::Scored> {
        let places = fuse::Places::of(&self.lists());
        let scored = list.iter().map(|candidate| {
            let (by_words, by_meaning) = places.find(candidate);
            let fused =
                fuse::Fused { candidate: *candidate, by_words, by_meaning, score: candidate.score };
            rank::Scored::below(fused, candidate.score)
        });
        scored.collect()
    }

    fn question<'q>(
        &'q self,
        request: &'q SearchRequest,
        query: &'q query::Query,
        meaning: Option<&'q Meaning<'q>>,
    ) -> propose::Question<'q> {
        let settings = request.best_lines;
        propose::Question { text: &request.text, query, terms: &self.terms, meaning, settings }
    }
}

/// Whether places are ordered by the weights of the ranking, which know words and the built-in model.
fn is_weighed(request: &SearchRequest, meaning: Option<&Meaning<'_>>) -> bool {
    let is_known = meaning.is_none_or(|meaning| meaning.table.is_some());
    request.mode != Mode::Semantic && request.fusion.is_none() && is_known
}

/// The list by meaning with its first candidates judged by their best lines, too.
fn look_again(
    corpus: Corpus<'_>,
    request: &SearchRequest,
    meaning: Option<&Meaning<'_>>,
    by_meaning: Vec<Candidate>,
) -> Result<Vec<Candidate>> {
    let has_meaning = |meaning: &&Meaning<'_>| embed::has_meaning(&meaning.vector);
    let stage = meaning
        .filter(has_meaning)
        .and_then(|meaning| best_lines::Stage::of(corpus, meaning, request.best_lines));
    match stage {
        Some(stage) => stage.rescore(&by_meaning, 2 * request.best_lines.n_candidates),
        None => Ok(by_meaning),
    }
}

/// The places that a ranking would order, with their features: what weights are fitted on.
pub(crate) fn proposals(
    corpus: Corpus<'_>,
    request: &SearchRequest,
    meaning: Option<&Meaning<'_>>,
) -> Result<Proposals> {
    let allowed = filter::allowed_files(corpus.generation, &request.filter)?;
    let query = query::parse(&request.text);
    let mentioned = places::Mentioned::default();
    let accepts = |file: usize, _, _| allowed[file];
    let retrieved =
        Retrieved::of(corpus, request, (&query, &mentioned), meaning, (&accepts, usize::MAX))?;
    let question = retrieved.question(request, &query, meaning);
    let pool = propose::Pool::gather(corpus, &question, &retrieved.lists(), &[])?;
    let place = |candidate: &Candidate| {
        let file = corpus.generation.source_file(candidate.file_idx as usize);
        Proposed {
            path: file.map(|(entry, _)| entry.path.text.clone()).unwrap_or_default(),
            file: candidate.file_idx,
            start_line: candidate.start_line,
            end_line: candidate.end_line,
        }
    };
    let places = pool.candidates.iter().map(place).collect();
    Ok(Proposals { shape: pool.shape, places, features: pool.features })
}

/// Refuses what cannot be asked.
pub(crate) fn check(request: &SearchRequest) -> Result<()> {
    // White space asks nothing of a ranked mode; to `grep` a tab is a text like any other.
    let asked = match request.mode {
        mode if mode.is_ranked() => request.text.trim(),
        _ => request.text.as_str(),
    };
    if asked.is_empty() {
        return Err(Error::usage("the question is empty")
            .with_hint(r#"ask for something: wherein "parse the config file""#));
    }
    if request.text.len() > SearchRequest::MAX_BYTES {
        let n_bytes = request.text.len();
        return Err(Error::usage(format!("the question has {n_bytes} bytes"))
            .with_hint("the most is 65,536; ask with the few lines that matter"));
    }
    if !request.mode.is_ranked() && !request.filter.symbol_kinds.is_empty() {
        return Err(Error::usage("lines have no symbols")
            .with_hint("filter by kind of symbol in the modes hybrid, keyword and semantic"));
    }
    if request.limit == Some(0) {
        return Err(Error::usage("a limit of 0 asks for nothing").with_hint("give -k 1 or more"));
    }
    Ok(())
}

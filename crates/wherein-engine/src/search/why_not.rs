//! Why a place is not higher: the same road as a search, followed by one place.
//!
//! Every stage is the one that answers questions, so that this cannot differ from an answer. Must not rank by itself.

mod losses;

use super::copies;
use super::explain::Explainer;
use super::propose::Question;
use super::rank::{self, Ranked, Scored};
use super::{
    Corpus, DEFAULT_LIMIT, Meaning, Reranker, Retrieved, evidence, filter, literal, places, query,
    remarks, snippet, span, symbols, touched,
};
use crate::error::{Error, Result};
use crate::model::{Candidate, Copy, Hit, Mode};
use crate::request::{Filter, SearchRequest, Standing, WhyPlace};

/// Hits that a place is told beside: the first, and the last of these.
const N_FIRST: usize = 10;
/// Places of a list that is not weighed: what lies below is not looked at again.
const DEPTH: usize = 1000;

/// The place that is asked about, in a file that the index holds.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Asked<'a> {
    pub(crate) path: &'a str,
    /// Its position in the file table.
    pub(crate) file_idx: usize,
    /// 1-based, inclusive; `None` for the whole file.
    pub(crate) lines: Option<(u32, u32)>,
}

/// A verdict with its sentence.
type Verdict = (Standing, String);

/// Says where the place stands for the question of `request`, and why.
pub(crate) fn why_not(
    corpus: Corpus<'_>,
    request: &SearchRequest,
    asked: Asked<'_>,
    meaning: Option<&Meaning<'_>>,
    reranker: Option<&Reranker<'_>>,
) -> Result<WhyPlace> {
    if !request.mode.is_ranked() {
        return Err(Error::usage(format!("{} mode ranks nothing", request.mode.as_str()))
            .with_hint("ask in hybrid, keyword or semantic mode"));
    }
    let chunks = chunks(corpus, &asked)?;
    let request = SearchRequest { limit: Some(DEPTH), ..request.clone() };
    let query = query::parse(&request.text);
    let mentioned = places::mentioned(corpus.generation, &query.question);
    let allowed = filter::allowed_files(corpus.generation, &request.filter)?;
    let mut why = empty(&request, &asked);
    if meaning.is_none() && why.mode == Mode::Hybrid && reranker.is_none() {
        why.mode = Mode::Keyword;
    }
    why.degraded = remarks::of(&query.question, &mentioned, meaning);
    if query.is_empty() && query.literals.len() == 1 && meaning.is_none() {
        return Err(Error::usage(
            "a question of nothing but quoted text lists lines and ranks nothing",
        )
        .with_hint("ask with words, too"));
    }
    let literal = literal::Literals::find(corpus, &request, &query.literals, &allowed)?;
    let has_kind = |file: usize, lines: (u32, u32)| {
        symbols::has_kind(corpus.generation, &request.filter, file, lines)
    };
    let accepts = |file: usize, start: u32, end: u32| {
        allowed[file] && literal.accepts(file, start, end) && has_kind(file, (start, end))
    };
    let retrieved =
        Retrieved::of(corpus, &request, (&query, &mentioned), meaning, (&accepts, usize::MAX))?;
    let (scored, _) = retrieved.rank(corpus, &request, &query, meaning, usize::MAX)?;
    why.n_candidates = scored.len() as u64;
    let absent = match position(&scored, &chunks) {
        Some(_) => None,
        None => Some(absent(corpus, &request, asked.file_idx, &chunks, meaning, &|chunk| {
            literal.accepts(asked.file_idx, chunk.start_line, chunk.end_line)
        })?),
    };
    let question = retrieved.question(&request, &query, meaning);
    let road = Road { corpus, request: &request, question, reranker };
    road.follow(scored, &chunks, absent, &mut why)?;
    Ok(why)
}

fn empty(request: &SearchRequest, asked: &Asked<'_>) -> WhyPlace {
    WhyPlace {
        query: request.text.clone(),
        mode: request.mode,
        path: asked.path.to_owned(),
        lines: asked.lines,
        standing: Standing::NoMatch,
        told: String::new(),
        rank: None,
        n_candidates: 0,
        place: None,
        copy_of: None,
        first: None,
        tenth: None,
        losses: Vec::new(),
        degraded: Vec::new(),
    }
}

/// A place that is not searched, with the rule that says so.
pub(crate) fn not_searched(
    request: &SearchRequest,
    path: &str,
    lines: Option<(u32, u32)>,
    told: String,
) -> WhyPlace {
    let asked = Asked { path, file_idx: 0, lines };
    WhyPlace { standing: Standing::NotSearched, told, ..empty(request, &asked) }
}

/// The chunks at the place; an error where there is none.
fn chunks(corpus: Corpus<'_>, asked: &Asked<'_>) -> Result<Vec<Candidate>> {
    let path = asked.path;
    let mut chunks = places::chunks_of(corpus.generation, asked.file_idx)?;
    let Some((first, last)) = asked.lines else {
        return match chunks.is_empty() {
            true => Err(Error::usage(format!("{path} has nothing but white space"))),
            false => Ok(chunks),
        };
    };
    chunks.retain(|chunk| chunk.start_line <= last && chunk.end_line >= first);
    if !chunks.is_empty() {
        return Ok(chunks);
    }
    let text = snippet::read_text(corpus, asked.file_idx).unwrap_or_default();
    let n_lines = text.lines().count();
    if first == 0 || first as usize > n_lines {
        return Err(Error::usage(format!("{path} has {n_lines} lines and no line {first}"))
            .with_hint("lines are counted from 1, as editors do"));
    }
    Err(Error::usage(format!("line {first} of {path} belongs to no chunk: it is blank"))
        .with_hint("name a line with text, or the file alone for its best chunk"))
}

/// Where the first of the chunks stands.
fn position(scored: &[Scored], chunks: &[Candidate]) -> Option<usize> {
    let is_asked = |one: &Scored| chunks.iter().any(|c| places::is_same(c, &one.fused.candidate));
    scored.iter().position(is_asked)
}

/// Why none of the chunks is a candidate.
fn absent(
    corpus: Corpus<'_>,
    request: &SearchRequest,
    file_idx: usize,
    chunks: &[Candidate],
    meaning: Option<&Meaning<'_>>,
    has_quoted: &dyn Fn(&Candidate) -> bool,
) -> Result<Verdict> {
    if let Some(told) = filtered(corpus, &request.filter, file_idx, chunks)? {
        return Ok((Standing::Filtered, told));
    }
    let told = if !chunks.iter().any(has_quoted) {
        "it does not hold the text that the question quotes".to_owned()
    } else if request.mode == Mode::Semantic {
        format!("it is not among the {DEPTH} places that are closest in meaning")
    } else if meaning.is_some() {
        format!(
            "it has no word of the question, and is not among the {DEPTH} places that are closest in meaning"
        )
    } else {
        "it has no word of the question".to_owned()
    };
    Ok((Standing::NoMatch, told))
}

/// The filter that leaves the place out, if one does.
fn filtered(
    corpus: Corpus<'_>,
    filter: &Filter,
    file_idx: usize,
    chunks: &[Candidate],
) -> Result<Option<String>> {
    let Filter { paths, not_paths, languages, kinds, symbol_kinds } = filter.clone();
    let none = Filter::default;
    let each = [
        ("only other paths were asked for", Filter { paths, ..none() }),
        ("paths like it were left out", Filter { not_paths, ..none() }),
        ("only other languages were asked for", Filter { languages, ..none() }),
        ("only other kinds of file were asked for", Filter { kinds, ..none() }),
    ];
    for (told, alone) in each {
        if !filter::allowed_files(corpus.generation, &alone)?[file_idx] {
            return Ok(Some(told.to_owned()));
        }
    }
    let alone = Filter { symbol_kinds, ..none() };
    let has_kind = |chunk: &Candidate| {
        let lines = (chunk.start_line, chunk.end_line);
        symbols::has_kind(corpus.generation, &alone, file_idx, lines)
    };
    let told = "it holds no symbol of the kinds that were asked for";
    Ok((!chunks.iter().any(has_kind)).then(|| told.to_owned()))
}

/// What the last stages need.
struct Road<'a> {
    corpus: Corpus<'a>,
    request: &'a SearchRequest,
    question: Question<'a>,
    reranker: Option<&'a Reranker<'a>>,
}

impl Road<'_> {
    /// Presents the first hits and the place, compares and folds them as a search does, and tells the difference.
    fn follow(
        &self,
        mut scored: Vec<Scored>,
        chunks: &[Candidate],
        absent: Option<Verdict>,
        why: &mut WhyPlace,
    ) -> Result<()> {
        let position = position(&scored, chunks);
        let is_weighed = |at: usize| !scored[at].features.is_empty() || !is_ranking(&scored);
        let is_beyond = position.is_some_and(|at| !is_weighed(at));
        let depth = touched::depth(self.reranker, N_FIRST + 2 * copies::SPARE);
        let n = position.filter(|_| !is_beyond).map_or(depth, |at| depth.max(at + 1));
        let beyond = position.filter(|at| *at >= n).map(|at| scored.swap_remove(at));
        scored.truncate(n);
        let mut hits = self.present(scored)?;
        let outcome = touched::rerank(self.corpus, self.reranker, &mut hits)?;
        why.degraded.extend(outcome.degraded);
        let is_asked = |one: &&Ranked| chunks.iter().any(|c| places::is_same(c, &one.candidate));
        let place = match beyond {
            Some(mut beyond) => {
                // Whether it has a word of the question is asked of its segment.
                let candidate = std::slice::from_mut(&mut beyond.fused.candidate);
                evidence::locate(self.corpus.generation, candidate)?;
                self.present(vec![beyond])?.pop()
            }
            None => hits.iter().find(is_asked).cloned(),
        };
        let n_hits = hits.len();
        let hits = match self.request.mode {
            Mode::Semantic => hits,
            _ => span::merge_first(copies::together(self.corpus, hits, n_hits), N_FIRST),
        };
        let explainer = Explainer::of(self.corpus, &self.question, outcome.reranked.as_ref())?;
        let mut told = Told { explainer, why };
        told.beside(&hits)?;
        if let Some(place) = place {
            let beyond = position.filter(|_| is_beyond).map(|at| at + 1);
            told.place(place, &hits, beyond)?;
        } else if let Some((standing, sentence)) = absent {
            (told.why.standing, told.why.told) = (standing, sentence);
        }
        Ok(())
    }

    fn present(&self, scored: Vec<Scored>) -> Result<Vec<Ranked>> {
        rank::present(self.corpus, self.question.query, &self.request.filter, scored)
    }
}

/// Whether places were weighed by their features, and not fused or ranked by one list.
fn is_ranking(scored: &[Scored]) -> bool {
    scored.first().is_some_and(|first| !first.features.is_empty())
}

fn find(hits: &[Ranked], place: &Ranked) -> Option<usize> {
    // A neighbour that became one with another hit lies within that hit's lines.
    let is_within = |ranked: &Ranked| {
        ranked.candidate.file_idx == place.candidate.file_idx
            && ranked.hit.start_line <= place.hit.start_line
            && ranked.hit.end_line >= place.hit.end_line
    };
    let own = hits.iter().position(|r| places::is_same(&r.candidate, &place.candidate));
    own.or_else(|| hits.iter().position(is_within))
}

/// The hit that names the place as its copy.
fn original(hits: &[Ranked], place: &Hit) -> Option<usize> {
    let is_it = |copy: &Copy| copy.path == place.path && copy.start_line == place.start_line;
    hits.iter().position(|ranked| ranked.hit.copies.iter().any(is_it))
}

/// Writes down what is found.
struct Told<'a> {
    explainer: Explainer<'a>,
    why: &'a mut WhyPlace,
}

impl Told<'_> {
    /// The hits that the place is told beside.
    fn beside(&mut self, hits: &[Ranked]) -> Result<()> {
        let explained = |ranked: Option<&Ranked>| {
            let mut ranked = ranked.cloned();
            ranked.as_mut().map_or(Ok(None), |ranked| self.explainer.explain_one(ranked))?;
            Ok(ranked.map(|ranked| ranked.hit))
        };
        self.why.first = explained(hits.first())?;
        self.why.tenth = explained(hits.get(N_FIRST.min(hits.len()).saturating_sub(1)))?;
        Ok(())
    }

    /// The place itself, which was weighed, or stands at a place `beyond` those that were.
    fn place(&mut self, mut place: Ranked, hits: &[Ranked], beyond: Option<usize>) -> Result<()> {
        let has = self.explainer.explain_one(&mut place)?;
        let lacking = has.map(|has| self.explainer.lacking(has)).unwrap_or_default();
        let original = original(hits, &place.hit);
        let at = find(hits, &place).or(original);
        let rank = beyond.or(at.map(|at| at + 1));
        let why = &mut *self.why;
        why.standing = if beyond.is_some() { Standing::Beyond } else { Standing::Ranked };
        why.rank = rank.map(|rank| rank as u64);
        why.copy_of = original.map(|at| copy_of(&hits[at].hit));
        why.told = sentence(why);
        let is_behind = beyond.is_none() && rank != Some(1);
        if let Some(first) = why.first.as_ref().filter(|_| is_behind) {
            why.losses = losses::of(first, &place.hit, &lacking);
        }
        why.place = Some(place.hit);
        Ok(())
    }
}

fn copy_of(hit: &Hit) -> Copy {
    Copy { path: hit.path.clone(), start_line: hit.start_line, end_line: hit.end_line }
}

/// Where a place stands, in a sentence.
fn sentence(why: &WhyPlace) -> String {
    let (n, rank) = (why.n_candidates, why.rank.unwrap_or_default());
    let rank_of = format!("#{rank} of {n}");
    if let Some(Copy { path, start_line, end_line }) = &why.copy_of {
        return format!(
            "its text is that of {path}:{start_line}-{end_line}, which is {rank_of} and shown in its stead"
        );
    }
    match why.standing {
        Standing::Beyond => format!(
            "{rank_of}: too far down both lists, by words and by meaning, to be weighed against the others"
        ),
        _ if rank == 1 => format!("the first of {n}"),
        _ if rank <= DEFAULT_LIMIT as u64 => format!("{rank_of}, among the first ten"),
        _ => rank_of,
    }
}

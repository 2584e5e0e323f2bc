//! How candidates are asked for: both lists in one batch, or fused by the server in one request.
//!
//! A batch that is late is asked for list by list, so that one of them may still come in time. Must not rank.

use std::future::Future;
use std::time::Duration;

use qdrant_client::qdrant::{
    Condition, Filter, IdfParams, PrefetchQueryBuilder, Query, QueryBatchPointsBuilder,
    QueryPoints, QueryPointsBuilder, RrfBuilder, ScoredPoint, SearchParams, SearchParamsBuilder,
    VectorInput,
};
use wherein_engine::{
    CandidateFilter, CandidateQuestion, Candidates, FoundChunk, Result, SparseVector,
};

use crate::client::{Client, QUESTION_PATIENCE};
use crate::payload::{
    self, CHUNK, DENSE, FOLDERS, FOUND, KIND, LANGUAGE, PATH, REPOSITORY, SPARSE, SYMBOL_KINDS,
    WHAT,
};
use crate::trouble;

/// Neighbours that are looked at, at least: fewer lose some of them. Where more are wanted, as many are looked at.
const BEAM: u64 = 160;

/// Asks for candidates.
pub(crate) async fn candidates(
    client: &Client,
    question: &CandidateQuestion,
) -> Result<Candidates> {
    let filter = filter(&question.filter);
    if let Some(k) = question.fuse {
        let request = fused(client, question, &filter, k);
        let points = within(client, question.deadline, one(client, request)).await?;
        return Ok(Candidates { fused: found(&points), ..Candidates::default() });
    }
    let sparse = question.sparse.as_ref().map(|asked| by_words(client, question, asked, &filter));
    let dense = question.dense.as_ref().map(|asked| by_meaning(client, question, asked, &filter));
    let lists: Vec<QueryPoints> = sparse.iter().chain(&dense).cloned().collect();
    // Half of the time is left for each list by itself.
    let patience = question.deadline.map(|deadline| deadline / lists.len().max(1) as u32);
    match within(client, patience, batch(client, lists)).await {
        Ok(answers) => {
            let mut answers = answers.iter().map(|list| found(list));
            let by_words = sparse.and_then(|_| answers.next()).unwrap_or_default();
            let by_meaning = dense.and_then(|_| answers.next()).unwrap_or_default();
            Ok(Candidates { by_words, by_meaning, ..Candidates::default() })
        }
        Err(error) if sparse.is_some() && dense.is_some() => {
            match error.kind() {
                wherein_engine::ErrorKind::Network => {}
                _ => return Err(error),
            }
            apart(client, patience, (sparse, dense)).await
        }
        Err(error) => Err(error),
    }
}

/// Each list by itself: what comes in time is an answer, what does not is said.
async fn apart(
    client: &Client,
    deadline: Option<Duration>,
    (sparse, dense): (Option<QueryPoints>, Option<QueryPoints>),
) -> Result<Candidates> {
    let ask = async |request: Option<QueryPoints>| match request {
        Some(request) => {
            within(client, deadline, one(client, request)).await.map(|points| found(&points))
        }
        None => Ok(Vec::new()),
    };
    let (by_words, by_meaning) = tokio::join!(ask(sparse), ask(dense));
    let mut degraded = Vec::new();
    if let (Err(error), Err(_)) = (&by_words, &by_meaning) {
        return Err(error.clone());
    }
    let mut or_none = |list: Result<Vec<FoundChunk>>, what: &str| {
        list.unwrap_or_else(|error| {
            degraded.push(format!("no candidates {what}: {error}"));
            Vec::new()
        })
    };
    let (by_words, by_meaning) = (or_none(by_words, "by words"), or_none(by_meaning, "by meaning"));
    Ok(Candidates { by_words, by_meaning, degraded, ..Candidates::default() })
}

async fn one(client: &Client, request: QueryPoints) -> Result<Vec<ScoredPoint>> {
    let asked = || client.qdrant.query(request.clone());
    Ok(client.tried(QUESTION_PATIENCE, asked).await?.result)
}

async fn batch(client: &Client, lists: Vec<QueryPoints>) -> Result<Vec<Vec<ScoredPoint>>> {
    let request = QueryBatchPointsBuilder::new(&client.options.collection, lists).build();
    let asked = || client.qdrant.query_batch(request.clone());
    let answer = client.tried(QUESTION_PATIENCE, asked).await?;
    Ok(answer.result.into_iter().map(|list| list.result).collect())
}

/// The answer, where it is there in time.
pub(crate) async fn within<T>(
    client: &Client,
    deadline: Option<Duration>,
    work: impl Future<Output = Result<T>>,
) -> Result<T> {
    match deadline {
        None => work.await,
        Some(deadline) => match tokio::time::timeout(deadline, work).await {
            Ok(answer) => answer,
            Err(_) => {
                let mut options = client.options.clone();
                options.timeout = deadline;
                Err(trouble::late(&options))
            }
        },
    }
}

fn by_words(
    client: &Client,
    question: &CandidateQuestion,
    asked: &SparseVector,
    filter: &Filter,
) -> QueryPoints {
    let input = VectorInput::new_sparse(asked.indices.clone(), asked.values.clone());
    let mut request = list(client, question, (SPARSE, input), filter);
    if question.with_sparse {
        request.with_vectors = Some(payload::only_vector(SPARSE).into());
    }
    request
}

fn by_meaning(
    client: &Client,
    question: &CandidateQuestion,
    asked: &[f32],
    filter: &Filter,
) -> QueryPoints {
    list(client, question, (DENSE, VectorInput::new_dense(asked.to_vec())), filter)
}

fn list(
    client: &Client,
    question: &CandidateQuestion,
    (vector, input): (&str, VectorInput),
    filter: &Filter,
) -> QueryPoints {
    QueryPointsBuilder::new(&client.options.collection)
        .query(Query::new_nearest(input))
        .using(vector)
        .filter(filter.clone())
        .params(params(question, vector))
        .limit(question.limit as u64)
        .with_payload(payload::only(&FOUND))
        .build()
}

fn fused(client: &Client, question: &CandidateQuestion, filter: &Filter, k: u32) -> QueryPoints {
    let prefetch = |vector: &str, input: VectorInput| {
        PrefetchQueryBuilder::default()
            .query(Query::new_nearest(input))
            .using(vector)
            .filter(filter.clone())
            .params(params(question, vector))
            .limit(question.limit as u64)
            .build()
    };
    let sparse = question.sparse.as_ref().map(|asked| {
        prefetch(SPARSE, VectorInput::new_sparse(asked.indices.clone(), asked.values.clone()))
    });
    let dense =
        question.dense.as_ref().map(|asked| prefetch(DENSE, VectorInput::new_dense(asked.clone())));
    QueryPointsBuilder::new(&client.options.collection)
        .prefetch(sparse.into_iter().chain(dense).collect::<Vec<_>>())
        .query(Query::new_rrf(RrfBuilder::with_k(k)))
        .limit(question.limit as u64)
        .with_payload(payload::only(&FOUND))
        .build()
}

/// Servers that can do so count how rare a term is among what is asked for, as a local index does; older ones pass over that
/// wish and count the whole collection.
fn params(question: &CandidateQuestion, vector: &str) -> SearchParams {
    let params = SearchParamsBuilder::default().exact(question.exact);
    match vector {
        SPARSE => {
            let tenants = repositories(&question.filter.repositories);
            let corpus = (!tenants.is_empty()).then(|| Filter::must(tenants));
            params.idf(IdfParams { corpus }).build()
        }
        _ => params.hnsw_ef(BEAM.max(question.limit as u64)).build(),
    }
}

fn repositories(names: &[String]) -> Vec<Condition> {
    match names {
        [] => Vec::new(),
        names => vec![Condition::matches(REPOSITORY, names.to_vec())],
    }
}

/// Every condition at once; folders and paths are one.
fn filter(wanted: &CandidateFilter) -> Filter {
    let CandidateFilter { repositories: names, languages, kinds, symbol_kinds, folders, paths } =
        wanted;
    let mut must = repositories(names);
    must.push(Condition::matches(WHAT, CHUNK.to_owned()));
    let mut any_of = |field: &str, values: Vec<String>| {
        if !values.is_empty() {
            must.push(Condition::matches(field, values));
        }
    };
    any_of(LANGUAGE, languages.clone());
    any_of(KIND, kinds.iter().map(|kind| kind.as_str().to_owned()).collect());
    any_of(SYMBOL_KINDS, symbol_kinds.iter().map(|kind| kind.as_str().to_owned()).collect());
    let places: Vec<Condition> = [(FOLDERS, folders), (PATH, paths)]
        .into_iter()
        .filter(|(_, values)| !values.is_empty())
        .map(|(field, values)| Condition::matches(field, values.clone()))
        .collect();
    if !places.is_empty() {
        must.push(Filter::should(places).into());
    }
    Filter::must(must)
}

fn found(points: &[ScoredPoint]) -> Vec<FoundChunk> {
    points.iter().filter_map(payload::found).collect()
}

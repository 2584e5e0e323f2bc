//! Questions over HTTP: search, symbols, usages, code.

use axum::extract::{RawQuery, State};
use axum::response::Json;
use serde::Serialize;
use utoipa::ToSchema;
use wherein_wire::{Code, SearchResult, SymbolResult, UsageResult};

use super::App;
use super::problem::Problem;
use super::query::Query;
use crate::refusal::Outcome;

/// An answer with the index that gave it.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct Of<T> {
    /// The id of the index.
    index: String,
    #[serde(flatten)]
    answer: T,
}

fn of<T>(folder: &crate::folder::Folder, answer: T) -> Json<Of<T>> {
    Json(Of { index: folder.id.clone(), answer })
}

/// Finds code by meaning and by name.
#[utoipa::path(get, path = "/api/search", tag = "questions",
    params(
        ("q" = String, Query, description = "The question, the text or the pattern"),
        ("index" = Option<String>, Query, description = "The index; may be left out where there is one"),
        ("mode" = Option<String>, Query, description = "hybrid (default), keyword, semantic, exact or regex"),
        ("limit" = Option<u32>, Query, description = "1 to 100 (10)"),
        ("path" = Option<Vec<String>>, Query, description = "Only files that match: folders, files or globs"),
        ("not_path" = Option<Vec<String>>, Query, description = "No files that match"),
        ("language" = Option<Vec<String>>, Query, description = "Only these languages"),
        ("kind" = Option<Vec<String>>, Query, description = "source, test, docs, config or generated"),
        ("symbol_kind" = Option<Vec<String>>, Query, description = "function, method, class …"),
        ("ignore_case" = Option<bool>, Query, description = "Fold case in exact and regex mode"),
        ("context" = Option<u32>, Query, description = "Lines around each matching line, 0 to 20"),
        ("explain" = Option<bool>, Query, description = "Say what each score is made of"),
    ),
    responses(
        (status = 200, body = Of<SearchResult>),
        (status = "4XX", body = Problem, content_type = "application/problem+json"),
        (status = "5XX", body = Problem, content_type = "application/problem+json"),
    ))]
pub(super) async fn search(
    State(app): State<App>,
    RawQuery(raw): RawQuery,
) -> Outcome<Json<Of<SearchResult>>> {
    let query = Query::parse(raw.as_deref());
    let request = query.search()?;
    let folder = app.folders.get(query.index())?;
    let answer = app.asker.search(&folder, request, true).await?;
    Ok(of(&folder, answer))
}

/// Finds symbols by name.
#[utoipa::path(get, path = "/api/symbols", tag = "questions",
    params(
        ("q" = String, Query, description = "The name, or a part of it; parents may stand in front"),
        ("index" = Option<String>, Query, description = "The index; may be left out where there is one"),
        ("limit" = Option<u32>, Query, description = "1 to 100 (10)"),
        ("path" = Option<Vec<String>>, Query, description = "Only files that match"),
        ("not_path" = Option<Vec<String>>, Query, description = "No files that match"),
        ("language" = Option<Vec<String>>, Query, description = "Only these languages"),
        ("kind" = Option<Vec<String>>, Query, description = "source, test, docs, config or generated"),
        ("symbol_kind" = Option<Vec<String>>, Query, description = "function, method, class …"),
    ),
    responses(
        (status = 200, body = Of<SymbolResult>),
        (status = "4XX", body = Problem, content_type = "application/problem+json"),
        (status = "5XX", body = Problem, content_type = "application/problem+json"),
    ))]
pub(super) async fn symbols(
    State(app): State<App>,
    RawQuery(raw): RawQuery,
) -> Outcome<Json<Of<SymbolResult>>> {
    let query = Query::parse(raw.as_deref());
    let request = query.symbols()?;
    let folder = app.folders.get(query.index())?;
    let answer = app.asker.symbols(&folder, request).await?;
    Ok(of(&folder, answer))
}

/// Finds the lines that use a name.
#[utoipa::path(get, path = "/api/usages", tag = "questions",
    params(
        ("q" = String, Query, description = "The name as code writes it"),
        ("index" = Option<String>, Query, description = "The index; may be left out where there is one"),
        ("limit" = Option<u32>, Query, description = "1 to 100 (10)"),
        ("path" = Option<Vec<String>>, Query, description = "Only files that match"),
        ("not_path" = Option<Vec<String>>, Query, description = "No files that match"),
        ("language" = Option<Vec<String>>, Query, description = "Only these languages"),
        ("kind" = Option<Vec<String>>, Query, description = "source, test, docs, config or generated"),
        ("comments" = Option<bool>, Query, description = "Also lines of comments and strings"),
    ),
    responses(
        (status = 200, body = Of<UsageResult>),
        (status = "4XX", body = Problem, content_type = "application/problem+json"),
        (status = "5XX", body = Problem, content_type = "application/problem+json"),
    ))]
pub(super) async fn usages(
    State(app): State<App>,
    RawQuery(raw): RawQuery,
) -> Outcome<Json<Of<UsageResult>>> {
    let query = Query::parse(raw.as_deref());
    let request = query.usages()?;
    let folder = app.folders.get(query.index())?;
    let answer = app.asker.usages(&folder, request).await?;
    Ok(of(&folder, answer))
}

/// Reads lines of a file as it is now.
#[utoipa::path(get, path = "/api/code", tag = "questions",
    params(
        ("index" = Option<String>, Query, description = "The index; may be left out where there is one"),
        ("path" = Option<String>, Query, description = "The file, relative to the root"),
        ("symbol" = Option<String>, Query, description = "A name, in place of a path"),
        ("start" = Option<u32>, Query, description = "First line, 1-based"),
        ("end" = Option<u32>, Query, description = "Last line, inclusive"),
    ),
    responses(
        (status = 200, body = Of<Code>),
        (status = "4XX", body = Problem, content_type = "application/problem+json"),
        (status = "5XX", body = Problem, content_type = "application/problem+json"),
    ))]
pub(super) async fn code(
    State(app): State<App>,
    RawQuery(raw): RawQuery,
) -> Outcome<Json<Of<Code>>> {
    let query = Query::parse(raw.as_deref());
    let wanted = query.code()?;
    let folder = app.folders.get(query.index())?;
    let read = app.asker.code(&folder, wanted).await?;
    Ok(of(&folder, read))
}

//! The indexes of a server over HTTP: list, add, show, refresh, remove.

use std::path::PathBuf;

use axum::body::Bytes;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::Json;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use wherein_engine::{Error, Result};
use wherein_wire::Folder;

use super::App;
use super::problem::Problem;
use crate::refusal::Outcome;
use crate::runtime::blocking;

/// What is said where it panics.
const WORK: &str = "the work on an index";

/// All indexes of a server.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct Indexes {
    indexes: Vec<Folder>,
    /// Below which folders others may be added.
    allowed_roots: Vec<String>,
    /// The version of the program.
    version: &'static str,
}

/// A folder to index.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct NewIndex {
    /// Its absolute path.
    root: String,
}

/// How to refresh an index.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(default, deny_unknown_fields)]
pub(super) struct Refresh {
    /// Whether it is thrown away first.
    rebuild: bool,
}

/// Lists the indexes.
#[utoipa::path(get, path = "/api/indexes", tag = "indexes", responses((status = 200, body = Indexes)))]
pub(super) async fn list(State(app): State<App>) -> Json<Indexes> {
    let shown = |path: &PathBuf| path.to_string_lossy().into_owned();
    Json(Indexes {
        indexes: app.folders.all().iter().map(|folder| folder.wire()).collect(),
        allowed_roots: app.folders.allowed().iter().map(shown).collect(),
        version: env!("CARGO_PKG_VERSION"),
    })
}

/// Indexes a folder below an allowed root.
#[utoipa::path(post, path = "/api/indexes", tag = "indexes", request_body = NewIndex,
    responses(
        (status = 201, body = Folder), (status = 200, body = Folder, description = "It was there"),
        (status = "4XX", body = Problem, content_type = "application/problem+json"),
    ))]
pub(super) async fn add(
    State(app): State<App>,
    body: Bytes,
) -> Outcome<(StatusCode, Json<Folder>)> {
    let NewIndex { root } = read(&body)?;
    let folders = app.folders.clone();
    let (folder, is_new) = blocking(WORK, move || folders.add_allowed(root.as_ref())).await?;
    if is_new {
        folder.ask(false);
    }
    let status = if is_new { StatusCode::CREATED } else { StatusCode::OK };
    Ok((status, Json(folder.wire())))
}

/// Shows one index.
#[utoipa::path(get, path = "/api/indexes/{id}", tag = "indexes", params(("id" = String, Path)),
    responses(
        (status = 200, body = Folder),
        (status = 404, body = Problem, content_type = "application/problem+json"),
    ))]
pub(super) async fn show(State(app): State<App>, Path(id): Path<String>) -> Outcome<Json<Folder>> {
    Ok(Json(app.folders.get(Some(&id))?.wire()))
}

/// Brings one index up to date, or builds it anew.
#[utoipa::path(post, path = "/api/indexes/{id}/refresh", tag = "indexes", params(("id" = String, Path)),
    request_body = Option<Refresh>,
    responses(
        (status = 202, body = Folder),
        (status = 404, body = Problem, content_type = "application/problem+json"),
    ))]
pub(super) async fn refresh(
    State(app): State<App>,
    Path(id): Path<String>,
    body: Bytes,
) -> Outcome<(StatusCode, Json<Folder>)> {
    let Refresh { rebuild } = if body.is_empty() { Refresh::default() } else { read(&body)? };
    let folder = app.folders.get(Some(&id))?;
    folder.ask(rebuild);
    Ok((StatusCode::ACCEPTED, Json(folder.wire())))
}

/// Removes one index; the folder itself is not touched.
#[utoipa::path(delete, path = "/api/indexes/{id}", tag = "indexes", params(("id" = String, Path)),
    responses(
        (status = 204), (status = 404, body = Problem, content_type = "application/problem+json"),
    ))]
pub(super) async fn remove(State(app): State<App>, Path(id): Path<String>) -> Outcome<StatusCode> {
    let folders = app.folders.clone();
    blocking(WORK, move || folders.remove(&id)).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// A body as JSON, whatever its type is said to be.
fn read<'b, T: Deserialize<'b>>(body: &'b [u8]) -> Result<T> {
    serde_json::from_slice(body).map_err(|error| {
        Error::usage(format!("the body is not understood: {error}"))
            .with_hint("/api/openapi.json shows what it has to be")
    })
}

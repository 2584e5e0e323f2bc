//! The HTTP side: routes, and what stands before all of them.
//!
//! Each handler reads its request, asks, and answers in the form of `wherein-wire`; it decides nothing.

mod assets;
mod events;
mod guard;
mod indexes;
mod openapi;
mod problem;
mod query;
mod questions;

use std::sync::Arc;

use axum::Router;
use axum::extract::{DefaultBodyLimit, State};
use axum::http::StatusCode;
use axum::http::header::{CONTENT_TYPE, HeaderName, HeaderValue};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Json, Response};
use axum::routing::{get, post};
use serde::Serialize;
use tokio_util::sync::CancellationToken;
use utoipa::ToSchema;

pub(crate) use guard::{Guard, Token};

use crate::ask::Asker;
use crate::folders::Folders;
use problem::Problem;

/// Bodies larger than this are refused; those of the API hold one path.
const MAX_BODY: usize = 64 << 10;

/// What handlers share.
#[derive(Debug, Clone)]
pub(crate) struct App {
    pub(crate) folders: Arc<Folders>,
    pub(crate) asker: Asker,
    /// Ends what would never end by itself when the server stops.
    pub(crate) stopping: CancellationToken,
}

/// All routes, behind the guard.
pub(crate) fn router(app: App, guard: Guard, mcp: Router) -> Router {
    Router::new()
        .route("/api/search", get(questions::search))
        .route("/api/symbols", get(questions::symbols))
        .route("/api/usages", get(questions::usages))
        .route("/api/code", get(questions::code))
        .route("/api/indexes", get(indexes::list).post(indexes::add))
        .route("/api/indexes/{id}", get(indexes::show).delete(indexes::remove))
        .route("/api/indexes/{id}/refresh", post(indexes::refresh))
        .route("/api/events", get(events::events))
        .route("/api/openapi.json", get(openapi::document))
        .route("/healthz", get(health))
        .route("/metrics", get(metrics))
        .merge(assets::routes())
        .with_state(app)
        .merge(mcp)
        .method_not_allowed_fallback(wrong_method)
        .fallback(nowhere)
        .layer(DefaultBodyLimit::max(MAX_BODY))
        .layer(middleware::from_fn_with_state(Arc::new(guard), guard::guard))
        .layer(middleware::from_fn(harden))
}

/// Headers that keep browsers from doing more with an answer than reading it.
async fn harden(request: axum::extract::Request, next: Next) -> Response {
    const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; \
                          connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
    const HEADERS: [(&str, &str); 5] = [
        ("content-security-policy", POLICY),
        ("x-content-type-options", "nosniff"),
        ("referrer-policy", "no-referrer"),
        ("cross-origin-resource-policy", "same-origin"),
        ("cross-origin-opener-policy", "same-origin"),
    ];
    let mut response = next.run(request).await;
    for (name, value) in HEADERS {
        let (name, value) = (HeaderName::from_static(name), HeaderValue::from_static(value));
        response.headers_mut().insert(name, value);
    }
    response
}

/// That the server answers.
#[derive(Debug, Serialize, ToSchema)]
struct Health {
    /// Always `ok`.
    status: &'static str,
    /// The version of the program.
    version: &'static str,
}

/// Whether the server answers.
#[utoipa::path(get, path = "/healthz", tag = "server", responses((status = 200, body = Health)))]
async fn health() -> Json<Health> {
    Json(Health { status: "ok", version: env!("CARGO_PKG_VERSION") })
}

/// Counts and times in the text format of Prometheus.
#[utoipa::path(get, path = "/metrics", tag = "server",
    responses((status = 200, body = String, content_type = "text/plain")))]
async fn metrics(State(app): State<App>) -> Response {
    let folders: Vec<_> =
        app.folders.all().iter().map(|folder| (folder.wire(), folder.n_refreshes())).collect();
    let text = app.asker.metrics.text(&folders);
    let kind = "application/openmetrics-text; version=1.0.0; charset=utf-8";
    ([(CONTENT_TYPE, kind)], text).into_response()
}

async fn nowhere() -> Problem {
    Problem::of_transport(StatusCode::NOT_FOUND, "not_found", "there is nothing at this address")
        .with_hint("/api/openapi.json lists what there is")
}

async fn wrong_method() -> Problem {
    let detail = "this address takes other methods";
    Problem::of_transport(StatusCode::METHOD_NOT_ALLOWED, "usage", detail)
        .with_hint("/api/openapi.json lists them")
}

//! Refusals as HTTP tells them: problem details (RFC 9457), with the kind and the hint of our errors beside.

use axum::http::header::{CONTENT_TYPE, HeaderValue, RETRY_AFTER, WWW_AUTHENTICATE};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use utoipa::ToSchema;

use crate::refusal::Refusal;

/// What every answer that is none looks like.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(crate) struct Problem {
    /// Always `about:blank`: the kind says more.
    r#type: &'static str,
    /// The status in words.
    title: &'static str,
    /// The HTTP status.
    status: u16,
    /// What happened, in one line.
    detail: String,
    /// What sort of trouble it is, for programs.
    kind: &'static str,
    /// What to do about it; `null` where nobody knows.
    hint: Option<String>,
}

impl Problem {
    /// A problem of the transport, which the engine knows nothing of.
    pub(crate) fn of_transport(
        status: StatusCode,
        kind: &'static str,
        detail: impl Into<String>,
    ) -> Problem {
        Problem {
            r#type: "about:blank",
            title: status.canonical_reason().unwrap_or("Error"),
            status: status.as_u16(),
            detail: detail.into(),
            kind,
            hint: None,
        }
    }

    /// The same with advice.
    pub(crate) fn with_hint(self, hint: impl Into<String>) -> Problem {
        Problem { hint: Some(hint.into()), ..self }
    }
}

impl From<&Refusal> for Problem {
    fn from(refusal: &Refusal) -> Problem {
        let status = StatusCode::from_u16(refusal.status()).ok();
        Problem {
            r#type: "about:blank",
            title: status.and_then(|status| status.canonical_reason()).unwrap_or("Closed"),
            status: refusal.status(),
            detail: refusal.to_string(),
            kind: refusal.kind(),
            hint: refusal.hint(),
        }
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let status = StatusCode::from_u16(self.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        let mut headers = HeaderMap::new();
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/problem+json"));
        if status == StatusCode::UNAUTHORIZED {
            headers.insert(WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
        }
        let body = serde_json::to_vec(&self).unwrap_or_default();
        (status, headers, body).into_response()
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        let mut response = Problem::from(&self).into_response();
        if let Refusal::TooMany { retry_after } = self {
            let seconds = HeaderValue::from(retry_after.as_secs().max(1));
            response.headers_mut().insert(RETRY_AFTER, seconds);
        }
        response
    }
}

//! The page, built beforehand from `web/` and carried in the program.

use axum::Router;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE, ETAG, HeaderValue, IF_NONE_MATCH};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::get;

use super::App;

/// A file of the page.
struct Asset {
    path: &'static str,
    kind: &'static str,
    bytes: &'static [u8],
}

const ASSETS: [Asset; 4] = [
    Asset {
        path: "/",
        kind: "text/html; charset=utf-8",
        bytes: include_bytes!("../../assets/index.html"),
    },
    Asset {
        path: "/app.js",
        kind: "text/javascript; charset=utf-8",
        bytes: include_bytes!("../../assets/app.js"),
    },
    Asset {
        path: "/app.css",
        kind: "text/css; charset=utf-8",
        bytes: include_bytes!("../../assets/app.css"),
    },
    Asset {
        path: "/favicon.svg",
        kind: "image/svg+xml",
        bytes: include_bytes!("../../assets/favicon.svg"),
    },
];

/// A route for each file.
pub(super) fn routes() -> Router<App> {
    ASSETS.iter().fold(Router::new(), |router, asset| {
        let tag = format!("\"{}\"", &blake3::hash(asset.bytes).to_hex()[..16]);
        let tag = HeaderValue::try_from(tag).unwrap_or(HeaderValue::from_static("\"page\""));
        router.route(
            asset.path,
            get(move |headers: HeaderMap| async move { serve(asset, tag, &headers) }),
        )
    })
}

/// The file, or that the browser has it already. Asked for each time: after an update the page must not be the old one.
fn serve(asset: &Asset, tag: HeaderValue, headers: &HeaderMap) -> Response {
    let is_known = headers.get(IF_NONE_MATCH) == Some(&tag);
    let about = [(ETAG, tag), (CACHE_CONTROL, HeaderValue::from_static("no-cache"))];
    match is_known {
        true => (StatusCode::NOT_MODIFIED, about).into_response(),
        false => (about, [(CONTENT_TYPE, HeaderValue::from_static(asset.kind))], asset.bytes)
            .into_response(),
    }
}

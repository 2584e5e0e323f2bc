//! The description of the HTTP side, made from the handlers and the contract themselves.

use axum::response::Json;
use utoipa::OpenApi;

/// Everything that is described.
#[derive(OpenApi)]
#[openapi(
    info(title = "wherein", description = "Finds code by meaning and by name."),
    paths(
        super::questions::search,
        super::questions::symbols,
        super::questions::usages,
        super::questions::code,
        super::indexes::list,
        super::indexes::add,
        super::indexes::show,
        super::indexes::refresh,
        super::indexes::remove,
        super::events::events,
        super::health,
        super::metrics,
    ),
    tags(
        (name = "questions", description = "Ask an index"),
        (name = "indexes", description = "Keep indexes"),
        (name = "server", description = "Watch the server"),
    )
)]
struct Description;

/// The description, OpenAPI 3.1.
pub(super) async fn document() -> Json<utoipa::openapi::OpenApi> {
    Json(Description::openapi())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_route_is_described() {
        let document = serde_json::to_value(Description::openapi()).unwrap();
        assert!(document["openapi"].as_str().unwrap().starts_with("3.1"));
        for path in [
            "/api/search",
            "/api/symbols",
            "/api/usages",
            "/api/code",
            "/api/indexes",
            "/api/indexes/{id}",
            "/api/indexes/{id}/refresh",
            "/api/events",
            "/healthz",
            "/metrics",
        ] {
            assert!(document["paths"].get(path).is_some(), "{path}");
        }
        let hit = &document["components"]["schemas"]["Hit"]["properties"];
        assert!(hit.get("start_line").is_some() && hit.get("highlights").is_some(), "{hit}");
    }
}

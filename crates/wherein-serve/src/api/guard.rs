//! Who may ask: the Host and Origin that a request names, and its token. Before anything else looks at it.
//!
//! A page of another site must not read code through a browser that stands on this machine: such a page reaches a loopback
//! server by a name of its own (DNS rebinding) or across origins, and both are refused. Must not log tokens.

use std::net::IpAddr;
use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::header::{AUTHORIZATION, HOST, ORIGIN};
use axum::http::{HeaderMap, StatusCode, Uri};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use subtle::ConstantTimeEq;

use super::problem::Problem;
use crate::refusal::Refusal;

/// Who may ask.
#[derive(Debug, Clone, Default)]
pub(crate) struct Guard {
    /// Names besides `localhost` and addresses that a request may give as its host.
    pub(crate) hosts: Vec<String>,
    /// What has to be shown, where anything has.
    pub(crate) token: Option<Token>,
}

/// A secret that requests carry.
#[derive(Clone)]
pub(crate) struct Token(String);

impl Token {
    pub(crate) fn new(text: String) -> Token {
        Token(text)
    }

    fn is(&self, shown: &str) -> bool {
        self.0.as_bytes().ct_eq(shown.as_bytes()).into()
    }
}

impl std::fmt::Debug for Token {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Token(..)")
    }
}

impl Guard {
    /// Why a request is refused, if it is.
    fn refuse(&self, uri: &Uri, headers: &HeaderMap) -> Option<Response> {
        let forbid = |detail: &str, hint: &str| {
            let problem = Problem::of_transport(StatusCode::FORBIDDEN, "forbidden", detail);
            Some(problem.with_hint(hint).into_response())
        };
        let named = uri.authority().map(|authority| authority.as_str());
        let host = headers.get(HOST).and_then(|host| host.to_str().ok()).or(named);
        let Some(host) = host else {
            let problem = Problem::of_transport(StatusCode::BAD_REQUEST, "usage", "no Host");
            return Some(problem.into_response());
        };
        if !self.is_known(host) {
            return forbid(
                "this server does not answer to that host name",
                "ask by address or localhost, or start it with --allow-host NAME",
            );
        }
        if let Some(origin) = headers.get(ORIGIN)
            && !origin.to_str().is_ok_and(|origin| is_same(origin, host))
        {
            return forbid("pages of other sites may not ask", "open the page of this server");
        }
        let site = headers.get("sec-fetch-site").and_then(|site| site.to_str().ok());
        let is_page = is_open(uri.path());
        if site.is_some_and(|site| site == "cross-site" || site == "same-site") && !is_page {
            return forbid("pages of other sites may not ask", "open the page of this server");
        }
        if !is_page && !self.has_token(headers) {
            return Some(Refusal::Unauthorized.into_response());
        }
        None
    }

    /// Whether a request may name this host: rebinding needs a name, so addresses are safe.
    fn is_known(&self, host: &str) -> bool {
        let name = host_name(host);
        name.eq_ignore_ascii_case("localhost")
            || name.trim_matches(['[', ']']).parse::<IpAddr>().is_ok()
            || self.hosts.iter().any(|known| known.eq_ignore_ascii_case(name))
    }

    fn has_token(&self, headers: &HeaderMap) -> bool {
        let Some(token) = &self.token else {
            return true;
        };
        let shown = headers.get(AUTHORIZATION).and_then(|value| value.to_str().ok());
        let shown = shown.and_then(|value| {
            let (scheme, shown) = value.split_once(' ')?;
            scheme.eq_ignore_ascii_case("bearer").then_some(shown.trim())
        });
        shown.is_some_and(|shown| token.is(shown))
    }
}

/// The host without its port.
fn host_name(host: &str) -> &str {
    match host.rfind(':') {
        Some(at) if host[at + 1..].bytes().all(|b| b.is_ascii_digit()) && !host.ends_with(']') => {
            &host[..at]
        }
        _ => host,
    }
}

/// Whether a page of `origin` was served by `host`.
fn is_same(origin: &str, host: &str) -> bool {
    let rest = origin.strip_prefix("http://").or_else(|| origin.strip_prefix("https://"));
    rest.is_some_and(|rest| rest.eq_ignore_ascii_case(host))
}

/// Whether a path holds nothing but the page itself, which tells nothing of any code.
fn is_open(path: &str) -> bool {
    !["/api", "/mcp", "/metrics"].iter().any(|closed| path.starts_with(closed))
}

/// Refuses those who may not ask.
pub(crate) async fn guard(
    State(guard): State<Arc<Guard>>,
    request: Request,
    next: Next,
) -> Response {
    match guard.refuse(request.uri(), request.headers()) {
        Some(refused) => refused,
        None => next.run(request).await,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn status(guard: &Guard, path: &str, headers: &[(&str, &str)]) -> Option<u16> {
        let mut map = HeaderMap::new();
        for (name, value) in headers {
            let name = axum::http::HeaderName::from_bytes(name.as_bytes()).unwrap();
            map.insert(name, value.parse().unwrap());
        }
        guard.refuse(&path.parse().unwrap(), &map).map(|refused| refused.status().as_u16())
    }

    #[test]
    fn names_of_others_are_refused() {
        let guard = Guard { hosts: vec!["code.example.org".to_owned()], token: None };
        for host in [
            "localhost",
            "LOCALHOST:80",
            "127.0.0.1:7878",
            "[::1]:7878",
            "[::1]",
            "code.example.org:1",
        ] {
            assert_eq!(status(&guard, "/api/search", &[("host", host)]), None, "{host}");
        }
        for host in
            ["evil.example", "localhost.evil.example", "127.0.0.1.evil.example:7878", "", "a b"]
        {
            assert_eq!(status(&guard, "/api/search", &[("host", host)]), Some(403), "{host}");
        }
        assert_eq!(status(&guard, "/", &[]), Some(400));
    }

    #[test]
    fn pages_of_others_are_refused() {
        let guard = Guard::default();
        let from = |origin: &str| {
            status(&guard, "/api/search", &[("host", "localhost:7878"), ("origin", origin)])
        };
        assert_eq!(from("http://localhost:7878"), None);
        for origin in ["http://localhost:7879", "http://evil.example", "null", "localhost:7878"] {
            assert_eq!(from(origin), Some(403), "{origin}");
        }
        let site = [("host", "localhost"), ("sec-fetch-site", "cross-site")];
        assert_eq!(status(&guard, "/api/search", &site), Some(403));
        // A link to the page is no harm.
        assert_eq!(status(&guard, "/", &site), None);
    }

    #[test]
    fn a_token_is_asked_for_everywhere_but_on_the_page() {
        let guard = Guard { token: Some(Token::new("secret".to_owned())), ..Guard::default() };
        let with = |path: &str, value: &str| {
            status(&guard, path, &[("host", "localhost"), ("authorization", value)])
        };
        assert_eq!(status(&guard, "/", &[("host", "localhost")]), None);
        assert_eq!(status(&guard, "/healthz", &[("host", "localhost")]), None);
        for path in ["/api/search", "/mcp", "/metrics", "/api/events"] {
            assert_eq!(status(&guard, path, &[("host", "localhost")]), Some(401), "{path}");
            assert_eq!(with(path, "Bearer secret"), None, "{path}");
            assert_eq!(with(path, "Bearer secre"), Some(401), "{path}");
            assert_eq!(with(path, "Basic secret"), Some(401), "{path}");
        }
        assert!(!format!("{guard:?}").contains("secret"));
    }
}

//! HTTP methods and routes, where the code states them.
//!
//! By annotation (Spring, JAX-RS, FastAPI, Flask, Nest, ASP.NET, actix) or by call (Express, gin, chi, axum, Rails,
//! Laravel, minimal APIs). Only what is written down is reported: a path that a program puts together is none.

use crate::symbol::Route;

/// Words that name a method, as code spells them, and the method.
const VERBS: &[(&str, &str)] = &[
    ("get", "GET"),
    ("post", "POST"),
    ("put", "PUT"),
    ("delete", "DELETE"),
    ("patch", "PATCH"),
    ("head", "HEAD"),
    ("options", "OPTIONS"),
    ("any", "ANY"),
    ("all", "ANY"),
];

/// The method that a called name stands for: `get`, `Get`, `GET`, `MapGet`, `HandleFunc`.
pub(super) fn verb(name: &str) -> Option<&'static str> {
    let lower = name.to_ascii_lowercase();
    let bare = lower.strip_prefix("map").or(lower.strip_prefix("http")).unwrap_or(&lower);
    if matches!(lower.as_str(), "handlefunc" | "handle" | "route") {
        return Some("ANY");
    }
    VERBS.iter().find(|(word, _)| *word == bare).map(|(_, verb)| *verb)
}

/// The path of a string literal, where it looks like one.
pub(super) fn path(literal: &str) -> Option<String> {
    let inner = literal.trim().trim_matches(['"', '\'', '`']);
    let is_path = inner.starts_with('/') && !inner.contains(char::is_whitespace);
    is_path.then(|| inner.to_owned())
}

/// The route that a symbol's annotations state, below those of its class.
pub(super) fn of_annotations(own: &[String], class: &[String]) -> Option<Route> {
    let (method, path) = own.iter().find_map(|annotation| stated(annotation))?;
    let prefix = class.iter().find_map(|annotation| prefix(annotation)).unwrap_or_default();
    Some(Route { method, path: join(&prefix, &path) })
}

/// The method and path of one annotation.
fn stated(annotation: &str) -> Option<(String, String)> {
    let (name, arguments) = parts(annotation);
    let last = name.rsplit(['.', ':']).next().unwrap_or(name);
    let lower = last.to_ascii_lowercase();
    let word = lower.strip_suffix("mapping").or(lower.strip_prefix("http")).unwrap_or(&lower);
    let path = first_literal(arguments);
    if matches!(word, "request" | "route") {
        let named = VERBS.iter().find(|(_, verb)| arguments.contains(verb));
        let is_stated =
            lower == "requestmapping" || name.contains('.') || annotation.starts_with('#');
        return (is_stated && path.is_some())
            .then(|| (named.map_or("ANY", |(_, verb)| verb).to_owned(), path.unwrap_or_default()));
    }
    let (_, method) = VERBS.iter().find(|(known, _)| *known == word)?;
    // `@app.get("/x")` and `[HttpGet]`, but not `@get` alone or `@cache.get(key)`.
    let is_plain =
        lower != word || annotation.starts_with('#') || last.starts_with(char::is_uppercase);
    let has_path = path.as_deref().is_some_and(|path| path.starts_with('/'));
    (is_plain || has_path).then(|| ((*method).to_owned(), path.unwrap_or_default()))
}

/// The path that a class puts before those of its methods.
fn prefix(annotation: &str) -> Option<String> {
    let (name, arguments) = parts(annotation);
    let last = name.rsplit(['.', ':']).next().unwrap_or(name);
    matches!(
        last,
        "RequestMapping" | "Controller" | "Route" | "Path" | "RestController" | "JsonController"
    )
    .then(|| first_literal(arguments))
    .flatten()
}

/// The name and the arguments of an annotation, without `@`, `#[ ]` or `[ ]`.
fn parts(annotation: &str) -> (&str, &str) {
    let inner = annotation.trim_start_matches(['@', '#', '[']).trim_end_matches(']');
    match inner.split_once('(') {
        Some((name, arguments)) => (name.trim(), arguments),
        None => (inner.trim(), ""),
    }
}

/// The first string literal of some arguments.
fn first_literal(arguments: &str) -> Option<String> {
    let start = arguments.find(['"', '\''])?;
    let quote = arguments[start..].chars().next()?;
    let rest = &arguments[start + 1..];
    rest.split_once(quote).map(|(literal, _)| literal.to_owned())
}

fn join(prefix: &str, path: &str) -> String {
    let parts = [prefix.trim_matches('/'), path.trim_matches('/')];
    let full: Vec<&str> = parts.into_iter().filter(|part| !part.is_empty()).collect();
    format!("/{}", full.join("/"))
}

//! HTTP methods and routes, where the code states them.
//!
//! By annotation (Spring, JAX-RS, FastAPI, Flask, Nest, ASP.NET, Symfony, actix) or by call (Express, gin, chi, axum,
//! Rails, Laravel, Ktor, minimal APIs). Only what is written down is reported: a path that a program puts together is
//! none.

mod arguments;

use crate::symbol::Route;
use arguments::{Annotation, Stated};

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
/// Folders at the root of a machine: a path below them names a file.
const FILE_ROOTS: &[&str] =
    &["bin", "dev", "etc", "home", "opt", "proc", "sys", "tmp", "usr", "var"];
/// Annotations of a class whose path stands before those of its methods.
const PREFIXES: &[&str] = &[
    "RequestMapping",
    "Path",
    "Route",
    "RoutePrefix",
    "Controller",
    "RestController",
    "JsonController",
];

/// The method that a called name stands for: `get`, `Get`, `GET`, `MapGet`, `HandleFunc`.
pub(super) fn verb(name: &str) -> Option<&'static str> {
    let bare = name.strip_prefix("Map").unwrap_or(name);
    if matches!(name, "HandleFunc" | "Handle" | "handle" | "Route" | "route") {
        return Some("ANY");
    }
    let lower = bare.to_ascii_lowercase();
    let (word, verb) = VERBS.iter().find(|(word, _)| *word == lower)?;
    // `get`, `Get` and `GET`, but not `gEt` and not `Mapget`.
    let is_word = bare == *word && bare.len() == name.len();
    let is_capital = bare.starts_with(char::is_uppercase) && bare[1..] == word[1..];
    let is_upper = bare.chars().all(char::is_uppercase) && bare.len() == name.len();
    (is_word || is_capital || is_upper).then_some(*verb)
}

/// The path of a string literal, where it looks like one.
pub(super) fn path(literal: &str) -> Option<String> {
    let inner = literal.trim().trim_matches(['"', '\'', '`']);
    // Laravel and Rails leave the first slash out; a parameter still shows a path.
    let has_parameter = inner.contains("/{") || inner.contains("/:");
    let is_bare = has_parameter && inner.starts_with(char::is_alphanumeric);
    let is_path = (inner.starts_with('/') || is_bare) && !inner.contains("//") && is_plain(inner);
    let below = inner.strip_prefix('/').and_then(|rest| rest.split_once('/'));
    let is_file = below.is_some_and(|(root, _)| FILE_ROOTS.contains(&root));
    (is_path && !is_file).then(|| if is_bare { format!("/{inner}") } else { inner.to_owned() })
}

/// Whether nothing is put in by the program and nothing ends a path.
fn is_plain(path: &str) -> bool {
    !path.contains(|c: char| c.is_whitespace() || c.is_control()) && !path.contains("${")
}

/// A function with its annotations, and the type that it belongs to with those of it.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Annotated<'a> {
    pub(super) name: &'a str,
    pub(super) annotations: &'a [String],
    pub(super) class: &'a str,
    pub(super) of_class: &'a [String],
}

/// The route that a function's annotations state, below those of its type.
pub(super) fn of_annotations(function: Annotated<'_>) -> Option<Route> {
    let own: Vec<Annotation<'_>> =
        function.annotations.iter().flat_map(|text| arguments::read(text)).collect();
    let (verb, mut stated) = own.iter().find_map(|one| Some((one, method(one)?)))?;
    if stated.path.is_empty() {
        // `@GET` and `[HttpGet]` may leave the path to another annotation.
        let other = own.iter().find(|one| matches!(one.name, "Path" | "Route") && !one.is_dotted);
        stated.path = other.map_or(Some(String::new()), literal_path)?;
    }
    let is_absolute = verb.is_bracket && stated.path.starts_with(['/', '~']);
    let prefix = match is_absolute {
        true => String::new(),
        false => prefix(function.of_class, verb)?,
    };
    let path = join(&prefix, stated.path.trim_start_matches('~'));
    Some(Route { method: stated.method.to_owned(), path: filled(&path, function) })
}

/// A method and a path, not yet below its prefix.
struct Endpoint {
    method: &'static str,
    path: String,
}

/// What one annotation states; `None` where it is no route, or a path that is not written down.
fn method(one: &Annotation<'_>) -> Option<Endpoint> {
    let lower = one.name.to_ascii_lowercase();
    let word = lower.strip_suffix("mapping").or(lower.strip_prefix("http")).unwrap_or(&lower);
    if matches!(word, "request" | "route" | "api_route") {
        let is_stated = lower == "requestmapping" || one.is_dotted || one.is_attribute();
        let path = literal_path(one).filter(|_| is_stated)?;
        let has_path = !path.is_empty() || lower == "requestmapping";
        return has_path.then(|| Endpoint { method: named_method(one), path });
    }
    let (_, method) = VERBS.iter().find(|(known, _)| *known == word)?;
    let path = literal_path(one)?;
    let is_spelled = match one.name {
        // Clients of HTTP (`@GET("users")` of Retrofit) state what they ask, JAX-RS puts no path here.
        name if name.chars().all(char::is_uppercase) => !one.has_arguments(),
        // `@app.get("/x")` and `#[get("/x")]`, but not `@get`, `@mock.patch("a.b")` or `@cache.get(key)`.
        name if name == word => {
            let is_empty = path.is_empty() && one.is_dotted && one.has_arguments();
            path.starts_with('/') && (one.is_dotted || one.is_attribute()) || is_empty
        }
        // Other libraries have `@Options(key = value)` and a bare `@Any`.
        "Any" => !path.is_empty(),
        _ if word == lower && one.has_arguments() && path.is_empty() => false,
        name => name.starts_with(char::is_uppercase),
    };
    is_spelled.then_some(Endpoint { method, path })
}

/// The path among the arguments of an annotation, empty where there is none.
fn literal_path(one: &Annotation<'_>) -> Option<String> {
    match one.path() {
        Stated::Nothing => Some(String::new()),
        Stated::Literal(path) if is_plain(&path) => Some(path),
        Stated::Literal(_) | Stated::Unknown => None,
    }
}

/// The first method that `method = …` or `methods = …` names.
fn named_method(one: &Annotation<'_>) -> &'static str {
    let value = one.value_of(&["method", "methods"]).unwrap_or_default();
    let mut words = value.split(|c: char| !c.is_ascii_alphabetic());
    let known = |word: &str| {
        VERBS.iter().find(|(lower, _)| word.eq_ignore_ascii_case(lower)).map(|(_, verb)| *verb)
    };
    words.find_map(known).unwrap_or("ANY")
}

/// The path that a type puts before those of its methods.
fn prefix(of_class: &[String], verb: &Annotation<'_>) -> Option<String> {
    let of_class: Vec<Annotation<'_>> =
        of_class.iter().flat_map(|text| arguments::read(text)).collect();
    // Spring's `@Controller("name")` names a bean.
    let known = if verb.name.ends_with("Mapping") { &PREFIXES[..1] } else { PREFIXES };
    let mut stated = known.iter().filter_map(|name| of_class.iter().find(|one| one.name == *name));
    stated.next().map_or(Some(String::new()), literal_path)
}

/// ASP.NET's words in brackets, replaced by the names that they stand for.
fn filled(path: &str, function: Annotated<'_>) -> String {
    let class = function.class.strip_suffix("Controller").unwrap_or(function.class);
    path.replace("[controller]", &class.to_lowercase())
        .replace("[action]", &function.name.to_lowercase())
}

/// Two paths as one, which begins with a slash.
pub(super) fn join(prefix: &str, path: &str) -> String {
    let parts = [prefix.trim_matches('/'), path.trim_matches('/')];
    let full: Vec<&str> = parts.into_iter().filter(|part| !part.is_empty()).collect();
    format!("/{}", full.join("/"))
}

#[cfg(test)]
mod tests;

//! A symbol as programs see it.

use serde::Serialize;
use wherein_engine as engine;

/// A named piece of code.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Symbol {
    /// The name as written.
    pub name: String,
    /// `function`, `method`, `class` …
    pub kind: &'static str,
    /// The enclosing symbols joined with `.`; `null` at the top level.
    pub parent: Option<String>,
    /// The package or module that the file states; `null` where it states none.
    pub module: Option<String>,
    /// The declaration without its body.
    pub signature: String,
    /// The first paragraph of its doc comment; `null` without one.
    pub doc: Option<String>,
    /// Decorators, annotations and attributes as written.
    pub annotations: Vec<String>,
    /// The HTTP method and path; `null` where the code states none.
    pub route: Option<Route>,
    /// First line of the symbol, decorators included, 1-based.
    pub start_line: u32,
    /// Last line, inclusive.
    pub end_line: u32,
    /// The line of its name.
    pub name_line: u32,
}

/// What a web service answers to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Route {
    /// In capitals; `ANY` where the code takes every method.
    pub method: String,
    /// As the code states it.
    pub path: String,
}

impl From<engine::Symbol> for Symbol {
    fn from(symbol: engine::Symbol) -> Self {
        let engine::Symbol {
            name,
            kind,
            parent,
            module,
            signature,
            doc,
            annotations,
            route,
            start_line,
            end_line,
            name_line,
        } = symbol;
        Symbol {
            name,
            kind: kind.as_str(),
            parent,
            module,
            signature,
            doc,
            annotations,
            route: route.map(|engine::Route { method, path }| Route { method, path }),
            start_line,
            end_line,
            name_line,
        }
    }
}

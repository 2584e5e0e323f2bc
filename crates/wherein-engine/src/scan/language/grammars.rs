//! The grammars of the languages that are parsed: one line each, and nothing else.
//!
//! Data, so that parsing another language is a line here, a word in the table and a query file. The queries stand in
//! `queries/`, in the vocabulary that its README explains.

use tree_sitter_language::LanguageFn;

/// A grammar with its query.
pub(crate) struct Source {
    /// No other grammar has this name.
    pub(crate) name: &'static str,
    /// Endings that it is for, separated by spaces; empty where it is for all files of its language.
    pub(super) extensions: &'static str,
    pub(crate) grammar: LanguageFn,
    pub(crate) query: &'static str,
}

macro_rules! source {
    ($name:literal, $extensions:literal, $grammar:expr, $($query:literal),+) => {
        Source {
            name: $name,
            extensions: $extensions,
            grammar: $grammar,
            query: concat!($(include_str!(concat!("../../../queries/", $query))),+),
        }
    };
}

type Sources = &'static [Source];

pub(super) const PYTHON: Sources =
    &[source!("python", "", tree_sitter_python::LANGUAGE, "python.scm")];
pub(super) const JAVASCRIPT: Sources = &[source!(
    "javascript",
    "",
    tree_sitter_javascript::LANGUAGE,
    "ecmascript.scm",
    "javascript.scm",
    "jsx.scm"
)];
pub(super) const GO: Sources = &[source!("go", "", tree_sitter_go::LANGUAGE, "go.scm")];
pub(super) const RUST: Sources = &[source!("rust", "", tree_sitter_rust::LANGUAGE, "rust.scm")];
pub(super) const JAVA: Sources = &[source!("java", "", tree_sitter_java::LANGUAGE, "java.scm")];
pub(super) const C: Sources = &[source!("c", "", tree_sitter_c::LANGUAGE, "c.scm")];
pub(super) const CPP: Sources = &[source!("cpp", "", tree_sitter_cpp::LANGUAGE, "cpp.scm")];
pub(super) const CSHARP: Sources =
    &[source!("csharp", "", tree_sitter_c_sharp::LANGUAGE, "csharp.scm")];
pub(super) const RUBY: Sources = &[source!("ruby", "", tree_sitter_ruby::LANGUAGE, "ruby.scm")];
pub(super) const PHP: Sources = &[source!("php", "", tree_sitter_php::LANGUAGE_PHP, "php.scm")];
pub(super) const KOTLIN: Sources =
    &[source!("kotlin", "", tree_sitter_kotlin_ng::LANGUAGE, "kotlin.scm")];
pub(super) const SCALA: Sources = &[source!("scala", "", tree_sitter_scala::LANGUAGE, "scala.scm")];
pub(super) const SWIFT: Sources = &[source!("swift", "", tree_sitter_swift::LANGUAGE, "swift.scm")];
pub(super) const DART: Sources = &[source!("dart", "", tree_sitter_dart::LANGUAGE, "dart.scm")];
pub(super) const ELIXIR: Sources =
    &[source!("elixir", "", tree_sitter_elixir::LANGUAGE, "elixir.scm")];
pub(super) const HASKELL: Sources =
    &[source!("haskell", "", tree_sitter_haskell::LANGUAGE, "haskell.scm")];
pub(super) const LUA: Sources = &[source!("lua", "", tree_sitter_lua::LANGUAGE, "lua.scm")];
pub(super) const ZIG: Sources = &[source!("zig", "", tree_sitter_zig::LANGUAGE, "zig.scm")];
pub(super) const BASH: Sources = &[source!("bash", "", tree_sitter_bash::LANGUAGE, "bash.scm")];
pub(super) const SQL: Sources = &[source!("sql", "", tree_sitter_sequel::LANGUAGE, "sql.scm")];
pub(super) const R: Sources = &[source!("r", "", tree_sitter_r::LANGUAGE, "r.scm")];
pub(super) const DOCKERFILE: Sources =
    &[source!("dockerfile", "", tree_sitter_containerfile::LANGUAGE, "dockerfile.scm")];
pub(super) const YAML: Sources = &[source!("yaml", "", tree_sitter_yaml::LANGUAGE, "yaml.scm")];
pub(super) const TOML: Sources = &[source!("toml", "", tree_sitter_toml_ng::LANGUAGE, "toml.scm")];
pub(super) const JSON: Sources = &[source!(
    "json",
    "json jsonc json5 webmanifest avsc code-workspace importmap",
    tree_sitter_json::LANGUAGE,
    "json.scm"
)];
pub(super) const HTML: Sources = &[source!("html", "", tree_sitter_html::LANGUAGE, "html.scm")];
pub(super) const CSS: Sources =
    &[source!("css", "css pcss postcss scss", tree_sitter_css::LANGUAGE, "css.scm")];
pub(super) const XML: Sources = &[source!("xml", "", tree_sitter_xml::LANGUAGE_XML, "xml.scm")];
pub(super) const MARKDOWN: Sources =
    &[source!("markdown", "", tree_sitter_md::LANGUAGE, "markdown.scm")];
pub(super) const TYPESCRIPT: Sources = &[
    source!(
        "tsx",
        "tsx",
        tree_sitter_typescript::LANGUAGE_TSX,
        "ecmascript.scm",
        "typescript.scm",
        "jsx.scm"
    ),
    source!(
        "typescript",
        "",
        tree_sitter_typescript::LANGUAGE_TYPESCRIPT,
        "ecmascript.scm",
        "typescript.scm"
    ),
];

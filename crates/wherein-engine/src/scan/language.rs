//! Which language a file is in, from its name and, where names are shared, its first bytes.
//!
//! Every result carries this label and `--lang` filters by it, so one name stands for one language
//! everywhere. It reads only what it is given: no files, no settings. It must stay cheap (it runs
//! once a file in trees of 100,000) and must not guess: an unknown file has the language "".

mod content;
mod grammars;
mod table;

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::LazyLock;

pub(crate) use grammars::Source;
use table::{LANGUAGES, Language};

/// Endings that say "made into the real file later": the name before them tells the language.
const WRAPPERS: &[&str] =
    &["in", "tmpl", "tpl", "template", "dist", "example", "sample", "j2", "jinja", "jinja2"];

/// One hashed view of a column of the table, built on first use.
type Lookup = HashMap<&'static str, &'static str>;

static BY_EXTENSION: LazyLock<Lookup> = LazyLock::new(|| column(|row| row.extensions));
static BY_FILE_NAME: LazyLock<Lookup> = LazyLock::new(|| column(|row| row.file_names));
static BY_INTERPRETER: LazyLock<Lookup> = LazyLock::new(|| column(|row| row.interpreters));
static BY_ALIAS: LazyLock<Lookup> = LazyLock::new(|| column(|row| row.aliases));
static BY_NAME: LazyLock<Lookup> = LazyLock::new(|| column(|row| row.name));

fn column(list: fn(&'static Language) -> &'static str) -> Lookup {
    let words = |row| list(row).split_ascii_whitespace().map(move |word| (word, row.name));
    LANGUAGES.iter().flat_map(words).collect()
}

/// The language of a file, "" when unknown.
///
/// `file_name` is the last part of the path; `head` the first bytes of the content (2 to 4 KB do),
/// which may be cut anywhere and may be empty. Content decides only between languages that share an
/// extension, and for names that say nothing (`#!` lines and the like).
pub(crate) fn detect(file_name: &str, head: &[u8]) -> &'static str {
    let head = content::text_of(head);
    let name = fold(file_name);
    if let Some(language) = by_name(&name) {
        return content::refine(file_name, language, head);
    }
    if let Some(language) = wrapped(&name) {
        return language;
    }
    content::interpreter(head)
        .and_then(|program| BY_INTERPRETER.get(program).copied())
        .or_else(|| content::mode_line(head).and_then(resolve))
        .or_else(|| content::opening(head))
        .unwrap_or("")
}

/// The language that a `--lang` value means: a name, an alias or an extension, in any case, with or
/// without a leading dot.
pub(crate) fn resolve(name: &str) -> Option<&'static str> {
    let folded = fold(name.trim());
    let bare = folded.strip_prefix('.').unwrap_or(&folded);
    [&BY_NAME, &BY_ALIAS, &BY_EXTENSION].into_iter().find_map(|map| map.get(bare).copied())
}

/// Every language name, in table order.
pub(crate) fn names() -> impl Iterator<Item = &'static str> {
    LANGUAGES.iter().map(|row| row.name)
}

/// Every grammar that is known.
pub(crate) fn sources() -> impl Iterator<Item = &'static Source> {
    LANGUAGES.iter().flat_map(|row| row.sources)
}

/// The grammar for a file of `language`; `None` where there is none.
pub(crate) fn source(language: &str, file_name: &str) -> Option<&'static Source> {
    let row = LANGUAGES.iter().find(|row| row.name == language)?;
    let name = fold(file_name);
    let ending = name.rsplit_once('.').map_or("", |(_, ending)| ending);
    let is_for = |source: &&Source| {
        let mut endings = source.extensions.split_ascii_whitespace();
        source.extensions.is_empty() || endings.any(|known| known == ending)
    };
    row.sources.iter().find(is_for)
}

/// By the whole name, then by the extension.
fn by_name(name: &str) -> Option<&'static str> {
    if let Some(language) = BY_FILE_NAME.get(name) {
        return Some(language);
    }
    // `.bashrc` has no extension; `Dockerfile.dev`, `Makefile.linux` and `.env.local` are told by
    // what stands in front.
    let by_ending = name.rsplit_once('.').filter(|(stem, _)| !stem.is_empty());
    if let Some(language) = by_ending.and_then(|(_, ending)| BY_EXTENSION.get(ending)) {
        return Some(language);
    }
    match name {
        _ if name.starts_with(".env.") => Some("dotenv"),
        _ if name.starts_with("dockerfile.") || name.starts_with("containerfile.") => {
            Some("dockerfile")
        }
        _ if name.starts_with("makefile.") => Some("make"),
        _ if name.starts_with("jenkinsfile.") => Some("groovy"),
        _ => None,
    }
}

/// `config.h.in`, `nginx.conf.tmpl`: the name without its wrapper.
fn wrapped(name: &str) -> Option<&'static str> {
    let (inner, ending) = name.rsplit_once('.')?;
    if WRAPPERS.contains(&ending) { by_name(inner) } else { None }
}

/// ASCII lower case, copied only when it differs.
fn fold(name: &str) -> Cow<'_, str> {
    if name.bytes().any(|byte| byte.is_ascii_uppercase()) {
        Cow::Owned(name.to_ascii_lowercase())
    } else {
        Cow::Borrowed(name)
    }
}

#[cfg(test)]
mod tests;

//! Edits of settings files as splices: what is not replaced stays byte for byte, whatever it is.
//!
//! The same few questions and edits for each syntax. Knows texts only: no files, no clients.

use std::ops::Range;

use wherein_engine::{Error, Result};

use super::{edit_json, edit_toml};

/// How a settings file is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Syntax {
    /// JSON, with comments and trailing commas where the file has them.
    Json,
    Toml,
}

/// A value of an entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Field {
    Text(String),
    List(Vec<String>),
    Truth(bool),
}

/// An entry to write: its fields in order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Entry {
    pub(crate) fields: Vec<(&'static str, Field)>,
}

/// What an existing entry starts: the command and its arguments.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Found {
    pub(crate) words: Vec<String>,
}

/// One replacement in a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Splice {
    pub(super) range: Range<usize>,
    pub(super) text: String,
}

impl Splice {
    pub(super) fn new(range: Range<usize>, text: impl Into<String>) -> Splice {
        Splice { range, text: text.into() }
    }
}

/// The text with replacements that do not overlap; those at one place keep their order.
pub(super) fn apply(text: &str, mut splices: Vec<Splice>) -> String {
    splices.sort_by_key(|splice| splice.range.start);
    let (mut edited, mut done) = (String::with_capacity(text.len() + 256), 0);
    for splice in splices {
        edited.push_str(&text[done..splice.range.start.max(done)]);
        edited.push_str(&splice.text);
        done = splice.range.end.max(done);
    }
    edited.push_str(&text[done..]);
    edited
}

/// A byte order mark, which no parser sees, and the rest.
pub(super) fn split_mark(text: &str) -> (&str, &str) {
    text.split_at(if text.starts_with('\u{feff}') { 3 } else { 0 })
}

/// The line end that the text uses.
pub(super) fn line_end(text: &str) -> &'static str {
    if text.contains("\r\n") { "\r\n" } else { "\n" }
}

/// What stood before a block that was appended: an empty line came with it, and a line end where the text had none,
/// which shows in a block that ends the text without one.
pub(super) fn without_gap(before: &str, is_last: bool) -> &str {
    let shorter = |text: &str| {
        let rest = text.strip_suffix('\n')?;
        Some(rest.strip_suffix('\r').unwrap_or(rest).len())
    };
    let Some(one) = shorter(before).map(|len| &before[..len]) else { return before };
    if !one.is_empty() && !one.ends_with('\n') {
        return before;
    }
    match shorter(one) {
        Some(len) if is_last => &before[..len],
        _ => one,
    }
}

/// What is at odds with an edit, in words for the user.
pub(super) fn wrong_type(keys: &[&str], is: &str, table: &str) -> Error {
    Error::usage(format!("{} is {is}, not {table}", keys.join(".")))
        .with_hint("repair the file by hand, or paste what --print shows")
}

/// The entry that `path` leads to.
pub(super) fn find(syntax: Syntax, text: &str, path: &[&str]) -> Result<Option<Found>> {
    match syntax {
        Syntax::Json => edit_json::find(text, path),
        Syntax::Toml => edit_toml::find(text, path),
    }
}

/// The keys of the table that `path` leads to, where there is one.
pub(super) fn keys(syntax: Syntax, text: &str, path: &[&str]) -> Option<Vec<String>> {
    match syntax {
        Syntax::Json => edit_json::keys(text, path),
        Syntax::Toml => None,
    }
}

/// The text with an entry that it lacks.
pub(super) fn insert(syntax: Syntax, text: &str, path: &[&str], entry: &Entry) -> Result<String> {
    let edited = match syntax {
        Syntax::Json => edit_json::insert(text, path, entry)?,
        Syntax::Toml => edit_toml::insert(text, path, entry)?,
    };
    checked(syntax, edited, path, Some(entry))
}

/// The text with the entry in place of the one that is there.
pub(super) fn replace(syntax: Syntax, text: &str, path: &[&str], entry: &Entry) -> Result<String> {
    let edited = match syntax {
        Syntax::Json => edit_json::replace(text, path, entry)?,
        Syntax::Toml => edit_toml::insert(&edit_toml::remove(text, path)?, path, entry)?,
    };
    checked(syntax, edited, path, Some(entry))
}

/// The text without the entry, and without tables around it that are left empty, but for the outer `n_kept`.
pub(super) fn remove(syntax: Syntax, text: &str, path: &[&str], n_kept: usize) -> Result<String> {
    let edited = match syntax {
        Syntax::Json => edit_json::remove(text, path, n_kept)?,
        Syntax::Toml => edit_toml::remove(text, path)?,
    };
    checked(syntax, edited, path, None)
}

/// How many of the tables that lead to the entry are there.
fn depth(syntax: Syntax, text: &str, path: &[&str]) -> usize {
    let containers = path.len().saturating_sub(1);
    (1..=containers).take_while(|end| keys(syntax, text, &path[..*end]).is_some()).count()
}

/// The text without the entry as well as `before` tells it: `before` itself where the entry is all that it lacks.
pub(super) fn without(
    syntax: Syntax,
    text: &str,
    path: &[&str],
    before: Option<&str>,
) -> Result<String> {
    let Some(before) = before else {
        return remove(syntax, text, path, path.len());
    };
    let n_kept = depth(syntax, before, path);
    let bare = remove(syntax, text, path, n_kept)?;
    let sample = Entry { fields: vec![("command", Field::Text(String::new()))] };
    let again = match find(syntax, before, path) {
        Ok(None) => insert(syntax, before, path, &sample)
            .and_then(|with| remove(syntax, &with, path, n_kept))
            .ok(),
        _ => None,
    };
    Ok(if again.as_deref() == Some(&*bare) { before.to_owned() } else { bare })
}

/// No edit leaves this module that does not say what it was made for.
fn checked(syntax: Syntax, edited: String, path: &[&str], entry: Option<&Entry>) -> Result<String> {
    let says = find(syntax, &edited, path).map_err(|error| {
        Error::bug(format!("the edited text would not be read: {error}"))
            .with_hint("nothing was written; paste what --print shows")
    })?;
    if says == entry.map(Entry::found) {
        return Ok(edited);
    }
    Err(Error::bug("the edited text would not say what it should")
        .with_hint("nothing was written; paste what --print shows"))
}

impl Entry {
    /// What is found once it is written.
    pub(super) fn found(&self) -> Found {
        let mut words = Vec::new();
        for (name, field) in &self.fields {
            match (*name, field) {
                ("command", Field::Text(text)) => words.insert(0, text.clone()),
                ("command" | "args", Field::List(list)) => words.extend(list.iter().cloned()),
                _ => {}
            }
        }
        Found { words }
    }
}

//! Edits of TOML. The parser tells where things stand; the edits are splices.
//!
//! Our table is appended to the file and cut out again. `toml_edit` could write the edited document, but drops
//! the carriage returns of files made on Windows; it does so only for shapes that no splice fits.

use std::ops::Range;

use toml_edit::{Document, DocumentMut, Item, Table, TableLike};
use wherein_engine::{Error, Result};

use super::edit::{
    Entry, Field, Found, Splice, apply, line_end, split_mark, without_gap, wrong_type,
};

/// What a table is called in TOML.
const TABLE: &str = "a table";

fn parse(text: &str) -> Result<Document<&str>> {
    Document::parse(text).map_err(|error| {
        let start = error.span().map_or(0, |span| span.start);
        let line = 1 + text.bytes().take(start).filter(|byte| *byte == b'\n').count();
        let what = error.message().lines().next().unwrap_or_default();
        Error::usage(format!("line {line} is not TOML: {what}"))
            .with_hint("repair the file first, or paste what --print shows")
    })
}

/// The item that `path` leads to, through tables only.
fn item<'d>(root: &'d Table, path: &[&str]) -> Result<Option<&'d Item>> {
    let mut table: &dyn TableLike = root;
    for (depth, key) in path.iter().enumerate() {
        let Some(item) = table.get(key) else { return Ok(None) };
        let place = &path[..=depth];
        let inner = item.as_table_like();
        let inner = inner.ok_or_else(|| wrong_type(place, name_of(item), TABLE))?;
        if depth + 1 == path.len() {
            return Ok(Some(item));
        }
        table = inner;
    }
    Ok(None)
}

fn name_of(item: &Item) -> &'static str {
    match item.type_name() {
        "string" => "text",
        "array" => "a list",
        "array of tables" => "a list of tables",
        "boolean" => "true or false",
        "integer" | "float" => "a number",
        _ => "something else",
    }
}

/// The entry that `path` leads to.
pub(super) fn find(text: &str, path: &[&str]) -> Result<Option<Found>> {
    let document = parse(split_mark(text).1)?;
    let Some(entry) = item(document.as_table(), path)?.and_then(Item::as_table_like) else {
        return Ok(None);
    };
    let mut words = Vec::new();
    for name in ["command", "args"] {
        match entry.get(name) {
            Some(field) if field.is_str() => words.extend(field.as_str().map(str::to_owned)),
            Some(field) => {
                let list = field.as_array().into_iter().flatten();
                words.extend(list.filter_map(|value| value.as_str()).map(str::to_owned));
            }
            None => {}
        }
    }
    Ok(Some(Found { words }))
}

/// The text with the entry, which it lacks, as a table at its end.
pub(super) fn insert(text: &str, path: &[&str], entry: &Entry) -> Result<String> {
    let (mark, body) = split_mark(text);
    let document = parse(body)?;
    let outer = &path[..path.len() - 1];
    if item(document.as_table(), outer)?.is_some_and(Item::is_inline_table) {
        let outer = outer.join(".");
        return Err(Error::usage(format!("{outer} is written on one line"))
            .with_hint(format!("write it as [{outer}.NAME] tables, or add the entry by hand")));
    }
    let end = line_end(body);
    let table = rendered(path, entry, end);
    Ok(match body {
        "" => format!("{mark}{table}{end}"),
        _ if body.ends_with('\n') => format!("{text}{end}{table}{end}"),
        // The last line of the file stays without an end, so that it can be found again.
        _ => format!("{text}{end}{end}{table}"),
    })
}

fn rendered(path: &[&str], entry: &Entry, end: &str) -> String {
    let mut lines = vec![format!("[{}]", path.join("."))];
    for (name, field) in &entry.fields {
        let value = match field {
            Field::Text(text) => toml_edit::Value::from(text.as_str()),
            Field::Truth(truth) => toml_edit::Value::from(*truth),
            Field::List(list) => toml_edit::Value::Array(list.iter().map(String::as_str).collect()),
        };
        lines.push(format!("{name} = {}", value.to_string().trim()));
    }
    lines.join(end)
}

/// The text without the entry.
pub(super) fn remove(text: &str, path: &[&str]) -> Result<String> {
    let (mark, body) = split_mark(text);
    let document = parse(body)?;
    let Some(entry) = item(document.as_table(), path)? else { return Ok(text.to_owned()) };
    let mut regions = Vec::new();
    let is_cut = match entry.as_table() {
        Some(table) if !table.is_dotted() && !table.is_implicit() => collect(table, &mut regions),
        _ => false,
    };
    if !is_cut {
        return Ok(format!("{mark}{}", rewritten(body, path)?));
    }
    let splices = regions.into_iter().map(|region| Splice::new(lines_of(body, region), ""));
    Ok(format!("{mark}{}", apply(body, splices.collect())))
}

/// The places of a table and of those below it that have headers of their own; whether all could be told.
fn collect(table: &Table, regions: &mut Vec<Range<usize>>) -> bool {
    // Tables without a header of their own have none to cut out.
    let has_header = !table.is_implicit();
    let Some(mut region) = table.span().or((!has_header).then_some(0..0)) else { return false };
    let mut is_told = true;
    for (_, item) in table.iter() {
        match item {
            Item::Table(inner) if inner.is_dotted() => is_told &= extend(inner, &mut region),
            Item::Table(inner) => is_told &= collect(inner, regions),
            Item::Value(value) => match value.span() {
                Some(span) => region.end = region.end.max(span.end),
                None => is_told = false,
            },
            _ => is_told = false,
        }
    }
    regions.extend(has_header.then_some(region));
    is_told
}

/// Values with dotted keys stand among the others.
fn extend(dotted: &Table, region: &mut Range<usize>) -> bool {
    dotted.iter().all(|(_, item)| match item {
        Item::Table(inner) => extend(inner, region),
        Item::Value(value) => value.span().is_some_and(|span| {
            region.end = region.end.max(span.end);
            true
        }),
        _ => false,
    })
}

/// The whole lines of a region, with the empty line before them that came with it.
fn lines_of(text: &str, region: Range<usize>) -> Range<usize> {
    let end = text[region.end..].find('\n').map_or(text.len(), |newline| region.end + newline + 1);
    let start = text[..region.start].rfind('\n').map_or(0, |newline| newline + 1);
    let before = &text[..start];
    let is_last = end == text.len() && !text.ends_with('\n');
    without_gap(before, is_last).len()..end
}

/// For entries that are no table of their own: `wherein = { … }` and dotted keys.
fn rewritten(body: &str, path: &[&str]) -> Result<String> {
    let plain = body.replace("\r\n", "\n");
    let n_returns = body.len() - plain.len();
    let is_mixed = n_returns > 0 && n_returns != plain.matches('\n').count();
    if plain.contains('\r') || is_mixed {
        return Err(Error::usage("its lines end in more than one way")
            .with_hint("let them end in one way, or remove the entry by hand"));
    }
    let mut document: DocumentMut = plain
        .parse()
        .map_err(|error: toml_edit::TomlError| Error::bug(error.message().to_owned()))?;
    let mut table: Option<&mut dyn TableLike> = Some(document.as_table_mut());
    for key in &path[..path.len() - 1] {
        table = table.and_then(|table| table.get_mut(key)).and_then(Item::as_table_like_mut);
    }
    if let Some(table) = table {
        table.remove(path[path.len() - 1]);
    }
    let edited = document.to_string();
    Ok(if plain.len() < body.len() { edited.replace('\n', "\r\n") } else { edited })
}

/// An entry as it is pasted into the settings of a client.
pub(super) fn snippet(path: &[&str], entry: &Entry) -> String {
    rendered(path, entry, "\n") + "\n"
}

//! Edits of JSON with comments. The parser tells where things stand; the edits are splices.
//!
//! New text follows the file: its indentation, its line ends, trailing commas where it has them, one line where it
//! is one line. Nothing of the file is written anew.

use jsonc_parser::ast::{Object, ObjectProp, Value};
use jsonc_parser::common::Ranged;
use jsonc_parser::tokens::{Token, TokenAndRange};
use jsonc_parser::{CollectOptions, CommentCollectionStrategy, ParseOptions, parse_to_ast};
use wherein_engine::{Error, Result};

use super::edit::{Entry, Found, Splice, apply, line_end, split_mark, wrong_type};
use super::layout::{Layout, Part};

/// What a table is called in JSON.
const TABLE: &str = "an object";

struct Parsed<'t> {
    text: &'t str,
    value: Option<Value<'t>>,
    tokens: Vec<TokenAndRange<'t>>,
}

/// JSON with comments and trailing commas; none of the liberties of JSON5.
fn parse(text: &str) -> Result<Parsed<'_>> {
    let collect = CollectOptions { comments: CommentCollectionStrategy::AsTokens, tokens: true };
    let options = ParseOptions {
        allow_comments: true,
        allow_trailing_commas: true,
        allow_loose_object_property_names: false,
        allow_missing_commas: false,
        allow_single_quoted_strings: false,
        allow_hexadecimal_numbers: false,
        allow_unary_plus_numbers: false,
        allow_bare_decimal_point_numbers: false,
        allow_non_finite_numbers: false,
        allow_extended_string_escapes: false,
    };
    let parsed = parse_to_ast(text, &collect, &options).map_err(|error| {
        Error::usage(format!("line {} is not JSON: {}", error.line_display(), error.kind()))
            .with_hint("repair the file first, or paste what --print shows")
    })?;
    Ok(Parsed { text, value: parsed.value, tokens: parsed.tokens.unwrap_or_default() })
}

/// The entry that `path` leads to.
pub(super) fn find(text: &str, path: &[&str]) -> Result<Option<Found>> {
    let parsed = parse(split_mark(text).1)?;
    let chain = chain(&parsed, path)?;
    let Some(entry) = chain.get(path.len().wrapping_sub(1)) else { return Ok(None) };
    let Value::Object(entry) = &entry.value else {
        return Err(wrong_type(path, name_of(&entry.value), TABLE));
    };
    let mut words = Vec::new();
    for name in ["command", "args"] {
        match entry.get(name).map(|prop| &prop.value) {
            Some(Value::StringLit(text)) => words.push(text.value.clone().into_owned()),
            Some(Value::Array(list)) => {
                let texts = list.elements.iter().filter_map(Value::as_string_lit);
                words.extend(texts.map(|text| text.value.clone().into_owned()));
            }
            _ => {}
        }
    }
    Ok(Some(Found { words }))
}

/// The keys of the object that `path` leads to, where there is one.
pub(super) fn keys(text: &str, path: &[&str]) -> Option<Vec<String>> {
    let parsed = parse(split_mark(text).1).ok()?;
    let chain = chain(&parsed, path).ok()?;
    let object = chain.get(path.len().wrapping_sub(1))?.value.as_object()?;
    Some(object.properties.iter().map(|prop| prop.name.as_str().to_owned()).collect())
}

/// The properties along `path`, as far as there are any.
fn chain<'p, 't>(parsed: &'p Parsed<'t>, path: &[&str]) -> Result<Vec<&'p ObjectProp<'t>>> {
    let mut props: Vec<&ObjectProp<'_>> = Vec::new();
    let Some(root) = &parsed.value else { return Ok(props) };
    let mut value = root;
    for (depth, key) in path.iter().enumerate() {
        let Value::Object(object) = value else {
            let place = if depth == 0 { &["the file"][..] } else { &path[..depth] };
            return Err(wrong_type(place, name_of(value), TABLE));
        };
        let mut found = object.properties.iter().filter(|prop| prop.name.as_str() == *key);
        let Some(prop) = found.next() else { break };
        if found.next().is_some() {
            let key = path[..=depth].join(".");
            return Err(Error::usage(format!("{key} is there twice"))
                .with_hint("keep one of them, then run it again"));
        }
        props.push(prop);
        value = &prop.value;
    }
    Ok(props)
}

fn name_of(value: &Value<'_>) -> &'static str {
    match value {
        Value::StringLit(_) => "text",
        Value::NumberLit(_) => "a number",
        Value::BooleanLit(_) => "true or false",
        Value::Object(_) => TABLE,
        Value::Array(_) => "a list",
        Value::NullKeyword(_) => "null",
    }
}

/// The text with the entry, which it lacks.
pub(super) fn insert(text: &str, path: &[&str], entry: &Entry) -> Result<String> {
    let (mark, body) = split_mark(text);
    let parsed = parse(body)?;
    let chain = chain(&parsed, path)?;
    let object = match chain.last() {
        Some(prop) => Some(&prop.value),
        None => parsed.value.as_ref(),
    };
    let splices = match object {
        None => vec![whole(body, path, entry)],
        Some(Value::Object(object)) => {
            parsed.at_end_of(object, &Part { keys: &path[chain.len()..], entry })
        }
        Some(other) => return Err(wrong_type(&path[..chain.len()], name_of(other), TABLE)),
    };
    Ok(format!("{mark}{}", apply(body, splices)))
}

/// A file without a value gets one, after its comments.
fn whole(body: &str, path: &[&str], entry: &Entry) -> Splice {
    let end = line_end(body);
    let layout = Layout::Lines { end, indent: String::new(), unit: "  ".to_owned() };
    let object = layout.object(&[Part { keys: path, entry }.render(&layout.deeper())]);
    if body.trim().is_empty() {
        return Splice::new(0..body.len(), format!("{object}{end}"));
    }
    let gap = if body.ends_with('\n') { "" } else { end };
    Splice::new(body.len()..body.len(), format!("{gap}{object}{end}"))
}

/// The text with the entry in place of the value that is there.
pub(super) fn replace(text: &str, path: &[&str], entry: &Entry) -> Result<String> {
    let (mark, body) = split_mark(text);
    let parsed = parse(body)?;
    let chain = chain(&parsed, path)?;
    let Some(prop) = chain.get(path.len() - 1) else { return insert(text, path, entry) };
    let is_flat = !body.trim().contains('\n');
    let layout = if is_flat {
        Layout::Line { gap: parsed.gap() }
    } else {
        parsed.lines(leading(body, prop.range.start))
    };
    let splice = Splice::new(prop.value.start()..prop.value.end(), entry.render(&layout));
    Ok(format!("{mark}{}", apply(body, vec![splice])))
}

/// The text without the entry and without objects that are empty then, but for the outer `n_kept`.
pub(super) fn remove(text: &str, path: &[&str], n_kept: usize) -> Result<String> {
    let (mark, body) = split_mark(text);
    let parsed = parse(body)?;
    let chain = chain(&parsed, path)?;
    if chain.len() < path.len() {
        return Ok(text.to_owned());
    }
    let mut at = path.len() - 1;
    while at > n_kept && parsed.holds_only_one(chain[at - 1]) {
        at -= 1;
    }
    let object = match at {
        0 => parsed.value.as_ref().and_then(Value::as_object),
        _ => chain[at - 1].value.as_object(),
    };
    let splices = object.map(|object| parsed.without(object, chain[at])).unwrap_or_default();
    Ok(format!("{mark}{}", apply(body, splices)))
}

impl Parsed<'_> {
    /// Splices that put a property at the end of `object`.
    fn at_end_of(&self, object: &Object<'_>, part: &Part<'_>) -> Vec<Splice> {
        let inner = object.start() + 1..object.end() - 1;
        let comment = self.last_comment(inner.start, inner.end);
        let base = leading(self.text, object.start());
        let Some(last) = object.properties.last() else {
            if self.is_flat_beside(object) && comment.is_none() {
                return vec![Splice::new(inner, part.render(&Layout::Line { gap: self.gap() }))];
            }
            let layout = self.lines(base.clone() + &self.unit());
            let text = format!("{}{base}", layout.start() + &part.render(&layout) + self.end());
            return vec![Splice::new(comment.unwrap_or(inner.start)..inner.end, text)];
        };
        let after = last.range.end;
        let comma = self.comma_after(after);
        let anchor = comma.unwrap_or(after).max(self.last_comment(after, inner.end).unwrap_or(0));
        let is_flat = !self.text[inner.start..object.properties[0].range.start].contains('\n');
        let (lead, rendered) = if is_flat && comment.is_none_or(|end| end < after) {
            let layout = Layout::Line { gap: self.gap() };
            (layout.start(), part.render(&layout))
        } else {
            let own = leading(self.text, last.range.start);
            let layout = self.lines(if is_flat { base + &self.unit() } else { own });
            (layout.start(), part.render(&layout))
        };
        match comma {
            Some(_) => vec![Splice::new(anchor..anchor, format!("{lead}{rendered},"))],
            None => vec![
                Splice::new(after..after, ","),
                Splice::new(anchor..anchor, format!("{lead}{rendered}")),
            ],
        }
    }

    /// Splices that take a property out of `object`; comments stay.
    fn without(&self, object: &Object<'_>, prop: &ObjectProp<'_>) -> Vec<Splice> {
        let inner = object.start() + 1..object.end() - 1;
        let is_only = object.properties.len() == 1;
        if is_only && self.last_comment(inner.start, inner.end).is_none() {
            return vec![Splice::new(inner, "")];
        }
        let (start, end) = (prop.range.start, prop.range.end);
        match self.comma_after(end) {
            Some(comma) if self.last_comment(end, comma).is_none() => {
                vec![Splice::new(self.begin(start, comma)..comma, "")]
            }
            Some(comma) => vec![
                Splice::new(self.begin(start, end)..end, ""),
                Splice::new(comma - 1..comma, ""),
            ],
            None => {
                let mut earlier = self.tokens.iter().filter(|token| token.end() <= start);
                let last = earlier.rfind(|token| !is_comment(token));
                let comma = last.filter(|token| token.token == Token::Comma);
                let comma = comma.map(|token| Splice::new(token.start()..token.end(), ""));
                let from = self.begin(start, end);
                comma.into_iter().chain([Splice::new(from..end, "")]).collect()
            }
        }
    }

    /// Whether the property is an object of one property, with no comment anywhere in it.
    fn holds_only_one(&self, prop: &ObjectProp<'_>) -> bool {
        prop.value.as_object().is_some_and(|object| object.properties.len() == 1)
            && self.last_comment(prop.range.start, prop.range.end).is_none()
    }

    /// Where what goes with a property begins, if `to` is where it ends: after what comes before it. A line comment keeps
    /// its line end where something follows.
    fn begin(&self, start: usize, to: usize) -> usize {
        let Some(before) = self.tokens.iter().take_while(|token| token.end() <= start).last()
        else {
            return start;
        };
        let follows =
            self.text[to..].split('\n').next().is_some_and(|rest| !rest.trim().is_empty());
        let is_line = matches!(before.token, Token::CommentLine(_));
        let newline = self.text[before.end()..start].find('\n');
        match newline {
            Some(newline) if is_line && follows => before.end() + newline + 1,
            _ => before.end(),
        }
    }

    /// Where the last comment between two places ends.
    fn last_comment(&self, from: usize, to: usize) -> Option<usize> {
        let within = self.tokens.iter().filter(|token| token.start() >= from && token.end() <= to);
        within.filter(|token| is_comment(token)).map(Ranged::end).next_back()
    }

    /// The end of the comma that follows a value.
    fn comma_after(&self, end: usize) -> Option<usize> {
        let mut later = self.tokens.iter().filter(|token| token.start() >= end);
        let next = later.find(|token| !is_comment(token))?;
        (next.token == Token::Comma).then(|| next.end())
    }

    /// Whether an empty object is written on one line with others.
    fn is_flat_beside(&self, object: &Object<'_>) -> bool {
        let whole = self.text.trim();
        !whole.contains('\n') && object.end() - object.start() < whole.len()
    }

    /// What stands behind colons and commas on one line.
    fn gap(&self) -> &'static str {
        let colon = self.tokens.iter().find(|token| token.token == Token::Colon);
        match colon {
            Some(colon) if !self.text[colon.end()..].starts_with([' ', '\t']) => "",
            _ => " ",
        }
    }

    fn end(&self) -> &'static str {
        line_end(self.text)
    }

    /// What one level is indented by: the white space before the first property of the root.
    fn unit(&self) -> String {
        let root = self.value.as_ref().and_then(Value::as_object);
        let first = root.and_then(|root| root.properties.first());
        let own = first.map(|first| leading(self.text, first.range.start));
        own.filter(|own| !own.is_empty()).unwrap_or_else(|| "  ".to_owned())
    }

    fn lines(&self, indent: String) -> Layout {
        Layout::Lines { end: self.end(), indent, unit: self.unit() }
    }
}

fn is_comment(token: &TokenAndRange<'_>) -> bool {
    matches!(token.token, Token::CommentLine(_) | Token::CommentBlock(_))
}

/// The white space that begins the line of a place.
fn leading(text: &str, place: usize) -> String {
    let line = text[..place].rfind('\n').map_or(0, |newline| newline + 1);
    let rest = &text[line..place];
    rest[..rest.len() - rest.trim_start_matches([' ', '\t']).len()].to_owned()
}

/// An entry as it is pasted into the settings of a client: with all keys that lead to it.
pub(super) fn snippet(path: &[&str], entry: &Entry) -> String {
    whole("", path, entry).text
}

//! Annotations as their text says: names, and arguments as far as they are literals.
//!
//! Made for `@Name(…)`, `#[name(…)]` and `[Name(…), Other]` of any language. Must not know what a route is.

/// One annotation of a text that may hold several.
#[derive(Debug)]
pub(super) struct Annotation<'a> {
    /// The last part of its name.
    pub(super) name: &'a str,
    /// Whether a part stood before it, as in `app.get`.
    pub(super) is_dotted: bool,
    /// Written in brackets without a mark, as C# does.
    pub(super) is_bracket: bool,
    is_hash: bool,
    /// Between the parentheses; `None` where there are none.
    arguments: Option<&'a str>,
}

/// An argument as far as it can be read.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Stated {
    Nothing,
    Literal(String),
    /// Something that only the program knows.
    Unknown,
}

/// The annotations of a text.
pub(super) fn read(text: &str) -> Vec<Annotation<'_>> {
    let (is_hash, is_bracket) = (text.starts_with('#'), text.starts_with('['));
    let inner = text.trim_start_matches(['@', '#', '!']);
    let inner = inner.strip_prefix('[').map_or(inner, |rest| rest.trim_end_matches(']'));
    let parts = if is_hash || is_bracket { split(inner) } else { vec![inner] };
    let one = |part| one(part, is_hash, is_bracket);
    parts.into_iter().map(one).collect()
}

fn one(part: &str, is_hash: bool, is_bracket: bool) -> Annotation<'_> {
    let (full, arguments) = match part.split_once('(') {
        Some((name, rest)) => (name.trim(), Some(rest.trim().trim_end_matches(')').trim())),
        None => (part.trim(), None),
    };
    let name = full.rsplit(['.', ':', '\\']).next().unwrap_or(full);
    let is_dotted = full[..full.len() - name.len()].ends_with('.');
    Annotation { name, is_dotted, is_bracket, is_hash, arguments }
}

impl<'a> Annotation<'a> {
    /// Written in brackets.
    pub(super) fn is_attribute(&self) -> bool {
        self.is_hash || self.is_bracket
    }

    pub(super) fn has_arguments(&self) -> bool {
        self.arguments.is_some_and(|text| !text.is_empty())
    }

    /// The argument that goes by one of these names.
    pub(super) fn value_of(&self, keys: &[&str]) -> Option<&'a str> {
        split(self.unwrapped())
            .into_iter()
            .filter_map(keyed)
            .find_map(|(key, value)| keys.contains(&key).then_some(value))
    }

    /// The path: an argument that is called so, or the first without a name.
    pub(super) fn path(&self) -> Stated {
        let parts = split(self.unwrapped());
        let named = self.value_of(&["path", "value", "rule", "template"]);
        let value = named.or_else(|| parts.first().copied().filter(|part| keyed(part).is_none()));
        match value {
            Some(value) if !value.is_empty() => {
                literal(value).map_or(Stated::Unknown, Stated::Literal)
            }
            _ => Stated::Nothing,
        }
    }

    /// The arguments, out of the braces of a single object.
    fn unwrapped(&self) -> &'a str {
        let text = self.arguments.unwrap_or_default();
        text.strip_prefix('{').and_then(|rest| rest.strip_suffix('}')).map_or(text, str::trim)
    }
}

/// `key = value` or `key: value`.
fn keyed(part: &str) -> Option<(&str, &str)> {
    let end = part.find(|c: char| !c.is_alphanumeric() && c != '_')?;
    let (key, rest) = part.split_at(end);
    let rest = rest.trim_start();
    let value = rest.strip_prefix('=').or(rest.strip_prefix(':'))?;
    let is_operator = value.starts_with(['=', '>', ':']);
    (!key.is_empty() && !is_operator).then(|| (key, value.trim()))
}

/// A string literal, or the first of a list of them.
fn literal(value: &str) -> Option<String> {
    let value = value.trim();
    if value.starts_with(['[', '{']) || value.starts_with("arrayOf(") {
        let inner = value.trim_start_matches("arrayOf(").trim_matches(['[', ']', '{', '}', ')']);
        return split(inner).first().and_then(|first| literal(first));
    }
    let value = value.strip_prefix(['r', '@']).unwrap_or(value);
    let quote = value.chars().next().filter(|c| matches!(c, '"' | '\'' | '`'))?;
    let inner = value[1..].strip_suffix(quote)?;
    (!inner.contains(quote)).then(|| inner.to_owned())
}

/// The parts between commas, not those inside brackets or quotes.
fn split(text: &str) -> Vec<&str> {
    let (mut parts, mut depth, mut start) = (Vec::new(), 0_usize, 0);
    let mut quote = None;
    for (i, c) in text.char_indices() {
        match (quote, c) {
            (Some(open), _) if open == c => quote = None,
            (Some(_), _) => {}
            (None, '"' | '\'' | '`') => quote = Some(c),
            (None, '(' | '[' | '{') => depth += 1,
            (None, ')' | ']' | '}') => depth = depth.saturating_sub(1),
            (None, ',') if depth == 0 => {
                parts.push(text[start..i].trim());
                start = i + 1;
            }
            (None, _) => {}
        }
    }
    parts.push(text[start..].trim());
    parts.retain(|part| !part.is_empty());
    parts
}

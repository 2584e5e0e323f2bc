//! The text of a query file → its patterns as written, with every kind and field known to the grammar.
//!
//! Reads what tree-sitter's queries may say, except patterns that have no single root. Must not know what a capture
//! means, and must not order the matching: that is `program`'s.

use std::num::NonZeroU16;

use tree_sitter::Language;

use super::predicate::Predicate;

/// Broken code has a kind of its own, beyond those of every grammar.
const ERROR: u16 = u16::MAX;

/// What is wrong with a query file, and where.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {what}")]
pub(in crate::syntax) struct PatternError {
    line: usize,
    what: String,
}

/// What a node may be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Kind {
    /// `_`: any node but broken code.
    Any,
    /// `(_)`: any named one.
    AnyNamed,
    /// `(ERROR)`, `(kind)` or `"text"`.
    One(u16),
    /// `(supertype)`: one of these.
    Of(Box<[u16]>),
}

/// How often an element may stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Count {
    pub(super) may_lack: bool,
    pub(super) may_repeat: bool,
}

/// A node and what must be inside it.
#[derive(Debug)]
pub(super) struct NodePattern {
    pub(super) kind: Kind,
    pub(super) is_missing: bool,
    pub(super) without: Vec<u16>,
    pub(super) children: Vec<Element>,
    /// The last of the children must be the last named one: `.` before `)`.
    pub(super) is_closed: bool,
}

#[derive(Debug)]
pub(super) enum What {
    Node(NodePattern),
    /// `[a b]`
    Either(Vec<Element>),
    /// `(a b)`
    Group(Vec<Element>),
}

/// One of the siblings that a pattern asks for.
#[derive(Debug)]
pub(super) struct Element {
    pub(super) what: What,
    pub(super) field: Option<NonZeroU16>,
    pub(super) captures: Vec<u16>,
    pub(super) count: Count,
    /// A `.` stands before it.
    pub(super) is_anchored: bool,
}

/// A pattern as written.
#[derive(Debug)]
pub(super) struct Written {
    pub(super) root: Element,
    pub(super) predicates: Vec<Predicate>,
}

/// Every pattern of a file, and the names of the captures.
pub(super) fn parse(
    language: &Language,
    text: &str,
) -> Result<(Vec<Written>, Vec<String>), PatternError> {
    let mut reader =
        Reader { language, text, at: 0, names: Vec::new(), predicates: Vec::new(), depth: 0 };
    let mut patterns = Vec::new();
    reader.skip_blank();
    while reader.peek().is_some() {
        let root = reader.root()?;
        patterns.push(Written { root, predicates: std::mem::take(&mut reader.predicates) });
    }
    Ok((patterns, reader.names))
}

/// Deeper than any pattern: the reader calls itself.
const MAX_DEPTH: usize = 100;

struct Reader<'a> {
    language: &'a Language,
    text: &'a str,
    at: usize,
    names: Vec<String>,
    /// Those of the pattern at hand.
    predicates: Vec<Predicate>,
    depth: usize,
}

impl<'a> Reader<'a> {
    fn root(&mut self) -> Result<Element, PatternError> {
        let start = self.at;
        let Some(mut element) = self.element()? else {
            return self.fail("a predicate outside of a pattern");
        };
        // A group of one is how a predicate is put beside a single node.
        if let What::Group(parts) = &mut element.what
            && parts.len() == 1
            && element.captures.is_empty()
            && let Some(only) = parts.pop()
        {
            element = only;
        }
        let is_plain = !element.count.may_lack && !element.count.may_repeat;
        match &element.what {
            What::Node(NodePattern { kind: Kind::One(_), .. })
                if is_plain && element.field.is_none() && !element.is_anchored =>
            {
                Ok(element)
            }
            _ => {
                self.at = start;
                self.fail("a pattern begins with one node of a kind")
            }
        }
    }

    /// One element with its captures and count; `None` where a predicate stood in its place.
    fn element(&mut self) -> Result<Option<Element>, PatternError> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return self.fail("nested too deep");
        }
        let field = self.field()?;
        let what = match self.peek() {
            Some('[') => Some(What::Either(self.either()?)),
            Some('(') => self.parenthesis()?,
            Some('"') => {
                let text = self.string()?;
                Some(What::Node(self.leaf(self.kind_of(&text, false)?)))
            }
            Some('_') if !self.rest()[1..].starts_with(is_word) => {
                self.advance(1);
                Some(What::Node(self.leaf(Kind::Any)))
            }
            _ => return self.fail("a node, a group or an alternative is missing"),
        };
        self.depth -= 1;
        let Some(what) = what else {
            return if field.is_some() { self.fail("a field without a node") } else { Ok(None) };
        };
        let mut element = Element {
            what,
            field,
            captures: Vec::new(),
            count: Count { may_lack: false, may_repeat: false },
            is_anchored: false,
        };
        self.suffixes(&mut element)?;
        Ok(Some(element))
    }

    /// The quantifiers and captures behind an element.
    fn suffixes(&mut self, element: &mut Element) -> Result<(), PatternError> {
        loop {
            self.skip_blank();
            match self.peek() {
                Some('?') => element.count.may_lack = true,
                Some('+') => element.count.may_repeat = true,
                Some('*') => element.count = Count { may_lack: true, may_repeat: true },
                Some('@') => {
                    let capture = self.capture()?;
                    element.captures.push(capture);
                    continue;
                }
                _ => return Ok(()),
            }
            self.advance(1);
        }
    }

    /// `name:` before an element.
    fn field(&mut self) -> Result<Option<NonZeroU16>, PatternError> {
        let word = self.word();
        let is_field = self.rest()[word.len()..].trim_start().starts_with(':');
        if word.is_empty() || !is_field {
            return Ok(None);
        }
        let id = self.field_id(word)?;
        self.advance(word.len());
        self.skip_blank();
        self.advance(1);
        self.skip_blank();
        Ok(Some(id))
    }

    fn either(&mut self) -> Result<Vec<Element>, PatternError> {
        self.advance(1);
        self.skip_blank();
        let mut parts = Vec::new();
        while self.peek() != Some(']') {
            parts.extend(self.element()?);
        }
        self.advance(1);
        if parts.is_empty() { self.fail("no alternatives") } else { Ok(parts) }
    }

    /// A node, a group, or a predicate, which is put aside.
    fn parenthesis(&mut self) -> Result<Option<What>, PatternError> {
        self.advance(1);
        self.skip_blank();
        match self.peek() {
            Some('#') => self.predicate().map(|()| None),
            Some('(' | '[' | '"') => {
                let (children, is_closed, without) = self.children()?;
                match is_closed || !without.is_empty() {
                    true => self.fail("a group is no node"),
                    false => Ok(Some(What::Group(children))),
                }
            }
            _ => self.node().map(|node| Some(What::Node(node))),
        }
    }

    /// What follows `(`: a kind and what is inside.
    fn node(&mut self) -> Result<NodePattern, PatternError> {
        let word = self.word();
        let is_missing = word == "MISSING";
        let kind = match word {
            "" => return self.fail("a kind of node is missing"),
            "_" => Kind::AnyNamed,
            "MISSING" => Kind::Any,
            kind => self.kind_of(kind, true)?,
        };
        self.advance(word.len());
        self.skip_blank();
        let mut node = self.leaf(kind);
        node.is_missing = is_missing;
        if is_missing {
            if self.peek() == Some('"') {
                let text = self.string()?;
                node.kind = self.kind_of(&text, false)?;
            } else if !self.word().is_empty() {
                let word = self.word();
                node.kind = self.kind_of(word, true)?;
                self.advance(word.len());
            }
            self.skip_blank();
        } else if self.peek() == Some('/') {
            self.advance(1);
            // The name before it says no more than the kind itself.
            let (text, is_named) = match self.peek() {
                Some('"') => (self.string()?, false),
                _ => (self.word().to_owned(), true),
            };
            node.kind = self.kind_of(&text, is_named)?;
            self.advance(if is_named { text.len() } else { 0 });
            self.skip_blank();
        }
        (node.children, node.is_closed, node.without) = self.children()?;
        Ok(node)
    }

    /// Everything up to `)`: elements, whether a `.` stands behind them, and the fields that must be absent.
    fn children(&mut self) -> Result<(Vec<Element>, bool, Vec<u16>), PatternError> {
        let (mut children, mut without, mut is_anchored) = (Vec::new(), Vec::new(), false);
        loop {
            match self.peek() {
                Some(')') => {
                    if is_anchored && children.is_empty() {
                        return self.fail("an anchor without a node");
                    }
                    self.advance(1);
                    self.skip_blank();
                    return Ok((children, is_anchored, without));
                }
                Some('.') => {
                    self.advance(1);
                    is_anchored = true;
                }
                Some('!') => {
                    self.advance(1);
                    self.skip_blank();
                    let name = self.word();
                    without.push(self.field_id(name)?.get());
                    self.advance(name.len());
                }
                _ => {
                    if let Some(mut child) = self.element()? {
                        child.is_anchored = std::mem::take(&mut is_anchored);
                        children.push(child);
                    }
                }
            }
            self.skip_blank();
        }
    }

    /// `#name? @capture "text" @other)`
    fn predicate(&mut self) -> Result<(), PatternError> {
        self.advance(1);
        let name = self.word();
        let end = if self.rest()[name.len()..].starts_with(['?', '!']) { 1 } else { 0 };
        let name = &self.rest()[..name.len() + end];
        self.advance(name.len());
        self.skip_blank();
        let (mut captures, mut texts) = (Vec::new(), Vec::new());
        while self.peek() != Some(')') {
            match self.peek() {
                Some('@') => {
                    let n_known = self.names.len();
                    captures.push(self.capture()?);
                    if self.names.len() > n_known {
                        return self.fail("a predicate asks about what is captured before it");
                    }
                }
                Some('"') => texts.push(self.string()?),
                _ if !self.word().is_empty() => {
                    texts.push(self.word().to_owned());
                    self.advance(self.word().len());
                }
                _ => return self.fail("a predicate takes captures and strings"),
            }
            self.skip_blank();
        }
        self.advance(1);
        self.skip_blank();
        match Predicate::of(name, &captures, texts) {
            Some(predicate) => self.predicates.push(predicate),
            None => return self.fail(&format!("#{name} is not known, or takes something else")),
        }
        Ok(())
    }

    /// `@name` → its number.
    fn capture(&mut self) -> Result<u16, PatternError> {
        self.advance(1);
        let name = self.word();
        if name.is_empty() {
            return self.fail("a capture without a name");
        }
        self.advance(name.len());
        let known = self.names.iter().position(|other| other == name);
        let idx = known.unwrap_or_else(|| {
            self.names.push(name.to_owned());
            self.names.len() - 1
        });
        Ok(idx as u16)
    }

    /// A string in quotes.
    fn string(&mut self) -> Result<String, PatternError> {
        let mut out = String::new();
        let mut chars = self.rest().char_indices().skip(1);
        while let Some((i, c)) = chars.next() {
            match c {
                '"' => {
                    self.advance(i + 1);
                    self.skip_blank();
                    return Ok(out);
                }
                '\n' => break,
                '\\' => match chars.next() {
                    Some((_, 'n')) => out.push('\n'),
                    Some((_, 'r')) => out.push('\r'),
                    Some((_, 't')) => out.push('\t'),
                    Some((_, '0')) => out.push('\0'),
                    Some((_, other)) => out.push(other),
                    None => break,
                },
                c => out.push(c),
            }
        }
        self.fail("a string without an end")
    }

    fn leaf(&self, kind: Kind) -> NodePattern {
        NodePattern {
            kind,
            is_missing: false,
            without: Vec::new(),
            children: Vec::new(),
            is_closed: false,
        }
    }

    fn kind_of(&self, name: &str, is_named: bool) -> Result<Kind, PatternError> {
        if is_named && name == "ERROR" {
            return Ok(Kind::One(ERROR));
        }
        let id = self.language.id_for_node_kind(name, is_named);
        if id == 0 {
            return self.fail(&format!("no node of the grammar is called {name}"));
        }
        if !self.language.node_kind_is_supertype(id) {
            return Ok(Kind::One(id));
        }
        let mut kinds = Vec::new();
        self.add_subtypes(id, &mut kinds);
        match kinds.is_empty() {
            true => self.fail(&format!("the grammar does not say what is a {name}")),
            false => Ok(Kind::Of(kinds.into())),
        }
    }

    fn add_subtypes(&self, id: u16, kinds: &mut Vec<u16>) {
        for sub in self.language.subtypes_for_supertype(id) {
            if self.language.node_kind_is_supertype(*sub) {
                self.add_subtypes(*sub, kinds);
            } else if !kinds.contains(sub) {
                kinds.push(*sub);
            }
        }
    }

    fn field_id(&self, name: &str) -> Result<NonZeroU16, PatternError> {
        match self.language.field_id_for_name(name) {
            Some(id) => Ok(id),
            None => self.fail(&format!("no field of the grammar is called {name}")),
        }
    }

    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    /// The word that begins here; may be empty.
    fn word(&self) -> &'a str {
        let rest = self.rest();
        &rest[..rest.find(|c| !is_word(c)).unwrap_or(rest.len())]
    }

    fn advance(&mut self, n_bytes: usize) {
        self.at = (self.at + n_bytes).min(self.text.len());
    }

    /// White space and comments.
    fn skip_blank(&mut self) {
        loop {
            let rest = self.rest().trim_start();
            self.at = self.text.len() - rest.len();
            if !rest.starts_with(';') {
                return;
            }
            self.advance(rest.find('\n').unwrap_or(rest.len()));
        }
    }

    fn fail<T>(&self, what: &str) -> Result<T, PatternError> {
        let line = self.text[..self.at].matches('\n').count() + 1;
        Err(PatternError { line, what: what.to_owned() })
    }
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '-' | '.')
}

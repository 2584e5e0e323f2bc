//! What the text of captured nodes must be: `#eq?`, `#match?`, `#any-of?` and their kin.

use std::sync::OnceLock;

use regex::bytes::Regex;
use tree_sitter::Node;

/// A captured node and the number of its capture.
pub(in crate::syntax) type Captured<'t> = (u16, Node<'t>);

/// A condition on the text of captured nodes.
#[derive(Debug)]
pub(super) struct Predicate {
    capture: u16,
    test: Test,
    is_positive: bool,
    /// Holds if it holds for one of the nodes; otherwise it must for each.
    is_any: bool,
}

#[derive(Debug)]
enum Test {
    /// The texts of two captures are the same.
    Same(u16),
    OneOf(Vec<String>),
    Matches(Pattern),
}

/// A regular expression, compiled when a node first comes to it: most files never ask most of them.
#[derive(Debug)]
struct Pattern {
    text: String,
    regex: OnceLock<Option<Regex>>,
}

impl Pattern {
    fn get(&self) -> Option<&Regex> {
        // One that does not compile fails a test, so it never gets here.
        self.regex.get_or_init(|| Regex::new(&self.text).ok()).as_ref()
    }
}

impl Predicate {
    /// The predicate of that name; `None` if there is none, or if it takes something else.
    pub(super) fn of(name: &str, captures: &[u16], mut texts: Vec<String>) -> Option<Predicate> {
        let (is_positive, is_any) = match name {
            "eq?" | "match?" | "any-of?" => (true, false),
            "not-eq?" | "not-match?" | "not-any-of?" => (false, false),
            "any-eq?" | "any-match?" => (true, true),
            "any-not-eq?" | "any-not-match?" => (false, true),
            _ => return None,
        };
        let capture = *captures.first()?;
        let takes = (captures.len(), texts.len());
        let test = match name.rsplit('-').next()? {
            "eq?" if takes == (2, 0) => Test::Same(captures[1]),
            "eq?" if takes == (1, 1) => Test::OneOf(texts),
            "match?" if takes == (1, 1) => {
                Test::Matches(Pattern { text: texts.pop()?, regex: OnceLock::new() })
            }
            "of?" if captures.len() == 1 => Test::OneOf(texts),
            _ => return None,
        };
        Some(Predicate { capture, test, is_positive, is_any })
    }

    /// The capture that this asks about and nothing else, if asking costs next to nothing.
    pub(super) fn at_once(&self) -> Option<u16> {
        (!self.is_any && matches!(self.test, Test::OneOf(_))).then_some(self.capture)
    }

    /// The regular expression, if that is what it is, to see whether it compiles.
    #[cfg(test)]
    pub(super) fn regex(&self) -> Option<&str> {
        match &self.test {
            Test::Matches(pattern) => Some(&pattern.text),
            _ => None,
        }
    }

    /// Whether it holds of one node's text.
    pub(super) fn holds_of(&self, text: &[u8]) -> bool {
        let is_so = match &self.test {
            Test::OneOf(texts) => texts.iter().any(|one| one.as_bytes() == text),
            Test::Matches(pattern) => pattern.get().is_some_and(|regex| regex.is_match(text)),
            Test::Same(_) => true,
        };
        is_so == self.is_positive
    }

    /// Whether it holds of the captures of a match.
    pub(super) fn holds(&self, captures: &[Captured<'_>], text: &[u8]) -> bool {
        let of = |capture: u16| captures.iter().filter(move |(idx, _)| *idx == capture);
        let text = |node: &Node<'_>| text.get(node.byte_range()).unwrap_or_default();
        let mut mine = of(self.capture);
        if let Test::Same(other) = self.test {
            return self
                .holds_of_pairs(mine.map(|(_, n)| text(n)), of(other).map(|(_, n)| text(n)));
        }
        match self.is_any {
            // Where nothing is captured, nothing is wrong.
            true => of(self.capture).next().is_none() || mine.any(|(_, n)| self.holds_of(text(n))),
            false => mine.all(|(_, n)| self.holds_of(text(n))),
        }
    }

    fn holds_of_pairs<'a>(
        &self,
        mut mine: impl Iterator<Item = &'a [u8]>,
        mut others: impl Iterator<Item = &'a [u8]>,
    ) -> bool {
        loop {
            match (mine.next(), others.next()) {
                (Some(one), Some(other)) => {
                    let is_so = (one == other) == self.is_positive;
                    if is_so == self.is_any {
                        return is_so;
                    }
                }
                (None, None) => return true,
                // One that is captured differs from one that is not, and is not known to.
                _ => return false,
            }
        }
    }
}

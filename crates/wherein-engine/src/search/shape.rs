//! The shape of a question, as far as the ranking looks at it: a name, a title, a sentence, or the wish for a change.
//!
//! Whoever asks with a title ("cookie handling", "how routers nest") wants to see where things are: several files. A
//! sentence asks for one place, and a change ("fix …", "allow …") may touch several places of one file. Rules on words
//! only; must not know what was found.

use super::query::Query;
use super::question::QuestionType;

/// The share of small words from which on a question is a sentence: that of titles and tickets is about a fifth, that of
/// sentences nearly a half.
const SENTENCE: f32 = 0.36;

/// First words of wishes for a change, in the forms that people write.
const CHANGES: &[&str] = &[
    "add",
    "added",
    "adding",
    "adds",
    "adjust",
    "align",
    "allow",
    "allows",
    "always",
    "apply",
    "avoid",
    "bump",
    "change",
    "changed",
    "check",
    "clarify",
    "clean",
    "correct",
    "correctly",
    "deprecate",
    "disable",
    "disallow",
    "don't",
    "dont",
    "drop",
    "enable",
    "enforce",
    "enhance",
    "ensure",
    "expose",
    "extend",
    "extract",
    "fix",
    "fixed",
    "fixes",
    "fixing",
    "fixup",
    "force",
    "handle",
    "ignore",
    "implement",
    "improve",
    "improved",
    "include",
    "increase",
    "inline",
    "introduce",
    "keep",
    "make",
    "mark",
    "merge",
    "migrate",
    "move",
    "never",
    "only",
    "optimise",
    "optimize",
    "override",
    "patch",
    "permit",
    "preserve",
    "prevent",
    "properly",
    "raise",
    "reduce",
    "refactor",
    "reject",
    "remove",
    "removed",
    "rename",
    "replace",
    "require",
    "restore",
    "return",
    "revert",
    "rewrite",
    "set",
    "show",
    "silence",
    "simplify",
    "skip",
    "split",
    "stop",
    "support",
    "switch",
    "throw",
    "tweak",
    "unify",
    "update",
    "updated",
    "upgrade",
    "use",
    "validate",
    "warn",
    "wrap",
];

/// What a question looks like.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    /// One or a few identifiers.
    Name,
    /// A few words about a subject.
    Title,
    /// A sentence, or a pasted text.
    Sentence,
    /// The wish for a change.
    Change,
}

impl Shape {
    /// Every shape.
    pub const ALL: [Shape; 4] = [Shape::Name, Shape::Title, Shape::Sentence, Shape::Change];

    /// The name used in the file of weights.
    pub fn as_str(self) -> &'static str {
        match self {
            Shape::Name => "name",
            Shape::Title => "title",
            Shape::Sentence => "sentence",
            Shape::Change => "change",
        }
    }

    /// The shape of a question.
    pub(super) fn of(text: &str, query: &Query) -> Shape {
        match query.question.kind {
            QuestionType::Symbol => Shape::Name,
            QuestionType::Pasted => Shape::Sentence,
            QuestionType::Prose if is_change(text) => Shape::Change,
            QuestionType::Prose if query.stop_share > SENTENCE => Shape::Sentence,
            QuestionType::Prose => Shape::Title,
        }
    }
}

/// Whether the text begins as messages of commits and tickets do: "fix …", "parser: allow …".
fn is_change(text: &str) -> bool {
    let text = text.trim_start();
    let behind_scope = text.split_once(": ").filter(|(scope, _)| !scope.contains(' '));
    let said = behind_scope.map_or(text, |(_, said)| said.trim_start());
    let first = said.split_whitespace().next().unwrap_or_default().to_lowercase();
    CHANGES.binary_search(&first.as_str()).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::query;

    #[track_caller]
    fn check(text: &str, expected: Shape) {
        assert_eq!(Shape::of(text, &query::parse(text)), expected, "{text}");
    }

    #[test]
    fn verbs_are_sorted() {
        assert!(CHANGES.is_sorted());
    }

    #[test]
    fn names_titles_sentences_and_changes_are_told_apart() {
        check("should_strip_auth", Shape::Name);
        check("Session.rebuild_auth", Shape::Name);
        check("cookie jar merging", Shape::Title);
        check("how routers nest handlers", Shape::Title);
        check("do we ever follow the redirect that it points to", Shape::Sentence);
        check("why does my upload stop when the other side is slow", Shape::Sentence);
        check("Fix the order of headers", Shape::Change);
        check("parser: allow empty blocks", Shape::Change);
        check("fixture loading", Shape::Title);
        check("note: the fix", Shape::Title);
    }

    #[test]
    fn a_pasted_text_is_no_title() {
        check(
            "Traceback (most recent call last):\n  File \"a.py\", line 3, in f\n",
            Shape::Sentence,
        );
    }
}

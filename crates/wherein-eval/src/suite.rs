//! Reads suites: repositories, questions and their known answers.
//!
//! Extra keys are ignored, so that suites may grow; what the figures need is checked once, here, and a
//! suite that lacks it is refused with its file and the reason. Nothing here searches or judges.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::error::{Error, Result};

/// A set of questions over one or more repositories.
#[derive(Debug, Clone, Deserialize)]
pub struct Suite {
    /// The suite's name.
    #[serde(rename = "suite")]
    pub name: String,
    /// The repositories that the questions are about.
    pub repositories: Vec<Repository>,
    /// The questions, in the suite's order.
    pub questions: Vec<Question>,
}

/// One repository of a suite, laid out at `checkouts/<name>`.
#[derive(Debug, Clone, Deserialize)]
pub struct Repository {
    /// The name that questions refer to, and the checkout's folder.
    pub name: String,
    /// The main language, for the table by language.
    pub language: String,
    /// The folder below the checkout that is searched; empty for all of it.
    #[serde(default)]
    pub root: String,
}

/// One question with the places that answer it.
#[derive(Debug, Clone, Deserialize)]
pub struct Question {
    /// Unique within the suite.
    pub id: String,
    /// The repository's name.
    pub repo: String,
    /// The question as asked.
    pub question: String,
    /// What sort of question it is, for the table by category.
    pub category: String,
    /// The places that answer it, paths relative to the checkout.
    pub answers: Vec<Place>,
    /// The phrase that a person would give to grep.
    #[serde(default)]
    pub grep_phrase: Option<String>,
    /// The single word that a person would give to grep.
    #[serde(default)]
    pub grep_word: Option<String>,
    /// Ranks that were published for this question, by method; none where it was not found.
    #[serde(default)]
    pub published: BTreeMap<String, Option<u32>>,
    /// Whether it is an example that came with a new suite and waits to be replaced.
    #[serde(default)]
    pub example: bool,
}

/// Whole lines of one file, or all of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "RawPlace", into = "RawPlace")]
pub struct Place {
    /// Path relative to the checkout, `/`-separated.
    pub path: String,
    /// The lines; none means the whole file.
    pub lines: Option<Lines>,
    /// What stands there, by name; only said of answers.
    pub symbol: Option<String>,
}

impl Place {
    /// Lines of a file, or all of it, without a name.
    pub fn new(path: impl Into<String>, lines: Option<Lines>) -> Place {
        Place { path: path.into(), lines, symbol: None }
    }
}

/// A run of lines: 1-based, inclusive.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Lines {
    /// First line.
    pub start: u32,
    /// Last line.
    pub end: u32,
}

/// How many lines grep finds for a question's phrase and word.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct GrepCounts {
    /// Lines that hold the phrase; none where the suite names no phrase.
    pub phrase: Option<u64>,
    /// Lines that hold the word; none where the suite names no word.
    pub word: Option<u64>,
}

/// A place as it stands in JSON.
#[derive(Serialize, Deserialize)]
struct RawPlace {
    path: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    start: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    end: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    symbol: Option<String>,
}

impl TryFrom<RawPlace> for Place {
    type Error = String;

    fn try_from(raw: RawPlace) -> std::result::Result<Place, String> {
        let lines = match (raw.start, raw.end) {
            (None, _) => None,
            (Some(start), Some(end)) if start <= end => Some(Lines { start, end }),
            (Some(start), Some(end)) => {
                return Err(format!("lines {start}-{end} of {} run backwards", raw.path));
            }
            (Some(start), None) => {
                return Err(format!("line {start} of {} has no end", raw.path));
            }
        };
        Ok(Place { path: raw.path, lines, symbol: raw.symbol })
    }
}

impl From<Place> for RawPlace {
    fn from(place: Place) -> RawPlace {
        RawPlace {
            path: place.path,
            start: place.lines.map(|lines| lines.start),
            end: place.lines.map(|lines| lines.end),
            symbol: place.symbol,
        }
    }
}

impl Suite {
    /// Reads a suite and checks that it can be judged.
    ///
    /// # Errors
    /// When the file cannot be read, is not JSON of the right shape, or a question cannot be judged.
    pub fn read(path: &Path) -> Result<Suite> {
        let text = std::fs::read_to_string(path).map_err(|source| Error::Io {
            action: "read",
            path: path.to_owned(),
            source,
        })?;
        let malformed = |reason| Error::MalformedSuite { path: path.to_owned(), reason };
        let suite: Suite =
            serde_json::from_str(&text).map_err(|error| malformed(error.to_string()))?;
        suite.check().map_err(malformed)?;
        match suite.questions.iter().find(|question| question.example) {
            Some(Question { id, .. }) => {
                Err(Error::Unfilled { path: path.to_owned(), id: id.clone() })
            }
            None => Ok(suite),
        }
    }

    /// The language of a repository; empty for an unknown name.
    pub fn language_of(&self, repo: &str) -> &str {
        self.repositories
            .iter()
            .find(|repository| repository.name == repo)
            .map_or("", |repository| &repository.language)
    }

    /// Whether any question names something for grep, which earns the suite a table per question.
    pub fn has_grep(&self) -> bool {
        self.questions.iter().any(|q| q.grep_phrase.is_some() || q.grep_word.is_some())
    }

    fn check(&self) -> std::result::Result<(), String> {
        let names: BTreeSet<&str> = self.repositories.iter().map(|r| r.name.as_str()).collect();
        let mut ids = BTreeSet::new();
        for question in &self.questions {
            let id = &question.id;
            if !ids.insert(id) {
                return Err(format!("question '{id}' stands in it twice"));
            }
            if !names.contains(question.repo.as_str()) {
                return Err(format!(
                    "question '{id}' names no repository of it: {}",
                    question.repo
                ));
            }
            if question.question.trim().is_empty() {
                return Err(format!("question '{id}' has no words"));
            }
            if question.answers.is_empty() {
                return Err(format!("question '{id}' has no answers"));
            }
        }
        if ids.is_empty() { Err("it has no questions".to_owned()) } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Suite> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("s.json");
        std::fs::write(&path, text).unwrap();
        Suite::read(&path)
    }

    const HEAD: &str = r#""suite": "s", "repositories": [{"name": "r", "language": "c"}]"#;

    #[test]
    fn extra_keys_and_missing_lines_are_fine() {
        let suite = read(&format!(
            r#"{{{HEAD}, "about": "x", "questions": [{{"id": "r/0", "repo": "r", "question": "q",
               "category": "c", "extra": 1, "answers": [{{"path": "a", "start": null}}, {{"path":
               "b", "start": 2, "end": 3, "symbol": "f"}}]}}]}}"#
        ))
        .unwrap();
        let answers = &suite.questions[0].answers;
        assert_eq!(answers[0].lines, None);
        assert_eq!(answers[1].lines, Some(Lines { start: 2, end: 3 }));
        assert_eq!(answers[1].symbol.as_deref(), Some("f"));
        assert_eq!((suite.language_of("r"), suite.repositories[0].root.as_str()), ("c", ""));
        assert!(!suite.has_grep());
    }

    #[test]
    fn a_malformed_suite_names_its_file_and_the_reason() {
        let question = |answers: &str, repo: &str| {
            format!(
                r#"{{{HEAD}, "questions": [{{"id": "q0", "repo": "{repo}", "question": "q",
                   "category": "c", "answers": {answers}}}]}}"#
            )
        };
        let blank = question(r#"[{"path": "a"}]"#, "r").replace("\"q\"", "\" \"");
        let cases = [
            (blank, "'q0' has no words"),
            ("{".to_owned(), "EOF"),
            (r#"{"suite": "s"}"#.to_owned(), "repositories"),
            (format!(r#"{{{HEAD}, "questions": []}}"#), "no questions"),
            (question("[]", "r"), "'q0' has no answers"),
            (question(r#"[{"path": "a"}]"#, "other"), "no repository of it: other"),
            (question(r#"[{"path": "a", "start": 3, "end": 2}]"#, "r"), "run backwards"),
            (question(r#"[{"path": "a", "start": 3}]"#, "r"), "has no end"),
        ];
        for (text, reason) in cases {
            let error = read(&text).unwrap_err();
            let message = error.message();
            assert!(message.contains("s.json is not a suite"), "{message}");
            assert!(message.contains(reason), "{message} lacks {reason}");
            assert!(error.hint().is_some());
        }
    }

    #[test]
    fn a_missing_suite_is_a_plain_error() {
        let error = Suite::read(Path::new("no/such.json")).unwrap_err();
        assert!(error.message().starts_with("cannot read no"), "{error}");
    }
}

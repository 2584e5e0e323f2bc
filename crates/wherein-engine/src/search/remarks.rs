//! What an answer says about its question: files that are not here, a language that the model does not read.
//!
//! Short sentences for `degraded`. Must not change what is found.

use super::Meaning;
use super::places::Mentioned;
use super::question::{Question, QuestionType};

/// Missing files that are named one by one.
const MAX_NAMED: usize = 3;

/// The remarks about a question.
pub(super) fn of(
    question: &Question,
    mentioned: &Mentioned,
    meaning: Option<&Meaning<'_>>,
) -> Vec<String> {
    let mut remarks = missing(question, mentioned);
    // Tables are made from English words; which languages another model reads is not known here.
    let table_model = meaning.filter(|meaning| meaning.table.is_some());
    if let (Some(language), Some(meaning)) = (question.not_english, table_model) {
        let model = &meaning.model;
        remarks.push(format!(
            "the question looks {language}, which the model {model} does not read: code words lead"
        ));
    }
    remarks
}

fn missing(question: &Question, mentioned: &Mentioned) -> Vec<String> {
    if question.kind == QuestionType::Pasted {
        // A trace names files of packages as well.
        let is_lost = mentioned.files.is_empty() && !mentioned.missing.is_empty();
        return is_lost
            .then(|| "no file that the pasted text names is here".to_owned())
            .into_iter()
            .collect();
    }
    let (named, more) = mentioned.missing.split_at(mentioned.missing.len().min(MAX_NAMED));
    let mut remarks: Vec<String> =
        named.iter().map(|path| format!("no file here is named {path}")).collect();
    if !more.is_empty() {
        remarks.push(format!("{} more files that are named are not here", more.len()));
    }
    remarks
}

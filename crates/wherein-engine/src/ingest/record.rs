//! A chunk → the terms of each field that it is found by.
//!
//! A name that is defined counts more than one that is used, and words about the code (its language, its kind, its
//! route) are found although they do not stand in it. Must not judge how much a field counts: that is the search's.

use super::rows::RowWriter;
use super::usages::UsageWriter;
use crate::chunk::{Cut, Cuts, Source};
use crate::store::Record;
use crate::symbol::Symbol;
use crate::tokenize::{Field, Tokenizer};

/// Fills records; one per thread.
#[derive(Debug, Default)]
pub(super) struct Filler {
    tokenizer: Tokenizer,
    usages: UsageWriter,
    pub(super) record: Record,
}

impl Filler {
    /// The terms that all chunks of a file share.
    pub(super) fn begin_file(&mut self, path: &str) {
        let Filler { tokenizer, record, .. } = self;
        record.path_terms.clear();
        all_terms(tokenizer, path, &mut record.path_terms);
    }

    /// Fills the record from a chunk; returns its number of words. Where there are `rows`, its words enter them, too.
    pub(super) fn fill(
        &mut self,
        source: &Source<'_>,
        cuts: &Cuts<'_>,
        cut: &Cut<'_>,
        rows: Option<&mut RowWriter<'_>>,
    ) -> u64 {
        let n_words = self.body(cut.chunk.text, rows);
        self.symbols(source.language, cuts, cut);
        let Filler { usages, record, .. } = self;
        record.usages.clear();
        if cuts.has_identifiers {
            usages.write(source.text, cuts, cut, &mut record.usages);
        }
        (record.start_line, record.end_line) = (cut.chunk.start_line, cut.chunk.end_line);
        n_words
    }

    fn body(&mut self, text: &str, mut rows: Option<&mut RowWriter<'_>>) -> u64 {
        let Record { words, compounds, .. } = &mut self.record;
        words.clear();
        compounds.clear();
        let mut n_words = 0;
        self.tokenizer.terms(text, |term| {
            let list = match term.field {
                Field::Words => {
                    n_words += 1;
                    if let Some(rows) = &mut rows {
                        rows.word(term.text);
                    }
                    &mut *words
                }
                Field::Compounds => &mut *compounds,
            };
            push(list, term.text);
        });
        n_words
    }

    fn symbols(&mut self, language: &str, cuts: &Cuts<'_>, cut: &Cut<'_>) {
        let Filler { tokenizer, record, .. } = self;
        let Record { names, context, docs, suffixes, .. } = record;
        [&mut *names, &mut *context, &mut *docs, &mut *suffixes]
            .into_iter()
            .for_each(String::clear);
        push(context, language);
        let own = cut.symbol.map(|idx| &cuts.syntax.symbols[idx]);
        let mut has_own = false;
        let mut last: Option<&Symbol> = None;
        for node in cuts.named_in(cut) {
            has_own |= own.is_some_and(|own| std::ptr::eq(own, node));
            all_terms(tokenizer, &node.symbol.name, names);
            words(tokenizer, &node.doc, docs);
            tokenizer.suffixes(&node.symbol.name, |suffix| push(suffixes, suffix));
            if let Some(route) = &node.symbol.route {
                tokenizer.suffixes(&route.to_string(), |suffix| push(suffixes, suffix));
            }
            about(tokenizer, &node.symbol, last, context);
            last = Some(&node.symbol);
        }
        if let Some(own) = own.filter(|_| !has_own) {
            // A window of something longer keeps its head.
            all_terms(tokenizer, &own.symbol.name, names);
            about(tokenizer, &own.symbol, last, context);
        }
    }
}

/// Words about a symbol that were not said of the one before it.
fn about(tokenizer: &mut Tokenizer, symbol: &Symbol, last: Option<&Symbol>, out: &mut String) {
    if last.is_none_or(|last| last.kind != symbol.kind) {
        push(out, symbol.kind.as_str());
    }
    if last.is_none_or(|last| last.parent != symbol.parent) {
        all_terms(tokenizer, symbol.parent.as_deref().unwrap_or_default(), out);
    }
    if last.is_none() {
        all_terms(tokenizer, symbol.module.as_deref().unwrap_or_default(), out);
    }
    if let Some(route) = &symbol.route {
        push(out, "rout");
        all_terms(tokenizer, &route.to_string(), out);
    }
}

fn all_terms(tokenizer: &mut Tokenizer, text: &str, out: &mut String) {
    tokenizer.terms(text, |term| push(out, term.text));
}

fn words(tokenizer: &mut Tokenizer, text: &str, out: &mut String) {
    tokenizer.words(text, |word| push(out, word.term()));
}

fn push(list: &mut String, term: &str) {
    list.push_str(term);
    list.push('\n');
}

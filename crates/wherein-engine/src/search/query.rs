//! Words → query: terms with the field and weight that each is looked up with, and quoted literals.
//!
//! Terms come from the tokenizer that made the chunks' terms; what the question is as a whole stands in `question`. Must not
//! touch the index.

use std::collections::{HashMap, HashSet};

pub(crate) use super::question::Wants;
use super::question::{self, Compound, Question, QuestionType, Word};

/// What a term is, which decides the fields that it is looked up in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Channel {
    /// A word, stemmed: of the body, a name, a doc comment, or about the code.
    Word,
    /// An identifier of several parts, or neighbours read as one.
    Identifier,
    /// A word that may be the whole of an identifier of several parts.
    Folded,
    /// A word of a path.
    Path,
}

/// A term to look up.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct QueryTerm {
    pub(crate) text: String,
    pub(crate) channel: Channel,
    pub(crate) weight: f32,
    /// Whether terms that begin with it may stand in for it where no chunk has it.
    pub(crate) expandable: bool,
}

/// A question, understood.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Query {
    pub(crate) terms: Vec<QueryTerm>,
    /// Quoted parts: a result must contain each.
    pub(crate) literals: Vec<String>,
    /// Whether the words ask for tests, documentation or settings: those of `question`.
    pub(crate) wants: Wants,
    /// What it is as a whole.
    pub(crate) question: Question,
    /// The share of its words that say nothing about code: about half of a sentence, little of a title.
    pub(crate) stop_share: f32,
}

impl Query {
    /// The plain words that are told apart, each once, in order.
    pub(crate) fn words(&self) -> impl Iterator<Item = &str> {
        let is_word = |term: &&QueryTerm| term.channel == Channel::Word && term.expandable;
        self.terms.iter().filter(is_word).map(|term| term.text.as_str()).take(MAX_WORDS)
    }

    /// The plain word that a term is, as a word or in a path.
    pub(crate) fn word_of(&self, term: &QueryTerm) -> Option<u8> {
        let is_plain = matches!(term.channel, Channel::Word | Channel::Path);
        let at = self.words().position(|word| word == term.text);
        at.filter(|_| is_plain).and_then(|at| u8::try_from(at).ok())
    }

    /// Whether there is nothing to look up.
    pub(crate) fn is_empty(&self) -> bool {
        self.terms.is_empty()
    }
}

/// Weight of a word found in a file's path.
const PATH_WEIGHT: f32 = 0.95;
/// What an identifier counts for beside the words that it is made of.
const IDENTIFIER_WEIGHT: f32 = 0.7;
/// Weight of a compound that the asker wrote as one identifier.
const COMPOUND_WEIGHT: f32 = 1.36;
/// Weight of two neighbouring words read as one identifier ("strip auth" → `strip_auth`).
const JOINED_WEIGHT: f32 = 0.8;
/// Plain words that are told apart; the others only count in the sum.
pub(crate) const MAX_WORDS: usize = 64;
/// Terms beyond this many are dropped: a pasted file is not a better question than its first lines.
const MAX_TERMS: usize = 256;

/// A pasted text gives at most this many different words and this many names, those that count most.
const MAX_PASTED: (usize, usize) = (48, 32);

/// Several parts read as one identifier.
struct Joined {
    text: String,
    weight: f32,
    /// Whether the asker wrote it so; else two neighbouring words were joined.
    is_written: bool,
}

/// Understands a question.
pub(crate) fn parse(text: &str) -> Query {
    let (mut words, mut compounds) = question::read(text);
    let question = Question::of(text, &words);
    // Quotes in what a program printed demand nothing of a result.
    let literals = match question.kind {
        QuestionType::Pasted => Vec::new(),
        _ => quoted(text),
    };
    let n_all = words.len();
    drop_stop_words(&question, &mut words);
    let stop_share = (n_all - words.len()) as f32 / n_all.max(1) as f32;
    if question.is_focused() {
        keep_heaviest(&mut words, MAX_PASTED.0, |word| {
            (&word.term, question.weight_at(word.start))
        });
        keep_heaviest(&mut compounds, MAX_PASTED.1, |c| (&c.text, question.weight_at(c.start)));
    }
    let mut terms = Vec::new();
    for word in &words {
        let weight = question.weight_at(word.start);
        push(&mut terms, &word.term, Channel::Word, weight, true);
        push(&mut terms, &word.term, Channel::Path, weight * PATH_WEIGHT, false);
        if !word.is_part {
            // `webauthn` may be written `WebAuthn` in the code.
            push(&mut terms, &word.folded, Channel::Folded, weight * COMPOUND_WEIGHT, false);
        }
    }
    for joined in joined(&question, &words, compounds) {
        let Joined { text, weight, is_written } = &joined;
        push(&mut terms, text, Channel::Identifier, weight * IDENTIFIER_WEIGHT, *is_written);
        push(&mut terms, text, Channel::Word, *weight, false);
        push(&mut terms, text, Channel::Path, weight * PATH_WEIGHT, false);
    }
    Query { terms, literals, wants: question.wants, question, stop_share }
}

/// The identifiers of the question, then its neighbouring words as one.
fn joined(question: &Question, words: &[Word], compounds: Vec<Compound>) -> Vec<Joined> {
    let written = compounds.into_iter().map(|compound| Joined {
        weight: COMPOUND_WEIGHT * question.weight_at(compound.start),
        text: compound.text,
        is_written: true,
    });
    let are_neighbours =
        |pair: &&[Word]| pair[0].end < pair[1].start && pair[1].start - pair[0].end == 1;
    let pairs = words.windows(2).filter(are_neighbours).map(|pair| Joined {
        text: format!("{}{}", pair[0].folded, pair[1].folded),
        weight: JOINED_WEIGHT
            * question.weight_at(pair[0].start).min(question.weight_at(pair[1].start)),
        is_written: false,
    });
    written.chain(pairs).collect()
}

/// Keeps what counts at all, and of that the `n` different texts that count most, in their order.
fn keep_heaviest<T>(items: &mut Vec<T>, n: usize, of: impl Fn(&T) -> (&String, f32)) {
    let mut heaviest: HashMap<String, (f32, usize)> = HashMap::new();
    for (idx, item) in items.iter().enumerate() {
        let (text, weight) = of(item);
        let known = heaviest.entry(text.clone()).or_insert((weight, idx));
        known.0 = known.0.max(weight);
    }
    let mut order: Vec<(String, (f32, usize))> =
        heaviest.into_iter().filter(|(_, (weight, _))| *weight > 0.0).collect();
    order.sort_by(|(_, a), (_, b)| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    let kept: HashSet<String> = order.into_iter().take(n).map(|(text, _)| text).collect();
    items.retain(|item| {
        let (text, weight) = of(item);
        weight > 0.0 && kept.contains(text)
    });
}

fn push(terms: &mut Vec<QueryTerm>, text: &str, channel: Channel, weight: f32, expandable: bool) {
    let is_full = terms.len() == MAX_TERMS;
    match terms.iter_mut().find(|term| term.channel == channel && term.text == text) {
        Some(known) => known.weight = known.weight.max(weight),
        None if !is_full => {
            terms.push(QueryTerm { text: text.to_owned(), channel, weight, expandable });
        }
        // Collected no further: looking through every term for each would take minutes for a pasted file.
        None => {}
    }
}

/// Drops stop words, unless nothing else is left. Parts of identifiers (`get_all`) stay.
fn drop_stop_words(question: &Question, words: &mut Vec<Word>) {
    let says_something = |word: &Word| word.is_part || !question.is_stop_word(&word.folded);
    if words.iter().any(says_something) {
        words.retain(says_something);
    }
}

/// The parts of the question between double quotes.
fn quoted(text: &str) -> Vec<String> {
    let parts: Vec<&str> = text.split('"').collect();
    // An unpaired quote opens nothing.
    let n_closed = (parts.len() - 1) / 2;
    let inner = parts.iter().skip(1).step_by(2).take(n_closed);
    inner.filter(|part| !part.trim().is_empty()).map(|part| (*part).to_owned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn terms(text: &str, channel: Channel) -> String {
        let terms = parse(text).terms;
        let found: Vec<_> =
            terms.iter().filter(|t| t.channel == channel).map(|t| &*t.text).collect();
        found.join(" ")
    }

    #[test]
    fn stop_words_go_unless_they_are_all_there_is() {
        assert_eq!(
            terms("how do we follow the redirect", Channel::Word),
            "follow redirect followredirect".replace(" followredirect", "")
        );
        assert_eq!(terms("to be", Channel::Word), "to be tobe");
    }

    #[test]
    fn identifiers_keep_their_stop_words() {
        assert!(terms("get_all", Channel::Word).starts_with("get all"));
    }

    #[test]
    fn neighbours_are_also_read_as_one_identifier() {
        assert!(terms("strip auth", Channel::Identifier).contains("stripauth"));
        assert!(!terms("strip, auth", Channel::Identifier).contains("stripauth"));
    }

    #[test]
    fn quotes_are_literals() {
        assert_eq!(parse(r#"where is "foo bar" and "x"#).literals, ["foo bar"]);
        assert!(parse(r#"no "" here"#).literals.is_empty());
    }

    #[test]
    fn the_words_say_what_is_wanted() {
        assert!(parse("tests for redirects").wants.tests);
        assert!(!parse("latest contest_runner").wants.tests);
    }

    /// Channel, text, weight and whether it may be expanded, as one line a term.
    fn all(text: &str) -> String {
        let letter = |term: &QueryTerm| match term.channel {
            Channel::Word => 'w',
            Channel::Identifier => 'i',
            Channel::Folded => 'f',
            Channel::Path => 'p',
        };
        let line = |term: &QueryTerm| {
            let mark = if term.expandable { "*" } else { "" };
            format!("{}:{}:{:.3}{mark}", letter(term), term.text, term.weight)
        };
        parse(text).terms.iter().map(line).collect::<Vec<_>>().join(" ")
    }

    /// The ranking was measured on these: whoever changes them measures again.
    #[test]
    fn the_terms_of_plain_questions_stay() {
        assert_eq!(
            all("how do we follow the redirect"),
            "w:follow:1.000* p:follow:0.950 f:follow:1.360 w:redirect:1.000* p:redirect:0.950 f:redirect:1.360"
        );
        assert_eq!(
            all("should_strip_auth"),
            "w:should:1.000* p:should:0.950 w:strip:1.000* p:strip:0.950 w:auth:1.000* p:auth:0.950 i:shouldstripauth:0.952* w:shouldstripauth:1.360 p:shouldstripauth:1.292 i:shouldstrip:0.952* w:shouldstrip:1.360 p:shouldstrip:1.292 i:stripauth:0.952* w:stripauth:1.360 p:stripauth:1.292"
        );
        assert_eq!(
            all("AxiosError#status"),
            "w:axio:1.000* p:axio:0.950 w:error:1.000* p:error:0.950 w:status:1.000* p:status:0.950 f:status:1.360 i:axioserror:0.952* w:axioserror:1.360 p:axioserror:1.292 i:errorstatus:0.560 w:errorstatus:0.800 p:errorstatus:0.760"
        );
        assert_eq!(
            all("where is webauthn, and who calls Session.get"),
            "w:webauthn:1.000* p:webauthn:0.950 f:webauthn:1.360 w:call:1.000* p:call:0.950 f:calls:1.360 w:session:1.000* p:session:0.950 f:session:1.360 i:callssession:0.560 w:callssession:0.800 p:callssession:0.760"
        );
        assert_eq!(
            all("to be"),
            "w:to:1.000* p:to:0.950 f:to:1.360 w:be:1.000* p:be:0.950 f:be:1.360 i:tobe:0.560 w:tobe:0.800 p:tobe:0.760"
        );
        assert_eq!(
            all("tests for the retry policy"),
            "w:test:1.000* p:test:0.950 f:tests:1.360 w:retri:1.000* p:retri:0.950 f:retry:1.360 w:polici:1.000* p:polici:0.950 f:policy:1.360 i:retrypolicy:0.560 w:retrypolicy:0.800 p:retrypolicy:0.760"
        );
        assert_eq!(
            all("how is utf16 told from utf32"),
            "w:utf:1.000* p:utf:0.950 w:16:1.000* p:16:0.950 w:told:1.000* p:told:0.950 f:told:1.360 w:32:1.000* p:32:0.950 i:utf16:0.952* w:utf16:1.360 p:utf16:1.292 i:utf32:0.952* w:utf32:1.360 p:utf32:1.292 i:16told:0.560 w:16told:0.800 p:16told:0.760"
        );
    }

    #[test]
    fn the_functions_of_a_trace_weigh_most_and_its_noise_nothing() {
        let trace = "Traceback (most recent call last):\n  File \"/srv/shop/cart.py\", line 41, in checkout\n    \
                     total = self.add_tax(net)\n  File \"/srv/shop/tax.py\", line 9, in add_tax\n    raise \
                     RateMissing(code)\nshop.tax.RateMissing: no rate for IT\n";
        let query = parse(trace);
        let weight = |text: &str, channel: Channel| {
            let of = |term: &&QueryTerm| term.text == text && term.channel == channel;
            query.terms.iter().find(of).map(|term| term.weight)
        };
        assert!(query.literals.is_empty(), "quotes of a trace demand nothing");
        assert!(weight("addtax", Channel::Word) > weight("checkout", Channel::Word));
        assert!(weight("checkout", Channel::Word) > weight("total", Channel::Word));
        assert_eq!(weight("file", Channel::Word), None);
        assert_eq!(weight("41", Channel::Word), None);
        assert_eq!(weight("srv", Channel::Path), None);
        assert!(weight("cart", Channel::Path).is_some());
    }

    #[test]
    fn a_long_paste_gives_few_terms() {
        let frame = |i: usize| format!("    at shop.Cart{i}.step{i}(Cart{i}.java:{i})\n");
        let trace: String = (0..400).map(frame).collect();
        assert!(parse(&trace).terms.len() <= MAX_TERMS);
        assert!(terms(&trace, Channel::Word).contains("step0"), "the innermost frame is kept");
    }

    #[test]
    fn small_words_of_other_languages_go_too() {
        assert_eq!(
            terms("dove blocchiamo gli utenti nel LoginGuard?", Channel::Folded),
            "blocchiamo utenti"
        );
        assert!(
            terms("¿dónde se llama a parse_header?", Channel::Identifier)
                .starts_with("parseheader")
        );
    }
}

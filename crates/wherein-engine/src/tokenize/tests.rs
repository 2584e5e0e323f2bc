//! What the tokenizer makes of text, one line a case.

use proptest::prelude::*;

use super::*;

fn words_and_compounds(text: &str) -> (String, String) {
    let (mut words, mut compounds) = (Vec::new(), Vec::new());
    Tokenizer::default().terms(text, |term| match term.field {
        Field::Words => words.push(term.text.to_owned()),
        Field::Compounds => compounds.push(term.text.to_owned()),
    });
    (words.join(" "), compounds.join(" "))
}

#[track_caller]
fn check(text: &str, words: &str, compounds: &str) {
    assert_eq!(words_and_compounds(text), (words.to_owned(), compounds.to_owned()), "{text}");
}

#[test]
fn the_splits_of_the_sparse_vector_document() {
    check("placeOrder", "place order", "placeorder");
    check("XMLParser", "xml parser", "xmlparser");
    check("place_order", "place order", "placeorder");
    check("place-order", "place order", "placeorder");
}

#[test]
fn text_that_does_not_split_is_not_doubled() {
    check("order", "order", "");
    check("Order ORDER", "order order", "");
}

#[test]
fn adjacent_pairs_reach_the_middle_of_a_name() {
    check("GetWebAuthn", "get web authn", "getwebauthn getweb webauthn");
}

#[test]
fn digits_are_reachable_both_ways() {
    check("utf16", "utf 16", "utf16");
    check("SHA256", "sha 256", "sha256");
    check("UTF-16", "utf 16", "utf16");
    check("HTTP2Server", "http 2 server", "http2server http2 2server");
}

#[test]
fn dates_and_ranges_give_no_compound() {
    check("2020-11-30", "2020 11 30", "");
}

#[test]
fn operators_are_not_hyphens() {
    check("a->b", "a b", "");
    check("i--", "i", "");
    check("x - y", "x y", "");
}

#[test]
fn underscores_at_the_edges_are_dropped() {
    check("__init__", "init", "");
    check("_private_name", "privat name", "privatename");
}

#[test]
fn plural_of_capitals_is_one_word() {
    check("URLs", "url", "");
    check("parseURLs", "pars url", "parseurls");
}

#[test]
fn english_endings_fold_together() {
    check("redirects redirected redirecting", "redirect redirect redirect", "");
}

#[test]
fn accents_fold_in_latin_only() {
    check("créerUtilisateur", "creer utilisateur", "creerutilisateur");
    check("cre\u{301}er", "creer", "");
    check("Straße", "straße", "");
    check("йод", "йод", "");
}

#[test]
fn cyrillic_splits_like_latin() {
    check("получитьПользователя", "получить пользователя", "получитьпользователя");
    check("ПОЛУЧИТЬ_имя", "получить имя", "получитьимя");
}

#[test]
fn scripts_without_spaces_become_pairs() {
    check("用户登录", "用户 户登 登录 录", "");
    check("사용자", "사용 용자 자", "");
    check("用", "用", "");
}

#[test]
fn punctuation_outside_ascii_separates() {
    check("naïve—test “quoted”", "naiv test quot", "");
}

#[test]
fn encoded_data_stays_one_short_term() {
    let (words, compounds) = words_and_compounds("aGVsbG8gd29ybGQgaGVsbG8gd29ybGQaGVsbG8gd29ybGQ");
    assert_eq!(words.split(' ').count(), 1, "{words}");
    assert_eq!(compounds, "");
}

proptest! {
    #[test]
    fn never_zero_terms_for_a_word_of_any_script(word in "\\p{Alphabetic}{1,12}") {
        let mut n_terms = 0;
        Tokenizer::default().terms(&word, |_| n_terms += 1);
        prop_assert!(n_terms > 0, "{word:?}");
    }

    #[test]
    fn offsets_are_slices_of_the_text(text in "\\PC{0,80}") {
        Tokenizer::default().terms(&text, |term| {
            assert!(text.get(term.start..term.end).is_some_and(|s| !s.is_empty()), "{text:?} {term:?}");
            assert!(term.text.len() <= 64);
        });
    }
}

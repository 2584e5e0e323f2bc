//! Identifiers taken apart by blanks: the step before BM25 that the `semcode` profile takes, as its document describes it.
//!
//! Must stay as it is, character by character: vectors that were made elsewhere depend on it. The tokenizer of our own profile is
//! `tokenize`.

/// `text`, a newline, and `text` again with a blank between `place` and `Order`, between `XML` and `Parser`, and in place of each `_` and
/// `-`. Only ASCII letters have a case here. About twice as long as `text`, and so are the passages that BM25 sees.
pub fn split_code_identifiers(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut both = String::with_capacity(text.len() * 2 + text.len() / 8 + 1);
    both.push_str(text);
    both.push('\n');
    for (at, character) in text.char_indices() {
        if is_boundary(bytes, at) {
            both.push(' ');
        }
        both.push(if matches!(character, '_' | '-') { ' ' } else { character });
    }
    both
}

/// Whether a word begins at `at` inside of an identifier: an upper-case letter after a lower-case one or a digit, or the last of several
/// upper-case letters where a lower-case one follows.
fn is_boundary(bytes: &[u8], at: usize) -> bool {
    let byte = |at: Option<usize>| at.and_then(|at| bytes.get(at)).copied().unwrap_or(b' ');
    let (before, here, after) = (byte(at.checked_sub(1)), bytes[at], byte(Some(at + 1)));
    here.is_ascii_uppercase()
        && (before.is_ascii_lowercase()
            || before.is_ascii_digit()
            || (before.is_ascii_uppercase() && after.is_ascii_lowercase()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use regex::Regex;

    #[test]
    fn the_four_steps_of_the_document() {
        for (identifier, words) in [
            ("placeOrder", "place Order"),
            ("PlaceOrderRequest", "Place Order Request"),
            ("XMLParser", "XML Parser"),
            ("place_order", "place order"),
            ("place-order", "place order"),
            ("", ""),
        ] {
            assert_eq!(split_code_identifiers(identifier), format!("{identifier}\n{words}"));
        }
    }

    proptest! {
        /// The steps one after the other, as patterns, which is how the original takes them.
        #[test]
        fn one_pass_equals_the_steps(text in "[a-cA-C1_ é-]{0,24}|.{0,16}") {
            let camel = Regex::new("([a-z0-9])([A-Z])").unwrap();
            let capitals = Regex::new("([A-Z]+)([A-Z][a-z])").unwrap();
            let split = camel.replace_all(&text, "$1 $2");
            let split = capitals.replace_all(&split, "$1 $2").replace(['_', '-'], " ");
            prop_assert_eq!(split_code_identifiers(&text), format!("{text}\n{split}"));
        }
    }
}

//! Which characters make a word, as Python's `\w` has it: letters, numbers and `_`.
//!
//! Neither `char::is_alphanumeric` (which takes vowel signs and circled letters for letters) nor `\w` of the `regex` crate (which
//! takes combining marks and joiners, too) is this class; each gives other vectors. What is a letter follows the Unicode version of
//! the `regex` crate, 16.0 at present. Must not know what becomes of words.

use std::sync::LazyLock;

use regex::Regex;

static RUN: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r"[\p{L}\p{N}_]+").ok());

/// Calls `emit` for each run of such characters, in order.
pub(super) fn each_run<'a>(text: &'a str, mut emit: impl FnMut(&'a str)) {
    // Nearly all code is ASCII, where no table is needed.
    if text.is_ascii() {
        let parts = text.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_'));
        parts.filter(|part| !part.is_empty()).for_each(emit);
    } else if let Some(run) = &*RUN {
        run.find_iter(text).for_each(|found| emit(found.as_str()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn runs(text: &str) -> Vec<&str> {
        let mut runs = Vec::new();
        each_run(text, |run| runs.push(run));
        runs
    }

    #[test]
    fn letters_numbers_and_the_underscore_make_words() {
        assert_eq!(runs("get_user(x²) + ½, ٣٤ Ⅷ"), ["get_user", "x²", "½", "٣٤", "Ⅷ"]);
        assert_eq!(runs("如何 실행 ＡＢ ª"), ["如何", "실행", "ＡＢ", "ª"]);
    }

    #[test]
    fn marks_joiners_connectors_and_circled_letters_do_not() {
        assert_eq!(runs("e\u{301}a हिन्दी"), ["e", "a", "ह", "न", "द"]);
        assert_eq!(
            runs("a‿b a\u{200d}b soft\u{ad}hyphen Ⓐz"),
            "a b a b soft hyphen z".split(' ').collect::<Vec<_>>()
        );
    }

    #[test]
    fn ascii_and_the_rest_are_cut_alike() {
        let ascii: String = (0..128u8).map(char::from).collect();
        let cut: Vec<&str> =
            RUN.as_ref().unwrap().find_iter(&ascii).map(|run| run.as_str()).collect();
        assert_eq!(runs(&ascii), cut);
        assert_eq!(runs(&format!("{ascii} é"))[..cut.len()], cut);
    }
}

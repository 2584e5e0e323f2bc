//! Case and accents folded away, so that `Créer`, `créer` and `creer` are one term.
//!
//! Only Latin letters lose their marks: elsewhere a mark makes another letter (Cyrillic й is not и).

use unicode_normalization::char::decompose_canonical;

/// Appends the folded form of `c`.
pub(super) fn push_folded(out: &mut String, c: char) {
    if c.is_ascii() {
        out.push(c.to_ascii_lowercase());
        return;
    }
    if is_combining_mark(c) && out.ends_with(|last: char| last.is_ascii_alphabetic()) {
        return;
    }
    match latin_base(c) {
        Some(base) => out.push(base.to_ascii_lowercase()),
        None => out.extend(c.to_lowercase()),
    }
}

/// The ASCII letter under an accented Latin letter.
fn latin_base(c: char) -> Option<char> {
    let mut first = None;
    decompose_canonical(c, |d| {
        first.get_or_insert(d);
    });
    first.filter(char::is_ascii_alphabetic)
}

/// Marks of a decomposed letter (`e` followed by U+0301).
pub(super) fn is_combining_mark(c: char) -> bool {
    matches!(c, '\u{300}'..='\u{36f}' | '\u{1ab0}'..='\u{1aff}' | '\u{20d0}'..='\u{20ff}')
}

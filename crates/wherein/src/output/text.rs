//! Text of searched files, made fit for a terminal: harmless and not too long.
//!
//! A hostile file may hold escape codes that retitle the terminal or hide lines; none may pass.

use std::borrow::Cow;
use std::ops::Range;

use unicode_width::UnicodeWidthChar;

/// Whether a terminal may act on the character: controls, and marks that reorder text.
fn is_unsafe(c: char) -> bool {
    (c.is_control() && c != '\t')
        || matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// The text with unsafe characters written as escapes.
pub(super) fn visible(text: &str) -> Cow<'_, str> {
    if !text.chars().any(is_unsafe) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 8);
    for c in text.chars() {
        if is_unsafe(c) {
            shown.extend(c.escape_default());
        } else {
            shown.push(c);
        }
    }
    Cow::Owned(shown)
}

/// Columns that a character takes; a tab counts as a stop of eight.
fn columns(c: char) -> usize {
    if c == '\t' { 8 } else { c.width().unwrap_or(6) }
}

/// The part of `text` to show in `width` columns: all of it, or a window around `focus`.
pub(super) fn window(text: &str, focus: Option<&Range<usize>>, width: usize) -> Range<usize> {
    // Most lines are short; bytes are never fewer than half the columns of tab-free text.
    let fits = |part: &str| {
        let mut total = 0;
        part.chars().all(|c| {
            total += columns(c);
            total <= width
        })
    };
    if fits(text) {
        return 0..text.len();
    }
    let anchor = focus.map_or(0, |range| floor(text, range.start));
    let start = if anchor == 0 { 0 } else { back(text, anchor, width / 3) };
    let mut total = 0;
    let end = text[start..]
        .char_indices()
        .find(|(_, c)| {
            total += columns(*c);
            total > width
        })
        .map_or(text.len(), |(offset, _)| start + offset);
    start..end
}

/// The nearest character boundary at or before `idx`.
fn floor(text: &str, idx: usize) -> usize {
    let idx = idx.min(text.len());
    (0..=idx).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0)
}

/// The position `width` columns before `anchor`.
fn back(text: &str, anchor: usize, width: usize) -> usize {
    let mut total = 0;
    text[..anchor]
        .char_indices()
        .rev()
        .take_while(|(_, c)| {
            total += columns(*c);
            total <= width
        })
        .last()
        .map_or(anchor, |(offset, _)| offset)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escape_codes_become_visible() {
        assert_eq!(visible("a\x1b[31mb\nc\u{202e}"), "a\\u{1b}[31mb\\nc\\u{202e}");
        assert!(matches!(visible("plain\ttext é 한"), Cow::Borrowed(_)));
    }

    #[test]
    fn a_long_line_shows_its_match() {
        let text = format!("{}NEEDLE{}", "a".repeat(10_000), "b".repeat(10_000));
        let shown = &text[window(&text, Some(&(10_000..10_006)), 80)];
        assert!(shown.contains("NEEDLE") && shown.len() <= 80, "{shown}");
        assert_eq!(window("short", None, 80), 0..5);
    }

    #[test]
    fn windows_end_between_characters() {
        let text = "한".repeat(500);
        let range = window(&text, Some(&(301..304)), 80);
        assert!(text.get(range).is_some());
    }
}

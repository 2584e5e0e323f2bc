//! Finds identifiers in text and cuts them into parts.
//!
//! Splits at `_`, `-`, case changes (`placeOrder`, `XMLParser`), letter–digit changes (`utf16`) and
//! changes between alphabets; scripts written without spaces become overlapping pairs of characters.
//! Works on any input in linear time, base64 and minified bundles included.

use std::ops::Range;

use super::fold::{is_combining_mark, push_folded};

/// A part of an identifier.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Part {
    /// Where its folded text stands in the shared buffer.
    pub(super) folded: Range<usize>,
    /// Where it stands in the source text.
    pub(super) source: Range<usize>,
    /// Parts of one identifier share a number.
    pub(super) group: u32,
    /// Whether it is a plain ASCII word that an English stemmer may shorten.
    pub(super) stemmable: bool,
}

/// Parts shorter than this on average, and many of them, are not a name but encoded data.
const MIN_MEAN_PART: usize = 3;
const MANY_PARTS: usize = 7;
/// Encoded data is kept as one term of at most this many bytes.
const MAX_OPAQUE_BYTES: usize = 32;
/// Bytes of one run that are looked at; the rest of a longer one is data.
const MAX_RUN_BYTES: usize = 4096;
/// A part is cut at this many bytes.
const MAX_PART_BYTES: usize = 48;

/// The next run of identifier bytes in `text` at or after `from`: ASCII letters, digits and `_`, single
/// hyphens between them, and everything that is not ASCII.
pub(super) fn next_run(text: &str, from: usize) -> Option<Range<usize>> {
    let bytes = text.as_bytes();
    let start = from + bytes.get(from..)?.iter().position(|b| is_word_byte(*b))?;
    let mut end = start + 1;
    while end < bytes.len() && (is_word_byte(bytes[end]) || is_inner_hyphen(bytes, end)) {
        if end - start >= MAX_RUN_BYTES && text.is_char_boundary(end) {
            break;
        }
        end += 1;
    }
    Some(start..end)
}

/// What each byte is: every byte of every file is looked at several times, and a table asks no questions.
static BYTES: [Byte; 256] = byte_table();

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
enum Byte {
    Lower,
    Upper,
    Digit,
    /// `_`, and whatever is not ASCII: part of a run, but of no ASCII part.
    Joint,
    Other,
}

const fn byte_table() -> [Byte; 256] {
    let mut table = [Byte::Other; 256];
    let mut i = 0;
    while i < table.len() {
        table[i] = match i as u8 {
            b'a'..=b'z' => Byte::Lower,
            b'A'..=b'Z' => Byte::Upper,
            b'0'..=b'9' => Byte::Digit,
            b'_' | 0x80.. => Byte::Joint,
            _ => Byte::Other,
        };
        i += 1;
    }
    table
}

fn is_word_byte(byte: u8) -> bool {
    BYTES[usize::from(byte)] != Byte::Other
}

fn is_inner_hyphen(bytes: &[u8], at: usize) -> bool {
    bytes[at] == b'-'
        && bytes[at - 1].is_ascii_alphanumeric()
        && bytes.get(at + 1).is_some_and(u8::is_ascii_alphanumeric)
}

/// Cuts the run into parts; folded text goes to `folded`, parts to `parts`.
pub(super) fn split_run(text: &str, run: Range<usize>, folded: &mut String, parts: &mut Vec<Part>) {
    if text.as_bytes()[run.clone()].is_ascii() {
        split_ascii(text, run.clone(), folded, parts);
    } else {
        split_unicode(text, run.clone(), folded, parts);
    }
    if is_opaque(&text[run.clone()], parts) {
        parts.clear();
        folded.clear();
        let cut = floor_boundary(text, run.start, MAX_OPAQUE_BYTES.min(run.len()));
        text[run.start..cut].chars().for_each(|c| push_folded(folded, c));
        parts.push(Part {
            folded: 0..folded.len(),
            source: run.start..cut,
            group: 0,
            stemmable: false,
        });
    }
}

/// Many tiny ASCII parts without an underscore: base64, hashes, minified soup.
fn is_opaque(run: &str, parts: &[Part]) -> bool {
    parts.len() >= MANY_PARTS
        && run.is_ascii()
        && !run.contains(['_', '-'])
        && run.len() < parts.len() * MIN_MEAN_PART
}

fn floor_boundary(text: &str, start: usize, length: usize) -> usize {
    let mut cut = start + length;
    while !text.is_char_boundary(cut) {
        cut -= 1;
    }
    cut
}

/// What a character is to the splitter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Class {
    Lower,
    Upper,
    Digit,
    /// A letter of an alphabet other than Latin, by block, so that a change of alphabet splits.
    Letter(u32),
    /// A character of a script written without spaces, or of Hangul: pairs are taken.
    Pairs,
    /// `_`, `-` or anything else: not part of any term.
    Break,
}

fn split_ascii(text: &str, run: Range<usize>, folded: &mut String, parts: &mut Vec<Part>) {
    let bytes = &text.as_bytes()[run.clone()];
    // Folded as a whole: parts are short, and to copy each would cost more than its bytes.
    let base = folded.len();
    folded.push_str(&text[run.clone()]);
    folded[base..].make_ascii_lowercase();
    let mut at = 0;
    while at < bytes.len() {
        let end = ascii_part_end(bytes, at);
        if end == at {
            at += 1;
            continue;
        }
        let kept = end.min(at + MAX_PART_BYTES);
        parts.push(Part {
            folded: base + at..base + kept,
            source: run.start + at..run.start + end,
            group: 0,
            stemmable: !bytes[at].is_ascii_digit(),
        });
        at = end;
    }
}

/// The end of the part that starts at `at`; `at` itself where no part starts there.
fn ascii_part_end(bytes: &[u8], at: usize) -> usize {
    let class = |i: usize| bytes.get(i).map_or(Byte::Other, |b| BYTES[usize::from(*b)]);
    let mut end = at + 1;
    match class(at) {
        Byte::Digit => {
            while class(end) == Byte::Digit {
                end += 1;
            }
        }
        Byte::Lower => {
            while class(end) == Byte::Lower {
                end += 1;
            }
        }
        Byte::Upper => {
            while class(end) == Byte::Upper {
                end += 1;
            }
            if class(end) == Byte::Lower {
                if end - at > 1 && !is_plural_of_capitals(bytes, end) {
                    return end - 1;
                }
                while class(end) == Byte::Lower {
                    end += 1;
                }
            }
        }
        _ => return at,
    }
    end
}

/// `URLs` and `IDs` are one word: capitals, then a lone `s`.
fn is_plural_of_capitals(bytes: &[u8], lower_at: usize) -> bool {
    bytes[lower_at] == b's' && !bytes.get(lower_at + 1).is_some_and(u8::is_ascii_alphabetic)
}

fn ascii_class(byte: u8) -> Class {
    match byte {
        b'a'..=b'z' => Class::Lower,
        b'A'..=b'Z' => Class::Upper,
        b'0'..=b'9' => Class::Digit,
        _ => Class::Break,
    }
}

/// The slow path: any script. Characters are classed one by one; a part ends where the class changes.
fn split_unicode(text: &str, run: Range<usize>, folded: &mut String, parts: &mut Vec<Part>) {
    let chars: Vec<(usize, char)> =
        text[run.clone()].char_indices().map(|(i, c)| (run.start + i, c)).collect();
    let mut group = 0;
    let mut at = 0;
    while at < chars.len() {
        let class = classify(chars[at].1);
        if class == Class::Break {
            group += u32::from(!matches!(chars[at].1, '_' | '-'));
            at += 1;
            continue;
        }
        let end = unicode_part_end(&chars, at, class);
        let source = chars[at].0..chars.get(end).map_or(run.end, |(offset, _)| *offset);
        if class == Class::Pairs {
            group = push_pairs(&chars[at..end], source.end, group, folded, parts);
        } else {
            push_part(&chars[at..end], source, group, folded, parts);
        }
        at = end;
    }
}

fn unicode_part_end(chars: &[(usize, char)], at: usize, class: Class) -> usize {
    let class_at = |i: usize| chars.get(i).map_or(Class::Break, |(_, c)| classify(*c));
    let mut end = at + 1;
    while class_at(end) == class || chars.get(end).is_some_and(|(_, c)| is_combining_mark(*c)) {
        end += 1;
    }
    if class == Class::Upper && class_at(end) == Class::Lower {
        if end - at > 1 {
            return end - 1;
        }
        while class_at(end) == Class::Lower
            || chars.get(end).is_some_and(|(_, c)| is_combining_mark(*c))
        {
            end += 1;
        }
    }
    end
}

fn classify(c: char) -> Class {
    if c.is_ascii() {
        return ascii_class(c as u8);
    }
    if is_paired_script(c) {
        return Class::Pairs;
    }
    if c.is_lowercase() {
        Class::Lower
    } else if c.is_uppercase() {
        Class::Upper
    } else if c.is_numeric() {
        Class::Digit
    } else if c.is_alphabetic() || is_combining_mark(c) || is_joined_mark(c) {
        Class::Letter(c as u32 >> 8)
    } else {
        Class::Break
    }
}

/// Han, kana, Hangul, and the south-east Asian scripts written without spaces.
fn is_paired_script(c: char) -> bool {
    matches!(c as u32,
        0x0E00..=0x0EFF | 0x1000..=0x109F | 0x1100..=0x11FF | 0x1780..=0x17FF
        | 0x3005..=0x3007 | 0x3040..=0x30FF | 0x3130..=0x318F | 0x31F0..=0x31FF
        | 0x3400..=0x4DBF | 0x4E00..=0x9FFF | 0xAC00..=0xD7AF | 0xF900..=0xFAFF
        | 0xFF66..=0xFF9F | 0x20000..=0x323AF)
}

/// Vowel signs of the Indic and Semitic scripts: they are marks, but part of the word.
fn is_joined_mark(c: char) -> bool {
    matches!(c as u32, 0x0591..=0x05C7 | 0x0610..=0x065F | 0x0670 | 0x06D6..=0x06ED | 0x0900..=0x0DFF)
}

fn push_part(
    chars: &[(usize, char)],
    source: Range<usize>,
    group: u32,
    folded: &mut String,
    parts: &mut Vec<Part>,
) {
    let from = folded.len();
    for (_, c) in chars {
        if folded.len() - from >= MAX_PART_BYTES {
            break;
        }
        push_folded(folded, *c);
    }
    let stemmable = folded[from..].bytes().all(|b| b.is_ascii_lowercase());
    if folded.len() > from {
        parts.push(Part { folded: from..folded.len(), source, group, stemmable });
    }
}

/// Overlapping pairs, and the last character alone so that it can be found by itself. Each is a group of
/// its own, since joined pairs would say nothing new; returns the next free group.
fn push_pairs(
    chars: &[(usize, char)],
    end: usize,
    mut group: u32,
    folded: &mut String,
    parts: &mut Vec<Part>,
) -> u32 {
    for i in 0..chars.len() {
        group += 1;
        let pair = &chars[i..(i + 2).min(chars.len())];
        let source = pair[0].0..chars.get(i + 2).map_or(end, |(offset, _)| *offset);
        push_part(pair, source, group, folded, parts);
    }
    group + 1
}

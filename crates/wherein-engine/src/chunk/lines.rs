//! The `lines` profile: about 700 tokens of whole lines, 80 of overlap, a token taken as 4 characters.
//!
//! Exact: it reproduces the measurement on psf/requests that the project starts from (design §8), so no
//! constant here may change. A single line longer than the target is one chunk; it must not loop.

use crate::model::Chunk;

/// 700 tokens of 4 characters.
const TARGET_CHARS: usize = 2800;
/// 80 tokens of 4 characters.
const OVERLAP_CHARS: usize = 320;

/// A line: where it starts and ends in the text, and its length in characters with its newline.
struct Line {
    start: usize,
    end: usize,
    n_chars: usize,
}

/// Cuts `text` into chunks of whole lines; chunks of white space alone are dropped.
pub(super) fn chunk(text: &str) -> Vec<Chunk<'_>> {
    let lines = split_lines(text);
    let mut chunks = Vec::new();
    let mut start = 0;
    while start < lines.len() {
        let end = take_until(&lines, start);
        let body = &text[lines[start].start..lines[end - 1].end];
        if !body.trim().is_empty() {
            chunks.push(Chunk { start_line: start as u32 + 1, end_line: end as u32, text: body });
        }
        if end >= lines.len() {
            break;
        }
        start = step_back(&lines, start, end);
    }
    chunks
}

fn split_lines(text: &str) -> Vec<Line> {
    let mut lines = Vec::with_capacity(text.len() / 32);
    let mut start = 0;
    while start < text.len() {
        let end =
            memchr::memchr(b'\n', &text.as_bytes()[start..]).map_or(text.len(), |i| start + i);
        lines.push(Line { start, end, n_chars: text[start..end].chars().count() + 1 });
        start = end + 1;
    }
    lines
}

/// The first line after `start` at which the target is reached.
fn take_until(lines: &[Line], start: usize) -> usize {
    let (mut n_chars, mut end) = (0, start);
    while end < lines.len() && n_chars < TARGET_CHARS {
        n_chars += lines[end].n_chars;
        end += 1;
    }
    end
}

/// Where the next chunk starts: back over whole lines until the overlap is covered, yet always forward.
fn step_back(lines: &[Line], start: usize, end: usize) -> usize {
    let (mut n_chars, mut at) = (0, end);
    while at > start && n_chars < OVERLAP_CHARS {
        at -= 1;
        n_chars += lines[at].n_chars;
    }
    if at > start { at } else { end }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn spans(text: &str) -> Vec<(u32, u32)> {
        chunk(text).iter().map(|c| (c.start_line, c.end_line)).collect()
    }

    #[test]
    fn a_short_file_is_one_chunk() {
        assert_eq!(spans("a\nb\n"), [(1, 2)]);
        assert_eq!(spans("a\nb"), [(1, 2)]);
    }

    #[test]
    fn empty_and_blank_files_have_none() {
        assert_eq!(spans(""), []);
        assert_eq!(spans("\n\n  \n"), []);
    }

    #[test]
    fn chunks_reach_the_target_and_overlap() {
        // 100 characters a line with the newline: 28 lines reach 2,800; 4 lines cover 320.
        let text = format!("{}\n", "x".repeat(99)).repeat(60);
        assert_eq!(spans(&text), [(1, 28), (25, 52), (49, 60)]);
    }

    #[test]
    fn characters_are_counted_not_bytes() {
        let text = format!("{}\n", "é".repeat(99)).repeat(60);
        assert_eq!(spans(&text), [(1, 28), (25, 52), (49, 60)]);
    }

    #[test]
    fn one_enormous_line_does_not_loop() {
        let line = "x".repeat(200_000);
        assert_eq!(spans(&format!("{line}\n{line}\nend\n")), [(1, 1), (2, 2), (3, 3)]);
    }

    proptest! {
        #[test]
        fn every_line_with_text_is_covered_and_progress_is_made(
            lines in proptest::collection::vec("[ a-zé]{0,400}", 0..60)
        ) {
            let text = lines.join("\n");
            let found = spans(&text);
            for pair in found.windows(2) {
                prop_assert!(pair[0].0 < pair[1].0 && pair[0].1 < pair[1].1);
            }
            for (i, line) in lines.iter().enumerate() {
                let number = i as u32 + 1;
                let covered = found.iter().any(|(s, e)| (*s..=*e).contains(&number));
                prop_assert!(covered || line.trim().is_empty(), "line {number}");
            }
        }
    }
}

//! A text with the places of its lines.
//!
//! A line ends at `\n`, and lines are counted from 1, as everywhere.

/// The text of a file.
#[derive(Debug)]
pub(in crate::search) struct Text {
    text: String,
    /// Where each line begins.
    starts: Vec<usize>,
}

impl Text {
    pub(in crate::search) fn new(text: String) -> Text {
        let ends = memchr::memchr_iter(b'\n', text.as_bytes());
        let starts = [0].into_iter().chain(ends.map(|at| at + 1)).collect();
        Text { text, starts }
    }

    /// Memory in use.
    pub(super) fn n_bytes(&self) -> usize {
        self.text.len() + self.starts.len() * size_of::<usize>()
    }

    fn at(&self, line: usize) -> usize {
        self.starts.get(line.saturating_sub(1)).copied().unwrap_or(self.text.len())
    }

    /// The lines from `first` to `last` as one text, newlines included; what lies past the end is not there.
    pub(in crate::search) fn span(&self, first: u32, last: u32) -> &str {
        let (start, end) = (self.at(first as usize), self.at(last as usize + 1));
        &self.text[start..end.max(start)]
    }

    /// The lines from `first` to `last` that there are, without newlines, with their numbers.
    pub(in crate::search) fn lines(
        &self,
        first: u32,
        last: u32,
    ) -> impl Iterator<Item = (u32, &str)> {
        let last = last.min(u32::try_from(self.starts.len()).unwrap_or(u32::MAX));
        (first.max(1)..=last).map(|number| {
            let line = self.span(number, number);
            (number, line.strip_suffix('\n').unwrap_or(line))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_those_that_were_asked_for() {
        let text = Text::new("one\ntwo\nthree\nfour\nfive".to_owned());
        let chunks = [(1, 2), (2, 3), (2, 2), (4, 9), (5, 5), (7, 8), (3, 2)];
        let found = chunks.map(|(first, last)| text.span(first, last));
        assert_eq!(found, ["one\ntwo\n", "two\nthree\n", "two\n", "four\nfive", "five", "", ""]);
    }

    #[test]
    fn lines_are_those_of_split() {
        for whole in ["", "a", "a\n", "a\n\nb\n", "\n\n", "a\r\nb"] {
            let text = Text::new(whole.to_owned());
            for first in 1..5_u32 {
                for last in first..6 {
                    let n = (last + 1 - first) as usize;
                    let split: Vec<_> =
                        (1..).zip(whole.split('\n')).skip(first as usize - 1).take(n).collect();
                    assert_eq!(text.lines(first, last).collect::<Vec<_>>(), split, "{whole:?}");
                }
            }
        }
    }
}

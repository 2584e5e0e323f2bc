//! What is not parsed, or not to the end: the limits that keep one odd file from slowing the rest.
//!
//! Every limit counts work, never time, so that the same file gives the same symbols on every machine.

use std::fmt;
use std::ops::ControlFlow;

use tree_sitter::{ParseOptions, ParseState, Parser, Tree};

/// Trees deeper than this are data or hostile; people's code stays below 100.
pub(super) const MAX_DEPTH: u32 = 1000;
/// A line longer than this was written by a program.
const MAX_LINE_BYTES: usize = 20_000;
/// Lines longer than this on average were written by a program.
const MAX_MEAN_LINE_BYTES: usize = 400;
/// Steps that every parse may take; the parser reports each hundred.
const FREE_STEPS: usize = 20_000;
/// Steps that a parse may take for each byte on top: ten times what broken code was seen to need.
const STEPS_PER_BYTE: usize = 20;

/// Why a file that has a grammar was cut by lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
pub(crate) enum Fallback {
    /// Nested deeper than [`MAX_DEPTH`].
    TooDeep,
    /// The parser took more steps than the file's length allows.
    TooSlow,
    /// Lines as only programs write them.
    Minified,
    /// Written by a program, as it says itself.
    Generated,
}

impl Fallback {
    /// Whether people should hear of it by file; what programs have written is only counted.
    pub(crate) fn is_problem(self) -> bool {
        matches!(self, Fallback::TooDeep | Fallback::TooSlow)
    }
}

impl fmt::Display for Fallback {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Fallback::TooDeep => "nested too deep to parse: cut by lines",
            Fallback::TooSlow => "takes too long to parse: cut by lines",
            Fallback::Minified => "minified: cut by lines",
            Fallback::Generated => "generated: cut by lines",
        })
    }
}

/// Why a text is not parsed at all.
pub(super) fn check(text: &str) -> Option<Fallback> {
    let (mut n_lines, mut longest, mut start) = (1, 0, 0);
    for end in memchr::memchr_iter(b'\n', text.as_bytes()) {
        longest = longest.max(end - start);
        start = end + 1;
        n_lines += 1;
    }
    longest = longest.max(text.len() - start);
    let is_long = longest > MAX_LINE_BYTES || text.len() / n_lines > MAX_MEAN_LINE_BYTES;
    (is_long && longest > MAX_MEAN_LINE_BYTES * 2).then_some(Fallback::Minified)
}

/// Parses within the limits; `None` where they did not suffice.
pub(super) fn parse(parser: &mut Parser, text: &str) -> Option<Tree> {
    let bytes = text.as_bytes();
    let mut left = (FREE_STEPS + bytes.len() * STEPS_PER_BYTE) / 100;
    let mut go_on = |_: &ParseState| {
        left = left.saturating_sub(1);
        if left > 0 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    };
    let options = ParseOptions::new().progress_callback(&mut go_on);
    let mut read = |at: usize, _| bytes.get(at..).unwrap_or_default();
    let tree = parser.parse_with_options(&mut read, None, Some(options));
    if tree.is_none() {
        // Otherwise the next text would be taken for the rest of this one.
        parser.reset();
    }
    tree
}

//! Colours: which part of the output looks how, and text without any where there are none.

use anstyle::{AnsiColor, Style};

/// The path of a hit.
pub(super) const PATH: Style = AnsiColor::Magenta.on_default().bold();
/// Line numbers.
pub(super) const NUMBER: Style = AnsiColor::Green.on_default();
/// What matched.
pub(super) const MATCH: Style = AnsiColor::Red.on_default().bold();
/// Everything that is not the answer itself.
pub(super) const DIM: Style = Style::new().dimmed();

/// The text in a style, or bare.
pub(super) fn paint(color: bool, style: Style, text: &str) -> String {
    if color { format!("{style}{text}{style:#}") } else { text.to_owned() }
}

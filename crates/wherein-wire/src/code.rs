//! Lines of a file as it is now.

use serde::Serialize;

/// A run of lines of one file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Code {
    /// Path relative to the searched root, `/`-separated.
    pub path: String,
    /// The language, lower case; empty when unknown.
    pub language: String,
    /// The file's role: `source`, `test`, `docs`, `config` or `generated`.
    pub kind: &'static str,
    /// First line, 1-based.
    pub start_line: u32,
    /// Last line, inclusive; one less than the first where the file is empty.
    pub end_line: u32,
    /// Lines of the whole file.
    pub n_lines: u32,
    /// Whether fewer lines are given than were asked for.
    pub truncated: bool,
    /// The lines, each with its newline.
    pub text: String,
}

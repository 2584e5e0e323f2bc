//! The printer: the one way to standard output and standard error.
//!
//! It knows whether there is a terminal, colours and links; formats ask it and write through it.
//! Piped text passes unchanged, escape codes of the searched files included.

use std::io::{self, BufWriter, IsTerminal, Write};

use anstream::{AutoStream, ColorChoice};

use super::style::{DIM, paint};
use super::text::visible;
use crate::failure::Outcome;
use crate::settings::{Settings, When};

/// How wide lines may be where no terminal says so.
const PIPE_WIDTH: usize = 500;

/// Writes results and notices.
pub(crate) struct Printer {
    out: BufWriter<Box<dyn Write>>,
    /// Whether standard output is a terminal.
    pub(crate) terminal: bool,
    /// Whether to colour.
    pub(crate) color: bool,
    /// Whether to make paths clickable.
    pub(crate) links: bool,
    /// Columns of a line.
    pub(crate) width: usize,
}

impl Printer {
    /// A printer on standard output as the settings and the terminal have it.
    pub(crate) fn new(settings: &Settings) -> Printer {
        let stdout = io::stdout();
        let terminal = stdout.is_terminal();
        let color = match settings.color {
            When::Always => true,
            When::Never => false,
            When::Auto => AutoStream::choice(&stdout) != ColorChoice::Never,
        };
        let links = match settings.hyperlink {
            When::Always => true,
            When::Never => false,
            When::Auto => terminal && supports_hyperlinks::on(supports_hyperlinks::Stream::Stdout),
        };
        // The stripping stream would also strip escape codes of the searched text: not for pipes.
        let out: Box<dyn Write> = if links {
            Box::new(AutoStream::always_ansi(stdout))
        } else if color {
            Box::new(AutoStream::always(stdout))
        } else {
            Box::new(stdout)
        };
        let width = match terminal_size::terminal_size() {
            Some((width, _)) if terminal => usize::from(width.0).max(40),
            _ => PIPE_WIDTH,
        };
        Printer { out: BufWriter::new(out), terminal, color, links, width }
    }

    /// Where results go.
    pub(crate) fn out(&mut self) -> &mut dyn Write {
        &mut self.out
    }

    /// Whether text of searched files has to be made harmless: somebody's terminal will show it.
    pub(crate) fn guards(&self) -> bool {
        self.terminal || self.color
    }

    /// Hands everything to the reader.
    pub(crate) fn finish(&mut self) -> Outcome<()> {
        Ok(self.out.flush()?)
    }

    /// A line on standard error, after the results that came before it.
    pub(crate) fn note(&mut self, line: &str) -> Outcome<()> {
        self.finish()?;
        to_stderr(&format!("wherein: {line}"));
        Ok(())
    }

    /// What is good to know and no trouble: a line on standard error, dim where that has colours.
    pub(crate) fn aside(&mut self, line: &str) -> Outcome<()> {
        self.finish()?;
        let mut stderr = AutoStream::auto(io::stderr().lock());
        let line = paint(true, DIM, &visible(&format!("wherein: {line}")));
        // Nobody can be told if that fails.
        let _ = writeln!(stderr, "{line}");
        Ok(())
    }

    /// Advice on standard error.
    pub(crate) fn hint(&mut self, line: &str) -> Outcome<()> {
        self.finish()?;
        to_stderr(&format!("hint: {line}"));
        Ok(())
    }
}

/// One line on standard error with control characters made visible. Nobody can be told if that fails.
pub(super) fn to_stderr(line: &str) {
    let _ = writeln!(io::stderr().lock(), "{}", visible(line));
}

/// Standard output before there is a printer: help, and errors as JSON.
pub(super) fn to_stdout(bytes: &[u8]) -> io::Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(bytes)?;
    out.flush()
}

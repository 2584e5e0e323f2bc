//! Exact and regex search: the lines that `grep -rn` finds in the same files, as they are now.
//!
//! ripgrep's crates do the searching. Complete by default: a limit is applied after counting.

use std::collections::BTreeMap;
use std::ops::Range;

use grep_matcher::Matcher;
use grep_regex::{RegexMatcher, RegexMatcherBuilder};
use grep_searcher::sinks::Bytes;
use grep_searcher::{BinaryDetection, SearcherBuilder, Sink, SinkContext, SinkMatch};

use super::Corpus;
use crate::error::{Error, Result};
use crate::model::{Hit, Mode, ScoreParts, SnippetLine};
use crate::request::{Cancel, SearchRequest};

/// Every matching line, by path and line.
pub(super) fn search(
    corpus: Corpus<'_>,
    request: &SearchRequest,
    allowed: &[bool],
) -> Result<(Vec<Hit>, u64)> {
    let matcher = matcher(request)?;
    let files: Vec<usize> = (0..allowed.len()).filter(|i| allowed[*i]).collect();
    let search = |file_idx: &usize| {
        Cancel::check(request.cancel.as_ref())?;
        Ok(search_file(corpus, request, &matcher, *file_idx))
    };
    let per_file: Result<Vec<Vec<Hit>>> = corpus.crew.map(&files, 2, search).into_iter().collect();
    let per_file = per_file?;
    let n_matches = per_file.iter().map(|hits| hits.len() as u64).sum();
    let limit = request.limit.unwrap_or(usize::MAX);
    Ok((per_file.into_iter().flatten().take(limit).collect(), n_matches))
}

/// The lines of each allowed file that hold `text`.
pub(super) fn lines_with(
    corpus: Corpus<'_>,
    text: &str,
    allowed: &[bool],
    wish: Option<&Cancel>,
) -> Result<BTreeMap<usize, Vec<u32>>> {
    let request = SearchRequest { mode: Mode::Exact, ..SearchRequest::new(text) };
    lines_that_match(corpus, &matcher(&request)?, allowed, wish)
}

/// The lines of all allowed files that hold `word`, not as a part of a longer one: file and line.
pub(crate) fn word_lines(
    corpus: Corpus<'_>,
    word: &str,
    allowed: &[bool],
) -> Result<Vec<(usize, u32)>> {
    let matcher = RegexMatcherBuilder::new()
        .fixed_strings(true)
        .word(true)
        .line_terminator(Some(b'\n'))
        .build(word)
        .map_err(|e| Error::usage(format!("'{word}' cannot be searched for: {e}")))?;
    let by_file = lines_that_match(corpus, &matcher, allowed, None)?.into_iter();
    Ok(by_file.flat_map(|(file, lines)| lines.into_iter().map(move |line| (file, line))).collect())
}

fn lines_that_match(
    corpus: Corpus<'_>,
    matcher: &RegexMatcher,
    allowed: &[bool],
    wish: Option<&Cancel>,
) -> Result<BTreeMap<usize, Vec<u32>>> {
    let files: Vec<usize> = (0..allowed.len()).filter(|i| allowed[*i]).collect();
    let lines_of = |file_idx: &usize| {
        Cancel::check(wish)?;
        let mut lines = Vec::new();
        let sink = Bytes(|number, _| {
            lines.push(number as u32);
            Ok(true)
        });
        read(corpus, *file_idx, 0, matcher, sink);
        Ok((!lines.is_empty()).then_some((*file_idx, lines)))
    };
    let lines = corpus.crew.map(&files, 2, lines_of).into_iter();
    lines.filter_map(Result::transpose).collect()
}

fn matcher(request: &SearchRequest) -> Result<RegexMatcher> {
    let is_exact = request.mode == Mode::Exact;
    if is_exact && request.text.contains('\n') {
        return Err(Error::usage("exact search looks at one line at a time")
            .with_hint("give one line of the text"));
    }
    RegexMatcherBuilder::new()
        .fixed_strings(is_exact)
        .case_insensitive(request.ignore_case)
        .line_terminator(Some(b'\n'))
        .build(&request.text)
        .map_err(|e| {
            let first = e.to_string();
            let last = first.lines().last().unwrap_or("not a valid pattern").trim();
            let last = last.strip_prefix("error: ").unwrap_or(last);
            Error::usage(format!(
                "'{}' is not a valid regular expression: {last}",
                shorten(&request.text)
            ))
            .with_hint("use --exact for plain text, or escape the special characters")
        })
}

fn shorten(text: &str) -> String {
    let line = text.lines().next().unwrap_or("");
    match line.char_indices().nth(60) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line.to_owned(),
    }
}

fn searcher(context: usize) -> grep_searcher::Searcher {
    SearcherBuilder::new()
        .line_number(true)
        .binary_detection(BinaryDetection::none())
        .bom_sniffing(true)
        .before_context(context)
        .after_context(context)
        .build()
}

fn search_file(
    corpus: Corpus<'_>,
    request: &SearchRequest,
    matcher: &RegexMatcher,
    file_idx: usize,
) -> Vec<Hit> {
    let Some((entry, indexed)) = corpus.generation.source_file(file_idx) else {
        return Vec::new();
    };
    let template = Hit {
        path: entry.path.text.clone(),
        start_line: 0,
        end_line: 0,
        column: 1,
        kind: indexed.kind,
        language: corpus.generation.language(indexed).to_owned(),
        symbol: None,
        score: 0.0,
        parts: ScoreParts::default(),
        copies: Vec::new(),
        snippet: Vec::new(),
    };
    let mut sink = Collect { matcher, template, hits: Vec::new(), before: Vec::new(), request };
    read(corpus, file_idx, request.context, matcher, &mut sink);
    sink.hits
}

/// A file that vanished or cannot be read any more has no lines.
fn read(
    corpus: Corpus<'_>,
    file_idx: usize,
    context: usize,
    matcher: &RegexMatcher,
    sink: impl Sink,
) {
    let mut searcher = searcher(context);
    let Some((entry, _)) = corpus.generation.source_file(file_idx) else { return };
    let _ = match (&corpus.generation.published, corpus.generation.text(file_idx)) {
        (Some(_), Some(text)) => searcher.search_slice(matcher, text.as_bytes(), sink),
        (Some(_), None) => return,
        (None, _) => searcher.search_path(matcher, entry.path.under(corpus.root), sink),
    };
}

/// Turns matched lines into hits, with the lines around them.
struct Collect<'a> {
    matcher: &'a RegexMatcher,
    template: Hit,
    hits: Vec<Hit>,
    /// Context lines seen since the last match: after it, or before the next.
    before: Vec<SnippetLine>,
    request: &'a SearchRequest,
}

impl Sink for &mut Collect<'_> {
    type Error = std::io::Error;

    fn matched(
        &mut self,
        _searcher: &grep_searcher::Searcher,
        found: &SinkMatch<'_>,
    ) -> std::result::Result<bool, std::io::Error> {
        let first = found.line_number().unwrap_or(1);
        for (offset, bytes) in found.lines().enumerate() {
            let number = (first + offset as u64) as u32;
            let (text, highlights) = self.mark(bytes);
            let column = highlights.first().map_or(1, |range| range.start as u32 + 1);
            let mut hit =
                Hit { start_line: number, end_line: number, column, ..self.template.clone() };
            if self.request.snippets {
                hit.snippet = std::mem::take(&mut self.before);
                hit.snippet.push(SnippetLine { number, text, highlights });
            }
            self.hits.push(hit);
        }
        Ok(true)
    }

    fn context(
        &mut self,
        _searcher: &grep_searcher::Searcher,
        context: &SinkContext<'_>,
    ) -> std::result::Result<bool, std::io::Error> {
        let number = context.line_number().unwrap_or(0) as u32;
        let text = text_of(context.bytes());
        let line = SnippetLine { number, text, highlights: Vec::new() };
        let near = self.hits.last().map(|hit| hit.start_line);
        match (near, self.hits.last_mut()) {
            (Some(last), Some(hit)) if number <= last + self.request.context as u32 => {
                hit.snippet.push(line);
            }
            _ => self.before.push(line),
        }
        Ok(true)
    }

    fn context_break(
        &mut self,
        _searcher: &grep_searcher::Searcher,
    ) -> std::result::Result<bool, std::io::Error> {
        self.before.clear();
        Ok(true)
    }
}

impl Collect<'_> {
    /// The line as text, and where it matches.
    fn mark(&self, bytes: &[u8]) -> (String, Vec<Range<usize>>) {
        let line = trim_newline(bytes);
        let text = text_of(bytes);
        let mut ranges = Vec::new();
        let _ = self.matcher.find_iter(line, |m| {
            ranges.push(m.start()..m.end());
            true
        });
        if text.len() != line.len() {
            // Replaced bytes have shifted the offsets: only the column of the first match is kept true.
            ranges.truncate(1);
            ranges.retain(|range| {
                text.is_char_boundary(range.start) && text.is_char_boundary(range.end)
            });
        }
        ranges.retain(|range| range.end <= text.len());
        (text, ranges)
    }
}

fn trim_newline(bytes: &[u8]) -> &[u8] {
    bytes.strip_suffix(b"\n").unwrap_or(bytes)
}

fn text_of(bytes: &[u8]) -> String {
    let line = trim_newline(bytes);
    String::from_utf8_lossy(line.strip_suffix(b"\r").unwrap_or(line)).into_owned()
}

//! The query part of an address as the engine's requests. Strict: what is not known is an error, not silence.

use std::str::FromStr;

use wherein_engine::{Error, Filter, Mode, Result, SearchRequest, SymbolRequest, UsageRequest};

use crate::code;

/// Questions longer than this are refused.
pub(crate) const MAX_QUESTION: usize = 8 << 10;
/// The most results of one answer.
const MAX_LIMIT: usize = 100;
const DEFAULT_LIMIT: usize = 10;
/// The most lines of context around a line.
const MAX_CONTEXT: usize = 20;
/// The most values of one filter.
const MAX_VALUES: usize = 64;

/// A query taken apart.
#[derive(Debug, Default)]
pub(crate) struct Query {
    pairs: Vec<(String, String)>,
}

impl Query {
    /// The pairs of a raw query.
    pub(crate) fn parse(raw: Option<&str>) -> Query {
        let pairs = form_urlencoded::parse(raw.unwrap_or_default().as_bytes());
        Query { pairs: pairs.into_owned().collect() }
    }

    /// The index that is asked.
    pub(crate) fn index(&self) -> Option<&str> {
        self.text("index")
    }

    /// As a search.
    pub(crate) fn search(&self) -> Result<SearchRequest> {
        self.knows(&[
            "q",
            "index",
            "mode",
            "limit",
            "path",
            "not_path",
            "language",
            "kind",
            "symbol_kind",
            "ignore_case",
            "context",
            "explain",
        ])?;
        let mode = self.value("mode")?.unwrap_or(Mode::Hybrid);
        Ok(SearchRequest {
            mode,
            filter: self.filter()?,
            limit: Some(self.limit()?),
            context: self.value("context")?.unwrap_or(0).min(MAX_CONTEXT),
            ignore_case: self.value("ignore_case")?.unwrap_or(false),
            explain: self.value("explain")?.unwrap_or(false),
            ..SearchRequest::new(self.question()?)
        })
    }

    /// As a look-up of symbols.
    pub(crate) fn symbols(&self) -> Result<SymbolRequest> {
        self.knows(&[
            "q",
            "index",
            "limit",
            "path",
            "not_path",
            "language",
            "kind",
            "symbol_kind",
        ])?;
        Ok(SymbolRequest { name: self.question()?, filter: self.filter()?, limit: self.limit()? })
    }

    /// As a look-up of usages.
    pub(crate) fn usages(&self) -> Result<UsageRequest> {
        self.knows(&["q", "index", "limit", "path", "not_path", "language", "kind", "comments"])?;
        Ok(UsageRequest {
            name: self.question()?,
            filter: self.filter()?,
            limit: Some(self.limit()?),
            comments: self.value("comments")?.unwrap_or(false),
        })
    }

    /// As lines of a file.
    pub(crate) fn code(&self) -> Result<code::Wanted> {
        self.knows(&["index", "path", "symbol", "start", "end"])?;
        let place = match (self.text("path"), self.text("symbol")) {
            (Some(path), None) => code::Place::File(path.to_owned()),
            (None, Some(symbol)) => code::Place::Symbol(symbol.to_owned()),
            _ => {
                return Err(Error::usage("either path or symbol says what to read")
                    .with_hint("such as path=src/main.rs&start=1&end=40"));
            }
        };
        let (start, end) = (self.value("start")?, self.value("end")?);
        Ok(code::Wanted { place, start, end, max_lines: code::MAX_LINES })
    }

    fn question(&self) -> Result<String> {
        let text = self.text("q").unwrap_or_default();
        if text.trim().is_empty() {
            return Err(Error::usage("the question is empty").with_hint("ask with q=…"));
        }
        if text.len() > MAX_QUESTION {
            return Err(Error::usage(format!("the question has {} bytes", text.len()))
                .with_hint(format!("ask with {MAX_QUESTION} at most")));
        }
        Ok(text.to_owned())
    }

    fn filter(&self) -> Result<Filter> {
        Ok(Filter {
            paths: self.texts("path")?,
            not_paths: self.texts("not_path")?,
            languages: self.texts("language")?,
            kinds: self.values("kind")?,
            symbol_kinds: self.values("symbol_kind")?,
        })
    }

    fn limit(&self) -> Result<usize> {
        let limit = self.value("limit")?.unwrap_or(DEFAULT_LIMIT);
        match (1..=MAX_LIMIT).contains(&limit) {
            true => Ok(limit),
            false => Err(Error::usage(format!("a limit of {limit} is not possible"))
                .with_hint(format!("it is 1 to {MAX_LIMIT}"))),
        }
    }

    fn knows(&self, keys: &[&str]) -> Result<()> {
        match self.pairs.iter().find(|(key, _)| !keys.contains(&key.as_str())) {
            None => Ok(()),
            Some((key, _)) => Err(Error::usage(format!("{key:?} is not known here"))
                .with_hint(format!("these are: {}", keys.join(", ")))),
        }
    }

    /// The one value of a key; an empty one counts as none.
    fn text(&self, key: &str) -> Option<&str> {
        let mut values = self.pairs.iter().filter(|(known, _)| known == key);
        values.next_back().map(|(_, value)| value.as_str()).filter(|value| !value.is_empty())
    }

    fn texts(&self, key: &str) -> Result<Vec<String>> {
        let values = self.pairs.iter().filter(|(known, value)| known == key && !value.is_empty());
        let values: Vec<String> = values.map(|(_, value)| value.clone()).collect();
        match values.len() <= MAX_VALUES {
            true => Ok(values),
            false => Err(Error::usage(format!("{key} is given more than {MAX_VALUES} times"))),
        }
    }

    fn value<T: FromStr>(&self, key: &str) -> Result<Option<T>> {
        self.text(key).map(|text| read(key, text)).transpose()
    }

    fn values<T: FromStr>(&self, key: &str) -> Result<Vec<T>> {
        self.texts(key)?.iter().map(|text| read(key, text)).collect()
    }
}

/// The value of a key. Numbers and names do not explain themselves alike, so neither is quoted.
fn read<T: FromStr>(key: &str, text: &str) -> Result<T> {
    text.parse().map_err(|_| {
        Error::usage(format!("{key} cannot be {text:?}"))
            .with_hint("the values are listed in /api/openapi.json")
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use wherein_engine::{ErrorKind, Kind};

    #[test]
    fn a_search_is_read_from_a_query() {
        let query = Query::parse(Some(
            "q=where+do+we%20retry&mode=keyword&limit=5&kind=source&kind=test&path=src%2Fa&index=x-1",
        ));
        let request = query.search().unwrap();
        assert_eq!(request.text, "where do we retry");
        assert_eq!((request.mode, request.limit), (Mode::Keyword, Some(5)));
        assert_eq!(request.filter.kinds, [Kind::Source, Kind::Test]);
        assert_eq!(request.filter.paths, ["src/a"]);
        assert_eq!(query.index(), Some("x-1"));
    }

    #[test]
    fn what_is_not_understood_is_refused() {
        let long = format!("q={}", "x".repeat(MAX_QUESTION + 1));
        for raw in [
            "",
            "q=",
            "q=+",
            "q=a&mode=psychic",
            "q=a&limit=0",
            "q=a&limit=-1",
            "q=a&limit=101",
            "q=a&languages=rust",
            "q=a&kind=nothing",
            "q=a&explain=maybe",
            &long,
        ] {
            let error = Query::parse(Some(raw)).search().unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Usage, "{raw}");
        }
        assert!(Query::parse(Some("path=a&symbol=b")).code().is_err());
        assert!(Query::parse(Some("start=1")).code().is_err());
    }

    proptest::proptest! {
        #[test]
        fn no_query_is_too_strange(raw in ".{0,200}") {
            let query = Query::parse(Some(&raw));
            let _ = (query.search(), query.symbols(), query.usages(), query.code());
        }
    }
}

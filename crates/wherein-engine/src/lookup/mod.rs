//! Look-ups by name: symbols, usages, outlines. Nothing here is ranked by a question.
//!
//! Every look-up reads the index alone, never a body of code; the few lines that are shown are read from the files as
//! they are now. Same generation and same name give the same order.

mod names;
mod outline;
mod request;
mod usages;

pub(crate) use names::{guesses, symbols, tokens};
pub(crate) use outline::{outline, outlined};
pub use request::{
    FileOutline, FoundSymbol, FoundUsage, NameMatch, Outline, OutlineRequest, SymbolAnswer,
    SymbolRequest, UsageAnswer, UsageKind, UsageRequest,
};
pub(crate) use usages::{last_name, usages};

use crate::error::{Error, Result};
use crate::request::SearchRequest;

/// A name as people write it: `Session::send` is `send` below `Session`.
#[derive(Debug)]
struct Asked<'a> {
    name: &'a str,
    /// Parents, the nearest last.
    parents: Vec<&'a str>,
}

impl<'a> Asked<'a> {
    /// The whole of what was written as one name.
    fn whole(text: &'a str) -> Result<Asked<'a>> {
        let text = text.trim();
        if text.is_empty() {
            return Err(Error::usage("the name is empty")
                .with_hint("name a symbol: wherein symbols parse_config"));
        }
        if text.len() > SearchRequest::MAX_BYTES {
            let n_bytes = text.len();
            return Err(Error::usage(format!("the name has {n_bytes} bytes"))
                .with_hint("the most is 65,536"));
        }
        Ok(Asked { name: text, parents: Vec::new() })
    }

    /// The same read as parents and a name, where it can be; `None` where it is one name only.
    fn split(&self) -> Option<Asked<'a>> {
        let text =
            self.name.strip_suffix("()").filter(|rest| !rest.is_empty()).unwrap_or(self.name);
        // Routes have paths, headings have words.
        if text.contains(['/', ' ']) {
            return None;
        }
        let mut parts: Vec<&str> =
            text.split(['.', ':', '#', '\\']).filter(|part| !part.is_empty()).collect();
        let name = parts.pop()?;
        (name != self.name).then_some(Asked { name, parents: parts })
    }

    /// Whether a chain of parents ends with the ones asked for, case aside.
    fn is_below(&self, chain: Option<&str>, module: Option<&str>) -> bool {
        let chain = [module, chain]
            .into_iter()
            .flatten()
            .flat_map(|part| part.split(['.', ':', '/', '\\']));
        let chain: Vec<&str> = chain.filter(|part| !part.is_empty()).collect();
        let wanted = self.parents.iter().rev();
        let mut known = chain.iter().rev();
        wanted
            .into_iter()
            .all(|parent| known.next().is_some_and(|k| k.eq_ignore_ascii_case(parent)))
    }
}

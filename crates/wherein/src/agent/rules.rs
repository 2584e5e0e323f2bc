//! The short text that tells an agent when to ask `wherein` and when to grep, and how it stands in a file.
//!
//! It stands between two marker lines. In a file of its own the front matter of the client comes before it; in a
//! file that others write to, too, everything outside the markers stays byte for byte.

use wherein_engine::{Error, Result};

use super::edit::{line_end, without_gap};

const BEGIN: &str = "<!-- wherein:begin -->";
const END: &str = "<!-- wherein:end -->";

/// When it is to be read, for clients that ask.
const WHEN: &str = "Find code by what it does or by a name with the wherein tools. Use when you look for where \
                    something is done, defined or called in this repository.";

/// What the text says: about twenty lines, because it is read with every task.
const TEXT: &str = "\
## Finding code with wherein

The `wherein` MCP server searches this repository by meaning and by name, and is always up to date.

- You know what the code does, not what it is called: `folder_search`.
- You know a name: `find_symbol` for where it is defined, `find_usages` for where it is called or mentioned.
- You know the exact text (an error message, a config key, a literal): `exact_search`, or grep.
- Do not grep for guesses at a name: ask `folder_search` once instead.

Read only the lines that a result names, with `read_code`. Open whole files only to edit them.

Good questions:

- Say what the code does, in one sentence with its verbs: \"stop following a redirect loop\", not \"redirect\".
- Add the words that the code itself would use: names of types, headers, settings.
- One question a thing. Narrow with a path, a language or a kind (source, test, docs) where you know it.

What results mean:

- Best first, as `path:start-end`. `kind` says whether it is source, test, docs, config or generated.
- `confidence` is low when nothing fits well: put the question in other words before you trust the first place.
- `degraded` names what did not take part (no model, index not refreshed); the rest still holds.";

/// How rules are written for a client.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// A skill of its own: `SKILL.md`.
    Skill,
    /// A rule of its own for Cursor: `wherein.mdc`.
    Mdc,
    /// Instructions of their own for VS Code.
    Instructions,
    /// A rule of its own for Windsurf.
    Rule,
    /// A block in a file that is the user's.
    Shared,
}

impl Form {
    /// What comes before the block in a file of our own.
    fn head(self) -> String {
        match self {
            Form::Skill => format!("---\nname: wherein\ndescription: {WHEN}\n---\n\n"),
            Form::Mdc => format!("---\ndescription: {WHEN}\nglobs:\nalwaysApply: false\n---\n\n"),
            Form::Instructions => format!("---\ndescription: {WHEN}\napplyTo: '**'\n---\n\n"),
            Form::Rule => format!("---\ntrigger: model_decision\ndescription: {WHEN}\n---\n\n"),
            Form::Shared => String::new(),
        }
    }
}

/// Where a block stands in a text: its first byte and the byte after its end marker.
struct Block {
    start: usize,
    end: usize,
}

fn block(text: &str) -> Result<Option<Block>> {
    let starts: Vec<usize> = text.match_indices(BEGIN).map(|(at, _)| at).collect();
    let ends: Vec<usize> = text.match_indices(END).map(|(at, _)| at + END.len()).collect();
    match (&starts[..], &ends[..]) {
        ([], []) => Ok(None),
        ([start], [end]) if start < end => Ok(Some(Block { start: *start, end: *end })),
        _ => Err(Error::usage("the wherein markers are not one begin and one end")
            .with_hint(format!("repair them by hand: {BEGIN} … {END}"))),
    }
}

/// Whether the text holds our block, whole or not.
pub(super) fn is_in(text: &str) -> bool {
    text.contains(BEGIN)
}

fn rendered(end: &str) -> String {
    format!("{BEGIN}\n{TEXT}\n{END}").replace('\n', end)
}

/// The text with the block as it is now.
pub(super) fn with(text: Option<&str>, form: Form, force: bool) -> Result<String> {
    let own = || format!("{}{}\n", form.head(), rendered("\n"));
    let Some(text) = text else { return Ok(own()) };
    let end = line_end(text);
    if let Some(found) = block(text)? {
        return Ok(format!("{}{}{}", &text[..found.start], rendered(end), &text[found.end..]));
    }
    if form != Form::Shared {
        return if force || text.trim().is_empty() {
            Ok(own())
        } else {
            Err(Error::usage("was not written by wherein")
                .with_hint("move it away, or overwrite it with --force"))
        };
    }
    Ok(match text.trim_start_matches('\u{feff}') {
        "" => format!("{text}{}{end}", rendered(end)),
        body if body.ends_with('\n') => format!("{text}{end}{}{end}", rendered(end)),
        // Without a last line end, as the file was, so that it can be found again.
        _ => format!("{text}{end}{end}{}", rendered(end)),
    })
}

/// The text without the block; `None` where nothing but ours was in it.
pub(super) fn without(text: &str, form: Form) -> Result<Option<String>> {
    let Some(found) = block(text)? else { return Ok(Some(text.to_owned())) };
    let (mut before, after) = (&text[..found.start], &text[found.end..]);
    let is_last = after.is_empty();
    let after = after.strip_prefix("\r\n").or_else(|| after.strip_prefix('\n')).unwrap_or(after);
    if form != Form::Shared && after.is_empty() && before.trim() == form.head().trim() {
        return Ok(None);
    }
    before = without_gap(before, is_last);
    let rest = format!("{before}{after}");
    Ok((!rest.is_empty()).then_some(rest))
}

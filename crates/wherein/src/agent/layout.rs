//! How new JSON is laid out: on the line that is there, or a property a line at an indentation.
//!
//! Makes text of entries; knows nothing of the file that it goes into.

use super::edit::{Entry, Field};

/// How new text is laid out.
pub(super) enum Layout {
    /// On the line that is there.
    Line { gap: &'static str },
    /// A property a line, at this indentation.
    Lines { end: &'static str, indent: String, unit: String },
}

impl Layout {
    /// What comes before a property.
    pub(super) fn start(&self) -> String {
        match self {
            Layout::Line { gap } => (*gap).to_owned(),
            Layout::Lines { end, indent, .. } => format!("{end}{indent}"),
        }
    }

    /// The layout one level down.
    pub(super) fn deeper(&self) -> Layout {
        match self {
            Layout::Line { gap } => Layout::Line { gap },
            Layout::Lines { end, indent, unit } => {
                Layout::Lines { end, indent: format!("{indent}{unit}"), unit: unit.clone() }
            }
        }
    }

    fn gap(&self) -> &'static str {
        match self {
            Layout::Line { gap } => gap,
            Layout::Lines { .. } => " ",
        }
    }

    /// An object of properties that are rendered one level down.
    pub(super) fn object(&self, properties: &[String]) -> String {
        let deeper = self.deeper();
        match self {
            Layout::Line { gap } => format!("{{{}}}", properties.join(&format!(",{gap}"))),
            Layout::Lines { .. } => {
                let first = deeper.start();
                let body = properties.join(&format!(",{first}"));
                format!("{{{first}{body}{}}}", self.start())
            }
        }
    }
}

/// A property to write: the keys that lead to the entry, and the entry.
pub(super) struct Part<'e> {
    pub(super) keys: &'e [&'e str],
    pub(super) entry: &'e Entry,
}

impl Part<'_> {
    pub(super) fn render(&self, layout: &Layout) -> String {
        let Some((key, rest)) = self.keys.split_first() else { return String::new() };
        let value = if rest.is_empty() {
            self.entry.render(layout)
        } else {
            let inner = Part { keys: rest, entry: self.entry };
            layout.object(&[inner.render(&layout.deeper())])
        };
        format!("{}:{}{value}", quoted(key), layout.gap())
    }
}

impl Entry {
    pub(super) fn render(&self, layout: &Layout) -> String {
        let gap = layout.gap();
        let fields = self.fields.iter().map(|(name, field)| {
            let value = match field {
                Field::Text(text) => quoted(text),
                Field::Truth(truth) => truth.to_string(),
                Field::List(list) => {
                    let texts: Vec<String> = list.iter().map(|text| quoted(text)).collect();
                    format!("[{}]", texts.join(&format!(",{gap}")))
                }
            };
            format!("{}:{gap}{value}", quoted(name))
        });
        layout.object(&fields.collect::<Vec<_>>())
    }
}

fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

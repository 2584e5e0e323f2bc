//! The arguments of a tool call, taken apart. Strict about names, lenient about forms that agents are known to mix up
//! (`"5"` for 5, one text for a list of one).

use rmcp::model::JsonObject;
use serde_json::Value;
use wherein_engine::{Error, Result};

/// Texts longer than this are refused.
const MAX_TEXT: usize = 8 << 10;
/// Lists longer than this are refused.
const MAX_ITEMS: usize = 64;

/// The arguments of one call.
#[derive(Debug)]
pub(super) struct Args<'s> {
    given: JsonObject,
    /// What the schema of the tool says of each argument.
    properties: &'s JsonObject,
}

impl<'s> Args<'s> {
    /// The arguments, where the schema of the tool knows them.
    pub(super) fn new(given: Option<JsonObject>, properties: &'s JsonObject) -> Result<Args<'s>> {
        let given = given.unwrap_or_default();
        match given.keys().find(|key| !properties.contains_key(*key)) {
            None => Ok(Args { given, properties }),
            Some(key) => {
                let known = properties.keys().map(String::as_str).collect::<Vec<_>>().join(", ");
                Err(Error::usage(format!("there is no argument {key:?}"))
                    .with_hint(format!("these are: {known}")))
            }
        }
    }

    /// A text that has to be there.
    pub(super) fn needed(&self, key: &str) -> Result<String> {
        self.text(key)?.ok_or_else(|| {
            Error::usage(format!("{key} is missing or empty"))
                .with_hint(format!("give {key} as a text"))
        })
    }

    /// A text; an empty one counts as none.
    pub(super) fn text(&self, key: &str) -> Result<Option<String>> {
        match self.get(key) {
            None => Ok(None),
            Some(Value::String(text)) if text.len() > MAX_TEXT => {
                Err(Error::usage(format!("{key} has {} bytes", text.len()))
                    .with_hint(format!("give {MAX_TEXT} at most")))
            }
            Some(Value::String(text)) if text.trim().is_empty() => Ok(None),
            Some(Value::String(text)) => Ok(Some(text.clone())),
            Some(other) => Err(wrong(key, other, "a text")),
        }
    }

    /// A list of texts, or one text.
    pub(super) fn texts(&self, key: &str) -> Result<Vec<String>> {
        match self.get(key) {
            Some(Value::Array(items)) if items.len() > MAX_ITEMS => {
                Err(Error::usage(format!("{key} has more than {MAX_ITEMS} items")))
            }
            Some(Value::Array(items)) => items
                .iter()
                .map(|item| match item.as_str() {
                    Some(text) if text.len() <= MAX_TEXT => Ok(text.to_owned()),
                    _ => Err(wrong(key, item, "a list of texts")),
                })
                .collect(),
            _ => Ok(self.text(key)?.into_iter().collect()),
        }
    }

    /// A whole number within the bounds of the schema; beyond them the bound.
    pub(super) fn number(&self, key: &str) -> Result<Option<u64>> {
        let (least, most) =
            (self.says(key, "minimum").unwrap_or(0), self.says(key, "maximum").unwrap_or(u64::MAX));
        let value = match self.get(key) {
            None => return Ok(None),
            Some(Value::String(text)) => text.trim().parse::<f64>().ok(),
            Some(other) => other.as_f64(),
        };
        match value {
            Some(number) if number.is_finite() && number.fract() == 0.0 => {
                Ok(Some((number.max(0.0) as u64).clamp(least, most)))
            }
            _ => Err(wrong(key, self.get(key).unwrap_or(&Value::Null), "a whole number")),
        }
    }

    /// The most results: what is given, else what the schema says.
    pub(super) fn limit(&self) -> Result<usize> {
        const KEY: &str = "limit";
        let limit = self.number(KEY)?.or_else(|| self.says(KEY, "default"));
        Ok(limit.unwrap_or(1) as usize)
    }

    /// What the schema says of an argument, as a number.
    fn says(&self, key: &str, what: &str) -> Option<u64> {
        self.properties.get(key)?.get(what)?.as_u64()
    }

    /// Yes or no.
    pub(super) fn flag(&self, key: &str) -> Result<bool> {
        match self.get(key) {
            None => Ok(false),
            Some(Value::Bool(flag)) => Ok(*flag),
            Some(Value::String(text)) if text == "true" || text == "false" => Ok(text == "true"),
            Some(other) => Err(wrong(key, other, "true or false")),
        }
    }

    /// A value; `null` counts as none.
    fn get(&self, key: &str) -> Option<&Value> {
        self.given.get(key).filter(|value| !value.is_null())
    }
}

fn wrong(key: &str, value: &Value, wanted: &str) -> Error {
    let mut shown = value.to_string();
    shown.truncate(shown.floor_char_boundary(80));
    Error::usage(format!("{key} cannot be {shown}")).with_hint(format!("it is {wanted}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn schema() -> JsonObject {
        let number = json!({ "minimum": 1, "maximum": 9 });
        let limit = json!({ "minimum": 1, "maximum": 50, "default": 8 });
        let schema = json!({ "q": {}, "n": number, "list": {}, "is": {}, "limit": limit });
        schema.as_object().cloned().unwrap()
    }

    fn args<'s>(value: &Value, schema: &'s JsonObject) -> Args<'s> {
        Args::new(value.as_object().cloned(), schema).unwrap()
    }

    #[test]
    fn forms_that_agents_mix_up_are_understood() {
        let schema = schema();
        let args = args(&json!({"q": "a", "n": "5", "list": "one", "is": "true"}), &schema);
        assert_eq!(args.needed("q").unwrap(), "a");
        assert_eq!(args.number("n").unwrap(), Some(5));
        assert_eq!(args.texts("list").unwrap(), ["one"]);
        assert!(args.flag("is").unwrap());
        let args = super::tests::args(&json!({"q": null, "n": 1e9, "list": ["a", "b"]}), &schema);
        assert_eq!(args.text("q").unwrap(), None);
        assert_eq!(args.number("n").unwrap(), Some(9));
        assert_eq!(args.texts("list").unwrap(), ["a", "b"]);
    }

    #[test]
    fn the_rest_is_refused_by_name() {
        let schema = schema();
        assert!(Args::new(json!({"other": 1}).as_object().cloned(), &schema).is_err());
        let args = args(&json!({"q": 1, "n": 1.5, "list": [1], "is": 1}), &schema);
        assert!(args.needed("q").unwrap_err().to_string().contains("q cannot be 1"));
        assert!(args.number("n").is_err());
        assert!(args.texts("list").is_err());
        assert!(args.flag("is").is_err());
    }

    #[test]
    fn limits_are_those_of_the_schema() {
        let schema = schema();
        let limit = |value: Value| args(&value, &schema).limit().unwrap();
        assert_eq!(limit(json!({})), 8);
        assert_eq!((limit(json!({"limit": 0})), limit(json!({"limit": 999}))), (1, 50));
    }
}

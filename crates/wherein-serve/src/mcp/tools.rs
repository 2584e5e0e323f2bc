//! What the tools are called, when to pick them, and what they take: the only part that an agent reads before it decides.
//!
//! Schemas are plain objects of plain types, without unions or nulls, since some clients refuse those. Must not call
//! anything.

use std::sync::{Arc, LazyLock};

use rmcp::model::{JsonObject, Tool, ToolAnnotations};
use serde_json::{Value, json};

/// All tools.
pub(super) fn all() -> &'static [Tool] {
    static TOOLS: LazyLock<[Tool; 7]> = LazyLock::new(|| {
        [
            folder_search(),
            find_symbol(),
            find_usages(),
            read_code(),
            exact_search(),
            index_status(),
            reindex(),
        ]
    });
    &*TOOLS
}

/// The tool of that name.
pub(super) fn get(name: &str) -> Option<&'static Tool> {
    all().iter().find(|tool| tool.name == name)
}

/// What the schema of a tool says of each argument.
pub(super) fn properties(name: &str) -> Option<&'static JsonObject> {
    get(name)?.input_schema.get("properties")?.as_object()
}

/// The names of all tools.
pub(super) fn names() -> String {
    all().iter().map(|tool| &*tool.name).collect::<Vec<_>>().join(", ")
}

fn folder_search() -> Tool {
    tool(
        ("folder_search", "Search code by meaning"),
        "Finds the code that does something, by a question in plain words, by behaviour or by name, without knowing what it \
         is called: \"where do we stop following a redirect loop\". Use it first for \"where\" and \"how\" questions \
         instead of guessing words for grep. Answers with path:start-end and the lines. The index is always fresh.",
        json!({
            "question": text("What to find: a question, a behaviour, an error text or a name"),
            "path": text("Only below this folder or glob, such as src or **/*.ts"),
            "languages": texts("Only these languages, such as python"),
            "kinds": one_of_each("Only files of these kinds", &["source", "test", "docs", "config", "generated"]),
            "limit": number("The most results", 1, 50, 8),
            "mode": one_of(
                "hybrid (words and meaning), keyword (words alone) or semantic (meaning alone)",
                &["hybrid", "keyword", "semantic"], "hybrid"),
            "root": root(),
        }),
        &["question"],
        reading("Search code by meaning"),
    )
}

fn find_symbol() -> Tool {
    tool(
        ("find_symbol", "Find a definition by name"),
        "Finds where a function, method, type or constant is defined, by its name or a part of it. Better than grep for \
         definitions: one place, its signature and range.",
        json!({
            "name": text("The name or a part of it; parents may stand in front: Session.send"),
            "kinds": texts("Only these kinds of symbol, such as function, method, class"),
            "path": text("Only below this folder or glob"),
            "limit": number("The most results", 1, 50, 10),
            "root": root(),
        }),
        &["name"],
        reading("Find a definition by name"),
    )
}

fn find_usages() -> Tool {
    tool(
        ("find_usages", "Find where a name is used"),
        "Finds the lines that use a name: calls first, then mentions; definitions are left out. Use it before changing or \
         removing something.",
        json!({
            "name": text("The name as code writes it"),
            "path": text("Only below this folder or glob"),
            "comments": flag("Also lines where it stands only in comments and strings", false),
            "limit": number("The most lines", 1, 200, 30),
            "root": root(),
        }),
        &["name"],
        reading("Find where a name is used"),
    )
}

fn read_code() -> Tool {
    tool(
        ("read_code", "Read lines of a file or a symbol"),
        "Reads lines of a file as it is now, by path and lines as results give them, or the whole of a symbol by its name. \
         Says when there is more.",
        json!({
            "path": text("The file, relative to the root, as results show it"),
            "symbol": text("In place of a path: the name of a function, method or type"),
            "start_line": number("First line", 1, 10_000_000, 1),
            "end_line": number("Last line, inclusive", 1, 10_000_000, 200),
            "root": root(),
        }),
        &[],
        reading("Read lines of a file or a symbol"),
    )
}

fn exact_search() -> Tool {
    tool(
        ("exact_search", "Search exact text or a regular expression"),
        "Finds every line with a literal text or that matches a regular expression, as grep -rn does, in the same files as \
         the other tools. Complete, or it says how many lines were left out. Use it for error texts, keys and rare names.",
        json!({
            "text": text("The text or the pattern"),
            "regex": flag("Whether it is a regular expression", false),
            "ignore_case": flag("Whether case does not matter", false),
            "path": text("Only below this folder or glob"),
            "limit": number("The most lines", 1, 500, 50),
            "root": root(),
        }),
        &["text"],
        reading("Search exact text or a regular expression"),
    )
}

fn index_status() -> Tool {
    tool(
        ("index_status", "What is indexed"),
        "Tells what is indexed and what is not, with reasons: files, model, what was skipped, whether indexing is under way. \
         Use it when something that must be there is not found.",
        json!({ "root": root() }),
        &[],
        reading("What is indexed"),
    )
}

fn reindex() -> Tool {
    let annotations = ToolAnnotations::with_title("Bring the index up to date")
        .read_only(false)
        .destructive(false)
        .idempotent(true)
        .open_world(false);
    tool(
        ("reindex", "Bring the index up to date"),
        "Brings the index up to date, or builds it anew. Rarely needed: every other tool looks for changed files by itself.",
        json!({
            "rebuild": flag("Whether the index is thrown away first", false),
            "root": root(),
        }),
        &[],
        annotations,
    )
}

fn tool(
    (name, title): (&'static str, &'static str),
    description: &'static str,
    properties: Value,
    required: &[&str],
    annotations: ToolAnnotations,
) -> Tool {
    let mut schema = JsonObject::new();
    schema.insert("type".to_owned(), json!("object"));
    schema.insert("properties".to_owned(), properties);
    if !required.is_empty() {
        schema.insert("required".to_owned(), json!(required));
    }
    schema.insert("additionalProperties".to_owned(), json!(false));
    Tool::new(name, description, Arc::new(schema)).with_title(title).with_annotations(annotations)
}

fn reading(title: &str) -> ToolAnnotations {
    ToolAnnotations::with_title(title)
        .read_only(true)
        .destructive(false)
        .idempotent(true)
        .open_world(false)
}

fn root() -> Value {
    text("Which folder, where several are open: its path or its name")
}

fn text(description: &str) -> Value {
    json!({ "type": "string", "description": description })
}

fn texts(description: &str) -> Value {
    json!({ "type": "array", "items": { "type": "string" }, "description": description })
}

fn one_of(description: &str, values: &[&str], default: &str) -> Value {
    json!({ "type": "string", "enum": values, "default": default, "description": description })
}

fn one_of_each(description: &str, values: &[&str]) -> Value {
    json!({ "type": "array", "items": { "type": "string", "enum": values }, "description": description })
}

fn number(description: &str, least: u64, most: u64, default: u64) -> Value {
    json!({
        "type": "integer", "minimum": least, "maximum": most, "default": default, "description": description
    })
}

fn flag(description: &str, default: bool) -> Value {
    json!({ "type": "boolean", "default": default, "description": description })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Calls `check` with each object inside `value`.
    fn each_object(value: &Value, check: &mut impl FnMut(&JsonObject)) {
        match value {
            Value::Object(object) => {
                check(object);
                object.values().for_each(|inner| each_object(inner, check));
            }
            Value::Array(items) => items.iter().for_each(|inner| each_object(inner, check)),
            _ => {}
        }
    }

    #[test]
    fn schemas_are_plain() {
        for tool in all() {
            let schema = Value::Object(tool.input_schema.as_ref().clone());
            assert_eq!(schema["type"], "object", "{}", tool.name);
            each_object(&schema["properties"], &mut |object| {
                for key in ["anyOf", "oneOf", "allOf", "not", "$ref", "$defs", "nullable", "format"]
                {
                    assert!(!object.contains_key(key), "{}: {key}", tool.name);
                }
                if let Some(kind) =
                    object.get("type").filter(|_| !object.contains_key("properties"))
                {
                    assert!(kind.is_string() && kind != "null", "{}: {kind}", tool.name);
                }
            });
            let properties = schema["properties"].as_object().expect("properties");
            for required in schema["required"].as_array().into_iter().flatten() {
                assert!(properties.contains_key(required.as_str().expect("a name")), "{required}");
            }
        }
    }

    #[test]
    fn every_tool_says_what_it_is() {
        let tools = all();
        let wanted = "folder_search, find_symbol, find_usages, read_code, exact_search, index_status, reindex";
        assert_eq!(names(), wanted);
        for tool in tools {
            let hints = tool.annotations.as_ref().expect("annotations");
            assert_eq!(hints.read_only_hint, Some(tool.name != "reindex"));
            assert!(
                tool.title.is_some()
                    && tool.description.as_ref().is_some_and(|told| told.len() < 500)
            );
        }
    }
}

//! Prompts that people pick from a menu: how to ask, worked out once.

use rmcp::ErrorData;
use rmcp::model::{GetPromptResult, JsonObject, Prompt, PromptArgument, PromptMessage, Role};

/// All prompts.
pub(super) fn all() -> Vec<Prompt> {
    let argument = |name: &str, description: &str| {
        vec![PromptArgument::new(name).with_description(description).with_required(true)]
    };
    vec![
        Prompt::new(
            "find_where",
            Some("Find where something happens in this code"),
            Some(argument(
                "what",
                "What happens, in plain words: we give up after too many redirects",
            )),
        )
        .with_title("Find where … happens"),
        Prompt::new(
            "explain_area",
            Some("Explain how an area of this code works"),
            Some(argument("area", "A feature, a folder or a subsystem: the retry logic")),
        )
        .with_title("Explain this area"),
    ]
}

/// One of them, filled in.
pub(super) fn get(
    name: &str,
    arguments: Option<&JsonObject>,
) -> Result<GetPromptResult, ErrorData> {
    let argument = |key: &str| {
        let text = arguments.and_then(|arguments| arguments.get(key)?.as_str());
        text.map(str::trim).filter(|text| !text.is_empty()).ok_or_else(|| {
            ErrorData::invalid_params(format!("the prompt {name} needs the argument {key}"), None)
        })
    };
    let text = match name {
        "find_where" => find_where(argument("what")?),
        "explain_area" => explain_area(argument("area")?),
        _ => {
            return Err(ErrorData::invalid_params(format!("there is no prompt {name:?}"), None));
        }
    };
    Ok(GetPromptResult::new(vec![PromptMessage::new_text(Role::User, text)]))
}

fn find_where(what: &str) -> String {
    format!(
        "Find where this happens in the code: {what}\n\n\
         Ask folder_search with that as a whole question first, then once more in other words if the first results do not \
         fit. Check the best places with read_code. Answer with path:start-end for each place and one sentence on what \
         happens there; say so if you are not sure."
    )
}

fn explain_area(area: &str) -> String {
    format!(
        "Explain how this area of the code works: {area}\n\n\
         Use folder_search to find its main parts, find_symbol for the types and functions that matter, find_usages to see \
         who calls them, and read_code for the lines you describe. Explain the purpose, the main path through the code in \
         order, and where it can fail. Name path:start-end for everything you claim."
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prompts_are_filled_in_and_know_what_they_need() {
        for prompt in all() {
            let key = &prompt.arguments.as_ref().unwrap()[0].name;
            let given = serde_json::json!({ key: "the retry logic" });
            let filled = get(&prompt.name, given.as_object()).unwrap();
            assert!(format!("{:?}", filled.messages).contains("the retry logic"));
            assert!(get(&prompt.name, None).is_err());
        }
        assert!(get("other", None).is_err());
    }
}

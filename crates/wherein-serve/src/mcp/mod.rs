//! The MCP side: tools and prompts for coding agents, over standard streams or HTTP alike.
//!
//! Trouble of a question is the answer of its tool, with kind and hint, so that the agent reads it; only what is no call of
//! ours is an error of the protocol. Must not print: standard output belongs to the protocol.

mod args;
mod calls;
mod prompts;
mod roots;
mod text;
mod tools;

use std::future::pending;
use std::sync::Arc;

use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, GetPromptRequestParams,
    GetPromptResponse, Implementation, ListPromptsResult, ListToolsResult, PaginatedRequestParams,
    ProgressNotificationParam, ServerCapabilities, ServerConfig, Tool,
};
use rmcp::service::{NotificationContext, RequestContext};
use rmcp::{ErrorData, RoleServer, ServerHandler};
use serde_json::json;

use crate::ask::Asker;
use crate::folder::Folder;
use crate::refusal::{Outcome, Refusal};
use calls::{Answer, Call};
pub(crate) use roots::Roots;

/// What agents are told of the server as a whole.
const INSTRUCTIONS: &str = "wherein finds code in the open folder by meaning and by name. Ask folder_search \"where …\" and \
\"how …\" questions in plain words before guessing words for grep; find_symbol for a definition whose name is known; \
find_usages before changing something; exact_search for texts that must match to the letter; read_code for the lines that a \
result names. Results are path:start-end relative to the root, and always of the files as they are now.";

/// One session's server.
#[derive(Debug, Clone)]
pub(crate) struct Mcp {
    asker: Asker,
    roots: Roots,
}

impl Mcp {
    pub(crate) fn new(asker: Asker, roots: Roots) -> Mcp {
        Mcp { asker, roots }
    }

    async fn call(
        &self,
        request: CallToolRequestParams,
        context: &RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let name = request.name.clone();
        let Some(read) = Call::read(&name, request.arguments) else {
            let known = tools::names();
            let message = format!("there is no tool {name:?}; these are: {known}");
            return Err(ErrorData::invalid_params(message, None));
        };
        if let Some(required) = self.roots.required(request.input_responses.as_ref(), context) {
            return Ok(CallToolResponse::InputRequired(required));
        }
        let answered = tokio::select! {
            answered = async {
                let (call, root) = read?;
                let folder = self.roots.find(root, context).await?;
                tokio::select! {
                    answered = call.run(&self.asker, &folder) => answered,
                    () = tell_progress(&folder, context) => Err(Refusal::Cancelled),
                }
            } => answered,
            () = context.ct.cancelled() => Err(Refusal::Cancelled),
        };
        Ok(told(answered).into())
    }
}

/// The answer of a tool, or why there is none.
fn told(answered: Outcome<Answer>) -> CallToolResult {
    match answered {
        Ok(Answer { text, structured }) => {
            let mut result = CallToolResult::success(vec![ContentBlock::text(text)]);
            result.structured_content = Some(structured);
            result
        }
        Err(refusal) => {
            let hint = refusal.hint();
            let mut text = format!("error ({}): {refusal}", refusal.kind());
            if let Some(hint) = &hint {
                text = format!("{text}\nhint: {hint}");
            }
            let message = refusal.to_string();
            let error = json!({ "kind": refusal.kind(), "message": message, "hint": hint });
            let mut result = CallToolResult::error(vec![ContentBlock::text(text)]);
            result.structured_content = Some(json!({ "error": error }));
            result
        }
    }
}

/// Tells a client that asked for it how far an index is, for as long as it waits. Never ends.
async fn tell_progress(folder: &Arc<Folder>, context: &RequestContext<RoleServer>) {
    let Some(token) = context.meta.get_progress_token() else {
        return pending().await;
    };
    let mut changed = folder.subscribe();
    let mut n_told = 0.0;
    loop {
        let snapshot = changed.borrow_and_update().clone();
        if let Some(progress) = &snapshot.progress {
            // Stages begin anew, and what clients are told must only grow.
            n_told = f64::max(n_told + 0.01, f64::from(progress.percent));
            let notice = ProgressNotificationParam::new(token.clone(), n_told)
                .with_message(format!("{} ({})", snapshot.told(), progress.stage));
            if context.peer.notify_progress(notice).await.is_err() {
                return pending().await;
            }
        }
        if changed.changed().await.is_err() {
            return pending().await;
        }
    }
}

impl ServerHandler for Mcp {
    fn get_info(&self) -> ServerConfig {
        let capabilities = ServerCapabilities::builder().enable_tools().enable_prompts().build();
        let own = Implementation::new("wherein", env!("CARGO_PKG_VERSION")).with_title("wherein");
        ServerConfig::new(capabilities).with_server_info(own).with_instructions(INSTRUCTIONS)
    }

    async fn list_tools(
        &self,
        _request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        Ok(ListToolsResult::with_all_items(tools::all().to_vec()))
    }

    fn get_tool(&self, name: &str) -> Option<Tool> {
        tools::get(name).cloned()
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        self.call(request, &context).await
    }

    async fn list_prompts(
        &self,
        _request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListPromptsResult, ErrorData> {
        Ok(ListPromptsResult::with_all_items(prompts::all()))
    }

    async fn get_prompt(
        &self,
        request: GetPromptRequestParams,
        _context: RequestContext<RoleServer>,
    ) -> Result<GetPromptResponse, ErrorData> {
        prompts::get(&request.name, request.arguments.as_ref()).map(GetPromptResponse::from)
    }

    async fn on_roots_list_changed(&self, _context: NotificationContext<RoleServer>) {
        self.roots.forget();
    }
}

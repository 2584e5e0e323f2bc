//! The table of clients: what each is called, how its settings file is written, and what an entry looks like.
//!
//! Sources of each row stand in `docs/agents.md`. Where files lie is told by `places`; nothing here touches the disk.

use clap::ValueEnum;

use super::command::Server;
use super::edit::{Entry, Field, Syntax};

/// The name of our entry, in every client.
pub(crate) const NAME: &str = "wherein";

/// A coding agent whose settings are known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, ValueEnum)]
pub(crate) enum Client {
    /// Claude Code
    ClaudeCode,
    /// Claude Desktop
    ClaudeDesktop,
    /// Cursor
    Cursor,
    /// Visual Studio Code
    #[value(name = "vscode", alias = "vs-code")]
    VsCode,
    /// Codex
    Codex,
    /// Gemini CLI
    #[value(name = "gemini", alias = "gemini-cli")]
    Gemini,
    /// OpenCode
    #[value(name = "opencode", alias = "open-code")]
    OpenCode,
    /// Zed
    Zed,
    /// Windsurf
    Windsurf,
}

/// For whom something is registered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub(crate) enum Scope {
    /// All projects of this user
    #[default]
    User,
    /// Everyone who works in one repository
    Project,
}

impl Scope {
    /// As it is typed.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Scope::User => "user",
            Scope::Project => "project",
        }
    }
}

impl Client {
    /// All of them, in the order in which they are listed.
    pub(crate) const ALL: [Client; 9] = [
        Client::ClaudeCode,
        Client::ClaudeDesktop,
        Client::Cursor,
        Client::VsCode,
        Client::Codex,
        Client::Gemini,
        Client::OpenCode,
        Client::Zed,
        Client::Windsurf,
    ];

    /// As it is typed.
    pub(crate) fn name(self) -> String {
        self.to_possible_value().map_or_else(String::new, |value| value.get_name().to_owned())
    }

    /// As its makers write it.
    pub(crate) fn title(self) -> &'static str {
        match self {
            Client::ClaudeCode => "Claude Code",
            Client::ClaudeDesktop => "Claude Desktop",
            Client::Cursor => "Cursor",
            Client::VsCode => "VS Code",
            Client::Codex => "Codex",
            Client::Gemini => "Gemini CLI",
            Client::OpenCode => "OpenCode",
            Client::Zed => "Zed",
            Client::Windsurf => "Windsurf",
        }
    }

    /// How its settings file is written.
    pub(super) fn syntax(self) -> Syntax {
        if self == Client::Codex { Syntax::Toml } else { Syntax::Json }
    }

    /// The keys that lead to our entry in a settings file with this text.
    pub(super) fn path(self, text: &str) -> &'static [&'static str] {
        match self {
            Client::VsCode => &["servers", NAME],
            Client::Codex => &["mcp_servers", NAME],
            Client::OpenCode if is_second_opencode(text) => &["mcp", "servers", NAME],
            Client::OpenCode => &["mcp", NAME],
            Client::Zed => &["context_servers", NAME],
            _ => &["mcpServers", NAME],
        }
    }

    /// Our entry for a settings file with this text.
    pub(super) fn entry(self, server: &Server, text: &str) -> Entry {
        let command = ("command", Field::Text(server.command.clone()));
        let args = ("args", Field::List(server.args.clone()));
        let fields = match self {
            Client::ClaudeCode | Client::VsCode => {
                vec![("type", Field::Text("stdio".to_owned())), command, args]
            }
            Client::OpenCode => {
                let all = [std::slice::from_ref(&server.command), &server.args].concat();
                let mut fields =
                    vec![("type", Field::Text("local".to_owned())), ("command", Field::List(all))];
                if !is_second_opencode(text) {
                    fields.push(("enabled", Field::Truth(true)));
                }
                fields
            }
            _ => vec![command, args],
        };
        Entry { fields }
    }
}

/// Whether servers stand below `mcp.servers`, as the second OpenCode has them; it reads the older shape, too.
fn is_second_opencode(text: &str) -> bool {
    super::edit::keys(Syntax::Json, text, &["mcp", "servers"])
        .is_some_and(|keys| !keys.iter().any(|key| ["type", "command", "url"].contains(&&**key)))
}

//! Where each client keeps its settings and its rules, on each system, by its own environment variables.
//!
//! Sources stand in `docs/agents.md`. Asks only whether a file or folder is there; reads and writes none.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use wherein_engine::{Error, Result};

use super::clients::{Client, Scope};
use super::rules::Form;

/// The systems that differ in where settings lie.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum System {
    Linux,
    Mac,
    Windows,
}

/// What an environment variable says.
pub(super) type Variable = Box<dyn Fn(&str) -> Option<OsString>>;

/// The folders from which settings are found.
pub(crate) struct Places {
    pub(super) home: PathBuf,
    pub(super) system: System,
    pub(super) variable: Variable,
    /// The repository that the project scope is about.
    pub(super) root: PathBuf,
}

/// Where rules for a client go, and how they are written there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct RulesPlace {
    pub(super) path: PathBuf,
    pub(super) form: Form,
}

impl Places {
    /// Those of the user who runs the program, and the repository around the current folder unless `root` names one.
    pub(crate) fn of_user(root: Option<&Path>) -> Result<Places> {
        let home = etcetera::home_dir()
            .map_err(|_| Error::usage("there is no home folder").with_hint("set HOME to yours"))?;
        let system = if cfg!(windows) {
            System::Windows
        } else if cfg!(target_os = "macos") {
            System::Mac
        } else {
            System::Linux
        };
        let root = project(root)?;
        Ok(Places { home, system, variable: Box::new(|name| std::env::var_os(name)), root })
    }

    /// The folder that a scope ends at; nothing above it is ever removed.
    pub(super) fn base(&self, scope: Scope) -> &Path {
        match scope {
            Scope::User => &self.home,
            Scope::Project => &self.root,
        }
    }

    /// A folder that a variable names, else one below the home folder.
    fn folder(&self, name: &str, below_home: &str) -> PathBuf {
        self.named(name).unwrap_or_else(|| self.home.join(below_home))
    }

    /// Relative paths in variables mean nothing that lasts; they are passed over.
    fn named(&self, name: &str) -> Option<PathBuf> {
        (self.variable)(name).map(PathBuf::from).filter(|path| path.is_absolute())
    }

    /// Where desktop programs keep their settings.
    fn applications(&self) -> PathBuf {
        match self.system {
            System::Linux => self.folder("XDG_CONFIG_HOME", ".config"),
            System::Mac => self.home.join("Library").join("Application Support"),
            System::Windows => self.folder("APPDATA", "AppData/Roaming"),
        }
    }

    /// The client's folder of the user: it is there when the client is.
    fn own_folder(&self, client: Client) -> PathBuf {
        match client {
            Client::ClaudeCode => self.folder("CLAUDE_CONFIG_DIR", ".claude"),
            Client::ClaudeDesktop => self.applications().join("Claude"),
            Client::Cursor => self.home.join(".cursor"),
            Client::VsCode => match self.named("VSCODE_PORTABLE") {
                Some(portable) => portable.join("user-data").join("User"),
                None => self.applications().join("Code").join("User"),
            },
            Client::Codex => self.folder("CODEX_HOME", ".codex"),
            Client::Gemini => self.folder("GEMINI_CLI_HOME", "").join(".gemini"),
            Client::OpenCode => self.folder("XDG_CONFIG_HOME", ".config").join("opencode"),
            Client::Zed => self.zed(),
            Client::Windsurf => self.home.join(".codeium").join("windsurf"),
        }
    }

    fn zed(&self) -> PathBuf {
        let flatpak = self.named("FLATPAK_XDG_CONFIG_HOME");
        match (self.system, flatpak) {
            (System::Windows, _) => self.applications().join("Zed"),
            (System::Linux, Some(flatpak)) => flatpak.join("zed"),
            (System::Linux, None) => self.applications().join("zed"),
            (System::Mac, _) => self.home.join(".config").join("zed"),
        }
    }

    /// Whether the client is on this machine, as far as its settings tell.
    pub(super) fn detected(&self, client: Client) -> bool {
        self.own_folder(client).is_dir()
            || self.settings(client, Scope::User).is_some_and(|file| file.is_file())
    }

    /// The clients that are on this machine.
    pub(crate) fn all_detected(&self) -> Vec<Client> {
        Client::ALL.into_iter().filter(|client| self.detected(*client)).collect()
    }

    /// Whether there is anything to write for the client in this scope.
    pub(crate) fn has(&self, client: Client, scope: Scope) -> bool {
        self.settings(client, scope).is_some()
    }

    /// Those of the clients that read no rules from a file in this scope.
    pub(crate) fn without_rules(&self, clients: &[Client], scope: Scope) -> Vec<Client> {
        let has_none = |client: &Client| self.rules(*client, scope).is_none();
        clients.iter().copied().filter(has_none).collect()
    }

    /// The settings file, where the client has one in this scope.
    pub(super) fn settings(&self, client: Client, scope: Scope) -> Option<PathBuf> {
        match scope {
            Scope::User => Some(self.user_settings(client)),
            Scope::Project => self.project_settings(client),
        }
    }

    fn user_settings(&self, client: Client) -> PathBuf {
        let own = self.own_folder(client);
        match client {
            Client::ClaudeCode => self.folder("CLAUDE_CONFIG_DIR", "").join(".claude.json"),
            Client::ClaudeDesktop => own.join("claude_desktop_config.json"),
            Client::Cursor | Client::VsCode => own.join("mcp.json"),
            Client::Codex => own.join("config.toml"),
            Client::Gemini | Client::Zed => own.join("settings.json"),
            Client::OpenCode => {
                self.named("OPENCODE_CONFIG").unwrap_or_else(|| opencode_file(&own))
            }
            Client::Windsurf => own.join("mcp_config.json"),
        }
    }

    fn project_settings(&self, client: Client) -> Option<PathBuf> {
        let root = &self.root;
        Some(match client {
            Client::ClaudeCode => root.join(".mcp.json"),
            Client::Cursor => root.join(".cursor").join("mcp.json"),
            Client::VsCode => root.join(".vscode").join("mcp.json"),
            Client::Codex => root.join(".codex").join("config.toml"),
            Client::Gemini => root.join(".gemini").join("settings.json"),
            Client::OpenCode => opencode_file(root),
            Client::Zed => root.join(".zed").join("settings.json"),
            Client::ClaudeDesktop | Client::Windsurf => return None,
        })
    }

    /// Where rules go, where the client reads any in this scope.
    pub(super) fn rules(&self, client: Client, scope: Scope) -> Option<RulesPlace> {
        let (path, form) = match scope {
            Scope::User => self.user_rules(client)?,
            Scope::Project => self.project_rules(client)?,
        };
        Some(RulesPlace { path, form })
    }

    fn user_rules(&self, client: Client) -> Option<(PathBuf, Form)> {
        let own = self.own_folder(client);
        Some(match client {
            Client::ClaudeCode => (skill(&own), Form::Skill),
            Client::VsCode => {
                (own.join("prompts").join("wherein.instructions.md"), Form::Instructions)
            }
            Client::Codex | Client::OpenCode => (own.join("AGENTS.md"), Form::Shared),
            Client::Gemini => (own.join("GEMINI.md"), Form::Shared),
            Client::Windsurf => (own.join("memories").join("global_rules.md"), Form::Shared),
            Client::ClaudeDesktop | Client::Cursor | Client::Zed => return None,
        })
    }

    fn project_rules(&self, client: Client) -> Option<(PathBuf, Form)> {
        let root = &self.root;
        Some(match client {
            Client::ClaudeCode => (skill(&root.join(".claude")), Form::Skill),
            Client::Cursor => (root.join(".cursor").join("rules").join("wherein.mdc"), Form::Mdc),
            Client::VsCode => {
                let folder = root.join(".github").join("instructions");
                (folder.join("wherein.instructions.md"), Form::Instructions)
            }
            Client::Codex | Client::OpenCode => (root.join("AGENTS.md"), Form::Shared),
            Client::Gemini => (root.join("GEMINI.md"), Form::Shared),
            Client::Zed => (root.join(".rules"), Form::Shared),
            Client::Windsurf => {
                (root.join(".windsurf").join("rules").join("wherein.md"), Form::Rule)
            }
            Client::ClaudeDesktop => return None,
        })
    }
}

fn skill(folder: &Path) -> PathBuf {
    folder.join("skills").join("wherein").join("SKILL.md")
}

/// The one with comments where only that is there.
fn opencode_file(folder: &Path) -> PathBuf {
    let (plain, commented) = (folder.join("opencode.json"), folder.join("opencode.jsonc"));
    if !plain.exists() && commented.exists() { commented } else { plain }
}

/// The folder of the project scope: as typed, else the nearest repository around the current folder.
fn project(root: Option<&Path>) -> Result<PathBuf> {
    let cwd = std::env::current_dir()
        .map_err(|error| Error::io("open", Path::new("the current folder"), &error))?;
    let Some(root) = root else {
        let repository = cwd.ancestors().find(|folder| folder.join(".git").exists());
        return Ok(repository.unwrap_or(&cwd).to_owned());
    };
    let root = cwd.join(root);
    if root.is_dir() {
        return Ok(root);
    }
    Err(Error::usage(format!("{} is not a folder", root.display()))
        .with_hint("--root takes the folder of a project"))
}

//! Where files lie, what is written into them, and what stays beside them.

use std::collections::HashMap;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use proptest::prelude::*;

use super::clients::{Client, Scope};
use super::command::Server;
use super::places::{Places, System};
use super::plan::{Done, Job, State, Step, install, status, uninstall};
use super::rules::{Form, with, without};
use super::write::{apply, backups};

fn places(home: &Path, system: System, variables: &[(&str, &str)]) -> Places {
    let variables: HashMap<String, OsString> =
        variables.iter().map(|(name, value)| ((*name).to_owned(), (*value).into())).collect();
    let variable = Box::new(move |name: &str| variables.get(name).cloned());
    Places { home: home.to_owned(), system, variable, root: home.join("repo") }
}

fn server() -> Server {
    Server { command: "wherein".to_owned(), args: vec!["mcp".to_owned()], program: None }
}

/// A home folder in which clients are registered.
struct Home {
    folder: tempfile::TempDir,
    server: Server,
    scope: Scope,
}

impl Home {
    fn new() -> Home {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir_all(folder.path().join("repo")).unwrap();
        Home { folder, server: server(), scope: Scope::User }
    }

    fn places(&self) -> Places {
        places(self.folder.path(), System::Linux, &[])
    }

    fn job(&self, client: Client, rules: bool) -> Job<'_> {
        Job { client, scope: self.scope, server: &self.server, rules, force: false }
    }

    fn install(&self, client: Client) -> Vec<Step> {
        carried_out(install(&self.places(), &self.job(client, true)).unwrap())
    }

    fn uninstall(&self, client: Client) -> Vec<Step> {
        carried_out(uninstall(&self.places(), &self.job(client, true)).unwrap())
    }

    /// Every file below the home folder, with its text.
    fn files(&self) -> Vec<(PathBuf, String)> {
        let mut found = Vec::new();
        let mut folders = vec![self.folder.path().to_owned()];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder).unwrap().map(Result::unwrap) {
                if entry.path().is_dir() {
                    folders.push(entry.path());
                } else {
                    let text = fs::read_to_string(entry.path()).unwrap();
                    found.push((entry.path(), text));
                }
            }
        }
        found.sort();
        found
    }
}

fn carried_out(steps: Vec<Step>) -> Vec<Step> {
    for step in &steps {
        step.change.as_ref().map(apply).transpose().unwrap();
    }
    steps
}

fn done(steps: &[Step]) -> Vec<Done> {
    steps.iter().map(|step| step.done).collect()
}

#[test]
fn every_client_in_every_scope_there_and_back() {
    for scope in [Scope::User, Scope::Project] {
        for client in Client::ALL {
            let home = Home { scope, ..Home::new() };
            if scope == Scope::Project && client == Client::ClaudeDesktop {
                assert!(install(&home.places(), &home.job(client, true)).is_err());
                continue;
            }
            let first = home.install(client);
            assert!(done(&first).iter().all(|done| *done == Done::Added), "{client:?}");
            let between = home.files();
            assert_eq!(between.len(), first.len(), "{client:?} has no backup of nothing");
            let again = home.install(client);
            assert!(done(&again).iter().all(|done| *done == Done::Present), "{client:?}");
            assert_eq!(home.files(), between);
            let state = status(&home.places(), client, scope, &server());
            assert!(state.state == State::Installed || state.settings.is_none(), "{client:?}");
            assert_eq!(state.has_rules, state.rules.is_some());
            home.uninstall(client);
            assert_eq!(home.files(), [], "{client:?}");
            assert!(done(&home.uninstall(client)).iter().all(|done| *done == Done::Missing));
        }
    }
}

#[test]
fn what_the_user_has_comes_back_byte_for_byte() {
    for client in Client::ALL {
        let home = Home::new();
        let file = home.places().settings(client, Scope::User).unwrap();
        let text = if client == Client::Codex { "# c\r\nmodel = 'x'" } else { "{ // c\r\n}" };
        write(&file, text);
        let rules = home.places().rules(client, Scope::User);
        let shared = rules.filter(|place| place.form == Form::Shared);
        if let Some(place) = &shared {
            write(&place.path, "Be brief.");
        }
        let before = home.files();
        home.install(client);
        assert_eq!(backups(&file).len(), 1);
        assert_eq!(fs::read_to_string(&backups(&file)[0]).unwrap(), text);
        home.uninstall(client);
        assert_eq!(home.files(), before, "{client:?}");
    }
}

#[test]
fn the_first_original_is_kept_and_no_backup_is_overwritten() {
    let home = Home::new();
    let file = home.places().settings(Client::Cursor, Scope::User).unwrap();
    write(&file, "{\"a\":1}");
    home.install(Client::Cursor);
    // The client writes its file anew while the server is registered.
    let now = fs::read_to_string(&file).unwrap().replace("\"a\":1", "\"a\":2");
    write(&file, &now);
    home.uninstall(Client::Cursor);
    assert_eq!(fs::read_to_string(&file).unwrap(), "{\"a\":2}");
    let kept: Vec<String> =
        backups(&file).iter().map(|backup| fs::read_to_string(backup).unwrap()).collect();
    assert_eq!(kept, ["{\"a\":1}".to_owned(), now], "the first, and what was not in it");
}

#[test]
fn a_file_that_changed_meanwhile_is_left_alone() {
    let home = Home::new();
    let file = home.places().settings(Client::Cursor, Scope::User).unwrap();
    let steps = install(&home.places(), &home.job(Client::Cursor, false)).unwrap();
    write(&file, "{\"new\":1}");
    let error = apply(steps[0].change.as_ref().unwrap()).unwrap_err();
    assert!(error.to_string().contains("changed meanwhile"));
    assert_eq!(fs::read_to_string(&file).unwrap(), "{\"new\":1}");
}

#[test]
fn another_entry_is_not_overwritten_without_force() {
    let home = Home::new();
    let file = home.places().settings(Client::Cursor, Scope::User).unwrap();
    let other = "{\"mcpServers\":{\"wherein\":{\"command\":\"/opt/other\",\"args\":[\"mcp\"]}}}";
    write(&file, other);
    let job = home.job(Client::Cursor, false);
    assert!(install(&home.places(), &job).unwrap_err().hint().unwrap().contains("--force"));
    assert!(uninstall(&home.places(), &job).unwrap_err().hint().unwrap().contains("--force"));
    let state = status(&home.places(), Client::Cursor, Scope::User, &server()).state;
    assert_eq!(state, State::Other("/opt/other mcp".to_owned()));
    let forced = Job { force: true, ..job };
    let steps = carried_out(install(&home.places(), &forced).unwrap());
    assert_eq!(done(&steps), [Done::Replaced]);
    assert_eq!(fs::read_to_string(&backups(&file)[0]).unwrap(), other);
}

#[test]
fn a_wherein_elsewhere_can_be_uninstalled() {
    for command in ["/old/bin/wherein", "C:\\\\old\\\\wherein.exe"] {
        let home = Home::new();
        let file = home.places().settings(Client::Cursor, Scope::User).unwrap();
        write(
            &file,
            &format!(
                "{{\"mcpServers\":{{\"wherein\":{{\"command\":\"{command}\",\"args\":[\"mcp\"]}}}}}}"
            ),
        );
        home.uninstall(Client::Cursor);
        assert_eq!(fs::read_to_string(&file).unwrap(), "{\"mcpServers\":{}}");
    }
}

#[test]
fn arguments_that_the_user_added_stay() {
    let home = Home::new();
    let file = home.places().settings(Client::Cursor, Scope::User).unwrap();
    let own = "{\"mcpServers\":{\"wherein\":{\"command\":\"wherein\",\"args\":[\"mcp\",\"-q\"]}}}";
    write(&file, own);
    assert_eq!(done(&home.install(Client::Cursor)), [Done::Present]);
    assert_eq!(fs::read_to_string(&file).unwrap(), own);
}

#[test]
fn the_second_opencode_has_its_servers_one_level_down() {
    let home = Home::new();
    let file = home.places().settings(Client::OpenCode, Scope::User).unwrap();
    let text = "{\n  \"mcp\": {\n    \"servers\": {}\n  }\n}\n";
    write(&file, text);
    home.install(Client::OpenCode);
    let with: serde_json::Value =
        serde_json::from_str(&fs::read_to_string(&file).unwrap()).unwrap();
    let entry = serde_json::json!({"type": "local", "command": ["wherein", "mcp"]});
    assert_eq!(with["mcp"]["servers"]["wherein"], entry);
    home.uninstall(Client::OpenCode);
    assert_eq!(fs::read_to_string(&file).unwrap(), text);
}

#[test]
fn places_follow_the_system_and_the_variables() {
    let home = Path::new(if cfg!(windows) { "C:\\h" } else { "/h" });
    let told = |system, variables: &[(&str, &str)], client| {
        let path = places(home, system, variables).settings(client, Scope::User).unwrap();
        path.display().to_string().replace('\\', "/").replace("C:", "")
    };
    let elsewhere = if cfg!(windows) { "C:\\e" } else { "/e" };
    use Client::{ClaudeCode, ClaudeDesktop, Codex, Gemini, OpenCode, VsCode, Windsurf, Zed};
    use System::{Linux, Mac, Windows};
    for (system, client, expected) in [
        (Linux, ClaudeCode, "/h/.claude.json"),
        (Mac, ClaudeDesktop, "/h/Library/Application Support/Claude/claude_desktop_config.json"),
        (Windows, ClaudeDesktop, "/h/AppData/Roaming/Claude/claude_desktop_config.json"),
        (Linux, VsCode, "/h/.config/Code/User/mcp.json"),
        (Mac, VsCode, "/h/Library/Application Support/Code/User/mcp.json"),
        (Linux, Codex, "/h/.codex/config.toml"),
        (Linux, Gemini, "/h/.gemini/settings.json"),
        (Windows, OpenCode, "/h/.config/opencode/opencode.json"),
        (Linux, Zed, "/h/.config/zed/settings.json"),
        (Mac, Zed, "/h/.config/zed/settings.json"),
        (Windows, Zed, "/h/AppData/Roaming/Zed/settings.json"),
        (Linux, Windsurf, "/h/.codeium/windsurf/mcp_config.json"),
    ] {
        assert_eq!(told(system, &[], client), expected);
    }
    for (name, client, expected) in [
        ("CLAUDE_CONFIG_DIR", ClaudeCode, "/e/.claude.json"),
        ("CODEX_HOME", Codex, "/e/config.toml"),
        ("GEMINI_CLI_HOME", Gemini, "/e/.gemini/settings.json"),
        ("OPENCODE_CONFIG", OpenCode, "/e"),
        ("XDG_CONFIG_HOME", OpenCode, "/e/opencode/opencode.json"),
        ("XDG_CONFIG_HOME", Zed, "/e/zed/settings.json"),
        ("XDG_CONFIG_HOME", VsCode, "/e/Code/User/mcp.json"),
        ("VSCODE_PORTABLE", VsCode, "/e/user-data/User/mcp.json"),
    ] {
        assert_eq!(told(Linux, &[(name, elsewhere)], client), expected);
        assert!(told(Linux, &[(name, "relative")], client).starts_with("/h/"));
    }
}

#[test]
fn rules_are_short_and_say_how_to_choose() {
    let text = with(None, Form::Shared, false).unwrap();
    let n_lines = text.lines().filter(|line| !line.is_empty()).count();
    assert!((15..=25).contains(&n_lines), "{n_lines}");
    for word in ["folder_search", "find_symbol", "find_usages", "exact_search", "read_code", "grep"]
    {
        assert!(text.contains(word), "{word}");
    }
}

#[test]
fn a_rules_file_of_somebody_else_is_refused() {
    assert!(with(Some("# mine\n"), Form::Skill, false).is_err());
    assert!(with(Some("# mine\n"), Form::Skill, true).is_ok());
    assert!(with(Some("<!-- wherein:begin -->\n"), Form::Shared, false).is_err());
    assert!(with(Some("<!-- wherein:end --><!-- wherein:begin -->"), Form::Shared, false).is_err());
}

#[test]
fn an_old_block_is_renewed_where_it_stands() {
    let old = "a\n<!-- wherein:begin -->\nold\n<!-- wherein:end -->\nb\n";
    let new = with(Some(old), Form::Shared, false).unwrap();
    assert!(new.starts_with("a\n<!-- wherein:begin -->\n## ") && new.ends_with("-->\nb\n"));
    assert_eq!(without(&new, Form::Shared).unwrap().unwrap(), "a\nb\n");
}

fn write(path: &Path, text: &str) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

proptest! {
    #[test]
    fn any_shared_file_comes_back(
        lines in prop::collection::vec("[a-z# é]{0,6}", 0..5),
        windows in any::<bool>(),
        mark in any::<bool>(),
    ) {
        let text = lines.join(if windows { "\r\n" } else { "\n" });
        let text = format!("{}{text}", if mark { "\u{feff}" } else { "" });
        let all = with(Some(&text), Form::Shared, false).unwrap();
        prop_assert_eq!(&with(Some(&all), Form::Shared, false).unwrap(), &all);
        prop_assert_eq!(without(&all, Form::Shared).unwrap().unwrap_or_default(), text);
    }
}

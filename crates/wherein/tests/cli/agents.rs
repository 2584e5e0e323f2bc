//! `wherein agent`: the real binary on settings files of a home folder of its own.

use std::fs;
use std::path::{Path, PathBuf};

use super::tree::{Run, Tree};

/// Variables by which clients look elsewhere; the user's own must not be seen here.
const VARIABLES: [&str; 7] = [
    "CLAUDE_CONFIG_DIR",
    "CODEX_HOME",
    "GEMINI_CLI_HOME",
    "OPENCODE_CONFIG",
    "VSCODE_PORTABLE",
    "FLATPAK_XDG_CONFIG_HOME",
    "WHEREIN_COLOR",
];

/// Runs `wherein agent …` in the tree, with `wherein` not on the search path.
fn agent(tree: &Tree, args: &[&str]) -> Run {
    agent_with(tree, args, &[])
}

fn agent_with(tree: &Tree, args: &[&str], variables: &[(&str, &Path)]) -> Run {
    let mut command = tree.command(&[&["agent"], args].concat());
    for name in VARIABLES {
        command.env_remove(name);
    }
    command.env("USERPROFILE", tree.home()).env("PATH", tree.home());
    command.envs(variables.iter().copied());
    tree.finish(command)
}

fn put(path: &Path, text: &str) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap()
}

fn cursor(tree: &Tree) -> PathBuf {
    tree.home().join(".cursor/mcp.json")
}

#[test]
fn install_status_uninstall() {
    let tree = Tree::new(&[]);
    let text = "{\n\t// servers\n\t\"mcpServers\": {\n\t\t\"a\": {\"command\": \"b\"},\n\t},\n}\n";
    put(&cursor(&tree), text);
    agent(&tree, &["status", "cursor"]).status(1).says("not installed");
    agent(&tree, &["install", "cursor"])
        .status(0)
        .says("Cursor: added wherein to ")
        .says("wherein-backup")
        .complains("restart Cursor");
    let with = read(&cursor(&tree));
    assert!(with.starts_with("{\n\t// servers\n\t\"mcpServers\": {\n\t\t\"a\": {\"command\": \"b\"},\n\t\t\"wherein\": {\n"));
    assert!(with.contains(&serde_json::Value::from(env!("CARGO_BIN_EXE_wherein")).to_string()));
    agent(&tree, &["install", "cursor"]).status(0).says("already in").says("nothing changed");
    assert_eq!(read(&cursor(&tree)), with);
    agent(&tree, &["status", "cursor"]).status(0).says("installed");
    agent(&tree, &["uninstall", "cursor"]).status(0).says("removed wherein");
    assert_eq!(read(&cursor(&tree)), text);
    assert_eq!(fs::read_dir(tree.home().join(".cursor")).unwrap().count(), 1, "no backup is left");
    agent(&tree, &["uninstall", "cursor"]).status(0).says("nothing changed");
}

#[test]
fn a_dry_run_shows_a_diff_and_writes_nothing() {
    let tree = Tree::new(&[]);
    put(&cursor(&tree), "{\n  \"a\": 1\n}\n");
    agent(&tree, &["install", "cursor", "codex", "--rules", "--dry-run", "--command", "w"])
        .status(0)
        .says("-  \"a\": 1\n+  \"a\": 1,\n+  \"mcpServers\": {\n")
        .says("--- /dev/null\n")
        .says("+[mcp_servers.wherein]\n+command = \"w\"\n+args = [\"mcp\"]\n");
    assert_eq!(read(&cursor(&tree)), "{\n  \"a\": 1\n}\n");
    assert!(!tree.home().join(".codex").exists());
    assert_eq!(fs::read_dir(tree.home().join(".cursor")).unwrap().count(), 1);
}

#[test]
fn what_to_paste_is_printed() {
    let tree = Tree::new(&[]);
    let run = agent(&tree, &["install", "--print", "--command", "wherein"]);
    assert_eq!(run.status(0).json()["mcpServers"]["wherein"]["args"][0], "mcp");
    let run = agent(&tree, &["install", "codex", "--print", "--command", "a\\b"]);
    run.status(0);
    assert_eq!(run.stdout(), "[mcp_servers.wherein]\ncommand = 'a\\b'\nargs = [\"mcp\"]\n");
    let run =
        agent(&tree, &["install", "opencode", "--print", "--command", "w", "--mcp-root", "."]);
    let command = &run.json()["mcp"]["wherein"]["command"];
    assert_eq!(
        (&command[0], &command[1], &command[2]),
        (&"w".into(), &"mcp".into(), &"--root".into())
    );
    assert!(Path::new(command[3].as_str().unwrap()).is_absolute());
    assert_eq!(fs::read_dir(tree.home()).unwrap().count(), 0);
}

#[test]
fn all_means_those_that_are_here() {
    let tree = Tree::new(&[]);
    agent(&tree, &["install", "all"]).refused().complains("no client was found");
    agent(&tree, &["install"]).refused().complains("no client is named");
    fs::create_dir_all(tree.home().join(".cursor")).unwrap();
    put(&tree.home().join(".codex/config.toml"), "model = \"m\"\n");
    agent(&tree, &["install"]).refused().complains("wherein agent install cursor");
    agent(&tree, &["install", "all"]).status(0).says("Cursor: added").says("Codex: added");
    let status = agent(&tree, &["status", "--json"]).status(0).json();
    let clients = status["clients"].as_array().unwrap();
    let states = |key: &str| -> Vec<&str> {
        let with = clients.iter().filter(|client| client["state"] == key);
        with.map(|client| client["client"].as_str().unwrap()).collect()
    };
    assert_eq!(clients.len(), 9);
    assert_eq!(states("installed"), ["cursor", "codex"]);
    assert_eq!(clients[2]["detected"], true);
    assert_eq!(clients[0]["detected"], false);
    agent(&tree, &["install", "all", "--command", "wherein", "--force"]).status(0).says("replaced");
    agent(&tree, &["install", "all"]).status(0).says("Cursor: wherein already");
    agent(&tree, &["uninstall", "all"]).status(0);
    agent(&tree, &["install", "zed", "--scope", "project", "--rules"]).status(0);
    agent(&tree, &["uninstall", "all", "--scope", "project"]).status(0).says("Zed: removed rules");
    assert_eq!(fs::read_dir(tree.root()).unwrap().count(), 0);
    assert_eq!(read(&tree.home().join(".codex/config.toml")), "model = \"m\"\n");
}

#[test]
fn the_project_scope_is_the_repository() {
    let tree =
        Tree::new(&[(".git/HEAD", ""), ("src/deep/a.rs", "x\n"), ("AGENTS.md", "# Be brief\n")]);
    let deep = tree.root().join("src/deep");
    let mut command = tree.command(&[
        "agent",
        "install",
        "claude-code",
        "codex",
        "cursor",
        "windsurf",
        "--scope",
        "project",
        "--rules",
    ]);
    command.current_dir(&deep).env("PATH", tree.home());
    tree.finish(command).status(0).complains("--command wherein suits a shared file");
    for path in [
        ".mcp.json",
        ".codex/config.toml",
        ".cursor/mcp.json",
        ".cursor/rules/wherein.mdc",
        ".windsurf/rules/wherein.md",
    ] {
        assert!(tree.root().join(path).is_file(), "{path}");
    }
    let skill = read(&tree.root().join(".claude/skills/wherein/SKILL.md"));
    assert!(
        skill.starts_with("---\nname: wherein\ndescription: ") && skill.contains("folder_search")
    );
    let agents = read(&tree.root().join("AGENTS.md"));
    assert!(agents.starts_with("# Be brief\n\n<!-- wherein:begin -->\n"));
    agent(&tree, &["install", "windsurf", "--scope", "project"])
        .refused()
        .complains("--scope user");
    agent(&tree, &["install", "claude-desktop", "--scope", "project"]).refused();
    agent(&tree, &["install", "cursor", "--root", "."]).refused().complains("--scope project");
    agent(
        &tree,
        &["uninstall", "claude-code", "codex", "cursor", "windsurf", "--scope", "project"],
    )
    .status(0);
    assert_eq!(read(&tree.root().join("AGENTS.md")), "# Be brief\n");
    let mut left: Vec<_> =
        fs::read_dir(tree.root()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    left.sort();
    assert_eq!(left, [".git", "AGENTS.md", "src"]);
}

#[test]
fn what_cannot_be_edited_is_refused_and_stays() {
    for text in ["{", "[]", "{\"mcpServers\": []}", "{\"mcpServers\": {\"wherein\": 1}}"] {
        let tree = Tree::new(&[]);
        put(&cursor(&tree), text);
        for command in ["install", "uninstall"] {
            agent(&tree, &[command, "cursor"]).refused().complains("mcp.json");
        }
        agent(&tree, &["status", "cursor"]).status(1).says("unreadable");
        assert_eq!(read(&cursor(&tree)), text);
    }
    let tree = Tree::new(&[]);
    fs::create_dir_all(cursor(&tree)).unwrap();
    agent(&tree, &["install", "cursor"]).refused().complains("is a folder");
    fs::remove_dir(cursor(&tree)).unwrap();
    fs::write(cursor(&tree), b"{\"a\": \"\xff\"}").unwrap();
    agent(&tree, &["install", "cursor"]).refused().complains("UTF-8");
    fs::write(cursor(&tree), "{}").unwrap();
    let writable = fs::metadata(cursor(&tree)).unwrap().permissions();
    let mut readonly = writable.clone();
    readonly.set_readonly(true);
    fs::set_permissions(cursor(&tree), readonly).unwrap();
    agent(&tree, &["install", "cursor"]).refused().complains("is read-only");
    fs::set_permissions(cursor(&tree), writable).unwrap();
    agent(&tree, &["install", "nobody"]).status(2).complains("nobody");
}

#[test]
fn one_client_that_fails_does_not_stop_the_others() {
    let tree = Tree::new(&[]);
    put(&cursor(&tree), "{");
    agent(&tree, &["install", "cursor", "gemini"])
        .status(2)
        .says("Gemini CLI: added")
        .complains("mcp.json: line 1 is not JSON");
    assert!(tree.home().join(".gemini/settings.json").is_file());
}

#[test]
fn another_entry_needs_force() {
    let tree = Tree::new(&[]);
    put(&cursor(&tree), "{\"mcpServers\": {\"wherein\": {\"command\": \"other\"}}}");
    agent(&tree, &["install", "cursor"]).refused().complains("another entry called wherein: other");
    agent(&tree, &["status", "cursor"]).status(1).says("other command");
    agent(&tree, &["uninstall", "cursor"]).refused().complains("--force");
    agent(&tree, &["install", "cursor", "--force", "--command", "wherein"])
        .status(0)
        .says("replaced");
    assert_eq!(
        read(&cursor(&tree)),
        "{\"mcpServers\": {\"wherein\": {\"command\": \"wherein\", \"args\": [\"mcp\"]}}}"
    );
}

#[test]
fn clients_that_look_elsewhere_are_followed() {
    let tree = Tree::new(&[]);
    let elsewhere = tree.home().join("elsewhere");
    let variables = [("CLAUDE_CONFIG_DIR", &*elsewhere), ("CODEX_HOME", &*elsewhere)];
    agent_with(&tree, &["install", "claude-code", "codex", "--rules"], &variables).status(0);
    for name in [".claude.json", "skills/wherein/SKILL.md", "config.toml", "AGENTS.md"] {
        assert!(elsewhere.join(name).is_file(), "{name}");
    }
    let entry: serde_json::Value =
        serde_json::from_str(&read(&elsewhere.join(".claude.json"))).unwrap();
    assert_eq!(entry["mcpServers"]["wherein"]["type"], "stdio");
}

#[test]
fn the_plain_name_where_it_is_this_program() {
    let tree = Tree::new(&[]);
    let folder = Path::new(env!("CARGO_BIN_EXE_wherein")).parent().unwrap();
    agent_with(&tree, &["install", "cursor"], &[("PATH", folder)]).status(0);
    assert!(read(&cursor(&tree)).contains("\"command\": \"wherein\""));
}

#[cfg(unix)]
#[test]
fn links_are_written_through_and_permissions_stay() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let tree = Tree::new(&[]);
    let real = tree.home().join("dotfiles/mcp.json");
    put(&real, "{}\n");
    fs::set_permissions(&real, fs::Permissions::from_mode(0o600)).unwrap();
    fs::create_dir_all(tree.home().join(".cursor")).unwrap();
    symlink(&real, cursor(&tree)).unwrap();
    agent(&tree, &["install", "cursor"]).status(0);
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert!(cursor(&tree).symlink_metadata().unwrap().is_symlink());
    assert!(read(&real).contains("wherein"));
    let backup = tree.home().join(".cursor/mcp.json.wherein-backup");
    assert_eq!((mode(&real), mode(&backup), read(&backup)), (0o600, 0o600, "{}\n".to_owned()));
    assert_eq!(fs::read_dir(tree.home().join("dotfiles")).unwrap().count(), 1);
    agent(&tree, &["uninstall", "cursor"]).status(0);
    assert_eq!(read(&real), "{}\n");
    fs::remove_file(&real).unwrap();
    agent(&tree, &["install", "cursor"])
        .refused()
        .complains("is a link to a file that is not there");
    assert!(!real.exists());
}

//! Many repositories: what settings declare, clones of local remotes, indexing and asking several at once.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::json;

use super::server::{Agent, Server};
use super::tree::{Run, Tree};

/// A git repository on this machine that stands for one elsewhere.
struct Remote {
    folder: PathBuf,
}

impl Remote {
    fn new(tree: &Tree, name: &str, files: &[(&str, &str)]) -> Remote {
        let remote = Remote { folder: tree.home().join("remotes").join(name) };
        fs::create_dir_all(&remote.folder).unwrap();
        remote.git(&["init", "--quiet", "--initial-branch=main"]);
        remote.commit(files);
        remote
    }

    fn commit(&self, files: &[(&str, &str)]) -> String {
        for (path, text) in files {
            let path = self.folder.join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        self.git(&["add", "--all"]);
        self.git(&["commit", "--quiet", "--allow-empty", "--message", "change"]);
        self.git(&["rev-parse", "HEAD"])
    }

    fn git(&self, args: &[&str]) -> String {
        let who = ["-c", "user.name=t", "-c", "user.email=t@t", "-c", "commit.gpgsign=false"];
        let output = Command::new("git").arg("-C").arg(&self.folder).args(who).args(args).output();
        let output = output.unwrap();
        assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8_lossy(&output.stdout).trim().to_owned()
    }

    fn url(&self) -> String {
        let path = self.folder.canonicalize().unwrap().display().to_string().replace('\\', "/");
        let path = path.trim_start_matches("//?/");
        format!("file:///{}", path.trim_start_matches('/'))
    }
}

const RETRY: &str = "fn retry_with_backoff() { wait_longer_each_time() }\n";
const LOGIN: &str = "fn check_password_at_login() { compare_hash() }\n";

/// Two folders and a remote, declared in the user's file.
fn three() -> (Tree, Remote) {
    let tree = Tree::new(&[("here.txt", "nothing\n")]);
    for (path, text) in [
        ("src/team-a/lib/retry.rs", RETRY),
        ("src/team-a/vendor/retry.rs", "fn retry_of_somebody_else() {}\n"),
        ("src/team-b/login.rs", LOGIN),
    ] {
        let path = tree.home().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    let remote = Remote::new(&tree, "far", &[("a.rs", "fn far_away() {}\n"), ("b.rs", LOGIN)]);
    tree.write_user_settings(&format!(
        "[[repository]]\npath = '~/src/team-a'\nexclude = ['vendor/']\n\
         [[repository]]\npath = '~/src/team-b'\n\
         [[repository]]\nname = 'far'\nurl = '{}'\n",
        remote.url()
    ));
    (tree, remote)
}

fn clone_of(tree: &Tree, name: &str) -> Option<PathBuf> {
    let homes = fs::read_dir(tree.index_base().join("repositories")).ok()?;
    homes.flatten().map(|home| home.path().join(name)).find(|path| path.is_dir())
}

fn repositories(run: &Run, list: &str) -> Vec<String> {
    let json = run.json();
    let items = json[list].as_array().unwrap_or_else(|| panic!("{list} in {json}")).clone();
    items.iter().map(|item| item["repository"].as_str().unwrap_or("-").to_owned()).collect()
}

#[test]
fn all_of_the_settings_are_indexed_and_asked_at_once() {
    let (tree, _remote) = three();
    let all = tree.run(&["index", "--all"]);
    all.status(0).says("far: 2 files indexed: 2 added").says("team-a: 2 files").says("team-b: 1");
    let asked = tree.run(&["check the password at login", "--repo", "*", "--json"]);
    asked.status(0);
    let json = asked.json();
    let names = repositories(&asked, "hits");
    asked.check(names.contains(&"far".to_owned()) && names.contains(&"team-b".to_owned()), "both");
    let roots: Vec<_> =
        json["repositories"].as_array().unwrap().iter().map(|r| &r["name"]).collect();
    assert_eq!(roots, ["far", "team-a", "team-b"]);
    let hit = &json["hits"][0];
    let root =
        json["repositories"].as_array().unwrap().iter().find(|r| r["name"] == hit["repository"]);
    let file =
        Path::new(root.unwrap()["root"].as_str().unwrap()).join(hit["path"].as_str().unwrap());
    assert!(file.is_file(), "{file:?}");
}

#[test]
fn one_by_name_answers_alone_and_its_paths_open_from_here() {
    let (tree, _remote) = three();
    let run = tree.run(&["retry", "--repo", "team-a"]);
    run.status(0).says("[team-a]").says("retry.rs:1-1");
    let path = tree.run(&["retry", "--repo", "team-a", "-l"]).stdout();
    assert!(Path::new(path.trim()).is_file(), "{path}");
    let names = repositories(&tree.run(&["retry", "--repo", "team-*", "--json"]), "hits");
    assert_eq!(names.first().map(String::as_str), Some("team-a"), "{names:?}");
    assert!(!names.contains(&"far".to_owned()), "{names:?}");
    // Without --repo the current folder is asked, and its answer has nothing new in it.
    let here = tree.run(&["nothing", "--json"]);
    here.status(0).check(!here.stdout().contains("repositor"), "no field about repositories");
}

#[test]
fn what_a_repository_leaves_out_and_its_sub_folder() {
    let (tree, _remote) = three();
    let run = tree.run(&["-F", "retry", "--repo", "team-a", "-l"]);
    run.status(0).check(!run.stdout().contains("vendor"), "no vendor");
    let only = "[[repository]]\nname = 'lib'\npath = '~/src/team-a'\nroot = 'lib'\n";
    tree.write_user_settings(only);
    tree.run(&["retry", "--repo", "lib", "--json"]).status(0).says("\"path\":\"retry.rs\"");
    // PATH arguments are seen from the repository.
    tree.write_user_settings("[[repository]]\npath = '~/src/team-a'\n");
    let run = tree.run(&["-F", "retry", "vendor", "--repo", "team-a", "-l"]);
    run.status(0).says("vendor").check(run.stdout().lines().count() == 1, "one file");
}

#[test]
fn exact_lines_are_complete_and_in_order_of_name() {
    let (tree, _remote) = three();
    tree.run(&["index", "far"]).status(0);
    let run = tree.run(&["-F", "fn ", "--repo", "*", "--json"]);
    run.status(0);
    assert_eq!(repositories(&run, "hits"), ["far", "far", "team-a", "team-b"]);
    assert_eq!(tree.run(&["-F", "fn ", "--repo", "*", "-k", "2"]).stdout().lines().count(), 2);
}

#[test]
fn names_outlines_and_states_of_repositories() {
    let (tree, _remote) = three();
    tree.run(&["index", "--all", "-q"]).status(0);
    let run = tree.run(&["symbols", "check_password_at_login", "--repo", "*", "--json"]);
    assert_eq!(repositories(run.status(0), "symbols"), ["far", "team-b"]);
    let run = tree.run(&["usages", "compare_hash", "--repo", "*", "--json"]);
    assert_eq!(repositories(run.status(0), "usages"), ["far", "team-b"]);
    let run = tree.run(&["outline", "--repo", "team-*", "--json"]);
    assert_eq!(repositories(run.status(0), "files"), ["team-a", "team-b"]);
    let path = tree.run(&["symbols", "far_away", "--repo", "far", "-l"]).stdout();
    assert!(Path::new(path.trim()).is_file(), "{path}");
    tree.run(&["status", "--repo", "*"]).status(0).says("repository   far").says("commit       ");
    let json = tree.run(&["status", "--repo", "*", "--json"]).json();
    assert_eq!(json["repositories"].as_array().unwrap().len(), 3);
    tree.run(&["status", "--repo", "far", "--json"]).status(0).says("\"files\":2");
}

#[test]
fn after_a_fetch_only_what_changed_is_indexed() {
    let (tree, remote) = three();
    tree.run(&["index", "far"]).status(0).says("2 added");
    // A question answers from what was cloned; `index` fetches.
    let new = remote.commit(&[("b.rs", "fn logged_in_by_a_token() {}\n")]);
    tree.run(&["-F", "by_a_token", "--repo", "far"]).status(1);
    let run = tree.run(&["index", "far", "--json"]);
    let (json, done) = (run.status(0).json(), |key: &str| run.json()[key].as_u64().unwrap());
    assert_eq!((done("added"), done("changed"), done("removed")), (0, 1, 0), "{json}");
    tree.run(&["-F", "by_a_token", "--repo", "far"]).status(0);
    let clone = clone_of(&tree, "far").unwrap();
    assert_eq!(fs::read_to_string(clone.join(".git/HEAD")).unwrap().trim(), new);
    // Nothing new: nothing is touched.
    tree.run(&["index", "far"]).status(0).says("0 added, 0 changed, 0 removed");
    // A clone that was deleted is made again; what its files hold was indexed already.
    fs::remove_dir_all(clone.parent().unwrap()).unwrap();
    tree.run(&["index", "far"]).status(0).says("0 added, 0 changed, 0 removed");
    // History that was written anew is followed, too.
    remote.git(&["checkout", "--quiet", "--orphan", "other"]);
    remote.git(&["rm", "--quiet", "-f", "a.rs"]);
    remote.commit(&[("c.rs", "fn c() {}\n")]);
    remote.git(&["branch", "--force", "main", "HEAD"]);
    tree.run(&["index", "far"]).status(0).says("1 added, 0 changed, 1 removed");
}

#[test]
fn a_branch_a_tag_or_a_commit() {
    let tree = Tree::new(&[]);
    let remote = Remote::new(&tree, "far", &[("a.rs", "fn first() {}\n")]);
    remote.git(&["tag", "--annotate", "v1", "--message", "one"]);
    let first = remote.git(&["rev-parse", "HEAD"]);
    remote.commit(&[("a.rs", "fn second() {}\n")]);
    remote.git(&["branch", "release/2"]);
    remote.commit(&[("a.rs", "fn third() {}\n")]);
    for (reference, name) in [("v1", "first"), (&first, "first"), ("release/2", "second")] {
        tree.write_user_settings(&format!(
            "[[repository]]\nname = 'r'\nurl = '{}'\nref = '{reference}'\n",
            remote.url()
        ));
        tree.run(&["index", "r"]).status(0);
        tree.run(&["-F", name, "--repo", "r"]).status(0);
    }
    let text = format!("[[repository]]\nname = 'r'\nurl = '{}'\nref = 'nope'\n", remote.url());
    tree.write_user_settings(&text);
    tree.run(&["index", "r"]).refused().complains("nope");
}

#[test]
fn a_remote_that_is_gone_is_told_of_and_its_clone_answers() {
    let (tree, remote) = three();
    let missing = tree.run(&["login", "--repo", "far"]);
    missing.refused().complains("far: it is not cloned yet").complains("wherein index far");
    let some = tree.run(&["login", "--repo", "*"]);
    some.status(0).complains("far: not asked: it is not cloned yet");
    tree.run(&["index", "far"]).status(0);
    fs::rename(&remote.folder, remote.folder.with_extension("gone")).unwrap();
    let stale = tree.run(&["index", "far", "--json"]);
    stale.status(0).says("not fetched, so this is commit ");
    tree.run(&["login", "--repo", "far"]).status(0);
    let clone = clone_of(&tree, "far").unwrap();
    fs::remove_dir_all(clone.parent().unwrap()).unwrap();
    tree.run(&["index", "far"]).refused().complains("git: ");
    assert_eq!(clone_of(&tree, "far"), None, "nothing half is left");
    let names = fs::read_dir(tree.index_base().join("repositories")).unwrap().flatten();
    let left: Vec<_> = names
        .map(|entry| entry.file_name())
        .filter(|n| !n.to_string_lossy().ends_with(".lock"))
        .collect();
    assert!(left.is_empty(), "{left:?}");
}

#[test]
fn the_trouble_of_one_keeps_no_other_from_being_indexed() {
    let (tree, remote) = three();
    fs::remove_dir_all(&remote.folder).unwrap();
    let run = tree.run(&["index", "--all"]);
    run.status(2).says("team-a: 2 files").says("team-b: 1").complains("1 of 3 failed: far");
    let json = tree.run(&["index", "--all", "--json"]).status(2).stdout();
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json["repositories"][0]["error"]["kind"], "network", "{json}");
    assert_eq!(json["repositories"][1]["files"], 2, "{json}");
}

#[test]
fn folders_names_and_addresses_in_one_command() {
    let (tree, _remote) = three();
    let other = Remote::new(&tree, "other", &[("o.rs", "fn other_one() {}\n")]);
    tree.write("sub/s.rs", "fn in_sub() {}\n");
    let run = tree.run(&["index", "sub", "team-b", &other.url()]);
    run.status(0).says("sub: 1 files").says("team-b: 1 files").says("other: 1 files");
    tree.run(&["-F", "other_one", "--repo", &other.url()]).status(0);
    tree.write("team-b/x.rs", "fn x() {}\n");
    tree.run(&["index", "team-b"]).status(0).complains("--repo team-b means the repository");
    // One folder is told of as ever.
    let one = tree.run(&["index", "sub"]);
    one.status(0).check(one.stdout().starts_with("1 files indexed"), "as for a folder");
    tree.run(&["index", "sub", "nowhere"]).refused().complains("nowhere");
}

#[test]
fn what_makes_no_sense_is_refused_in_one_line() {
    let tree = Tree::new(&[("a.rs", "x\n")]);
    for text in [
        "[[repository]]\nname = 'a'\n",
        "[[repository]]\npath = 'a'\nurl = 'https://host/a'\n",
        "[[repository]]\npath = 'a'\nbranch = 'x'\n",
        "[[repository]]\npath = 'x/a'\n[[repository]]\npath = 'y/a'\n",
        "[[repository]]\nurl = 'ext::sh -c touch% pwned'\n",
        "[[repository]]\nurl = '--upload-pack=touch pwned'\n",
        "[[repository]]\nurl = 'ssh://-oProxyCommand=touch/x'\n",
        "[[repository]]\nurl = \"https://host/a\\nb\"\n",
        "[[repository]]\nurl = 'https://host/a'\nref = '--upload-pack=x'\n",
        "repository = 'a'\n",
    ] {
        tree.write_user_settings(text);
        tree.run(&["index", "--all"]).refused().complains("config.toml");
        tree.run(&["x"]).refused();
    }
    tree.write_user_settings("");
    tree.run(&["index", "--all"]).refused().complains("no repository is declared");
    tree.run(&["x", "--repo", "api"]).refused().complains("api");
    tree.run(&["x", "--repo", "ext::sh"]).refused();
    tree.run(&["x", "--repo", "api", "--root", "."]).refused();
    tree.run(&["x", "--repositories", "nope.toml", "--repo", "*"]).refused().complains("nope.toml");
}

#[test]
fn a_password_in_an_address_is_neither_shown_nor_kept() {
    let tree = Tree::new(&[]);
    tree.write_user_settings(
        "[[repository]]\nurl = 'http://me:hunter2@127.0.0.1:9/team/api.git'\n",
    );
    for args in [&["index", "api"][..], &["index", "--all", "--json"], &["config", "--origin"]] {
        let run = tree.run(args);
        run.check(!run.stdout().contains("hunter2"), "no password");
        run.check(!run.stderr().contains("hunter2"), "no password");
    }
    tree.run(&["config"]).says("url = \"http://127.0.0.1:9/team/api.git\"");
}

#[test]
fn a_file_of_repositories_and_the_project_beat_the_user() {
    let (tree, _remote) = three();
    tree.write(".wherein.toml", "[[repository]]\nname = 'team-b'\npath = 'sub'\n");
    tree.write("sub/s.rs", "fn of_the_project() {}\n");
    tree.run(&["-F", "of_the_project", "--repo", "team-b"]).status(0);
    tree.run(&["config", "--origin"]).says("[[repository]]  # project file ").says("# user file ");
    let file = tree.home().join("repos.toml");
    fs::write(&file, "[[repository]]\nname = 'team-b'\npath = 'src/team-a'\n").unwrap();
    let file = file.display().to_string();
    tree.run(&["-F", "retry_with", "--repo", "team-b", "--repositories", &file]).status(0);
    let mut command = tree.command(&["-F", "retry_with", "--repo", "team-b"]);
    command.env("WHEREIN_REPOSITORIES", &file);
    tree.finish(command).status(0);
}

#[test]
fn a_project_file_leads_nowhere_else() {
    let tree = Tree::new(&[("a.rs", "x\n")]);
    for path in ["/etc", "../home", "~/src"] {
        tree.write(".wherein.toml", &format!("[[repository]]\nname = 'a'\npath = '{path}'\n"));
        tree.run(&["x", "--repo", "a"]).refused().complains(".wherein.toml");
    }
    #[cfg(unix)]
    {
        fs::create_dir_all(tree.home().join("secret")).unwrap();
        std::os::unix::fs::symlink(tree.home().join("secret"), tree.root().join("link")).unwrap();
        tree.write(".wherein.toml", "[[repository]]\nname = 'a'\npath = 'link'\n");
        tree.run(&["x", "--repo", "a"]).refused().complains("leads out");
    }
}

/// Hooks of the user's templates and settings would run with the files of strangers; links may lead anywhere.
#[cfg(unix)]
#[test]
fn cloning_runs_nothing_of_the_repository() {
    use std::os::unix::fs::PermissionsExt;

    let tree = Tree::new(&[]);
    let hooks = tree.home().join("hooks");
    fs::create_dir_all(&hooks).unwrap();
    let ran = tree.home().join("ran");
    for name in ["post-checkout", "reference-transaction"] {
        let hook = hooks.join(name);
        fs::write(&hook, format!("#!/bin/sh\ntouch {}\n", ran.display())).unwrap();
        fs::set_permissions(&hook, fs::Permissions::from_mode(0o755)).unwrap();
    }
    let remote = Remote::new(&tree, "far", &[("a.rs", "fn a() {}\n")]);
    fs::write(tree.home().join(".gitconfig"), format!("[core]\nhooksPath = {}\n", hooks.display()))
        .unwrap();
    tree.run(&["index", &remote.url()]).status(0);
    assert!(!ran.exists());
}

#[test]
fn two_processes_clone_once() {
    let (tree, _remote) = three();
    let start = || tree.command(&["index", "far"]).stdout(Stdio::null()).spawn().unwrap();
    let mut both = [start(), start()];
    for child in &mut both {
        assert!(child.wait().unwrap().success());
    }
    tree.run(&["-F", "far_away", "--repo", "far"]).status(0);
}

#[test]
fn servers_keep_the_folders_of_repositories() {
    let (tree, _remote) = three();
    tree.run(&["index", "far"]).status(0);
    let server = Server::start(&tree, &["--repo", "far", "--repo", "team-a"]);
    let indexes = server.get("/api/indexes").json();
    let ids: Vec<String> = indexes["indexes"]
        .as_array()
        .unwrap_or_else(|| panic!("{indexes}"))
        .iter()
        .map(|one| one["id"].as_str().unwrap().to_owned())
        .collect();
    assert_eq!(ids.len(), 2, "{indexes}");
    let id = ids.iter().find(|id| id.starts_with("team-a-")).unwrap();
    let address = format!("/api/search?q=fn&mode=exact&index={id}");
    let found = server.until(&address, |response| !response.paths().is_empty());
    assert_eq!(found.paths(), ["lib/retry.rs"], "what is left out stays out");
    let mut agent = Agent::start(&tree, &["--repo", "far"]);
    let found = agent.call("exact_search", &json!({ "text": "far_away" }));
    assert_eq!(found["structuredContent"]["hits"][0]["path"], "a.rs", "{found}");
    agent.end();
}

/// The tail of what a killed process leaves: files of a clone that is not whole, locks, an update that was begun.
#[test]
fn what_killed_processes_leave_is_in_nobodys_way() {
    let (tree, _remote) = three();
    tree.run(&["index", "far"]).status(0);
    let clone = clone_of(&tree, "far").unwrap();
    for name in ["index.lock", "HEAD.lock", "wherein-moving"] {
        fs::write(clone.join(".git").join(name), "").unwrap();
    }
    fs::write(clone.join("a.rs"), "fn half_writ").unwrap();
    let home = clone.parent().unwrap().display().to_string();
    let part = format!("{home}.new-1");
    fs::create_dir_all(Path::new(&part).join("far/.git")).unwrap();
    tree.run(&["index", "far"]).status(0);
    tree.run(&["-F", "far_away", "--repo", "far"]).status(0);
    fs::remove_dir_all(&home).unwrap();
    tree.run(&["index", "far"]).status(0);
    assert!(!Path::new(&part).exists());
}

#[test]
fn help_shows_how() {
    let tree = Tree::new(&[]);
    tree.run(&["--help"]).status(0).says("--repo <NAME>");
    tree.run(&["index", "--help"]).status(0).says("wherein index --all");
    tree.run(&["completions", "bash"]).status(0).says("--repositories");
}

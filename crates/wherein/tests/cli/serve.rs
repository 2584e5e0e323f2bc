//! `wherein serve`: the API, who may ask, what may be read, and trees that change under it.

use serde_json::json;

use super::server::Server;
use super::tree::Tree;

const FILES: [(&str, &str); 4] = [
    (
        "src/http.py",
        "def retry_request(session):\n    \"\"\"Retry a failed request with a growing pause.\"\"\"\n    return session.send()\n",
    ),
    ("src/lib.rs", "/// Opens the settings file.\npub fn open_settings() {}\n"),
    (".env", "TOKEN=hush\n"),
    ("docs/notes.md", "# Notes\n\nHow requests are retried.\n"),
];

fn kind(response: &super::server::Response) -> (u16, String) {
    let problem = response.json();
    assert!(response.head.to_lowercase().contains("application/problem+json"), "{response:?}");
    assert_eq!(problem["status"], response.status, "{response:?}");
    assert!(problem["detail"].is_string() && problem["title"].is_string(), "{response:?}");
    (response.status, problem["kind"].as_str().unwrap().to_owned())
}

#[test]
fn questions_are_answered_in_the_shape_of_the_contract() {
    let tree = Tree::new(&FILES);
    let server = Server::start(&tree, &[]);
    let found =
        server.until("/api/search?q=retry+a+failed+request&kind=source", |r| !r.paths().is_empty());
    let result = found.json();
    assert_eq!(found.paths()[0], "src/http.py");
    assert!(result["index"].as_str().unwrap().starts_with("tree-"), "{result}");
    assert_eq!(result["hits"][0]["start_line"], 1);
    let mark = &result["hits"][0]["highlights"][0];
    assert!(mark["end"].as_u64() > mark["start"].as_u64(), "{result}");
    let symbols = server.get("/api/symbols?q=open_settings").json();
    assert_eq!(symbols["symbols"][0]["path"], "src/lib.rs", "{symbols}");
    let usages = server.get("/api/usages?q=send").json();
    assert_eq!(usages["usages"][0]["line"], 3, "{usages}");
    let exact = server.get("/api/search?q=growing%20pause&mode=exact").json();
    assert_eq!(exact["hits"][0]["start_line"], 2, "{exact}");
    let explained = server.get("/api/search?q=retry&explain=true").json();
    assert!(!explained["hits"][0]["parts"]["features"].as_array().unwrap().is_empty());
}

#[test]
fn code_is_read_as_it_is_and_nothing_else_is() {
    let tree = Tree::new(&FILES);
    std::fs::write(tree.home().join("outside.py"), "hush = 1\n").unwrap();
    #[cfg(unix)]
    std::os::unix::fs::symlink(tree.home(), tree.root().join("up")).unwrap();
    let server = Server::start(&tree, &[]);
    let code = server.get("/api/code?path=src/http.py&start=2&end=2").json();
    assert!(code["text"].as_str().unwrap().contains("growing pause"), "{code}");
    assert_eq!((&code["start_line"], &code["n_lines"]), (&json!(2), &json!(3)));
    let whole = server.get("/api/code?symbol=open_settings").json();
    assert_eq!(whole["path"], "src/lib.rs", "{whole}");
    tree.write("src/new.py", "fresh = True\n");
    assert_eq!(server.get("/api/code?path=src/new.py").json()["text"], "fresh = True\n");
    for path in [
        "../home/outside.py",
        "src/../../home/outside.py",
        "%2e%2e/home/outside.py",
        "..%2fhome%2foutside.py",
        "src%2f..%2f..%2fhome%2foutside.py",
        "/etc/passwd",
        "%2fetc%2fpasswd",
        "up/outside.py",
        "up%2foutside.py",
        ".env",
        "src/http.py%00.md",
        "src",
        "nothing.py",
        "..%5chome%5coutside.py",
        "%252e%252e/home/outside.py",
    ] {
        let refused = server.get(&format!("/api/code?path={path}"));
        assert!([400, 403, 404].contains(&refused.status), "{path}: {refused:?}");
        assert!(!refused.body.contains("hush") && !refused.body.contains("root:x:"), "{path}");
    }
    for path in
        ["/../../etc/passwd", "/assets/../Cargo.toml", "/%2e%2e/%2e%2e/etc/passwd", "//etc/passwd"]
    {
        assert_eq!(server.get(path).status, 404, "{path}");
    }
    let hidden = server.get("/api/search?q=hush&mode=exact");
    assert!(hidden.paths().is_empty(), "{hidden:?}");
}

#[test]
fn what_is_wrong_is_a_problem_with_a_hint() {
    let tree = Tree::new(&FILES);
    let server = Server::start(&tree, &[]);
    let wrong = |path: &str| kind(&server.get(path));
    assert_eq!(wrong("/api/search"), (400, "usage".to_owned()));
    assert_eq!(wrong("/api/search?q=a&mode=psychic"), (400, "usage".to_owned()));
    assert_eq!(wrong("/api/search?q=a&nonsense=1"), (400, "usage".to_owned()));
    assert_eq!(wrong("/api/search?q=%5b&mode=regex"), (400, "usage".to_owned()));
    assert_eq!(wrong(&format!("/api/search?q={}", "x".repeat(9000))), (400, "usage".to_owned()));
    assert_eq!(wrong("/api/search?q=a&index=other"), (404, "not_found".to_owned()));
    assert_eq!(wrong("/api/indexes/other"), (404, "not_found".to_owned()));
    assert_eq!(wrong("/nothing"), (404, "not_found".to_owned()));
    assert_eq!(kind(&server.send("POST", "/api/search", &[], "")), (405, "usage".to_owned()));
    let outside = json!({ "root": tree.home() }).to_string();
    let add = |body: &str| kind(&server.send("POST", "/api/indexes", &[], body));
    assert_eq!(add(&outside), (403, "forbidden".to_owned()));
    assert_eq!(add(r#"{"root": "relative"}"#), (400, "usage".to_owned()));
    assert_eq!(add(r#"{"rot": 1}"#), (400, "usage".to_owned()));
    assert_eq!(add("garbage"), (400, "usage".to_owned()));
    let huge = "x".repeat(200 << 10);
    assert_eq!(server.send("POST", "/api/indexes", &[], &huge).status, 413);
    // The server has survived all of it.
    assert_eq!(server.get("/healthz").json()["status"], "ok");
}

#[test]
fn only_those_who_may_ask_do() {
    let tree = Tree::new(&FILES);
    let token = tree.home().join("token.txt");
    std::fs::write(&token, "a-long-secret\n").unwrap();
    let server = Server::start(&tree, &["--token-file", token.to_str().unwrap()]);
    let with = |path: &str, headers: &[(&str, &str)]| server.send("GET", path, headers, "").status;
    let bearer = ("Authorization", "Bearer a-long-secret");
    assert_eq!(with("/api/indexes", &[]), 401);
    assert_eq!(with("/api/indexes", &[("Authorization", "Bearer wrong")]), 401);
    assert_eq!(with("/api/indexes", &[bearer]), 200);
    assert_eq!(with("/mcp", &[]), 401);
    assert_eq!(with("/metrics", &[]), 401);
    assert_eq!(with("/", &[]), 200);
    assert_eq!(with("/api/indexes", &[bearer, ("Host", "evil.example")]), 403);
    assert_eq!(with("/", &[("Host", "evil.example")]), 403);
    assert_eq!(with("/api/indexes", &[bearer, ("Origin", "http://evil.example")]), 403);
    assert_eq!(with("/api/indexes", &[bearer, ("Origin", "null")]), 403);
}

#[test]
fn an_open_address_needs_a_token() {
    let tree = Tree::new(&FILES);
    tree.run(&["serve", "--address", "0.0.0.0", "--port", "0"]).refused().complains("--token-file");
    tree.run(&["serve", "--token", "short"]).refused().complains("fewer than");
    tree.run(&["serve", "nowhere"]).status(2).complains("nowhere");
    tree.run(&["serve", "/"]).refused();
    tree.run(&["serve", "--patience", "-1"]).status(2);
}

#[test]
fn indexes_come_and_go() {
    let tree = Tree::new(&FILES);
    let other = tree.home().join("other");
    std::fs::create_dir_all(&other).unwrap();
    std::fs::write(other.join("a.go"), "package a\n\nfunc Shout() {}\n").unwrap();
    let home = tree.home();
    let server = Server::start(&tree, &["--allow-root", home.to_str().unwrap()]);
    let body = json!({ "root": other }).to_string();
    let added = server.send("POST", "/api/indexes", &[], &body);
    assert_eq!(added.status, 201, "{added:?}");
    let id = added.json()["id"].as_str().unwrap().to_owned();
    assert_eq!(server.send("POST", "/api/indexes", &[], &body).status, 200);
    let ready = server.until(&format!("/api/indexes/{id}"), |r| {
        r.json()["state"] == "ready" && r.json()["summary"].is_object()
    });
    assert_eq!(ready.json()["summary"]["files"], 1, "{ready:?}");
    let found = server.get(&format!("/api/symbols?q=Shout&index={id}")).json();
    assert_eq!(found["symbols"][0]["path"], "a.go", "{found}");
    // Which one is meant has to be said now.
    assert_eq!(server.get("/api/search?q=a").status, 400);
    let refreshed =
        server.send("POST", &format!("/api/indexes/{id}/refresh"), &[], r#"{"rebuild":true}"#);
    assert_eq!(refreshed.status, 202, "{refreshed:?}");
    server.until(&format!("/api/indexes/{id}"), |r| r.json()["state"] == "ready");
    assert_eq!(server.send("DELETE", &format!("/api/indexes/{id}"), &[], "").status, 204);
    assert_eq!(server.get(&format!("/api/indexes/{id}")).status, 404);
    assert!(other.join("a.go").is_file());
    let metrics = server.get("/metrics").body;
    assert!(metrics.contains("wherein_questions_total{"), "{metrics}");
    let described = server.get("/api/openapi.json").json();
    assert!(described["openapi"].as_str().unwrap().starts_with("3.1"));
}

/// C3, C4 and C5 with the watcher and without: the next question is answered from the tree as it is.
#[test]
fn c3_c4_c5_the_next_question_sees_the_tree_as_it_is() {
    for args in [&[][..], &["--no-watch"]] {
        let tree = Tree::new(&FILES);
        let server = Server::start(&tree, args);
        let asks = |word: &str| server.get(&format!("/api/search?q={word}&mode=exact")).paths();
        server.until("/api/search?q=growing&mode=exact", |r| !r.paths().is_empty());
        for round in 0..5 {
            // An editor writes a new file and renames it over the old one.
            let (old, new) = (format!("word{round}"), format!("word{}", round + 1));
            let temporary = tree.root().join("src/.http.py.swp");
            std::fs::write(&temporary, format!("{new} = 1\n")).unwrap();
            std::fs::rename(&temporary, tree.root().join("src/http.py")).unwrap();
            assert_eq!(asks(&new), ["src/http.py"], "{args:?}");
            assert!(asks(&old).is_empty(), "{args:?}");
        }
        // A folder is renamed with all that is in it, and files in it change afterwards.
        std::fs::rename(tree.root().join("src"), tree.root().join("lib")).unwrap();
        assert_eq!(asks("word5"), ["lib/http.py"], "{args:?}");
        tree.write("lib/http.py", "moved = 1\n");
        assert_eq!(asks("moved"), ["lib/http.py"], "{args:?}");
        // A new folder inside a new folder.
        tree.write("one/two/three.py", "deep = 1\n");
        assert_eq!(asks("deep"), ["one/two/three.py"], "{args:?}");
        tree.write("one/two/three.py", "deeper = 1\n");
        assert_eq!(asks("deeper"), ["one/two/three.py"], "{args:?}");
        std::fs::remove_dir_all(tree.root().join("one")).unwrap();
        assert!(asks("deeper").is_empty(), "{args:?}");
        tree.write("one/two/three.py", "again = 1\n");
        assert_eq!(asks("again"), ["one/two/three.py"], "{args:?}");
        tree.write("one/two/three.py", "anew = 1\n");
        assert_eq!(asks("anew"), ["one/two/three.py"], "{args:?}");
        // Rules change what is searched.
        tree.write(".gitignore", "one/\n");
        assert!(asks("anew").is_empty(), "{args:?}");
        std::fs::remove_file(tree.root().join(".gitignore")).unwrap();
        assert_eq!(asks("anew"), ["one/two/three.py"], "{args:?}");
    }
}

#[test]
fn a_branch_switch_of_many_files_is_seen_whole() {
    let tree = Tree::new(&FILES);
    let n_files = 1500;
    for branch in ["old", "new"] {
        for number in 0..n_files {
            tree.write(
                &format!("{branch}/m{}/f{number}.py", number % 30),
                &format!("{branch}_{number} = 1\n"),
            );
        }
        if branch == "old" {
            std::fs::rename(tree.root().join("old"), tree.root().join("code")).unwrap();
        }
    }
    std::fs::rename(tree.root().join("new"), tree.home().join("new")).unwrap();
    let server = Server::start(&tree, &[]);
    server.until("/api/search?q=old_7&mode=exact", |r| r.json()["n_matches"].as_u64() > Some(0));
    std::fs::rename(tree.root().join("code"), tree.home().join("old")).unwrap();
    std::fs::rename(tree.home().join("new"), tree.root().join("code")).unwrap();
    let count = |word: &str| {
        let path = format!("/api/search?q={word}_1&mode=exact&limit=100");
        server.until(&path, |r| r.json()["degraded"].as_array().unwrap().is_empty()).json()["n_matches"].clone()
    };
    assert_eq!(count("old"), 0);
    assert_ne!(count("new"), 0);
}

#[test]
fn a_root_that_is_deleted_is_said_and_comes_back() {
    let tree = Tree::new(&FILES);
    let server = Server::start(&tree, &[tree.root().to_str().unwrap()]);
    server.until("/api/search?q=growing&mode=exact", |r| !r.paths().is_empty());
    let away = tree.home().join("away");
    std::fs::rename(tree.root(), &away).unwrap();
    let gone = server.until("/api/search?q=growing&mode=exact", |r| r.status != 200);
    assert_eq!(gone.json()["kind"], "io", "{gone:?}");
    let listed = server.get("/api/indexes").json();
    assert_eq!(listed["indexes"][0]["state"], "failed", "{listed}");
    std::fs::rename(&away, tree.root()).unwrap();
    server.until("/api/search?q=growing&mode=exact", |r| r.status == 200 && !r.paths().is_empty());
    tree.write("src/http.py", "returned = 1\n");
    let back = server.get("/api/search?q=returned&mode=exact");
    assert_eq!(back.paths(), ["src/http.py"]);
}

/// C17 with a server: a question and an index beside it, fresh results on both sides, no lock for life.
#[test]
fn c17_other_processes_work_beside_a_server() {
    let tree = Tree::new(&FILES);
    let server = Server::start(&tree, &[]);
    server.until("/api/search?q=growing&mode=exact", |r| !r.paths().is_empty());
    for round in 0..3 {
        let word = format!("beside{round}");
        tree.write("src/beside.py", &format!("{word} = 1\n"));
        tree.run(&["-F", &word, "-l"]).status(0).says("src/beside.py");
        let found = server.get(&format!("/api/search?q={word}&mode=exact"));
        assert_eq!(found.paths(), ["src/beside.py"]);
    }
    let commands: Vec<_> = (0..15).map(|_| tree.command(&["index", "--quiet"])).collect();
    let children: Vec<_> = commands.into_iter().map(|mut c| c.spawn().unwrap()).collect();
    tree.write("src/beside.py", "while_others_index = 1\n");
    let found = server.get("/api/search?q=while_others_index&mode=exact");
    assert_eq!(found.paths(), ["src/beside.py"]);
    for mut child in children {
        assert!(child.wait().unwrap().success());
    }
    tree.run(&["index", "--rebuild", "--quiet"]).status(0);
    assert_eq!(
        server.get("/api/search?q=while_others_index&mode=exact").paths(),
        ["src/beside.py"]
    );
    tree.run(&["index", "--model", "none", "--quiet"]).status(0);
    assert_eq!(server.get("/api/search?q=while_others_index").status, 200);
}

#[test]
fn garbage_requests_harm_nothing() {
    let tree = Tree::new(&FILES);
    let server = Server::start(&tree, &[]);
    let host = format!("Host: localhost:{}\r\n", server.port);
    for bytes in [
        b"\x00\x01\x02\r\n\r\n".to_vec(),
        b"GET / HTTP/9.9\r\n\r\n".to_vec(),
        format!("GET /api/search?q=%ff%fe HTTP/1.1\r\n{host}Connection: close\r\n\r\n").into_bytes(),
        format!("GET /{} HTTP/1.1\r\n{host}Connection: close\r\n\r\n", "a".repeat(100_000)).into_bytes(),
        format!("POST /mcp HTTP/1.1\r\n{host}Content-Type: application/json\r\nAccept: application/json, text/event-stream\r\nConnection: close\r\nContent-Length: 9\r\n\r\n{{\"garbage").into_bytes(),
        format!("POST /mcp HTTP/1.1\r\n{host}Connection: close\r\nContent-Length: 2\r\n\r\n[]").into_bytes(),
    ] {
        let answer = server.raw(&bytes);
        assert!(answer.status < 500, "{answer:?}");
        assert_eq!(server.get("/healthz").status, 200);
    }
}

#[cfg(unix)]
#[test]
fn a_server_ends_when_it_is_asked_to() {
    let tree = Tree::new(&FILES);
    let server = Server::start(&tree, &[]);
    server.until("/healthz", |r| r.status == 200);
    assert_eq!(server.stop(), Some(0));
}

//! C22: what looks like a secret is left out and counted, unless it is asked for.

use wherein_engine::{Engine, EngineOptions, SkipReason};

use crate::fixture::{Tree, kept, refresh};

/// One file of each sensitive kind.
const SECRETS: &[&str] = &[
    ".env",
    ".env.local",
    ".env.production",
    "prod.env",
    ".envrc",
    "id_rsa",
    "id_ed25519",
    "id_rsa.old",
    "server.pem",
    "certs/server.key",
    "store.p12",
    "store.pfx",
    "store.jks",
    ".netrc",
    "_netrc",
    ".npmrc",
    ".pypirc",
    ".pgpass",
    ".htpasswd",
    ".git-credentials",
    ".aws/credentials",
    ".aws/config",
    ".docker/config.json",
    ".kube/config",
    ".ssh/id_work",
    "credentials.json",
    "secrets.yaml",
    "terraform.tfstate",
    "prod.tfvars",
    "client_secret_12.apps.googleusercontent.com.json",
    "service-account.json",
    "deep/down/.env",
    "ID_RSA",
    "Server.PEM",
];

/// Files that only sound like secrets.
const OPEN: &[&str] = &[
    ".env.example",
    ".env.sample",
    "credentials.py",
    "id_rsa.pub",
    "id_rsa_parser.c",
    "environment.rb",
    "secrets.rs",
    "pem.go",
    "keys.ts",
    "env.py",
    "src/netrc.py",
    "token.rs",
    "public.key",
    "tests/certs/server.pem",
    "dotenv.js",
];

fn tree() -> Tree {
    let tree = Tree::new("");
    for path in SECRETS.iter().chain(OPEN) {
        tree.write(path, "token = walrus\n");
    }
    tree.write("deploy/key_under_another_name.txt", "-----BEGIN RSA PRIVATE KEY-----\nwalrus\n");
    tree.write("deploy/openssh", "\n-----BEGIN OPENSSH PRIVATE KEY-----\r\nwalrus\n");
    tree
}

#[test]
fn c22_each_sensitive_kind_is_skipped_and_counted() {
    let tree = tree();
    let engine = tree.engine();
    let mut open: Vec<String> = OPEN.iter().map(|path| (*path).to_owned()).collect();
    open.sort();
    assert_eq!(kept(&engine), open);
    let report = refresh(&engine);
    assert_eq!(report.skipped.get(SkipReason::Sensitive), SECRETS.len() as u64 + 2);
    assert_eq!(engine.status().unwrap().skipped, report.skipped);
    for path in SECRETS.iter().chain(&["deploy/openssh"]) {
        let why = engine.why(path.as_ref()).unwrap();
        assert_eq!(why.reason.as_deref(), Some("sensitive"), "{path}: {why:?}");
    }
    for path in OPEN {
        assert!(engine.why(path.as_ref()).unwrap().searched, "{path}");
    }
}

#[test]
fn c22_secrets_are_searched_on_request() {
    let tree = tree();
    let options = EngineOptions { include_sensitive: true, ..tree.options() };
    let engine = Engine::open(options).unwrap();
    assert_eq!(kept(&engine).len(), SECRETS.len() + OPEN.len() + 2);
    assert_eq!(refresh(&engine).skipped.get(SkipReason::Sensitive), 0);
}

#[test]
fn c22_taking_the_request_back_takes_the_secrets_out() {
    let tree = tree();
    let with = EngineOptions { include_sensitive: true, ..tree.options() };
    kept(&Engine::open(with).unwrap());
    let engine = tree.engine();
    assert!(refresh(&engine).rebuilt.is_some());
    assert_eq!(kept(&engine).len(), OPEN.len());
}

#[test]
fn c22_a_pattern_of_ours_lifts_the_rule_for_one_file() {
    let tree = Tree::new("//- .whereinignore\n!/.env\n//- .env\nwalrus\n//- sub/.env\nwalrus\n");
    assert_eq!(kept(&tree.engine()), [".env", ".whereinignore"]);
}

//! Names and contents that are secret, and those that only look so.

use super::*;

#[test]
fn environments_and_ssh_keys_are_known_by_name() {
    for path in [
        ".env",
        "a/b/.env",
        ".env.production",
        ".env.local",
        ".env.json",
        ".env-prod",
        ".env~",
        ".env.bak",
        ".env.test",
        ".ENV",
        ".envrc",
        "deploy/prod.env",
        "production.env",
        "id_rsa",
        "keys/id_rsa",
        "id_rsa.old",
        "id_rsa_work",
        "id_dsa",
        "id_ecdsa",
        "id_ed25519",
        "id_ed25519.bak",
        "ID_RSA",
    ] {
        assert!(is_sensitive(path), "{path}");
    }
}

#[test]
fn keys_and_credentials_are_known_by_name() {
    for path in [
        "server.pem",
        "certs/key.pem",
        "a.p12",
        "a.pfx",
        "AuthKey_AB12.p8",
        "server.key",
        "tls/ca-private.key",
        "a.jks",
        "release.keystore",
        "debug.keystore",
        "p.kdbx",
        "putty.ppk",
        ".netrc",
        "_netrc",
        "home/.netrc",
        ".npmrc",
        ".pypirc",
        ".pgpass",
        ".git-credentials",
        ".htpasswd",
        "www/.htpasswd",
        ".aws/credentials",
        "home/me/.aws/credentials",
        ".aws/config",
        ".ssh/deploy",
        ".ssh/id_ed25519",
        ".ssh/key.txt",
        ".docker/config.json",
        ".dockercfg",
        ".kube/config",
        "kubeconfig",
        "terraform.tfstate",
        "infra/terraform.tfstate.backup",
        "prod.tfvars",
        "terraform.tfvars",
        "prod.auto.tfvars.json",
        "credentials.json",
        "config/secrets.yml",
        "secrets.json",
        "secrets.toml",
        ".streamlit/secrets.toml",
        "secrets.yaml",
        "config/master.key",
        "wallet.dat",
        "secring.gpg",
        "client_secret.json",
        "client_secret_12.apps.googleusercontent.com.json",
        "app-firebase-adminsdk-x1-abc.json",
        "service-account.json",
        "gcloud/application_default_credentials.json",
        ".gnupg/secring.gpg",
        ".cargo/credentials.toml",
        ".vault-token",
        "Credentials.JSON",
    ] {
        assert!(is_sensitive(path), "{path}");
    }
}

#[test]
fn source_templates_and_public_parts_are_not() {
    for path in [
        "credentials.py",
        "src/credentials.rs",
        "secrets.go",
        "netrc.py",
        "netrc.c",
        "id_rsa_parser.c",
        "id_rsa.rs",
        "id_rsa_test.go",
        "id_rsa.md",
        "env.ts",
        ".env.ts",
        ".env.d.ts",
        ".env.js",
        "env.py",
        "environment.rb",
        ".environment",
        "pem.rs",
        "pem.go",
        "key.rs",
        "key.ts",
        "keystore.go",
        "keystore.java",
        "secrets.py",
        "secrets.tf",
        "secrets.yml.erb",
        "secrets.md",
        "credentials.md",
        "Credentials.java",
        "tfvars.go",
        ".env.example",
        ".env.sample",
        ".env.template",
        ".env.dist",
        ".env.defaults",
        ".env.local.example",
        ".env.example.local",
        "example.env",
        ".env-example",
        ".env_sample",
        "prod.tfvars.example",
        "example.tfvars",
        "id_rsa.pub",
        "id_ed25519.pub",
        "id_ed25519_work.pub",
        ".ssh/known_hosts",
        ".ssh/config",
        ".ssh/authorized_keys",
        ".ssh/deploy.pub",
        ".ssh/setup.sh",
        "public.key",
        "release.pub.key",
        "config",
        "config.json",
        "kube/config",
        "aws/credentials",
        "docker/config.json",
        "server.crt",
        "server.csr",
        "sig.asc",
        "README.md",
        "monkey.txt",
        "keys.json",
        "package.json",
        "",
        "a/",
        "id_rsamples.txt",
        "identity.py",
        ".env/x.py",
        "src/env/mod.rs",
        "wallet.py",
        "dotenv.rb",
        "npmrc.js",
        "htpasswd.c",
    ] {
        assert!(!is_sensitive(path), "{path}");
    }
}

#[test]
fn a_key_is_known_by_its_first_line() {
    for head in [
        "-----BEGIN PRIVATE KEY-----\nMIIE",
        "-----BEGIN RSA PRIVATE KEY-----\r\nMIIE",
        "\n\n  -----BEGIN OPENSSH PRIVATE KEY-----\nb3Bl",
        "\u{feff}-----BEGIN EC PRIVATE KEY-----  \nMHc",
        "-----BEGIN ENCRYPTED PRIVATE KEY-----",
        "-----BEGIN PGP PRIVATE KEY BLOCK-----\n",
        "PuTTY-User-Key-File-3: ssh-ed25519\n",
    ] {
        assert!(holds_private_key(head.as_bytes()), "{head:?}");
    }
    for head in [
        "",
        "\n \n",
        "-----BEGIN CERTIFICATE-----\nMIID",
        "-----BEGIN PUBLIC KEY-----\n",
        "-----BEGIN PGP PUBLIC KEY BLOCK-----\n",
        "KEY = \"\"\"-----BEGIN PRIVATE KEY-----\n",
        "// -----BEGIN PRIVATE KEY-----\n",
        "# about keys\n-----BEGIN PRIVATE KEY-----\n",
        "-----BEGIN PRIVATE KEY----- is what such a file opens with\n",
        "-----BEGIN ",
    ] {
        assert!(!holds_private_key(head.as_bytes()), "{head:?}");
    }
    assert!(!holds_private_key(&[0xff, 0xfe, 0x00]));
}

#[test]
fn the_names_are_sorted_for_the_binary_search() {
    assert!(NAMES.is_sorted());
    assert!(NAMES.iter().all(|name| *name == name.to_ascii_lowercase()));
}

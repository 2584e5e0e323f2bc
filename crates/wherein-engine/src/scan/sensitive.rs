//! Files that look like secrets, so that they are neither indexed nor shown unless asked for.
//!
//! By name, because the scan decides before it reads: the names that tools themselves give to keys,
//! tokens and passwords. A source file is never sensitive for its name alone (`credentials.py`,
//! `id_rsa_parser.c`), nor is a template made to be committed (`.env.example`). One look at the
//! content, `holds_private_key`, catches keys under other names. It must not search files for tokens.

use super::language;

/// Whole names, sorted, in lower case.
const NAMES: &[&str] = &[
    ".boto",
    ".dockercfg",
    ".envrc",
    ".git-credentials",
    ".htpasswd",
    ".mylogin.cnf",
    ".netrc",
    ".npmrc",
    ".pgpass",
    ".pypirc",
    ".s3cfg",
    ".vault-token",
    ".vault_pass",
    "_netrc",
    "application_default_credentials.json",
    "credentials.db",
    "credentials.json",
    "credentials.toml",
    "credentials.yaml",
    "credentials.yml",
    "credentials.yml.enc",
    "htpasswd",
    "kubeconfig",
    "local.settings.json",
    "master.key",
    "pgpass.conf",
    "secrets.env",
    "secrets.json",
    "secrets.toml",
    "secrets.yaml",
    "secrets.yml",
    "secring.asc",
    "secring.gpg",
    "service-account.json",
    "service_account.json",
    "serviceaccount.json",
    "serviceaccountkey.json",
    "wallet.dat",
];

/// Names that say it only in the folder where a tool keeps them, both in lower case.
const IN_FOLDER: &[(&str, &str)] = &[
    (".aws", "config"),
    (".aws", "credentials"),
    (".azure", "accesstokens.json"),
    (".azure", "azureprofile.json"),
    (".cargo", "credentials"),
    (".docker", "config.json"),
    (".gem", "credentials"),
    (".gnupg", "*"),
    (".kube", "config"),
    (".oci", "config"),
    ("gcloud", "access_tokens.db"),
    ("private-keys-v1.d", "*"),
];

/// What lies in `.ssh` without being secret.
const OPEN_SSH_NAMES: &[&str] =
    &["authorized_keys", "config", "environment", "known_hosts", "known_hosts.old", "rc"];

/// Names of SSH's private keys.
const SSH_KEYS: &[&str] =
    &["id_dsa", "id_ecdsa", "id_ecdsa_sk", "id_ed25519", "id_ed25519_sk", "id_rsa"];

/// Whether the name alone says that the file holds secrets. `path` is `/`-separated.
pub(crate) fn is_sensitive(path: &str) -> bool {
    let folded;
    // Most paths are lower case already and cost no copy.
    let path = if path.bytes().any(|byte| byte.is_ascii_uppercase()) {
        folded = path.to_ascii_lowercase();
        folded.as_str()
    } else {
        path
    };
    let (dirs, name) = path.rsplit_once('/').unwrap_or(("", path));
    let folder = dirs.rsplit('/').next().unwrap_or("");
    NAMES.binary_search(&name).is_ok()
        || is_environment(name)
        || is_ssh_key(name)
        || is_in_private_folder(folder, name)
        || (has_secret_ending(name) && !is_test_material(dirs))
        || is_named_account(name)
}

/// Whether a folder holds what tests use. Certificates and keys there are fixtures made to be published
/// with the code (psf/requests has seven, and design §8 counts them); names such as `.env` or `id_rsa`
/// stay sensitive even there.
pub(crate) fn is_test_material(dirs: &str) -> bool {
    const TEST_DIRS: &[&str] =
        &["test", "tests", "testdata", "test_data", "fixtures", "spec", "__tests__"];
    dirs.split('/').any(|dir| TEST_DIRS.iter().any(|known| dir.eq_ignore_ascii_case(known)))
}

/// Whether the file *is* a private key: its first line that is not blank opens one.
pub(crate) fn holds_private_key(head: &[u8]) -> bool {
    let head = head.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(head).trim_ascii_start();
    let end = head.iter().position(|byte| matches!(byte, b'\n' | b'\r')).unwrap_or(head.len());
    let line = head[..end].trim_ascii_end();
    let Some(label) = line.strip_prefix(b"-----BEGIN ") else {
        // PuTTY's own format.
        return line.starts_with(b"PuTTY-User-Key-File-");
    };
    [&b"PRIVATE KEY-----"[..], b"PRIVATE KEY BLOCK-----"].iter().any(|end| label.ends_with(end))
}

/// `.env`, `.env.production`, `prod.env`; not `.env.example`, `.env.ts` or `environment.rb`.
fn is_environment(name: &str) -> bool {
    if let Some(stem) = name.strip_suffix(".env") {
        return stem.is_empty() || !is_template(stem);
    }
    let Some(rest) = name.strip_prefix(".env") else {
        return false;
    };
    rest.starts_with(['.', '-', '_', '~']) && !is_template(rest) && !is_readable_source(name)
}

/// Whether a part of the name says that the values are to be filled in.
fn is_template(name: &str) -> bool {
    name.split(['.', '-', '_']).any(|part| {
        matches!(
            part,
            "example"
                | "examples"
                | "sample"
                | "template"
                | "tmpl"
                | "tpl"
                | "dist"
                | "default"
                | "defaults"
                | "schema"
                | "vault"
                | "encrypted"
                | "enc"
                | "d"
        )
    })
}

/// `id_rsa`, `id_rsa.old`, `id_ed25519_work`; not their `.pub`, nor code about them.
fn is_ssh_key(name: &str) -> bool {
    let rest = SSH_KEYS.iter().find_map(|key| {
        name.strip_prefix(key).filter(|rest| rest.is_empty() || rest.starts_with(['.', '-', '_']))
    });
    rest.is_some_and(|rest| !is_public(rest) && !is_template(rest) && !is_readable_source(name))
}

fn is_public(name: &str) -> bool {
    name.split(['.', '-', '_']).any(|part| matches!(part, "pub" | "public"))
}

/// Whether the name belongs to code or prose, which people mean to find.
fn is_readable_source(name: &str) -> bool {
    const DATA: &[&str] =
        &["", "dotenv", "json", "yaml", "toml", "ini", "properties", "text", "xml", "csv"];
    !DATA.contains(&language::detect(name, b""))
}

fn is_in_private_folder(folder: &str, name: &str) -> bool {
    // Only dot folders, `gcloud` and GnuPG's store keep such files: most paths end here.
    if folder == ".ssh" {
        return !is_public(name) && !OPEN_SSH_NAMES.contains(&name) && !is_readable_source(name);
    }
    IN_FOLDER.iter().any(|(at, known)| {
        folder == *at && (*known == name || (*known == "*" && !is_readable_source(name)))
    })
}

/// Endings that only keys, key stores and filled-in variables have.
fn has_secret_ending(name: &str) -> bool {
    let Some((stem, ending)) = name.rsplit_once('.') else {
        return false;
    };
    match ending {
        "pem" | "p12" | "pfx" | "p8" | "jks" | "keystore" | "kdbx" | "kdb" | "ppk" | "jceks"
        | "agilekeychain" | "ovpn" => true,
        // `public.key` and `release-signing.pub.key` are made to be handed out.
        "key" => !is_public(stem),
        "tfstate" => true,
        "backup" => stem.ends_with(".tfstate"),
        "tfvars" => !is_template(stem),
        "json" => stem.ends_with(".tfvars") && !is_template(stem),
        _ => false,
    }
}

/// Google's downloads: `client_secret_123.apps.googleusercontent.com.json`.
fn is_named_account(name: &str) -> bool {
    name.strip_suffix(".json").is_some_and(|stem| {
        !is_template(stem)
            && (stem == "client_secret"
                || stem == "client_secrets"
                || stem.starts_with("client_secret_")
                || stem.contains("-firebase-adminsdk-"))
    })
}

#[cfg(test)]
mod tests;

//! Fetches the real code that tests and the demonstration search: psf/requests 2.32.3.
//!
//! The source archive comes from the Python package index through pip, which checks its hash; it is
//! unpacked once under the target folder and kept. Nothing here builds or runs what it fetched: pip reads
//! the archive's metadata and no more.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use anyhow::Context;

use crate::chores::target_folder;
use crate::{python, say};

const NAME: &str = "requests-2.32.3";

/// What pip may accept: exactly this archive.
const REQUIREMENT: &str = "requests==2.32.3 \
     --hash=sha256:55365417734eb18255590a9ff9eb97e9e1da868d4ccd6402399eaf68af20a760\n";

/// Checks the archive and unpacks it: arguments are the archive, its sha256 and the folder.
const UNPACK: &str = r#"
import hashlib, sys, tarfile
archive, wanted, folder = sys.argv[1:]
with open(archive, "rb") as file:
    found = hashlib.sha256(file.read()).hexdigest()
if found != wanted:
    sys.exit(f"{archive} has sha256 {found}, not {wanted}")
with tarfile.open(archive) as tar:
    safe = {"filter": "data"} if hasattr(tarfile, "data_filter") else {}
    tar.extractall(folder, **safe)
"#;

/// The unpacked source archive; fetched on first use.
pub(crate) fn requests_sdist(root: &Path) -> anyhow::Result<PathBuf> {
    let fixtures = target_folder(root).join("fixtures");
    let folder = fixtures.join(NAME);
    if folder.is_dir() {
        return Ok(folder);
    }
    std::fs::create_dir_all(&fixtures)
        .with_context(|| format!("cannot create {}", fixtures.display()))?;
    let python = python::find()?;
    let archive = fixtures.join(format!("{NAME}.tar.gz"));
    if !archive.is_file() {
        say("fetching the source archive of psf/requests 2.32.3 with pip");
        // The archive alone is wanted from source; what pip needs to read its metadata may come as wheels.
        python::download(python, &fixtures, REQUIREMENT, "--no-binary requests")?;
    }
    unpack(python, &archive, &fixtures)?;
    Ok(folder)
}

/// Unpacks beside its final place and renames, so that a folder that exists is whole.
fn unpack(python: &str, archive: &Path, fixtures: &Path) -> anyhow::Result<()> {
    let part = fixtures.join(format!("part-{}", std::process::id()));
    let wanted = REQUIREMENT.rsplit(':').next().unwrap_or_default().trim();
    let arguments = [
        OsStr::new("-c"),
        OsStr::new(UNPACK),
        archive.as_os_str(),
        OsStr::new(wanted),
        part.as_os_str(),
    ];
    let unpacked =
        python::run(python, arguments).and_then(|output| python::check("unpacking", &output));
    if unpacked.is_err() {
        // A damaged archive must not be found again by the next try.
        let _ = std::fs::remove_file(archive);
    }
    let renamed = unpacked.and_then(|()| {
        let to = fixtures.join(NAME);
        // Another chore may have been quicker; its folder is as good.
        std::fs::rename(part.join(NAME), &to)
            .or_else(|error| if to.is_dir() { Ok(()) } else { Err(error) })
            .with_context(|| format!("cannot move the code to {}", to.display()))
    });
    let _ = std::fs::remove_dir_all(&part);
    renamed
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_pinned_hash_is_a_sha256() {
        let hash = REQUIREMENT.rsplit(':').next().unwrap().trim();
        assert_eq!(hash.len(), 64);
        assert!(hash.starts_with("55365417") && hash.ends_with("f20a760"));
    }

    #[test]
    fn a_wrong_archive_is_refused_and_forgotten() {
        let Ok(python) = python::find() else {
            println!("SKIPPED: no Python 3");
            return;
        };
        let fixtures = std::env::temp_dir().join(format!("xtask-fixture-{}", std::process::id()));
        std::fs::create_dir_all(&fixtures).unwrap();
        let archive = fixtures.join("wrong.tar.gz");
        std::fs::write(&archive, "not an archive").unwrap();
        let error = unpack(python, &archive, &fixtures).unwrap_err();
        assert!(error.to_string().contains("has sha256"), "{error:#}");
        assert!(!archive.exists());
        std::fs::remove_dir_all(&fixtures).unwrap();
    }
}

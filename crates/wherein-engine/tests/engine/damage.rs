//! C16: each file of an index truncated, deleted, changed, foreign or from another version.
//!
//! Allowed are a rebuild that says so and then answers rightly, or an `IndexFormat` error with a hint that a
//! rebuild then mends. Never a panic, a wrong answer, or silence.

use std::fs;
use std::path::Path;

use wherein_engine::ErrorKind;

use crate::fixture::{Tree, keyword, refresh};
use crate::wrecked::{answers, check_each, index_files, indexed};

#[test]
fn c16_deleted() {
    let into_dir = |path: &Path| {
        fs::remove_file(path).unwrap();
        fs::create_dir(path).unwrap();
    };
    check_each(&[("deleted".into(), &|path: &Path| fs::remove_file(path).unwrap())]);
    let (tree, engine) = indexed();
    into_dir(&index_files(engine.index_dir())[0]);
    let error = tree.engine().refresh(&|_| ()).expect_err("a folder is no manifest");
    assert!(!error.to_string().is_empty());
}

#[test]
fn c16_truncated() {
    let cut = |path: &Path, numerator: u64, less: u64| {
        let file = fs::File::options().write(true).open(path).unwrap();
        let length = file.metadata().unwrap().len();
        file.set_len((length * numerator / 8).saturating_sub(less)).unwrap();
    };
    let cases: Vec<(u64, u64)> = vec![
        (0, 0),
        (1, 0),
        (3, 0),
        (4, 0),
        (7, 0),
        (8, 1),
        (8, 8),
        (8, 16),
        (8, 32),
        (8, 33),
        (8, 64),
    ];
    let damages: Vec<_> = cases.iter().map(|(n, l)| move |path: &Path| cut(path, *n, *l)).collect();
    let named =
        damages.iter().zip(&cases).map(|(f, c)| (format!("cut {c:?}"), f as &dyn Fn(&Path)));
    check_each(&named.collect::<Vec<_>>());
}

#[test]
fn c16_one_bit_flipped() {
    const PLACES: usize = 48;
    let flip = |path: &Path, i: usize| {
        let mut bytes = fs::read(path).unwrap();
        let last = bytes.len() - 1;
        // The edges closely, what lies between them evenly.
        let at = match i {
            0..16 => i * 2,
            16..32 => last - (i - 16) * 2,
            _ => last * (i - 31) / (PLACES - 30),
        };
        bytes[at.min(last)] ^= 1 << (i % 8);
        fs::write(path, bytes).unwrap();
    };
    let damages: Vec<_> = (0..PLACES).map(|i| move |path: &Path| flip(path, i)).collect();
    let named = damages.iter().enumerate().map(|(i, f)| (format!("flip {i}"), f as &dyn Fn(&Path)));
    check_each(&named.collect::<Vec<_>>());
}

#[test]
fn c16_a_foreign_file_in_its_place() {
    let other = indexed();
    other.0.write("more.rs", "fn more() {}\n");
    refresh(&other.1);
    let theirs: Vec<Vec<u8>> =
        index_files(other.1.index_dir()).iter().map(|path| fs::read(path).unwrap()).collect();
    let same_length = |path: &Path, byte: u8| {
        let length = fs::metadata(path).unwrap().len() as usize;
        fs::write(path, vec![byte; length]).unwrap();
    };
    let spaced = |path: &Path| {
        // The middle third is gone; length, head and tail are as they were.
        let mut bytes = fs::read(path).unwrap();
        let n = bytes.len();
        bytes[n / 3..2 * n / 3].fill(0);
        fs::write(path, bytes).unwrap();
    };
    check_each(&[
        ("text".into(), &|path: &Path| fs::write(path, "something else\n").unwrap()),
        ("zeros".into(), &|path: &Path| same_length(path, 0)),
        ("ones".into(), &|path: &Path| same_length(path, 0xff)),
        ("hole".into(), &spaced),
        ("their manifest".into(), &|path: &Path| fs::write(path, &theirs[0]).unwrap()),
        ("their segment".into(), &|path: &Path| fs::write(path, &theirs[1]).unwrap()),
        ("their last segment".into(), &|path: &Path| {
            fs::write(path, theirs.last().unwrap()).unwrap();
        }),
    ]);
}

#[test]
fn c16_a_format_of_another_version_is_named_and_kept() {
    let (tree, engine) = indexed();
    let manifest = index_files(engine.index_dir()).remove(0);
    let mut bytes = fs::read(&manifest).unwrap();
    bytes[8..12].copy_from_slice(&99_u32.to_le_bytes());
    fs::write(&manifest, &bytes).unwrap();
    for _ in 0..2 {
        let engine = tree.engine();
        let error = engine.refresh(&|_| ()).expect_err("another format");
        assert_eq!(error.kind(), ErrorKind::IndexFormat);
        assert!(error.to_string().contains("99") && error.hint().is_some(), "{error}");
        assert_eq!(
            engine.search(&keyword("walrus")).expect_err("too").kind(),
            ErrorKind::IndexFormat
        );
    }
    assert_eq!(fs::read(&manifest).unwrap(), bytes, "a newer version's index is not destroyed");
    tree.engine().rebuild(&|_| ()).expect("the hinted command mends it");
    assert!(!answers(&tree.engine()).unwrap().is_empty());
}

#[test]
fn c16_damage_is_told_when_it_is_mended() {
    for i in 0..3 {
        let (tree, engine) = indexed();
        let path = index_files(engine.index_dir()).remove(i);
        fs::write(&path, "not an index").unwrap();
        let report = refresh(&tree.engine());
        assert!(report.rebuilt.is_some(), "{}", path.display());
        assert_eq!(report.n_files, 13);
        assert!(refresh(&tree.engine()).rebuilt.is_none(), "once is enough");
    }
}

#[test]
fn c16_a_file_where_the_index_folder_should_be() {
    let tree = Tree::new("//- a.rs\nfn walrus() {}\n");
    let dir = tree.engine().index_dir().to_path_buf();
    fs::create_dir_all(dir.parent().unwrap()).unwrap();
    fs::write(&dir, "mine").unwrap();
    let error = tree.engine().refresh(&|_| ()).expect_err("a refusal");
    assert_eq!(error.kind(), ErrorKind::Io);
    assert!(error.hint().is_some(), "{error}");
    assert_eq!(fs::read_to_string(dir).unwrap(), "mine");
}

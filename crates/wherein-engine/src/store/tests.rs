//! The formats against bytes that nobody wrote: an error or the truth, never a panic.

use proptest::prelude::*;
use tantivy::directory::OwnedBytes;

use super::*;
use crate::model::{Kind, Problem, Profile, SkipReason};

fn identity() -> Identity {
    Identity {
        profile: Profile::Lines,
        scan_version: 1,
        chunker_version: 1,
        syntax_version: 1,
        tokenizer_version: 1,
        include_sensitive: false,
        max_file_bytes: 1_000_000,
    }
}

fn any_state() -> impl Strategy<Value = FileState> {
    let indexed = (any::<u32>(), any::<u32>(), any::<u16>(), any::<u32>(), any::<u64>()).prop_map(
        |(file_id, segment_id, language, n_chunks, n_words)| {
            let vector_id = n_words.is_multiple_of(2).then_some(n_chunks);
            let kind = Kind::ALL[language as usize % Kind::ALL.len()];
            FileState::Indexed(Indexed {
                file_id,
                segment_id,
                language,
                kind,
                n_chunks,
                vector_id,
                n_words,
                fallback: None,
            })
        },
    );
    prop_oneof![indexed, Just(FileState::Skipped(SkipReason::Binary))]
}

fn any_manifest() -> impl Strategy<Value = Manifest> {
    let files = proptest::collection::vec(("\\PC{0,20}", any_state()), 0..8);
    (any::<u64>(), any::<bool>(), files, any::<i64>()).prop_map(
        |(generation, complete, files, scanned_at_ns)| {
            let mut manifest = Manifest::empty("/some/folder".as_ref(), identity());
            manifest.problems = vec![Problem { path: "a".into(), reason: "b".into() }];
            (manifest.generation, manifest.complete) = (generation, complete);
            manifest.scanned_at_ns = scanned_at_ns;
            manifest.reranker = generation.is_multiple_of(2).then(model);
            manifest.files = files.into_iter().map(|(path, state)| entry(path, state)).collect();
            manifest
        },
    )
}

fn entry(path: String, state: FileState) -> FileEntry {
    let here = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml");
    let fingerprint = crate::scan::Fingerprint::of(&here.metadata().expect("our own manifest"));
    let path = crate::scan::RelPath { text: path, raw: None };
    FileEntry { path, fingerprint, hash: [7; 16], state }
}

fn model() -> crate::embed::ModelIdentity {
    crate::embed::ModelIdentity {
        name: "m".into(),
        weights_hash: "w".into(),
        tokenizer_hash: "t".into(),
        pooling: "mean".into(),
        question_prefix: String::new(),
        passage_prefix: String::new(),
        max_tokens: 256,
        dimensions: 384,
        normalised: true,
    }
}

fn index_dir(folder: &tempfile::TempDir) -> IndexDir {
    let dir = IndexDir::of(folder.path(), "/some/root".as_ref());
    dir.create().expect("an index folder");
    dir
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn a_manifest_is_read_as_it_was_committed(manifest in any_manifest()) {
        let folder = tempfile::tempdir().expect("a folder");
        let dir = index_dir(&folder);
        commit(&dir, &manifest).expect("a commit");
        prop_assert_eq!(read(&dir).expect("a manifest"), Some(manifest));
    }

    #[test]
    fn a_manifest_of_the_format_before_is_read_and_one_of_another_is_foreign(manifest in any_manifest()) {
        let folder = tempfile::tempdir().expect("a folder");
        let dir = index_dir(&folder);
        let manifest = Manifest { reranker: None, ..manifest };
        let body = postcard::to_stdvec(&manifest).expect("a body");
        let of_format = |format: u32| {
            let length = (body.len() as u64).to_le_bytes();
            [b"WHEREIN\0", &format.to_le_bytes()[..], &length, &body, &content_hash(&body)].concat()
        };
        std::fs::write(dir.manifest(), of_format(4)).expect("a write");
        prop_assert_eq!(read(&dir).expect("a manifest"), Some(manifest));
        prop_assert!(!is_foreign_format(&dir));
        for format in [3, 6] {
            std::fs::write(dir.manifest(), of_format(format)).expect("a write");
            prop_assert!(read(&dir).is_err() && is_foreign_format(&dir));
        }
    }

    #[test]
    fn a_changed_byte_in_a_manifest_is_noticed(
        manifest in any_manifest(),
        at in any::<prop::sample::Index>(),
        flip in 1..=255_u8,
    ) {
        let folder = tempfile::tempdir().expect("a folder");
        let dir = index_dir(&folder);
        commit(&dir, &manifest).expect("a commit");
        let mut bytes = std::fs::read(dir.manifest()).expect("bytes");
        let at = at.index(bytes.len());
        bytes[at] ^= flip;
        std::fs::write(dir.manifest(), bytes).expect("a write");
        prop_assert!(read(&dir).is_err());
    }

    #[test]
    fn any_bytes_as_a_manifest_are_an_error(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
        let folder = tempfile::tempdir().expect("a folder");
        let dir = index_dir(&folder);
        std::fs::write(dir.manifest(), bytes).expect("a write");
        prop_assert!(read(&dir).is_err());
    }

    #[test]
    fn a_pack_gives_back_its_files_or_an_error(
        contents in proptest::collection::vec(proptest::collection::vec(any::<u8>(), 0..40_000), 0..4),
        at in any::<prop::sample::Index>(),
        flip in any::<u8>(),
    ) {
        use tantivy::Directory;
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("x.seg");
        let named = contents.iter().enumerate();
        let files: Vec<_> =
            named.map(|(i, c)| (format!("f{i}"), OwnedBytes::new(c.clone()))).collect();
        let identity = pack::write(&path, &files).expect("a pack");
        let mut bytes = std::fs::read(&path).expect("bytes");
        let at = at.index(bytes.len());
        bytes[at] ^= flip;
        std::fs::write(&path, bytes).expect("a write");
        let Ok(opened) = pack::PackDirectory::open(&path, identity) else {
            prop_assert!(flip != 0);
            return Ok(());
        };
        for (i, content) in contents.iter().enumerate() {
            if let Ok(read) = opened.atomic_read(format!("f{i}").as_ref()) {
                prop_assert_eq!(&read, content);
            } else {
                prop_assert!(flip != 0);
            }
        }
    }
}

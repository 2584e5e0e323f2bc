//! Precedence, origins, and what a hostile project file may not do.

use super::*;
use std::fs;

fn item(key: Key, value: &str, origin: Origin) -> (Key, Vec<OsString>, Origin) {
    (key, vec![value.into()], origin)
}

fn sources(user: &[&str], environment: &[&str], flags: &[&str]) -> Sources {
    let layer = |values: &[&str], origin: Origin| {
        values.iter().map(|value| item(Key::Limit, value, origin.clone())).collect()
    };
    Sources {
        folders: Folders { index_base: Some("/cache".into()), models: Some("/data/models".into()) },
        user: SettingsFile {
            layer: layer(user, Origin::User("u".into())),
            ..SettingsFile::default()
        },
        environment: layer(environment, Origin::Environment("WHEREIN_LIMIT")),
        flags: layer(flags, Origin::Flag("--limit")),
        named: Vec::new(),
    }
}

fn project(text: &str) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().to_owned();
    fs::write(path.join(PROJECT_FILE), text).unwrap();
    (folder, path)
}

#[test]
fn each_source_beats_the_weaker_ones() {
    let (_keep, root) = project("limit = 3");
    let limit = |sources: Sources| {
        let settings = sources.for_root(&root).unwrap();
        (settings.limit, settings.origin(Key::Limit))
    };
    let origin = Origin::Project(root.join(PROJECT_FILE));
    assert_eq!(limit(sources(&["2"], &[], &[])), (Some(3), origin));
    let (value, origin) = limit(sources(&["2"], &["4"], &[]));
    assert_eq!((value, origin), (Some(4), Origin::Environment("WHEREIN_LIMIT")));
    let (value, origin) = limit(sources(&["2"], &["4"], &["5"]));
    assert_eq!((value, origin), (Some(5), Origin::Flag("--limit")));
    let user = sources(&["2"], &[], &[]).before_project().unwrap();
    assert_eq!((user.limit, user.origin(Key::Limit)), (Some(2), Origin::User("u".into())));
}

#[test]
fn defaults_say_so() {
    let settings = sources(&[], &[], &[]).before_project().unwrap();
    assert_eq!(settings.limit, None);
    assert_eq!(settings.origin(Key::Limit), Origin::Default);
    assert_eq!(settings.index_base, PathBuf::from("/cache"));
    assert_eq!(settings.model_dir, Some(PathBuf::from("/data/models")));
    assert_eq!(settings.model, ModelChoice::OfIndex);
    assert_eq!((settings.embed_within.as_secs(), settings.fusion), (10, Fusion::default()));
}

#[test]
fn a_project_file_may_set_how_lists_are_fused() {
    let (_keep, root) = project(
        "fusion = 'minmax'\nrrf_k = 20\nfusion_depth = 50\nkeyword_weight = 0.5\nsemantic_weight = 2\n",
    );
    let fusion = sources(&[], &[], &[]).for_root(&root).unwrap().fusion;
    let method = wherein_engine::FusionMethod::MinMax;
    let wanted = Fusion { method, k: 20.0, depth: 50, keyword_weight: 0.5, semantic_weight: 2.0 };
    assert_eq!(fusion, wanted);
    let (_keep, root) = project("keyword_weight = 0\nsemantic_weight = 0.0\n");
    let error = sources(&[], &[], &[]).for_root(&root).unwrap_err();
    assert!(error.to_string().contains("both 0") && error.hint().is_some(), "{error}");
}

#[test]
fn a_project_file_may_not_move_the_index() {
    for line in [
        "index_dir = '/tmp/x'",
        "include_sensitive = true",
        "yes = true",
        "threads = 9",
        "max_file_size = '1G'",
        "model = 'bge-m3'",
        "model_dir = '/tmp/x'",
        "vectors = 'f32'",
        "embed = 'all'",
        "embed_within = 9999",
    ] {
        let (_keep, root) = project(line);
        let error = sources(&[], &[], &[]).for_root(&root).unwrap_err();
        assert!(error.to_string().contains(PROJECT_FILE), "{error}");
        assert!(!error.to_string().contains('\n'), "{error}");
    }
}

#[test]
fn the_profile_and_kinds_of_symbols_are_settings() {
    let settings = sources(&[], &[], &[]).before_project().unwrap();
    assert_eq!(settings.profile, Profile::Symbols);
    assert_eq!(settings.shown(Key::Profile), r#""symbols""#);
    let (_keep, root) = project("profile = 'lines'\nsymbol_kinds = ['class', 'method']\n");
    let settings = sources(&[], &[], &[]).for_root(&root).unwrap();
    assert_eq!(settings.profile, Profile::Lines);
    assert_eq!(settings.symbol_kinds, [SymbolKind::Class, SymbolKind::Method]);
    assert_eq!(settings.shown(Key::SymbolKinds), r#"["class", "method"]"#);
    let (_keep, root) = project("profile = 'words'");
    let error = sources(&[], &[], &[]).for_root(&root).unwrap_err();
    assert_eq!(error.hint(), Some("the profiles are symbols and lines"));
}

#[test]
fn an_unknown_key_names_the_nearest() {
    let (_keep, root) = project("limt = 3");
    let error = sources(&[], &[], &[]).for_root(&root).unwrap_err();
    assert_eq!(error.hint(), Some("did you mean limit?"));
}

#[test]
fn a_bad_value_names_its_file_and_bad_toml_its_line() {
    let (_keep, root) = project("limit = 0");
    let error = sources(&[], &[], &[]).for_root(&root).unwrap_err();
    assert!(error.to_string().contains(PROJECT_FILE), "{error}");
    let (_keep, root) = project("limit = 3\nmode = [\n");
    let error = sources(&[], &[], &[]).for_root(&root).unwrap_err();
    assert!(error.to_string().contains(".wherein.toml:"), "{error}");
    assert!(!error.to_string().contains('\n'), "{error}");
}

#[test]
fn a_project_file_that_is_a_folder_or_huge_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join(PROJECT_FILE)).unwrap();
    assert!(sources(&[], &[], &[]).for_root(folder.path()).is_err());
    let (_keep, root) = project(&"#\n".repeat(40_000));
    assert!(sources(&[], &[], &[]).for_root(&root).is_err());
}

#[test]
fn environment_lists_are_split_at_commas() {
    let layer = environment_layer(|name| (name == "WHEREIN_KINDS").then(|| "source, test".into()));
    assert_eq!(layer.len(), 1);
    assert_eq!(layer[0].1, ["source", "test"].map(OsString::from));
}

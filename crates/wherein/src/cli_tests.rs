//! Parsing as a stranger would type, and the whole flag table at once.

use super::*;
use clap::CommandFactory;

fn parse(args: &[&str]) -> Cli {
    let args = args.iter().map(|arg| (*arg).into()).collect();
    let args = words::subcommand_first(args, &Cli::command());
    Cli::try_parse_from(args).unwrap()
}

#[test]
fn the_flag_table_is_sound() {
    Cli::command().debug_assert();
}

#[test]
fn question_path_and_limit_in_any_order() {
    for args in [
        ["wherein", "question", "src/", "-k", "5"],
        ["wherein", "-k", "5", "question", "src/"],
        ["wherein", "question", "-k", "5", "src/"],
    ] {
        let search = parse(&args).search;
        assert_eq!(search.question.as_deref(), Some("question"));
        assert_eq!(search.paths, ["src/"].map(std::path::PathBuf::from));
        assert_eq!(search.how.limit.as_deref(), Some("5"));
    }
}

#[test]
fn a_pattern_follows_its_flag() {
    for flag in ["-E", "-e", "--regex"] {
        let search = parse(&["wherein", flag, r"fn \w+", "src"]).search;
        assert!(search.how.regex);
        assert_eq!(search.question.as_deref(), Some(r"fn \w+"));
    }
}

#[test]
fn a_question_may_begin_with_a_dash_after_two() {
    let search = parse(&["wherein", "--", "--verbose", "src"]).search;
    assert_eq!(search.question.as_deref(), Some("--verbose"));
    assert_eq!(search.paths.len(), 1);
}

#[test]
fn a_first_word_that_names_a_command_is_the_command() {
    assert!(matches!(parse(&["wherein", "status"]).command, Some(Command::Status(_))));
    let status = parse(&["wherein", "--index-dir", "x", "--json", "status"]).command;
    assert!(matches!(status, Some(Command::Status(args)) if args.json));
}

#[test]
fn flags_may_stand_before_a_command_and_its_own() {
    for args in [
        ["wherein", "--model-dir", "x", "-q", "model", "list"],
        ["wherein", "model", "--model-dir", "x", "-q", "list"],
        ["wherein", "model", "list", "-q", "--model-dir", "x"],
    ] {
        let Some(Command::Model(model)) = parse(&args).command else { panic!("{args:?}") };
        let ModelCommand::List(list) = model.command else { panic!("{args:?}") };
        assert_eq!(list.store.dir.model_dir.as_deref(), Some(std::path::Path::new("x")));
    }
    let eval = parse(&["wherein", "eval", "--checkouts", "init", "suite.json"]).command;
    assert!(matches!(eval, Some(Command::Eval(args)) if args.command.is_none()));
    // A question of that name: the word after it is no command, so it stays where it is.
    assert!(matches!(parse(&["wherein", "index", "model"]).command, Some(Command::Index(_))));
}

#[test]
fn a_word_that_names_a_command_can_be_asked_for() {
    assert_eq!(parse(&["wherein", "--", "status"]).search.question.as_deref(), Some("status"));
    let search = parse(&["wherein", "search", "status"]).command;
    assert!(
        matches!(search, Some(Command::Search(args)) if args.question.as_deref() == Some("status"))
    );
}

#[test]
fn look_ups_take_a_name_and_paths_and_flags_before_the_command() {
    for args in [
        ["wherein", "-k", "5", "symbols", "send", "src/"],
        ["wherein", "symbols", "send", "src/", "-k", "5"],
    ] {
        let Some(Command::Symbols(symbols)) = parse(&args).command else { panic!("{args:?}") };
        assert_eq!((symbols.name.as_str(), symbols.lookup.limit.as_deref()), ("send", Some("5")));
        assert_eq!(symbols.lookup.paths, ["src/"].map(std::path::PathBuf::from));
    }
    let outline = parse(&["wherein", "--symbol-kind", "class,method", "outline"]).command;
    let kinds = ["class", "method"];
    assert!(matches!(outline, Some(Command::Outline(args)) if args.symbols.symbol_kinds == kinds));
    let search = parse(&["wherein", "search", "usages"]).command;
    assert!(
        matches!(search, Some(Command::Search(args)) if args.question.as_deref() == Some("usages"))
    );
}

#[test]
fn why_takes_a_place_a_question_and_paths() {
    let why = parse(&["wherein", "--json", "why", "src/a.rs:12", "where do we", "src"]).command;
    let Some(Command::Why(args)) = why else { panic!("{why:?}") };
    assert_eq!((&*args.place, &*args.question), ("src/a.rs:12", "where do we"));
    assert!(args.json && args.paths.len() == 1);
}

#[test]
fn a_later_word_that_names_a_command_is_a_path() {
    let cli = parse(&["wherein", "question", "status"]);
    assert!(cli.command.is_none());
    assert_eq!(cli.search.paths, ["status"].map(std::path::PathBuf::from));
}

#[test]
fn formats_exclude_one_another() {
    assert!(Cli::try_parse_from(["wherein", "x", "--json", "-l"]).is_err());
    assert!(Cli::try_parse_from(["wherein", "x", "-F", "-E"]).is_err());
}

#[test]
fn json_is_noticed_before_parsing() {
    let wants = |args: &[&str]| {
        words::wants_json(&args.iter().map(|arg| (*arg).into()).collect::<Vec<_>>())
    };
    assert!(wants(&["wherein", "x", "--json", "--nonsense"]));
    assert!(!wants(&["wherein", "--", "--json"]));
}

//! Settings files in many shapes: what is installed is found, and taken out again leaves the original bytes.

use proptest::prelude::*;

use super::edit::{Entry, Field, Found, Syntax, find, insert, remove, replace, without};

const JSON: &[&str] = &["mcpServers", "wherein"];
const TOML: &[&str] = &["mcp_servers", "wherein"];

fn entry() -> Entry {
    let args = vec!["mcp".to_owned(), "--root".to_owned(), "C:\\a \"b\"".to_owned()];
    Entry {
        fields: vec![
            ("command", Field::Text("wherein".to_owned())),
            ("args", Field::List(args)),
            ("enabled", Field::Truth(true)),
        ],
    }
}

fn small() -> Entry {
    Entry { fields: vec![("command", Field::Text("w".to_owned()))] }
}

/// Installs, takes out again, and expects the original; gives the text in between.
#[track_caller]
fn there_and_back(syntax: Syntax, text: &str) -> String {
    let path = if syntax == Syntax::Json { JSON } else { TOML };
    let with = insert(syntax, text, path, &entry()).unwrap();
    assert_eq!(find(syntax, &with, path).unwrap(), Some(entry().found()), "{with:?}");
    let back = without(syntax, &with, path, Some(text)).unwrap();
    assert_eq!(back, text, "between: {with}");
    // Nothing but additions: what was there is there in its order.
    let mut rest = with.chars();
    assert!(
        text.trim().is_empty()
            || text.chars().filter(|c| !c.is_whitespace()).all(|c| rest.any(|d| c == d))
    );
    with
}

/// As above, where the original need not be known.
#[track_caller]
fn alone(syntax: Syntax, text: &str) -> String {
    let path = if syntax == Syntax::Json { JSON } else { TOML };
    let with = there_and_back(syntax, text);
    assert_eq!(remove(syntax, &with, path, path.len()).unwrap(), text, "between: {with}");
    with
}

#[test]
fn new_text_follows_the_file() {
    let with = |text: &str| insert(Syntax::Json, text, JSON, &small()).unwrap();
    let pretty =
        "{\n  \"mcpServers\": {\n    \"wherein\": {\n      \"command\": \"w\"\n    }\n  }\n}";
    assert_eq!(with(""), format!("{pretty}\n"));
    assert_eq!(with("{}\n"), format!("{pretty}\n"));
    assert_eq!(with("// mine\n"), format!("// mine\n{pretty}\n"));
    assert_eq!(with("\u{feff}{}"), format!("\u{feff}{pretty}"));
    assert_eq!(with("{\n}\r\n"), format!("{}\r\n", pretty.replace('\n', "\r\n")));
    assert_eq!(
        with("{\n\t\"a\": 1, // one\n\t\"mcpServers\": {\n\t\t\"x\": {} // two\n\t}\n}"),
        "{\n\t\"a\": 1, // one\n\t\"mcpServers\": {\n\t\t\"x\": {}, // two\n\t\t\"wherein\": {\n\t\t\t\
         \"command\": \"w\"\n\t\t}\n\t}\n}"
    );
    assert_eq!(
        with("{\"mcpServers\":{\"x\":{}}}"),
        "{\"mcpServers\":{\"x\":{},\"wherein\":{\"command\":\"w\"}}}"
    );
    assert_eq!(
        with("{\"a\": 1, \"mcpServers\": {}}"),
        "{\"a\": 1, \"mcpServers\": {\"wherein\": {\"command\": \"w\"}}}"
    );
    assert_eq!(
        with("{\n  \"mcpServers\": {\n    \"x\": {},\n  },\n}"),
        "{\n  \"mcpServers\": {\n    \"x\": {},\n    \"wherein\": {\n      \"command\": \"w\"\n    },\n  },\n}"
    );
}

#[test]
fn json_in_shapes_that_need_no_original() {
    for text in [
        "{\"a\":1}",
        "{ \"a\" : [ 1 , 2 ] }\n",
        "{\n  \"a\": 1\n}\n",
        "{\n  \"mcpServers\": {\n    \"x\": {\"command\": \"y\"}\n  }\n}\n",
        "{\n  \"mcpServers\": {\n    \"x\": {\"command\": \"y\"}, // c\n    // end\n  },\n}\n",
        "{\r\n\t\"mcpServers\": {\r\n\t\t\"x\": 1 /* c */\r\n\t}\r\n}",
        "{\n  \"mcpServers\": {\n    // none yet\n  }\n}\n",
        "// top\n{ // open\n  \"mcpServers\": { \"x\": 1, /* y */ } // after\n}\n// end",
        "{\"mcpServers\":{}}",
    ] {
        match text.contains("mcpServers") {
            true => drop(alone(Syntax::Json, text)),
            false => drop(there_and_back(Syntax::Json, text)),
        }
    }
}

#[test]
fn json_in_shapes_that_need_the_original() {
    for text in [
        "",
        "\n",
        "{}",
        "{ }",
        "{\n\n}",
        "\u{feff}",
        "\u{feff}{}",
        "// c",
        "/* c */\r\n",
        "{ // c\n}",
        "{ /* c */ }",
        "{\"mcpServers\": { }}",
        "{\n  \"mcpServers\": {}\n}",
        "  {}  ",
        "{\"a\":{\"b\":{\"c\":[{}]}}}",
        "{\"mcpServers\":{},\"b\":2}",
    ] {
        there_and_back(Syntax::Json, text);
    }
}

#[test]
fn what_the_user_wrote_meanwhile_stays() {
    let before = "{\n  \"a\": 1\n}\n";
    let with = insert(Syntax::Json, before, JSON, &small()).unwrap();
    let more = with.replace("\"a\": 1", "\"a\": 2, // now two\n  \"b\": []");
    let back = without(Syntax::Json, &more, JSON, Some(before)).unwrap();
    assert_eq!(back, "{\n  \"a\": 2, // now two\n  \"b\": []\n}\n");
    let own = "{\n  \"mcpServers\": {}\n}\n";
    let with = insert(Syntax::Json, own, JSON, &small()).unwrap();
    let more = with.replacen("{\n", "{\n  \"z\": 0,\n", 1);
    let back = without(Syntax::Json, &more, JSON, Some(own)).unwrap();
    assert_eq!(back, "{\n  \"z\": 0,\n  \"mcpServers\": {}\n}\n", "the container is the user's");
}

#[test]
fn an_entry_in_the_middle_goes_with_its_comma() {
    let text = "{\"mcpServers\": {\"a\": 1, \"wherein\": {\"command\": \"w\"} /* c */, \"b\": 2}}";
    let back = remove(Syntax::Json, text, JSON, 1).unwrap();
    assert_eq!(back, "{\"mcpServers\": {\"a\": 1, /* c */ \"b\": 2}}");
    let text = "{\"mcpServers\": {\"wherein\": {}, \"b\": 2}}";
    let back = remove(Syntax::Json, text, JSON, 1).unwrap();
    assert_eq!(back, "{\"mcpServers\": { \"b\": 2}}");
}

#[test]
fn an_entry_is_replaced_in_its_place() {
    for text in [
        "{\"mcpServers\":{\"wherein\":{\"url\":\"x\"},\"b\":2}}",
        "{\n \"mcpServers\": {\n  \"wherein\": {} // c\n }\n}",
    ] {
        let new = replace(Syntax::Json, text, JSON, &small()).unwrap();
        assert_eq!(
            find(Syntax::Json, &new, JSON).unwrap(),
            Some(Found { words: vec!["w".into()] })
        );
        assert_eq!(new.contains('\n'), text.contains('\n'));
    }
    let toml = "[mcp_servers.wherein]\ncommand = \"other\"\n\n[z]\n";
    let new = replace(Syntax::Toml, toml, TOML, &small()).unwrap();
    assert_eq!(new, "\n[z]\n\n[mcp_servers.wherein]\ncommand = \"w\"\n");
}

#[test]
fn what_cannot_be_edited_is_refused() {
    for text in [
        "{",
        "[]",
        "1",
        "{\"a\" 1}",
        "{'a': 1}",
        "{a: 1}",
        "{\"mcpServers\": []}",
        "{\"mcpServers\": null}",
        "{\"mcpServers\": {\"wherein\": 1}}",
        "{\"mcpServers\": {}, \"mcpServers\": {}}",
        "{} {}",
        "{} x",
        "\u{0}",
        "{\"a\": 1 \"b\": 2}",
    ] {
        let error =
            find(Syntax::Json, text, JSON).and_then(|_| insert(Syntax::Json, text, JSON, &small()));
        let error = error.expect_err(text);
        assert!(error.hint().is_some() && !error.to_string().contains('\n'), "{text}: {error}");
    }
    for text in [
        "a",
        "[x",
        "mcp_servers = 1",
        "mcp_servers = []",
        "[[mcp_servers]]",
        "[mcp_servers]\nwherein = 1",
        "mcp_servers = {}",
        "a = 1\na = 2",
    ] {
        let error =
            find(Syntax::Toml, text, TOML).and_then(|_| insert(Syntax::Toml, text, TOML, &small()));
        let error = error.expect_err(text);
        assert!(error.hint().is_some() && !error.to_string().contains('\n'), "{text}: {error}");
    }
    let deep = "{\"a\":".repeat(5000) + "1" + &"}".repeat(5000);
    assert!(find(Syntax::Json, &deep, JSON).is_err());
}

#[test]
fn toml_is_appended_and_cut_out() {
    for text in [
        "",
        "\n",
        "a = 1",
        "a = 1\n",
        "# c",
        "# c\r\n",
        "a = 1\r\n\r\n[b]\r\nc = 2",
        "\u{feff}a = 1\n",
        "[mcp_servers]\n",
        "[mcp_servers.x]\ncommand = \"y\"\n# end\n",
        "mcp_servers.x.command = \"y\"\n",
        "[mcp_servers.x]\ncommand = \"y\"\n\n\n\n",
        "a = '''\nmulti\n'''",
        "[[list]]\nx = 1\n",
        "  \n\t",
    ] {
        alone(Syntax::Toml, text);
    }
    assert_eq!(
        insert(Syntax::Toml, "a = 1\n", TOML, &small()).unwrap(),
        "a = 1\n\n[mcp_servers.wherein]\ncommand = \"w\"\n"
    );
}

#[test]
fn toml_entries_in_other_shapes_are_found_and_removed() {
    for (text, back) in [
        ("[mcp_servers]\nwherein = { command = \"w\" }\nx = {}\n", "[mcp_servers]\nx = {}\n"),
        ("[mcp_servers]\r\nwherein.command = \"w\"\r\nx = {}\r\n", "[mcp_servers]\r\nx = {}\r\n"),
        ("mcp_servers = { x = {}, wherein = { command = \"w\" } }\n", "mcp_servers = { x = {}}\n"),
        ("mcp_servers.wherein.command = \"w\"\na = 1\n", "a = 1\n"),
        (
            "a = 1\n\n[mcp_servers.wherein] # h\ncommand = \"w\" # c\nx.y = 1\n\n[mcp_servers.wherein.env]\nA = \"1\"\n# b\n[b]\n\
             c = 1\n[mcp_servers.wherein.tools.t]\napprove = true\n",
            "a = 1\n# b\n[b]\nc = 1\n",
        ),
    ] {
        let found = find(Syntax::Toml, text, TOML).unwrap();
        assert_eq!(found, Some(Found { words: vec!["w".into()] }), "{text}");
        assert_eq!(remove(Syntax::Toml, text, TOML, 2).unwrap(), back, "{text}");
    }
}

/// White space and comments as they may stand between two tokens.
fn filler() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        6 => Just(""),
        4 => Just(" "),
        3 => Just("\n"),
        2 => Just("\n  "),
        1 => Just("\n\t"),
        1 => Just("\r\n    "),
        1 => Just("/* c, } */"),
        1 => Just("// c \" {\n"),
        1 => Just("// c\r\n"),
    ];
    prop::collection::vec(piece, 0..3).prop_map(|pieces| pieces.concat())
}

fn scalar() -> impl Strategy<Value = String> {
    prop_oneof![
        Just("1".to_owned()),
        Just("-2.5e3".to_owned()),
        Just("true".to_owned()),
        Just("null".to_owned()),
        Just(r#""é \" \\ \u0041 // x""#.to_owned()),
        Just("[]".to_owned()),
        Just("[1, /* c */ {\"a\": []},]".to_owned()),
    ]
}

/// An object of these members, with anything between its tokens and perhaps a trailing comma.
fn object(members: Vec<(String, String)>) -> BoxedStrategy<String> {
    let n = members.len();
    let fillers = prop::collection::vec(filler(), 4 * n + 2);
    (fillers, any::<bool>())
        .prop_map(move |(fillers, trailing)| {
            let mut fillers = fillers.into_iter();
            let mut next = || fillers.next().unwrap_or_default();
            let mut text = format!("{{{}", next());
            for (idx, (name, value)) in members.iter().enumerate() {
                let comma = if idx + 1 < members.len() || trailing { "," } else { "" };
                let (a, b, c, d) = (next(), next(), next(), next());
                text.push_str(&format!("\"{name}\"{a}:{b}{value}{c}{comma}{d}"));
            }
            text + &next() + "}"
        })
        .boxed()
}

fn any_object(depth: u32) -> BoxedStrategy<String> {
    let value = if depth == 0 {
        scalar().boxed()
    } else {
        prop_oneof![scalar(), any_object(depth - 1)].boxed()
    };
    prop::collection::vec(value, 0..3)
        .prop_flat_map(|values| {
            let named = values.into_iter().enumerate();
            object(named.map(|(idx, value)| (format!("k{idx}"), value)).collect())
        })
        .boxed()
}

/// A settings file: without our container, or with one of any contents in any place.
fn settings() -> BoxedStrategy<String> {
    let root = (any_object(2), any_object(1), any_object(2), 0..4usize).prop_flat_map(
        |(a, servers, b, place)| {
            let mut members = vec![("a".to_owned(), a), ("b".to_owned(), b)];
            if place < 3 {
                members.insert(place, ("mcpServers".to_owned(), servers));
            }
            object(members)
        },
    );
    let whole = (filler(), prop_oneof![root.boxed(), any_object(1)], filler(), any::<bool>());
    whole
        .prop_map(|(before, root, after, mark)| {
            format!("{}{before}{root}{after}", if mark { "\u{feff}" } else { "" })
        })
        .boxed()
}

fn toml_lines() -> impl Strategy<Value = String> {
    let line = prop_oneof![
        Just(""),
        Just("# c"),
        Just("x = 1 # c"),
        Just("y = '''\n# no\n[no]\n'''"),
        Just("[t]"),
        Just("[mcp_servers.a]"),
        Just("[mcp_servers.b.env]"),
        Just("z = { a = [1, 2], b = \"é\" }"),
    ];
    let lines = prop::sample::subsequence((0..9usize).collect::<Vec<_>>(), 0..9);
    (prop::collection::vec(line, 9), lines, any::<bool>(), any::<bool>(), any::<bool>()).prop_map(
        |(all, kept, windows, last, mark)| {
            let mut seen = std::collections::HashSet::new();
            let lines = kept.into_iter().map(|idx| all[idx]);
            let lines =
                lines.filter(|line| line.is_empty() || line.starts_with('#') || seen.insert(*line));
            let mut text = lines.collect::<Vec<_>>().join("\n") + if last { "\n" } else { "" };
            if windows {
                text = text.replace('\n', "\r\n");
            }
            format!("{}{text}", if mark { "\u{feff}" } else { "" })
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 600, failure_persistence: None, ..ProptestConfig::default()
    })]

    #[test]
    fn any_json_comes_back(text in settings()) {
        let with = there_and_back(Syntax::Json, &text);
        // A second edit would be seen: nothing is added twice.
        prop_assert!(with.matches("\"wherein\"").count() >= 1);
    }

    #[test]
    fn any_json_keeps_its_comments(text in settings()) {
        let with = insert(Syntax::Json, &text, JSON, &entry()).unwrap();
        let bare = remove(Syntax::Json, &with, JSON, 0).unwrap();
        for comment in ["/* c, } */", "// c"] {
            prop_assert_eq!(text.matches(comment).count(), with.matches(comment).count());
            prop_assert_eq!(text.matches(comment).count(), bare.matches(comment).count());
        }
    }

    #[test]
    fn any_toml_comes_back(text in toml_lines()) {
        prop_assume!(find(Syntax::Toml, &text, TOML).is_ok());
        alone(Syntax::Toml, &text);
    }

    #[test]
    fn no_text_makes_it_panic(text in ".{0,40}", toml in any::<bool>()) {
        let (syntax, path) = if toml { (Syntax::Toml, TOML) } else { (Syntax::Json, JSON) };
        if let Ok(with) = insert(syntax, &text, path, &small()) {
            prop_assert_eq!(without(syntax, &with, path, Some(&text)).unwrap(), text);
        }
    }
}

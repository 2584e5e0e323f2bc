//! Tables that make sense, tables that do not, and what a project file may not declare.

use super::*;

fn read(text: &str, writer: Writer) -> Result<Vec<Declared>> {
    let mut table: toml::Table = text.parse().unwrap();
    let file = Path::new("/srv/settings/config.toml");
    declared(table.remove(KEY).unwrap(), file, writer, &Origin::User(file.to_owned()))
}

fn one(fields: &str) -> Result<Declared> {
    read(&format!("[[repository]]\n{fields}"), Writer::User).map(|mut all| all.remove(0))
}

#[test]
fn names_come_from_where_it_is() {
    assert_eq!(one("path = '/srv/src/api'").unwrap().name, "api");
    assert_eq!(one("url = 'https://host/team/web.git'").unwrap().name, "web");
    assert_eq!(one("url = 'git@host:web.git'\nname = 'site'").unwrap().name, "site");
}

#[test]
fn relative_paths_begin_at_the_file() {
    let source = one("path = '../api'").unwrap().source;
    assert_eq!(source, Source::Folder("/srv/settings/../api".into()));
    assert_eq!(one("path = 'a'\nroot = './src/lib/'").unwrap().root, "src/lib");
}

#[test]
fn mistakes_are_one_line_with_a_hint() {
    for fields in [
        "name = 'a'",
        "path = 'a'\nurl = 'https://host/a'",
        "path = 'a'\nref = 'main'",
        "path = 'a'\nbranch = 'main'",
        "path = 7",
        "path = ''",
        "path = 'a'\nname = 'a/b'",
        "path = 'a'\nname = '-a'",
        "path = 'a'\nname = 'a*'",
        "path = 'a'\nname = ''",
        "path = 'a'\nname = \"a\\nb\"",
        "path = '/'",
        "path = 'a'\nroot = '../b'",
        "path = 'a'\nroot = '/b'",
        "path = 'a'\nexclude = 'vendor'",
        "path = 'a'\nexclude = [1]",
        "url = 'ext::sh -c x'",
        "url = '-u'",
        "url = \"https://host/a\\nb\"",
        "url = 'https://host/a'\nref = '-x'",
        "url = 'https://host/a'\nref = 'a:b'",
        "url = 'https://host/a'\nref = '+a'",
        "url = 'https://host/a'\nref = ''",
    ] {
        let error = one(fields).unwrap_err();
        assert!(error.hint().is_some(), "{fields}");
        assert!(!error.to_string().contains('\n'), "{fields}: {error}");
    }
    assert!(read("repository = 'a'", Writer::User).is_err());
    assert!(read("[repository]\npath = 'a'", Writer::User).is_err());
}

#[test]
fn two_of_one_name_in_a_file_are_a_mistake_and_the_stronger_file_wins() {
    let twice = "[[repository]]\npath = 'x/a'\n[[repository]]\npath = 'y/a'";
    assert!(read(twice, Writer::User).unwrap_err().to_string().contains("'a'"));
    let weak = [one("path = 'x/a'").unwrap(), one("path = 'b'").unwrap()];
    let strong = [one("path = 'y/a'").unwrap()];
    let all = merged(&[&weak, &strong]);
    assert_eq!(all.iter().map(|one| one.name.as_str()).collect::<Vec<_>>(), ["a", "b"]);
    assert_eq!(all[0], strong[0]);
}

#[test]
fn a_project_file_stays_inside_and_names_what_nobody_can_change_on_the_way() {
    for fields in [
        "path = '/etc'",
        "path = '../other'",
        "path = '~/src'",
        "url = 'file:///srv/a'",
        "url = 'http://host/a'",
        "url = 'git://host/a'",
    ] {
        let text = format!("[[repository]]\nname = 'a'\n{fields}");
        assert!(read(&text, Writer::Anyone).is_err(), "{fields}");
        assert!(read(&text, Writer::User).is_ok(), "{fields}");
    }
    assert!(read("[[repository]]\nurl = 'git@host:a'", Writer::Anyone).is_ok());
    let inside = read("[[repository]]\npath = 'libs/a'", Writer::Anyone).unwrap();
    assert_eq!(inside[0].source, Source::Folder("/srv/settings/libs/a".into()));
}

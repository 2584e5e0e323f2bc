//! Tests of look-ups for people: nesting, what is highlighted, what is cut.

use super::*;
use wherein_engine::SymbolKind;

fn symbol(name: &str, parent: Option<&str>, start: u32, end: u32) -> Symbol {
    Symbol {
        name: name.to_owned(),
        kind: SymbolKind::Method,
        parent: parent.map(str::to_owned),
        module: None,
        signature: format!("def {name}()"),
        doc: None,
        annotations: Vec::new(),
        route: None,
        start_line: start,
        end_line: end,
        name_line: start,
    }
}

#[test]
fn symbols_are_nested_in_those_around_them() {
    let symbols = [
        symbol("A", None, 1, 20),
        symbol("f", Some("A"), 2, 4),
        symbol("g", Some("A"), 6, 12),
        symbol("h", Some("A.g"), 7, 8),
        symbol("free", None, 22, 23),
    ];
    let nested = nested(&symbols);
    let shape: Vec<(usize, &str)> = nested.iter().map(|(d, n)| (*d, n.as_str())).collect();
    assert_eq!(shape, [(0, "A"), (1, "f"), (1, "g"), (2, "h"), (0, "free")]);
}

#[test]
fn a_symbol_without_its_parent_around_it_keeps_its_whole_name() {
    // Go: the method stands after the type. Filtered: the class is not listed.
    let apart = [symbol("Client", None, 1, 3), symbol("Do", Some("Client"), 5, 9)];
    assert_eq!(nested(&apart)[1], (0, "Client.Do".to_owned()));
    assert_eq!(nested(&apart[1..]), [(0, "Client.Do".to_owned())]);
    // Two names of one line do not hold one another.
    let same = [symbol("a", None, 1, 1), symbol("b", None, 1, 1)];
    assert_eq!(nested(&same), [(0, "a".to_owned()), (0, "b".to_owned())]);
}

#[test]
fn names_are_highlighted_where_they_stand_alone() {
    assert_eq!(occurrences("send(resend, send_all, self.send)", "send"), [0..4, 28..32]);
    assert_eq!(occurrences("größe = größer + größe", "größe").len(), 2);
    assert!(occurrences("x", "").is_empty());
    assert_eq!([bare("Session.send"), bare("a::b()"), bare("println!")], ["send", "b", "println"]);
}

#[test]
fn signatures_are_cut_and_routes_come_first() {
    let mut send = symbol("send", None, 1, 1);
    assert_eq!(about(&send, 80, false), "def send()");
    assert_eq!(about(&send, 6, false), "def s…");
    send.route = Some(Route { method: "POST".to_owned(), path: "/orders".to_owned() });
    assert_eq!(about(&send, 80, false), "POST /orders  def send()");
    send.name = "POST /orders".to_owned();
    assert_eq!(about(&send, 80, false), "def send()");
    send.signature = "a\x1b[31m".to_owned();
    assert!(!about(&send, 80, false).contains('\x1b'));
}

//! Chunks that are functions, what is known of them, and what becomes of files that cannot be parsed.

use wherein_engine::{
    Filter, NameMatch, OutlineRequest, Profile, SearchRequest, SymbolAnswer, SymbolKind,
    SymbolRequest, UsageKind, UsageRequest,
};

use crate::fixture::{Tree, ask, check, keyword, printed, refresh};

const SHOP: &str = "
    //- src/Orders.java
    package org.example.shop;

    /** Everything about orders. */
    @RequestMapping(\"/orders\")
    class Orders {
        /** Adds an order to the books and tells the warehouse about it, whatever else happens in between. */
        @PostMapping(\"/new\")
        Order create(Order order) {
            validate(order);
            warehouse.tell(order);
            audit.write(\"created\", order.id, order.customer, order.total, order.currency, order.time);
            metrics.count(\"orders\", 1, order.region, order.channel, order.campaign, order.total);
            return store.save(order);
        }

        void validate(Order order) {
            if (order.total < 0) throw new Refused(\"a negative total\", order.id, order.customer, order.total);
            if (order.lines.isEmpty()) throw new Refused(\"no lines\", order.id, order.customer, order.total);
            if (order.customer == null) throw new Refused(\"nobody\", order.id, order.customer, order.total);
            if (order.currency == null) throw new Refused(\"no currency\", order.id, order.customer, order.total);
        }
    }
    //- src/report.py
    def create_report(orders):
        \"\"\"Sums up what was sold.\"\"\"
        return sum(order.total for order in orders)
";

fn symbols(tree: &Tree, name: &str) -> SymbolAnswer {
    let engine = tree.engine();
    refresh(&engine);
    let filter = Filter::default();
    engine.symbols(&SymbolRequest { name: name.to_owned(), filter, limit: 50 }).expect("symbols")
}

#[test]
fn a_hit_is_the_function_and_says_so() {
    let tree = Tree::new(SHOP);
    let answer = ask(&tree.engine(), &keyword("tell the warehouse"));
    let hit = &answer.hits[0];
    let symbol = hit.symbol.as_ref().expect("a symbol");
    assert_eq!(symbol.qualified(), "Orders.create");
    assert_eq!(symbol.kind, SymbolKind::Method);
    assert_eq!(symbol.module.as_deref(), Some("org.example.shop"));
    assert_eq!(symbol.route.as_ref().map(ToString::to_string).as_deref(), Some("POST /orders/new"));
    assert_eq!(symbol.signature, "Order create(Order order)");
    assert!(symbol.doc.as_deref().is_some_and(|doc| doc.starts_with("Adds an order")));
    assert!((hit.start_line..=hit.end_line).contains(&symbol.name_line));
}

#[test]
fn words_about_the_code_find_it() {
    let tree = Tree::new(SHOP);
    for question in ["java method", "POST /orders", "shop orders"] {
        let answer = ask(&tree.engine(), &keyword(question));
        assert_eq!(answer.hits[0].path, "src/Orders.java", "{question}");
    }
    assert_eq!(ask(&tree.engine(), &keyword("python function")).hits[0].path, "src/report.py");
}

#[test]
fn a_filter_by_kind_of_symbol_acts_before_the_cut_off() {
    let mut fixture = String::new();
    for i in 0..300 {
        fixture
            .push_str(&format!("//- many/m{i}.py\ndef walrus_{i}(walrus):\n    return walrus\n"));
    }
    fixture.push_str("//- one.py\nclass Sea:\n    \"\"\"Where a walrus lives.\"\"\"\n");
    let tree = Tree::new(&fixture);
    let mut request = SearchRequest { limit: Some(3), ..keyword("walrus") };
    request.filter.symbol_kinds = vec![SymbolKind::Class];
    tree.check(&request, &["one.py:1-2"]);
}

#[test]
fn names_are_found_exactly_by_part_and_with_an_error() {
    let tree = Tree::new(
        "
        //- a.go
        package a

        func GetWebAuthnSession() {}

        func webAuthToken() {}

        type Session struct{}

        func (s *Session) Send() {}

        func session_send() {}
    ",
    );
    let found = |name: &str| -> Vec<(String, NameMatch)> {
        let found = symbols(&tree, name).symbols.into_iter();
        found.map(|found| (found.symbol.name, found.matched)).collect()
    };
    let one = |name: &str, matched| vec![(name.to_owned(), matched)];
    assert_eq!(found("GetWebAuthnSession"), one("GetWebAuthnSession", NameMatch::Exact));
    assert_eq!(found("get_web_authn_session"), one("GetWebAuthnSession", NameMatch::Folded));
    assert_eq!(
        found("WebAuth"),
        [
            ("webAuthToken".to_owned(), NameMatch::Prefix),
            ("GetWebAuthnSession".to_owned(), NameMatch::Part)
        ]
    );
    assert_eq!(found("GetWebAuthSession"), one("GetWebAuthnSession", NameMatch::Typo));
    assert_eq!(found("Session.Send"), one("Send", NameMatch::Exact));
    assert_eq!(found("Nobody"), []);
}

#[test]
fn usages_are_calls_then_mentions_without_definitions_and_comments() {
    let tree = Tree::new(
        "
        //- a.py
        # load is called below
        def load(path):
            return open(path)


        handler = load
        data = load('load')
    ",
    );
    let engine = tree.engine();
    refresh(&engine);
    let request = UsageRequest {
        name: "load".to_owned(),
        filter: Filter::default(),
        limit: None,
        comments: true,
    };
    let answer = engine.usages(&request).expect("usages");
    let found: Vec<(u32, UsageKind)> = answer.usages.iter().map(|u| (u.line, u.usage)).collect();
    assert_eq!(found, [(7, UsageKind::Call), (6, UsageKind::Mention), (1, UsageKind::Text)]);
    assert_eq!(answer.n_definitions, 1);
    assert_eq!(answer.usages[0].text, "data = load('load')");
}

#[test]
fn c1_deep_nesting_falls_back_and_says_so() {
    let deep = format!("int deep() {}\n", "{".repeat(5000) + &"}".repeat(5000));
    let tree = Tree::new("//- near.cpp\nint walrus() { return 1; }\n");
    tree.write("deep.cpp", deep.replace('{', "{\n"));
    let engine = tree.engine();
    let report = refresh(&engine);
    let problem = report.problems.iter().find(|problem| problem.path == "deep.cpp");
    assert!(problem.is_some_and(|p| p.reason.contains("nested too deep")), "{:?}", report.problems);
    assert_eq!(printed(&ask(&engine, &keyword("walrus")).hits), ["near.cpp:1-1"]);
    let lines = ask(&engine, &keyword("deep"));
    assert_eq!(lines.hits[0].path, "deep.cpp", "found by lines");
    // Reported as long as it is so, whoever asks.
    let again = refresh(&tree.engine());
    assert!(again.problems.iter().any(|problem| problem.path == "deep.cpp"));
    assert_eq!(tree.engine().status().expect("a status").fallbacks.len(), 1);
}

#[test]
fn generated_and_minified_files_are_cut_by_lines_and_counted() {
    let tree = Tree::new(
        "
        //- gen.go
        // Code generated by a tool. DO NOT EDIT.
        package gen

        func Walrus() {}
    ",
    );
    tree.write("bundle.js", format!("function walrus(){{{}}}", "a=b;".repeat(20_000)));
    refresh(&tree.engine());
    let fallbacks = tree.engine().status().expect("a status").fallbacks;
    assert_eq!(fallbacks.iter().map(|(_, n)| n).sum::<u64>(), 2, "{fallbacks:?}");
    assert!(symbols(&tree, "Walrus").symbols.is_empty());
}

#[test]
fn c10_a_symbol_on_the_last_line_of_a_large_file() {
    let tree = Tree::new("");
    let filler = "value = value + 1  # nothing to see here\n".repeat(19_000);
    tree.write("large.py", format!("{filler}def walrus(): return 1\n"));
    let found = symbols(&tree, "walrus").symbols;
    assert_eq!(found.iter().map(|f| f.symbol.name_line).collect::<Vec<_>>(), [19_001]);
    check("//- a.py\ndef walrus(): return 1\n", "walrus", "a.py:1-1");
}

#[test]
fn c11_names_of_any_alphabet() {
    let tree = Tree::new(
        "
        //- a.py
        def 주문_찾기(번호): return 번호
        def 查找订单(x): return x
        def найтиЗаказ(x): return x
        def créer_commande(x): return x
    ",
    );
    for (asked, name) in [
        ("주문_찾기", "주문_찾기"),
        ("찾기", "주문_찾기"),
        ("订单", "查找订单"),
        ("Заказ", "найтиЗаказ"),
        ("creer", "créer_commande"),
        ("commande", "créer_commande"),
    ] {
        let found: Vec<String> =
            symbols(&tree, asked).symbols.into_iter().map(|f| f.symbol.name).collect();
        assert_eq!(found, [name], "{asked}");
    }
}

#[test]
fn languages_that_share_an_extension_are_told_apart_by_content() {
    let tree = Tree::new(
        "
        //- plain.h
        struct point { int x; };
        //- classy.h
        class Walrus { public: void dive(); };
        //- cocoa.m
        #import <Foundation/Foundation.h>
        //- page.vue
        <template><p>hi</p></template>
        <script>
        export function walrusOf(page) { return page }
        </script>
    ",
    );
    let languages = |path: &str| {
        let engine = tree.engine();
        refresh(&engine);
        let request =
            OutlineRequest { filter: Filter { paths: vec![path.to_owned()], ..Filter::default() } };
        let file = engine.outline(&request).expect("an outline").files.remove(0);
        let names: Vec<String> =
            file.symbols.iter().map(|s| format!("{}:{}", s.name, s.name_line)).collect();
        (file.language, names.join(" "))
    };
    assert_eq!(languages("plain.h"), ("c".to_owned(), "point:1 x:1".to_owned()));
    assert_eq!(languages("classy.h"), ("cpp".to_owned(), "Walrus:1 dive:1".to_owned()));
    assert_eq!(languages("cocoa.m").0, "objective-c");
    assert_eq!(languages("page.vue"), ("vue".to_owned(), "walrusOf:3".to_owned()));
}

#[test]
fn an_updated_index_knows_the_same_symbols_as_a_fresh_one() {
    let tree = Tree::new(SHOP);
    let outline = |tree: &Tree| {
        let engine = tree.engine();
        refresh(&engine);
        let files = engine.outline(&OutlineRequest::default()).expect("an outline").files;
        files
            .into_iter()
            .map(|file| format!("{} {:?}", file.path, file.symbols))
            .collect::<Vec<_>>()
    };
    refresh(&tree.engine());
    // More changes than segments are kept apart, so that they are merged.
    for i in 0..14 {
        tree.write(format!("src/more{i}.py"), format!("def more_{i}():\n    return {i}\n"));
        refresh(&tree.engine());
    }
    tree.write("src/report.py", "class Report:\n    def total(self): return 0\n");
    tree.remove("src/more3.py");
    let updated = outline(&tree);
    tree.engine().rebuild(&|_| ()).expect("a rebuild");
    assert_eq!(updated, outline(&tree));
    assert_eq!(updated.len(), 15);
}

#[test]
fn the_lines_profile_has_no_symbols() {
    let tree = Tree::new(SHOP);
    let mut options = tree.options();
    options.profile = Profile::Lines;
    let engine = wherein_engine::Engine::open(options).expect("an engine");
    refresh(&engine);
    let error = engine.outline(&OutlineRequest::default()).expect_err("a refusal");
    assert_eq!(error.kind(), wherein_engine::ErrorKind::Usage);
}

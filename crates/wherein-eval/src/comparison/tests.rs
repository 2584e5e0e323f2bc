//! Counts and tables from given ranks. These tests search nothing.

use super::*;
use crate::tables::Layout;

fn suite() -> Suite {
    let question = |id: usize, category: &str| {
        json!({"id": format!("r/{id}"), "repo": "r", "question": format!("where is <{id}> | done"),
            "category": category, "grep_phrase": "a phrase", "published": {"bm25": id + 4},
            "answers": [{"path": "src/a.c", "start": 5, "end": 9, "symbol": format!("f{id}")}]})
    };
    let questions: Vec<Value> =
        (0..4).map(|id| question(id, if id < 3 { "concept" } else { "identifier" })).collect();
    let text = json!({"suite": "s & <t>", "repositories": [{"name": "r", "language": "c"}],
        "questions": questions});
    serde_json::from_value(text).unwrap()
}

/// Four questions by two methods in two scopes.
fn comparison() -> Comparison {
    let nowhere = crate::Checkouts::Below("nowhere".into());
    let mut options = EvalOptions::new("s.json".into(), nowhere, "index".into());
    options.paths = vec!["src/".to_owned()];
    let method = |name: &str| Method { name: name.to_owned(), ..Method::keyword() };
    let mut made = Comparison::new(&suite(), &options, &[method("keyword"), method("hybrid m<1>")]);
    let ranks = [
        [[Some(5), Some(1)], [Some(5), Some(1)]],
        [[Some(6), None], [Some(1), None]],
        [[Some(11), Some(10)], [Some(10), Some(10)]],
        [[Some(1), Some(70)], [Some(1), Some(5)]],
    ];
    for (question, ranks) in made.questions.iter_mut().zip(ranks) {
        question.ranks = ranks.map(|by_method| by_method.to_vec()).to_vec();
        question.grep.phrase = Some(0);
    }
    made.scopes[0].add_chunks(318);
    made.methods[0].ask_times = [4, 1, 2].map(Duration::from_millis).to_vec();
    made
}

#[test]
fn the_summary_counts_plain_questions_and_all_of_them_in_each_scope() {
    let rows: Vec<_> = comparison()
        .summary()
        .into_iter()
        .map(|row| (row.scope_idx, row.category, row.n_questions, row.top_5, row.top_10))
        .collect();
    let wanted = [
        (0, Some("concept"), 3, vec![1, 1], vec![2, 2]),
        (0, None, 4, vec![2, 1], vec![3, 2]),
        (1, Some("concept"), 3, vec![2, 1], vec![3, 2]),
        (1, None, 4, vec![3, 2], vec![4, 3]),
    ];
    assert_eq!(rows, wanted);
}

#[test]
fn without_plain_questions_there_is_one_group() {
    let mut made = comparison();
    made.questions.iter_mut().for_each(|question| question.category = "other".to_owned());
    assert_eq!(made.summary().len(), 2);
    assert!(made.summary().iter().all(|row| row.category.is_none() && row.n_questions == 4));
}

#[test]
fn text_tables_show_ranks_dashes_and_costs() {
    let text = comparison().to_tables(Layout::Text, false);
    let row = |start: &str| -> Vec<String> {
        let line = text.lines().find(|line| line.starts_with(start)).expect(start);
        line.split_whitespace().map(str::to_owned).collect()
    };
    assert_eq!(row("where is <1>")[5..], ["(f1)", "0", "6", "-"]);
    assert_eq!(
        row("whole tree, 318 chunks")[4..],
        ["concept", "(3)", "1", "/", "2", "1", "/", "2"].map(str::to_owned)
    );
    assert_eq!(row("one question, ms")[4..], ["2.0", "-"]);
    assert!(text.contains("first result, among all 318 chunks"), "{text}");
    assert!(!text.contains("published"));
}

#[test]
fn markdown_tables_keep_their_shape_whatever_the_question() {
    let text = comparison().to_tables(Layout::Markdown, true);
    let mut n_cells = None;
    for line in text.lines() {
        let cells = line.starts_with('|').then(|| line.replace("\\|", "").matches('|').count());
        if let (Some(before), Some(now)) = (n_cells, cells) {
            assert_eq!(before, now, "{line}");
        }
        n_cells = cells;
    }
    assert!(text.contains("| where is &lt;1> \\| done (`f1`) | \"a phrase\": 0 |"), "{text}");
    assert!(text.contains("| top 5 / top 10, concept (3) | 2 / 3 |"), "{text}");
    assert_eq!(text.matches("|---|").count(), 3);
}

#[test]
fn json_holds_every_rank_by_scope_and_method() {
    let value = comparison().to_json();
    assert_eq!(value["questions"][1]["ranks"]["src/"], json!({"keyword": 1, "hybrid m<1>": null}));
    assert_eq!(value["summary"][0]["top_5"]["keyword"], 1);
    assert_eq!(value["methods"][0]["question_ms"], 2.0);
    assert_eq!(value["scopes"][0], json!({"name": "whole tree", "path": null, "n_chunks": 318}));
}

#[test]
fn the_plot_is_well_formed_and_says_its_figures() {
    let svg = comparison().to_svg();
    let mut open = Vec::new();
    for tag in svg.split('<').skip(1) {
        let (tag, text) = tag.split_once('>').expect("a tag ends");
        assert!(!text.contains('>') && !text.contains('"'), "{text}");
        match tag.strip_prefix('/') {
            Some(name) => assert_eq!(open.pop(), Some(name)),
            None if tag.ends_with('/') => {}
            None => open.push(tag.split_whitespace().next().expect("a tag has a name")),
        }
    }
    assert!(open.is_empty(), "{open:?}");
    assert!(svg.contains("s &amp; &lt;t&gt;, questions: concept (3)"), "{svg}");
    assert!(svg.contains("src/, of 3 questions: keyword 2 and 3, hybrid m&lt;1&gt; 1 and 2."));
    assert_eq!(svg.matches("class=\"ten\"").count(), 5, "two scopes, two methods and the legend");
}

#[test]
fn medians_of_odd_even_and_no_times() {
    let ms = |times: &[u64]| {
        median(&times.iter().copied().map(Duration::from_millis).collect::<Vec<_>>())
    };
    assert_eq!(ms(&[]), None);
    assert_eq!(ms(&[9, 1, 4]), Some(Duration::from_millis(4)));
    assert_eq!(ms(&[9, 1, 4, 2]), Some(Duration::from_millis(3)));
}

//! Scratch.
use std::time::Instant;
fn main() {
    let args: Vec<String> = std::env::args().collect();
    let t = Instant::now();
    let options = wherein_eval::EvalOptions {
        suite: format!("/work/shared/suites/{}.json", args[1]).into(),
        checkouts: format!("/work/eval/{}", args[1]).into(),
        index_base: "/work/eval/idx".into(),
        mode: wherein_engine::Mode::Keyword,
        profile: wherein_engine::Profile::Lines,
        paths: args.get(2).cloned().into_iter().collect(),
        results: Some(format!("/tmp/res-{}.jsonl", args[1]).into()),
    };
    match wherein_eval::run(&options, &|_, _| {}) {
        Ok(r) => { println!("{}", r.to_text()); }
        Err(e) => println!("ERR {e:?}"),
    }
    eprintln!("{:?}", t.elapsed());
}

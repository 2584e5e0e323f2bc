//! The report: a table of shares, the normalisations, then every class of difference with examples.
//!
//! Paths are those inside the repositories; nothing here names a folder of the machine.

use std::fmt::Write as _;
use std::path::Path;

use super::compare::{Difference, Share, Side, Tally};
use super::judged;
use super::normal::RULES;

/// Writes `agreement.md` and `agreement.csv`.
pub(super) fn write(out: &Path, version: &str, tallies: &[Tally]) -> anyhow::Result<()> {
    std::fs::create_dir_all(out)?;
    std::fs::write(out.join("agreement.csv"), raw(tallies))?;
    let mut text = format!("# Symbols beside {version}\n\n{INTRODUCTION}\n");
    text.push_str(&table(tallies));
    text.push_str(&normalisations(tallies));
    text.push_str("\n## Differences\n\n");
    text.push_str(DIFFERENCES);
    for tally in tallies {
        text.push_str(&language(tally));
    }
    std::fs::write(out.join("agreement.md"), text)?;
    Ok(())
}

const INTRODUCTION: &str = "\
Functions, methods and types of `wherein outline --json` and of ctags, compared by file, name and line (ours:
`name_line`). Made by `cargo xtask agree --checkouts DIR… --out DIR`, of files that `wherein` lists with symbols (those it
cuts by lines, such as generated ones, have none), that ctags reads, and whose bytes were not compared before (several
checkouts are of one project). The share of ctags' is that of its tags that are among our symbols of any kind; the share
of ours that of our functions, methods and types that ctags has under any of its kinds, prototypes and members included.
Raw figures know no normalisation. A second row leaves out the repository that moves the normalised share most, where
that is by more than a point (zig bundles the headers of many C libraries). Neither side is the truth: see who is right
below.

This ctags has no Scala: there its side is a line pattern,
`^\\s*(modifiers )*(def|class|object|trait) NAME`, which knows neither comments nor strings.
";

const DIFFERENCES: &str = "\
After the normalisations. The rules that sort them see only the line; who is right was decided by reading the line and
the one before of a sample, 20 or more a side and language (all where there are fewer), and the whole place for some. A
class is judged as a whole: single members of it may be otherwise. Repositories come first in the paths.
";

fn table(tallies: &[Tally]) -> String {
    let mut text = String::from(
        "| language | repositories | files | tags | of ctags', raw | of ctags', normalised | our symbols | of ours, raw | of ours, normalised |\n\
         |---|---|---|---|---|---|---|---|---|\n",
    );
    for tally in tallies {
        let n = tally.repositories.len();
        text.push_str(&row(tally.language.name, n, &tally.files.to_string(), tally.shares()));
        if let Some((repository, rest)) = tally.outlier() {
            let name = format!("{} without {repository}", tally.language.name);
            text.push_str(&row(&name, n - 1, "", rest));
        }
    }
    text
}

fn row(name: &str, n_repositories: usize, files: &str, shares: [Share; 4]) -> String {
    let [raw, normal, ours_raw, ours] = shares;
    format!(
        "| {name} | {n_repositories} | {files} | {} | {} | {} | {} | {} | {} |\n",
        raw.of,
        raw.percent(),
        normal.percent(),
        ours.of,
        ours_raw.percent(),
        ours.percent(),
    )
}

fn normalisations(tallies: &[Tally]) -> String {
    let mut text = String::from(
        "\n## Normalisations\n\n| what | why | tags of ctags touched |\n|---|---|---|\n",
    );
    for rule in RULES {
        let touched = tallies.iter().filter_map(|tally| {
            tally.touched.get(&rule).map(|n| format!("{} {n}", tally.language.name))
        });
        let touched = touched.collect::<Vec<_>>().join(", ");
        let touched = if touched.is_empty() { "none" } else { &touched };
        let _ = writeln!(text, "| {} | {} | {touched} |", rule.what(), rule.reason());
    }
    text
}

fn language(tally: &Tally) -> String {
    let mut text = format!("\n### {}\n\n", tally.language.name);
    for (side, title) in
        [(Side::Theirs, "ctags' that are not ours"), (Side::Ours, "ours that ctags has not")]
    {
        let n = tally.differences.iter().filter(|d| d.side == side).count();
        if n == 0 {
            let _ = writeln!(text, "None of {title}.\n");
            continue;
        }
        let _ = writeln!(
            text,
            "{n} of {title}:\n\n| n | class | right | examples |\n|---|---|---|---|"
        );
        for (name, right, of_class) in classes(tally, side) {
            let examples = examples(&of_class);
            let _ = writeln!(text, "| {} | {name} | {right} | {examples} |", of_class.len());
        }
        text.push('\n');
    }
    text.truncate(text.trim_end().len());
    text + "\n"
}

/// The differences of one side by class, the largest class first.
fn classes(tally: &Tally, side: Side) -> Vec<(&'static str, &'static str, Vec<&Difference>)> {
    let mut classes: Vec<(&str, &str, Vec<&Difference>)> = Vec::new();
    for difference in tally.differences.iter().filter(|d| d.side == side) {
        let class = judged::class(tally.language.name, difference);
        let name = class.map_or(judged::OTHER, |class| class.name);
        let right = class.map_or("not judged", |class| class.right);
        match classes.iter_mut().find(|class| class.0 == name) {
            Some(class) => class.2.push(difference),
            None => classes.push((name, right, vec![difference])),
        }
    }
    classes.sort_by_key(|class| std::cmp::Reverse(class.2.len()));
    classes
}

/// Two of a class, from two repositories where there are two.
fn examples(of_class: &[&Difference]) -> String {
    let Some(first) = of_class.first() else { return String::new() };
    let other = of_class.iter().find(|d| d.repository != first.repository).or(of_class.get(1));
    let shown = std::iter::once(first).chain(other).map(|d| format!("`{}`", place(d)));
    shown.collect::<Vec<_>>().join(", ")
}

fn place(d: &Difference) -> String {
    let name = d.tag.name.replace(['|', '`'], "?");
    format!("{}/{}:{} {name}", d.repository, d.tag.file, d.tag.line)
}

/// The counts behind the table.
fn raw(tallies: &[Tally]) -> String {
    let mut text = String::from(
        "language,repositories,files,tags,tags_ours_raw,tags_normalised,tags_ours_normalised,symbols,symbols_theirs_raw,symbols_theirs_normalised\n",
    );
    for tally in tallies {
        let _ = writeln!(
            text,
            "{},{},{},{},{},{},{},{},{},{}",
            tally.language.name,
            tally.repositories.len(),
            tally.files,
            tally.raw.of,
            tally.raw.found,
            tally.normal.of,
            tally.normal.found,
            tally.ours.of,
            tally.ours_raw.found,
            tally.ours.found,
        );
    }
    text
}

/// Every difference, one a line, for a closer look.
pub(super) fn differences(tallies: &[Tally]) -> String {
    let mut text = String::new();
    for tally in tallies {
        for d in &tally.differences {
            let class = judged::class(tally.language.name, d).map_or(judged::OTHER, |c| c.name);
            let _ = writeln!(
                text,
                "{}\t{:?}\t{class}\t{}\t{}\t{}\t{}",
                tally.language.name,
                d.side,
                place(d),
                d.tag.kind,
                d.text,
                d.above,
            );
        }
    }
    text
}

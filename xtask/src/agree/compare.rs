//! The comparison: what share of either side's symbols the other has, and which it has not.
//!
//! A symbol is a name in a line of a file; whatever kind the other side gives it is good enough.

use std::collections::{BTreeMap, HashSet};

use super::languages::Language;
use super::normal::{self, Rule};
use super::{Source, Tag};

/// How many of how many.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Share {
    pub(super) found: usize,
    pub(super) of: usize,
}

impl Share {
    pub(super) fn percent(self) -> String {
        if self.of == 0 { "-".to_owned() } else { format!("{:.2}", self.ratio()) }
    }

    #[expect(clippy::cast_precision_loss, reason = "counts of symbols are small")]
    fn ratio(self) -> f64 {
        self.found as f64 * 100.0 / self.of.max(1) as f64
    }

    fn add(&mut self, is_found: bool) {
        self.of += 1;
        self.found += usize::from(is_found);
    }
}

/// Which side has a symbol that the other has not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    Theirs,
    Ours,
}

/// A symbol of one side that the other has not.
#[derive(Debug)]
pub(super) struct Difference {
    pub(super) side: Side,
    pub(super) repository: String,
    pub(super) tag: Tag,
    /// Its line, and the one before.
    pub(super) text: String,
    pub(super) above: String,
    /// Whether the line is text of a here-document (Ruby).
    pub(super) is_text: bool,
}

/// All that was compared of one language.
pub(super) struct Tally {
    pub(super) language: &'static Language,
    /// What each repository adds: raw, normalised, ours raw, ours normalised.
    pub(super) repositories: BTreeMap<String, [Share; 4]>,
    pub(super) files: usize,
    pub(super) raw: Share,
    pub(super) normal: Share,
    pub(super) ours_raw: Share,
    pub(super) ours: Share,
    pub(super) touched: BTreeMap<Rule, usize>,
    pub(super) differences: Vec<Difference>,
}

type Key = (usize, String);

impl Tally {
    pub(super) fn new(language: &'static Language) -> Self {
        Self {
            language,
            repositories: BTreeMap::new(),
            files: 0,
            raw: Share::default(),
            normal: Share::default(),
            ours_raw: Share::default(),
            ours: Share::default(),
            touched: BTreeMap::new(),
            differences: Vec::new(),
        }
    }

    /// Adds the files of a repository.
    pub(super) fn add<'s>(&mut self, repository: &str, sources: impl Iterator<Item = &'s Source>) {
        let before = self.shares();
        let files = self.files;
        for source in sources {
            self.files += 1;
            self.raw_shares(source);
            self.their_share(repository, source);
            self.our_share(repository, source);
        }
        if self.files > files {
            let added = without(self.shares(), before);
            self.repositories.insert(repository.to_owned(), added);
        }
    }

    pub(super) fn shares(&self) -> [Share; 4] {
        [self.raw, self.normal, self.ours_raw, self.ours]
    }

    /// The repository without which the normalised share is another by more than a point.
    pub(super) fn outlier(&self) -> Option<(&str, [Share; 4])> {
        let all = self.shares();
        let rest = self.repositories.iter().map(|(name, own)| (name.as_str(), without(all, *own)));
        let change = |rest: &[Share; 4]| (rest[1].ratio() - self.normal.ratio()).abs();
        let outlier = rest.max_by(|a, b| change(&a.1).total_cmp(&change(&b.1)));
        outlier.filter(|(_, rest)| change(rest) > 1.0 && rest[1].of > 0)
    }

    fn raw_shares(&mut self, source: &Source) {
        let key = |tag: &Tag| (tag.line, tag.name.clone());
        let ours: HashSet<Key> = source.ours.iter().map(key).collect();
        let theirs: HashSet<Key> = source.theirs.iter().map(key).collect();
        for tag in distinct(&source.theirs, self.language.their_kinds) {
            self.raw.add(ours.contains(&key(tag)));
        }
        for tag in distinct(&source.ours, self.language.our_kinds) {
            self.ours_raw.add(theirs.contains(&key(tag)));
        }
    }

    fn their_share(&mut self, repository: &str, source: &Source) {
        let ours = self.keys(&source.ours);
        for tag in distinct(&source.theirs, self.language.their_kinds) {
            if let Some(rule) = normal::dropped(source, tag) {
                *self.touched.entry(rule).or_default() += 1;
                continue;
            }
            let (name, rule) = normal::name(self.language.name, &tag.name);
            if let Some(rule) = rule {
                *self.touched.entry(rule).or_default() += 1;
            }
            let is_found = ours.contains(&(tag.line, name));
            self.normal.add(is_found);
            if !is_found {
                self.differences.push(difference(Side::Theirs, repository, source, tag));
            }
        }
    }

    fn our_share(&mut self, repository: &str, source: &Source) {
        let theirs = self.keys(&source.theirs);
        for tag in distinct(&source.ours, self.language.our_kinds) {
            let (name, _) = normal::name(self.language.name, &tag.name);
            let is_found = theirs.contains(&(tag.line, name));
            self.ours.add(is_found);
            if !is_found {
                self.differences.push(difference(Side::Ours, repository, source, tag));
            }
        }
    }

    fn keys(&self, tags: &[Tag]) -> HashSet<Key> {
        tags.iter().map(|tag| (tag.line, normal::name(self.language.name, &tag.name).0)).collect()
    }
}

fn without(all: [Share; 4], some: [Share; 4]) -> [Share; 4] {
    std::array::from_fn(|i| Share {
        found: all[i].found - some[i].found,
        of: all[i].of - some[i].of,
    })
}

/// The tags of the given kinds, each name in a line once.
fn distinct<'t>(tags: &'t [Tag], kinds: &[&str]) -> Vec<&'t Tag> {
    let mut seen = HashSet::new();
    let mut kept = Vec::new();
    for tag in tags.iter().filter(|tag| kinds.contains(&tag.kind.as_str())) {
        if seen.insert((tag.line, tag.name.as_str())) {
            kept.push(tag);
        }
    }
    kept
}

fn difference(side: Side, repository: &str, source: &Source, tag: &Tag) -> Difference {
    let line = |before: usize| {
        let idx = tag.line.checked_sub(before);
        idx.and_then(|idx| source.lines.get(idx)).map_or_else(String::new, |l| l.trim().to_owned())
    };
    let is_text = source.language.name == "Ruby" && in_heredoc(&source.lines, tag.line);
    let (repository, tag) = (repository.to_owned(), tag.clone());
    Difference { side, repository, tag, text: line(1), above: line(2), is_text }
}

/// Whether the nearest `<<~WORD` above is still open.
fn in_heredoc(lines: &[String], line: usize) -> bool {
    let before = lines.get(..line.saturating_sub(1)).unwrap_or_default();
    let opened = before.iter().enumerate().rev().find_map(|(idx, line)| {
        let start = line.find("<<~").or_else(|| line.find("<<-"))?;
        let rest = line.get(start + 3..)?.trim_start_matches(['"', '\'', '`']);
        let is_word = |c: &char| c.is_alphanumeric() || *c == '_';
        let word: String = rest.chars().take_while(is_word).collect();
        (!word.is_empty()).then_some((idx, word))
    });
    opened.is_some_and(|(idx, word)| !before.iter().skip(idx + 1).any(|line| line.trim() == word))
}

#[cfg(test)]
mod tests {
    use super::super::languages;
    use super::*;

    fn tags(given: &[(usize, &str, &str)]) -> Vec<Tag> {
        let tag = |(line, name, kind): &(usize, &str, &str)| Tag {
            file: "a".to_owned(),
            line: *line,
            name: (*name).to_owned(),
            kind: (*kind).to_owned(),
        };
        given.iter().map(tag).collect()
    }

    fn tally(
        language: &str,
        ours: &[(usize, &str, &str)],
        theirs: &[(usize, &str, &str)],
    ) -> Tally {
        let language = languages::of(language).unwrap();
        let lines = vec!["one".to_owned(), " two ".to_owned(), "three".to_owned()];
        let (ours, theirs) = (tags(ours), tags(theirs));
        let source = Source { language, path: "a".to_owned(), lines, ours, theirs };
        let mut tally = Tally::new(language);
        tally.add("r", std::iter::once(&source));
        tally
    }

    #[test]
    fn names_in_lines_are_compared_whatever_their_kind() {
        let ours =
            [(1, "f", "function"), (2, "g", "method"), (3, "x", "variable"), (3, "C", "class")];
        let theirs =
            [(1, "f", "function"), (1, "f", "member"), (3, "g", "member"), (3, "x", "function")];
        let tally = tally("python", &ours, &theirs);
        assert_eq!(tally.raw, Share { found: 2, of: 3 });
        assert_eq!(tally.ours, Share { found: 1, of: 3 });
        let of = |side: Side| {
            let own = tally.differences.iter().filter(move |d| d.side == side);
            own.map(|d| format!("{} {} {}", d.tag.name, d.above, d.text)).collect::<Vec<_>>()
        };
        assert_eq!(of(Side::Theirs), ["g two three"]);
        assert_eq!(of(Side::Ours), ["g one two", "C two three"]);
        assert_eq!(tally.repositories["r"], tally.shares());
        assert!(tally.outlier().is_none());
    }

    #[test]
    fn raw_figures_know_no_normalisation() {
        let ours = [(1, "c", "method")];
        let tally = tally("lua", &ours, &[(1, "M.a:c", "function"), (2, "d", "function")]);
        assert_eq!(
            (tally.raw, tally.normal),
            (Share { found: 0, of: 2 }, Share { found: 1, of: 2 })
        );
        assert_eq!((tally.ours_raw.found, tally.ours.found), (0, 1));
        assert_eq!(tally.touched[&Rule::Dotted], 1);
        assert_eq!(tally.normal.percent(), "50.00");
        assert_eq!(Share::default().percent(), "-");
    }

    #[test]
    fn text_of_a_here_document_is_known() {
        let text = "a <<~RUBY, 1\nclass A\n  RUBY\nclass B\n";
        let lines: Vec<String> = text.split('\n').map(str::to_owned).collect();
        let known: Vec<bool> = (1..5).map(|line| in_heredoc(&lines, line)).collect();
        // The closing word is still part of it.
        assert_eq!(known, [false, true, true, false]);
    }

    #[test]
    fn a_dropped_tag_counts_for_neither_side() {
        let tally = tally("c", &[], &[(1, "__anon1", "struct")]);
        assert_eq!((tally.raw.of, tally.normal.of), (1, 0));
        assert!(tally.differences.is_empty());
    }
}

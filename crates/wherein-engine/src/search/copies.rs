//! Hits with the same text, or nearly: vendored twins, generated repeats, translations. They share one place in the list.
//!
//! Texts are compared by a sketch of their runs of words (Broder, "On the resemblance and containment of documents",
//! 1997). Reads the files of the hits; must not drop a place without naming it.

use std::collections::{BTreeSet, HashMap};

use super::Corpus;
use super::rank::Ranked;
use super::snippet::read_text;
use crate::model::Copy;
use crate::tokenize::Tokenizer;

/// Hits beyond the limit that may take the place of copies.
pub(super) const SPARE: usize = 20;
/// Hits that are compared with those before them.
const MAX_COMPARED: usize = 100;
/// Words of one run.
const RUN: usize = 3;
/// The smallest hashes of runs that are kept of a text.
const SKETCH: usize = 32;
/// Texts with fewer runs are alike by chance.
const MIN_RUNS: usize = 12;
/// Shared runs of all, from which on two texts are copies.
const ALIKE: f32 = 0.7;

/// A text as the smallest hashes of its runs.
type Sketch = BTreeSet<u64>;

/// The first `limit` hits that are no copies of earlier ones; those name their copies.
pub(super) fn together(corpus: Corpus<'_>, ranked: Vec<Ranked>, limit: usize) -> Vec<Ranked> {
    let mut reader = Reader::new(corpus);
    let mut kept: Vec<Ranked> = Vec::with_capacity(limit.min(ranked.len()));
    let mut sketches: Vec<Option<Sketch>> = Vec::new();
    for (position, one) in ranked.into_iter().enumerate() {
        // A copy of the last one kept is still named.
        if kept.len() == limit && position >= limit + SPARE {
            break;
        }
        let sketch = (position < MAX_COMPARED).then(|| reader.sketch(&one)).flatten();
        let original = sketch.as_ref().and_then(|sketch| {
            let known = |known: &Option<Sketch>| known.as_ref().is_some_and(|k| alike(k, sketch));
            sketches.iter().position(known)
        });
        match original {
            Some(original) => kept[original].hit.copies.push(copy(&one)),
            None if kept.len() < limit => {
                kept.push(one);
                sketches.push(sketch);
            }
            None => {}
        }
    }
    kept
}

fn copy(ranked: &Ranked) -> Copy {
    let hit = &ranked.hit;
    Copy { path: hit.path.clone(), start_line: hit.start_line, end_line: hit.end_line }
}

/// Whether most of the smallest hashes of both together are in both.
fn alike(a: &Sketch, b: &Sketch) -> bool {
    let smallest = a.union(b).take(SKETCH);
    let (n, n_shared) = smallest.fold((0_u16, 0_u16), |(n, shared), hash| {
        (n + 1, shared + u16::from(a.contains(hash) && b.contains(hash)))
    });
    f32::from(n_shared) >= ALIKE * f32::from(n)
}

/// Reads the texts of hits, each file once.
struct Reader<'a> {
    corpus: Corpus<'a>,
    texts: HashMap<u32, Option<String>>,
    tokenizer: Tokenizer,
}

impl<'a> Reader<'a> {
    fn new(corpus: Corpus<'a>) -> Reader<'a> {
        Reader { corpus, texts: HashMap::new(), tokenizer: Tokenizer::default() }
    }

    /// `None` for a text that is too short to be told from others, or cannot be read.
    fn sketch(&mut self, ranked: &Ranked) -> Option<Sketch> {
        let file_idx = ranked.candidate.file_idx;
        let corpus = self.corpus;
        let text =
            self.texts.entry(file_idx).or_insert_with(|| read_text(corpus, file_idx as usize));
        let (first, last) = (ranked.hit.start_line as usize, ranked.hit.end_line as usize);
        let lines = text.as_deref()?.split('\n').skip(first - 1).take(last + 1 - first);
        sketch(&mut self.tokenizer, lines)
    }
}

fn sketch<'t>(tokenizer: &mut Tokenizer, lines: impl Iterator<Item = &'t str>) -> Option<Sketch> {
    let mut words: Vec<u64> = Vec::new();
    for line in lines {
        tokenizer.words(line, |word| words.push(crate::embed::term_hash(word.folded)));
    }
    let run = |run: &[u64]| {
        run.iter().fold(0_u64, |hash, word| {
            (hash.rotate_left(13) ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15)
        })
    };
    let mut runs: BTreeSet<u64> = words.windows(RUN).map(run).collect();
    if runs.len() < MIN_RUNS {
        return None;
    }
    if let Some(cut) = runs.iter().nth(SKETCH).copied() {
        runs.split_off(&cut);
    }
    Some(runs)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> Option<Sketch> {
        sketch(&mut Tokenizer::default(), text.lines())
    }

    const CODE: &str = "fn open(path: &Path) -> Result<File> {\n let file = File::open(path)?;\n \
                        let length = file.metadata()?.len();\n if length > LIMIT { return Err(TooLarge); }\n Ok(file)\n}";

    #[test]
    fn nearly_the_same_is_a_copy_and_something_else_is_none() {
        let original = of(CODE).unwrap();
        assert!(alike(&original, &of(CODE).unwrap()));
        assert!(alike(&original, &of(&CODE.replace(' ', "\t")).unwrap()));
        assert!(alike(&original, &of(&CODE.replace("TooLarge", "TooBig")).unwrap()));
        let other = "fn close(self) { drop(self.lock); self.sender.send(Closed).ok(); \
                     for waiter in self.waiters { waiter.wake_by_ref(); } self.count = 0; }";
        assert!(!alike(&original, &of(other).unwrap()));
    }

    #[test]
    fn a_few_words_are_no_copy_of_a_few_words() {
        assert_eq!(of("return self.value\n"), None);
        assert_eq!(of(""), None);
    }
}

//! Hits with the same text, or nearly: vendored twins, generated repeats, translations. They share one place in the list.
//!
//! Texts are compared by a sketch of their runs of words (Broder, "On the resemblance and containment of documents",
//! 1997). Reads the files of the hits; must not drop a place without naming it.

use std::collections::HashMap;
use std::sync::Arc;

use super::Corpus;
use super::best_lines::text_now;
use super::memory::{FileMemory, Text};
use super::rank::Ranked;
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
/// So many runs that only one of them has are too many, whatever follows: 0.7 × 32 are more than 32 less these.
const TOO_MANY: u16 = 10;

/// A text as the smallest hashes of its runs, in order.
type Sketch = Arc<[u64]>;

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
fn alike(a: &[u64], b: &[u64]) -> bool {
    let (mut at_a, mut at_b) = (0, 0);
    let (mut n, mut n_shared) = (0_u16, 0_u16);
    while usize::from(n) < SKETCH {
        // Most texts are nothing like each other, and that shows soon.
        if n - n_shared >= TOO_MANY {
            return false;
        }
        match (a.get(at_a), b.get(at_b)) {
            (None, None) => break,
            (Some(x), Some(y)) if x == y => {
                (at_a, at_b) = (at_a + 1, at_b + 1);
                n_shared += 1;
            }
            (Some(x), Some(y)) if x > y => at_b += 1,
            (None, Some(_)) => at_b += 1,
            _ => at_a += 1,
        }
        n += 1;
    }
    f32::from(n_shared) >= ALIKE * f32::from(n)
}

/// A text, with the memory of its file where it looks as it was remembered.
type Known = (Arc<Text>, Option<Arc<FileMemory>>);

/// Reads the texts of hits, each file once.
struct Reader<'a> {
    corpus: Corpus<'a>,
    texts: HashMap<u32, Option<Known>>,
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
        let read = self.texts.entry(file_idx).or_insert_with(|| {
            let text = text_now(corpus, file_idx as usize)?;
            let file = corpus.epoch.files.file(corpus.generation, file_idx as usize);
            let is_remembered =
                |file: &Arc<FileMemory>| file.text().is_some_and(|known| Arc::ptr_eq(known, &text));
            Some((Arc::clone(&text), file.filter(is_remembered)))
        });
        let (text, file) = read.as_ref()?;
        let lines = (ranked.hit.start_line, ranked.hit.end_line);
        let tokenizer = &mut self.tokenizer;
        let mut work_out = || sketch(tokenizer, text.lines(lines.0, lines.1).map(|(_, line)| line));
        match file {
            Some(file) => corpus.epoch.files.sketch(file, lines, work_out),
            None => work_out(),
        }
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
    let mut runs: Vec<u64> = words.windows(RUN).map(run).collect();
    runs.sort_unstable();
    runs.dedup();
    if runs.len() < MIN_RUNS {
        return None;
    }
    runs.truncate(SKETCH);
    Some(runs.into())
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

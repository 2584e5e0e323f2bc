//! Weights that put a question near the code that answers it and away from other code.
//!
//! Symmetric in-batch InfoNCE (van den Oord, Li & Vinyals, 2018) over batches made of groups of one repository, so that
//! most wrong answers are hard ones. A document's score is what the product computes: its mean and its best window of
//! lines, mixed. Gradients are written out: a table has two kinds of them, which is less than a framework asks to be
//! told. Must give the same bytes on any number of threads.

mod adam;
mod batch;
mod judge;
mod loss;

use std::path::Path;
use std::time::Instant;

use anyhow::Result;

use crate::corpus::{self, Corpus};
use crate::pair::PairKind;
use crate::random::Random;
use crate::say;
use crate::weights::Weights;
pub(crate) use judge::{Judged, judge};

/// What can be tried.
#[derive(Debug, Clone, clap::Args)]
pub(crate) struct Options {
    /// Pairs of one step
    #[arg(long, default_value_t = 768)]
    pub(crate) batch: usize,
    /// Of these, taken from one repository together
    #[arg(long, default_value_t = 96)]
    pub(crate) group: usize,
    /// Similarities are divided by this
    #[arg(long, default_value_t = 0.07)]
    pub(crate) temperature: f32,
    /// How much the best window counts, beside the mean
    #[arg(long, default_value_t = 0.5)]
    pub(crate) mix: f32,
    /// How often a word of the head counts
    #[arg(long, default_value_t = 1.0)]
    pub(crate) head_weight: f32,
    /// Share of heads that are left out
    #[arg(long, default_value_t = 0.3)]
    pub(crate) head_dropout: f64,
    /// Share of a question's words that are left out
    #[arg(long, default_value_t = 0.1)]
    pub(crate) word_dropout: f64,
    /// Step of directions; strengths take twice as much
    #[arg(long, default_value_t = 0.005)]
    pub(crate) rate: f32,
    /// Passes over the pairs
    #[arg(long, default_value_t = 1.5)]
    pub(crate) epochs: f64,
    /// A language counts by its pairs to this power
    #[arg(long, default_value_t = 0.75)]
    pub(crate) balance: f64,
    /// How much commits count beside other pairs
    #[arg(long, default_value_t = 2.0)]
    pub(crate) commits: f64,
    /// How much names count beside other pairs
    #[arg(long, default_value_t = 1.0)]
    pub(crate) names: f64,
    /// Where the result goes, below the work folder
    #[arg(long, default_value = "fit.bin")]
    pub(crate) out: String,
}

/// Learns from `init.bin` and writes the result.
pub(crate) fn run(work: &Path, options: &Options, seed: u64) -> Result<()> {
    let corpus = corpus::read(work)?;
    let mut weights = Weights::read(work, "init.bin", "init")?;
    say(&format!("{} pairs; before: {}", corpus.pairs.len(), judge(&corpus, &weights, options)));
    let started = Instant::now();
    learn(&corpus, &mut weights, options, seed);
    say(&format!("learned in {:.0} s", started.elapsed().as_secs_f64()));
    let judged = judge(&corpus, &weights, options);
    say(&format!("after: {judged}"));
    weights.write(work, &options.out)?;
    let record =
        serde_json::json!({ "options": format!("{options:?}"), "seed": seed, "judged": judged });
    std::fs::write(work.join(&options.out).with_extension("json"), record.to_string())?;
    Ok(())
}

fn learn(corpus: &Corpus, weights: &mut Weights, options: &Options, seed: u64) {
    let mut random = Random::new(seed);
    let sampler = Sampler::new(corpus, options);
    let total = sampler.n_steps(options);
    let mut adam = adam::Adam::new(weights);
    let (mut step, mut losses) = (0, Vec::new());
    let started = Instant::now();
    while step < total {
        for pairs in sampler.pass(&mut random, options) {
            step += 1;
            let batch = batch::Batch::of(corpus, &pairs, options, &mut random);
            let forward = batch::forward(&batch, weights);
            let (loss, gradient) = loss::loss(&batch, &forward, options);
            let gradients = batch::backward(&batch, &forward, gradient, weights);
            let decay = (1.0 - step as f32 / total as f32).max(0.05);
            let rate = options.rate * decay * (step as f32 / 30.0).min(1.0);
            adam.step(weights, &gradients, rate, step as i32);
            losses.push(loss);
            if step % 100 == 0 {
                let mean = losses[losses.len() - 100..].iter().sum::<f32>() / 100.0;
                let seconds = started.elapsed().as_secs_f64();
                say(&format!("step {step} of {total}, {seconds:.0} s, loss {mean:.4}"));
            }
            if step >= total {
                break;
            }
        }
    }
}

/// Chooses the pairs of each step.
struct Sampler {
    /// Pairs to learn from, with how often each is taken in a pass.
    pairs: Vec<(usize, f64)>,
    repositories: Vec<u16>,
}

impl Sampler {
    fn new(corpus: &Corpus, options: &Options) -> Sampler {
        let learned = |pair: &usize| !corpus.development[corpus.pairs[*pair].repository as usize];
        let chosen: Vec<usize> = (0..corpus.pairs.len()).filter(learned).collect();
        let mut n_of_language = vec![0_u32; corpus.languages.len()];
        chosen.iter().for_each(|pair| n_of_language[corpus.pairs[*pair].language as usize] += 1);
        let most = f64::from(n_of_language.iter().copied().max().unwrap_or(1));
        let share = |pair: usize| {
            let about = corpus.pairs[pair];
            let n = f64::from(n_of_language[about.language as usize]);
            let kind = match about.kind {
                PairKind::Commit => options.commits,
                PairKind::Name => options.names,
                _ => 1.0,
            };
            (n / most).powf(options.balance - 1.0) * kind
        };
        let mut pairs: Vec<(usize, f64)> = chosen.iter().map(|p| (*p, share(*p))).collect();
        let mean = pairs.iter().map(|(_, share)| share).sum::<f64>() / pairs.len().max(1) as f64;
        pairs.iter_mut().for_each(|(_, share)| *share /= mean);
        let repositories = corpus.pairs.iter().map(|about| about.repository).collect();
        Sampler { pairs, repositories }
    }

    fn n_steps(&self, options: &Options) -> usize {
        (self.pairs.len() as f64 * options.epochs / options.batch as f64) as usize
    }

    /// One pass: each pair as often as its share says, in groups of one repository, the groups shuffled into batches.
    fn pass(&self, random: &mut Random, options: &Options) -> Vec<Vec<usize>> {
        let mut taken = Vec::new();
        for (pair, share) in &self.pairs {
            let times = share.floor() as usize + usize::from(random.unit() < share.fract());
            taken.extend(std::iter::repeat_n(*pair, times));
        }
        random.shuffle(&mut taken);
        taken.sort_by_key(|pair| self.repositories[*pair]);
        let mut groups: Vec<&[usize]> = taken
            .chunk_by(|a, b| self.repositories[*a] == self.repositories[*b])
            .flat_map(|of_one| of_one.chunks(options.group))
            .filter(|group| group.len() * 2 >= options.group)
            .collect();
        random.shuffle(&mut groups);
        let mut batches = vec![Vec::new()];
        for group in groups {
            if batches.last().is_some_and(|b| b.len() + group.len() > options.batch) {
                batches.push(Vec::new());
            }
            if let Some(last) = batches.last_mut() {
                last.extend_from_slice(group);
            }
        }
        batches
    }
}

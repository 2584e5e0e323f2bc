//! What the model is, from what, how it was measured, its licence and its limits; and what each repository gave.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

use anyhow::{Result, ensure};

use crate::manifest::Manifest;
use crate::mine;
use crate::pair::PairKind;
use crate::quantise::{self, NAME, Quantised};

const ABOUT: &str = "A table of vectors for words of code and prose. The vector of a text is the weighted sum of those of \
its words; words that are not in the table are put together from pieces of three to five letters.";
const LIMITS: &str = "English questions. No word order, no negation: 'lock before write' and 'write before lock' are one \
question. Words that none of the repositories use are only known by their pieces. Learned from open-source libraries and \
tools: the words of a company's own domain are not in it.";

/// Writes `NAME.toml` and `NAME.counts.tsv` beside the table.
pub(crate) fn run(manifest: &Manifest, work: &Path, models: &Path, fitted: &str) -> Result<()> {
    let quantised = quantise::read(work)?;
    let bytes = std::fs::read(quantise::file(models, "table"))?;
    let hash = blake3::hash(&bytes).to_hex().to_string();
    ensure!(
        hash == quantised.table_blake3,
        "the table in {} has the hash {hash}, and what was quantised has {}",
        models.display(),
        quantised.table_blake3
    );
    let record = std::fs::read_to_string(work.join(fitted).with_extension("json"))?;
    let record: serde_json::Value = serde_json::from_str(&record)?;
    let fitted = record["options"].as_str().unwrap_or_default();
    let (counts, kinds, languages) = counts(manifest, work)?;
    std::fs::write(quantise::file(models, "counts.tsv"), counts)?;
    let card = card(manifest, &quantised, &kinds, &languages, fitted);
    std::fs::write(quantise::file(models, "toml"), card)?;
    Ok(())
}

type Sums = BTreeMap<String, usize>;

fn counts(manifest: &Manifest, work: &Path) -> Result<(String, Sums, Sums)> {
    let mut table = "repository\trevision\tlicence\tuse".to_owned();
    PairKind::ALL.iter().for_each(|kind| table.extend(["\t", kind.as_str()]));
    table.push_str("\tfiles excluded\tpairs excluded\n");
    let (mut kinds, mut languages) = (Sums::new(), Sums::new());
    for repository in &manifest.repository {
        let counts = mine::counts(work, repository)?;
        let purpose = if repository.development { "development" } else { "training" };
        write!(
            table,
            "{}\t{}\t{}\t{purpose}",
            repository.name, repository.revision, repository.licence
        )?;
        for kind in PairKind::ALL {
            write!(table, "\t{}", counts.kinds.get(kind.as_str()).copied().unwrap_or_default())?;
        }
        writeln!(table, "\t{}\t{}", counts.files_excluded, counts.pairs_excluded)?;
        if !repository.development {
            counts.kinds.iter().for_each(|(k, n)| *kinds.entry(k.clone()).or_default() += n);
            counts
                .languages
                .iter()
                .for_each(|(l, n)| *languages.entry(l.clone()).or_default() += n);
        }
    }
    Ok((table, kinds, languages))
}

fn card(
    manifest: &Manifest,
    quantised: &Quantised,
    kinds: &Sums,
    languages: &Sums,
    fitted: &str,
) -> String {
    let n_learned = manifest.repository.iter().filter(|r| !r.development).count();
    let n_kept = manifest.repository.len() - n_learned;
    let sums = |sums: &Sums| {
        let mut ordered: Vec<(&String, &usize)> = sums.iter().filter(|(_, n)| **n >= 100).collect();
        ordered.sort_by(|a, b| b.1.cmp(a.1).then(a.0.cmp(b.0)));
        ordered.iter().map(|(name, n)| format!("{name:?} = {n}")).collect::<Vec<_>>().join(", ")
    };
    format!(
        "# The card of the built-in model. Written by `wherein-train card`.\n\
         name = \"{NAME}\"\n\
         about = \"{ABOUT}\"\n\
         licence = \"MIT OR Apache-2.0\"\n\
         limits = \"{LIMITS}\"\n\
         table_blake3 = \"{}\"\n\
         n_bytes = {}\n\
         dimensions = {}\n\
         n_terms = {}\n\
         n_words = {}\n\
         n_pieces = {}\n\n\
         [made_from]\n\
         teacher = \"all-MiniLM-L6-v2 (Apache-2.0): the first vectors of words\"\n\
         repositories = {n_learned}\n\
         development_repositories = {n_kept}\n\
         excluded_repositories = {}\n\
         pairs = {{ {} }}\n\
         languages = {{ {} }}\n\
         fit = {}\n\n\
         [measured]\n\
         what = \"mean reciprocal rank on pairs of the development repositories, each question against up to 1,500 documents of its repository and kind\"\n\
         float32 = {{ {} }}\n\
         int8 = {{ {} }}\n\
         mean_cosine_of_rows = {:.6}\n",
        quantised.table_blake3,
        quantised.n_bytes,
        quantised.dimensions,
        quantised.n_words + quantised.n_pieces,
        quantised.n_words,
        quantised.n_pieces,
        manifest.excluded.len(),
        sums(kinds),
        sums(languages),
        serde_json::Value::String(fitted.to_owned()),
        ranks(&quantised.before),
        ranks(&quantised.after),
        quantised.mean_cosine,
    )
}

fn ranks(judged: &crate::fit::Judged) -> String {
    let part = |(kind, value): (&String, &f32)| format!("{kind} = {value:.4}");
    judged.reciprocal_rank.iter().map(part).collect::<Vec<_>>().join(", ")
}

//! The model that is part of the program: a table of terms, ready without loading, downloading or hashing anything.
//!
//! What it is stands in its card, which is committed beside it; that the two belong together is a test's business and
//! that of `wherein model verify`. Must not cost anything that grows with the table when it is opened.

use std::sync::{Mutex, PoisonError};

use wherein_engine::{
    Embedder, Error, ModelIdentity, Result, Role, TOKENIZER_VERSION, TableReader, TermTable,
};

static TABLE: &[u8] = include_bytes!("../../../models/builtin-code-v1.table");
const CARD: &str = include_str!("../../../models/builtin-code-v1.toml");
/// Names that begin so are the program's own.
const RESERVED: &str = "builtin-";

/// What the card says as far as the program needs it.
#[derive(Debug, Clone, serde::Deserialize)]
struct Card {
    name: String,
    table_blake3: String,
    dimensions: u32,
    n_terms: u32,
    licence: String,
}

/// The built-in model.
#[derive(Debug)]
pub struct BuiltinModel {
    table: TermTable,
    identity: ModelIdentity,
    card: Card,
    /// Those that no thread is using: each remembers the words that it has seen.
    readers: Mutex<Vec<TableReader>>,
}

impl BuiltinModel {
    /// What people call it.
    pub const NAME: &'static str = "builtin-code-v1";

    /// The model as it was linked in.
    ///
    /// # Errors
    /// [`wherein_engine::ErrorKind::Model`] when the table is damaged, made for another tokenizer, or not that of its card.
    pub fn open() -> Result<BuiltinModel> {
        BuiltinModel::of(TABLE, CARD)
    }

    fn of(table: &'static [u8], card: &str) -> Result<BuiltinModel> {
        let card: Card = toml::from_str(card)
            .map_err(|error| broken(&format!("its card cannot be read: {}", error.message())))?;
        let table = TermTable::open(table).map_err(|error| broken(&error.to_string()))?;
        let is_its = table.dimensions() == card.dimensions as usize
            && table.n_terms() == card.n_terms as usize
            && card.name == Self::NAME;
        if !is_its {
            return Err(broken("the table is not the one of its card"));
        }
        let tokenizer = format!("wherein tokenizer {TOKENIZER_VERSION}");
        let identity = ModelIdentity {
            name: card.name.clone(),
            weights_hash: card.table_blake3.clone(),
            tokenizer_hash: blake3::hash(tokenizer.as_bytes()).to_hex().to_string(),
            pooling: "sum".to_owned(),
            question_prefix: String::new(),
            passage_prefix: String::new(),
            max_tokens: ModelIdentity::ALL_TOKENS,
            dimensions: card.dimensions,
            normalised: true,
        };
        Ok(BuiltinModel { table, identity, card, readers: Mutex::default() })
    }

    /// Whether this name, letter case aside, is that of the built-in model.
    pub fn is_named(name: &str) -> bool {
        name.eq_ignore_ascii_case(Self::NAME)
    }

    /// Whether a name is kept for built-in models, this one, earlier and later ones.
    pub fn reserves(name: &str) -> bool {
        name.get(..RESERVED.len()).is_some_and(|start| start.eq_ignore_ascii_case(RESERVED))
    }

    /// Licence of the table, as an SPDX name.
    pub fn licence(&self) -> &str {
        &self.card.licence
    }

    /// Bytes of the table.
    pub fn size(&self) -> u64 {
        self.table.bytes().len() as u64
    }

    /// Reads the whole table and compares it with its card.
    ///
    /// # Errors
    /// [`wherein_engine::ErrorKind::Model`] when they differ.
    pub fn verify(&self) -> Result<()> {
        let (found, said) = (blake3::hash(self.table.bytes()).to_hex(), &self.card.table_blake3);
        if found.as_str() == said {
            return Ok(());
        }
        Err(broken(&format!("the table has blake3 {found}, its card says {said}")))
    }

    fn with_reader<T>(&self, read: impl FnOnce(&mut TableReader) -> T) -> T {
        let readers = || self.readers.lock().unwrap_or_else(PoisonError::into_inner);
        let mut reader = readers().pop().unwrap_or_default();
        let done = read(&mut reader);
        readers().push(reader);
        done
    }
}

fn broken(what: &str) -> Error {
    Error::model(format!("the built-in model cannot be used: {what}"))
        .with_hint("install wherein again; --model none compares words alone")
}

impl Embedder for BuiltinModel {
    fn identity(&self) -> &ModelIdentity {
        &self.identity
    }

    fn count_tokens(&self, _role: Role, texts: &[&str]) -> Result<Vec<usize>> {
        Ok(self.with_reader(|reader| texts.iter().map(|text| reader.n_words(text)).collect()))
    }

    fn embed(&self, role: Role, texts: &[&str]) -> Result<Vec<Vec<f32>>> {
        let table = &self.table;
        Ok(self.with_reader(|reader| {
            texts.iter().map(|text| reader.vector(table, role, text)).collect()
        }))
    }

    fn table(&self) -> Option<&TermTable> {
        Some(&self.table)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn question(text: &str) -> Vec<f32> {
        BuiltinModel::open().unwrap().embed(Role::Question, &[text]).unwrap().remove(0)
    }

    #[test]
    fn the_table_is_the_one_of_its_card() {
        let model = BuiltinModel::open().unwrap();
        model.verify().unwrap();
        assert_eq!(model.identity().dimensions as usize, model.table.dimensions());
        assert!(!model.licence().is_empty());
    }

    #[test]
    fn another_card_is_refused_with_the_reason() {
        let card = |what: &str, other: &str| CARD.replacen(what, other, 1);
        let hash = toml::from_str::<Card>(CARD).unwrap().table_blake3;
        let other = BuiltinModel::of(TABLE, &card(&hash, &"0".repeat(64))).unwrap();
        let error = other.verify().unwrap_err();
        assert!(error.to_string().contains(&hash) && error.hint().is_some(), "{error}");
        for text in
            [card("dimensions", "# "), card("name", "nam"), card("n_terms = ", "n_terms = 1")]
        {
            assert!(BuiltinModel::of(TABLE, &text).is_err(), "{text}");
        }
        assert!(BuiltinModel::of(&TABLE[..TABLE.len() - 1], CARD).is_err());
    }

    #[test]
    fn a_question_has_length_one_or_is_nothing_at_all() {
        let length =
            |vector: Vec<f32>| vector.iter().map(|value| value * value).sum::<f32>().sqrt();
        assert!((length(question("parse the config file")) - 1.0).abs() < 1e-5);
        for text in ["", "?!", "xqzvj", "9f86d081884c7d65", "ᚠᛇᚻ"] {
            assert!(question(text).iter().all(|value| *value == 0.0), "{text}");
        }
    }

    #[test]
    fn the_head_of_a_passage_counts_as_the_table_says() {
        let model = BuiltinModel::open().unwrap();
        let texts = ["file\nerror", "error\nfile", "file error\n"];
        let made = model.embed(Role::Passage, &texts).unwrap();
        assert_ne!(made[0], made[1]);
        assert_eq!(made, model.embed(Role::Passage, &texts).unwrap());
        assert_eq!(model.count_tokens(Role::Passage, &["open_file now"]).unwrap(), [3]);
    }

    #[test]
    fn names_of_built_in_models_are_the_programs() {
        assert!(BuiltinModel::is_named("Builtin-Code-V1") && BuiltinModel::reserves("builtin-x"));
        assert!(!BuiltinModel::is_named("builtin-x") && !BuiltinModel::reserves("built"));
    }
}

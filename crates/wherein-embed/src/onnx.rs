//! A model folder as an embedder: one session of rten behind the engine's port.
//!
//! Loading holds the description against the model: hashes where they are recorded, the tokenizer's ids
//! against the rows of the table, dimensions against what comes out. It must not cut batches or cache: that
//! is the engine's.

use std::path::Path;
use std::sync::Arc;

use rten::{Model, ModelOptions, NodeId, RunOptions, ThreadPool, Value, ValueOrView};
use rten_tensor::prelude::*;
use rten_tensor::{NdTensor, Tensor};
use wherein_engine::{Embedder, Error, ModelIdentity, Result, Role};

use crate::tokens::{Rows, Tokens};
use crate::{ModelFolder, files, pooling};

/// More threads than this only fight for the same cores.
const MAX_THREADS: usize = 128;

/// How a session runs; never what it computes.
#[derive(Debug, Clone, Default)]
pub struct OnnxOptions {
    /// Threads of the session's own pool; as many as the machine has where not said.
    pub n_threads: Option<usize>,
}

/// A loaded ONNX model.
#[derive(Debug)]
pub struct OnnxModel {
    folder: ModelFolder,
    identity: ModelIdentity,
    tokens: Tokens,
    session: Session,
    threads: Arc<ThreadPool>,
}

/// A graph with the nodes that texts go in at and vectors come out of.
#[derive(Debug)]
struct Session {
    model: Model,
    inputs: Vec<(NodeId, Input)>,
    output: NodeId,
}

/// What the graph may ask for.
#[derive(Debug, Clone, Copy)]
enum Input {
    Ids,
    Mask,
    Types,
    Positions,
}

impl OnnxModel {
    /// Loads and probes the model that `folder` describes.
    pub fn load(folder: &ModelFolder, options: &OnnxOptions) -> Result<OnnxModel> {
        let mut loaded = OnnxModel::load_unprobed(folder, options)?;
        loaded.identity.dimensions = loaded.probe()?;
        Ok(loaded)
    }

    /// Loads a model that was probed when it was recorded: the same files need no second look at what they compute.
    pub(crate) fn load_recorded(
        folder: &ModelFolder,
        options: &OnnxOptions,
        recorded: &ModelIdentity,
    ) -> Result<OnnxModel> {
        let mut loaded = OnnxModel::load_unprobed(folder, options)?;
        loaded.identity.dimensions = recorded.dimensions;
        if loaded.identity != *recorded {
            let root = folder.root.display();
            return Err(Error::model(format!("the model in {root} is not the one that was added"))
                .with_hint("pull or add the model again"));
        }
        Ok(loaded)
    }

    /// Reads, hashes and checks the files. The tokenizer and the hashes take about as long as the session, so they
    /// have a thread of their own.
    fn load_unprobed(folder: &ModelFolder, options: &OnnxOptions) -> Result<OnnxModel> {
        let (known, session) = std::thread::scope(|scope| {
            let known = scope.spawn(|| {
                let weights_hash = checked_hash(folder, folder.weight_files())?;
                let tokenizer = std::iter::once(folder.tokenizer.as_path());
                let tokenizer_hash = checked_hash(folder, tokenizer)?;
                Ok((identity(folder, weights_hash, tokenizer_hash), Tokens::load(folder)?))
            });
            let session = OnnxModel::session(folder);
            let crashed = || Err(Error::bug("the thread that reads the tokenizer panicked"));
            (known.join().unwrap_or_else(|_| crashed()), session)
        });
        // A file that is not the one that was added explains whatever else is wrong with it.
        let (identity, tokens) = known?;
        let session = session?;
        let available = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        let n_threads = options.n_threads.unwrap_or(available).min(MAX_THREADS);
        let threads = ThreadPool::with_num_threads(n_threads);
        let (folder, threads) = (folder.clone(), Arc::new(threads));
        Ok(OnnxModel { folder, identity, tokens, session, threads })
    }

    fn session(folder: &ModelFolder) -> Result<Session> {
        let path = &folder.onnx;
        let mut load = ModelOptions::with_all_ops();
        let model = load.prepack_weights(true).load_file(path).map_err(|error| {
            Error::model(format!("cannot load {}: {error}", path.display())).with_hint(
                "fetch the file again; it is damaged, cut short or uses what rten does not know",
            )
        })?;
        let inputs = inputs(&model, path)?;
        let output = output(&model, path)?;
        Ok(Session { model, inputs, output })
    }

    /// The description that it was loaded from.
    pub fn folder(&self) -> &ModelFolder {
        &self.folder
    }

    /// Runs the tokenizer's highest id through the model; gives the dimensions.
    fn probe(&self) -> Result<u32> {
        let highest = self.tokens.highest_id();
        let rows = |id| Rows { ids: vec![id], types: vec![0], n_tokens: vec![1], n_columns: 1 };
        // The lowest id first: where that fails, the model is at fault and not the tokenizer.
        let vector = self.vectors(&rows(0))?.remove(0);
        self.vectors(&rows(highest as i32)).map_err(|error| {
            let (tokenizer, model) = (self.folder.tokenizer.display(), self.folder.onnx.display());
            let message = format!(
                "{tokenizer} knows ids up to {highest}, which {model} does not read: {error}"
            );
            Error::model(message)
                .with_hint("the two files belong to different models; fetch both from one place")
        })?;
        let found = u32::try_from(vector.len()).unwrap_or(u32::MAX);
        match self.folder.dimensions {
            Some(wanted) if wanted != found => {
                let model = self.folder.onnx.display();
                let message = format!(
                    "{model} gives vectors of {found} dimensions, its folder says {wanted}"
                );
                Err(Error::model(message)
                    .with_hint("the files of the folder belong to different models"))
            }
            _ => Ok(found),
        }
    }

    /// Runs as many tokens as the model is to read: a limit beyond its table of positions shows only then. Also
    /// refuses prefixes that leave a text no room.
    pub(crate) fn check_limit(&self) -> Result<()> {
        let n = self.folder.max_tokens as usize;
        for (role, prefix) in [
            (Role::Question, &self.folder.question_prefix),
            (Role::Passage, &self.folder.passage_prefix),
        ] {
            let n_prefix = self.tokens.count(role, &[""])?[0];
            if !prefix.is_empty() && n_prefix * 2 > n {
                let message = format!("a prefix of {n_prefix} tokens leaves texts little of {n}");
                return Err(
                    Error::usage(message).with_hint("give a shorter prefix or a higher limit")
                );
            }
        }
        let rows = Rows { ids: vec![0; n], types: vec![0; n], n_tokens: vec![n], n_columns: n };
        self.vectors(&rows).map(drop).map_err(|error| {
            Error::model(format!(
                "{} does not read {n} tokens: {error}",
                self.folder.onnx.display()
            ))
            .with_hint("give what it reads with --max-tokens N")
        })
    }

    fn vectors(&self, rows: &Rows) -> Result<Vec<Vec<f32>>> {
        let value = self.run(rows)?;
        let mut vectors = self.pool(value, rows)?;
        for vector in &mut vectors {
            let is_finite = vector.iter().all(|value| value.is_finite());
            if !is_finite || (self.folder.normalise && !pooling::normalise(vector)) {
                let message = format!(
                    "{} gives no vector (NaN, infinite or all zero)",
                    self.folder.onnx.display()
                );
                return Err(Error::model(message)
                    .with_hint("the weights are damaged; fetch the file again"));
            }
        }
        Ok(vectors)
    }

    fn run(&self, rows: &Rows) -> Result<Value> {
        let inputs = self.session.inputs.iter().map(|(id, input)| (*id, tensor(*input, rows)));
        let options = RunOptions::default().with_thread_pool(Some(Arc::clone(&self.threads)));
        let outputs =
            self.session.model.run(inputs.collect(), &[self.session.output], Some(options));
        let outputs = outputs.map_err(|error| {
            Error::model(format!("{} fails: {error}", self.folder.onnx.display()))
        })?;
        outputs.into_iter().next().ok_or_else(|| Error::bug("a session without output"))
    }

    /// One vector a row, from vectors of tokens or from what the graph has pooled itself.
    fn pool(&self, value: Value, rows: &Rows) -> Result<Vec<Vec<f32>>> {
        let unfit = |what: String| {
            Error::model(format!(
                "{} gives {what}, not one vector a token or text",
                self.folder.onnx.display()
            ))
        };
        let tensor: Tensor<f32> =
            value.try_into().map_err(|error| unfit(format!("no numbers ({error})")))?;
        let shape = tensor.shape().to_vec();
        let data = tensor.to_vec();
        let n_texts = rows.n_tokens.len();
        match shape[..] {
            [n, dimensions] if n == n_texts && dimensions > 0 => {
                Ok(data.chunks_exact(dimensions).map(<[f32]>::to_vec).collect())
            }
            [n, columns, dimensions]
                if n == n_texts && columns == rows.n_columns && dimensions > 0 =>
            {
                let texts = data.chunks_exact(columns * dimensions).zip(&rows.n_tokens);
                let pooling = self.folder.pooling;
                Ok(texts.map(|(text, n)| pooling.apply(text, dimensions, *n)).collect())
            }
            _ => Err(unfit(format!("an output of shape {shape:?}"))),
        }
    }
}

impl Embedder for OnnxModel {
    fn identity(&self) -> &ModelIdentity {
        &self.identity
    }

    fn count_tokens(&self, role: Role, texts: &[&str]) -> Result<Vec<usize>> {
        self.tokens.count(role, texts)
    }

    fn embed(&self, role: Role, texts: &[&str]) -> Result<Vec<Vec<f32>>> {
        if texts.is_empty() {
            return Ok(Vec::new());
        }
        self.vectors(&self.tokens.rows(role, texts)?)
    }
}

/// blake3 over files: of one, its own hash; of several, that of their hashes in order.
fn checked_hash<'a>(folder: &ModelFolder, paths: impl Iterator<Item = &'a Path>) -> Result<String> {
    let mut hashes = Vec::new();
    for path in paths {
        let hash = files::blake3(path)?;
        let name =
            path.strip_prefix(&folder.root).unwrap_or(path).to_string_lossy().replace('\\', "/");
        if folder.expected_hashes.get(&name).is_some_and(|expected| *expected != hash) {
            let message =
                format!("{} is not the file that was added: its hash differs", path.display());
            return Err(Error::model(message).with_hint("pull or add the model again"));
        }
        hashes.push(hash);
    }
    match hashes.as_slice() {
        [only] => Ok(only.clone()),
        all => Ok(blake3::hash(all.concat().as_bytes()).to_hex().to_string()),
    }
}

fn identity(folder: &ModelFolder, weights_hash: String, tokenizer_hash: String) -> ModelIdentity {
    ModelIdentity {
        name: folder.name.clone(),
        weights_hash,
        tokenizer_hash,
        pooling: folder.pooling.name().to_owned(),
        question_prefix: folder.question_prefix.clone(),
        passage_prefix: folder.passage_prefix.clone(),
        max_tokens: folder.max_tokens,
        dimensions: folder.dimensions.unwrap_or_default(),
        normalised: folder.normalise,
    }
}

fn inputs(model: &Model, path: &Path) -> Result<Vec<(NodeId, Input)>> {
    let name = |id: &NodeId| {
        model.node_info(*id).and_then(|info| info.name()).unwrap_or_default().to_owned()
    };
    let input = |id: &NodeId| match name(id).as_str() {
        "input_ids" => Ok((*id, Input::Ids)),
        "attention_mask" => Ok((*id, Input::Mask)),
        "token_type_ids" => Ok((*id, Input::Types)),
        "position_ids" => Ok((*id, Input::Positions)),
        other => Err(Error::model(format!(
            "{} asks for the unknown input '{other}'",
            path.display()
        ))
        .with_hint(
            "only text encoders are read: input_ids, attention_mask, token_type_ids, position_ids",
        )),
    };
    model.input_ids().iter().map(input).collect()
}

/// The pooled output where the graph has one, else that of the tokens, else the first.
fn output(model: &Model, path: &Path) -> Result<NodeId> {
    let named = |name: &str| {
        let is = |id: &&NodeId| model.node_info(**id).and_then(|info| info.name()) == Some(name);
        model.output_ids().iter().find(is).copied()
    };
    ["sentence_embedding", "token_embeddings", "last_hidden_state"]
        .into_iter()
        .find_map(named)
        .or_else(|| model.output_ids().first().copied())
        .ok_or_else(|| Error::model(format!("{} has no output", path.display())))
}

fn tensor(input: Input, rows: &Rows) -> ValueOrView<'static> {
    let shape = [rows.n_tokens.len(), rows.n_columns];
    let row_wise = |value: &dyn Fn(usize, usize) -> i32| {
        let each =
            rows.n_tokens.iter().flat_map(|n| (0..rows.n_columns).map(|column| value(column, *n)));
        each.collect()
    };
    let data: Vec<i32> = match input {
        Input::Ids => rows.ids.clone(),
        Input::Types => rows.types.clone(),
        Input::Mask => row_wise(&|column, n_tokens| i32::from(column < n_tokens)),
        Input::Positions => row_wise(&|column, _| column as i32),
    };
    NdTensor::from_data(shape, data).into()
}

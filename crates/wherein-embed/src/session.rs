//! One session of rten over a model's files, with the tokenizer that belongs to them.
//!
//! Dense and sparse models share it: reading, hashing and checking the files, and running rows of token ids. Must not know what the
//! output means.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use rten::{Model, ModelOptions, NodeId, RunOptions, ThreadPool, Value, ValueOrView};
use rten_tensor::NdTensor;
use wherein_engine::{Error, ModelIdentity, Result};

use crate::tokens::{Rows, Tokens};
use crate::{ModelFolder, files};

/// More threads than this only fight for the same cores.
const MAX_THREADS: usize = 128;

/// How a session runs; never what it computes.
#[derive(Debug, Clone, Default)]
pub struct OnnxOptions {
    /// Threads of the session's own pool; as many as the machine has where not said.
    pub n_threads: Option<usize>,
}

/// All that reading a model's files gives. Its identity lacks the dimensions: what comes out has not been looked at yet.
#[derive(Debug)]
pub(crate) struct Parts {
    pub(crate) identity: ModelIdentity,
    pub(crate) tokens: Tokens,
    pub(crate) session: Session,
}

/// A graph with the nodes that texts go in at and the output comes from, and the threads that run it.
#[derive(Debug)]
pub(crate) struct Session {
    path: PathBuf,
    model: Model,
    inputs: Vec<(NodeId, Input)>,
    output: NodeId,
    threads: Arc<ThreadPool>,
}

/// What the graph may ask for.
#[derive(Debug, Clone, Copy)]
enum Input {
    Ids,
    Mask,
    Types,
    Positions,
}

impl Parts {
    /// Reads, hashes and checks the files; the output is the first of `outputs` that the graph has, else its first. The tokenizer and
    /// the hashes take about as long as the session, so they have a thread of their own.
    pub(crate) fn load(
        folder: &ModelFolder,
        options: &OnnxOptions,
        outputs: &[&str],
    ) -> Result<Parts> {
        let (known, session) = std::thread::scope(|scope| {
            let known = scope.spawn(|| {
                let weights_hash = checked_hash(folder, folder.weight_files())?;
                let tokenizer = std::iter::once(folder.tokenizer.as_path());
                let tokenizer_hash = checked_hash(folder, tokenizer)?;
                Ok((identity(folder, weights_hash, tokenizer_hash), Tokens::load(folder)?))
            });
            let session = Session::load(&folder.onnx, options, outputs);
            let crashed = || Err(Error::bug("the thread that reads the tokenizer panicked"));
            (known.join().unwrap_or_else(|_| crashed()), session)
        });
        // A file that is not the one that was added explains whatever else is wrong with it.
        let (identity, tokens) = known?;
        Ok(Parts { identity, tokens, session: session? })
    }
}

impl Session {
    fn load(path: &Path, options: &OnnxOptions, outputs: &[&str]) -> Result<Session> {
        let mut load = ModelOptions::with_all_ops();
        let model = load.prepack_weights(true).load_file(path).map_err(|error| {
            Error::model(format!("cannot load {}: {error}", path.display())).with_hint(
                "fetch the file again; it is damaged, cut short or uses what rten does not know",
            )
        })?;
        let inputs = inputs(&model, path)?;
        let output = output(&model, path, outputs)?;
        let available = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        let n_threads = options.n_threads.unwrap_or(available).min(MAX_THREADS);
        let threads = Arc::new(ThreadPool::with_num_threads(n_threads));
        Ok(Session { path: path.to_owned(), model, inputs, output, threads })
    }

    /// The output for a batch.
    pub(crate) fn run(&self, rows: &Rows) -> Result<Value> {
        let inputs = self.inputs.iter().map(|(id, input)| (*id, tensor(*input, rows)));
        let options = RunOptions::default().with_thread_pool(Some(Arc::clone(&self.threads)));
        let outputs = self.model.run(inputs.collect(), &[self.output], Some(options));
        let outputs = outputs
            .map_err(|error| Error::model(format!("{} fails: {error}", self.path.display())))?;
        outputs.into_iter().next().ok_or_else(|| Error::bug("a session without output"))
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

fn output(model: &Model, path: &Path, names: &[&str]) -> Result<NodeId> {
    let named = |name: &&str| {
        let is = |id: &&NodeId| model.node_info(**id).and_then(|info| info.name()) == Some(*name);
        model.output_ids().iter().find(is).copied()
    };
    names
        .iter()
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

"""Small random-weight models of the bge shapes, and their vectors by onnxruntime: python tiny_models.py [--export]

`bge-small-shaped`: BERT with WordPiece, learned positions and token types, first-token pooling. `bge-m3-shaped`:
XLM-RoBERTa, whose positions count the tokens that are no padding from the padding id on, with a Unigram tokenizer
and its weights beside the graph (external data). Exported once: --export writes new models (needs onnx); without it
only tiny_vectors.json is written anew. Weights are random, so the vectors mean nothing; they must only agree.
"""

import json
import shutil
import sys

from reference import HERE, Reference, np, write

MODELS = HERE.parent / "models"
REPOSITORY = HERE.parents[3]
SHAPES = {
    "bge-small-shaped": dict(vocab=420, hidden=32, layers=3, heads=4, positions=64, types=True, offset=False),
    "bge-m3-shaped": dict(vocab=420, hidden=48, layers=2, heads=4, positions=96, types=False, offset=True),
}
TEXTS = ["where do we stop following redirects", "def f(x):\n    return x + 1", "", "naïve 日本", "word " * 200]


class Graph:
    """Nodes and weights in the order in which they are made."""

    def __init__(self, seed):
        from onnx import helper, numpy_helper

        self.helper, self.numpy, self.nodes, self.weights = helper, numpy_helper, [], []
        self.random = np.random.default_rng(seed)

    def op(self, kind, *inputs, **attributes):
        out = f"{kind.lower()}_{len(self.nodes)}"
        self.nodes.append(self.helper.make_node(kind, list(inputs), [out], **attributes))
        return out

    def constant(self, value, dtype=np.int64):
        name = f"w{len(self.weights)}"
        self.weights.append(self.numpy.from_array(np.array(value, dtype=dtype), name))
        return name

    def random_weight(self, *shape, scale=0.25, around=0.0):
        return self.constant(self.random.normal(around, scale, shape), np.float32)

    def linear(self, x, n_in, n_out):
        return self.op("Add", self.op("MatMul", x, self.random_weight(n_in, n_out)), self.random_weight(n_out))

    def norm(self, x, n):
        return self.op("LayerNormalization", x, self.random_weight(n, around=1.0), self.random_weight(n), axis=-1, epsilon=1e-5)

    def gelu(self, x):
        erf = self.op("Erf", self.op("Div", x, self.constant(2**0.5, np.float32)))
        one = self.op("Add", erf, self.constant(1.0, np.float32))
        return self.op("Mul", self.op("Mul", x, one), self.constant(0.5, np.float32))

    def heads(self, x, n_heads, n, order):
        split = self.op("Reshape", x, self.constant([0, 0, n_heads, n // n_heads]))
        return self.op("Transpose", split, perm=order)

    def attention(self, x, mask, n_heads, n):
        q, v = (self.heads(self.linear(x, n, n), n_heads, n, [0, 2, 1, 3]) for _ in "qv")
        k = self.heads(self.linear(x, n, n), n_heads, n, [0, 2, 3, 1])
        scaled = self.op("Div", self.op("MatMul", q, k), self.constant((n // n_heads) ** 0.5, np.float32))
        weights = self.op("Softmax", self.op("Add", scaled, mask), axis=-1)
        merged = self.op("Transpose", self.op("MatMul", weights, v), perm=[0, 2, 1, 3])
        return self.linear(self.op("Reshape", merged, self.constant([0, 0, n])), n, n)


def positions(graph, offset):
    """Row of the table of positions for each token."""
    ids = "input_ids"
    if offset:  # as transformers does for RoBERTa: cumsum(ids != pad) * (ids != pad) + pad
        is_token = graph.op("Cast", graph.op("Not", graph.op("Equal", ids, graph.constant(1))), to=7)
        counted = graph.op("CumSum", is_token, graph.constant(1))
        return graph.op("Add", graph.op("Mul", counted, is_token), graph.constant(1))
    length = graph.op("Gather", graph.op("Shape", ids), graph.constant(1))
    return graph.op("Range", graph.constant(0), length, graph.constant(1))


def build(seed, vocab, hidden, layers, heads, positions_n, types, offset, widening=2):
    from onnx import TensorProto, helper

    graph = Graph(seed)
    x = graph.op("Gather", graph.random_weight(vocab, hidden), "input_ids")
    x = graph.op("Add", x, graph.op("Gather", graph.random_weight(positions_n, hidden), positions(graph, offset)))
    if types:
        x = graph.op("Add", x, graph.op("Gather", graph.random_weight(2, hidden), "token_type_ids"))
    x = graph.norm(x, hidden)
    mask = graph.op("Cast", graph.op("Unsqueeze", "attention_mask", graph.constant([1, 2])), to=1)
    lack = graph.op("Sub", graph.constant(1.0, np.float32), mask)
    mask = graph.op("Mul", lack, graph.constant(-1e9, np.float32))
    for _ in range(layers):
        x = graph.norm(graph.op("Add", x, graph.attention(x, mask, heads, hidden)), hidden)
        inner = graph.gelu(graph.linear(x, hidden, widening * hidden))
        x = graph.norm(graph.op("Add", x, graph.linear(inner, widening * hidden, hidden)), hidden)
    graph.nodes.append(helper.make_node("Identity", [x], ["last_hidden_state"]))
    names = ["input_ids", "attention_mask"] + ["token_type_ids"] * types
    inputs = [helper.make_tensor_value_info(name, TensorProto.INT64, ["batch", "sequence"]) for name in names]
    output = helper.make_tensor_value_info("last_hidden_state", TensorProto.FLOAT, ["batch", "sequence", hidden])
    made = helper.make_graph(graph.nodes, "encoder", inputs, [output], graph.weights)
    return helper.make_model(made, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)


def train_tokenizer(is_unigram, vocab):
    from tokenizers import Regex, Tokenizer, models, normalizers, pre_tokenizers, processors, trainers

    corpus = [str(path) for path in sorted(REPOSITORY.glob("*.md"))]
    if is_unigram:
        tokenizer = Tokenizer(models.Unigram())
        tokenizer.normalizer = normalizers.Sequence([normalizers.NFKC(), normalizers.Replace(Regex(" {2,}"), " ")])
        tokenizer.pre_tokenizer = pre_tokenizers.Metaspace()
        specials, first, last = ["<s>", "<pad>", "</s>", "<unk>", "<mask>"], ("<s>", 0), ("</s>", 2)
        trainer = trainers.UnigramTrainer(vocab_size=vocab, special_tokens=specials, unk_token="<unk>", show_progress=False)
    else:
        tokenizer = Tokenizer(models.WordPiece(unk_token="[UNK]"))
        tokenizer.normalizer = normalizers.BertNormalizer()
        tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
        specials, first, last = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"], ("[CLS]", 2), ("[SEP]", 3)
        trainer = trainers.WordPieceTrainer(vocab_size=vocab, special_tokens=specials, show_progress=False)
    tokenizer.train(corpus, trainer)
    tokenizer.post_processor = processors.TemplateProcessing(single=f"{first[0]} $A {last[0]}", special_tokens=[first, last])
    return tokenizer


def export(name, seed, shape):
    import onnx

    folder = MODELS / name
    shutil.rmtree(folder, ignore_errors=True)
    (folder / "1_Pooling").mkdir(parents=True)
    tokenizer = train_tokenizer(shape["offset"], shape["vocab"] - 8)
    tokenizer.save(str(folder / "tokenizer.json"), pretty=False)
    arguments = {**shape, "positions_n": shape["positions"]}
    del arguments["positions"]
    vocab = max(shape["vocab"], tokenizer.get_vocab_size())
    model = build(seed, **{**arguments, "vocab": vocab})
    onnx.checker.check_model(model)
    beside = dict(save_as_external_data=True, location="model.onnx_data", size_threshold=1024) if shape["offset"] else {}
    onnx.save(model, str(folder / "model.onnx"), **beside)
    kind = {"model_type": "xlm-roberta" if shape["offset"] else "bert", "hidden_size": shape["hidden"]}
    sides = {
        "config.json": {**kind, "max_position_embeddings": shape["positions"]},
        "1_Pooling/config.json": {"word_embedding_dimension": shape["hidden"], "pooling_mode_cls_token": True},
        "modules.json": [{"path": "1_Pooling", "type": "sentence_transformers.models.Pooling"}],
    }
    for path, value in sides.items():
        (folder / path).write_text(json.dumps(value) + "\n")


def main():
    results = {}
    for seed, (name, shape) in enumerate(SHAPES.items()):
        if "--export" in sys.argv:
            export(name, seed, shape)
        limit = shape["positions"] - (2 if shape["offset"] else 0)
        model = Reference(MODELS / name, "cls", limit)
        results[name] = {
            "max_tokens": limit,
            "texts": [
                {"text": text, "n_tokens": model.n_tokens(text), "vector": [round(float(v), 7) for v in model.vector(text)]}
                for text in TEXTS
            ],
        }
    write("tiny_vectors.json", "random-weight models of the bge shapes, first-token pooling", models=results)


if __name__ == "__main__":
    main()

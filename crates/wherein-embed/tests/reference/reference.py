"""What the reference scripts share: one text at a time through onnxruntime, pooled and normalised plainly.

Independent of wherein: nothing here reads its code or its output. Needs onnxruntime, tokenizers and numpy (versions
are written into each result).
"""

import json
import sys
from pathlib import Path

import numpy as np
import onnxruntime
import tokenizers

HERE = Path(__file__).parent


class Reference:
    """A model folder; one text a run, so that padding cannot matter."""

    def __init__(self, folder, pooling, max_tokens):
        self.session = onnxruntime.InferenceSession(str(Path(folder) / "model.onnx"))
        self.tokenizer = tokenizers.Tokenizer.from_file(str(Path(folder) / "tokenizer.json"))
        self.tokenizer.no_padding()
        self.tokenizer.no_truncation()
        self.pooling = pooling
        self.max_tokens = max_tokens

    def n_tokens(self, text):
        return len(self.tokenizer.encode(text).ids)

    def ids(self, text):
        """First special token, as much of the text as fits, last special token."""
        ids = self.tokenizer.encode(text).ids
        return ids if len(ids) <= self.max_tokens else ids[: self.max_tokens - 1] + ids[-1:]

    def raw(self, text):
        ids = np.array([self.ids(text)], dtype=np.int64)
        feed = {"input_ids": ids, "attention_mask": np.ones_like(ids), "token_type_ids": np.zeros_like(ids)}
        wanted = {entry.name for entry in self.session.get_inputs()}
        rows = self.session.run(None, {name: value for name, value in feed.items() if name in wanted})[0][0]
        return rows[0] if self.pooling == "cls" else rows.mean(axis=0)

    def vector(self, text):
        raw = self.raw(text).astype(np.float64)
        return raw / np.linalg.norm(raw)


def write(name, about, **fields):
    versions = {"onnxruntime": onnxruntime.__version__, "tokenizers": tokenizers.__version__, "numpy": np.__version__}
    document = {"about": about, "versions": versions, "python": sys.version.split()[0], **fields}
    (HERE / name).write_text(json.dumps(document, indent=1) + "\n")

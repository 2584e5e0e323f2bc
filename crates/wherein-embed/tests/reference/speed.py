"""Times onnxruntime over batches of texts: python speed.py MODEL_FOLDER TEXTS.json [MAX_TOKENS [BATCH]]

TEXTS.json is a list of strings. Sorted by tokens, cut into batches, each padded to its longest: as examples/speed.rs does.
"""

import json
import sys
import time
from pathlib import Path

from reference import Reference, np

folder, texts, *rest = sys.argv[1:]
limit, n_batch = (int(value) for value in (rest + ["256", "8"][len(rest):]))
begin = time.perf_counter()
model = Reference(folder, "mean", limit)
load = time.perf_counter() - begin
names = {entry.name for entry in model.session.get_inputs()}
texts = sorted(json.loads(Path(texts).read_text()), key=model.n_tokens)


def embed(batch):
    rows = [model.ids(text) for text in batch]
    ids = np.zeros((len(rows), max(map(len, rows))), dtype=np.int64)
    mask = np.zeros_like(ids)
    for idx, row in enumerate(rows):
        ids[idx, : len(row)], mask[idx, : len(row)] = row, 1
    feed = {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}
    hidden = model.session.run(None, {name: feed[name] for name in names})[0]
    return (hidden * mask[..., None]).sum(1) / mask.sum(1, keepdims=True)


begin = time.perf_counter()
for idx in range(0, len(texts), n_batch):
    embed(texts[idx : idx + n_batch])
total = time.perf_counter() - begin
begin = time.perf_counter()
for _ in range(20):
    embed(["why does a POST turn into a GET after a redirect"])
ask = (time.perf_counter() - begin) / 20
n_tokens = sum(min(model.n_tokens(text), limit) for text in texts)
print(json.dumps({"load_ms": round(load * 1e3, 1), "texts": len(texts), "tokens": n_tokens, "all_s": round(total, 2),
                  "ms_per_text": round(total * 1e3 / len(texts), 1), "question_ms": round(ask * 1e3, 2)}))

"""Random-weight models as large as the real ones, to time and not to keep: python full_shapes.py MINILM_FOLDER OUT_FOLDER

Writes OUT/bge-small-full (12 layers of 384, 512 tokens) and OUT/bge-m3-full (24 layers of 1,024, 2,048 tokens), both with
the tokenizer of MINILM_FOLDER: it cuts code into about as many tokens as theirs do (median 766 a chunk; bge-m3's 771),
and the table of words costs no time. `wherein model add` takes them in, `wherein model bench` times them.
"""

import json
import shutil
import sys
from pathlib import Path

from tiny_models import build

SHAPES = {
    "bge-small-full": dict(vocab=30522, hidden=384, layers=12, heads=12, positions_n=512, types=True, offset=False, widening=4),
    "bge-m3-full": dict(vocab=30522, hidden=1024, layers=24, heads=16, positions_n=2048, types=False, offset=False, widening=4),
}

minilm, out = map(Path, sys.argv[1:])
for seed, (name, shape) in enumerate(SHAPES.items()):
    import onnx

    folder = out / name
    (folder / "1_Pooling").mkdir(parents=True, exist_ok=True)
    onnx.save(build(seed, **shape), str(folder / "model.onnx"))
    shutil.copy(minilm / "tokenizer.json", folder)
    hidden = {"word_embedding_dimension": shape["hidden"], "pooling_mode_cls_token": True}
    (folder / "1_Pooling/config.json").write_text(json.dumps(hidden))
    config = {"model_type": "bert", "hidden_size": shape["hidden"], "max_position_embeddings": shape["positions_n"]}
    (folder / "config.json").write_text(json.dumps(config))

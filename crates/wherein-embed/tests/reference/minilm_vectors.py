"""Vectors of all-MiniLM-L6-v2 (int8 file) by onnxruntime: python minilm_vectors.py MODEL_FOLDER

Writes minilm_vectors.json: for a few texts the number of tokens, the first components and the norm before
normalisation, and the cosines of all pairs.
"""

import sys

from reference import Reference, np, write

TEXTS = [
    "don't send the password to another site after a redirect",
    "def should_strip_auth(self, old_url, new_url):\n    \"\"\"Decide whether Authorization should be removed\"\"\"",
    "",
    "Zażółć gęślą jaźń 日本語 🦀",
    "x = [i ** 2 for i in range(10)]  # squares\n" * 60,
]

model = Reference(sys.argv[1], "mean", 256)
vectors = [model.vector(text) for text in TEXTS]
rows = [
    {
        "text": text,
        "n_tokens": model.n_tokens(text),
        "norm": round(float(np.linalg.norm(model.raw(text))), 6),
        "vector": [round(float(value), 7) for value in vector],
    }
    for text, vector in zip(TEXTS, vectors)
]
cosines = [[round(float(a @ b), 6) for b in vectors] for a in vectors]
write("minilm_vectors.json", "all-MiniLM-L6-v2 int8, mean pooling, 256 tokens", dimensions=384, texts=rows, cosines=cosines)

"""Ranks of the right answers by onnxruntime and brute force: python minilm_ranks.py MODEL_FOLDER CHECKOUT SUITE.json OUT.json

CHECKOUT is psf/requests 2.32.3: the git tree for minilm_ranks.json, the source archive for minilm_ranks_sdist.json. Scan and chunks follow the `lines` profile as its documentation says
(whole lines, 2,800 characters, 320 of overlap), written here anew. The text of a chunk is its path, a newline and its
lines. Writes OUT.json: per question the rank (1-based) of the chunk that holds the first answer's first line;
ties go to path and line. With two chunks that hold the line, the better rank counts. `second` gives the first 10 places.
"""

import json
import sys
from pathlib import Path

from reference import Reference, np, write

TARGET, OVERLAP = 2800, 320
MAX_BYTES = 1_000_000
# Of the folders that a scan steps over, those that such a tree could hold.
SKIPPED = {".git", "build", "dist", "node_modules", "target", "venv", ".venv", "__pycache__", ".pytest_cache"}


def files(checkout):
    root = Path(checkout)
    listed = sorted(path.relative_to(root).as_posix() for path in root.rglob("*") if path.is_file())
    for path in (path for path in listed if not SKIPPED.intersection(path.split("/")[:-1])):
        data = (root / path).read_bytes()
        if not path.endswith(".svg") and len(data) <= MAX_BYTES and b"\0" not in data[:512]:
            yield path, data.decode("utf-8", errors="replace")


def chunks(text):
    lines = text.split("\n")
    if lines and lines[-1] == "":
        lines.pop()
    size = [len(line) + 1 for line in lines]
    start = 0
    while start < len(lines):
        end, total = start, 0
        while end < len(lines) and total < TARGET:
            total += size[end]
            end += 1
        body = "\n".join(lines[start:end])
        if body.strip():
            yield start + 1, end, body
        if end >= len(lines):
            return
        back, covered = end, 0
        while back > 0 and covered < OVERLAP:
            back -= 1
            covered += size[back]
        start = back if back > start else end


folder, checkout, suite, out = sys.argv[1:]
model = Reference(folder, "mean", 256)
places = [(path, *chunk) for path, text in files(checkout) for chunk in chunks(text)]
matrix = np.array([model.vector(f"{path}\n{body}") for path, _, _, body in places])
rows = []
for question in json.loads(Path(suite).read_text())["questions"]:
    scores = matrix @ model.vector(question["question"])
    order = sorted(range(len(places)), key=lambda i: (-scores[i], places[i][0], places[i][1]))
    answer = question["answers"][0]
    holds = [i for i, (path, start, end, _) in enumerate(places) if path == answer["path"] and start <= answer["start"] <= end]
    rank = min(order.index(i) for i in holds) + 1
    top = [{"path": places[i][0], "start": places[i][1], "end": places[i][2], "score": round(float(scores[i]), 5)} for i in order[:10]]
    near = sorted((round(float(abs(scores[i] - scores[order[rank - 1]])), 6) for i in order if i != order[rank - 1]))[0]
    rows.append({"id": question["id"], "question": question["question"], "answer": {"path": answer["path"], "start": answer["start"]}, "rank": rank, "gap": near, "first": top})
n_src = sum(path.startswith("src/") for path, *_ in places)
write(out, f"all-MiniLM-L6-v2 int8 over psf/requests v2.32.3 ({len(places)} chunks), `lines` profile, whole tree", n_chunks=len(places), n_chunks_src=n_src, questions=rows)
print(len(places), n_src, [row["rank"] for row in rows], [row["gap"] for row in rows])

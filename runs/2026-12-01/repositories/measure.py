"""Hit rates of questions that are asked of several repositories at once, by ways of merging their answers.

usage: measure.py WHEREIN SUITE.json CHECKOUTS FOLDER

Asks each question of each repository alone (its first ten hits with their scores) and merges here, so that every way sees
the same answers. FOLDER keeps the index and the answers. A hit counts when it lies in the right repository and shares a line
with an answer.
"""

import json
import os
import pathlib
import statistics
import subprocess
import sys

wherein, suite, checkouts, folder = sys.argv[1], json.load(open(sys.argv[2])), sys.argv[3], pathlib.Path(sys.argv[4])
NAMES = [repository["name"] for repository in suite["repositories"]]
SURE = {"high": 2, "fair": 1, "low": 0}


def tables():
    for one in suite["repositories"]:
        place = pathlib.Path(checkouts, one["name"]).resolve()
        yield f'[[repository]]\nname = "{one["name"]}"\npath = "{place}"\nroot = "{one["root"]}"\n'


def collect():
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "repositories.toml").write_text("".join(tables()))
    env = dict(os.environ, WHEREIN_INDEX_DIR=str(folder / "index"), WHEREIN_REPOSITORIES=str(folder / "repositories.toml"))
    subprocess.run([wherein, "index", "--all"], env=env, check=True)
    rows = []
    for question in suite["questions"]:
        for name in NAMES:
            args = [wherein, question["question"], "--repo", name, "--json", "-k", "10", "--no-refresh"]
            answer = json.loads(subprocess.run(args, env=env, capture_output=True, cwd=folder).stdout)
            hits = [(h["path"], h["start_line"], h["end_line"], h["score"]) for h in answer["hits"]]
            rows.append({"id": question["id"], "repo": name, "sure": answer["confidence"], "hits": hits})
    (folder / "rows.json").write_text(json.dumps(rows))


def ordered(key):
    """A way of merging: hits in order of `key(answer, position, hit)`, then of name."""

    def merge(_, answers):
        all_hits = [(key(a, i, h), a["repo"], h) for a in answers for i, h in enumerate(a["hits"])]
        return [(repo, hit) for _, repo, hit in sorted(all_hits, key=lambda entry: entry[:2])]

    return merge


def best(answer):
    return answer["hits"][0][3]


def alone(question, answers):
    return [(a["repo"], h) for a in answers if a["repo"] == question["repo"] for h in a["hits"]]


WAYS = {
    "the right one alone": alone,
    "score": ordered(lambda a, i, h: -h[3]),
    "one of each in turn, best first": ordered(lambda a, i, h: (i, -best(a))),
    "in turn, weighed by confidence": ordered(lambda a, i, h: (i / (1 + SURE[a["sure"]]), -h[3])),
    "confidence, then score": ordered(lambda a, i, h: (-SURE[a["sure"]], -h[3])),
    "score + 0.5 of the repository's best": ordered(lambda a, i, h: -(h[3] + 0.5 * best(a))),
    "score + 1 of the repository's best": ordered(lambda a, i, h: -(h[3] + best(a))),
    "score + how far the best stands out": ordered(
        lambda a, i, h: -(h[3] + best(a) - statistics.mean(x[3] for x in a["hits"]))
    ),
    "score - 0.25 of the repository's tenth": ordered(lambda a, i, h: -(h[3] - 0.25 * a["hits"][-1][3])),
    "score - 0.5 of the repository's tenth": ordered(lambda a, i, h: -(h[3] - 0.5 * a["hits"][-1][3])),
    "score - 1 of the repository's tenth": ordered(lambda a, i, h: -(h[3] - a["hits"][-1][3])),
}


def rank(question, merged):
    for place, (repo, (path, start, end, _)) in enumerate(merged[:10], 1):
        if repo == question["repo"] and any(
            path == a["path"] and start <= a["end"] and end >= a["start"] for a in question["answers"]
        ):
            return place
    return None


def report():
    answers = {}
    for row in json.loads((folder / "rows.json").read_text()):
        answers.setdefault(row["id"], []).append(row)
    print("| way | hit@10 | hit@5 | hit@1 | MRR@10 | first hit in the right repository |")
    print("|---|---|---|---|---|---|")
    for name, merge in WAYS.items():
        lists = [(q, merge(q, answers[q["id"]])) for q in suite["questions"]]
        ranks = [rank(*entry) for entry in lists]
        n = len(ranks)
        within = [sum(r is not None and r <= k for r in ranks) / n for k in (10, 5, 1)]
        mrr = sum(1 / r for r in ranks if r) / n
        right = sum(bool(m) and m[0][0] == q["repo"] for q, m in lists) / n
        print(f"| {name} | {within[0]:.2f} | {within[1]:.2f} | {within[2]:.2f} | {mrr:.3f} | {right:.2f} |")


if not (folder / "rows.json").exists():
    collect()
report()

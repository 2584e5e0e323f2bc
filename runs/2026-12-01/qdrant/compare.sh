#!/usr/bin/env bash
# The same questions of the embedded index and of a published one: how often the first ten agree, and both judged.
# compare.sh WHEREIN SUITES CHECKOUTS INDEX_DIR MODE exact|approximate SUITE...
set -euo pipefail
wherein=$1 suites=$2 checkouts=$3 index=$4 mode=$5 search=$6
shift 6
# A collection is of one model, or of none.
model=builtin
[ "$mode" != keyword ] || model=none
for suite in "$@"; do
    questions=$suites/$suite.json
    common=(eval "$questions" --checkouts "$checkouts/$suite" --mode "$mode" --index-dir "$index")
    "$wherein" "${common[@]}" --results "embedded-$suite.jsonl" >/dev/null
    "$wherein" "${common[@]}" --store qdrant --collection "compare-$suite-$model" --vector-search "$search" \
        --results "qdrant-$suite.jsonl" >/dev/null
    python3 - "$suite" <<'P'
import json, sys
suite = sys.argv[1]
def read(store):
    lines = map(json.loads, open(f"{store}-{suite}.jsonl"))
    return {one["id"]: [(r["path"], r["start"], r["end"]) for r in one["results"]][:10] for one in lines}
ours, theirs = read("embedded"), read("qdrant")
same = sum(ours[q] == theirs.get(q) for q in ours)
places = sum(set(ours[q]) == set(theirs.get(q, [])) for q in ours)
print(f"{suite}: {len(ours)} questions, same first ten in order {same}, same places {places}")
P
    for store in embedded qdrant; do
        python3 "$suites/score.py" "$questions" "$store-$suite.jsonl" | grep '^all' | sed "s/^/$store /"
    done
done

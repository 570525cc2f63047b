#!/usr/bin/env bash
# The recorded heaps were made from heap dumps: what memcity reads of them is what was counted then (summary.txt beside
# them), and keeps the rules of docs/reference/heap-dumps.md, so that an import of such a dump gives these numbers.
set -u
memcity=$1
traces=$(dirname "$memcity")/traces
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failures=0

check() { # NAME
  "$memcity" import "$traces/$1" -o "$work/$1.mct" || return
  "$memcity" info --json "$work/$1.mct" >"$work/info.json" || return
  "$memcity" export "$work/$1.mct" --format default -o "$work/$1" || return
  python3 - "$traces/$1/summary.txt" "$work/info.json" "$work/$1/default-format" <<'PY'
import glob, json, re, sys
summary, info, folder = sys.argv[1:]
steps = json.load(open(info))["steps"]
rows = []
for line in open(summary).read().split("\n\n")[0].splitlines()[1:]:
    rows.append([int(n) for n in line.split()[:10]])
assert len(rows) == len(steps) >= 26
for (index, time, objects, size, types, packages, references, dangling, _, pairs), step in zip(rows, steps):
    assert step == {"time": time, "objects": objects, "bytes": size, "nodes": 1 + packages + types, "leaves": types, "pairs": pairs}, step
    assert dangling == 0
by_time = lambda pattern: {d["time"]: d for d in map(lambda f: json.load(open(f)), glob.glob(folder + pattern))}
trees, points_to, pointed_from = by_time("/*.json"), by_time("/points-to-maps/*.json"), by_time("/pointed-from-maps/*.json")
PRIMITIVES = {"boolean", "char", "float", "double", "byte", "short", "int", "long"}
for row in rows:
    time, references = row[1], row[6]
    leaves = {}
    for package in trees[time]["root"]["children"]:
        assert package["role"] == "Package" and not re.search(r"[\[\]#]", package["name"]), package["key"]
        for leaf in package["children"]:
            assert leaf["role"] == "Type" and not leaf.get("children") and leaf["key"] == package["key"] + "#" + leaf["name"]
            # Arrays lie with their element, those of primitive types on their own.
            element = leaf["name"].rstrip("[]")
            assert (package["name"] == "(primitive)") == (leaf["name"] != element and element in PRIMITIVES), leaf["key"]
            # Whatever it is: a header, aligned to eight bytes; instances of a type are of one size.
            count, size = leaf["objects"], leaf["bytes"]
            assert count > 0 and size >= 16 * count and size % 8 == 0, leaf["key"]
            if leaf["name"] == element and leaf["key"] != "Heap#java.lang#Class":
                assert size % count == 0 and size // count % 8 == 0, leaf["key"]
            leaves[leaf["key"]] = count
    to = {(a, b): n for a, map_ in points_to[time]["pointerMap"].items() for b, n in map_.items()}
    back = {(a, b): n for b, map_ in pointed_from[time]["pointerMap"].items() for a, n in map_.items()}
    # Both maps know the same pairs, count objects, and so at most those there are, and at most one for each reference.
    assert set(to) == set(back) and len(to) == row[9]
    for (a, b), n in to.items():
        assert 1 <= n <= leaves[b] and 1 <= back[a, b] <= leaves[a], (time, a, b)
    assert sum(to.values()) <= references and sum(back.values()) <= references
    # A hash map keeps its chains alive.
    assert 0 < to["Heap#java.util#HashMap$Node[]", "Heap#java.util#HashMap$Node"] <= leaves["Heap#java.util#HashMap$Node"]
PY
}

for name in httpclient-3.0.1 javac-daemon; do
  check $name || { echo "failed: $name" >&2; failures=$((failures + 1)); }
done
[ "$failures" -eq 0 ]

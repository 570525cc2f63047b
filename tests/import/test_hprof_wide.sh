#!/usr/bin/env bash
# A dump with objects of more than 65,535 leaves: what stands in 16 bits elsewhere takes more here. In the file, references are
# held against the slow reference; in the graph, and by data structure, against those.
. "$(dirname "$0")/../command.sh"
here=$(cd "$(dirname "$0")/.." && pwd)
memcity=$(realpath "$memcity")
cd "$work" || exit 1

python3 "$here/hprof_maker.py" made.hprof --seed 5 --layout one --objects 97000 --classes 66200 --loose --wide || exit 1
expect 0 export made.hprof --format default -o exported
python3 "$here/hprof_reference.py" made.hprof exported >log 2>&1 || fail "references: $(tail -5 log)"
grep -q ': equal' log || fail "nothing was compared"
expect 0 export made.hprof --format default --retained -o by_graph
for kind in points-to pointed-from; do
  diff -r exported/default-format/$kind-maps by_graph/default-format/$kind-maps >log || fail "by the graph: $kind: $(head -c 300 log)"
done

expect 0 import made.hprof -o file.mct
expect 0 import made.hprof --fast -o fast.mct
slowly() { # a program that hardly gets a processor
  "$memcity" "$@" >log 2>&1 &
  while kill -STOP $! 2>/dev/null && sleep 0.15 && kill -CONT $! 2>/dev/null; do sleep 0.05; done
  wait $!
}
slowly import made.hprof --fast -o again.mct || fail "slowly: $(cat log)"
cmp fast.mct again.mct >log || fail "the same dump is another file if it is read slowly: $(cat log)"
for again in 1 2 3; do # threads don't show
  expect 0 import made.hprof -o again.mct
  cmp file.mct again.mct >log || fail "the same dump is another file: $(cat log)"
  expect 0 import made.hprof --fast -o again.mct
  cmp fast.mct again.mct >log || fail "the same dump is another file, in the file: $(cat log)"
done
expect 0 import made.hprof --retained -o graph.mct
expect 0 import made.hprof --group-by datastructure,package,type -o divided.mct
python3 - <<'PYTHON' >log 2>&1 || fail "fields: $(tail -3 log)"
import collections, functools, sqlite3
def fields(path, left_out):
    """References by the leaves they join, without the first levels of these, and by field."""
    db = sqlite3.connect(path)
    nodes = {key: (parent, name) for key, parent, name in db.execute("SELECT id, parent, name FROM node")}
    @functools.cache
    def way(key):
        names = []
        while nodes[key][0] is not None:
            names.append(nodes[key][1])
            key = nodes[key][0]
        return tuple(names[:len(names) - left_out])
    leaves = sum(is_leaf for is_leaf, in db.execute("SELECT is_leaf FROM node"))
    assert leaves > 65535, leaves
    counts = collections.Counter()
    for a, b, name, weak, last in db.execute("SELECT from_node, to_node, field, weak, last FROM node_field"):
        counts[way(a), way(b), name, weak] += last
    return counts
in_file = fields("file.mct", 0)
assert len(in_file) > 100000 and in_file == fields("graph.mct", 0), "by the graph"
divided = fields("divided.mct", 1)
assert in_file == divided, (len(in_file), len(divided), list((in_file - divided).items())[:3])
PYTHON

# ---- shapes on which what looks at everything again and again does not come to an end before the test is stopped
many=150000
python3 "$here/hprof_shape_maker.py" inherit $many long.hprof || exit 1
expect 0 import long.hprof --waste --group-by datastructure,type -o long.mct
python3 "$here/hprof_shape_maker.py" chain $((many / 5)) long.hprof || exit 1
expect 0 import long.hprof --deep -o long.mct
expect 0 paths long.mct --of C1000 --json; cp "$work/out" of-trace.json
expect 0 paths long.hprof --of C1000 --json
python3 - "$work/out" of-trace.json <<'PYTHON' 2>log || fail "a chain: $(tail -1 log)"
import json, sys
dump, trace = (json.load(open(path))["paths"] for path in sys.argv[1:])
assert len(dump) == 1002 and [r for r in dump if r["own_objects"]] == dump[-1:], len(dump)
others, = (r for r in trace if "others" in r)
for mine, theirs in zip(dump, (r for r in trace if "others" not in r)):
    assert all(mine[k] == theirs[k] for k in ("field", "class", "objects", "bytes", "own_objects")), (mine, theirs)
assert len(trace) == 62 and (others["objects"], others["bytes"]) == (1, dump[-1]["bytes"]), (len(trace), others)
PYTHON
many=60000
python3 "$here/hprof_shape_maker.py" wide $many long.hprof || exit 1
for options in "" --deep "--group-by datastructure,type"; do
  expect 0 import long.hprof $options -o long.mct
  python3 - $many <<'PYTHON' 2>log || fail "fields of one object: $options: $(tail -1 log)"
import sqlite3, sys
rows = sqlite3.connect("long.mct").execute("SELECT field, SUM(last) FROM node_field GROUP BY field").fetchall()
counts = {name: count for name, count in rows if name.endswith(".next")}
expected = {f"{kind}C{i}.next": int(sys.argv[1]) for i in range(8) for kind in ("", "static ")}
assert counts == expected, rows
PYTHON
done
finish

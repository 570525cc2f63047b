# How the tests of heap dumps' graphs compare all that is known of a dump with a slow reference. Sourced behind command.sh.
path_count=0
same() { # DUMP KEY…
  local dump=$1
  shift
  rm -rf exported divided
  expect 0 export "$dump" --format default -o exported
  expect 0 export "$dump" --format default --deep -o divided \
    --group-by datastructure,package,type --collections 'a.b.C*'
  "$print" "$dump" "$@" >printed 2>log || fail "print_hprof $dump: $(tail -3 log)"
  rm -f paths-*.json
  local key
  for key; do
    expect 0 paths "$dump" --of "$key" --json
    cp "$work/out" "paths-$((++path_count)).json"
  done
  ! compares graph || python3 "$here/hprof_graph_reference.py" "$dump" exported printed divided paths-*.json >log 2>&1 || fail "$dump: $(tail -20 log)"
  held "$dump"
  same_by_graph "$dump"
}

# Where there is a graph, references, fields and roots are counted by it, and the same come out.
same_by_graph() { # DUMP, behind held
  rm -rf by_graph by_graph.mct
  expect 0 export "$1" --format default --retained -o by_graph
  for kind in points-to pointed-from; do
    diff -r exported/default-format/$kind-maps by_graph/default-format/$kind-maps >log || fail "$1, by the graph: $kind: $(head -c 300 log)"
  done
  expect 0 import "$1" --retained -o by_graph.mct
  compares by_graph || return
  python3 - <<'PYTHON' >log 2>&1 || fail "$1, by the graph: $(tail -5 log)"
import sqlite3
def rows(path, table):
    return sorted(sqlite3.connect(path).execute(f"SELECT * FROM {table}"), key=repr)
for table in "reference_field", "root":
    assert rows("held.mct", table) == rows("by_graph.mct", table) != [], table
PYTHON
}

# The same fields and roots come out of a trace: of an .mct file in SQL, of the dump itself, and of refs.
held() { # DUMP
  rm -f held.mct
  expect 0 import "$1" -o held.mct
  expect 0 roots "$1" --json; cp "$work/out" roots.json
  expect 0 roots held.mct --tsv; cp "$work/out" roots.tsv
  compares held || return
  python3 - "$memcity" <<'PYTHON' >log 2>&1 || fail "$1: what holds its objects: $(tail -5 log)"
import collections, json, sqlite3, subprocess, sys
lines = [json.loads(line) for line in open("printed")]
db = sqlite3.connect("held.mct")
def path(key):
    return key.replace("#", " > ")
fields = collections.Counter({(path(l["from"]), path(l["to"]), l["name"], l["weak"]): l["count"]
                              for l in lines if l["what"] == "field"})
told = collections.Counter({(a, b, name, bool(weak)): last for a, b, name, weak, first, last in db.execute(
    "SELECT from_path, to_path, field, weak, first, last FROM reference_field") if first == last})
assert told == fields and fields, (len(told), len(fields), list((told - fields).items())[:3], list((fields - told).items())[:3])
roots = collections.Counter({(l["leaf"], l["kind"], l["name"] or None): l["count"] for l in lines if l["what"] == "root"})
sql = collections.Counter({(p, kind, name): last for p, kind, name, last in db.execute("SELECT path, kind, name, last FROM root")})
assert sql == collections.Counter({(path(leaf), kind, name): n for (leaf, kind, name), n in roots.items()}), "SQL's roots"
listed = json.load(open("roots.json"))
assert listed["known"] and roots == collections.Counter({(r["leaf"], r["kind"], r["name"]): r["roots"] for r in listed["roots"]})
rows = [line.rstrip("\n").split("\t") for line in open("roots.tsv")][1:]
assert roots == collections.Counter({(leaf, kind, name.replace("\\\\", "\\") or None): int(n) for kind, name, n, leaf in rows})
# of the three leaves with the most fields, what refs says
ends = collections.Counter(l["from"] for l in lines if l["what"] == "field")
pairs = collections.defaultdict(dict)
for l in lines:
    if l["what"] == "field": pairs[l["from"], l["to"]][l["name"], l["weak"]] = l["count"]
for key, _ in ends.most_common(3):
    said = json.loads(subprocess.run([sys.argv[1], "refs", "held.mct", "--of", key, "--outgoing", "--json"],
                                     capture_output=True, check=True).stdout)
    assert said["fields"] and said["references"], key
    for r in said["references"]:
        have = {(f["field"], f["weak"]): f["references"] for f in r["fields"]}
        assert have == pairs[key, r["partner"]], (key, r["partner"])
PYTHON
}

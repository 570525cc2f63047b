#!/usr/bin/env bash
# GC roots in a session: their groups, what they hold, the selection's; the same as `memcity roots` says.
. "$(dirname "$0")/../command.sh"
here=$(realpath "$(dirname "$0")/..")
memcity=$(realpath "$memcity")
http=$(realpath "$http")
cd "$work" || exit 1
session() { # SCRIPT ARGUMENTS…
  local script=$1
  shift
  printf '%s\n' "$script" >script
  expect 0 "$@" --script script --headless
}

for seed in 3 5; do
  python3 "$here/hprof_maker.py" made.hprof --seed $seed --loose || exit 1
  expect 0 roots made.hprof --json
  python3 - "$work/out" <<'PYTHON' >wanted || fail "roots prints something else"
import collections, json, sys
roots = json.load(open(sys.argv[1]))["roots"]
names = {(r["kind"], r["name"]) for r in roots}
named = {n for n in names if n[1] is not None}
# All that have a name stand alone while there is room; of each kind the others are one.
assert len(named) <= 48, "another seed, please"
print(len(named) + len({kind for kind, name in names if name is None}))
leaves = collections.Counter()
for r in roots: leaves[r["leaf"]] += r["roots"]
key = max(leaves, key=lambda k: (leaves[k], k))
print(key)
print(len({(r["kind"], r["name"]) for r in roots if r["leaf"] == key}))
PYTHON
  { read -r groups; read -r key; read -r rows; } <wanted
  session "wait idle
expect root_groups $groups
expect root_markers $groups
expect root_rows $groups
select $key
wait idle
expect root_rows $rows
roots.show 0
wait idle
print root_chosen
print root_rows
roots.show 0
wait idle
print selection
escape
wait idle
expect root_chosen null
roots
wait idle
expect root_markers 0
expect roots_shown false
undo
wait idle
expect root_markers $groups
save view.json
quit" made.hprof
  grep -q '"roots":true' view.json || fail "the view lacks roots"
done

# what a root holds is what `roots` says of it
expect 0 roots made.hprof --json
cp "$work/out" roots.json
session 'wait idle
roots.show 0
wait idle
print root_chosen
print root_rows' made.hprof
python3 - roots.json "$work/out" <<'PYTHON' || fail "a root holds something else: $(cat "$work/out")"
import json, sys
roots = json.load(open(sys.argv[1]))["roots"]
name, rows = (json.loads(line) for line in open(sys.argv[2]))
assert any(r["name"] for r in roots)
sys.exit(rows != len({r["leaf"] for r in roots if r["name"] == name}) or rows == 0)
PYTHON

# a trace without roots has none
session 'wait idle
expect root_groups 0
expect root_markers 0
fold.roots
wait idle
roots.show 0' "$http"
finish

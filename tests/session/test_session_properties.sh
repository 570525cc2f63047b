#!/usr/bin/env bash
# Distinct owners: what `about`, its JSON and rows, and the session say, beside each reference of made dumps.
. "$(dirname "$0")/../command.sh"
here=$(realpath "$(dirname "$0")/..")
memcity=$(realpath "$memcity")
http=$(realpath "$http")
cd "$work" || exit 1

for seed in 4 9; do
  python3 "$here/hprof_maker.py" made.hprof --seed $seed --loose || exit 1
  expect 0 objects made.hprof --references --columns from_package,from_type,to_package,to_type,weak; cp out references
  expect 0 about made.hprof -n 100000 --json; cp out about.json
  expect 0 about made.hprof -n 100000 --tsv; cp out about.tsv
  python3 - references about.json about.tsv <<'PYTHON' >wanted || fail "seed $seed: not the owners that the references say"
import collections, csv, json, sys
strong, all_ = collections.defaultdict(set), collections.defaultdict(set)
for row in csv.DictReader(open(sys.argv[1]), delimiter="\t", quoting=csv.QUOTE_NONE):
    source, target = ((row[end + "_package"], row[end + "_type"]) for end in ("from", "to"))
    if source == target: continue
    all_[target].add(source)
    if row["weak"] == "0": strong[target].add(source)
groups = json.load(open(sys.argv[2]))["groups"]
rows = list(csv.DictReader(open(sys.argv[3]), delimiter="\t", quoting=csv.QUOTE_NONE))
assert [g["key"] for g in groups] == [r["key"] for r in rows] and len(groups) > 20
several = 0
for group, row in zip(groups, rows):
    leaf, owners = tuple(group["key"].split("#")[1:]), group["owners"]
    assert owners["owners"] == len(strong[leaf]) == int(row["owners"]), (leaf, owners, strong[leaf])
    assert owners["weak_only_owners"] == len(all_[leaf] - strong[leaf]), (leaf, owners)
    assert (owners["strongest_owner"] is None) == (owners["owners_for_90_percent"] is None) == (not strong[leaf]), (leaf, owners)
    if not strong[leaf]: continue
    assert 1 <= owners["owners_for_90_percent"] <= owners["owners"]
    assert tuple(owners["strongest_owner"].split("#")[1:]) in strong[leaf]
    several += len(strong[leaf]) > 1 and bool(all_[leaf] - strong[leaf])
assert several > 0, "no group has several owners, and weak ones; another seed, please"
best = max(groups, key=lambda g: g["owners"]["owners"])
print(best["key"])
print(json.dumps(best["owners"], separators=(",", ":")))
PYTHON
  { read -r key; read -r owners; } <wanted
  printf 'wait idle\nprint owners\nselect %s\nwait idle\nprint owners\n' "$key" >script
  expect 0 made.hprof --script script --headless
  python3 -c 'import json, sys
lines = [json.loads(line) for line in open("out") if line.strip()]
assert lines == [None, json.loads(sys.argv[1])], lines' "$owners" || fail "seed $seed: the session says something else of $key"
done

# As people read it.
expect 0 about "$http" --step 25 --of 'Heap#java.util#LinkedList'; quiet
grep -qF 'Owners: 3 distinct owners, 1 of which has 90 % of the references; the strongest, org.apache' out || fail "the sentence: $(cat out)"

# Nobody knows owners where there are no references; what is wrong is said.
expect 0 about "$here"/data/histogram/jdk17.txt -n 3 --json; quiet
grep -q '"owners":null' out || fail "owners of a histogram: $(cat out)"
expect 0 about "$here"/data/histogram/jdk17.txt --of String
grep -q 'Owners: not known' out || fail "owners of a histogram: $(cat out)"
expect 2 about "$http" --of nothing; says "no node has the full key"
expect 2 about "$http" --step 27; says "steps 0 to 26"
finish

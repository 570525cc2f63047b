#!/usr/bin/env bash
# A trace with four metrics through every command that takes one, from both JSON forms and .mct, and back: exactly what
# a script reads in the documents.
. "$(dirname "$0")/../command.sh"
maker="$(dirname "$0")/../metrics_maker.py"
check() { # WHAT FOLDER FILE [METRIC]
  ! compares "$1" || python3 "$maker" check "$@" >"$work/check" 2>&1 || fail "$*: $(tail -n 1 "$work/check")"
}

for form in anttracks default; do
  documents=$work/$form
  python3 "$maker" make "$form" "$documents"
  expect 0 import "$documents" -o "$work/$form.mct"
  for input in "$documents" "$work/$form.mct"; do
    for metric in objects bytes allocated coverage; do
      expect 0 top "$input" --metric "$metric" --json -n 1000; quiet
      check top "$documents" "$work/out" "$metric"
      expect 0 layout "$input" --metric "$metric" --padding 0; quiet
      check layout "$documents" "$work/out" "$metric"
      expect 0 city "$input" --metric "$metric" --padding 0; quiet
      check city "$documents" "$work/out" "$metric"
      expect 0 report "$input" --metric "$metric" --no-pictures -o "$work/page.html"; quiet
      check report "$documents" "$work/page.html" "$metric"
      sqlite="SELECT path, quote(first), quote(last), quote(max), quote(sum) FROM growth_of WHERE metric = '$metric'"
      [ "$input" = "$documents" ] || sqlite3 "$input" "$sqlite" >"$work/out"
      [ "$input" = "$documents" ] || check sql "$documents" "$work/out" "$metric"
    done
    rm -rf "$work/back"
    expect 0 export "$input" --format "$form" -o "$work/back"; quiet
    check documents "$documents" "$work/back/$form-format"
  done
  # to the other form, and from there
  other=$([ "$form" = default ] && echo anttracks || echo default)
  rm -rf "$work/back"
  expect 0 export "$work/$form.mct" --format "$other" -o "$work/back"; quiet
  check documents "$documents" "$work/back/$other-format"
done
mct=$work/default.mct

# ---- what they are
expect 0 info "$mct"; prints "allocated: allocated bytes, bytes, a flow, additive"
prints "coverage: line coverage, ratio, a stock, not additive"
expect 0 info "$mct" --json
python3 - "$work/out" <<'PYTHON' || fail "info lists the metrics"
import json, sys
metrics = json.load(open(sys.argv[1]))["metrics"]
assert [m["name"] for m in metrics] == ["objects", "bytes", "allocated", "coverage"], metrics
assert metrics[2]["kind"] == "flow" and not metrics[3]["additive"] and metrics[3]["real"], metrics
PYTHON
for command in top walk layout city; do
  expect 2 "$command" "$mct" --metric cows; says 'no metric "cows"; it has objects, bytes, allocated, coverage'
done
expect 2 gate "$mct" --rule '**: +0' --metric cows; says "it has objects, bytes, allocated, coverage"

# ---- what ranks and judges
expect 0 top "$mct" --metric allocated; prints "sum"
expect 0 top "$mct"
! grep -q sum "$work/out" || fail "a stock has no sum"
# the district of a leaf that splits has its own coverage; the sum of what is in it is nobody's
expect 0 find "$mct" '#split' --metric coverage --json
python3 - "$work/out" <<'PYTHON' || fail "values that do not add up"
import json, sys
rows = {r["key"]: r for r in json.load(open(sys.argv[1]))["nodes"]}
assert rows["Heap#group2#split"]["coverage"] == 0.25 and not rows["Heap#group2#split"]["leaf"], rows
PYTHON
expect 0 find "$mct" group1 --metric coverage; prints "–"
expect 0 find "$mct" group1 --metric coverage --json; prints '"coverage":null'
expect 0 walk "$mct" --metric coverage --json; prints '"metric":"coverage"'
expect 0 walk "$mct" --metric allocated

# By percent, and by what the unit of the metric is.
expect 4 gate "$mct" --metric allocated --rule 'leaf4: +1kB/h' --json; prints '"metric":"allocated"'
expect 0 gate "$mct" --metric allocated --rule 'leaf4: +9000GB/s'
expect 0 gate "$mct" --metric coverage --rule 'leaf0: +1000/s'
expect 0 gate "$mct" "$mct" --metric allocated --rule 'leaf4: +1kB/h'; prints "base"
python3 - "$documents" "$work/odd" <<'PYTHON'
import json, os, sys
os.makedirs(sys.argv[2])
for step in range(12):
    document = json.load(open(f"{sys.argv[1]}/{step}.json"))
    for group in document["root"]["children"]:
        group["metrics"]["coverage"] = 0.05 * step
    json.dump(document, open(f"{sys.argv[2]}/{step}.json", "w"))
PYTHON
# 0.05 a second and step
expect 4 gate "$work/odd" --metric coverage --rule 'group?: +0.04/s' --json
python3 - "$work/out" <<'PYTHON' || fail "the rate of real numbers"
import json, sys
for group in json.load(open(sys.argv[1]))["groups"]:
    assert abs(group["rate_per_s"] - 0.05) < 1e-9 and group["last"] == 0.05 * 11, group
PYTHON
expect 0 gate "$work/odd" --metric coverage --rule 'group?: +0.06/s'

# ---- what is mapped to heights and colours
expect 0 city "$mct" --area bytes --height coverage --color allocated --step 4; quiet
python3 - "$work/out" "$documents" <<'PYTHON' || fail "heights and colours by metrics"
import json, math, sys
leaves, largest = {}, 0
for step in range(12):
    def walk(node, path):
        global largest
        key = "#".join(path + [node["name"]])
        if not node.get("children"):
            largest = max(largest, node["metrics"]["allocated"])
            if step == 4: leaves[key] = node["metrics"]
        for child in node.get("children", []): walk(child, path + [node["name"]])
    walk(json.load(open(f"{sys.argv[2]}/{step}.json"))["root"], [])
count, reds = 0, []
for line in open(sys.argv[1]):
    key, *numbers = line.rstrip("\n").split("\t")
    x0, z0, x1, z1, height, r, g, b = map(float, numbers[:8])
    if key not in leaves: continue
    ratio = leaves[key].get("coverage")
    # what is not known lies flat
    wanted = 0.06 if ratio is None else (0.25, 0.5, 1, 1.5, 2)[sum(ratio > limit for limit in (0.2, 0.4, 0.6, 0.8))]
    side = math.sqrt((x1 - x0) * (z1 - z0))
    assert abs(height / side - wanted) < 0.001, (key, height / side, ratio)
    reds.append((leaves[key]["allocated"] / largest, b - r, key))
    count += 1
assert count >= 20, count
reds.sort()  # the one that allocates a million times as much as others is the only one that is not gray
assert reds[-1][2].endswith("group0#leaf3") and reds[-1][1] < -0.2 and abs(reds[0][1]) < 0.1, (reds[0], reds[-1])
PYTHON
expect 0 city "$mct" --color first

# ---- plots that are all the same
for metric in bytes coverage; do
  for padding in auto 0; do
    expect 0 layout "$mct" --area uniform --metric "$metric" --padding "$padding"; quiet
    check uniform "$documents" "$work/out" "$metric"
  done
  expect 0 city "$mct" --area uniform --metric "$metric" --step 7; quiet
  check uniform_city "$documents" "$work/out" "$metric" 7
  cp "$work/out" "$work/uniform"
  expect 0 city "$mct" --scaling uniform --metric "$metric" --step 7; quiet
  cmp -s "$work/out" "$work/uniform" || fail "--scaling uniform is --area uniform"
done
# how much a limit hides is told of what adds up
expect 0 layout "$mct" --metric allocated --child-limit 2; says "of the sum of all maxima"
expect 0 layout "$mct" --metric coverage --child-limit 2; says "--child-limit leaves out"
grep -q "of the sum" "$work/err" && fail "the sum of what does not add up"
expect 2 city "$mct" --area uniform --padding 4; says "expected auto or 0"
expect 2 city "$mct" --color cows; says 'has no metric "cows"'
expect 2 city "$mct" --height cows; says 'has no metric "cows"'
expect 2 city "$mct" --metric bytes --area objects; says "--metric and --area"

# ---- what documents may not say
bad() { # WHERE-IN-MESSAGE DOCUMENT
  printf '%s' "$2" >"$work/bad.json"
  expect 3 info "$work/bad.json"; says "$1"; says "bad.json:"
}
node='"key":"H","name":"H","role":"","objects":1,"bytes":1'
bad 'root.metrics.a: expected a number that is not negative' "{\"time\":1,\"root\":{$node,\"metrics\":{\"a\":-1}}}"
bad 'root.metrics.a: expected a number that is not negative' "{\"time\":1,\"root\":{$node,\"metrics\":{\"a\":1e999}}}"
bad 'metrics[].unit: expected "none"' "{\"metrics\":[{\"name\":\"a\",\"unit\":\"cows\"}],\"time\":1,\"root\":{$node}}"
finish

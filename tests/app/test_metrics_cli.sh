#!/usr/bin/env bash
# A trace with four metrics through every command that takes one, from both JSON forms and .mct, and back: exactly what
# a script reads in the documents.
. "$(dirname "$0")/../command.sh"
maker="$(dirname "$0")/../metrics_maker.py"
check() { # WHAT FOLDER FILE [METRIC]
  python3 "$maker" check "$@" >"$work/check" 2>&1 || fail "$*: $(tail -n 1 "$work/check")"
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

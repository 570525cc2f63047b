#!/usr/bin/env bash
# How the roots hold objects, and what goes without some: asked of a series of heap dumps.
. "$(dirname "$0")/../command.sh"
. "$(dirname "$0")/../jvm.sh"
memcity=$(realpath "$memcity")
javac -d "$classes" "$here"/programs/com/acme/{shop,travel,record}/*.java || exit 1
cd "$work" || exit 1
for program in shop.Shop travel.Journeys; do
  java -XX:+UseSerialGC -Xmx128m -cp "$classes" com.acme.$program ${program%.*} >log || fail "$program: $(cat log)"
done
session='Heap#com.acme.shop#Shop$Session'
last=$(ls shop/*.hprof | tail -1)

# ---- paths of one dump: all objects, and together what is retained; each node is the sum of what is below and its own
expect 0 find "$last" "$session" --retained --metric retained --json
cp "$work/out" found.json
expect 0 paths "$last" --of "$session" --json; quiet
python3 - "$work/out" found.json <<'PY' || fail "paths of one dump"
import json, sys
told = json.load(open(sys.argv[1]))
node, = [n for n in json.load(open(sys.argv[2]))["nodes"] if n["key"] == told["of"]]
rows = told["paths"]
assert rows[0]["parent"] is None and rows[0]["class"] == "GC root"
assert (rows[0]["objects"], rows[0]["bytes"]) == (node["objects"], node["retained"]), (rows[0], node)
for i, row in enumerate(rows):
    below = [r for r in rows if r["parent"] == i]
    assert row["objects"] == row["own_objects"] + sum(r["objects"] for r in below)
    assert row["bytes"] == row["own_bytes"] + sum(r["bytes"] for r in below)
    assert [r["bytes"] for r in below] == sorted((r["bytes"] for r in below), reverse=True)
    assert i == 0 or row["parent"] < i
    assert "new" not in row
assert {r["class"] for r in rows if r["own_objects"]} == {"com.acme.shop.Shop$Session"}
assert [r for r in rows if r["field"] == "static Shop.sessions" and r["class"] == "java.util.HashMap" and r["bytes"] == rows[0]["bytes"]]
assert [r for r in rows if r["folded"] and r["field"] == "HashMap$Node.next"]
PY
expect 0 paths "$last" --of 'Shop$Session' -n 5
[ "$(wc -l <"$work/out")" -eq 7 ] || fail "-n: $(cat "$work/out")"
prints 'static Shop.sessions → java.util.HashMap'; says 'more; -n says how many'
expect 0 paths "$last" --of 'Shop$Session' --tsv; quiet
[ "$(head -1 "$work/out" | tr '\t' '\n' | wc -l)" -eq 12 ] || fail "--tsv"
awk -F'\t' 'NF != 12 { exit 1 }' "$work/out" || fail "--tsv: columns"
gzip -c "$last" >packed.hprof.gz
expect 0 paths "$last" --of "$session" --tsv; cp "$work/out" plain.tsv
expect 0 paths packed.hprof.gz --of "$session" --tsv
cmp -s plain.tsv "$work/out" || fail "packed, it is something else"

# ---- of a series: by time, whatever their order; what the first one lacks is new
reversed=$(ls -r travel/*.hprof)
expect 0 paths $reversed --of 'Journeys$Location' --step 1 --json; quiet
cp "$work/out" reversed.json
expect 0 paths travel/*.hprof --of 'Journeys$Location' --step 1 --json
cmp -s reversed.json "$work/out" || fail "the order of the dumps counts"
python3 - "$work/out" <<'PY' || fail "what is new"
import json, sys
told = json.load(open(sys.argv[1]))
rows = told["paths"]
assert told["dump"].endswith("step-101.hprof"), told["dump"]
fields = {row["field"]: row for row in rows}
assert fields["static Journeys.looking"]["new"] and fields["static Journeys.looking"]["first_bytes"] == 0
assert not rows[0]["new"] and 0 < rows[0]["first_objects"] < rows[0]["objects"]
for row in rows[1:]:
    assert row["new"] or not rows[row["parent"]]["new"]
PY
expect 0 paths travel/*.hprof --of 'Journeys$Location' --step 1; prints ' new '
expect 0 paths travel/*.hprof --of 'com.acme.travel.Journeys$Location' --group-by type --step 0; prints 'static Journeys.service'
grep -q ' new ' "$work/out" && fail "new in the first dump"
expect 0 paths travel/*.hprof --of 'ConcurrentHashMap in Journeys$JourneyService.locationCache' --group-by datastructure,type
prints 'com.acme.travel.Journeys$Location'

# ---- what if, at each step
expect 0 whatif shop/*.hprof --demolish "$session" --json; quiet
cp "$work/out" series.json
for dump in shop/*.hprof; do
  expect 0 whatif "$dump" --demolish "$session" --json
  cat "$work/out" >>single.json
done
python3 - series.json single.json <<'PY' || fail "whatif of a series"
import json, sys
steps = json.load(open(sys.argv[1]))["steps"]
text, singles = open(sys.argv[2]).read(), []
while text.strip():
    single, end = json.JSONDecoder().raw_decode(text)
    singles.append(single)
    text = text[end:].lstrip()
times = [step.pop("time_ms") for step in steps]
dumps = [step.pop("dump") for step in steps]
assert steps == singles and times == sorted(times) and dumps == sorted(dumps), dumps
freed = [step["bytes"] for step in steps]
assert freed == sorted(freed) and freed[-1] > 10 * freed[0]
PY
expect 0 whatif shop/*.hprof --demolish "$session" --demolish 'Heap#java.util' -n 3
[ "$(grep -c 'shop/step-' "$work/out")" -eq "$(ls shop/*.hprof | wc -l)" ] || fail "a line a dump"
# of a group that some dumps lack
expect 0 whatif "$last" travel/*.hprof --demolish "$session" --json
python3 -c 'import json, sys; steps = json.load(open(sys.argv[1]))["steps"]; sys.exit(sorted(s["bytes"] > 0 for s in steps)[-2:] != [False, True])' "$work/out" ||
  fail "a group that most dumps lack"

# ---- wrong
expect 0 import shop -o trace.mct
for command in "paths --of" "whatif --demolish"; do
  set -- $command
  expect 2 $1 trace.mct $2 "$session"; says "is a trace"
  expect 2 $1 shop/*.hprof; says "$2"
  expect 2 $1 shop/*.hprof $2 nothing; says 'group "nothing"'
  expect 2 $1 shop/*.hprof $2 'String' --group-by package,type,package
  expect 1 $1 nowhere.hprof $2 x
  expect 3 $1 "$here/command.sh" $2 x
  head -c $(($(stat -c %s "$last") - 50000)) "$last" >cut.hprof
  expect 3 $1 cut.hprof $2 java.lang; says "cut.hprof: incomplete"
  expect 0 $1 cut.hprof $2 java.lang --partial; says "cut.hprof: incomplete"
done
expect 2 paths shop/*.hprof --of "$session" --step 99; says "dumps, the first"
expect 0 paths shop/*.hprof --of 'Heap#java.lang.ref' --step 0
finish

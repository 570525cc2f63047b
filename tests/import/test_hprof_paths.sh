#!/usr/bin/env bash
# How the roots hold objects, and what goes without some: asked of a series of heap dumps.
. "$(dirname "$0")/../command.sh"
. "$(dirname "$0")/../jvm.sh"
memcity=$(realpath "$memcity")
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

# ---- of a trace: the same, as far as it goes
expect 0 import shop --paths -o shop.mct
expect 0 import travel --deep -o travel.mct
cat >same.py <<'PY'
import json, sys
dump, trace = (json.load(open(path)) for path in sys.argv[1:3])
assert dump["of"] == trace["of"] and dump["time_ms"] == trace["time_ms"] and dump["step"] == trace["step"]
def ways(told):
    found, rows = {}, []
    for row in told["paths"]:
        row["way"] = (rows[row["parent"]]["way"] if row["parent"] is not None else ()) + ((row["field"], row["class"]),)
        rows.append(row)
        if "others" not in row:
            assert row["way"] not in found, row
            found[row["way"]] = row
    return found
for i, row in enumerate(trace["paths"]):
    below = [r for r in trace["paths"] if r["parent"] == i]
    assert row["objects"] == row["own_objects"] + sum(r["objects"] for r in below), row
    assert row["bytes"] == row["own_bytes"] + sum(r["bytes"] for r in below), row
want, have = ways(dump), ways(trace)
assert len(have) == min(len(want), 61), (len(have), len(want))
for way, row in have.items():
    for part in "objects", "bytes", "own_objects", "own_bytes":
        assert row[part] == want[way][part], (part, row, want[way])
    assert row["folded"] >= want[way]["folded"]
    if len(want) == len(have):
        assert [row.get(k) for k in ("new", "first_objects", "first_bytes")] == [want[way].get(k) for k in ("new", "first_objects", "first_bytes")], (row, want[way])
    elif row.get("new"):
        assert want[way]["new"], row
# none that is left out holds more than one that is not
least = min(row["bytes"] for row in have.values())
assert all(row["bytes"] <= least for way, row in want.items() if way not in have)
PY
for asked in 'shop Shop$Session 15' 'shop Shop$Session 0' 'shop java.lang#String 3' 'shop Heap 7' 'shop java.util 15' \
  'travel Journeys$Location 1' 'travel Journeys$Location 7' 'travel java.lang#Object[] 4' 'travel com.acme.travel 7'; do
  set -- $asked
  expect 0 paths $1/*.hprof --of "$2" --step $3 --json
  cp "$work/out" of-dump.json
  expect 0 paths $1.mct --of "$2" --step $3 --json; quiet
  python3 same.py of-dump.json "$work/out" 2>log || fail "$asked: $(tail -3 log)"
done
expect 0 paths travel/*.hprof --of 'Journeys$Location' --window 2:6 --tsv; cp "$work/out" window.tsv
expect 0 paths travel.mct --of 'Journeys$Location' --window 2:6 --tsv; cmp -s window.tsv "$work/out" || fail "--window: $(diff window.tsv "$work/out" | head -5)"
expect 0 paths shop.mct --of 'Shop$Session' -n 3; prints 'static LauncherHelper.appClass'; says 'more; -n says how many'
expect 0 import shop.mct -o again.mct
expect 0 paths again.mct --of 'java.lang' --tsv; cp "$work/out" again.tsv
expect 0 paths shop.mct --of 'java.lang' --tsv; cmp -s again.tsv "$work/out" || fail "out of a trace and into another one"
sqlite3 shop.mct "SELECT way FROM retaining_path WHERE path LIKE '%> Shop\$Session' AND growth > 1000000 AND class = 'java.util.HashMap'" |
  grep -q 'class com.acme.shop.Shop > static Shop.sessions > java.util.HashMap' || fail "SQL"
expect 0 export shop.mct --format default -o json; says "not exported, as AntTracks' JSON forms can't store it: fields and GC roots, retaining paths. memcity import keeps"

# ---- a dump that is cut off: said wherever its objects are told of
mkdir cut
head -c $(($(stat -c %s "$last") - 400000)) "$last" >cut/b.hprof
cp "$(ls shop/*.hprof | head -1)" cut/a.hprof
expect 3 import cut --paths -o cut.mct; says "b.hprof: incomplete"
expect 0 info cut.mct; prints 'step 1 is incomplete: '; says "cut.mct: incomplete: 1 of 2 steps"
for command in 'info' 'refs --of java.lang#String' 'walk' 'why' 'roots' 'paths --of java.lang#String'; do
  set -- $command
  expect 0 "$1" cut.mct "${@:2}" --json
  python3 -c 'import json, sys; i, = json.load(open(sys.argv[1]))["incomplete"]; assert i["step"] == 1 and "ends within the record at byte" in i["reason"]' "$work/out" 2>log ||
    fail "$command: $(tail -1 log)"
  expect 0 "$1" cut.mct "${@:2}"; says "cut.mct: incomplete"
  [ "$1" = paths ] || prints 'step 1 is incomplete: '
done
expect 0 roots cut.mct --step 0 --json; grep -q incomplete "$work/out" && fail "the whole step"
expect 0 report cut.mct --samples 1 -o cut.html; grep -q 'step 1 is incomplete: ' cut.html || fail "the report"
expect 0 import cut.mct -o cut-again.mct; expect 0 info cut-again.mct; prints 'step 1 is incomplete: '
expect 0 export cut.mct --format default -o cut-json; says 'which steps are incomplete'

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

#!/usr/bin/env bash
# refs, walk, find and top --trend from outside, their numbers against the pointer maps as they lie on disk.
. "$(dirname "$0")/../command.sh"
javac=$traces/javac-daemon
pool='Heap#org.apache.commons.httpclient#MultiThreadedHttpConnectionManager$HostConnectionPool'

# ---- wrong usage
for command in refs walk find; do
  expect 0 "$command" --help; prints "usage: memcity $command"; quiet
done
expect 2 refs "$http"; says "--of KEY"
expect 2 refs "$http" --of nothing; says "no node has the full key \"nothing\""
expect 2 refs "$http" --of "$pool" --step 27; says "steps 0 to 26"
expect 2 walk "$http" --from nothing; says "--from"
expect 2 walk "$http" --window 3:9 --step 2; says "steps 3 to 9"
expect 2 find "$http"; says "pattern after the trace is missing"
expect 2 find "$http" '(' --regex; says "not a regular expression"
expect 0 find "$http" '('; prints "(primitive)"

# ---- references: leaves and districts, several steps, from the maps themselves
refs() { # TRACE STEP KEY FILE
  expect 0 refs "$1" --step "$2" --of "$3" --json; quiet
  cp "$work/out" "$work/refs/$4"
}
mkdir "$work/refs"
number=0
for step in 0 1 13 25; do
  for key in "$pool" 'Heap#java.util#HashMap$Node' 'Heap#java.lang#Class' Heap#java.util Heap#org.apache.commons.httpclient Heap; do
    refs "$http" $step "$key" "http-$((number += 1)).json"
  done
done
for key in 'Heap#java.lang#Object[]' Heap#com.sun.tools.javac.code; do
  refs "$javac" 12 "$key" "javac-$((number += 1)).json"
done
python3 - "$work/refs" "$http" "$javac" <<'PY' || failures=$((failures + 1))
import functools, glob, json, sys
@functools.cache
def load(trace):
    by = lambda sub: {j["time"]: j for j in map(lambda f: json.load(open(f)), glob.glob(f"{trace}/default-format/{sub}*.json"))}
    trees = by("")
    return sorted(trees), trees, by("points-to-maps/"), by("pointed-from-maps/")
for file in sorted(glob.glob(sys.argv[1] + "/*.json")):
    times, trees, points_to, pointed_from = load(sys.argv[2] if "/http-" in file else sys.argv[3])
    got = json.load(open(file)); time = times[got["step"]]
    objects, inside, stack = {}, set(), [(trees[time]["root"], False)]
    while stack:
        n, below = stack.pop(); below = below or n["key"] == got["of"]; objects[n["key"]] = n["objects"]
        if below: inside.add(n["key"])
        stack += [(c, below) for c in n.get("children") or []]
    leaf = not any(k != got["of"] for k in inside)
    to, back = points_to[time]["pointerMap"], pointed_from[time]["pointerMap"]
    want = {}
    for a, row in to.items():
        for b, count in row.items():
            other = back.get(b, {}).get(a, 0)
            for here, there, at, away, direction in ((b, a, count, other, "incoming"), (a, b, other, count, "outgoing")):
                if here in inside and (there not in inside or leaf):
                    w = want.setdefault((direction, there), [0, 0]); w[0] += at; w[1] += away
    have = {(r["direction"], r["partner"]): r for r in got["references"]}
    assert set(have) == set(want), (file, set(have) ^ set(want))
    for key, (at, away) in want.items():
        r = have[key]
        assert r["objects"] == at and r["partner_objects"] == min(away, objects[key[1]]), (file, key, r, at, away)
        assert abs(r["share"] - at / got["objects"]) < 1e-6
    assert got["objects"] == objects.get(got["of"], 0) and got["clamped"] == 0
    assert [r["objects"] for r in got["references"]] == sorted((r["objects"] for r in got["references"]), reverse=True)
PY
expect 0 refs "$http" --step 25 --of "$pool" --incoming -n 1 --tsv; quiet
[ "$(tail -n +2 "$work/out")" = "$(printf 'incoming\tHeap#java.util#HashMap$Node\t79991\t0.999888\t79991\t0.968074\t\t\t\t')" ] ||
  fail "refs --tsv prints $(cat "$work/out")"
expect 0 refs "$http" --step 25 --of "$pool"; prints "kept alive by"; prints "keeps alive"; prints "java.util → HashMap\$Node"
expect 0 refs "$traces/perfetto" --of perfetto; prints "no references"

# ---- more objects than there are: clamped and said
mkdir -p "$work/odd/points-to-maps"
echo '{"time":1,"root":{"key":"H","name":"H","role":"","bytes":2,"objects":2,"children":[
{"key":"H#a","name":"a","role":"T","bytes":1,"objects":1},{"key":"H#b","name":"b","role":"T","bytes":1,"objects":1}]}}' >"$work/odd/1.json"
echo '{"time":1,"pointerMap":{"H#a":{"H#b":7}}}' >"$work/odd/points-to-maps/1.json"
expect 0 refs "$work/odd" --of 'H#b' --json; says "1 link names more objects than there are"
prints '"objects":1,"share":1.000000,"partner_objects":null,"partner_share":null,"notes":"clamped"'

# ---- the walk: what holds the leak, in both metrics; text and JSON
for metric in objects bytes; do
  expect 0 walk "$http" --metric $metric --window 0:25 --json; quiet
  python3 - "$work/out" "$pool" <<'PY' || failures=$((failures + 1))
import json, sys
walk = json.load(open(sys.argv[1])); pool = sys.argv[2]
assert walk["cause"] == pool and walk["step"] == 25, walk["cause"]
cause = [s for s in walk["stops"] if s["verdict"] == "cause"]
assert len(cause) == 1 and cause[0]["objects"] == 80000 and cause[0]["growth"] == 80000
assert cause[0]["held_by"] == {"key": "Heap#java.util#HashMap$Node", "held": 79991, "holders": 79991, "held_growth": 79991, "first_holders": 0, "share": 0.999888}
assert walk["stops"][0]["key"] == "Heap#java.util#LinkedList" and walk["stops"][0]["verdict"] == "symptom"
PY
done
expect 0 walk "$http" --window 0:25; quiet
prints "HostConnectionPool objects pile up in HashMap objects (this file does not say which of 289): +184 KiB/s since the recording began, +15.9 MiB so far; 80,001 × { 1 HttpHost, "
# the stops are numbered, as they are in pictures and in the window, and say of what they count
prints " 1  symptom "
prints "79,991 of 80,000 objects held by 79,991 of 82,629 HashMap\$Node"
# without a window the shutdown is left out, and that is said
expect 0 walk "$http"; says "most of the heap was freed after step 25"; prints "HostConnectionPool objects pile up in HashMap objects"
expect 0 walk "$http" --from 'Heap#(primitive)#byte[]' --window 0:25; prints "java.lang → String"
expect 0 walk "$javac"; prints "JavaCompiler and 205 more classes pile up together, 19 objects of each: "
expect 0 walk "$traces/perfetto"; prints "has no references"

# ---- bytes that grow at a constant number of objects: what piles up is size
python3 - "$work/larger" <<'PY'
import json, os, sys
os.makedirs(sys.argv[1] + "/points-to-maps")
for step in range(8):
    leaf = lambda key, objects, size: {"key": "H#" + key, "name": key, "role": "Type", "objects": objects, "bytes": size}
    leaves = [leaf("byte[]", 4012, 100000 + 75000000 * step), leaf("String", 4000, 96000), leaf("Buffer", 12, 288)]
    total = lambda f: sum(l[f] for l in leaves)
    json.dump({"time": step * 60000, "root": {"key": "H", "name": "H", "role": "", "objects": total("objects"),
               "bytes": total("bytes"), "children": leaves}}, open(f"{sys.argv[1]}/{step}.json", "w"))
    json.dump({"time": step * 60000, "pointerMap": {"H#String": {"H#byte[]": 4000}, "H#Buffer": {"H#byte[]": 12}}},
              open(f"{sys.argv[1]}/points-to-maps/{step}.json", "w"))
PY
expect 0 walk "$work/larger"; quiet
prints "byte[] objects become larger: +"; prints " since the recording began, +501 MiB so far."; prints "become larger, not more"
grep -q String "$work/out" && fail "the small ones are blamed for the large ones: $(cat "$work/out")"
expect 0 walk "$work/larger" --window 6:7
prints "byte[] objects became larger: +71.5 MiB since step 6 (6:00.0). Two steps cannot show whether it goes on."
sed -i 's/4012/4013/' "$work/larger/7.json"
expect 0 walk "$work/larger" --window 6:7
prints "byte[] objects became larger: +71.5 MiB since step 6 (6:00.0). Two steps cannot show whether it goes on."
expect 0 walk "$work/larger" --metric objects; prints "byte[] objects become larger: +"
expect 0 report "$work/larger" --no-pictures -o "$work/larger.html"
grep -q "<p class=verdict>byte\[\] objects become larger: +" "$work/larger.html" || fail "the report on what becomes larger"

# ---- a warm-up that still rises, ever less: nobody may say that it is over
python3 - "$work/slower.json" <<'PY'
import json, sys
plans = [0, 3000, 5500, 7000, 8100, 9000, 9700, 10300, 10860]
def step(time):
    leaves = [{"key": "H#" + name, "name": name, "role": "Type", "objects": objects, "bytes": objects * 16}
              for name, objects in (("Plan", plans[time]), ("Steady", 5000), ("Cell", 100 + 100 * min(time, 4)))]
    total = lambda metric: sum(leaf[metric] for leaf in leaves)
    return {"time": time, "root": {"key": "H", "name": "H", "role": "", "objects": total("objects"), "bytes": total("bytes"), "children": leaves}}
json.dump([step(time) for time in range(9)], open(sys.argv[1], "w"))
PY
expect 0 walk "$work/slower.json" --metric objects; quiet
prints "Nothing keeps growing. Plan grew by 170 KiB from step 0 to 8, ever more slowly, as did another group."

# ---- find
expect 0 find "$http" hostconnectionPOOL --json --step 25; quiet
[ "$(cat "$work/out")" = "{\"step\":25,\"hits\":1,\"leaves\":1,\"nodes\":[
{\"key\":\"$pool\",\"leaf\":true,\"objects\":80000,\"bytes\":2560000}]}" ] || fail "find prints $(cat "$work/out")"
# The largest at the step come first: another order at another step.
for step in 0 25; do
  expect 0 find "$http" java --json --step $step; quiet
  python3 - "$work/out" "$work/first" <<'PY' || fail "hits of step $step are not listed by their size"
import json, os, sys
nodes = json.load(open(sys.argv[1]))["nodes"]
sizes = [node["bytes"] for node in nodes]
assert sizes == sorted(sizes, reverse=True) and len(set(sizes)) > 10, sizes
keys = [node["key"] for node in nodes]
assert not os.path.exists(sys.argv[2]) or open(sys.argv[2]).read() != repr(keys)
open(sys.argv[2], "w").write(repr(keys))
PY
done
# ---- a node by the end of its key, as a stack trace has it
for name in LinkedList java.util.LinkedList java.util#LinkedList; do
  expect 0 refs "$http" --of "$name" --step 25; prints "java.util → Type: LinkedList"
done
expect 0 walk "$http" --from HashMap --window 0:25; prints "java.util → HashMap"
expect 2 refs "$http" --of Entry --step 25; says 'no node has the full key "Entry"'
expect 2 refs "$http" --of linkedlist; says 'perhaps "Heap#java.util#LinkedList"'
expect 2 refs "$http" --of nowhere.at.all; says "memcity find"
expect 0 find "$http" java.util.LinkedList --step 25; prints 'Heap#java.util#LinkedList$Node'
expect 0 find "$http" '^heap#java\.(util|lang)$' --regex; quiet
[ "$(wc -l <"$work/out")" -eq 2 ] || fail "find --regex prints $(cat "$work/out")"
expect 0 find "$http" java -n 3; says "more; -n says how many"

# ---- top --trend: what comes and goes is no trend, the leak is
expect 0 top "$http" --metric objects --window 0:24 -n 8 --trend --json; quiet
python3 - "$work/out" <<'PY' || failures=$((failures + 1))
import json, sys
top = {t["key"].split("#")[-1]: t for t in json.load(open(sys.argv[1]))}
saw, leak = top["LinkedList$Node"], top["HttpHost"]
assert saw["growth"] == 20000 and saw["trend"] == 0 and saw["p"] > 0.3, saw
assert leak["trend"] == 1 and leak["p"] < 1e-6 and 900 < leak["slope_per_s"] < 915, leak
PY
expect 0 top "$http" --metric objects --window 0:24 -n 8 --trend; prints "slope an hour"; prints "grows"

# ---- top: text begins with what makes the heap grow, JSON as it always did
order() { # ARGUMENTS…: the names of the leaves, in their order
  expect 0 top "$http" --metric objects --window 0:24 -n 467 "$@" --json
  python3 -c 'import json, sys; print(*(t["key"].split("#")[-1] for t in json.load(open(sys.argv[1]))), sep="\n")' "$work/out"
}
text() {
  expect 0 top "$http" --metric objects --window 0:24 -n 467 "$@"; quiet
  sed '1d; s/  because of .*//; s/.*Type: //' "$work/out"
}
order >"$work/grown"; order --by cause >"$work/caused"
cmp -s "$work/grown" "$work/caused" && fail "both orders are one"
order --by growth | cmp -s - "$work/grown" || fail "--json --by growth is another order"
text | cmp -s - "$work/caused" || fail "text is not by cause: $(text | head -3)"
text --by growth | cmp -s - "$work/grown" || fail "--by growth is not by growth"
expect 0 top "$http" --metric objects --window 0:24 -n 5; prints "because of"
expect 0 top "$http" --metric objects --window 0:24 -n 5 --by growth
grep -q "because of" "$work/out" && fail "--by growth gives reasons"
expect 2 top "$http" --by size; says "growth"

# Files and their sizes are no heap: no command calls them so.
for words in "why $traces/perfetto" "walk $traces/perfetto" "top $traces/perfetto -n 5" \
  "report $traces/perfetto --no-pictures -o $work/files.html"; do
  # shellcheck disable=SC2086 # words
  expect 0 $words
  grep -iv "^usage" "$work/out" "$work/err" | grep -iw heap && fail "${words%% *} speaks of a heap"
done
sed 's/<style>.*<\/style>//' "$work/files.html" | grep -iwo heap && fail "the report speaks of a heap"

# Of one step there is no growth to tell: what there is stands alone, the largest first.
expect 0 top "$http" --window 25:25 -n 2
[ "$(sed -n 1p "$work/out")" = "             now  bytes, step 25" ] || fail "the heading of one step: $(head -1 "$work/out")"
[ "$(sed -n 2p "$work/out")" = "       5,120,096  Heap → Package: java.util → Type: LinkedList" ] || fail "the largest: $(sed -n 2p "$work/out")"

finish

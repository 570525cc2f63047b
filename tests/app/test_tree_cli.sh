#!/usr/bin/env bash
# Flat trees from outside, without a device: geometry as d3.partition has it, pruning, vectors, wrong use.
. "$(dirname "$0")/../command.sh"
data=$2
reference="$(dirname "$0")/../partition_reference.py"
geometry=$data/layout/partition.tsv.gz

# ---- geometry against d3.partition: recorded traces, three orders
case=0
while read -r trace metric window step order; do
  expect 0 tree "$traces/$trace" --tsv --metric "$metric" --window "$window" --step "$step" --sort "$order"; quiet
  python3 "$reference" check "$geometry" $case "$work/out" >"$work/check" 2>&1 || fail "$trace $order: $(tail -n 1 "$work/check")"
  case=$((case + 1))
done < <(python3 "$reference" cases "$geometry")
[ $case -eq 4 ] || fail "$case cases"

# ---- pruned: every level still explains all that the level above does, at every step
for step in 0 5 11 17 25; do
  expect 0 tree "$http" --tsv --window 0:25 --step $step --prune 90%,9
  grep -q "Other (" "$work/out" || fail "nothing was pruned at step $step"
  python3 "$reference" sums "$work/out" >"$work/check" 2>&1 || fail "step $step: $(tail -n 1 "$work/check")"
  [ "$(sed -n 2p "$work/check" | cut -f2)" = 1.000000000 ] || fail "Other and the shown are not the heap at step $step"
  # nine and an Other are the most that a node has
  [ "$(awk -F'\t' '$3 == 1' "$work/out" | wc -l)" -le 10 ] || fail "too many children at step $step"
done
# what is named is never hidden
hidden=$(expect 0 tree "$http" --tsv --window 0:25 --prune 90%,9 >/dev/null; "$memcity" tree "$http" --tsv --window 0:25 2>/dev/null |
  awk -F'\t' '$3 == 2 {print $1}' | tail -n 1)
expect 0 tree "$http" --tsv --window 0:25 --prune 90%,9; prints "Other ("
grep -q "^$hidden	" "$work/out" && fail "$hidden is not pruned, so the test is of no use"
expect 0 tree "$http" --tsv --window 0:25 --prune 90%,9 --select "$hidden"
grep -qF "$hidden	" "$work/out" || fail "the selection was pruned"
expect 0 tree "$http" --tsv --window 0:25 --prune 90%,9 --search "${hidden##*#}"
grep -qF "$hidden	" "$work/out" || fail "what search found was pruned"

# ---- a part of it, and some levels
expect 0 tree "$http" --tsv --window 0:25 --root 'Heap#java.util' --levels 1
[ "$(sed -n 2p "$work/out")" = "$(printf 'Heap#java.util\t\t0\t0\t1')" ] || fail "the root is $(sed -n 2p "$work/out")"
awk -F'\t' 'NR > 1 && $3 > 1' "$work/out" | grep -q . && fail "more than one level"

# ---- vectors: well-formed, with names and full paths, small
for view in sunburst icicle icicle-down; do
  expect 0 tree "$http" --window 0:25 --view $view -o "$work/tree.svg" --select 'Heap#java.util#LinkedList'; quiet
  python3 - "$work/tree.svg" <<'P' >"$work/check" 2>&1 || fail "$view: $(tail -n 1 "$work/check")"
import sys, xml.etree.ElementTree as ET
root = ET.parse(sys.argv[1]).getroot()
text = "".join(root.itertext())
for wanted in ("httpclient-3.0.1", "LinkedList", "Package: java.util"):
    assert wanted in text, wanted
P
  [ "$(stat -c %s "$work/tree.svg")" -lt 200000 ] || fail "$view takes $(stat -c %s "$work/tree.svg") bytes"
done
# the whole beside a part: what is not in the part is there, half transparent
# Names along arcs, for those who can't follow a path once more letter by letter: the same letters, in their order, on the path.
expect 0 tree "$http" --window 0:25 -o "$work/arcs.svg"
python3 - "$work/arcs.svg" <<'P' >"$work/check" 2>&1 || fail "arcs: $(tail -n 1 "$work/check")"
import math, re, sys, xml.etree.ElementTree as E
tag = "{http://www.w3.org/2000/svg}"
count, tops, bottoms = 0, 0, 0
for switch in E.parse(sys.argv[1]).iter(tag + "switch"):
    first, second = switch
    assert first.get("requiredFeatures").endswith("#TextOnAPath") and second.get("requiredFeatures") is None
    name = "".join(first.find(f"{tag}text/{tag}textPath").itertext())
    letters = second.findall(tag + "text")
    assert "".join(t.text for t in letters) == name.replace(" ", ""), name
    x0, y0, radius, _, _, _, sweep, x1, y1 = map(float, re.findall(r"-?[\d.]+", first.find(tag + "path").get("d")))
    places = [tuple(map(float, re.findall(r"-?[\d.]+", t.get("transform")))) for t in letters]
    # All lie on the circle through the path's ends, nearer to its middle than these.
    half = math.dist((x0, y0), (x1, y1)) / 2
    for s in (1, -1):
        rise = s * math.sqrt(max(radius**2 - half**2, 0)) / (2 * half)
        center = (x0 + x1) / 2 - (y1 - y0) * rise, (y0 + y1) / 2 + (x1 - x0) * rise
        if all(abs(math.dist(center, p[:2]) - radius) < 0.1 for p in places): break
    else: sys.exit(f"{name} is not on its path")
    gaps = [math.dist(a[:2], b[:2]) for a, b in zip(places, places[1:])]
    assert all(1 < gap < 15 for gap in gaps), (name, gaps)
    # Each stands upright on its way: from one to the next is where it is turned to.
    for (ax, ay, turn), (bx, by, _) in zip(places, places[1:]):
        off = (math.degrees(math.atan2(by - ay, bx - ax)) - turn + 180) % 360 - 180
        assert abs(off) < 10, (name, off)
    assert math.dist(places[0][:2], (x0, y0)) < math.dist(places[-1][:2], (x0, y0)), name
    tops, bottoms, count = tops + (sweep == 1), bottoms + (sweep == 0), count + 1
assert count > 5 and tops > 0 and bottoms > 0, (count, tops, bottoms)
P
expect 0 tree "$http" --window 0:25 --root 'Heap#java.util' -o "$work/part.svg"; expect 0 tree "$http" --window 0:25 --root 'Heap#java.util' --global -o "$work/beside.svg"
grep -q "Package: org.apache.commons.httpclient" "$work/part.svg" && fail "a part has what is not in it"
grep "fill-opacity" "$work/beside.svg" | grep -q "Package: org.apache.commons.httpclient" || fail "the whole is not beside the part"
expect 0 timeline "$http" --window 0:25 --steps 0,8,25 -o "$work/line.svg"; quiet
python3 -c 'import sys, xml.dom.minidom; xml.dom.minidom.parse(sys.argv[1])' "$work/line.svg" || fail "timeline is no XML"
# a tree stands above its point where there is room, and never in another's place or outside
expect 0 timeline "$http" --window 0:25 --steps 0,5,10,15,20,25 -o "$work/places.svg"
python3 - "$work/places.svg" <<'P' >"$work/check" 2>&1 || fail "places: $(tail -n 1 "$work/check")"
import re, sys
text = open(sys.argv[1]).read()
trees = [(float(x), float(w)) for x, w in re.findall(r'<rect x="([0-9.]+)" y="[0-9.]+" width="([0-9.]+)" [^>]*><title>[^<]*Heap: ', text)]
points = [float(x) for x in re.findall(r'<circle cx="([0-9.]+)" cy="[0-9.]+" r="4.00"', text)]
assert len(trees) == len(points) == 6, (trees, points)
middle = [x + w * 1.5 for x, w in trees]  # three columns
away = [abs(m - p) for m, p in zip(middle, points)]
assert max(away[2:4]) < 1, away
assert all(b[0] - a[0] >= a[1] * 3 for a, b in zip(trees, trees[1:])), trees
assert trees[0][0] >= 15.9 and trees[-1][0] + trees[-1][1] * 3 <= 1264.1, trees
P
# times of near points do not run into each other
# Circles are as large as the width allows, each as wide as its heap; what height is left is the chart's.
expect 0 timeline "$http" --window 0:25 --view sunburst -o "$work/round.png"; quiet
if command -v convert >/dev/null; then
  top=$(convert "$work/round.png" -crop 1280x380+0+60 +repage -fuzz 3% -trim -format '%O' info:)
  [ "${top##*+}" -lt 60 ] || fail "the upper part is empty: $top"
fi
expect 0 timeline "$http" --window 0:25 --steps 2,3,4,25 --size 400x250 -o "$work/times.svg"
python3 - "$work/times.svg" <<'P' >"$work/check" 2>&1 || fail "times: $(tail -n 1 "$work/check")"
import re, sys
times = re.findall(r'<text[^>]*text-anchor="middle"[^>]* x="([0-9.]+)"[^>]*>(\d+:[0-9.]+)</text>', open(sys.argv[1]).read())
spans = [(float(x) - len(t) * 2.3, float(x) + len(t) * 2.3) for x, t in times]  # of 9 pixels' text
assert len(times) >= 2, times
assert all(a[1] < b[0] for a, b in zip(spans, spans[1:])), times
P
# names lose their packages first, then the end of their outer classes
expect 0 timeline "$http" --window 0:25 --metric objects --steps 2,4,11,25 --prune 90%,9 -o "$work/names.svg"
grep -q ">Hash…[$]Node</text>" "$work/names.svg" || fail "HashMap\$Node is cut otherwise: $(grep -o '>[^<]*…[^<]*</text>' "$work/names.svg" | sort -u | tr '\n' ' ')"
"$memcity" bench generate --leaves 300000 --steps 2 --mct "$work/wide.mct" >/dev/null 2>&1
expect 0 tree "$work/wide.mct" -o "$work/wide.svg"
[ "$(stat -c %s "$work/wide.svg")" -lt 2000000 ] || fail "300,000 leaves take $(stat -c %s "$work/wide.svg") bytes"

# ---- two traces: the geometry of the larger of both, what each has, and what was moved

expect 0 tree "$http" --window 0:25 --tsv; quiet; head -1 "$work/out" | grep -qx $'key\tother\tlevel\tfrom\tto' || fail "the columns"
expect 0 tree --help; prints "full key, number of groups in an Other, level, start and end"
expect 0 tree "$http" --versus "$http" --align 5:25 --no-folds --window 0:45 --step 25 --tsv; quiet
head -1 "$work/out" | grep -qx $'key\tother\tlevel\tfrom\tto\tbefore\tafter\tstate' || fail "the columns of two"
cp "$work/out" "$work/pair.tsv"
expect 0 tree "$http" --versus "$http" --align 5:25 --no-folds --window 0:45 --step 25 --json; quiet
cp "$work/out" "$work/pair.json"
for step in 5 25; do expect 0 tree "$http" --window 0:25 --step $step --json; cp "$work/out" "$work/$step.json"; done
python3 - "$work" <<'P' >"$work/check" 2>&1 || fail "of two: $(tail -n 1 "$work/check")"
import json, sys
pair, before, after = (json.load(open(f"{sys.argv[1]}/{name}.json")) for name in ("pair", "5", "25"))
rows = [line.rstrip("\n").split("\t") for line in open(f"{sys.argv[1]}/pair.tsv")][1:]
sides = [{g["key"]: g["value"] for g in side["groups"] if g["value"]} for side in (before, after)]
assert pair["metric"] == "bytes" and pair["steps"] == [5, 25], pair["steps"]
assert len(rows) == len(pair["groups"]) > 50
assert [r[0] for r in rows] == [g["key"] for g in pair["groups"]]
assert all(float(r[3]) == g["from"] and [int(x) for x in r[5:7]] == g["values"] for r, g in zip(rows, pair["groups"]))
assert all([v or 0 for v in g["values"]] == [side.get(g["key"], 0) for side in sides] for g in pair["groups"])
assert {g["state"] for g in pair["groups"]} == {"both"}
P
expect 0 export "$http" --format default -o "$work/plain"
python3 "$2/../versus_reference.py" --rename "$work/plain" . "$work/renamed" org.apache.commons.httpclient=com.acme.web || fail "the renamed copy"
expect 0 tree "$http" --versus "$work/renamed" --json; prints '"key":"Heap#com.acme.web"'; prints '"state":"moved","was":"Heap#org.apache.commons.httpclient"'
expect 0 tree "$http" --versus "$work/renamed" --pair a --tsv; prints $'Heap#org.apache.commons.httpclient\t\t1'
grep -q com.acme.web "$work/out" && fail "A has a name of B's"
expect 0 tree "$http" --versus "$work/renamed" -o "$work/pair.svg"; grep -q "Change from A to B" "$work/pair.svg" || fail "the legend of two"
expect 0 tree "$http" --versus "$http" --align 5:25 --size 320x200 -o "$work/pair.png"
expect 2 tree "$http" --versus "$http" --pair both -o "$work/x.svg"; says "--pair: expected difference, a or b"
expect 2 tree "$http" --tsv --json; says "--tsv and --json"

# ---- names never become markup
mkdir "$work/odd"
printf '{"time":1,"root":{"key":"H","name":"<b>&\\"","role":"","bytes":2,"objects":2,"children":[{"key":"H#<script>","name":"<script>","role":"T","bytes":2,"objects":2}]}}' >"$work/odd/1.json"
expect 0 tree "$work/odd" -o "$work/odd.svg"; quiet
grep -q '<script>\|<b>' "$work/odd.svg" && fail "a name is markup"
# one leaf, and a part that is not there at a step
expect 0 tree "$work/odd" --tsv; prints "H#<script>"
expect 0 tree "$http" --window 0:25 --step 0 --root 'Heap#org.apache.commons.httpclient' -o "$work/empty.svg"
grep -q ">Heap → Package: org.apache.commons.httpclient is not there at step 0<" "$work/empty.svg" || fail "nothing says why it is empty"

# ---- wrong use
expect 2 tree "$http"; says "-o FILE.png, -o FILE.svg, --tsv or --json is missing"
expect 2 tree "$http" -o "$work/x.jpg"; says "should end in"
expect 2 tree "$http" -o "$work/x.png" --prune 9; says "--prune"
expect 2 tree "$http" -o "$work/x.png" --prune 90%,0; says "--prune"
expect 2 tree "$http" --tsv --regex; says "--search"
expect 2 tree "$http" --tsv --root nothing; says "nothing"
expect 2 tree "$http" --tsv --view city; says "--view"
expect 2 tree "$http" --tsv --global; says "--global"
# Colours by numbers are those of the city: what grew the most since the step before is red, what did not is gray; a legend says so.
color_of() { grep -o "fill=\"#[0-9a-f]*\"[^>]*><title>[^<]*$2: " "$work/$1.svg" | sed 's/fill="\(#[0-9a-f]*\)".*/\1/'; }
for color in "--color-by step" "--color-by trend" "--color first" "--color bytes"; do
  expect 0 tree "$http" --window 0:25 --metric objects --step 14 $color -o "$work/by-${color##* }.svg"; quiet
done
[ "$(color_of by-step 'LinkedList')" = "$(color_of by-trend 'LinkedList')" ] || fail "LinkedList grows the most at once and steadily"
[ "$(color_of by-step 'LinkedList')" = "$(color_of by-trend 'Package: java.util')" ] || fail "so does java.util"
[ "$(color_of by-first 'LinkedList')" = "$(color_of by-trend 'WeakReference')" ] || fail "neither is later, nor grows: $(color_of by-first 'LinkedList') $(color_of by-trend 'WeakReference')"
grep -q ">Growth since the step before</text>" "$work/by-step.svg" || fail "no legend of a step's growth"
grep -q ">Steady growth over the window</text>" "$work/by-trend.svg" || fail "no legend of a trend"
grep -q ">First seen</text>" "$work/by-first.svg" && grep -q ">step 25</text>" "$work/by-first.svg" || fail "no legend of first steps"
grep -q ">Colour: bytes</text>" "$work/by-bytes.svg" || fail "no legend of a metric"
expect 2 tree "$http" --color taste -o "$work/x.svg"; says "--color: the trace has no metric"
expect 2 tree "$http" --color-by taste -o "$work/x.svg"; says "--color-by"
expect 2 timeline "$http" --global -o "$work/x.svg"; says "--global"
for video in "--as sunburst" --as=icicle; do
  expect 2 video "$http" $video; says "-o FILE.mp4"
  expect 2 video "$http" $video -o "$work/x.mp4" --size 33x32; says "even"
  expect 2 video "$http" $video -o "$work/x.mp4" --refs both; says "--refs"
done
expect 2 video "$http" --as cake -o "$work/x.mp4"; says "icicle-down"
expect 0 video --as sunburst --help; prints "--prune"
expect 2 timeline "$http" --window 0:25 -o "$work/x.svg" --steps 8,0; says "ascending"
expect 2 timeline "$http" --window 0:25 -o "$work/x.svg" --steps 99; says "--steps"
expect 2 timeline "$http" --window 0:25 -o "$work/x.svg" --steps a; says "--steps"
expect 2 timeline "$http"; says "-o FILE.png or -o FILE.svg is missing"
finish

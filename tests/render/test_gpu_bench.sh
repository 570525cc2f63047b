#!/usr/bin/env bash
# Each subject of `memcity bench` runs and prints what it should; times are not looked at.
. "$(dirname "$0")/../command.sh"
data=$2

check_json() { # SUBJECT CASE KEY: the case's median of KEY_ms is there
  python3 - "$work/out" "$@" <<'PYTHON' || fail "bench $*"
import json, sys
path, subject, case, key = sys.argv[1:]
lines = [json.loads(line) for line in open(path)]
head = lines[0]
assert head['bench'] == 'machine' and head['cores'] >= 1 and head['commit'] == 'abc', head
found = [line for line in lines if line.get('bench') == subject and line.get('case') == case]
assert len(found) == 1, lines
series = found[0][key + '_ms']
assert 0 <= series['min'] <= series['median'] <= series['p95'] and series['runs'] >= 1, found
PYTHON
}

small=(--leaves 200 --steps 3 --seed 5 --runs 2 --size 64x48 --json --commit abc)
mkdir "$work/files"
expect 0 bench import "${small[@]}" --dir "$work/files"
check_json import "files to trace" import
check_json import "files to .mct" convert
check_json import "open .mct" open
[ -z "$(ls -A "$work/files")" ] || fail "import leaves files behind"
expect 0 bench layout "${small[@]}" --metric objects
for tiling in squarify binary slice dice slice-dice; do check_json layout $tiling layout; done
check_json layout "max tree" compute
check_json layout city create
run 0 "$memcity" bench update "${small[@]}"
check_json update "update pass" gpu
run 0 "$memcity" bench render "${small[@]}" --picture "$work/city.png"
for case in "orbit, opaque" "orbit, opaque, edges" "orbit, 20 % translucent" "orbit, all translucent" \
  "orbit, as in the window"; do
  check_json render "$case" frame
done
check_json render "first picture" total
[ "$(head -c 4 "$work/city.png" | tail -c 3)" = PNG ] || fail "render: no picture"
run 0 "$memcity" bench play "${small[@]}"
check_json play "step to step" step
check_json play "step to step" wait
check_json play "between two steps" frame
check_json play "step to step, as in the window" frame
check_json play "between two steps, as in the window" frame
for rasterizer in raster compute; do
  run 0 "$memcity" bench play "${small[@]}" --rasterizer $rasterizer
  check_json play "step to step" frame
  run 0 "$memcity" render "$data/json/anttracks.json" --size 64x48 \
    --rasterizer $rasterizer -o "$work/$rasterizer.png"
  [ "$(head -c 4 "$work/$rasterizer.png" | tail -c 3)" = PNG ] || fail "$rasterizer: no picture"
done

# On files: those that generate writes, and given ones.
expect 0 bench generate --leaves 200 --steps 3 --dir "$work/trace"
[ "$(ls "$work/trace" | wc -l)" -eq 3 ] || fail "generate: not three files"
expect 0 bench generate --leaves 200 --steps 3 --mct "$work/trace.mct"
expect 0 bench layout "${small[@]}" "$work/trace.mct"
check_json layout city create
expect 0 bench import "$work/trace" --runs 1
grep -q 'speed .* gb_per_s' "$work/out" || fail "import: no table"
expect 0 bench layout "$data/json/anttracks.json" --runs 1

# Two pictures: the same, another one, one of another size, none.
for size in 64x48 65x48; do
  for step in 1 2; do
    run 0 "$memcity" render "$work/trace.mct" --size $size --step $step -o "$work/$step-$size.png"
  done
done
expect 0 bench compare "$work/1-64x48.png" "$work/1-64x48.png" --json; prints '"pixels_n":3072,"different_n":0,"largest_share":0,"mean_share":0'
expect 0 bench compare "$work/1-64x48.png" "$work/2-64x48.png" --json
grep -q '"different_n":[1-9]' "$work/out" || fail "two steps look the same: $(cat "$work/out")"
expect 3 bench compare "$work/1-64x48.png" "$work/1-65x48.png"; says "expected a picture of 64 x 48 pixels"
expect 3 bench compare "$work/1-64x48.png" "$work/trace.mct"; says "trace.mct: expected a PNG file"
head -c 300 "$work/1-64x48.png" >"$work/cut.png"
expect 3 bench compare "$work/cut.png" "$work/1-64x48.png"; says "cut.png: expected a PNG file"
expect 1 bench compare "$work/1-64x48.png" "$work/none.png"; says "none.png"
expect 2 bench compare "$work/1-64x48.png"; says "two PNG files"

expect 2 bench
expect 2 bench speed
expect 2 bench layout --leaves 0
expect 2 bench layout --steps 0
expect 2 bench render --rasterizer fast
expect 2 bench render --size 0x5
expect 2 bench generate
expect 1 bench generate --leaves 10 --mct "$work/trace.mct"
expect 1 bench import --leaves 10 --dir "$work/none"
expect 1 bench import "$work/none"

# Two programs in turns: a row a case of both, and what only one has.
compare=$(dirname "$0")/../../bench/compare.sh
run 0 "$compare" --leaves 1000 --steps 3 --rounds 1 --runs 1 --size 64x48,32x32 --json "$work/rows.json" "$memcity" "$memcity"
for row in "squarify 1,000" "first picture 1,000 64x48" "orbit, opaque 1,000 32x32" "step to step of an .mct 1,000 × 3" "city 1,000" \
  "program, from start to a PNG, 1,000 × 3" "sunburst, frame 1,000 64x48"; do prints "| $row |"; done
python3 - "$work/rows.json" <<'PYTHON' || fail "the numbers of compare.sh"
import json, sys
rows = json.load(open(sys.argv[1]))["rows"]
assert len(rows) > 40 and all(len(times) >= 1 for row in rows.values() for times in row), rows
PYTHON
run 2 "$compare" no-such-commit "$memcity"; says "no commit and no program"
run 2 "$compare" "$memcity"

# How cost grows with work: a number a size of all that is measured, and a chart that names it.
growth=$(dirname "$0")/../../bench/growth.py
run 0 python3 "$growth" --memcity "$memcity" --most 10000 --runs 1 --data "$work" --results "$work/results" --chart "$work/growth.svg"
prints "| 10,000 |"
python3 - "$work"/results/*-growth-unknown.json "$work/growth.svg" <<'PYTHON' || fail "the numbers of growth.py"
import json, sys, xml.etree.ElementTree as xml
table = json.load(open(sys.argv[1]))["table"]
texts = "".join(xml.parse(sys.argv[2]).getroot().itertext())
assert len(table) == 6, table
for row in table:
    assert sorted(row["by_leaves"]) == ["1000", "10000"] and min(row["by_leaves"].values()) > 0, row
    assert row["what"] in texts, (row, texts)
PYTHON
run 2 python3 "$growth" --memcity "$memcity" --most 1000
finish

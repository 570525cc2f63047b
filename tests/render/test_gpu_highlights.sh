#!/usr/bin/env bash
# Highlights, parts of a heap and references on the command line: the GPU says what the CPU says, and wrong wishes are
# told.
. "$(dirname "$0")/../command.sh"

objects=(--metric objects --window 0:25)
for highlight in "--color-by step" "--color-by trend" "--color-by level" "--color-by role" "--color-by package" "--height-by bytes" \
  "--height-by object-size --color-by step --scaling sqrt" "--color first" "--color bytes" \
  "--height objects --color trend"; do
  # shellcheck disable=SC2086
  {
    expect 0 city "$http" "${objects[@]}" --step 9 $highlight
    cp "$work/out" "$work/cpu"
    expect 0 city "$http" "${objects[@]}" --step 9 $highlight --gpu
  }
  python3 - "$work/cpu" "$work/out" <<'PYTHON' || fail "$highlight: CPU and GPU differ"
import sys
cpu, gpu = ([line.rstrip('\n').split('\t') for line in open(path)] for path in sys.argv[1:])
assert len(cpu) == len(gpu) > 100, (len(cpu), len(gpu))
for a, b in zip(cpu, gpu):
    assert a[0] == b[0], (a, b)
    for x, y in zip(map(float, a[1:]), map(float, b[1:])):
        assert abs(x - y) <= 1e-5 * (abs(x) + abs(y)) + 1e-3, (a, b)
PYTHON
done

# A height is 0.25, 0.5, 1, 1.5 or 2 times the side, by the class of what it shows.
expect 0 city "$http" "${objects[@]}" --step 9 --height-by bytes
python3 - "$work/out" <<'PYTHON' || fail "heights by class"
import math, sys
classes = set()
for line in open(sys.argv[1]):
    x0, z0, x1, z1, height = map(float, line.split('\t')[1:6])
    side = math.sqrt((x1 - x0) * (z1 - z0))
    if side < 0.5: continue
    ratio = height / side
    nearest = min((0.25, 0.5, 1, 1.5, 2), key=lambda r: abs(r - ratio))
    assert abs(ratio - nearest) < 0.01, line
    classes.add(nearest)
assert len(classes) >= 3, classes
PYTHON

# One district as a city of its own: its nodes only, on all of the ground.
root='Heap#java.util'
expect 0 layout "$http" "${objects[@]}" --root "$root" --padding 0
python3 - "$work/out" "$root" <<'PYTHON' || fail "the layout of a district"
import sys
rows = [line.rstrip('\n').split('\t') for line in open(sys.argv[1])]
root = sys.argv[2]
assert rows[0] == [root, '0', '0', '1000', '1000'], rows[0]
assert len(rows) > 20 and all(row[0] == root or row[0].startswith(root + '#') for row in rows)
area = sum((float(r[3]) - float(r[1])) * (float(r[4]) - float(r[2])) for r in rows[1:])
assert abs(area - 1e6) < 1, area
PYTHON
expect 0 city "$http" "${objects[@]}" --root "$root"
[ "$(grep -vc "^$root#" "$work/out")" -eq 0 ] || fail "a building outside the root"
expect 2 layout "$http" --root 'Heap#no such' ; says "no node has the full key"
expect 2 city "$http" --color-by taste; says "--color-by"

# References in a picture.
picture=(render "$http" "${objects[@]}" --step 25 --size 320x200 --validation)
selection='Heap#java.util#LinkedList'
expect 2 "${picture[@]}" -o "$work/none.png" --refs both; says "--select"
expect 0 "${picture[@]}" -o "$work/plain.png" --select "$selection"
expect 0 "${picture[@]}" -o "$work/straight.png" --select "$selection" --refs both
expect 0 "${picture[@]}" -o "$work/arcs.png" --select "$selection" --refs both --arcs all
expect 0 "${picture[@]}" -o "$work/less.png" --select "$selection" --refs both --refs-most 0
for pair in "plain straight" "straight arcs"; do
  # shellcheck disable=SC2086
  set -- $pair
  cmp -s "$work/$1.png" "$work/$2.png" && fail "$1 and $2 look the same"
done
cmp -s "$work/plain.png" "$work/less.png" || fail "no reference, but another picture"
expect 2 "${picture[@]}" -o "$work/root.png" --root "Heap#java.lang" --select "$selection"; says "not in this city"

finish

#!/usr/bin/env bash
# Pictures of a heap dump with its GC roots, and without what is demolished.
. "$(dirname "$0")/../command.sh"
here=$(realpath "$(dirname "$0")/..")
memcity=$(realpath "$memcity")
cd "$work" || exit 1
python3 "$here/hprof_maker.py" made.hprof --seed 3 || exit 1
picture() { # FILE ARGUMENTS…
  local file=$1
  shift
  expect 0 render "$@" --size 400x300 -o "$file.png"
}
differ() { cmp -s "$1.png" "$2.png" && fail "$1 and $2 are one picture"; }
same() { cmp -s "$1.png" "$2.png" || fail "$1 and $2 are two pictures"; }

picture plain made.hprof
picture roots made.hprof --roots
picture fallen made.hprof --demolish 'Heap#java.lang'
picture ending made.hprof --demolish java.lang
picture both made.hprof --demolish java.lang --demolish 'Heap#(default)'
picture compute made.hprof --roots --demolish java.lang --rasterizer compute
picture raster made.hprof --roots --demolish java.lang --rasterizer raster
differ plain roots
differ plain fallen
differ fallen both
differ compute both
same fallen ending
# as it was saved
printf 'wait idle\nroots\nselect Heap#java.lang\ndemolish\nwait idle\nselect Heap\nescape\nwait idle\nsave view.json\nquit\n' >script
expect 0 made.hprof --script script --headless
picture saved --view view.json --no-labels --no-legend
picture asked made.hprof --demolish java.lang
same saved asked
expect 0 video made.hprof --demolish java.lang --size 200x150 -o x.mp4
expect 2 render made.hprof --demolish nothing -o x.png; says "no node has the full key \"nothing\""
expect 0 import made.hprof -o made.mct
run 1 "$memcity" render made.mct --demolish java.lang -o x.png; says "counts objects and does not hold them"
[ ! -e x.png ] || fail "a picture of nothing"
picture mct made.mct --roots
same mct roots

# ---- how roots hold the selection, as streets; they begin at the roots' markers
expect 0 import made.hprof --paths -o paths.mct
key=$(sqlite3 paths.mct "SELECT replace(path, ' > ', '#') FROM retaining_path WHERE path LIKE '% > % > %' GROUP BY path ORDER BY count(*) DESC, path LIMIT 1")
picture selected paths.mct --select "$key"
picture held paths.mct --select "$key" --streets
picture least paths.mct --select "$key" --streets --streets-most 1
picture marked paths.mct --select "$key" --roots
picture begun paths.mct --select "$key" --roots --streets
differ selected held
differ held least
differ marked begun
printf 'wait idle\nselect %s\nwait idle\nsave streets.json\nstreets\nwait idle\nsave none.json\nquit\n' "$key" >script
expect 0 paths.mct --script script --headless
picture viewed --view streets.json
picture without --view none.json
differ viewed without
expect 0 video paths.mct --select "$key" --streets --size 200x150 -o y.mp4
expect 2 render paths.mct --streets -o x.png; says "--streets: say of what with --select KEY"
expect 2 render paths.mct --streets --walk -o x.png; says "--walk: without --streets"
expect 0 render made.mct --select "$key" --streets --size 200x150 -o x.png; says "no retaining paths"
# a view of another trace says nothing
expect 0 render made.mct --view streets.json --size 200x150 -o x.png; quiet
finish

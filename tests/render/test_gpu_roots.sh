#!/usr/bin/env bash
# Pictures of a heap dump with its GC roots, and without what is demolished.
. "$(dirname "$0")/../command.sh"
ignore_driver_leaks
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
finish

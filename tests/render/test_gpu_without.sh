#!/usr/bin/env bash
# Without what a device may lack (MEMCITY_WITHOUT, docs/developing/where-to-look.md) pictures are the same: small, translucent and by the
# compute rasterizer, flat; with Vulkan's validation.
. "$(dirname "$0")/../command.sh"
unset MEMCITY_WITHOUT
command -v compare >/dev/null || { echo "compare is missing (package imagemagick)" >&2; exit 1; }

draw() { # FOLDER
  mkdir -p "$1"
  expect 0 render "$http" --metric objects --labels --refs both --select 'Heap#java.util' --step 25 --window 0:26 --size 280x175 \
    --validation -o "$1/city.png"
  ! grep -q VUID "$work/err" || fail "$(head -c 500 "$work/err")"
  expect 0 render "$traces/perfetto" --rasterizer compute --opaque 4000 --size 280x175 --validation -o "$1/compute.png"
  ! grep -q VUID "$work/err" || fail "$(head -c 500 "$work/err")"
  expect 0 tree "$http" --metric objects --window 0:26 --size 280x175 --validation -o "$1/tree.png"
  ! grep -q VUID "$work/err" || fail "$(head -c 500 "$work/err")"
}
# A border may be elsewhere where another rasterizer draws it, or other samples are taken.
check() { # FEATURE FUZZ MOST
  local name differing
  for name in city compute tree; do
    differing=$(compare -metric AE -fuzz "$2" "$work/all/$name.png" "$work/$1/$name.png" null: 2>&1)
    [ "$differing" -le "$3" ] || fail "without $1: $differing pixels of $name differ"
  done
}
draw "$work/all"
for feature in int64-atomics texels samples timestamps mapped-memory debug-names; do
  MEMCITY_WITHOUT=$feature draw "$work/$feature"
  case $feature in
  int64-atomics | samples) check $feature 15% 100 ;;
  *) check $feature 1.5% 20 ;;
  esac
done
everything=int64-atomics,texels,samples,timestamps,mapped-memory,debug-names
MEMCITY_WITHOUT=$everything draw "$work/$everything"
check $everything 15% 100

MEMCITY_WITHOUT=texels,colour expect 3 render "$http" -o "$work/none.png"
says '"colour" is nothing that a graphics device can be used without; there is: int64-atomics, texels, samples'
finish

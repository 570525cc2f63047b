#!/usr/bin/env bash
# What one explores, in pictures: each state beside the stored one in data/pictures, with a tolerance for how devices
# round. MC_UPDATE_PICTURES=1 writes the stored ones anew; look at them before committing.
. "$(dirname "$0")/../command.sh"
stored=$2/pictures
update=${MC_UPDATE_PICTURES:-}
drawn=$(dirname "$memcity")/pictures # what differs is kept here, with the difference
rm -rf "$drawn"
[ -z "$update" ] || mkdir -p "$stored"

keep() { # NAME
  mkdir -p "$drawn" && cp "$work/$1.png" "$drawn/$1.png"
  compare -fuzz 1.5% "$work/$1.png" "$stored/$1.png" "$drawn/$1-difference.png" 2>/dev/null
}
# What the 64 levels of a stored channel round off differs everywhere, and nothing else on the processors tried. So a few
# pixels may differ by more, each by half of what there is at most; a missing label, frustum or colour is no few.
# Vulkan promises 16 steps in a pixel of the grid on which triangles are drawn, of which SwiftShader has no more; others have
# 256. Borders lie elsewhere by up to a 32nd of a pixel there, and so do letters; of a unit's thin rims nearly all are borders.
fuzz=1.5% many=20 much=0.005
[[ ${VK_DRIVER_FILES:-} != *swiftshader* ]] || fuzz=15% many=150 much=0.006
check() { # NAME
  local differing mean most
  differing=$(compare -metric AE -fuzz $fuzz "$work/$1.png" "$stored/$1.png" null: 2>&1) || [ $? -eq 1 ] ||
    { fail "$1: $differing"; return; }
  mean=$(compare -metric MAE "$work/$1.png" "$stored/$1.png" null: 2>&1 | sed 's/.*(\(.*\)).*/\1/')
  most=$(compare -metric PAE "$work/$1.png" "$stored/$1.png" null: 2>&1 | sed 's/.*(\(.*\)).*/\1/')
  awk -v d="$differing" -v m="$mean" -v a="$most" -v many=$many -v much=$much \
    'BEGIN { exit !(d <= many && m < much && a <= 0.5) }' && return
  fail "$1: $differing pixels differ, by $mean in the mean, by $most at most; see $drawn"
  keep "$1"
}
state() { # NAME TRACE OPTIONS…: of `memcity render`, or of the command that $as names
  local name=$1 trace=$traces/$2
  shift 2
  "$memcity" "${as:-render}" "$trace" --size 280x175 --validation -o "$work/$name.png" "$@" 2>"$work/err" ||
    { fail "$name: $(head -c 300 "$work/err")"; return; }
  if [ -n "$update" ]; then
    # A multiple of four a channel: half the size, and less than what is tolerated.
    convert "$work/$name.png" -strip -alpha off +dither -posterize 64 -define png:compression-level=9 "$stored/$name.png"
  elif [ -e "$stored/$name.png" ]; then
    ! compares "${as:-render}" || check "$name"
  else
    fail "$name: no stored picture; MC_UPDATE_PICTURES=1 writes it"
  fi
}

for tool in convert compare identify; do
  command -v $tool >/dev/null || { echo "$tool is missing (package imagemagick)" >&2; exit 1; }
done

. "$stored/states.sh"

for file in "$stored"/*.png; do
  [ -e "$work/$(basename "$file")" ] || fail "$file belongs to no state"
done
size=$(du -cb "$stored"/*.png | tail -1 | cut -f1)
[ "$size" -lt 500000 ] || fail "the stored pictures take $size bytes"
finish

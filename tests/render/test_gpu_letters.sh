#!/usr/bin/env bash
# Letters that were rendered before are read from the user's cache, and pictures are the same with and without.
. "$(dirname "$0")/../command.sh"
export XDG_CACHE_HOME=$work/cache

draw() { # NAME: what it drew is the same as what was drawn first
  "$memcity" render "$http" --metric objects --size 480x270 --labels --legend --samples 1 -o "$work/$1.png" 2>"$work/err" || fail "$1: $(cat "$work/err")"
  grep -q letters "$work/err" && fail "$1 says: $(cat "$work/err")"
  cmp -s "$work/first.png" "$work/$1.png" || fail "$1 is another picture"
}
XDG_CACHE_HOME= HOME= draw first # there is no place for it
[ ! -e "$XDG_CACHE_HOME" ] || fail "made without being said where"
draw made
letters=$(echo "$XDG_CACHE_HOME"/memcity/letters-*)
[ -s "$letters" ] || fail "nothing was kept"
[ "$(stat -c %a "$XDG_CACHE_HOME/memcity")" = 700 ] || fail "others may look into it"
cp "$letters" "$work/kept"
inode=$(stat -c %i "$letters")
draw read
[ "$(stat -c %i "$letters")" = "$inode" ] || fail "what was there was made again"

# What is damaged, cut off, of something else or empty is made anew, in place of the other.
replace() { # NAME: by what is in $work/replacement
  cp "$work/replacement" "$letters"
  draw "$1"
  cmp -s "$letters" "$work/kept" || fail "$1: not mended"
}
size=$(stat -c %s "$work/kept")
for at in 0 100 $((size / 3)) $((size / 2)) $((size - 5)); do
  cp "$work/kept" "$work/replacement"
  printf '\125\252' | dd of="$work/replacement" bs=1 seek="$at" conv=notrunc status=none
  replace "changed-at-$at"
  head -c "$at" "$work/kept" >"$work/replacement"
  replace "cut-at-$at"
done
printf 'others' | zstd -q >"$work/replacement"
replace another
{ cat "$work/replacement"; tail -c 1000 "$work/kept"; } >"$work/mixed"
mv "$work/mixed" "$work/replacement"
replace mixed

# The file is of its fonts: of others it is made anew.
[ "$(zstd -dc "$work/kept" 2>/dev/null | head -c 17)" = "memcity letters 1" ] || fail "it doesn't say what it is"
zstd -dc "$work/kept" >"$work/unpacked"
python3 - "$work" <<'END' || fail "it is not as it is described"
import struct, sys
data = open(sys.argv[1] + "/unpacked", "rb").read()
begin = data.index(b"\n") + 1
made_of = struct.unpack("<4Q", data[begin:begin + 32])[3]
width, height = struct.unpack("<2i", data[begin + 32 + made_of:begin + 40 + made_of])
head, pixels = bytearray(data[:-width * height]), data[-width * height:]
sizes = begin + 32 + made_of
for name, at, value in (("font", begin + 40, head[begin + 40] ^ 1), ("version", 19, head[19] ^ 1), ("side", sizes, None)):
    changed = bytearray(head)
    if value is None:
        changed[sizes:sizes + 8] = struct.pack("<2i", 1, width * height)
    else:
        changed[at] = value
    open(f"{sys.argv[1]}/{name}.head", "wb").write(changed)
open(sys.argv[1] + "/pixels", "wb").write(pixels)
END
zstd -q --check "$work/pixels"
for name in font version side; do
  zstd -q --check "$work/$name.head"
  cat "$work/$name.head.zst" "$work/pixels.zst" >"$work/replacement"
  replace "other-$name"
done
rm -rf "$XDG_CACHE_HOME"
touch "$XDG_CACHE_HOME"
draw unwritable
[ -f "$XDG_CACHE_HOME" ] || fail "what is in the way is gone"
finish

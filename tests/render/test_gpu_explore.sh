#!/usr/bin/env bash
# What --walk, --search, --labels and --legend put into pictures without a window.
. "$(dirname "$0")/../command.sh"
ignore_driver_leaks

draw() { # NAME OPTIONS…
  local name=$1
  shift
  "$memcity" render "$http" --metric objects --size 480x270 -o "$work/$name.png" "$@" 2>"$work/err" ||
    fail "render $*: $(cat "$work/err")"
}
refuse() { # TEXT OPTIONS…
  local text=$1
  shift
  "$memcity" render "$http" --size 64x64 -o "$work/x.png" "$@" 2>"$work/err"
  [ $? -eq 2 ] && grep -qF -- "$text" "$work/err" || fail "render $*: $(cat "$work/err")"
}
# How many pixels are close to a colour.
count() { # NAME COLOUR
  convert "$work/$1.png" -alpha off -fuzz 12% -fill black +opaque "$2" -fill white -opaque "$2" -format '%[fx:round(mean*w*h)]' info:
}
differ() { # NAME NAME GEOMETRY LEAST: pixels that differ in a part of two pictures
  local n
  n=$(compare -metric AE -fuzz 3% "$work/$1.png[$3]" "$work/$2.png[$3]" null: 2>&1)
  [ "${n%.*}" -ge "$4" ] || fail "$1 and $2 differ in $n pixels of $3, expected $4"
}

refuse "--walk: without" --walk --search x
refuse "--walk: without" --walk --refs both --select Heap
refuse "--regex: say what" --regex
refuse "not a regular expression" --search '(' --regex

draw plain --window 0:25
draw walk --window 0:25 --walk
[ "$(count plain '#d6107e')" -eq 0 ] && [ "$(count walk '#d6107e')" -gt 300 ] ||
  fail "the walk is not drawn: $(count plain '#d6107e') and $(count walk '#d6107e') pixels"
# Without a window the walk, and so the picture, is about the time before the shutdown.
draw same --walk
grep -q "most of the heap was freed" "$work/err" || fail "the window is not said: $(cat "$work/err")"
cmp -s "$work/walk.png" "$work/same.png" || fail "the walk without a window is another one"
# Only the list stands out; red is its colour.
draw search --window 0:25 --search 'linkedlist$' --regex --labels
draw other --window 0:25 --search httpparams
[ "$(count search '#d31d17')" -gt 500 ] && [ "$(count other '#d31d17')" -eq 0 ] || fail "the search does not dim"
draw nothing --window 0:25 --search zzzz
grep -q 'nothing has "zzzz"' "$work/err" || fail "no hits: $(cat "$work/err")"
# Names lie over buildings, the legend in the corners on the left.
draw labels --window 0:25 --labels
draw legend --window 0:25 --legend
draw dark --window 0:25 --legend --dark
differ plain labels 240x200+120+30 400
differ plain legend 140x40+10+10 300
differ plain legend 130x60+8+200 500
differ legend dark 130x60+8+200 3000
# A picture too small for text has none, and is drawn all the same.
draw tiny --labels --legend --size 40x30
# A video has them, too.
"$memcity" video "$http" --metric objects --window 3:5 --walk --labels --legend --size 320x180 --step-duration 0.1 -o "$work/v.mp4" 2>"$work/err" &&
  [ -s "$work/v.mp4" ] || fail "video: $(cat "$work/err")"

finish

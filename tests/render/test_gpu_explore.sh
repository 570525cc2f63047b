#!/usr/bin/env bash
# What --walk, --search, --labels and --legend put into pictures without a window.
. "$(dirname "$0")/../command.sh"

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

refuse "--walk can't be combined" --walk --search x
refuse "--walk can't be combined" --walk --refs both --select Heap
refuse "--regex: --search PATTERN" --regex
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
grep -q 'no key contains "zzzz"' "$work/err" || fail "no hits: $(cat "$work/err")"
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

# What is saved or shown has names, legend and time in its pictures, too; each can be left out.
cd "$work" || exit 1
export XDG_CONFIG_HOME=$work/config XDG_DATA_HOME=$work/share
printf 'wait idle\nset metric objects\nwindow.end\nstep 25\nselect Heap#java.util#LinkedList\nwait idle\nsave city.json\npicture.city\nwait idle\npanels\npicture.city\nnames\npicture.city\nset tree_color growth\nview.icicle\nwait idle\nsave flat.json\nquit\n' >script
"$memcity" "$http" --script script --headless --size 480x270 >said 2>&1 || fail "script: $(cat said)"
view() { # NAME OPTIONS…
  local name=$1
  shift
  "$memcity" render --size 480x270 -o "$name.png" "$@" 2>err || fail "render $*: $(cat err)"
}
view whole --view city.json
view said --view city.json --labels --legend
view unnamed --view city.json --no-labels
view bare --view city.json --no-labels --no-legend
cmp -s whole.png said.png || fail "a view has no names or no legend"
differ whole unnamed 240x200+120+30 400
differ unnamed bare 140x40+10+10 300
differ unnamed bare 130x60+8+200 500
mv http*-step25.png caption.png; mv http*-step25-2.png names.png; mv http*-step25-3.png alone.png
differ caption names 140x40+10+10 300
differ names alone 240x200+120+30 300
# A flat view is drawn as such, as memcity tree does; the walk is the city's.
view flat --view flat.json --legend --labels
"$memcity" tree "$http" --metric objects --step 25 --view icicle --color-by growth --select 'Heap#java.util#LinkedList' --size 480x270 -o tree.png 2>err || fail "tree: $(cat err)"
cmp -s flat.png tree.png || fail "a view of an icicle is drawn as something else"
view city --view flat.json --as city
cmp -s city.png bare.png || cmp -s city.png unnamed.png || fail "--as city draws something else"
refuse "--walk: works in the city only" --as sunburst --walk
"$memcity" video --view flat.json --size 320x180 --step-duration 0.1 -o f.mp4 2>err && [ -s f.mp4 ] || fail "video of a flat view: $(cat err)"

finish

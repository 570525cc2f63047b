#!/usr/bin/env bash
# A small window: what lies over the picture leaves the city in sight.
. "$(dirname "$0")/../window.sh"
here=$(realpath "$(dirname "$0")/..")
memcity=$(realpath "$memcity") trace=$(realpath "$trace")
cd "$work" || exit 1
python3 "$here/hprof_maker.py" made.hprof --seed 3 || die "hprof_maker.py"
middle=250 # of the window's height

height_of() { place "$1" | tr -d '[]' | awk -F, '{ print int($4 - $2) }'; }
bottom_of() { place "$1" | tr -d '[]' | awk -F, '{ print int($4) }'; }

start "$trace" --no-settings --size 800x500
wait_for open true; wait_for task idle; wait_for hint true
wait_until is_inside\ hint_card
is_inside legend || fail "the legend leaves the window"
[ "$(bottom_of hint_card)" -lt "$middle" ] || fail "the hint is at $(place hint_card)"
are_apart hint_card legend || fail "the hint $(place hint_card) covers the legend $(place legend)"
# Below the one suspect that there is room for, the line for more is whole: the card ends with its padding.
rests suspects_card
[ $(($(bottom_of suspects_card) - $(bottom_of more_suspects))) -ge 12 ] ||
  fail "the line for more suspects $(place more_suspects) is cut off by $(place suspects_card)"
click_place hint; wait_for window '[0,26]'
quit 0

# The panels' edge goes as far as leaves room for either side, however far it is dragged.
width_of() { place "$1" | tr -d '[]' | awk -F, '{ print int($3 - $1) }'; }
drag_edge() { # DX
  rests panels
  # shellcheck disable=SC2046 # two numbers
  point $(middle_of panels_edge)
  xdotool mousedown 1
  for _ in 1 2 3 4; do
    xdotool mousemove_relative -- $(($1 / 4)) 0
    sleep 0.05
  done
  xdotool mouseup 1
}
start "$trace" --no-settings --size 800x500
wait_for open true; wait_for task idle; wait_until is_inside\ panels
drag_edge -480; wait_until '[ "$(width_of panels)" = 480 ]'
drag_edge 480; wait_until '[ "$(width_of panels)" = 200 ]'
is_inside panels || fail "the narrowest panels leave the window: $(place panels)"
quit 0

# What GC roots there are is in the legend where there is room.
start made.hprof --no-settings --size 800x500
wait_for open true; wait_for task idle; wait_until is_inside\ legend
low=$(height_of legend)
[ "$low" -lt 180 ] || fail "the legend is $low high"
quit 0
start made.hprof --no-settings --size 1200x760
wait_for open true; wait_for task idle; wait_until is_inside\ legend
wait_until "[ \$(height_of legend) -gt $low ]"
quit 0

# At twice the size there is height for one card: no panel lies over the time bar.
start "$trace" --no-settings --size 800x500 --scale 2
wait_for open true; wait_for task idle
key 0; wait_for walk_shown true
top_of() { place "$1" | tr -d '[]' | awk -F, '{ print int($2) }'; }
wait_until '[ "$(bottom_of panels)" -le "$(top_of time_bar)" ]'
quit 0

# Where the panels leave little, the hint is narrow, and not over them.
start "$trace" --no-settings --size 1260x760 --scale 1.75
wait_for open true; wait_for task idle; wait_for hint true
key 0; wait_for walk_shown true; wait_until is_inside\ hint_card; rests hint_card
[ "$(place hint_card | cut -d, -f3 | cut -d. -f1)" -le "$(place panels | tr -d '[' | cut -d. -f1)" ] || fail "the hint $(place hint_card) covers the panels $(place panels)"
quit 0

[ "$failures" -eq 0 ]

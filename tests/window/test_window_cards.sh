#!/usr/bin/env bash
# The cards at a usual size: what is cut off shows that it is, and what counts stays in sight.
SCREEN=1440x900
. "$(dirname "$0")/../window.sh"

edge_of() { # PLACE NUMBER: left, top, right, bottom
  place "$1" | tr -d '[]' | cut -d, -f"$2" | cut -d. -f1
}
contrast_below() { # PLACE HEIGHT: from 0 to 100, in its lowest part, but for the card's own padding
  local left right bottom
  left=$(edge_of "$1" 1) right=$(edge_of "$1" 3) bottom=$(edge_of "$1" 4)
  import -window root "$work/below.png"
  convert "$work/below.png" -crop "$((right - left - 24))x$2+$((left + 12))+$((bottom - $2 - 2))" +repage \
    -colorspace Gray -format '%[fx:round(100*(maxima-minima))]' info:
}

start "$trace" --no-settings --size 1440x868
wait_for open true; wait_for task idle
point 400 500

# A list that reaches beyond the card fades out as all else does: its lowest rows of pixels are the card's.
key ctrl+f; wait_for typing search; xdotool type --delay 15 'lang#string'; key Return; wait_for selection 'Heap#java.lang#String'
key Escape Escape; wait_for search_open false; wait_until '[ "$(get references)" -ge 5 ]'; wait_for task idle; rests partner
row=$(($(edge_of partner_3 2) - $(edge_of partner_2 2)))
[ $(($(edge_of partner_3 4) + row)) -gt "$(edge_of panels 4)" ] || fail "no row is cut off: $(place partner_3), $(place panels)"
[ "$(contrast_below panels 3)" -le 25 ] || fail "a row is cut off: its contrast is $(contrast_below panels 3) %"

# The path of the selection begins as far ahead as there is room for.
[ -n "$(place path_root)" ] || fail "the path does not begin with its root: $(get selection)"
[ "$(edge_of path_root 3)" -le 720 ] || fail "the root is at $(place path_root)"

# Where several are selected the card says so, however many rows that takes.
key alt+Down alt+Down; wait_for task idle; wait_until '[ -n "$(place member)" ]'; rests selection_name
[ "$(edge_of selection_name 2)" -ge "$(edge_of panels 2)" ] ||
  fail "the selection's name is at $(place selection_name), the card at $(place panels)"
[ "$(edge_of partner 2)" -lt "$(edge_of panels 4)" ] || fail "no reference is in sight: $(place partner)"

# The help leaves the panels in sight.
key question; wait_until '[ -n "$(place keys)" ]'; rests keys
[ "$(edge_of keys 3)" -le "$(edge_of panels 1)" ] || fail "the help $(place keys) covers the panels $(place panels)"
key Escape; wait_for help false

quit 0

# A name stays beside the panels and within the window, wherever the city ends.
start "$trace" --no-settings --size 640x880
wait_for open true; wait_for task idle; point 100 500
key 0; wait_for walk_shown true; wait_for task idle; settled
is_inside selection_label || fail "the selection's name leaves the window: $(place selection_label)"
[ "$(edge_of selection_label 3)" -le "$(edge_of panels 1)" ] ||
  fail "the selection's name $(place selection_label) is below the panels $(place panels)"
quit 0

[ "$failures" -eq 0 ]

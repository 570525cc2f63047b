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

# Views can be chosen where there is no room for their names side by side.
is_inside views || fail "no list of views"
[ "$(get cut_words)" = 0 ] || fail "$(get cut_words) words of controls are cut off"

# What grew the most has its name, though the hint is where that would be; each stop of the walk has its number.
point 250 240; wait_until is_inside\ tooltip
read -r left right < <(place tooltip | tr -d '[]' | awk -F, '{ print int($1), int($3) }')
[ $((right - left)) -lt 340 ] || fail "the tooltip covers the picture: $(place tooltip)"
point 700 300
key 0; wait_for walk_shown true; rests eye
for number in 1 2 3 4 5; do
  wait_until "is_inside number_$number"
  are_apart "number_$number" hint_card || fail "stop $number is at $(place "number_$number")"
done
key Escape; wait_for walk_shown false

# The search leaves the city a place beside it; the hint waits meanwhile. Help lies over both.
selected=$(get selection)
key slash; wait_for search_open true; xdotool type --delay 15 ma; wait_for hits 78
wait_until is_inside\ search_panel
are_apart search_panel legend || fail "the legend $(place legend) is below the search $(place search_panel)"
wait_until '[ -z "$(place hint_card)" ]'
read -r right < <(place search_panel | tr -d '[]' | awk -F, '{ print int($3) }')
read -r left < <(place panels | tr -d '[]' | awk -F, '{ print int($1) }')
[ $((left - right)) -gt 220 ] || fail "$((left - right)) pixels of the city beside the search"
xdotool key --delay 1 ctrl+f F1; wait_for help true; wait_until is_inside\ keys
click 60 250; sleep 0.3
[ "$(get selection)" = "$selected" ] || fail "the search lies over the help: $(get selection)"
key F1; wait_for help false
click 60 250; wait_until '[ "$(get selection)" != "$selected" ]'
click_place close_search; wait_for search_open false
click_place hint; wait_for window '[0,26]'

# Help: what to know first, and enough of the keys to see that there are more.
key F1; wait_for help true; wait_until is_inside\ keys
[ "$(height_of key_table)" -gt 150 ] || fail "the keys have $(place key_table)"
key Escape; wait_for help false

# Rows of a menu keep their keys, over what opened them if there is no room beside that.
key F10; wait_for menu true; key Return; wait_until is_inside\ menu_beside
read -r left right < <(place menu_beside | tr -d '[]' | awk -F, '{ print int($1), int($3) }')
[ $((right - left)) -gt 400 ] || fail "the menu's second column has $(place menu_beside)"
key Escape Escape; wait_for menu false

# A section that is unfolded comes into view, also while the panels go back from what was selected.
key 1; wait_until '[ "$(get selection)" != null ]'
key Escape; palette fold view; wait_until '[ -n "$(place group_first)" ]'; rests group_first
[ "$(bottom_of group_first)" -le "$(bottom_of panels)" ] ||
  fail "View is at $(place group_first), below the panels $(place panels)"
palette fold view

# What heights mean is above the city, too: its corner is the city's.
key alt+h; wait_for height_by objects; wait_until is_inside\ legend
wait_until '[ "$(bottom_of legend)" -lt 130 ]'
quit 0

# The difference of two traces is explained above the city and above the sunburst.
start "$(dirname "$trace")/javac-daemon" --versus "$trace" --no-settings --size 800x500
wait_for open true; wait_for task idle; wait_for pair difference
wait_until is_inside\ legend; rests legend
[ "$(bottom_of legend)" -lt 100 ] || fail "the pair's legend is at $(place legend)"
are_apart legend hint_card || fail "the hint $(place hint_card) covers the pair's legend"
key alt+2; wait_for view sunburst; wait_for task idle; wait_until is_inside\ legend
[ "$(bottom_of legend)" -lt 100 ] || fail "the sunburst's legend is at $(place legend)"
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

# In the least window panels are folded, and the legend ends before them.
start "$trace" --no-settings --size 480x320
wait_for open true; wait_for task idle; wait_until is_inside\ legend; wait_until is_inside\ suspects_card
rests legend
are_apart legend suspects_card || fail "the legend $(place legend) lies under the findings $(place suspects_card)"
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

# What a control says has its room, also in the panel of all settings.
start "$trace" --no-settings --size 1440x900 --scale 1
wait_for open true; wait_for task idle; palette fold view; wait_until '[ -n "$(place group_first)" ]'; rests panels
wait_for cut_words 0
quit 0

# At twice the size there is height for one card: no panel lies over the time bar.
start "$trace" --no-settings --size 800x500 --scale 2
wait_for open true; wait_for task idle
key 0; wait_for walk_shown true
top_of() { place "$1" | tr -d '[]' | awk -F, '{ print int($2) }'; }
wait_until '[ "$(bottom_of suspects_card)" -le "$(top_of time_bar)" ]'
quit 0

# Where the panels leave little, the hint is narrow, and not over them.
start "$trace" --no-settings --size 1260x760 --scale 1.75
wait_for open true; wait_for task idle; wait_for hint true
key 0; wait_for walk_shown true; wait_until is_inside\ hint_card; rests hint_card
[ "$(place hint_card | cut -d, -f3 | cut -d. -f1)" -le "$(place panels | tr -d '[' | cut -d. -f1)" ] || fail "the hint $(place hint_card) covers the panels $(place panels)"
quit 0

[ "$failures" -eq 0 ]

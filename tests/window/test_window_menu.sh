#!/usr/bin/env bash
# The menus: all of it by F10, what can be done with a building by the right button, by mouse and by keys; what the window
# says of what can't be done.
. "$(dirname "$0")/../window.sh"
memcity=$(realpath "$memcity") trace=$(realpath "$trace")
mkdir -p "$work/files"
cd "$work/files" || exit 1

right_click() { # X Y
  point "$1" "$2"
  xdotool click 3
}

# ---- nothing is open: the menu is there, and says what it lacks
start --size 1000x640
wait_for task idle; wait_until '[ -n "$(place menu_button)" ]'
click_place menu_button; wait_for menu true
is_inside menu || fail "the menu leaves the window: $(get menu)"
is_inside menu_beside || fail "what is beside it leaves the window"
key Right; wait_for menu_row 'Open a trace or a view'
key Down Down Down Down Down; wait_for menu_row Undo
key Return; wait_until 'get said | grep -q "Open a trace first"'
wait_for menu true
key Up Up Up Up Up Return; wait_for box true; wait_for menu false
xdotool type --delay 15 "$trace"; key Return; wait_for open true; wait_for task idle; settled

# ---- by keys: rows go round, Left leads back, Escape ends it, and other keys do what they do
key F10; wait_for menu true; wait_for menu_row null
key Up; wait_for menu_row 'Help: how to read it, what to do first, all keys'
key Down Down Right; wait_for menu_row "$(basename "$trace")"
key Left; wait_for menu_row 'Opened before'
key Escape; wait_for menu false
key F10; wait_for menu true; key k; wait_for dark true; wait_for menu false
key k; wait_for dark false
key shift+F10; wait_for menu true; key Down Return; wait_for menu false # home

# ---- a click beside it closes it, and is for nothing else
key F10; wait_for menu true
click 500 600; wait_for menu false
[ "$(get selection)" = null ] || fail "a click beside the menu selected $(get selection)"

# ---- a building
key 1; wait_until '[ "$(get selection)" != null ]'; settled
selected=$(get selection)
spot=$(get suspects | tr -d '[]' | awk -F, '{ printf "%d %d", $1, $2 }')
key Escape; wait_for selection null
# shellcheck disable=SC2086 # two words
right_click $spot; wait_for menu true; wait_until '[ "$(get selection)" != null ]'
selected=$(get selection)
is_inside menu || fail "the menu of a building leaves the window"
check_picture menu
key Down Down; wait_for menu_row 'Enter the district: a city of it alone'
key Return; wait_until '[ "$(get root)" != null ]'; wait_for task idle; settled
key shift+F10; wait_for menu true; key Down Down Down; wait_for menu_row 'Leave the district for the city around it'
key Return; wait_for root null; wait_for task idle; settled
# dragged, the right button turns the camera
eye=$(get eye)
point 450 300; xdotool mousedown 3 mousemove 490 300 mousemove 530 300 mouseup 3
wait_until '[ "$(get eye)" != "'"$eye"'" ]'; wait_for menu false

# ---- a row of a list, and a sunburst
key Escape; wait_for selection null
point 300 500
wait_until '[ -n "$(place suspect)" ]'; rests suspect
# shellcheck disable=SC2046 # two words
right_click $(middle_of suspect); wait_for menu true; wait_until '[ "$(get selection)" != null ]'
key Escape; wait_for menu false; settled
key Escape; wait_for selection null
key alt+2; wait_for view sunburst; wait_for task idle
right_click 330 300; wait_for menu true; wait_until '[ "$(get selection)" != null ]'
key Escape; wait_for menu false

# ---- without the panels a mark is left, which leads back to them
key F9; wait_for panels false; wait_until '[ -n "$(place menu_button)" ]'
wait_until 'get said | grep -q "F9 brings the panels back"'
click_place menu_button; wait_for menu true; key Escape F9; wait_for panels true

# ---- in a small window and at a large scale all of it can be reached
[ "$(get validation)" = 0 ] || fail "$(get validation) messages of the validation layers"
quit 0
start "$trace" --no-settings --size 800x500 --scale 2
wait_for open true; wait_for task idle
key F10; wait_for menu true
is_inside menu || fail "the menu leaves a small window: $(place menu)"
key Up; wait_for menu_row 'Help: how to read it, what to do first, all keys'; key Return; wait_for help true
quit 0
[ ! -s "$work/err" ] || fail "stderr: $(head -c 600 "$work/err")"

[ "$failures" -eq 0 ]

#!/usr/bin/env bash
# The window, driven like a user does it: a display of its own, keys and clicks by xdotool, what happened by --state.
SAMPLES=4 # a picture that rests is refined
. "$(dirname "$0")/../window.sh"

# ---- opening
start "$trace"
wait_for open true
wait_for task idle
[ "$(get step)" = 25 ] || fail "starts at step $(get step), not at the last one before the shutdown"
wait_for verdict grows
[ "$(get step_count)" = 27 ] || fail "$(get step_count) steps"
[ "$(get buildings)" -gt 400 ] || fail "$(get buildings) buildings"
[ "$(get trace)" = httpclient-3.0.1 ] || fail "trace is $(get trace)"
[ "$(xdotool getwindowname "$(window)")" = "httpclient-3.0.1, step 25 of 0–26 – memcity" ] || fail "the window's title"
check_picture opened

# ---- time
key space; wait_until '[ "$(get step)" -lt 25 ]'
key space; wait_for playing false
key Page_Up; wait_for step 0
key Right; wait_for step 1
key Left; wait_for step 0
key Page_Down; wait_for step 25
key Page_Up; wait_for step 0
key shift+Right; wait_for step 25
key shift+Left; wait_for step 0
key minus; wait_for step_duration 1
key plus plus; wait_for step_duration 0.2
click_place play; wait_for playing true
wait_until '[ "$(get step)" -ge 3 ]'
key space; wait_for playing false
key l; wait_for loop true
click_place chart; wait_for step 13
wait_for tweening false
check_picture halfway
cmp -s "$work/opened.png" "$work/halfway.png" && fail "the picture does not change with time"

# ---- pointing and selecting
spot=$(sed 's/.*"suspects":\[\[\([0-9.]*\),\([0-9.]*\)\].*/\1 \2/' "$work/state")
# shellcheck disable=SC2086 # two words
point $spot
wait_until '[ "$(get hover)" != null ]'
hovered=$(get hover)
xdotool click 1
wait_for selection "$hovered"
check_picture selected
key BackSpace; wait_until '[ "$(get selection)" != "$hovered" ]'
key Escape; wait_for selection null
click 20 300; wait_for selection null
place=$(get suspect)
click_place suspect; wait_until '[ "$(get selection)" != null ]'; settled
[ "$(get suspect)" = "$place" ] || fail "a first selection moves the suspects from $place to $(get suspect)"
# the suspects stay where they are, and the panels' edge can be dragged: their width is remembered
left_of() { place "$1" | tr -d '[]' | cut -d. -f1; } # PLACE
place=$(get suspect); first=$(get selection)
key 2; wait_until '[ "$(get selection)" != "$first" ]'; key 1; wait_for selection "$first"; settled
[ "$(get suspect)" = "$place" ] || fail "selecting moves the suspects from $place to $(get suspect)"
# shellcheck disable=SC2046 # two numbers
point $(middle_of panels_edge)
xdotool mousedown 1; point 700 300; point 688 300; xdotool mouseup 1
wait_until '[ "$(left_of panels)" = 688 ]'
key alt+bracketright; wait_until '[ "$(left_of panels)" = 736 ]'
key alt+bracketleft; wait_until '[ "$(left_of panels)" = 688 ]'
wait_until 'grep -q "\"panel_width\":504" "$XDG_CONFIG_HOME"/memcity/settings.json'
# shellcheck disable=SC2046 # two numbers
point $(middle_of panels_edge)
xdotool click --repeat 2 --delay 60 1; wait_until '[ "$(left_of panels)" = 888 ]'
point 300 300
chosen=$(get selection)
settled

# ---- the layout is redone in the background, the selection stays
before=$(get buildings)
key m; wait_for city_metric objects; wait_for task idle
[ "$(get selection)" = "$chosen" ] || fail "the selection got lost with the metric"
click_place Bytes; wait_for city_metric bytes
[ "$(get buildings)" = "$before" ] || fail "$(get buildings) buildings after a change and back"
key t; wait_for tiling binary; wait_for task idle
key t t t t; wait_for tiling squarify; wait_for task idle
key x; wait_for scaling quadratic; wait_for task idle
key x x x; wait_for scaling linear; wait_for task idle
[ "$(get selection)" = "$chosen" ] || fail "the selection got lost with the layout"

# ---- the time window, by hint, keys and grips
[ "$(get hint)" = true ] || fail "no hint at a heap that is freed at the end"
are_apart hint_card legend || fail "the hint $(get hint_card) covers the legend $(get legend)"
wait_for window '[0,25]'
key h; wait_for window '[0,26]'; wait_for task idle; wait_for hint true; wait_until '[ "$(get verdict)" != grows ]'
key h; wait_for window '[0,25]'; wait_for task idle; wait_for verdict grows
[ "$(get selection)" = "$chosen" ] || fail "the selection got lost with the time window"
key Page_Down; wait_for step 25
key Left Left Left; wait_for step 22
key bracketright; wait_for window '[0,22]'
key braceright; wait_for window '[0,23]'
key Page_Up Right Right; wait_for step 2
key bracketleft; wait_for window '[2,23]'; wait_for task idle
key Page_Up; wait_for step 2
# shellcheck disable=SC2046 # two words
point $(middle_of window_first)
xdotool mousedown 1; point 600 700; xdotool mouseup 1
wait_until '[ "$(get window | tr -d "[]" | cut -d, -f1)" -gt 5 ]'; wait_for task idle
[ "$(get step)" = "$(get window | tr -d '[]' | cut -d, -f1)" ] || fail "a step outside of the time window"
key backslash; wait_for window '[0,26]'; wait_for task idle
wait_for hint true
key h; wait_for window '[0,25]'; wait_for task idle; wait_for verdict grows
key Page_Up; wait_for step 0

# ---- the camera
key Home; settled
home=$(get eye)
key b; wait_until '[ "$(get eye)" != "$home" ]'; settled
[ "$(get eye | cut -d, -f1,3)" = "$(get target | cut -d, -f1,3)" ] || fail "the bird looks askew"
key b; wait_for eye "$home"
far=$(distance)
point 400 400; xdotool click 4
wait_until '[ "$(distance)" -lt "$far" ]'; settled
key f; settled
target=$(get target)
point 300 300; xdotool mousedown 1 mousemove 340 330; wait_until '[ "$(get target)" != "$target" ]'; xdotool mousemove 380 360 mouseup 1; settled
[ "$(get selection)" = "$chosen" ] || fail "a drag selects"
near=$(distance)
eye=$(get eye)
point 300 300; xdotool mousedown 3 mousemove 340 300; wait_until '[ "$(get eye)" != "$eye" ]'; xdotool mousemove 400 300 mouseup 3; settled
[ $(($(distance) - near)) -le 1 ] || fail "turning changes the distance"
eye=$(get eye); xdotool keydown w; wait_until '[ "$(get eye)" != "$eye" ]'; xdotool keyup w; settled
key Home; wait_for eye "$home"

# ---- panels, themes, help
key c; wait_for color false; key c; wait_for color true
key o; wait_for opacity false; key o; wait_for opacity true
key u u; wait_for opaque_count 3; key i i; wait_for opaque_count 10
key v; wait_for others_opacity 0.7; key v; wait_for others_opacity 1; wait_for others_glass false; key v; wait_for others_glass true; key v; wait_for others_opacity 0; key v v v; wait_for others_opacity 0.4
key period; wait_for child_limit 1000; key period period; wait_for child_limit 50
wait_until '[ "$(get hidden)" -gt 0 ]'; wait_for task idle
wait_until '[ -n "$(get limit_note)" ]'
key comma comma comma; wait_for child_limit 0; wait_for task idle
key 2; wait_until '[ "$(get selection)" != "$chosen" ]'; other=$(get selection)
key 1; wait_for selection "$chosen"
key Up; wait_until '[ "$(get selection)" != "$chosen" ]'; district=$(get selection)
key Down; wait_until '[ "$(get selection)" != "$district" ]'; largest=$(get selection)
[ "${largest#"$district"#}" != "$largest" ] || fail "the largest part of $district is $largest"
key shift+Down; wait_until '[ "$(get selection)" != "$largest" ]'
key shift+Up; wait_for selection "$largest"
key 1; wait_for selection "$chosen"; settled
turned=$(get eye)
xdotool keydown ctrl keydown Left; wait_until '[ "$(get eye)" != "$turned" ]'; xdotool keyup Left keyup ctrl; settled
[ "$other" != null ] || fail "no second suspect"
key Home; settled
key k; wait_for dark true
key p; wait_for palette 1
check_picture dark
key k; wait_for dark false
key question; wait_for help true
is_inside keys || fail "the help leaves the window"
key Escape; wait_for help false
framed=$(get eye)
key F9; wait_for panels false; settled
[ "$(get eye)" != "$home" ] || fail "hidden panels leave no room"
key F9; wait_for panels true; settled
[ "$(get eye)" = "$framed" ] || fail "showing the panels again does not lead back"
key Escape; wait_for selection null
[ "$(get hint)" = true ] || fail "Esc closes more than the selection"
key Escape; wait_for hint false

# ---- nothing is drawn while nothing changes
key n; wait_for names false; rests drawings # as the picture is refined at first
frames=$(get frames)
sleep 1.5
key n; wait_for names true
drawn=$(($(get frames) - frames))
[ "$drawn" -le 15 ] || fail "$drawn frames while idle"

# ---- sizes in quick succession, gone and back
id=$(window)
for i in $(seq 20); do
  xdotool windowsize "$id" $((500 + i * 23 % 400)) $((340 + i * 41 % 300))
  [ $((i % 5)) -eq 0 ] && xdotool windowunmap "$id" windowmap "$id"
done
for _ in $(seq 5); do
  xdotool windowunmap "$id"
  key Right
  xdotool windowmap "$id"
done
# ---- nothing is drawn for a window that is not there
key space; wait_for playing true
xdotool windowunmap "$id"; rests frames
frames=$(get frames); sleep 1.5
[ $(($(get frames) - frames)) -le 2 ] || fail "$(($(get frames) - frames)) frames of a hidden window"
xdotool windowmap --sync "$id"; sleep 0.5
point 300 300
key space; wait_for playing false
xdotool windowsize --sync "$id" 1000 640
wait_for size '[1000,640]'
point 300 300
key Page_Up; wait_for step 0
check_picture resized

[ "$(get validation)" = 0 ] || fail "$(get validation) messages of the validation layers"
if xdotool help 2>/dev/null | grep -qw windowquit; then
  xdotool windowquit "$id"
fi
quit 0
[ ! -s "$work/err" ] || fail "stderr: $(head -c 600 "$work/err")"

# ---- what was odd about the input is said in the window, too
echo '{"time":1,"root":{"key":"Heap","name":"Heap","role":"","bytes":4,"objects":4,"children":[{"key":"Heap#a","name":"a","role":"Type","bytes":100,"objects":100}]}}' >"$work/odd.json"
start "$work/odd.json"
wait_for open true; wait_for task idle
point 300 300
[ "$(get warning_count)" = 1 ] || fail "$(get warning_count) warnings in the window"
key exclam; wait_for warnings_open true
is_inside warning_list || fail "the list of warnings leaves the window"
key Escape; wait_for warnings_open false
click_place warning_button; wait_for warnings_open true
quit 0

# ---- what can't be opened, and nothing to open
echo '{"time":1,' >"$work/broken.json"
start "$work/broken.json"
wait_until '[ "$(get task)" = idle ] && [ "$(get message)" != null ]'
get message | grep -q 'broken.json:' || fail "message: $(get message)"
point 300 300
key Escape; wait_for message null
quit 3
start
wait_for open false
point 300 300
check_picture empty
quit 0

# ---- played at once, it begins at the first step
start "$trace" --play --step-duration 5
wait_for open true; wait_for playing true
[ "$(get step)" -le 1 ] || fail "--play begins at step $(get step)"
quit 0
[ ! -s "$work/err" ] || fail "stderr: $(head -c 600 "$work/err")"

[ "$failures" -eq 0 ]

#!/usr/bin/env bash
# Small trees of other steps above the time chart, by real clicks and keys: points of the chart toggle them, dragging it
# goes through the steps as ever, and views, sizes, themes and undo keep them.
. "$(dirname "$0")/../window.sh"

# Where a step's point is in the chart: by its time from the first to the last step, and by its objects and those of the
# largest step.
point_of() { # STEP OBJECTS
  get chart | tr -d '[]' | awk -F, -v p="${places[$1]}" -v n="$2" -v s="$(get scale)" \
    '{ printf "%d %d", $1 + ($3 - $1) * p + 0.5, $4 - ($4 - $2 - 8 * s) * n / 654939 + 0.5 }'
}
mapfile -t places < <("$memcity" info "$trace" --json | python3 -c '
import json, sys
times = [step["time"] for step in json.load(sys.stdin)["steps"]]
for time in times: print((time - times[0]) / (times[-1] - times[0]))')
small() { grep -oE '"small":\[(\[[^]]*\],?)*\]' "$work/state" | grep -oE '\[[0-9]+,' | tr -d '[,' | tr '\n' ' '; } # their steps
tree_of() { grep -oE "\[$1,[0-9.]+,[0-9.]+\]" "$work/state" | head -1 | tr -d '[]' | awk -F, '{ printf "%d %d", $2, $3 }'; } # STEP

start "$trace" --metric objects --window 0:25 --step 20 --as sunburst
wait_for task idle
wait_for view sunburst
sleep 0.5
[ -z "$(small)" ] || fail "there are small trees at first: $(small)"
# shellcheck disable=SC2046 # two numbers
{
  click $(point_of 2 163781)
  wait_until '[ "$(small)" = "2 20 " ]'
  [ "$(get step)" = 20 ] || fail "a click on a point went to step $(get step)"
  click $(point_of 11 374930)
  wait_until '[ "$(small)" = "2 11 20 " ]'
  sleep 0.5
  check_picture sunburst-steps
  # what is no point, and a drag that begins at one, are for the slider
  read -r x y <<<"$(point_of 5 600000)"
  click "$x" "$y"
  wait_for step 5
  wait_until '[ "$(small)" = "2 5 11 " ]'
  read -r x y <<<"$(point_of 11 374930)"
  xdotool mousemove "$x" "$y" sleep 0.3 mousedown 1
  sleep 0.2
  read -r x y <<<"$(point_of 17 374930)"
  xdotool mousemove --sync "$((x - 40))" "$y"
  wait_until '[ "$(get step)" -gt 11 ]'
  xdotool mousemove --sync "$x" "$y"
  wait_for step 17
  xdotool mouseup 1
  wait_until '[ "$(small)" = "2 11 17 " ]'
  click $(tree_of 2) # to its step
  wait_for step 2
  wait_until '[ "$(small)" = "2 11 " ]'
  click $(point_of 2 163781) # no more, but the current one is always there
  wait_for trees 1
  wait_until '[ "$(small)" = "2 11 " ]'
}
key alt+t
wait_for trees 2
# what is pointed at in a small one is a node
read -r x y <<<"$(tree_of 11)"
point "$x" "$y"
wait_for hover Heap

# views, undo, a part of it, a smaller window
key alt+3
wait_for view icicle
wait_until '[ "$(small)" = "2 11 " ]'
check_picture icicle-steps
key alt+1
wait_for view city
wait_for task idle
sleep 0.5
# shellcheck disable=SC2046
click $(point_of 11 374930) # in a city the whole chart is the slider
wait_for step 11
wait_for trees 2
key alt+2
wait_for view sunburst
wait_until '[ "$(small)" = "2 11 " ]'
key shift+alt+t
wait_for trees 0
wait_until '[ -z "$(small)" ]'
key ctrl+z
wait_for trees 2
key 1 Return # into what the first suspect is in
wait_until '[ "$(get root)" != null ]'
wait_for task idle
wait_until '[ "$(small)" = "2 11 " ]'
check_picture part-steps
key shift+BackSpace
wait_for root null
xdotool search --name memcity windowsize --sync 700 520
wait_until '[ "$(get size)" = "[700,520" ] || [ "$(get size)" = "[700,520]" ]'
wait_until '[ "$(small)" = "2 11 " ]'
check_picture narrow-steps
key k
wait_for dark true
sleep 0.5
wait_until '[ "$(small)" = "2 11 " ]'
check_picture dark-steps
key ctrl+d
wait_until 'grep -qs "\"tree_steps\":\[2,11\]" "$XDG_DATA_HOME"/memcity/bookmarks/*.json'
[ "$(get validation)" = 0 ] || fail "$(get validation) messages of the validation layers"
quit 0

# at 192 dpi, by the command line, as many as there are steps: the last ones are seen, the wheel brings the others
start "$trace" --metric objects --window 0:25 --scale 2 --size 900x700 --as icicle --trees 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25
wait_for task idle
wait_until 'small | grep -q "25 $"'
sleep 0.5
check_picture many-steps
if small | grep -q "^0 "; then fail "all are seen in 900 pixels: $(small)"; fi
read -r x y <<<"$(tree_of 20)"
point "$x" "$y"
xdotool click --repeat 26 --delay 30 4
wait_until 'small | grep -q "^0 "'
[ "$(get validation)" = 0 ] || fail "$(get validation) messages of the validation layers"
quit 0
[ ! -s "$work/err" ] || fail "stderr: $(head -c 600 "$work/err")"

[ "$failures" -eq 0 ]

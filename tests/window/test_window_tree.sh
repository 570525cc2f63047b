#!/usr/bin/env bash
# Sunburst and icicle in the window, by real keys and clicks: step, selection, search and root survive every switch of view.
. "$(dirname "$0")/../window.sh"

start "$trace" --metric objects --window 0:25 --step 20
wait_for task idle
wait_for view city
key 1 # the first suspect
wait_until '[ "$(get selection)" != null ]'
suspect=$(get selection)
key slash
wait_for typing search
xdotool type --delay 30 HashMap
wait_until '[ "$(get hits)" = 20 ]'
key Return
wait_until '[ "$(get selection)" != "$suspect" ]'
selected=$(get selection)
for view in sunburst icicle city icicle sunburst; do
  case $view in city) key alt+1 ;; sunburst) key alt+2 ;; icicle) key alt+3 ;; esac
  wait_for view $view
  wait_for task idle
  [ "$(get step)" = 20 ] || fail "$view: step $(get step)"
  [ "$(get selection)" = "$selected" ] || fail "$view: $(get selection) is selected, not $selected"
  [ "$(get hits)" = 20 ] || fail "$view: $(get hits) hits"
  check_picture $view
done
key Escape Escape
key Left
wait_for step 19
key alt+d # one level below the root
wait_for rows 2
key alt+d # two: all that there are
wait_for rows 3
key alt+s
wait_for task idle

# into a group by a click, and out of it by one on the middle
key alt+2
wait_for view sunburst
width=$(get size | tr -d '[]' | cut -d, -f1)
key F9 # without panels the sunburst is in the middle of the window
wait_for panels false
height=$(get size | tr -d '[]' | cut -d, -f2)
# half of the way from the centre to the right: in the first ring
x=$((width / 2 + height * 25 / 100))
y=$((height / 2))
point $x $y
wait_until '[ "$(get hover)" != null ]'
into=$(get hover)
xdotool click 1
wait_for root "$into"
sleep 1
check_picture branch
# beside it is now the whole heap, so its middle is further to the left
click $((width * 37 / 100)) $((height / 2))
wait_until '[ "$(get root)" = null ] || [ "$(get root)" = Heap ]'
key ctrl+z # undo goes back into it
wait_for root "$into"

# pruned: less is drawn, never without the selection; a click on an Other shows what it holds
key ctrl+z # out of the group
wait_until '[ "$(get root)" = null ] || [ "$(get root)" = Heap ]'
wait_for task idle
wait_for others 0
all=$(get entries)
key alt+p
wait_until '[ "$(get others)" -gt 0 ]'
pruned=$(get entries)
[ "$pruned" -lt "$all" ] || fail "pruned, there are $pruned of $all entries"
rests other
check_picture pruned
get_other() { get other | tr -d '[]' | tr ',' ' '; }
# shellcheck disable=SC2046 # two numbers
point $(get_other)
sleep 0.5
[ "$(get hover)" = null ] || fail "an Other is taken for $(get hover)"
xdotool click 1
wait_until '[ "$(get entries)" -gt "$pruned" ]'
[ "$(get root)" = null ] || fail "a click on an Other went into $(get root)"
check_picture opened
opened=$(get entries)
key alt+3 # an icicle shows the same
wait_for view icicle
wait_for task idle
wait_for entries "$opened"
key ctrl+d # and a bookmark keeps it
wait_until 'grep -qs "\"opened\":\[\"Heap" "$XDG_DATA_HOME"/memcity/bookmarks/*.json'
key alt+2
wait_for view sunburst
wait_for task idle
wait_for entries "$opened"
key ctrl+z ctrl+z ctrl+z # both views and the click
wait_for view sunburst
wait_for entries "$pruned"
key ctrl+y
wait_for entries "$opened"
key alt+p
wait_for entries "$all"
key alt+p # Others close with the switch
wait_for entries "$pruned"
key slash # what is found is shown, however small
wait_for typing search
xdotool type --delay 30 e
wait_until '[ "$(get entries)" -gt "$pruned" ]'
key Escape Escape
wait_until '[ "$(get entries)" = "$pruned" ]'
[ "$(get validation)" = 0 ] || fail "$(get validation) messages of the validation layers"
quit 0
bookmark=$(ls "$XDG_DATA_HOME"/memcity/bookmarks/*.json)
start --view "$bookmark" # by the command line, too
wait_for view icicle
wait_for task idle
wait_for entries "$opened"
quit 0
[ ! -s "$work/err" ] || fail "stderr: $(head -c 600 "$work/err")"

[ "$failures" -eq 0 ]

#!/usr/bin/env bash
# A recording in the making, followed by the window: steps come, what the user has set stays.
. "$(dirname "$0")/../window.sh"

live=$work/live.mct
target=
recorder=
end_all() {
  for pid in $recorder $target; do
    kill "$pid" 2>/dev/null && wait "$pid" 2>/dev/null
  done
  stop
}
trap end_all EXIT
classes=$(dirname "$memcity")/classes
java -Xmx256m -XX:+UseSerialGC -cp "$classes" Leak 120 &
target=$!

# ---- the window may be there first
start "$live" --follow
wait_for waits_for "$live"
wait_for message null
"$memcity" record --pid $target --every 1s --quiet -o "$live" 2>"$work/record" &
recorder=$!
wait_for open true
wait_for task idle
[ "$(get follow)" = true ] || fail "it does not follow"

# ---- at the last step it stays at the last step
wait_until '[ "$(get step_count)" -ge 3 ]'
wait_until '[ "$(get step)" -ge 2 ]'
wait_for live true

# ---- elsewhere it stays where it is, with the selection, the camera and the window
key 1; wait_until '[ "$(get selection)" != null ]'
selection=$(get selection)
key f; settled
key Page_Up; wait_for step 0
settled
eye=$(get eye)
count=$(get step_count)
wait_until '[ "$(get step_count)" -gt $((count + 1)) ]'
[ "$(get step)" = 0 ] || fail "the step became $(get step)"
[ "$(get selection)" = "$selection" ] || fail "the selection $selection became $(get selection)"
settled
[ "$(get eye)" = "$eye" ] || fail "the camera went from $eye to $(get eye)"
[ "$(get window)" = "[0,$(($(get step_count) - 1))]" ] || fail "the time window is $(get window)"
check_picture followed

# ---- a time window of one's own stays as well
key bracketleft Right Right bracketright
wait_for window "[0,2]"
count=$(get step_count)
wait_until '[ "$(get step_count)" -gt "$count" ]'
[ "$(get window)" = "[0,2]" ] || fail "the time window became $(get window)"
key backslash

# ---- not following, nothing comes
key shift+l; wait_for follow false
wait_for task idle
count=$(get step_count)
sleep 2.5
[ "$(get step_count)" = "$count" ] || fail "steps come all the same"
key shift+l; wait_for follow true
wait_until '[ "$(get step_count)" -gt "$count" ]'

# ---- the recording ends
kill -INT $recorder
wait $recorder || fail "the recording: $(cat "$work/record")"
recorder=
wait_for live false
[ "$(get validation)" = 0 ] || fail "$(get validation) validation messages: $(head -c 400 "$work/err")"
quit 0

exit $((failures > 0))

#!/usr/bin/env bash
# A program whose allocation sites are recorded, followed from its beginning: as run's own window does it, over and over, as it is
# chance what has been allocated, collected and written when a window looks first. MC_TEST_TRIALS: how often (2).
. "$(dirname "$0")/../window.sh"

recorder=
end_all() {
  [ -n "$recorder" ] && kill "$recorder" 2>/dev/null && wait "$recorder" 2>/dev/null
  stop
}
trap end_all EXIT
[ -f "$(dirname "$memcity")/libmemcity-agent.so" ] || die "no agent was built"
classes=$(dirname "$memcity")/classes

trial() { # NUMBER: by turns the window is there first, or waits for a step
  local live=$work/live$1.mct lag
  [ $(($1 % 2)) = 0 ] && { start "$live" --follow; wait_for waits_for "$live"; }
  "$memcity" run --sites --quiet -o "$live" -- java -Xmx256m -XX:+UseSerialGC -cp "$classes" Leak 60 2>"$work/record" &
  recorder=$!
  if [ -z "$program" ]; then
    for _ in $(seq 600); do [ -s "$live" ] && "$memcity" info "$live" >/dev/null 2>&1 && break; sleep 0.05; done
    start "$live" --follow
  fi
  wait_for open true
  wait_until '[ "$(get step_count)" -ge 8 ]'
  [ "$(get metric)" = bytes ] || fail "trial $1 shows $(get metric)"
  [ "$(get group_by)" = type,site ] || fail "trial $1 groups by $(get group_by)"
  kill $recorder && wait $recorder
  recorder=
  wait_for live false
  wait_for task idle # nothing is laid out over and over
  wait_until "[ \"\$(get step_count)\" = $("$memcity" info --json "$live" | grep -o '"time"' | wc -l) ]"
  quit 0
}
for number in $(seq "${MC_TEST_TRIALS:-2}"); do trial "$number"; done
exit $((failures > 0))

#!/usr/bin/env bash
# kill -9 of either side while sites or methods are recorded, at random moments: the other goes on, and what was recorded opens.
# MC_AGENT_KILLS: how many of each (3).
. "$(dirname "$0")/../command.sh"
. "$(dirname "$0")/../jvm.sh"
program=$(realpath "$memcity")
[ -f "$(dirname "$program")/libmemcity-agent.so" ] || { echo "no agent was built" >&2; exit 1; }
wait_for_step() { # of a recording that runs
  eventually has_steps "$work/live.mct" 1 || fail "no step was ever recorded: $(head -c 300 "$work/err")"
}
random_moment() { sleep "0.$((RANDOM % 1000))"; }
is_whole() {
  sqlite3 "$work/live.mct" 'PRAGMA integrity_check' | grep -qx ok || fail "$1: the database is not whole"
  expect 0 top "$work/live.mct" --json; prints 'Leak'
}
modes=(--sites=fine '--methods exact --include Leak*' '--methods sampled --include Leak*') # by turns; words
kills=${MC_AGENT_KILLS:-3}

export XDG_RUNTIME_DIR=$work/run
mkdir -m 700 "$work/run"
for ((i = 0; i < kills; i++)); do # the viewer: the program goes on, and can be attached to again
  rm -f "$work"/live.mct*
  ((i % 10)) || { [ "$i" -eq 0 ] || stop; start java; } # its heap is full one day
  "$program" attach --pid "$target" ${modes[i % 3]} --every 100ms -o "$work/live.mct" 2>"$work/err" &
  recorder=$!
  wait_for_step
  random_moment
  kill -KILL $recorder
  wait $recorder 2>/dev/null
  kill -0 "$target" || fail "the program ended with the viewer"
  is_whole "viewer $i"
done
rm -f "$work"/live.mct*
expect 0 attach --pid "$target" --sites --for 1s -o "$work/live.mct"
[ -z "$(ls "$work/run")" ] || fail "folders of killed runs stay: $(ls "$work/run")"
stop

for ((i = 0; i < kills; i++)); do # the program: the recording is finished
  rm -f "$work"/live.mct*
  start java
  "$program" attach --pid "$target" ${modes[i % 3]} --every 100ms -o "$work/live.mct" 2>"$work/err" &
  recorder=$!
  wait_for_step
  random_moment
  stop
  wait $recorder || fail "program $i: exit code $?: $(head -c 300 "$work/err")"
  says "has ended"
  is_whole "program $i"
done
finish

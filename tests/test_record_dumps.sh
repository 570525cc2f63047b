#!/usr/bin/env bash
# Recording by heap dumps: which are steps, and that none is left anywhere.
. "$(dirname "$0")/command.sh"
. "$(dirname "$0")/jvm.sh"

steps_of() { "$memcity" info --json "$1" 2>/dev/null | grep -o '"time"' | wc -l; }
wait_for() { # COMMAND…: until it succeeds
  for _ in $(seq 600); do
    "$@" && return
    sleep 0.1
  done
  fail "never: $*: $(tail -3 "$work/err")"
}
has_steps() { [ "$(steps_of "$work/x.mct")" -ge "$1" ]; }
has_said() { [ "$(grep -c "$2" "$work/err")" -ge "$1" ]; }
nothing_left() { # FOLDER WHEN
  local left
  left=$(find "$1" -name '*memcity*' -o -name '*.hprof*')
  [ -z "$left" ] || fail "left $2: $left"
}

# ---- what the JVM could not write wholly is no step; what it can write again is one

mkdir "$work/dumps"
start java
"$memcity" record --pid $target --every 100ms --references --temporary "$work/dumps" -o "$work/x.mct" 2>"$work/err" &
recorder=$!
wait_for has_steps 2
prlimit --pid $target --fsize=2500000:unlimited
wait_for has_said 2 "a step is missing"
prlimit --pid $target --fsize=unlimited
wait_for has_steps $(($(steps_of "$work/x.mct") + 2))
kill -INT $recorder
wait $recorder
[ $? -eq 1 ] || fail "steps are missing, and the exit code is not 1"
says "File too large"
says "missing; "
"$memcity" info --json "$work/x.mct" | python3 -c '
import json, sys
objects = [step["objects"] for step in json.load(sys.stdin)["steps"]]
assert len(objects) >= 4 and min(objects) > max(objects) / 4, objects' || fail "a part of a heap is a step"
nothing_left "$work/dumps" "after dumps that failed"
# the first one must work
prlimit --pid $target --fsize=2500000:unlimited
expect 1 record --pid $target --for 0s --references --temporary "$work/dumps" -o "$work/y.mct"; says "File too large"
[ -e "$work/y.mct" ] && fail "an empty recording stays"
nothing_left "$work/dumps" "after the first dump failed"
stop

finish

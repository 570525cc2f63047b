#!/usr/bin/env bash
# Recording a running Java program: what ends it, what stays. MC_RECORD_SECONDS: how long the one with kills takes (2).
. "$(dirname "$0")/../command.sh"
. "$(dirname "$0")/../jvm.sh"
seconds=${MC_RECORD_SECONDS:-2}
program=$(realpath "$memcity")

# wait_for COUNT FILE: until a recording that runs has so many steps
wait_for() { eventually has_steps "$2" "$1" || fail "$2 never has $1 steps: $(cat "$work/err")"; }
at_least() { [ "$(steps_of "$2")" -ge "$1" ] || fail "$2 has $(steps_of "$2") steps, expected $1 or more"; }

# ---- wrong usage, wrong targets; none of these processes is harmed
expect 0 record --help
expect 2 record -o "$work/x.mct"; says "--pid PID is missing"
expect 2 record --pid 1; says "-o FILE.mct is missing"
expect 2 record --pid 1 -o "$work/x.mct" --every often; says "a duration as 10s"
sleep 60 &
sleeper=$!
expect 1 record --pid $sleeper -o "$work/x.mct"; says "is no Java program"
kill -0 $sleeper 2>/dev/null || fail "a process that is no JVM was ended"
kill $sleeper
expect 1 record --pid 4194305 -o "$work/x.mct"; says "there is no process"
[ -e "$work/x.mct" ] && fail "a file was made for nothing"

# ---- a program
start java

echo precious >"$work/precious.mct"
expect 1 record --pid $target -o "$work/precious.mct"; says "not replaced"
[ "$(cat "$work/precious.mct")" = precious ] || fail "a foreign file was overwritten"

expect 0 record --pid $target --every 200ms --for 1s -o "$work/live.mct"; says "recorded"
at_least 1 "$work/live.mct"
first=$(steps_of "$work/live.mct")
sqlite3 "$work/live.mct" 'PRAGMA integrity_check' | grep -qx ok || fail "the database is not whole"

# the program's -Xmx, so that it can be told until when its heap lasts
"$memcity" record --pid $target --every 100ms -o "$work/limit.mct" 2>"$work/err" &
recorder=$!
wait_for 3 "$work/limit.mct"
kill -INT $recorder; wait $recorder
[ "$(sqlite3 "$work/limit.mct" 'SELECT DISTINCT heap_limit FROM step_limit')" = $((256 << 20)) ] || fail "not what -Xmx says"
expect 0 why "$work/limit.mct" --json; prints "\"limit_bytes\":$((256 << 20))"
expect 0 why "$work/limit.mct" --limit 1g --json; prints "\"limit_bytes\":$((1 << 30))"
expect 0 import "$work/limit.mct" -o "$work/copy.mct"
expect 0 why "$work/copy.mct" --json; prints "\"limit_bytes\":$((256 << 20))"

# What was recorded agrees with the histogram that jcmd gives, class by class: nothing is lost on the way.
jcmd $target GC.class_histogram >"$work/h.txt"
expect 0 info --json "$work/h.txt"
python3 - "$work/out" "$work/h.txt" <<'PY' || failures=$((failures + 1))
import json, re, sys
rows = [re.match(r' *\d+: +(\d+) +(\d+) ', l) for l in open(sys.argv[2])]
step = json.load(open(sys.argv[1]))["steps"][0]
assert step["objects"] == sum(int(r[1]) for r in rows if r), step
assert step["bytes"] == sum(int(r[2]) for r in rows if r), step
PY

# ---- what a start that failed has left does not stand in the way; other things are left alone
: >"$work/empty.mct"
expect 0 record --pid $target --every 100ms --for 100ms -o "$work/empty.mct"
at_least 1 "$work/empty.mct"
head -c 20000 /dev/zero >"$work/zeros.mct"
expect 0 record --pid $target --every 100ms --for 100ms -o "$work/zeros.mct"
at_least 1 "$work/zeros.mct"
sqlite3 "$work/foreign.mct" 'CREATE TABLE a(b)'
expect 1 record --pid $target -o "$work/foreign.mct"; says "not replaced"
expect 1 import "$work/zeros.mct" -o "$work/foreign.mct"; says "not replaced"
mkfifo "$work/pipe.mct"
run 1 timeout 60 "$memcity" record --pid $target -o "$work/pipe.mct"; says "not replaced"
# ---- a name is a name, whatever SQLite takes it for
for name in :memory: 'file:x?mode=memory'; do
  (cd "$work" && "$program" record --pid $target --every 100ms --for 100ms -o "$name" 2>"$work/err") || fail "$name: $(cat "$work/err")"
  at_least 1 "$work/$name"
done

# ---- a file that somebody takes away: nobody is sent to look at it
"$memcity" record --pid $target --every 200ms -o "$work/gone.mct" 2>"$work/err" &
recorder=$!
wait_for 1 "$work/gone.mct"
rm "$work/gone.mct"
wait $recorder
[ $? -eq 1 ] || fail "a file that is gone is no failure: $(cat "$work/err")"
says "but the file was removed or changed in the meantime"
grep -q "shows them" "$work/err" && fail "a file that is gone is said to show steps: $(cat "$work/err")"

# ---- with references: no heap dump stays
expect 0 record --pid $target --every 100ms --for 100ms --references -o "$work/references.mct"
at_least 1 "$work/references.mct"
"$memcity" info "$work/references.mct" | grep -q 'references *yes' || fail "there are no references"
# what only heap dumps tell, at each step
expect 2 record --pid $target --deep -o "$work/deep.mct"; says "--deep needs heap dumps: give --references"
expect 2 record --pid $target --group-by datastructure -o "$work/deep.mct"; says "--references"
expect 0 record --pid $target --every 100ms --for 100ms --references --deep --group-by datastructure,type -o "$work/deep.mct"
"$memcity" info "$work/deep.mct" >"$work/out"
for word in "Data Structure" retained_objects duplicates "waste at the last step"; do prints "$word"; done
[ -z "$(find "$work" -name '*.hprof')" ] || fail "a heap dump was left"

# ---- going on; grouped differently is another trace
expect 1 record --pid $target -o "$work/live.mct" --group-by module; says "grouped differently"
"$memcity" record --pid $target --every 200ms -o "$work/live.mct" 2>"$work/err" &
recorder=$!
wait_for $((first + 1)) "$work/live.mct"
# Who comes second is sent away, and the first goes on.
"$memcity" record --pid $target --every 200ms --for 1s -o "$work/live.mct" 2>"$work/second"
[ $? -eq 1 ] && grep -q "another memcity writes to it" "$work/second" || fail "a second recorder: $(cat "$work/second")"
"$memcity" import "$work/references.mct" -o "$work/live.mct" 2>"$work/second"
[ $? -eq 1 ] && grep -q "another memcity writes to it" "$work/second" || fail "an import over it: $(cat "$work/second")"
"$memcity" export "$work/references.mct" -o "$work/live.mct" 2>"$work/second"
[ $? -eq 1 ] && grep -q "Not a directory" "$work/second" || fail "an export over it: $(cat "$work/second")"
# What is recorded so far can be taken elsewhere.
"$memcity" import "$work/live.mct" -o "$work/zeros.mct" 2>"$work/second" || fail "an import of it: $(cat "$work/second")"
at_least $((first + 1)) "$work/zeros.mct"
"$memcity" export "$work/live.mct" -o "$work/exported" 2>"$work/second" || fail "an export of it: $(cat "$work/second")"
at_least $((first + 1)) "$work/exported"
wait_for $((first + 2)) "$work/live.mct"
kill -INT $recorder
wait $recorder || fail "an interrupt is no clean end: $(cat "$work/err")"
says "appending to"
# shellcheck disable=SC2016
"$memcity" top "$work/live.mct" -n 20 | grep -q 'Leak$Kept' || fail "what leaks is not among what grew"

# ---- killed while it begins: the same command works
for _ in 1 2 3 4 5; do
  "$memcity" record --pid $target --every 50ms --all --quiet -o "$work/early.mct" 2>"$work/err" &
  recorder=$!
  sleep 0.0$((RANDOM % 8 + 1))
  kill -KILL $recorder
  wait $recorder 2>/dev/null
  # a child of it that has not become jcmd yet holds the lock for a moment
  [ ! -e "$work/early.mct" ] || eventually flock -n "$work/early.mct" true || fail "early.mct stays locked"
  expect 0 record --pid $target --every 50ms --all --for 50ms -o "$work/early.mct"
  at_least 1 "$work/early.mct"
  rm "$work/early.mct"
done

# behind what the clock has yet to reach: said, and the steps keep their distance
expect 0 import "$work/h.txt" --times 2099-01-01T00:00:00 -o "$work/future.mct"
"$memcity" record --pid $target --every 1s --all -o "$work/future.mct" 2>"$work/err" &
recorder=$!
wait_for 3 "$work/future.mct"
kill -INT $recorder; wait $recorder || fail "behind the future: $(cat "$work/err")"
says "its last step is in the future"
"$memcity" info --json "$work/future.mct" | python3 -c '
import json, sys
times = [step["time"] for step in json.load(sys.stdin)["steps"]]
assert len(times) >= 3 and times[0] < times[1] < times[0] + 60000 and times[-1] >= times[1] + 1000, times' || fail "wrong times behind the future"
cat >"$work/last.json" <<'JSON'
{"time":4611686018427387903,"root":{"key":"Heap","name":"Heap","role":"","bytes":16,"objects":1,"children":[
 {"key":"Heap#a","name":"a","role":"Package","bytes":16,"objects":1,"children":[{"key":"Heap#a#B","name":"B","role":"Type","bytes":16,"objects":1}]}]}}
JSON
expect 0 import "$work/last.json" -o "$work/last.mct"
expect 1 record --pid $target --for 0s --all -o "$work/last.mct"; says "after the year 9999"

# ---- killed at any moment: what is there opens, and the next one goes on
known=0 late=0
end=$((SECONDS + seconds))
# On a busy machine the first step may need more than one try, and more time.
while [ $SECONDS -lt $end ] || { [ $known -eq 0 ] && [ $SECONDS -lt $((end + 60)) ]; }; do
  "$memcity" record --pid $target --every 50ms --all --quiet -o "$work/killed.mct" 2>"$work/err" &
  recorder=$!
  [ $SECONDS -lt $end ] || late=$((late + 1))
  sleep $late.$((RANDOM % 8 + 1))
  kill -KILL $recorder
  wait $recorder 2>/dev/null
  [ -e "$work/killed.mct" ] || continue
  now=$(steps_of "$work/killed.mct")
  [ "${now:-0}" -ge "$known" ] || fail "$known steps became ${now:-none}: $(cat "$work/err")"
  known=${now:-0}
done
[ "$known" -gt 0 ] || fail "no step outlived a kill"

# ---- one file has the steps of one program: its next process is said, another program refused
expect 0 record --pid $target --all --for 0s -o "$work/two.mct"
expect 0 record --pid $target --all --for 0s -o "$work/two.mct"; says "appending to its 1 step"
grep -q "another process" "$work/err" && fail "the same process is taken for another"
was=$target
stop; start java
expect 0 record --pid $target --all --for 0s -o "$work/two.mct"; says "are of another process, Leak (PID $was)"
"$memcity" info --json "$work/two.mct" | grep -q "process $target begins" || fail "no note of it"
was=$target
stop; ln -s "$(realpath "$(command -v java)")" "$work/service"; start "$work/service"
expect 1 record --pid $target --all --for 0s -o "$work/two.mct"; says "has steps of another program, Leak (PID $was), not of service"
at_least 3 "$work/two.mct"
expect 0 record --pid $target --all --for 0s --append -o "$work/two.mct"
at_least 4 "$work/two.mct"

# ---- a jcmd that hangs, one that talks nonsense
printf '#!/bin/sh\nsleep 60\n' >"$work/hangs"
printf '#!/bin/sh\necho hello\n' >"$work/talks"
chmod +x "$work/hangs" "$work/talks"
expect 1 record --pid $target --jcmd "$work/hangs" --timeout 200ms -o "$work/y.mct"; says "did not answer within"
expect 3 record --pid $target --jcmd "$work/talks" -o "$work/y.mct"; says "no class histogram"
[ -e "$work/y.mct" ] && fail "an empty recording stays"

# ---- no space left: a message, and what was there opens
(
  trap '' XFSZ
  ulimit -f $(($(stat -c %s "$work/killed.mct") / 1024 + 8))
  "$memcity" record --pid $target --every 0 --all --quiet -o "$work/killed.mct" --for 120s 2>"$work/err"
)
[ $? -eq 1 ] || fail "a full disk is no failure"
says "killed.mct"
[ "$(steps_of "$work/killed.mct")" -ge "$known" ] || fail "a full disk cost steps"

# ---- the target ends
"$memcity" record --pid $target --every 100ms -o "$work/end.mct" 2>"$work/err" &
recorder=$!
wait_for 2 "$work/end.mct"
stop
wait $recorder || fail "the end of the target is a failure: $(cat "$work/err")"
says "has ended"

finish

#!/usr/bin/env bash
# Recording by heap dumps: which are steps, and that none is left anywhere.
. "$(dirname "$0")/../command.sh"
. "$(dirname "$0")/../jvm.sh"

wait_for() { eventually "$@" || fail "$(tail -3 "$work/err")"; } # COMMAND…
has_said() { [ "$(grep -c "$2" "$work/err")" -ge "$1" ]; }
nothing_left() { # FOLDER WHEN
  local left
  left=$(find "$1" -name '*memcity*' -o -name '*.hprof*')
  [ -z "$left" ] || fail "left $2: $left"
}

# records CODE FOLDER [OPTIONS…]: one dump, nothing stays
records() {
  local code=$1 folder=$2
  shift 2
  rm -f "$work/one.mct"
  expect "$code" record --pid $target --for 0s --references --temporary "$folder" -o "$work/one.mct" "$@"
  [ "$code" -ne 0 ] || "$memcity" info "$work/one.mct" | grep -q 'references *yes' || fail "no references"
  nothing_left "$work/dumps" "in $folder"
}
mkdir "$work/dumps"
chmod 755 "$work" "$classes"

# ---- what the JVM could not write wholly is no step; what it can write again is one

start java
"$memcity" record --pid $target --every 100ms --references --temporary "$work/dumps" -o "$work/x.mct" 2>"$work/err" &
recorder=$!
wait_for has_steps "$work/x.mct" 2
prlimit --pid $target --fsize=2500000:unlimited
wait_for has_said 2 "a step is missing"
prlimit --pid $target --fsize=unlimited
wait_for has_steps "$work/x.mct" $(($(steps_of "$work/x.mct") + 2))
kill -INT $recorder
wait $recorder
[ $? -eq 1 ] || fail "steps are missing, and the exit code is not 1"
says "File too large"
says "missing; "
"$memcity" info --json "$work/x.mct" | python3 -c '
import json, sys
objects = [step["objects"] for step in json.load(sys.stdin)["steps"]]
# the program lets nothing go
assert len(objects) >= 4 and all(b > 0.9 * a for a, b in zip(objects, objects[1:])), objects' || fail "a part of a heap is a step"
nothing_left "$work/dumps" "after dumps that failed"
# the first one must work
prlimit --pid $target --fsize=2500000:unlimited
expect 1 record --pid $target --for 0s --references --temporary "$work/dumps" -o "$work/y.mct"; says "File too large"
[ -e "$work/y.mct" ] && fail "an empty recording stays"
nothing_left "$work/dumps" "after the first dump failed"
prlimit --pid $target --fsize=unlimited

# ---- wherever: a relative folder, names that jcmd would take apart, none at all

memcity=$(realpath "$memcity")
cd "$work" || exit 1
odd="dumps/a b=c,d'e\"f%p"$'\n'"ä"
mkdir "$odd" dumps/open
records 0 dumps
records 0 "$odd"
records 0 "$work/$odd/"
records 1 dumps/none; says "dumps/none"; says "--temporary FOLDER names another"
mkdir "$odd/in"
(cd "$odd/in" && expect 0 record --pid $target --for 0s --references -o x.mct) || failures=$((failures + 1))
rm -r "$odd/in"
# who may not write, root aside
if [ "$(id -u)" -ne 0 ]; then
  chmod a-w dumps/open
  records 1 dumps/open; says "Permission denied"
  chmod u+w dumps/open
fi
stop

# ---- killed at any moment, by each JDK: the keeper removes what is there, and what comes after

kill_some() { # COUNT
  for _ in $(seq "$1"); do
    "$memcity" record --pid $target --every 0 --references --quiet --temporary dumps -o killed.mct 2>err &
    recorder=$!
    sleep 0.$((RANDOM % 900 + 100))
    kill -KILL $recorder
    wait $recorder 2>/dev/null
  done
}
children_of() { cat "/proc/$1/task/$1/children" 2>/dev/null; }
has_children() { [ -n "$(children_of "$1")" ]; }
is_empty() { [ -z "$(find dumps -name '*memcity*' -o -name '*.hprof*')" ]; }
for home in $(jdks); do
  start "$home/bin/java"
  kill_some 8
  wait_for is_empty
  # after all of that has been written
  "$home/bin/jcmd" $target VM.version >/dev/null
  nothing_left dumps "by killed recordings"

  # out of time, before the JVM has heard of it and while it writes
  kill -STOP $target
  "$memcity" record --pid $target --for 0s --references --timeout 1s --temporary dumps -o late.mct 2>err
  [ $? -eq 1 ] || fail "no time-out"
  nothing_left dumps "by a recording out of time"
  kill -CONT $target
  "$home/bin/jcmd" $target VM.version >/dev/null
  nothing_left dumps "by a JVM that came late"
  stop
done

# ---- the keeper killed, too: the next one removes it, and nothing else

start java
mkdir dumps/memcity-heap-abcdefghijkl dumps/memcity-heap-other
echo mine >dumps/memcity-heap-abcdefghijkl/mine
left=
for _ in $(seq 50); do
  "$memcity" record --pid $target --every 0 --references --quiet --temporary dumps -o killed.mct 2>err &
  recorder=$!
  for _ in $(seq 100); do has_children $recorder && break; sleep 0.01; done
  kill -STOP $recorder
  # shellcheck disable=SC2046
  kill -KILL $(children_of $recorder) $recorder
  wait $recorder 2>/dev/null
  "$jdk/bin/jcmd" $target VM.version >/dev/null
  left=$(find dumps -mindepth 1 -maxdepth 1 -name 'memcity-heap-*' ! -name '*-other' ! -name '*abcdefghijkl')
  [ -n "$left" ] && break
done
[ -n "$left" ] || fail "nothing was ever left"
# one at work is none that was left
"$memcity" record --pid $target --every 0 --references --quiet --temporary dumps -o other.mct 2>err &
recorder=$!
wait_for test -e other.mct
for _ in 1 2 3; do expect 0 record --pid $target --for 0s --references --temporary dumps -o one.mct; done
kill -INT $recorder
wait $recorder || fail "another recording took the dump away: $(cat err)"
[ ! -e "$left" ] || fail "left for good: $left"
[ -e dumps/memcity-heap-abcdefghijkl/mine ] && [ -d dumps/memcity-heap-other ] || fail "what is not ours was removed"
rm -r dumps/memcity-heap-*
nothing_left dumps "in the end"
stop

# ---- what only root can try: JVMs of other users, and that see other files

if [ "$(id -u)" -eq 0 ] && command -v setpriv >/dev/null; then
  start setpriv --reuid=65534 --regid=65534 --clear-groups java
  records 0 dumps
  records 1 "$odd"; says "can't name such a folder"
  stop
fi
if [ "$(id -u)" -eq 0 ] && unshare -mp --fork true 2>/dev/null; then
  # it has another folder there, in which we would find nothing
  start unshare -m sh -c 'mount -t tmpfs none "$0/dumps" && exec java "$@"' "$work"
  records 0 dumps
  records 0 "$odd"
  stop
  # with processes of its own: it can't find us, so it writes where it can
  unshare -mp --fork --kill-child --mount-proc sh -c 'mount -t tmpfs none "$0/dumps" && exec java "$@"' "$work" \
    -Xmx256m -XX:+UseSerialGC -cp "$classes" Leak 3600 >/dev/null 2>&1 &
  outer=$!
  wait_for has_children $outer
  target=$(children_of $outer)
  target=${target% }
  wait_for answers
  records 0 dumps
  [ -z "$(ls -A "/proc/$target/root/$work/dumps")" ] || fail "left where the program is"
  records 1 "$odd"; says "sees other files"
  kill -KILL $target
  wait $outer 2>/dev/null
  target=
fi

finish

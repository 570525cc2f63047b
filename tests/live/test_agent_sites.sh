#!/usr/bin/env bash
# Allocation sites of running Java programs: what is counted, on each JDK and collector there is.
. "$(dirname "$0")/../command.sh"
. "$(dirname "$0")/../jvm.sh"
program=$(realpath "$memcity")
at() { echo "Sites.java:$(sed -n "/line of $1/=" "$here/java/Sites.java")"; } # where it is allocated
[ -f "$(dirname "$program")/libmemcity-agent.so" ] || { echo "no agent was built" >&2; exit 1; }

is_ready() { grep -q ready "$work/ready" || ! kill -0 $recorder; }
has_target() { # which is said when it may have been ready for long
  target=$(sed -n 's/.*recording process \([0-9]*\) .*/\1/p' "$work/err")
  [ -n "$target" ] || ! kill -0 $recorder
}
more_steps() { eventually has_steps "$work/live.mct" $(($(steps_of "$work/live.mct") + $1)); } # COUNT more than there are
# begin JAVA OPTION… : Sites under the agent, until it is ready; sets $recorder, and $target to the JVM
begin() {
  rm -f "$work/in" "$work/live.mct"
  mkfifo "$work/in"
  local java=$1
  shift
  "$program" run "$@" -o "$work/live.mct" -- "$java" -Xmx512m "${flags[@]}" -cp "$classes" Sites $counts \
    <"$work/in" >"$work/ready" 2>"$work/err" &
  recorder=$!
  exec 9>"$work/in"
  eventually is_ready && eventually has_target || fail "the program is never ready: $(head -c 300 "$work/err")"
}
is_over() { [ ! -e "/proc/$recorder" ] || grep -q '^[0-9]* (.*) Z ' "/proc/$recorder/stat"; }
# What hangs is told with where it does, and ends.
await_recorder() {
  eventually is_over && return
  fail "the recording hangs: $(head -c 300 "$work/err"; ps -o pid,stat,wchan:30,args -p "$recorder,${target:-1}"
    timeout 20 "$(dirname "$(realpath "$(command -v java)")")/jstack" "${target:-1}" 2>&1 | head -60)"
  kill -KILL "$recorder" ${target:+"$target"}
}
end() { # the program ends, and with it the recording
  exec 9>&-
  await_recorder
  wait $recorder || fail "run failed: $(head -c 300 "$work/err")"
  target=
}
# count TYPE: "objects bytes" that are alive at the end, by type
count() {
  expect 0 top "$work/live.mct" --group-by type -n 100000 --metric objects --json
  local objects
  objects=$(python3 "$here/find_last.py" "$work/out" "$1")
  expect 0 top "$work/live.mct" --group-by type -n 100000 --metric bytes --json
  echo "$objects $(python3 "$here/find_last.py" "$work/out" "$1")"
}

# ---- each allocation: what the class histogram says
check_exact() { # JDK FLAG…
  local home=$1 type
  shift
  flags=("$@") counts='4000 40000'
  begin "$home/bin/java" --sites=all
  "$home/bin/jcmd" "$target" GC.class_histogram >"$work/histogram" || fail "no histogram: $home $*"
  more_steps 2 # the last of them is of a batch behind the collection that the histogram has made
  end
  for type in 'Sites$Kept' 'Sites$Large'; do
    wanted=$(awk -v type="$type" '$4 == type { print $2, $3 }' "$work/histogram")
    [ -n "$wanted" ] && [ "$(count "$type")" = "$wanted" ] || fail "$home $*: $type: $(count "$type"), expected $wanted"
  done
  expect 0 top "$work/live.mct" --group-by type,site,thread -n 100000 --metric objects
  for site in "Sites.keep($(at kept)) → Thread: worker é" "Sites.keep($(at kept)) → Thread: main" \
    "Sites.recurse($(at large))" "Sites\$Large.<init>($(at bytes))"; do
    prints "Site: $site"
  done
  expect 0 top "$work/live.mct" --group-by type,site -n 100000 --metric allocated --json
  limit=$(sqlite3 "$work/live.mct" 'SELECT min(heap_limit) FROM step_limit') # without the space that is empty by turns
  { [ "$limit" -le $((512 << 20)) ] && [ "$limit" -ge $((340 << 20)) ]; } || fail "$home $*: the heap's limit is $limit"
  gone=$(python3 "$here/find_last.py" "$work/out" 'Sites$Gone' sum)
  [ "$gone" -ge $((40000 * 16)) ] || fail "$home $*: $gone bytes allocated of what is gone"
}

# ---- samples: the estimate, and the end of its own error bar
check_sampled() { # JDK FLAG…
  local home=$1
  shift
  flags=("$@") counts='100000 40000' # so many that none being sampled is out of the question
  begin "$home/bin/java" --sites=fine --domain 'Sit*,com.acme.**' --every 200ms
  more_steps 2
  end
  expect 0 info "$work/live.mct"
  prints "Type → Domain → Site → Caller → Thread"
  prints "variance"
  expect 0 top "$work/live.mct" --group-by type,domain -n 100000
  prints "Domain: Sites.keep($(at kept))"
}

for home in $(jdks); do
  check_exact "$home" -XX:+UseG1GC
  check_exact "$home" -XX:+UseParallelGC
  check_exact "$home" -XX:+UseZGC
  check_sampled "$home" -XX:+UseG1GC
done

# ---- what starts Java by itself; how it ends
cat >"$work/start.sh" <<SH
java -cp "$classes" Sites 10 10 </dev/null
exit 7
SH
JAVA_TOOL_OPTIONS=-Dmarked=1 expect 1 run --sites -o "$work/script.mct" -- sh "$work/start.sh"
says "sh has ended with 7"; says "-Dmarked=1"
expect 0 info "$work/script.mct"
expect 1 run --sites -o "$work/script.mct" -- true; says "there is a recording already"
expect 1 run --sites -o "$work/none.mct" -- true; says "no step was recorded"
[ -e "$work/none.mct" ] && fail "a file was made for nothing"
expect 1 run --sites -o "$work/none.mct" -- "$work/nothing"; says "can't start"
expect 2 run -o "$work/none.mct" -- true; says "--sites"
expect 2 run --sites=some -o "$work/none.mct" -- true
expect 2 run --sites -o "$work/none.mct"
expect 2 run --sites --every often -o "$work/none.mct" -- true; says "a duration as 10s"
DISPLAY='' WAYLAND_DISPLAY='' run 2 env -u DISPLAY -u WAYLAND_DISPLAY "$memcity" run --sites -- true; says "no display"
expect 2 attach --sites -o "$work/none.mct"; says "--pid PID"
expect 1 attach --pid 4194305 --sites -o "$work/none.mct"; says "there is no process"

# ---- a program that runs: the agent comes, rests, and comes again
for home in $(jdks); do
  start "$home/bin/java"
  for turn in 1 2 3; do
    expect 0 attach --pid $target --sites=fine --for 1s -o "$work/attached$turn.mct"
    expect 0 info "$work/attached$turn.mct"
    rm -f "$work/attached$turn.mct"
  done
  "$program" attach --pid $target --sites -o "$work/first.mct" 2>"$work/first" &
  recorder=$!
  eventually grep -q 'recording process' "$work/first"
  expect 1 attach --pid $target --sites -o "$work/second.mct"; says "is being recorded already"
  kill -INT $recorder
  await_recorder
  wait $recorder || fail "attach does not end well: $(head -c 300 "$work/first")"
  stop
  rm -f "$work/first.mct"
done
finish

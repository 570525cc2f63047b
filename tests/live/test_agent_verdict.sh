#!/usr/bin/env bash
# What why says of an agent's recording: garbage accuses nobody, leaks are found. On each JDK there is.
. "$(dirname "$0")/../command.sh"
. "$(dirname "$0")/../jvm.sh"
program=$(realpath "$memcity")
[ -f "$(dirname "$program")/libmemcity-agent.so" ] || { echo "no agent was built" >&2; exit 1; }
for home in $(jdks); do
  rm -rf "$work/classes"
  "$home/bin/javac" -d "$work/classes" "$here"/programs/com/acme/{record,cache,server,topics,sessions}/*.java
  record() { # CLASS MODE OPTION…
    local class=$1 mode=$2
    shift 2
    rm -f "$work/live.mct"
    "$program" run --sites=all --every 100ms "$@" -o "$work/live.mct" -- \
      "$home/bin/java" -Xmx64m -cp "$work/classes" "com.acme.$class" "$mode" >"$work/log" 2>&1 ||
      fail "$class: $(head -c 300 "$work/log")"
  }
  for class in cache.Catalog server.Server; do
    record $class wait --gc "every 100ms"
    live=$(sqlite3 "$work/live.mct" 'SELECT count(*) FROM step_live WHERE live = 2')
    [ "$live" -ge 2 ] || fail "$home: $class: $live steps behind a collection"
    expect 0 why "$work/live.mct"
    grep -qE "pile up|piles up" "$work/out" && fail "$home: $class is accused: $(head -3 "$work/out")"
  done
  for class in topics.Topics sessions.Web; do
    record $class wait:12 --gc "every 50ms"
    expect 0 why "$work/live.mct"
    # On a slow machine there are fewer collections than it takes to tell, which is said.
    grep -q "^Too early to tell" "$work/out" && continue
    head -1 "$work/out" | grep -q "com.acme.*pile up" || fail "$home: $class: $(head -3 "$work/out")"
  done
  record cache.Catalog wait --gc never
  expect 0 why "$work/live.mct"
  prints "Too early to tell: 0 of the steps are right after a collection of the whole heap"
done
expect 2 run --sites --gc often -o "$work/x.mct" -- true
expect 2 run --methods sampled --gc never -o "$work/x.mct" -- true

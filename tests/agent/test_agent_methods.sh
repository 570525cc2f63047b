#!/usr/bin/env bash
# Calls and times of methods, as the agent tells them, against a program that knows its own; each JDK that there is. How near
# times come is no matter of right and wrong, and depends on who else takes the processor: bench/agent_methods.py says it.
. "$(dirname "$0")/../command.sh"
. "$(dirname "$0")/../jvm.sh"
agent=$(dirname "$(realpath "$memcity")")/libmemcity-agent.so
[ -f "$agent" ] && [ -f "${agent%/*}/memcity-agent.jar" ] || { echo "built without the agent" >&2; exit 1; }
viewer=$here/agent/viewer.py
compare=$here/agent/compare_times.py

# measure JAVA MODE OPTIONS COMMAND…: runs it with the mode from its first moment on; $work/said, $work/told
measure() {
  local java=$1 mode=$2 options=$3 viewer_pid
  shift 3
  rm -f "$work/socket"
  python3 "$viewer" "$work/socket" none >"$work/told" 2>"$work/viewer.err" &
  viewer_pid=$!
  eventually test -S "$work/socket"
  run 0 "$java" -Xverify:all "-agentpath:$agent=socket=$work/socket;start=$mode;$options" "$@"
  grep -v '^OpenJDK 64-Bit Server VM warning' "$work/err" | head -3 >&2
  cp "$work/out" "$work/said"
  wait $viewer_pid || fail "the viewer: $(tail -1 "$work/viewer.err")"
}
agrees() { # WHAT…
  python3 "$compare" "$work/said" "$work/told" "$@" 2>"$work/difference" || fail "$label: $(cat "$work/difference")"
}
tells() { grep -q -- "$1" "$work/told" || fail "$label: nothing of \"$1\" is told: $(grep -v ^time "$work/told")"; }
never_tells() { ! grep -q -- "$1" "$work/told" || fail "$label: told of: $(grep -m 3 -- "$1" "$work/told")"; }

# ---- exceptions, recursion, deep stacks and used up ones, threads that end, long calls, virtual threads
for home in $(jdks); do
  java=$home/bin/java
  label="$home exact"
  measure "$java" exact "" -cp "$classes" -Dburn.percent=20 Burn
  agrees CALLS
  agrees LEAST
  tells "time deep Burn.deep "
  never_tells "Burn.tell " # trivial
  never_tells "time .* java\."
  tells "note .* trivial ones"
  never_tells "^lost"

  if [ -n "$("$java" -version 2>&1 | grep -E 'version "(2[1-9]|[3-9][0-9])')" ]; then
    label="$home virtual threads" # more than there are numbers for threads
    measure "$java" exact "" -cp "$classes" Burn many
    agrees CALLS
    never_tells "^lost"
    [ "$(grep -c "^time many Burn.deep " "$work/told")" -eq 1 ] || fail "$label: not counted as one"
  fi

  label="$home count"
  measure "$java" count "trivial=1" -cp "$classes" -Dburn.percent=10 Burn
  agrees CALLS
  tells "Burn.tell 0.000 "

  label="$home wall"
  measure "$java" wall "interval=5" -cp "$classes" -Dburn.percent=20 Burn wall
  agrees SOME
  label="$home cpu"
  measure "$java" cpu "interval=5" -cp "$classes" -Dburn.percent=20 Burn cpu
  agrees SOME

  # ---- patterns: what is left out counts for its callers
  label="$home exclude"
  measure "$java" exact "trivial=1;exclude=Burn\$*,nothing.**" -cp "$classes" -Dburn.percent=10 Burn
  never_tells "Built.<init>"
  tells "time one Burn.build "
  label="$home include"
  measure "$java" exact "include=com.nowhere.*" -cp "$classes" -Dburn.percent=10 Burn
  never_tells "^time"

  # ---- code of all kinds is changed so that the verifier takes it, and does what it did
  label="$home javac"
  measure "$java" exact "trivial=1;include=com.sun.tools.javac.**,java.util.**" \
    -m jdk.compiler/com.sun.tools.javac.Main -d "$work/compiled" "$here/java/Burn.java"
  [ -s "$work/compiled/Burn.class" ] || fail "$label: nothing is compiled"
  tells "com.sun.tools.javac.parser.JavaTokenizer"
  never_tells "could not be"
done
finish

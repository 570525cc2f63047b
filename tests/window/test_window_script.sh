#!/usr/bin/env bash
# --script: what keys and buttons do, said by a file; and what is wrong with one.
. "$(dirname "$0")/../window.sh"

memcity=$(realpath "$memcity")
opened=$(realpath "$trace")
run() { # CODE LINES: a window that does them
  printf '%b' "$2" >"$work/script"
  # shellcheck disable=SC2086 # no trace is no argument
  start $opened --no-settings --script "$work/script"
  for _ in $(seq 900); do
    kill -0 "$program" 2>/dev/null || break
    sleep 0.1
  done
  kill -0 "$program" 2>/dev/null && die "the script does not end: $2"
  wait "$program"
  local code=$?
  program=
  [ "$code" = "$1" ] || fail "exit code $code, not $1: $(cat "$work/err")"
}
says() { grep -qF -- "$1" "$work/err" || fail "expected \"$1\", found: $(cat "$work/err")"; }

# ---- what the user can do
list=Heap#java.util#LinkedList
run 0 "# a comment\n\n  wait idle \r\n
expect step 25\nstep 3\nwait idle\nexpect step 3\nundo\nwait idle\nexpect step 25\nstep 3\nstep.next\nwait idle\nexpect step 4\nstep.last\nwait idle\nexpect step 25
select $list\nwait idle\nexpect selection $list\nexpect children 0
references.holder\nwait idle\ntrail.back\nwait idle\nexpect selection $list
search linkedlist\nwait idle\nexpect search linkedlist\nsearch.next\nwait idle\nexpect hit 0
set tiling binary\nset opaque_count 3\nwait idle\nexpect tiling binary\nexpect opaque_count 3
metric.next\nwait idle\nexpect city_metric objects
root Heap#java.util\nwait idle\nexpect root Heap#java.util\nroot.leave\nwait idle\nexpect root null
walk\nwait idle\nexpect walk_shown true\nescape\nselect.suspect 2\nwait idle
window.begin\nwindow.all\nwait idle\nexpect window [0,26]
theme\nexpect dark true\nsave $work/a view.json\nquit\n"
[ ! -s "$work/err" ] || fail "stderr: $(head -c 600 "$work/err")"
grep -q '"tiling":"binary"' "$work/a view.json" || fail "no view was saved"

# ---- how long frames took, while it played
run 0 "wait idle\nprint frame_times\nstep.first\nset step_duration 0.05\nwait idle\nplay\nwait stopped\nexpect step 25\nprint frame_times\nquit\n"
python3 - "$work/out" <<'EOF' || fail "frame times: $(cat "$work/out")"
import json
import sys
before, after = [json.loads(line) for line in open(sys.argv[1])]
assert before["frames"] == 0 and before["histogram"] == []
assert after["frames"] > 0 and sum(row[1] for row in after["histogram"]) == after["frames"]
assert 0 < after["median_ms"] <= after["p95_ms"] <= after["longest_ms"]
EOF

# ---- an icicle has its own colours, whatever was drawn before it
here=$PWD
cd "$work" || exit 1 # pictures lie where one is
picture_of() { # NAME LINES: the last picture
  run 0 "set motion false\nwait idle\n$2\nwait idle\nquit\n"
  mv "$(find . -name 'httpclient*.png' -printf '%T@ %p\n' | sort -n | tail -1 | cut -d' ' -f2-)" "$1.png"
}
picture_of alone 'hint.dismiss\nview.icicle\nwait idle\npicture'
picture_of after 'hint.dismiss\nview.sunburst\nwait idle\npicture\nwait idle\nview.icicle\nwait idle\npicture'
[ "$(compare -metric AE "$work/alone.png" "$work/after.png" null: 2>&1)" -lt 200 ] || fail "an icicle after a sunburst looks otherwise"
cd "$here" || exit 1

# ---- what is wrong is said with its line
run 1 "wait idle\nexpect step 3\nquit\n"
says "$work/script:2: expected step to be 3, found 25"
run 1 "expect nonsense 3\n"
says "$work/script:1: expected nonsense to be 3, found no such field"
run 3 "theme\n\nfly away\n"
says "$work/script:3: there is no command \"fly away\""
run 3 "wait a minute\n"
says "$work/script:1: expected \"wait idle\", \"wait stopped\" or \"wait steps N\", found \"wait a minute\""
run 3 "step\n"
says "$work/script:1: its argument is missing: \"step\""
run 3 "theme dark\n"
says "$work/script:1: it takes no argument: \"theme dark\""
opened=
run 3 "wait idle\nstep.next\nquit\n"
says "$work/script:2: step.next: no trace is open"
memcity=$(realpath "$memcity")
opened=$(realpath "$trace")
for wrong in "step 99:a step from 0 to 26" "step -1:a step from 0 to 26" "select No#Such:the full key of a node" \
  "set tiling round:one of squarify" "set nonsense 3:a setting of saved views" "search.show x:a row, from 0"; do
  run 3 "wait idle\n${wrong%%:*}\n"
  says "$work/script:2: expected ${wrong#*:}"
done
printf 'wait idle\0\n' >"$work/script"
"$memcity" "$trace" --script "$work/script" 2>"$work/err" && fail "a NUL in a script"
says "expected a script, which is text"
"$memcity" "$trace" --script "$work/none" 2>"$work/err"
[ $? = 1 ] || fail "a script that is not there"

[ "$failures" -eq 0 ]

#!/usr/bin/env bash
# --script in a window: how it ends, how long frames took, what it draws.
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

# ---- it ends the window, and says whether all was as expected; what can be said is tried without a window (tests/session)
run 0 "wait idle\nstep 3\nwait idle\nexpect step 3\ntheme\nexpect dark true\nquit\n"
[ ! -s "$work/err" ] || fail "stderr: $(head -c 600 "$work/err")"

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
run 3 "theme\n\nfly away\n"
says "$work/script:3: there is no command \"fly away\""
opened=
run 3 "wait idle\nstep.next\nquit\n"
says "$work/script:2: step.next: no trace is open"
printf 'wait idle\0\n' >"$work/script"
"$memcity" "$trace" --script "$work/script" 2>"$work/err" && fail "a NUL in a script"
says "expected a script, which is text"
"$memcity" "$trace" --script "$work/none" 2>"$work/err"
[ $? = 1 ] || fail "a script that is not there"

[ "$failures" -eq 0 ]

#!/usr/bin/env bash
# What tools push, in the window that listen opens: it comes with the first step and goes on with the others; closed, it ends
# what nobody else keeps, and leaves a recording to go on.
. "$(dirname "$0")/../window.sh"
here=$(cd "$(dirname "$0")" && pwd)
export XDG_RUNTIME_DIR=$work/run
mkdir -m 700 "$XDG_RUNTIME_DIR"
step() { ls -v "$trace/anttracks-format/"*.json | sed -n "$1p"; }
hear() { # OPTION…: $port is where
  rm -f "$work/err"
  "$memcity" listen --port 0 "$@" 2>"$work/err" </dev/null &
  program=$!
  wait_until 'grep -q "listening at" "$work/err"'
  port=$(sed -n 's/.*listening at ws:.*:\([0-9]*\);.*/\1/p' "$work/err")
}
push() { timeout 60 python3 "$here/../live/push.py" "$port" "$@" >"$work/answer" || fail "push: $(cat "$work/answer")"; }
colors() { # in the picture
  import -window root "$work/$1.png" 2>/dev/null && convert "$work/$1.png" -format %k info:
}
ends() { # CODE
  for _ in $(seq 600); do kill -0 "$program" 2>/dev/null || break; sleep 0.1; done
  kill -0 "$program" 2>/dev/null && die "listen does not end"
  wait "$program"
  local code=$?
  program=
  [ "$code" -eq "$1" ] || fail "exit code $code, not $1: $(head -c 300 "$work/err")"
}
pid_of_window() { pgrep -P "$program" -f 'view .*--follow'; }
shows() { # NAME of the picture, once there is a city in it
  wait_until '[ -n "$(window)" ]'
  wait_until "[ \"\$(colors $1)\" -gt 200 ]"
}
goes_on() { # the picture becomes another one
  cp "$work/$1.png" "$work/before.png"
  wait_until 'import -window root "$work/after.png" && ! compare -metric AE "$work/before.png" "$work/after.png" null: 2>/dev/null'
}

# ---- a window alone
hear
[ -z "$(pid_of_window)" ] || fail "there is a window before the first step"
push "$(step 1)"
shows first; sleep 1; colors first >/dev/null
push "$(step 5)" "$(step 9)"
goes_on first
[ -n "$(ls "$XDG_RUNTIME_DIR")" ] || fail "it is recorded nowhere"
key ctrl+q
ends 0
[ -z "$(ls "$XDG_RUNTIME_DIR")" ] || fail "left behind: $(ls -R "$XDG_RUNTIME_DIR")"

# ---- a window that dies is one that was closed
hear; push "$(step 1)"; shows dies
kill -9 "$(pid_of_window)"
ends 0
[ -z "$(ls "$XDG_RUNTIME_DIR")" ] || fail "left behind: $(ls -R "$XDG_RUNTIME_DIR")"

# ---- beside a file: it goes on without its window, and no other one comes
hear -o "$work/x.mct" --follow; push "$(step 1)"; shows beside
key ctrl+q
wait_until '[ -z "$(pid_of_window)" ]'
push "$(step 5)" "$(step 9)"
sleep 0.5
[ -z "$(pid_of_window)" ] || fail "another window came"
kill -INT "$program"
ends 0
"$memcity" info "$work/x.mct" >"$work/info" || fail "the recording"
grep -qE "steps +3$" "$work/info" || fail "not 3 steps: $(cat "$work/info")"
[ -z "${KEEP:-}" ] || cp "$work"/*.png "$KEEP"
exit $((failures > 0))

#!/usr/bin/env bash
# A server's traces in the window: its address is typed where a trace is opened, tabs are chosen from a list, the server
# goes and comes back meanwhile, and the user cancels.
. "$(dirname "$0")/../window.sh"
here=$(cd "$(dirname "$0")" && pwd)
traces=
serve() { # OPTION…
  [ -z "$traces" ] || { kill $traces; wait $traces 2>/dev/null; }
  rm -f "$work/port"
  python3 "$here/../import/trace_server.py" "$work/port" "$@" &
  traces=$!
  for _ in $(seq 2400); do [ -f "$work/port" ] && break; sleep 0.05; done
  port=$(cat "$work/port")
}
end() { [ -z "$traces" ] || kill $traces 2>/dev/null; stop; }
trap end EXIT
type_path() { # into the box of Ctrl+O
  key ctrl+o
  wait_for box true
  xdotool type --delay 15 "$1"
  wait_for box_text "$1"
  key Return
}

# ---- typed, chosen from the list
serve "3=Trend of http=$trace" "5=Another=$trace"
start; wait_for task idle; wait_until '[ -n "$(place menu_button)" ]'
type_path "ws://localhost:$port"
wait_for box_entries 2
check_picture tabs
xdotool type --delay 15 "Another"
wait_for box_entries 1
key Return
wait_for trace "localhost:$port/5"; wait_for task idle; wait_for step_count 27
check_picture opened
grep -q "ws://localhost:$port/5" "$work/config/memcity/"* || fail "the address is not among what was opened before"

# ---- said on the command line
quit 0
serve "3=Trend of http=$trace"
start "ws://localhost:$port"; wait_for trace "localhost:$port"; wait_for task idle; wait_for step_count 27
key shift+l; wait_until 'get said | grep -q "Only an .mct file can be followed"'; wait_for follow false
quit 0
start --follow "ws://localhost:$port"
wait "$program" && fail "an address is followed"
program=
grep -q -- "--follow: expected an .mct file" "$work/err" || fail "$(cat "$work/err")"
start; wait_for task idle; wait_until '[ -n "$(place menu_button)" ]'

# ---- a wrong address is said in the box
type_path "ws://localhost:x"
key a; wait_for box_text "ws://localhost:xa" # it is still open
key Escape; wait_for box false

# ---- the server goes while it sends, and comes back
serve "3=Trend of http=$trace" --piece 30000 --delay 60 --begun "$work/begun"
type_path "ws://localhost:$port"
wait_until '[ -e "$work/begun" ]'
serve "3=Trend of http=$trace" --port "$port"
wait_for trace "localhost:$port"; wait_for task idle; wait_for step_count 27
check_picture back

# ---- the user does not wait
before=$(get trace)
serve "3=Trend of http=$trace" --piece 1000 --delay 500
type_path "ws://localhost:$port/3"
wait_for task opening
check_picture waiting
key Escape
wait_for task idle; wait_for trace "$before"
[ -z "${KEEP:-}" ] || cp "$work"/*.png "$KEEP"
quit 0
[ "$failures" -eq 0 ] || exit 1

#!/usr/bin/env bash
# A heap that lies elsewhere, opened in the window: its address is typed, dropped and chosen again, the user cancels what hangs,
# and what is wrong is said.
. "$(dirname "$0")/../window.sh"
. "$(dirname "$0")/../far.sh"
here=$(cd "$(dirname "$0")" && pwd)
python3 "$here/../hprof_maker.py" "$there/data/heap1.hprof" --seed 1 --objects 300 --classes 12 --id-size 8
printf '#!/bin/sh\ntouch "%s/asked"\nwhile read -r line; do :; done\n' "$work" >"$work/bin/hang"
chmod +x "$work/bin/hang"
printf 'Host hang\n  ProxyCommand %s\n' "$work/bin/hang" >>"$work/ssh/config"
type_path() { # into the box of Ctrl+O
  key ctrl+o
  wait_for box true
  xdotool type --delay 15 "$1"
  wait_for box_text "$1"
  key Return
}

# ---- a wrong address is said in the box
start; wait_for task idle; wait_until '[ -n "$(place menu_button)" ]'
type_path "ssh://prod"
key a; wait_for box_text "ssh://proda" # it is still open
key Escape; wait_for box false

# ---- one that hangs is cancelled, and the window goes on meanwhile
type_path "ssh://hang/x.hprof"
wait_for task opening
wait_until '[ -e "$work/asked" ]'
key question; wait_for help true
key Escape; wait_for task idle; wait_for message null
key Escape; wait_for help false

# ---- what is not there
type_path "ssh://prod/nowhere.hprof"
wait_for message "prod: /nowhere.hprof: No such file or directory"
check_picture refused
key Escape

# ---- what is
type_path "ssh://prod$there/data/heap1.hprof"
wait_for trace prod_heap1.hprof.mct; wait_for task idle; wait_for step_count 1
check_picture opened
grep -q "ssh://prod$there/data/heap1.hprof" "$work/config/memcity/"* || fail "the address is not among what was opened before"
quit 0
# it is offered again, and is there at once; so is one that is dropped
start; wait_until 'get start | grep -q "data/heap1.hprof"'
for _ in $(seq "$(get start | tr , '\n' | grep -n "data/heap1.hprof" | cut -d: -f1)"); do key Down; done
key Return
wait_for trace prod_heap1.hprof.mct; wait_for task idle
quit 0
start; wait_until 'get start | grep -q "data/heap1.hprof"'
python3 "$here/../drop_files.py" "$(window)" 400 300 "ssh://prod/~/data/heap1.hprof" || fail "no address was taken"
wait_for trace prod_heap1.hprof.mct; wait_for task idle
[ -z "${KEEP:-}" ] || cp "$work"/*.png "$KEEP"
quit 0
[ "$failures" -eq 0 ] || exit 1

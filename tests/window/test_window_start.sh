#!/usr/bin/env bash
# An empty window: what was opened before and which Java programs run, by clicks and by keys; one of them is recorded and
# followed.
. "$(dirname "$0")/../window.sh"
memcity=$(realpath "$memcity") trace=$(realpath "$trace") here=$(realpath "$(dirname "$0")")
mkdir -p "$work/files" "$work/other"
cd "$work/files" || exit 1
target=
recorder=
end_all() {
  [ -n "$target" ] && kill "$target" 2>/dev/null && wait "$target" 2>/dev/null
  stop
}
trap end_all EXIT
classes=$(dirname "$memcity")/classes

row_of() { # DETAIL: the index of the row of the start that has it; nothing: there is none
  get start | tr -d '[]"' | tr , '\n' | grep -nx -- "$1" | head -1 | awk -F: '{ print $1 - 1 }'
}

# ---- nothing was opened before, and what is not there goes
start; wait_for task idle; wait_until '[ -n "$(place menu_button)" ]'
[ -z "$(row_of "$trace")" ] || fail "opened before: $(get start)"
quit 0
start "$trace"; wait_for open true; wait_for task idle; wait_for start '[]'
quit 0
"$memcity" import "$trace" -o "$work/other/gone.mct" 2>"$work/import" || die "import"
start "$work/other/gone.mct"; wait_for open true; wait_for task idle
quit 0
rm "$work/other/gone.mct"

# ---- by a click, and by keys
start; wait_until '[ -n "$(row_of "$trace")" ]'
[ -z "$(row_of "$work/other/gone.mct")" ] || fail "a file that is gone is offered"
click_to_open "start_$(row_of "$trace")"; wait_for trace httpclient-3.0.1; wait_for task idle
quit 0
start; wait_until '[ -n "$(row_of "$trace")" ]'
for _ in $(seq 0 "$(row_of "$trace")"); do key Down; done
key Return; wait_for trace httpclient-3.0.1; wait_for task idle
quit 0
# Arrows go on from where Tab has gone to.
start; wait_until '[ -n "$(row_of "$trace")" ]'
row=$(row_of "$trace") beside=$((row > 0 ? row - 1 : row + 1)) arrow=$([ "$row" -gt 0 ] && echo Down || echo Up)
for _ in $(seq 60); do
  focus=$(place focus)
  key Tab; wait_until '[ -n "$(place focus)" ] && [ "$(place focus)" != "$focus" ]'
  [ "$(place focus)" != "$(place "start_$beside")" ] || break
done
[ "$(place focus)" = "$(place "start_$beside")" ] || fail "Tab does not go to the rows"
key "$arrow" Return; wait_for trace httpclient-3.0.1; wait_for task idle
quit 0
# Who has no trace yet sees the one that came with the program.
start; wait_until '[ -n "$(row_of sample)" ]'
click_to_open "start_$(row_of sample)"; wait_for trace shop.mct; wait_for verdict grows; wait_for task idle
quit 0

# ---- files that are dragged onto the window are opened, whatever they are called
mkdir "$work/other/a b"
"$memcity" import "$trace" -o "$work/other/a b/ü.mct" 2>"$work/import" || die "import"
start; wait_until '[ -n "$(row_of sample)" ]'
python3 "$here/../drop_files.py" "$(window)" 400 300 "$work/other/a b/ü.mct" || fail "no file was taken"
wait_for trace "ü.mct"; wait_for task idle
quit 0

# ---- a program that runs is recorded into a file, which the window follows
start; wait_until '[ -n "$(row_of "$trace")" ]'
[ -z "$(row_of "process $$")" ] || fail "a shell is offered as a program to record"
node --inspect-port=0 -e 'setInterval(() => {}, 1000)' 2>/dev/null &
node=$!
wait_until '[ -n "$(row_of "process $node")" ]'
kill "$node"
wait_until '[ -z "$(row_of "process $node")" ]'
wait_until '[ -n "$(place start_0)" ]'
at=$(place start_0)
java -Xmx256m -XX:+UseSerialGC -cp "$classes" Leak 120 &
target=$!
wait_until '[ -n "$(row_of "process $target")" ]' # without a key or a move of the pointer
wait_until '[ -n "$(place "start_$(row_of "process $target")")" ]'
[ "$(place start_0)" = "$at" ] || fail "a program that came moves the rows: $at, $(place start_0)"
[ "$(get start | tr -d '[]"' | tr , '\n' | grep -n process | tail -1 | cut -d: -f2)" = "process $target" ] ||
  fail "the newest program is not the last one: $(get start)"
# A click that comes with the row was meant for what was there before; so it is done a moment later.
sleep 0.5
# Programs of other tests end, and the rows behind theirs move: once more, then.
for _ in 1 2 3 4 5; do
  click_place "start_$(row_of "process $target")"
  for _ in $(seq 30); do
    [ "$(get box)" = true ] && break 2
    pause 0.1
  done
done
wait_for box true
wait_for box_title "Record Leak (PID $target) into"
wait_for box_text "Leak-$target.mct"
wait_for box_entries 2 # what grows; who holds it, too
click_place box_entry_1; click_place box_entry # choices start nothing
[ "$(get box)$(get recording)" = truefalse ] || fail "a choice has started something"
key Return; wait_for box false; wait_for recording true
recorder=$(pgrep -P "$program" -f 'record --pid' || true)
tr '\0' '\n' <"/proc/$recorder/cmdline" | grep -qx -- --references && fail "heap dumps that nobody asked for"
wait_for open true; wait_for follow true; wait_for trace "Leak-$target.mct"
wait_until '[ "$(get step_count)" -ge 2 ]'; wait_for live true
wait_until is_inside\ recording_card
wait_until 'get recording_text | grep -Eq "Recording Leak \(PID $target\)  0:[0-9][0-9] · [0-9]+ steps"'
# it ends when it is asked to, and the file is whole
click_place stop_recording
wait_for recording false; wait_until 'get message | grep -q "The recording has ended"'
"$memcity" info "Leak-$target.mct" >"$work/info" 2>&1 || fail "the recording: $(cat "$work/info")"
wait_for live false

# ---- with who holds what, by the row that says so: the steps have references
key ctrl+p; wait_for box true; xdotool type --delay 15 'record a running'; wait_for box_entries 1; key Return
wait_for box_text ""
xdotool type --delay 15 "$target"; wait_for box_entries 1; key Return
wait_for box_text "Leak-$target-2.mct"
click_place box_action # Start
wait_for recording true; wait_for box false
key ctrl+p; wait_for box true; xdotool type --delay 15 'record a running'; wait_for box_entries 1; key Return
wait_for recording false
rm -f "Leak-$target-2.mct"
key ctrl+p; wait_for box true; xdotool type --delay 15 'record a running'; wait_for box_entries 1; key Return
wait_for box_text ""
xdotool type --delay 15 "$target"; wait_for box_entries 1; key Return
wait_for box_text "Leak-$target-2.mct"
key ctrl+a; xdotool type --delay 15 "held.mct"; key Down Return
wait_for recording true; wait_for trace held.mct; wait_until '[ "$(get step_count)" -ge 1 ]'
key ctrl+p; wait_for box true; xdotool type --delay 15 'record a running'; wait_for box_entries 1; key Return
wait_for recording false
"$memcity" info held.mct | grep -q '^references  *yes' || fail "a recording without references: $("$memcity" info held.mct)"

# ---- another one, by its number, from the palette; the file is there, which is said; it ends with the window
key ctrl+p; wait_for box true; xdotool type --delay 15 'record a running'; wait_for box_entries 1; key Return
wait_for box_text ""
xdotool type --delay 15 "$target"; wait_for box_entries 1; key Return
wait_for box_text "Leak-$target-2.mct"
key ctrl+a; xdotool type --delay 15 "Leak-$target.mct"; key Return
wait_until 'get box_note | grep -q "goes on behind its steps"'
steps=$(get step_count)
key Return; wait_for recording true
wait_until '[ "$(get step_count)" -gt '"$steps"' ]'
recorder=$(pgrep -P "$program" -f 'record --pid' || true)
[ -n "$recorder" ] || fail "no process records"
# It is asked before the recording ends with its window.
key ctrl+q; wait_for box_title "Quit while a program is recorded?"
key Escape; wait_for box false; wait_for recording true
key ctrl+q; wait_for box true
quit_by_key=Return quit 0
for _ in $(seq 600); do kill -0 "$recorder" 2>/dev/null || break; sleep 0.1; done
kill -0 "$recorder" 2>/dev/null && fail "the recording goes on without its window"

# ---- what can't be recorded is said, and nothing is waited for
kill "$target"; wait "$target" 2>/dev/null
start; wait_until '[ -n "$(row_of "$trace")" ]'
printf 'no recording' >bad.mct
java -Xmx64m -XX:+UseSerialGC -cp "$classes" Leak 120 &
target=$!
wait_until '[ -n "$(row_of "process $target")" ]'
key ctrl+p; wait_for box true; xdotool type --delay 15 'record a running'; wait_for box_entries 1; key Return
wait_for box_text ''; xdotool type --delay 15 "$target"; wait_for box_entries 1; key Return
wait_for box_text "Leak-$target.mct"
key ctrl+a; xdotool type --delay 15 'bad.mct'; key Return; wait_until 'get box_note | grep -q "goes on behind"'; key Return
wait_until 'get message | grep -q "bad.mct"'; wait_for waits_for null; wait_for recording false
[ "$(cat bad.mct)" = 'no recording' ] || fail "a file that is no recording was changed"
[ "$(get validation)" = 0 ] || fail "$(get validation) messages of the validation layers"
quit 0

[ "$failures" -eq 0 ]

#!/usr/bin/env bash
# Whatever moves asks for frames by itself until it is where it belongs: the window is left alone after each thing that is set in
# motion, and once it rests, drawing it again changes nothing.
SCREEN=900x640 SAMPLES=16
. "$(dirname "$0")/../window.sh"

# All threads sleep; one that waits for its turn on a busy machine does not.
is_asleep() { ! cut -d' ' -f3 /proc/"$program"/task/*/stat 2>/dev/null | grep -qv S; }
worked() { awk '{ print $14 + $15 }' /proc/"$program"/stat; } # hundredths of a second
rest() {
  local before='' now count=0
  for _ in $(seq 1200); do
    now=$(worked)
    [ "$now" = "$before" ] && is_asleep && count=$((count + 1)) || count=0
    [ $count -lt 6 ] || return
    before=$now
    sleep 0.1
  done
  die "never rests: $1"
}
picture() { import -window root -crop 800x560+0+0 "$work/$1.png" || die "no screenshot"; }
alone() { # NAME: what was begun ends by itself
  wait_for said null # after a while
  rest "$1"
  picture rested
  local before
  before=$(worked)
  key Shift_L
  wait_until "[ \$(worked) -gt $before ]"
  rest "$1, drawn again"
  picture again
  local differ # a caret may blink, and the mean of many drawings is rounded otherwise when it is shown once more
  differ=$(compare -fuzz 2% -metric AE "$work/rested.png" "$work/again.png" null: 2>&1)
  [ "$differ" -lt 40 ] || fail "$1: rests where $differ pixels are not yet as they will be"
}

start "$trace" --no-settings --metric objects --window 0:25 --step 25 --size 800x560
wait_for open true; wait_for task idle
point 5 300; alone "the first picture"
key 0; wait_for walk_shown true; alone "the walk"
key Escape; wait_for walk_shown false; alone "without the walk"
key 1; alone "the way to a suspect"
key z; wait_until '[ "$(get incoming)$(get outgoing)" != truetrue ]'; alone "references"
key Left; wait_for step 24; alone "a step"
key t; wait_until '[ "$(get tiling)" != squarify ]'; wait_for task idle; alone "another plan"
key slash; xdotool type String; wait_until '[ "$(get marked)" -gt 0 ]'; key Return; alone "hits"
for _ in $(seq 6); do [ "$(get selection)" = null ] || key Escape; done
wait_for selection null; key Home; alone "the way home"
# A refined picture ends with the first frame after an input: it is one drawing again, and stays one while the camera moves.
wait_for drawings 16
xdotool keydown Control_L keydown Left
turned=$(get eye)
wait_until '[ "$(get eye)" != "$turned" ]'
for _ in $(seq 20); do
  now=$(get drawings)
  [ "$now" = 1 ] || fail "while the camera turns the picture is of $now drawings"
  turned=$(get eye)
  wait_until '[ "$(get eye)" != "$turned" ]'
done
xdotool keyup Left keyup Control_L
wait_for drawings 16
# What moves the camera is in the first frame after it, whether the picture is still being refined or has been: no frame of what was
# there before is drawn or waited for any more.
react() { # WHAT: an input has come
  wait_until '[ "$(get eye)" != "$eye" ]'
  [ "$(get reaction)" = 1 ] || fail "$1 is seen with frame $(get reaction) after it"
  eye=$(get eye)
}
point 400 400
for round in $(seq 6); do
  wait_until '[ "$(get drawings)" -ge '"$((round % 2 ? 16 : 2))"' ]'
  rests eye
  eye=$(get eye) keys=(a d)
  xdotool keydown "${keys[$((round % 2))]}"
  react "a key"
  xdotool keyup "${keys[$((round % 2))]}"
  settled; eye=$(get eye)
  xdotool click $((4 + round % 2))
  react "the wheel"
  settled; eye=$(get eye)
  xdotool mousedown 1 mousemove_relative 30 0
  react "a drag"
  xdotool mousemove_relative -- -30 0 mouseup 1
done
# A key that comes and goes between two frames has been pressed. (Where the last one was held for long, the camera is at its limit that way.)
settled; eye=$(get eye)
kill -STOP "$program"
xdotool key --delay 0 d
kill -CONT "$program"
react "a short key"
settled
wait_for drawings 16
[ "$(get validation)" = 0 ] || fail "$(get validation) messages of the validation layers"
quit 0
# Panels whose spaces are large on the screen have their sizes, too, and rest.
for scale in 1 1.5 2; do
  echo "set suspects_open false" >"$work/fold"
  start "$trace" --no-settings --scale $scale --size 800x560 --script "$work/fold"
  wait_for open true; wait_for task idle
  wait_until '! get unfolded | grep -q suspects'
  wait_for said null; wait_for drawings 16
  rest "text $scale times as large"
  quit 0
done
[ "$failures" -eq 0 ]

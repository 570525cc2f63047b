#!/usr/bin/env bash
# While the camera moves, a slow city is drawn at half its resolution: as --moving and Alt+K have it, only then, and the picture at
# rest is what it is without.
SCREEN=900x640 SAMPLES=16
. "$(dirname "$0")/../window.sh"

picture() { import -window root -crop 540x380+40+120 "$work/$1.png" || die "no screenshot"; }
turn() { # by keys, held as long as it takes for some other views
  local eye
  eye=$(get eye)
  xdotool keydown Control_L keydown Left
  for _ in 1 2 3 4; do
    wait_until '[ "$(get eye)" != "'"$eye"'" ]'
    eye=$(get eye)
  done
  xdotool keyup Left keyup Control_L
  rests eye
  wait_for drawings 16
}
half() { get half_frames; }

start "$trace" --no-settings --moving half --metric objects --window 0:25 --step 25 --size 800x560
wait_for open true; wait_for task idle
case "$(get device)" in
*llvmpipe*) ;;
*) echo "skipped: only software devices have one sample a pixel in a small city's window" && exit 77 ;;
esac
point 5 300; wait_for drawings 16; rests eye
before=$(half)
turn
after=$(half)
[ "$after" -ge $((before + 2)) ] || fail "of a turn $((after - before)) frames were at half the resolution"
wait_for said null
picture turned
key g; wait_for edges false; key g; wait_for edges true # the same view, drawn anew
wait_for drawings 16; wait_for said null
picture again
differ=$(compare -fuzz 2% -metric AE "$work/turned.png" "$work/again.png" null: 2>&1)
[ "$differ" -lt 40 ] || fail "$differ pixels are not what they are at full resolution once the camera has come to rest"
[ "$(half)" = "$after" ] || fail "at rest, $(($(half) - after)) more frames were at half the resolution"

# Time that moves is no camera that does.
key Left; wait_for step 24; wait_for drawings 16
[ "$(half)" = "$after" ] || fail "a step was drawn at half the resolution"

# By the key: auto, then full, where nothing is.
key alt+k; wait_for moving 0
key alt+k; wait_for moving 1
turn
[ "$(half)" = "$after" ] || fail "$(($(half) - after)) frames at half the resolution after it was turned off"
[ "$(get validation)" = 0 ] || fail "$(get validation) messages of the validation layers"
quit 0
[ "$failures" -eq 0 ]

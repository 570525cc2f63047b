#!/usr/bin/env bash
# Makes window.png, the picture of the README: `docs/images/window.sh build/release/memcity`. Needs xvfb. A test makes it again and
# compares. With --others: the other pictures of docs/find-a-leak.md, docs/trees.md and docs/reference/methods.md, from the recorded
# traces and classes beside the program; that needs ImageMagick and a JDK.
set -eu
here=$(realpath "$(dirname "$0")") memcity=$(realpath "$1") what=${2:-$here/window.png} work=$(mktemp -d)
server=
stop() {
  [ -z "$server" ] || kill "$server"
  rm -rf "$work"
}
trap stop EXIT
out=$(realpath -m -- "$what")
cp "$here/../../examples/web-app/before.mct" "$work/shop.mct"
cd "$work"
export HOME=$work XDG_PICTURES_DIR=$work XDG_CONFIG_HOME=$work XDG_DATA_HOME=$work TZ=UTC
unset WAYLAND_DISPLAY

# Of a window at rest, after the actions of a script.
take() { # WIDTHxHEIGHT FILE.png ACTIONS TRACE [OPTIONS…]
  local size=$1 file=$2 actions=$3
  shift 3
  rm -f display
  mkfifo display
  Xvfb -displayfd 3 -screen 0 "${size}x24" -noreset -nolisten tcp 3>display 2>xvfb &
  server=$!
  read -r number <display
  printf '%s\n' 'set motion false' 'wait idle' "$actions" 'wait idle' picture 'wait idle' quit >script
  DISPLAY=:$number "$memcity" "$@" --size "$size" --light --samples 8 --no-settings --script script
  mv ./*step*.png "$file"
  kill "$server"
  server=
}
small() { convert "$1" -strip -colors 255 -define png:compression-level=9 "$2"; }

if [ "$what" = --others ]; then
  http=$(dirname "$memcity")/traces/httpclient-3.0.1
  timeline=("$memcity" timeline "$http" --window 0:25 --metric objects --steps "2,4,11,25" --prune "90%,9")
  "${timeline[@]}" --view sunburst --unscaled -o sunburst.png
  "${timeline[@]}" -o icicle.png
  take 1200x760 trees.png 'select.suspect 1' "$http" --as sunburst --trees 2,4,11,25 --metric objects
  "$memcity" render shop.mct --window 6:6 --labels --legend --walk --size 1000x500 -o dump.png
  small dump.png "$here/dump.png"
  "$memcity" run --methods exact -o game.mct -- java -cp "$(dirname "$memcity")/classes" com.acme.game.Game
  take 1120x700 methods.png 'select.suspect 1' game.mct
  small methods.png "$here/methods-window.png"
  small sunburst.png "$here/timeline-sunburst.png"
  small icicle.png "$here/timeline.png"
  small trees.png "$here/trees-window.png"
else
  take 1280x800 "$out" walk shop.mct
fi

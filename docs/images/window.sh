#!/usr/bin/env bash
# Makes window.png, the picture of the README: `docs/images/window.sh build/release/memcity [FILE.png]`. Needs xvfb. A test makes it
# again and compares.
set -eu
here=$(realpath "$(dirname "$0")") memcity=$(realpath "$1") out=$(realpath -m "${2:-$here/window.png}") work=$(mktemp -d)
server=
stop() {
  [ -z "$server" ] || kill "$server"
  rm -rf "$work"
}
trap stop EXIT
cp "${SHOP:-$here/../../examples/web-app/before.mct}" "$work/shop.mct"
cd "$work"
printf '%s\n' 'set motion false' 'wait idle' walk 'wait idle' picture 'wait idle' quit >script
export HOME=$work XDG_PICTURES_DIR=$work XDG_CONFIG_HOME=$work XDG_DATA_HOME=$work TZ=UTC
unset WAYLAND_DISPLAY
mkfifo display
Xvfb -displayfd 3 -screen 0 1280x800x24 -noreset -nolisten tcp 3>display 2>xvfb &
server=$!
read -r number <display
export DISPLAY=:$number
"$memcity" shop.mct --size 1280x800 --light --samples 8 --no-settings --script script
mv ./*step*.png "$out"

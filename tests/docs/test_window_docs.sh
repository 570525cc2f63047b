#!/usr/bin/env bash
# The picture of the README shows today's window.
. "$(dirname "$0")/../command.sh"
images=$(dirname "$(realpath "$0")")/../../docs/images
run 0 bash "$images/window.sh" "$memcity" "$work/window.png"
expect 0 bench compare "$images/window.png" "$work/window.png"
mean=$(sed -n 's/^ *mean *\([0-9.]*\).*/\1/p' "$work/out")
# Other fonts differ by less.
awk -v mean="${mean:-1}" 'BEGIN { exit !(mean < 0.01) }' || fail "docs/images/window.png is old ($mean): docs/images/window.sh build/release/memcity"
finish

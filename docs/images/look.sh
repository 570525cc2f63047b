#!/usr/bin/env bash
# Makes look.png, the picture of docs/developing/look.md: `docs/images/look.sh build/release`, whose folder has memcity and traces/.
# Needs ImageMagick.
set -eu
build=$1 out=$(dirname "$0")/look.png work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
memcity=$build/memcity
"$memcity" bench generate --mct "$work/wide.mct" >/dev/null
rows=()
for trace in "$build/traces/httpclient-3.0.1" "$build/traces/javac-daemon" "$build/traces/perfetto" "$work/wide.mct"; do
  name=$(basename "$trace")
  "$memcity" render "$trace" --labels --opacity paper --no-light --size 640x400 -o "$work/$name-before.png" 2>/dev/null
  "$memcity" render "$trace" --labels --size 640x400 -o "$work/$name-after.png" 2>/dev/null
  rows+=("$work/$name-before.png" "$work/$name-after.png")
done
montage "${rows[@]}" -geometry 640x400+2+2 -tile 2x "$work/all.png"
convert "$work/all.png" -strip -colors 255 -define png:compression-level=9 "$out"

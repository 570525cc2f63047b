#!/usr/bin/env bash
# memcity page, drawn by another GL: Mesa's, on the processor; and that it is drawn by that.
. "$(dirname "$0")/../command.sh"
data=$2
browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome) || fail "no chromium"
sanitized && finish
tar xf "$data"/traces/httpclient-3.0.1.tar.gz -C "$work"
trace=$work/httpclient-3.0.1
expect 0 page "$trace" -o "$work/city.html"
. "$(dirname "$0")/../glass_wall.sh"
run 0 env MC_TEST_GL=mesa TMPDIR="$work" timeout 300 python3 "$data/../page_in_browser.py" "$browser" renderer + picture "$work/city.html" "$work/light.png" light + \
  picture "$work/city.html" "$work/dark.png" dark + $draw_wall + prints "$work/city.html" city
cat "$work/out" "$work/err" >&2
for theme in light dark; do
  expect 0 render "$trace" --theme $theme --size 640x400 -o "$work/wanted.png"
  expect 0 bench compare "$work/$theme.png" "$work/wanted.png"
  awk '$1 == "mean" && $2 <= 0.009 { ok = 1 } END { exit !ok }' "$work/out" || fail "$theme: $(cat "$work/out")"
  echo "$theme: $(grep mean "$work/out")" >&2
done
compare_wall
finish

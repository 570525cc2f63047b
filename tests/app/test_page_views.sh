#!/usr/bin/env bash
# memcity page from outside: its other views and themes, two traces, owners, phones, and what it does without WebGL (more than test_page.sh has).
. "$(dirname "$0")/../command.sh"
data=$2
browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome) || fail "no chromium"

tar xf "$data"/traces/httpclient-3.0.1.tar.gz -C "$work"
trace=$work/httpclient-3.0.1
expect 0 page "$trace" -o "$work/city.html"
# A saved view: it opens as somebody saw it.
cat >"$work/city.view" <<END
{"memcity_view":1, "trace":["httpclient-3.0.1"], "step":7, "selection":"Heap#java.util#LinkedList",
 "camera":{"target":[500,0,400],"distance":900,"azimuth_rad":0.3,"elevation_rad":0.5}, "settings":{"dark":true}}
END
expect 0 page --view "$work/city.view" -o "$work/view.html"
sed 's/"dark":true/"view":"icicle"/' "$work/city.view" >"$work/flat.view"
expect 0 page --view "$work/flat.view" -o "$work/flat.html"
# Two traces as one: what differs.
versus="--versus $trace --base-window 0:12 --versus-window 13:25"
expect 0 page "$trace" $versus -o "$work/versus.html"

# Sessions pile up, and bytes in them: the sessions have the colour.
for step in 0 1 2 3 4; do
  {
    printf '#memcity graph 1\n# time=%s\nid\tsize\tflags\tpackage\ttype\n1\t64\truntime\tlib\tMap\n2\t90000\t\tapp\tNames\n' "170000000${step}000"
    awk -v n=$((100 * (step + 1))) 'BEGIN { for (i = 0; i < n; i++) printf "%d\t80\t\tapp\tSession\n%d\t900\truntime\tlib\tbytes\n", 10 + 2 * i, 11 + 2 * i }'
    printf 'from\tto\tfield\n'
    awk -v n=$((100 * (step + 1))) 'BEGIN { for (i = 0; i < n; i++) printf "1\t%d\t\n%d\t%d\tbody\n", 10 + 2 * i, 10 + 2 * i, 11 + 2 * i }'
    printf 'root\tkind\tname\n1\tglobal\tshop.sessions\n2\tglobal\tshop.names\n'
  } >"$work/shop$step.graph"
done
expect 0 import "$work"/shop?.graph -o "$work/owners.mct"
expect 0 page "$work/owners.mct" -o "$work/owners.html"
# A value that is not known at the first step.
{
  printf 'time\tPackage\tType\tobjects\tbytes\tload[real single]\n'
  for step in {0..8}; do
    printf '%s\ta\t%s\t1\t100\t%s\n' "$step" X 0.5 "$step" Z "$([ "$step" = 0 ] && echo '\N' || echo 1.25)"
  done
} >"$work/unknown.tsv"
expect 0 import --rows "$work/unknown.tsv" -o "$work/unknown.mct"
expect 0 page "$work/unknown.mct" --metric load -o "$work/unknown.html"

for step in 0 19; do
  expect 0 tree "$trace" --window 0:25 --step $step --tsv
  cp "$work/out" "$work/step$step.tsv"
done
run 0 env TMPDIR="$work" timeout 300 python3 "$data/../page_in_browser.py" "$browser" \
  picture "$work/city.html" "$work/dark.png" dark + picture "$work/versus.html" "$work/versus.png" light + \
  picture "$work/owners.html" "$work/owners.png" light + \
  opens "$work/view.html" 7 LinkedList 900 dark City + opens "$work/flat.html" 7 LinkedList 0 light Icicle + phone "$work/city.html" + \
  extents "$work/city.html" "$work/step0.tsv" 0 + extents "$work/city.html" "$work/step19.tsv" 19 + views "$work/city.html" + constants + shortens + \
  flat "$work/city.html" "$work/sunburst-light.png" sunburst light + flat "$work/city.html" "$work/icicle-dark.png" icicle dark + \
  flat "$work/versus.html" "$work/icicle-versus.png" icicle light + flat "$work/owners.html" "$work/sunburst-owners.png" sunburst light + \
  prints "$work/city.html" icicle + unknown "$work/unknown.html" + plain "$work/city.html" + texts "$(dirname "$memcity")/tests/test_app_format"
cat "$work/out" "$work/err" >&2
# The city is that of memcity render, its light, too: the same but for borders.
for theme in dark versus owners; do
  of=$trace
  case $theme in
    versus) options=$versus ;;
    owners) options="" of=$work/owners.mct ;;
    *) options="--theme $theme" ;;
  esac
  expect 0 render "$of" $options --size 640x400 -o "$work/wanted.png"
  expect 0 bench compare "$work/$theme.png" "$work/wanted.png"
  awk '$1 == "mean" && $2 <= 0.009 { ok = 1 } END { exit !ok }' "$work/out" || fail "$theme: $(cat "$work/out")"
  echo "$theme: $(grep mean "$work/out")" >&2
done
# The flat views are those of memcity tree, but for the title above them, which of two traces is long.
for what in sunburst-light icicle-dark icicle-versus sunburst-owners; do
  of=$trace
  options="--window 0:25 --color-by growth"
  case $what in
    *-dark) options="$options --dark" ;;
    *-versus) options=$versus ;;
    *-owners) options="--color-by owner" of=$work/owners.mct ;;
  esac
  expect 0 tree "$of" $options --view ${what%-*} --no-labels --size 640x400 -o "$work/wanted.png"
  expect 0 bench compare "$work/$what.png" "$work/wanted.png"
  awk '$1 == "mean" && $2 <= 0.012 { ok = 1 } END { exit !ok }' "$work/out" || fail "$what: $(cat "$work/out")"
  echo "$what: $(grep mean "$work/out")" >&2
done
finish

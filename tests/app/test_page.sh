#!/usr/bin/env bash
# memcity page from outside: a browser reads it back, draws it, and is used.
. "$(dirname "$0")/../command.sh"
data=$2
browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome) || fail "no chromium"

tar xf "$data"/traces/httpclient-3.0.1.tar.gz -C "$work"
trace=$work/httpclient-3.0.1
expect 0 page "$trace" -o "$work/city.html"
says "522 groups, 26 of 26 steps"
[ "$(stat -c %s "$work/city.html")" -lt 120000 ] || fail "the page takes $(stat -c %s "$work/city.html") bytes"
expect 0 page "$trace" --steps 5 --window 0:26 -o "$work/five.html"
says "5 of 27 steps"
expect 0 page "$trace" --max-size 76k -o "$work/small.html"
[ "$(stat -c %s "$work/small.html")" -le 77824 ] || fail "the small page takes $(stat -c %s "$work/small.html") bytes"
expect 2 page "$trace" --max-size 20k -o "$work/none.html"
[ ! -e "$work/none.html" ] || fail "a page that is too large was written"
expect 2 page "$trace" -o "$work/city.txt"
expect 2 page "$trace" --step 9999 -o "$work/none.html"
says "the trace has steps 0 to 26"
expect 2 page "$trace"
# Names are hidden in all of it: words, too.
head -c 32 /dev/zero | od -An -v -tx1 | tr -d ' \n' >"$work/key"
chmod 600 "$work/key"
expect 0 page "$trace" --hash-names "$work/key" --title hidden -o "$work/hidden.html"
unpacked() { # PAGE: all that it carries
  python3 -c 'import base64, re, sys, zlib
page = open(sys.argv[1], "rb").read()
data = re.search(rb"<script type=application/octet-stream id=data>([^<]*)<", page)[1]
sys.stdout.buffer.write(page + zlib.decompress(b"".join(base64.b64decode(line) for line in data.split(b"\n")), -15))' "$1"
}
[ "$(unpacked "$work/city.html" | grep -ac 'LinkedList\|HostConnectionPool\|commons')" -gt 0 ] || fail "a page has no names"
[ "$(unpacked "$work/hidden.html" | grep -ac 'LinkedList\|HostConnectionPool\|commons')" = 0 ] || fail "a name is not hidden"

# A saved view: it opens as somebody saw it.
cat >"$work/city.view" <<END
{"memcity_view":1, "trace":["httpclient-3.0.1"], "step":7, "selection":"Heap#java.util#LinkedList",
 "camera":{"target":[500,0,400],"distance":900,"azimuth_rad":0.3,"elevation_rad":0.5}, "settings":{"dark":true}}
END
expect 0 page --view "$work/city.view" -o "$work/view.html"
sed 's/"dark":true/"view":"icicle"/' "$work/city.view" >"$work/flat.view"
expect 0 page --view "$work/flat.view" -o "$work/flat.html"
# A report beside it links to it, and what a gate found is selected.
expect 0 report "$trace" --no-pictures --page "$work/wa lk.html" -o "$work/report.html"
grep -q 'href="./wa%20lk.html">Walk through the city<' "$work/report.html" || fail "no link"
[ -s "$work/wa lk.html" ] || fail "no page beside the report"
expect 0 report "$trace" --no-pictures --page "$work/./walk.html" -o "$work/report.html"
grep -q 'href="./walk.html">' "$work/report.html" || fail "no link to the same folder by another name"
expect 2 report "$trace" --no-pictures --page "$work/./report.html" -o "$work/report.html"
says "the same file"
expect 2 report "$trace" --no-pictures --versus "$trace" --page "$work/x.html" -o "$work/x2.html"
expect 4 gate "$trace" --rule '**: +1%/h' --page "$work/gate.html"
[ -s "$work/gate.html" ] || fail "no page of the gate"

# Two traces as one: what differs.
versus="--versus $trace --base-window 0:12 --versus-window 13:25"
expect 0 page "$trace" $versus -o "$work/versus.html"
expect 2 page "$trace" $versus --pair both -o "$work/x.html"
expect 2 page "$trace" $versus --hash-names "$work/key" -o "$work/x.html"

# Names that would be markup, wherever one looks.
{
  printf 'time\tPackage\tType\tobjects\tbytes\n'
  for step in 0 1000 2000 3000 4000 5000 6000 7000; do
    printf '%s\t<img src=x onerror="hacked=1">\t</script><script>hacked=1</script>\t%s\t%s\n' "$step" $((step + 10)) $((100 * step + 10))
    printf '%s\t"%s\t<!--<svg/onload=hacked=1>\t1\t%s\n' "$step" "'" 5000
    printf '%s\tjavascript:hacked=1\t&lt;b&gt;${hacked=1}\t1\t%s\n' "$step" 7000
  done
} >"$work/hostile.tsv"
expect 0 import --rows "$work/hostile.tsv" -o "$work/hostile.mct"
expect 0 page "$work/hostile.mct" --title '</title><script>hacked=1</script>' -o "$work/hostile.html"
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

sanitized && finish # a page is the same from either build
expect 0 export "$trace" --rows --tsv -o "$work/rows.tsv"
for step in 0 19; do
  expect 0 tree "$trace" --window 0:25 --step $step --tsv
  cp "$work/out" "$work/step$step.tsv"
done
run 0 env TMPDIR="$work" timeout 300 python3 "$data/../page_in_browser.py" "$browser" values "$work/city.html" "$work/rows.tsv" + \
  values "$work/five.html" "$work/rows.tsv" + picture "$work/city.html" "$work/light.png" light + \
  picture "$work/city.html" "$work/dark.png" dark + picture "$work/versus.html" "$work/versus.png" light + \
  picture "$work/owners.html" "$work/owners.png" light + use "$work/city.html" hostparams + \
  opens "$work/view.html" 7 LinkedList 900 dark City + opens "$work/flat.html" 7 LinkedList 0 light Icicle + opens "$work/gate.html" 25 LinkedList 0 light City + phone "$work/city.html" + \
  extents "$work/city.html" "$work/step0.tsv" 0 + extents "$work/city.html" "$work/step19.tsv" 19 + views "$work/city.html" + constants + shortens + \
  flat "$work/city.html" "$work/sunburst-light.png" sunburst light + flat "$work/city.html" "$work/icicle-dark.png" icicle dark + \
  flat "$work/versus.html" "$work/icicle-versus.png" icicle light + flat "$work/owners.html" "$work/sunburst-owners.png" sunburst light + \
  hostile "$work/hostile.html" + unknown "$work/unknown.html" + plain "$work/city.html" + texts "$(dirname "$memcity")/tests/test_app_format"
cat "$work/out" "$work/err" >&2
# The city is that of memcity render, its light, too: the same but for borders, glass, and shadows on the ground.
for theme in light dark versus owners; do
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

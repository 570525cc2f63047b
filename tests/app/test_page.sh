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

# Two traces as one: what can't be.
versus="--versus $trace --base-window 0:12 --versus-window 13:25"
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
sanitized && finish # a page is the same from either build
. "$(dirname "$0")/../glass_wall.sh"
expect 0 export "$trace" --rows --tsv -o "$work/rows.tsv"
run 0 env TMPDIR="$work" timeout 300 python3 "$data/../page_in_browser.py" "$browser" values "$work/city.html" "$work/rows.tsv" + \
  values "$work/five.html" "$work/rows.tsv" + picture "$work/city.html" "$work/light.png" light + $draw_wall + prints "$work/city.html" city + use "$work/city.html" hostparams + \
  opens "$work/gate.html" 25 LinkedList 0 light City + hostile "$work/hostile.html"
cat "$work/out" "$work/err" >&2
# The city is that of memcity render, its light, too: the same but for borders.
expect 0 render "$trace" --theme light --size 640x400 -o "$work/wanted.png"
expect 0 bench compare "$work/light.png" "$work/wanted.png"
awk '$1 == "mean" && $2 <= 0.006 { ok = 1 } END { exit !ok }' "$work/out" || fail "the city: $(cat "$work/out")"
echo "light: $(grep mean "$work/out")" >&2
compare_wall
finish

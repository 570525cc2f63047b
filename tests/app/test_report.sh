#!/usr/bin/env bash
# memcity report from outside: the page is read with another reader, and says what other commands do.
. "$(dirname "$0")/../command.sh"
data=$2

tar xf "$data"/traces/httpclient-3.0.1.tar.gz -C "$work"
trace=$work/httpclient-3.0.1
mkdir "$work/pictures"

expect 0 report "$trace" --metric objects -n 10 --title '<&"' -o "$work/r.html"
run 0 python3 "$data/../read_report.py" "$work/r.html" "$work/pictures"
mv "$work/out" "$work/said"
grep -q "^title	<&\"$" "$work/said" || fail "the title"
[ "$(ls "$work/pictures" | tr '\n' ' ')" = "0.png 1.png 2.png 3.png 4.png dark-0.png dark-1.png dark-2.png dark-3.png dark-4.png narrow-0.png narrow-1.png narrow-dark-0.png narrow-dark-1.png " ] ||
  fail "not four steps and the walk, for light and dark pages: $(ls "$work/pictures")"
grep -q 'What stands before those that grew the most is translucent\.' "$work/r.html" || fail "no word of glass"
expect 1 report "$trace" -o "$work/nowhere/r.html"; says "nowhere/r.html"
grep -q 'class=legend><span>Growth since the first step:' "$work/r.html" || fail "no legend"
# What was freed at the end is left out by itself; the growth is that of memcity top.
"$memcity" top "$trace" --metric objects --window 0:25 -n 10 --json |
  sed -n 's/.*"growth":\(-*[0-9]*\)}.*/\1/p' >"$work/a"
grep ^suspect "$work/said" | cut -f 5 | tr -d ',+' >"$work/b"
[ "$(wc -l <"$work/b")" = 10 ] || fail "not ten suspects"
cmp -s "$work/a" "$work/b" || fail "growth differs from memcity top"
grep -q "^suspect	1	LinkedList|Heap → Package: java.util · because of MultiThreadedHttpConnectionManager\$HostConnectionPool|3 distinct owners, 1 of which has 90 % of the references; the strongest, org.apache.commons.httpclient → MultiThreadedHttpConnectionManager\$HostConnectionPool references 160,000 objects (> 99.9 %)	" "$work/said" || fail "the first suspect: $(grep "^suspect	1" "$work/said")"
[ "$(grep -c ^step "$work/said")" = 27 ] || fail "not all steps"
[ "$(grep -c ^walk "$work/said")" = 1 ] || fail "not one walk for one cause"
grep -q "^stop	|causeMultiThreadedHttpConnectionManager\$HostConnectionPool" "$work/said" || fail "the cause"
grep -q "^walk	.*HostConnectionPool objects pile up in HashMap objects" "$work/said" || fail "what holds it"
# Small trees at six steps, in a page of light and of dark colours, with the numbers of the table of steps.
[ "$(grep -c ^trees "$work/said")" = 2 ] || fail "not two sets of trees"
for scheme in light dark; do
  grep "^trees	trees-$scheme	" "$work/said" | tr '\t' '\n' | grep ' · ' >"$work/trees"
  [ "$(cut -d ' ' -f 1 "$work/trees" | tr '\n' ' ')" = "0 5 10 15 20 25 " ] || fail "trees at other steps: $(cat "$work/trees")"
  while IFS=' ' read -r step _ count; do
    grep -q "^step	$step	[^	]*	$count	" "$work/said" || fail "a tree of $count at step $step"
  done <"$work/trees"
  grep "^segments	trees-$scheme	" "$work/said" | grep -q "	Heap → Package: java.util → Type: LinkedList: 160,003 objects	" || fail "no LinkedList"
done
# The large pictures are those that memcity render draws, but for the light: on a page it has half as many rays.
is_alike() { compare -metric MAE "$1" "$2" null: 2>&1 | awk -F'[()]' '{exit !($2 != "" && $2 < 0.002)}'; }
same() { # PICTURE OPTIONS…
  local picture=$1
  compares pictures || return
  shift
  expect 0 render "$trace" --metric objects --window 0:25 --labels --size 1600x900 -o "$work/p.png" "$@"
  is_alike "$work/p.png" "$work/pictures/$picture.png" || fail "the picture $picture"
}
same 0
same dark-0 --dark
same 4 --walk
same dark-4 --walk --dark
[ "$(identify -format '%wx%h' "$work/pictures/1.png")" = 800x450 ] || fail "a small picture's size"
# On a phone the large ones are square, with names that can be read.
[ "$(identify -format '%wx%h ' "$work/pictures"/narrow-*.png)" = "680x680 680x680 680x680 680x680 " ] || fail "pictures for phones"
# As a browser has it: nothing is fetched, on a phone nothing leaves the page, dark pages have dark pictures.
browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome) || fail "no chromium"
shown() { # PAGE: what is seen of it in $work/out; a page is the same from either build
  sanitized && return 1
  run 0 env TMPDIR="$work" timeout 100 python3 "$data/../read_in_browser.py" "$browser" "$1"
  [ "$(wc -l <"$work/out")" = 4 ] || fail "not four pages: $(cat "$work/out")"
}
! shown "$work/r.html" || while read -r scheme width scrolls pictures loaded hash requests text cut; do
  [ "${scrolls#*=}" -le "$width" ] || fail "$scheme $width: $scrolls"
  [ "$pictures $loaded $requests" = "pictures=5 loaded=5 requests=0" ] || fail "$scheme $width: $pictures $loaded $requests"
  [ "${text#*=}" -ge 10 ] || fail "$scheme $width: the chart's text is $text pixels high"
  [ "$cut" = cut=0 ] || fail "$scheme $width: a table is cut off: $cut"
  echo "$hash" >>"$work/$scheme.hashes"
done <"$work/out"
sanitized || [ "$(sort -u "$work/light.hashes" | wc -l) $(cat "$work"/*.hashes | sort -u | wc -l)" = "2 4" ] || fail "light and dark pages, or a phone's and a desk's, have the same pictures"
# Pictures that are to be dark are so on either page.
expect 0 report "$trace" --dark -n 1 --samples 1 -o "$work/dark.html"
grep -q '<source media="[^"]*dark' "$work/dark.html" && fail "light pictures although dark ones were asked for"

expect 0 report "$trace" --no-pictures --window 3:3 -o "$work/one.html"
run 0 python3 "$data/../read_report.py" "$work/one.html" "$work/pictures"
grep -q ^trees "$work/out" && fail "a timeline of one step"
grep -q "^suspect	1	HashMap\$Node|Heap → Package: java.util|one owner: java.util → HashMap\$Node\[\] references 16,640 objects (73.5 %)	707 KiB$" "$work/out" || fail "the largest of one step: $(grep ^suspect "$work/out" | head -1)"

# Of three steps each has one picture.
expect 0 report "$trace" --window 0:2 --dark -n 1 --samples 1 -o "$work/three.html"
[ "$(grep -o 'figcaption>Step [0-9]*' "$work/three.html" | sed 's/.* //' | sort | tr '\n' ' ')" = "0 1 2 " ] ||
  fail "pictures of three steps: $(grep -o 'figcaption>Step [0-9]*' "$work/three.html" | tr '\n' ' ')"

# Of several files the title has the first and the last. Of steps within a moment only both ends have a time.
for step in 0 1 2; do
  echo '{"time":'$((step * 100))',"root":{"key":"a","name":"Heap","role":"","bytes":1,"objects":1}}' >"$work/s$step.json"
done
expect 0 report "$work"/s?.json --no-pictures -o "$work/several.html"
grep -q '<title>s0.json to s2.json' "$work/several.html" || fail "the title of several files: $(grep -o '<title>[^<]*' "$work/several.html")"
[ "$(grep -o '<svg class="timeline wide.*' "$work/several.html" | sed 's/<\/svg>.*//' | grep -o '>0:[0-9.]*<' | tr -d '<>\n')" = 0:00.00:00.2 ] || fail "times that repeat"
expect 0 page "$work"/s?.json -o "$work/several.html"
grep -q '<title>s0.json to s2.json' "$work/several.html" || fail "the title of a page of several files: $(grep -o '<title>[^<]*' "$work/several.html")"

# A name can't become markup.
cat >"$work/evil.json" <<'END'
[{"time":0,"root":{"key":"a","name":"Heap","role":"","bytes":1,"objects":1,"children":[
  {"key":"b","name":"<script>alert(1)</script>\"'&","role":"<b>","bytes":1,"objects":1}]}},
 {"time":1,"root":{"key":"a","name":"Heap","role":"","bytes":9,"objects":9,"children":[
  {"key":"b","name":"<script>alert(1)</script>\"'&","role":"<b>","bytes":9,"objects":9}]}}]
END
expect 0 report "$work/evil.json" --no-pictures -o "$work/evil.html"
run 0 python3 "$data/../read_report.py" "$work/evil.html" "$work/pictures"
grep -q "<script>alert(1)</script>\"'&|Heap" "$work/out" || fail "the name as it is"

expect 0 report "$trace" --versus "$work/evil.json" --no-pictures -o "$work/evil.html"
run 0 python3 "$data/../read_report.py" "$work/evil.html" "$work/pictures"
grep -q "<script>alert(1)</script>\"'&|" "$work/out" || fail "the name as it is, in a pair"

base=$traces/javac-daemon
expect 2 report "$trace" --versus "$base" --align nonsense -o "$work/none.html"
expect 2 report "$trace" --versus "$base" --pair a -o "$work/none.html"
expect 3 report "$trace" --versus "$work/said" -o "$work/none.html"
expect 2 report "$trace"
expect 2 report "$trace" -o "$work/r.txt"
expect 2 report "$trace" -n 101 -o "$work/r.html"
expect 2 report "$trace" --window 0:99 -o "$work/none.html"
expect 3 report "$work/said" -o "$work/none.html"
expect 1 report "$trace" --no-pictures -o "$work/missing/r.html"
[ -e /dev/full ] && expect 1 report "$trace" --no-pictures -o /dev/full
# A report asked for is stopped like anything else.
timeout -s INT 0.1 "$memcity" report "$trace" -o "$work/none.html" 2>/dev/null
[ -e "$work/none.html" ] && fail "a page although it failed"
ls "$work" | grep -q tmp && fail "something half-written stays"

finish

#!/usr/bin/env bash
# Collapsed stacks from outside: as methods in a frame of time, as they were recorded, as sites and calls; errors.
. "$(dirname "$0")/../command.sh"

stacks=$2/collapsed
mkdir "$work/series"
printf '[a tid=1];x/A.m 5\n[b tid=2];x/A.m 10\n' >"$work/series/p-1700000000100.collapsed"
printf '[a tid=1];x/A.m 10\n[a tid=1];x/A.n 0\n' >"$work/series/p-1700000000200.collapsed"

expect 0 info "$work/series"; prints "Package → Class → Method → Thread"; prints "time: time, time, a flow, additive"; quiet
# In the place of objects and bytes, in a frame of a second; time method times as recorded.
sed -n 's/^ step *//p; s/^ *[01] 20[^ ]* [^ ]* *//p' "$work/out" | tr -s ' ' >"$work/steps"
printf '%s\n' 'time elevation threads busy samples nodes leaves pairs' '10.0 % 2 150 ms 15 6 2 0' '15.0 % 2 100 ms 10 7 2 0' |
  cmp -s - "$work/steps" || fail "the steps of methods: $(cat "$work/steps")"
expect 0 info "$work/series" --frame 200ms; prints "75.0 %"; quiet
expect 0 info "$stacks/perf.folded" --stacks sites; prints "bytes"; quiet
expect 0 top "$work/series" --frame 200ms; prints "elevation"; prints "x → A → m"; quiet
expect 0 top "$work/series" --frame 100ms --metric threads; prints "threads"; quiet
expect 0 top "$work/series" --frame none --metric time; prints "Thread: a"; quiet
expect 0 layout "$work/series" --tsv; quiet
expect 2 top "$work/series" --frame 90ms; says "expected 0.1s to 60s, all, or none"
expect 2 top "$work/series" --frame x; says "expected 0.1s to 60s, all, or none"
expect 2 import "$work/series" --frame 1s -o "$work/x.mct"; says "method times as recorded"
expect 0 import "$work/series" -o "$work/x.mct"
expect 0 top "$work/x.mct"; prints "elevation"; quiet
expect 0 info "$stacks/perf.folded" --stacks sites; prints "Allocation Site → Caller"; quiet
expect 0 info "$stacks/go.folded" --stacks calls; prints "Call"; quiet
expect 0 top "$stacks/py-spy.txt" --sample-interval 1; prints "elevation"; quiet
printf 'a;b 1\na;b\n' >"$work/bad.collapsed"
expect 3 info "$work/bad.collapsed"; says "bad.collapsed:6: expected a stack"

# A report of them: who is the highest, as of top, and no word of a heap.
expect 0 report "$work/series" --frame 200ms --no-pictures --title '<T>' -o "$work/r.html"; quiet
grep -q '<title>&lt;T&gt; – methods report</title>' "$work/r.html" || fail "the title"
grep -q 'How busy methods were in frames of 0.2 s' "$work/r.html" || fail "the frame"
grep -q 'class=name>m<small>.*Class: A</small></td><td><svg class=spark .*<td class=up>75.0 %</td><td>75.0 %</td><td>75.0 %</td><td>2</td><td>a</td><td>–</td></tr>' "$work/r.html" ||
  fail "the highest: $(grep 'class=name>m' "$work/r.html")"
[ "$(grep -c '<tr><td>[0-9]*</td><td class=name>' "$work/r.html")" = 1 ] || fail "not the methods that were seen"
grep -v '^[:@*.]' "$work/r.html" | grep -iE 'heap|bytes|object| B<|grew|grows|alive' && fail "words of a heap"
run 0 python3 "$2/../read_report.py" "$work/r.html" "$work"
expect 0 report "$work/series" --no-pictures --metric threads --window 0:0 -o "$work/r.html"; quiet
grep -q '<td class=up>2</td>' "$work/r.html" || fail "the threads"

# Two of them: by elevation unless told otherwise, to the last step, although little is done there.
cp -r "$work/series" "$work/after"
printf '[b tid=2];x/A.m 0\n[a tid=1];y/B.n 1\n' >"$work/after/p-1700000000300.collapsed"
expect 0 diff "$work/series" "$work/after" --frame 100ms; quiet
prints "before         100.0 %"; prints "after           10.0 %"; prints "−90.0 %  elevation, −90.0 %"
expect 0 diff "$work/series" "$work/after" --frame none; quiet; prints "  time, "
# Without a frame no word of a heap either, of one trace and of two.
# Two runs are compared as wholes unless a frame is said. In the 200 ms of the first, m took thread a 150.
expect 0 top "$work/series" --frame all; prints 'from the beginning to step 1'; grep -q '75.0 % .* x → A → m' "$work/out" || fail "of the whole run: $(cat "$work/out")"
expect 0 diff "$work/series" "$work/after"; quiet; cp "$work/out" "$work/whole"
expect 0 diff "$work/series" "$work/after" --frame all; cmp -s "$work/out" "$work/whole" || fail "not the whole runs: $(cat "$work/whole")"
expect 0 tree "$work/series" --versus "$work/after" --json; cp "$work/out" "$work/whole"
expect 0 tree "$work/series" --versus "$work/after" --json --frame all; cmp -s "$work/out" "$work/whole" || fail "a picture is not of the whole runs"
expect 0 tree "$work/series" --versus "$work/after" --json --frame 1s; cmp -s "$work/out" "$work/whole" && fail "a frame that is said counts"
printf 'wait idle\nprint frame\nframe.shorter\nwait idle\nprint frame\n' >"$work/script"
expect 0 view "$work/series" --versus "$work/after" --script "$work/script" --headless
[ "$(grep '^[0-9]' "$work/out" | tr '\n' ' ')" = '1e+09 60 ' ] || fail "the window's frames: $(cat "$work/out")"
expect 0 view "$work/series" --versus "$work/after" --frame 1s --script "$work/script" --headless; grep -qx 1 "$work/out" || fail "the frame that was said"
for versus in '' "--versus $work/after"; do
  expect 0 report "$work/series" --frame none --no-pictures $versus -o "$work/n.html"; quiet
  grep -q ' – methods report</title>' "$work/n.html" || fail "the title without a frame"
  grep -v '^[:@*.]' "$work/n.html" | grep -iE "the heap|heap's|heaps |heap at|objects| B<|>bytes<|null" && fail "words of a heap: $versus"
done
expect 0 diff "$work/series" "$stacks/perf.folded" --stacks sites --metric bytes; quiet

# Written and drawn in a frame: x.A.m is at 75 % in 200 ms, red, and at 12.5 % in two seconds.
expect 0 export "$work/series" --frame 200ms --format default -o "$work/framed"
grep -qF '"key":"Program#x#A#m","name":"m","role":"Method","bytes":0,"objects":0,"metrics":{"elevation":0.75,"threads":2,' \
  "$work/framed/default-format/1700000000200.json" || fail "what is exported of a frame"
red() { convert "$1" -fx 'r>0.6&&g<0.45?1:0' -format '%[fx:round(mean*w*h)]' info:; } # how many pixels
expect 0 render "$work/series" --frame 200ms --size 96x54 -o "$work/high.png"; quiet
expect 0 render "$work/series" --frame 2s --size 96x54 -o "$work/low.png"; quiet
[ "$(red "$work/high.png")" -ge 50 ] || fail "no red in a frame of 200 ms: $(red "$work/high.png")"
[ "$(red "$work/low.png")" = 0 ] || fail "red in a frame of two seconds: $(red "$work/low.png")"
if command -v ffmpeg >/dev/null; then
  expect 0 video "$work/series" --frame 200ms --size 96x54 --step-duration 0.1 -o "$work/v.mp4"
  ffmpeg -v error -i "$work/v.mp4" "$work/v-%02d.png" || fail "ffmpeg can't read the video"
  last=$(ls "$work"/v-*.png | tail -1)
  [ "$(red "$last")" -gt "$(red "$work/v-01.png")" ] || fail "no redder at the end: $(red "$last")"
fi

finish

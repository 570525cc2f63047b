#!/usr/bin/env bash
# The subcommands from outside: exit codes, stdout and stderr, help, and what they print of the recorded traces.
. "$(dirname "$0")/../command.sh"

# ---- help and wrong usage
expect 0 formats; prints "heap dumps of a JVM"; prints "*.txt, *.histo"; prints "jcmd PID GC.heap_dump"; prints "*.mct"; quiet
expect 0 formats --tsv; prints $'histogram\t*.txt, *.histo\tclass histograms of a JVM'; prints "--retained"; quiet
expect 0 formats --json; prints '{"format":"heaptrack","files":"*.heaptrack, *.zst, *.gz"'; quiet
expect 2 formats "$http"
expect 0 --help; prints "exit codes"; quiet
expect 0 --version; prints "memcity "
for command in info top find refs walk layout city render video view; do
  expect 0 "$command" --help; prints "usage: memcity"; quiet
done
expect 2 info; says "no trace given"
expect 2 why "$http" --versus "$http"; says 'unknown option --versus; "memcity diff A B" says'
expect 2 info "$http" --nonsense; says "unknown option --nonsense"
expect 2 top "$http" --windwo 0:1; says "unknown option --windwo; did you mean --window?"
expect 2 top "$http" --met=objects; says "did you mean --metric?"
expect 2 top "$http" -n; says "a value is missing"
expect 2 top "$http" -n x; says "a whole number"
expect 2 top "$http" --metric cows; says "it has objects, bytes"
expect 2 top "$http" --window 5:99; says "steps 0 to 26"
expect 2 top "$http" --window 5:4; says "FIRST:LAST"
expect 2 layout "$http" --size 10; says "WIDTHxHEIGHT"
expect 2 layout "$http" --padding -1; says "--padding"
expect 2 city "$http" --step 27 --tsv; says "steps 0 to 26"
expect 2 city "$http" --opacity 1.5; says "0 to 1"
expect 2 render "$http"; says "-o FILE.png"
expect 2 video "$http"; says "-o FILE.mp4"
expect 2 video "$http" -o "$work/x.mp4" --size 33x32; says "even"

# ---- bad input
expect 1 nonsense; says "no such file, folder or command"
expect 1 rende "$http"; says "rende: no such file, folder or command; did you mean render?"
expect 1 tpo "$http"; says "did you mean top?"
expect 0 render --help; cp "$work/out" "$work/help"
expect 0 help render; cmp -s "$work/help" "$work/out" || fail "help render is not render --help"
expect 2 help rende; says "there is no command rende"
# What has no effect is not listed.
expect 0 help render; prints "--no-legend"; prints "--labels"
for unlisted in "view --legend" "view --no-legend" "report --no-legend" "report --labels"; do
  expect 0 help "${unlisted% *}"
  grep -q -- "^  ${unlisted#* } " "$work/out" && fail "$unlisted is listed"
done
expect 3 info "$work"; says "$work"
expect 1 info "$work/nothing.json"; says "nothing.json"
printf '{"time":1,"root":{"key":"H","name":"H","role":"","bytes":1}}' >"$work/bad.json"
expect 3 info "$work/bad.json"; says "bad.json:"; says "objects"
[ -s "$work/out" ] && fail "bad input printed data"
printf 'no trace\xff' >"$work/text"
head -c 3000 "$memcity" >"$work/program"
for file in text program; do
  expect 3 info "$work/$file"; says "$file:0: expected a heap dump (.hprof), a class histogram, steps as JSON or an .mct file"
done
# output that nobody gets is a failure
for arguments in --help --version "info --help" "info $http"; do
  # shellcheck disable=SC2086
  "$memcity" $arguments >/dev/full 2>"$work/err"
  [ $? -eq 1 ] || fail "a full disk: memcity $arguments"
  says "can't write the output"
done

# ---- a folder of class histograms, with what else lies there
mkdir "$work/histograms"
echo "what was done" >"$work/histograms/notes.txt"
expect 3 info "$work/histograms"; says "class histograms as *.txt"
for i in 1 2; do
  printf ' num     #instances         #bytes  class name (module)\n%s\n   1:  %d0  %d00  [B (java.base@17)\nTotal  %d0  %d00\n' \
    "-------------------------------------------------------" $i $i $i $i >"$work/histograms/h$i.txt"
done
expect 0 top "$work/histograms" --times 0,10s --n 1; prints "byte[]"; prints "steps 0 to 1"
expect 0 walk "$work/histograms" --times 0,10s --json; prints '"verdict":"symptom"'; prints '"end":"no-map"'

# ---- info
expect 0 info "$http" --json; quiet
python3 - "$work/out" "$http/summary.txt" <<'PY' || failures=$((failures + 1))
import json, re, sys
info = json.load(open(sys.argv[1]))
assert info["classifiers"] == ["Package", "Type"] and info["references"] is True
assert info["nodes"] == 522 and info["leaves"] == 467 and info["depth"] == 2
rows = []
for line in open(sys.argv[2]):
    m = re.match(r"\s*(\d+)\s+(\d+)\s+(\d+)\s+(\d+)\s+(\d+)\s+(\d+)\s+(\d+)\s+(\d+)\s+(\d+)\s+(\d+)\s+[A-Z]", line)
    if m: rows.append([int(x) for x in m.groups()])
assert len(rows) == len(info["steps"]) == 27
for row, step in zip(rows, info["steps"]):
    assert (step["time"], step["objects"], step["bytes"], step["leaves"], step["pairs"]) == \
        (row[1], row[2], row[3], row[4], row[9]), (row, step)
    assert step["nodes"] == row[4] + row[5] + 1
PY
expect 0 info "$http"; prints "Package → Type"
expect 0 info "$traces/perfetto" --json
python3 -c '
import json, sys
info = json.load(open(sys.argv[1]))
assert info["nodes"] == 27759 and info["leaves"] == 19704 and info["depth"] == 11, info
assert info["references"] is False and len(info["steps"]) == 40
assert info["steps"][-1]["time"] == 281050088000' "$work/out" || fail "info of perfetto"

# ---- top: the leak shows in the window that ends before the shutdown
expect 0 top "$http" --metric objects --window 0:25 -n 6 --json; quiet
python3 - "$work/out" <<'PY' || failures=$((failures + 1))
import json, sys
top = json.load(open(sys.argv[1]))
last = {t["key"].split("#", 2)[-1].split("$")[-1] if "Pool" in t["key"] else t["key"].split("#", 2)[-1]: t for t in top}
assert top[0]["key"] == "Heap#java.util#LinkedList", top[0]
assert top[0]["path"] == "Heap → Package: java.util → Type: LinkedList"
assert top[0] == {**top[0], "first": 1, "last": 160003, "max": 160003, "growth": 160002}
want = {"HostConnectionPool": 80000, "HostConfiguration": 80001, "HttpHost": 80000, "HostParams": 80001}
for name, value in want.items():
    assert last[name]["last"] == value, (name, last)
PY
expect 0 top "$http" --metric objects -n 3; prints "growth"; says "--window 0:25"; prints "objects, steps 0 to 26"
expect 0 top "$http" --metric objects -n 3 --window 0:25; quiet
expect 0 top "$http" --metric objects -n 3
[ "$(wc -l <"$work/out")" -eq 4 ] || fail "top -n 3 prints $(wc -l <"$work/out") lines"
expect 0 top "$http" -n 100000 --json
python3 -c 'import json,sys; assert len(json.load(open(sys.argv[1]))) == 467' "$work/out" || fail "top of all"

# ---- layout and city
expect 0 layout "$http" --metric objects --size 600x400 --padding 2 --tsv; quiet
[ "$(wc -l <"$work/out")" -eq 522 ] || fail "layout prints $(wc -l <"$work/out") nodes"
grep -qP '^Heap\t0\t0\t600\t400$' "$work/out" || fail "the root's plot"
cp "$work/out" "$work/layout.tsv"
expect 0 city "$http" --metric objects --size 600x400 --padding 2 --step 25 --tsv; quiet
python3 - "$work/layout.tsv" "$work/out" "$http" <<'PY' || failures=$((failures + 1))
# Every building of the step against the formulas, from the layout and the trace's own files.
import json, math, sys, glob
plots = {}
for line in open(sys.argv[1], encoding="utf8"):
    f = line.rstrip("\n").split("\t"); plots[f[0]] = [float(x) for x in f[1:]]
steps = sorted((json.load(open(f)) for f in glob.glob(sys.argv[3] + "/default-format/*.json")), key=lambda s: s["time"])
values = []
for step in steps:
    v, stack = {}, [step["root"]]
    while stack:
        n = stack.pop()
        if n.get("children"): stack += n["children"]
        else: v[n["key"]] = n["objects"]
    values.append(v)
peak = {}
for v in values:
    for k, x in v.items(): peak[k] = max(peak.get(k, 0), x)
seen = set()
for line in open(sys.argv[2], encoding="utf8"):
    f = line.rstrip("\n").split("\t"); key = f[0]; seen.add(key)
    x0, z0, x1, z1, height, r, g, b, opacity = map(float, f[1:])
    p = plots[key]; share = values[25][key] / peak[key]
    area = (p[2] - p[0]) * (p[3] - p[1]) * share
    side = max(p[2] - p[0], p[3] - p[1], 1e-3)
    # plots are kept in single precision
    assert abs(height - 2 * math.sqrt(area)) < 1e-3 + 1e-3 * height, (key, height, area)
    assert abs((x0 + x1) - (p[0] + p[2])) < 1e-3 and abs((z1 - z0) - (p[3] - p[1]) * math.sqrt(share)) < 1e-3
    assert 0 <= r <= 1 and opacity in (1.0, 0.4) or abs(opacity - 0.4) < 1e-6
want = {k for k, x in values[25].items() if x > 0}
assert seen == want, (len(seen), len(want), list(want - seen)[:3])
PY

# ---- a file without a name
for command in render video report import export record; do
  expect 2 $command "$http" -o ''; says '-o: expected a name, not ""'
done
expect 2 gate "$http" --rule '**: any' --junit ''; says "--junit: expected a name"

# ---- no half-written file, whatever happens
expect 1 render "$http" --size 64x64 -o "$work/no/such/folder.png"; says "folder.png"
mkdir "$work/only"
expect 0 render "$http" --size 64x64 --step 3 --window 0:26 -o "$work/only/a.png"; quiet
[ "$(ls "$work/only")" = a.png ] || fail "render leaves $(ls "$work/only")"
file=$(head -c 8 "$work/only/a.png" | od -An -tx1 | tr -d ' ')
[ "$file" = 89504e470d0a1a0a ] || fail "not a PNG"
expect 2 render "$http" --select "Heap#nothing" -o "$work/only/b.png"; says "Heap#nothing"
expect 2 render "$http" --camera sideways -o "$work/only/b.png"; says "--camera"
expect 0 render "$http" --size 64x64 --select "Heap#java.util#LinkedList" --camera bird --dark -o "$work/only/b.png"
says "most of the heap was freed after step 25"; says "--window 0:26 is about all"
cmp -s "$work/only/a.png" "$work/only/b.png" && fail "two pictures are the same"
expect 0 video "$http" --size 64x36 --window 3:5 --step-duration 0.1 -o "$work/only/c.mp4"
[ -s "$work/only/c.mp4" ] || fail "no video"
# started by what ignores the ends of its own children
python3 -c 'import os, signal, sys; signal.signal(signal.SIGCHLD, signal.SIG_IGN); os.execv(sys.argv[1], sys.argv[1:])' \
  "$memcity" video "$http" --size 64x36 --window 3:4 --step-duration 0.1 -o "$work/only/c.mp4" || fail "a video without SIGCHLD"
expect 1 video "$http" --size 64x36 --window 3:4 --step-duration 0.1 -o /dev/full; says "/dev/full: can't write: No space left on device"
[ "$(wc -l <"$work/err")" -eq 1 ] || fail "ffmpeg speaks, too: $(cat "$work/err")"
PATH=/nonexistent expect 1 video "$http" --size 64x36 -o "$work/only/d.mp4"; says "apt install ffmpeg"
[ "$(ls "$work/only" | tr '\n' ' ')" = "a.png b.png c.mp4 " ] || fail "left behind: $(ls "$work/only")"
# what is there already: a link stays one, permissions stay, a pipe is written to, a folder is refused
mkdir "$work/real" && touch "$work/real/t.png" && chmod 600 "$work/real/t.png" && ln -s real/t.png "$work/l.png"
expect 0 render "$http" --size 64x64 -o "$work/l.png"
[ -L "$work/l.png" ] && [ -s "$work/real/t.png" ] || fail "a link is not followed"
[ "$(stat -c %a "$work/real/t.png")" = 600 ] || fail "permissions are lost"
# PIPE COMMAND…: while somebody reads from it, into $work/head; who opens it may be late, so it is open before
with_reader() {
  exec 4<>"$1" 5<"$1"
  cat <&5 4<&- >"$work/head" &
  exec 5<&-
  "${@:2}"
  exec 4<&-
  wait $!
}
mkfifo "$work/p.png"
with_reader "$work/p.png" expect 0 render "$http" --size 64x64 -o "$work/p.png"
[ -p "$work/p.png" ] && cmp -s "$work/head" "$work/real/t.png" || fail "a pipe is not written to"
expect 1 info "$work/p.png"; says "not a regular file"
run 1 timeout 60 "$memcity" render "$http" --size 64x64 -o "$work/p.png"; says "nobody reads from this pipe"
mkfifo "$work/p.mp4"
with_reader "$work/p.mp4" run 1 timeout 60 "$memcity" video "$http" --size 64x64 -o "$work/p.mp4"
says "can't be written to a pipe"
# what the shell has opened is gone on with
echo head >"$work/appended"
"$memcity" render "$http" --size 64x64 -o /dev/stdout >>"$work/appended" || fail "no picture on stdout"
cmp -s <(echo head; cat "$work/real/t.png") "$work/appended" || fail "stdout is not gone on with"
expect 1 render "$http" --size 64x64 -o "$work/real"; says "is a folder"
expect 2 render "$http" -o "$work/x.jpg"; says ".png"
expect 0 city "$traces/javac-daemon" --child-limit 3; says "leaves out"
# interrupted or hung up half way, but for who was told not to care; killed, what is left goes the next time
begin_video() { # STEPS PROGRAM…: until it is at work
  "${@:2}" video "$http" --size 640x360 --window "$1" -o "$work/only/e.mp4" >"$work/out" 2>"$work/err" &
  eventually test -s "$work/only/e.mp4.memcity.part" || fail "no video is being written: $(ls "$work/only")"
}
for signal in INT HUP; do
  # what a script starts in the background ignores interrupts, and what nohup starts hang-ups, unless somebody asks for them
  begin_video 0:25 env --default-signal=INT,HUP "$memcity"
  kill -$signal $! || fail "the video was over too soon"
  wait $!
  code=$?
  [ $code -eq 1 ] || fail "a video ends with $code after $signal"
  says interrupted
  [ "$(ls "$work/only" | tr '\n' ' ')" = "a.png b.png c.mp4 " ] || fail "left behind: $(ls "$work/only")"
done
begin_video 3:4 nohup "$memcity"
kill -HUP $!; wait $! || fail "a video ends with what nohup keeps away: $(cat "$work/err")"
rm "$work/only/e.mp4"
begin_video 0:25 "$memcity"
kill -KILL $!; wait $! 2>/dev/null
expect 0 video "$http" --size 64x36 --window 3:4 --step-duration 0.1 -o "$work/only/e.mp4"
[ "$(ls "$work/only" | tr '\n' ' ')" = "a.png b.png c.mp4 e.mp4 " ] || fail "left behind: $(ls "$work/only")"
# a full disk
if [ -w /dev/full ]; then
  "$memcity" layout "$http" --tsv >/dev/full 2>"$work/err" && fail "a full disk is not noticed"
  says "can't write"
fi

# ---- the keys and commands that the documentation lists are those of the help
"$memcity" view --help | sed -n '/^Keys/,$s/^  \([^ ]\+\( [^ ]\+\)*\)   *\([^ ].*\)$/| \1 | \3 |/p' | sort >"$work/keys"
grep '^| [^*`-]\|^| - ' "$2/../../docs/reference/window.md" | grep -v '^| key |\|^| command |' | sort >"$work/listed"
[ -s "$work/keys" ] || fail "no keys in the help"
cmp -s "$work/keys" "$work/listed" || fail "docs/reference/window.md: $(diff "$work/keys" "$work/listed" | head -3)"
"$memcity" view --help | sed -n '/^Commands/,/^Keys/s/^  \([a-z][^ ]*\( [^ ]\+\)*\)   *\([^ ].*\)$/| `\1` | \3 |/p' | sort >"$work/commands"
grep '^| `' "$2/../../docs/reference/window.md" | sort >"$work/listed"
[ -s "$work/commands" ] || fail "no commands in the help"
cmp -s "$work/commands" "$work/listed" || fail "docs/reference/window.md: $(diff "$work/commands" "$work/listed" | head -3)"

# ---- no GPU, no display: one sentence
VK_DRIVER_FILES=/nonexistent VK_ICD_FILENAMES=/nonexistent expect 1 render "$http" -o "$work/f.png"
says "apt install mesa-vulkan-drivers"
DISPLAY= WAYLAND_DISPLAY= expect 1 "$http"
for other in why report record render; do says "'memcity $other"; done
[ "$(wc -l <"$work/err")" -le 2 ] || fail "no display: $(cat "$work/err")"

finish

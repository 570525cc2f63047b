#!/usr/bin/env bash
# What memcity doctor says of this machine, and of one on which nothing is installed.
. "$(dirname "$0")/../command.sh"
memcity=$(realpath "$memcity")
cd "$work" || exit 1
# has AREA SUBJECT STATE: a row of out, which is tab-separated
has() { awk -F '\t' -v a="$1" -v b="$2" -v c="$3" '$1 == a && index($2, b) && $3 == c { found = 1 } END { exit !found }' out || fail "no row $*: $(cat out)"; }

expect 0 doctor --tsv; quiet
has room memory "$(awk '/MemAvailable/ { print ($2 >= 4 * 1024 * 1024 ? "ok" : "limited") }' /proc/meminfo)"
[ "$(grep -c '^drawing' out)" -ge 2 ] || fail "nothing of drawing"
awk -F '\t' 'NR > 1 && ($3 == "missing") && $5 == "" { exit 1 }' out || fail "something is missing, and no hint says what to do"
cp out told.tsv
expect 0 doctor --json; quiet
python3 - <<'PYTHON' || fail "JSON says something else"
import csv, json, sys
rows = json.load(open("out"))
told = list(csv.reader(open("told.tsv"), delimiter="\t", quoting=csv.QUOTE_NONE))[1:]
changing = ("room", "running programs")
pick = lambda rows: [row[:3] for row in rows if row[0] not in changing and row[1] not in changing]
sys.exit(pick([list(row.values()) for row in rows]) != pick(told))
PYTHON
expect 0 doctor; prints "memcity "
grep -qE '^[0-9]+ ok, [0-9]+ limited, [0-9]+ missing$' out || fail "no sum"

# a machine without anything: no driver, no programs, no display
mkdir nothing
run 0 env -i PATH="$work/nothing" HOME="$work" TMPDIR="$work" VK_DRIVER_FILES=/none VK_ICD_FILENAMES=/none "$memcity" doctor --tsv
quiet
has drawing Vulkan missing; has drawing display limited; has drawing ffmpeg missing
grep -q "^drawing	display.*page and report --no-pictures need neither display nor Vulkan" out || fail "what can draw without Vulkan: $(grep display out)"
for program in ssh docker podman kubectl; do has "far heaps" $program missing; done
if [ -x /usr/bin/apt ]; then grep -q "	apt install heaptrack$" out; else grep -q "	install it; on Debian: apt install heaptrack$" out; fi || fail "no advice: $(grep heaptrack out)"
for program in heaptrack valgrind go node python3 ruby; do has recorders $program missing; done
# programs are found by what may be run, not by their names alone
touch nothing/heaptrack
printf '#!/bin/sh\n' >nothing/ruby
chmod +x nothing/ruby
run 0 env -i PATH="/none::$work/nothing" HOME="$work" VK_DRIVER_FILES=/none VK_ICD_FILENAMES=/none DISPLAY=:7 "$memcity" doctor --tsv
has recorders heaptrack missing; has recorders ruby ok; has drawing display ok
expect 2 doctor something
finish

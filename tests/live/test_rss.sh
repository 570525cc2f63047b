#!/usr/bin/env bash
# What a process has in memory: a program with known mappings, beside what the system says of it.
. "$(dirname "$0")/../command.sh"
here=$(cd "$(dirname "$0")" && pwd)
cc -O1 -pthread -o "$work/program" "$here/rss_program.c" || { echo "no compiler" >&2; exit 1; }
head -c 3145728 /dev/urandom >"$work/mapped file.bin"
ulimit -S -s 8192 # how large threads' stacks are
mkfifo "$work/in" "$work/from"
env -u LD_PRELOAD GLIBC_TUNABLES=glibc.malloc.arena_max=8 "$work/program" "$work/mapped file.bin" <"$work/in" >"$work/from" &
target=$!
trap 'kill -KILL $target 2>/dev/null; rm -rf "$work"' EXIT
exec 4>"$work/in" 5<"$work/from"
read -r end <&5 || fail "the program says nothing"

# ---- one step: all adds up to what the system says, to the kilobyte
kill -STOP $target
expect 0 rss $target --json
quiet
cp "$work/out" "$work/rss.json"
cp /proc/$target/smaps "$work/one.smaps"
rollup=$(awk '/^Rss:/ { print $2 }' /proc/$target/smaps_rollup)
python3 - "$work/rss.json" "$rollup" "$end" "$target" <<'PYTHON' || fail "the table is wrong"
import json, sys
rows, rss, end = json.load(open(sys.argv[1])), int(sys.argv[2]) * 1024, sys.argv[3]
def check(what, is_so):
    if not is_so: sys.exit(f"{what}: {json.dumps(rows)[:3000]}")
check("the whole", rows[0]["kind"] is None and rows[0]["bytes"] == rss)
kinds = {row["kind"]: row for row in rows if row["kind"] and not row["mapping"]}
check("kinds", sum(row["bytes"] for row in kinds.values()) == rss)
for kind in kinds:
    parts = [row for row in rows if row["kind"] == kind and row["mapping"]]
    for column in "bytes", "pss_bytes", "swap_bytes", "dirty_bytes", "estimated_bytes":
        check(f"{kind}, {column}", sum(row[column] for row in parts) == kinds[kind][column])
def get(kind, end):
    return sum(r["bytes"] for r in rows if r["kind"] == kind and r["mapping"] and r["mapping"].endswith(end))
check("the file", get("mapped files", "mapped file.bin") == 3 << 20)
check("shared", get("shared memory", "/dev/zero (deleted)") == 1 << 20)
check("the program", get("programs and libraries", "/program") > 0)
arenas = [r for r in rows if r["kind"] == "malloc" and r["mapping"] and r["mapping"] == "memory of arenas"]
check("arenas", len(arenas) == 1 and 9 << 20 <= arenas[0]["bytes"] < 12 << 20)
stacks = [r for r in rows if r["kind"] == "thread stacks" and r["mapping"]]
check("stacks", [r["mapping"] for r in sorted(stacks, key=lambda r: r["bytes"])] == ["main thread", "stacks of threads"] and
      600 << 10 <= max(r["bytes"] for r in stacks) < 900 << 10)
check("stacks are an estimate", kinds["thread stacks"]["estimated_bytes"] > 600 << 10)
found = [r for r in rows if r["kind"] == "unexplained" and r["mapping"] and r["mapping"].endswith(" to " + end)]
check("what nothing explains", len(found) == 1 and found[0]["bytes"] == 5 << 20 and found[0]["estimated_bytes"] == 0)
# Large blocks are told by what stands in them, if that may be read: of 1 MiB each, and a page.
try:
    open(f"/proc/{sys.argv[4]}/mem", "rb").close()
    check("large blocks", get("malloc", "memory of large blocks") == 3 * (1 << 20) + 3 * 4096)
except PermissionError:
    pass
PYTHON
# A copy of the map says the same, but for large blocks of malloc, which it does not know.
expect 0 rss "$work/one.smaps" --json
[ "$(head -1 "$work/out" | grep -o '"bytes":[0-9]*' | head -1)" = "\"bytes\":$((rollup * 1024))" ] || fail "a copy has another sum"
python3 - "$work/rss.json" "$work/out" <<'PYTHON' || fail "a copy of the map differs"
import json, sys
def read(name):
    rows = [row for row in json.load(open(name)) if row["kind"] not in ("malloc", "unexplained", "thread stacks")]
    return [(row["kind"], row["mapping"], row["bytes"], row["swap_bytes"]) for row in rows]
sys.exit(read(sys.argv[1]) != read(sys.argv[2]))
PYTHON
expect 0 rss "$work/one.smaps" --tsv
[ "$(cut -f 3 "$work/out" | sed -n 2p)" = $((rollup * 1024)) ] || fail "TSV: $(head -2 "$work/out")"
expect 0 rss $target -n 1
prints 'unexplained'
expect 0 info "$work/one.smaps"
prints 'estimated: resident bytes whose owner or share is estimated'
kill -CONT $target

# ---- over time: what grows is named, in words of memory
for step in 1 2 3 4 5 6; do
  echo >&4
  read -r _ <&5
  expect 0 rss $target -o "$work/rss.mct" --quiet
done
expect 0 info "$work/rss.mct"
prints 'steps        6'
expect 0 why "$work/rss.mct"
prints 'RSS grows by'
prints 'anonymous to'
grep -qi 'objects\|heap is full\|GC root' "$work/out" && fail "words of a heap: $(cat "$work/out")"
expect 0 top "$work/rss.mct" --json
prints 'unexplained'
expect 0 rss $target --every 20ms --steps 3 -o "$work/more.mct"
says '3 steps recorded'
prints 'growth kB'
# One file has the steps of one program.
sleep 600 &
sleeper=$!
expect 1 rss $sleeper -o "$work/more.mct"
says "has steps of another program, program (PID $target), not of sleep"
expect 0 rss $sleeper --append -o "$work/more.mct"
says "are of another process, program (PID $target)"
expect 0 info "$work/more.mct" --json
prints "process $sleeper begins"
kill $sleeper
# The processor time of a step is small, whatever the machine does beside it.
sanitized || python3 - "$memcity" $target <<'PYTHON' || fail "a step takes too long"
import resource, subprocess, sys
subprocess.run([sys.argv[1], "rss", sys.argv[2], "--every", "1ms", "--steps", "20", "--quiet"], stdout=subprocess.DEVNULL, check=True)
used = resource.getrusage(resource.RUSAGE_CHILDREN)
sys.exit(used.ru_utime / 20 > 0.03)
PYTHON

# ---- a JVM's heap that does not grow, and an arena that does
python3 - "$(dirname "$0")/../data/smaps" "$work" <<'PYTHON'
import re, sys
data, work = sys.argv[1:]
smaps, nmt = open(f"{data}/jdk17.smaps").read(), open(f"{data}/jdk17.nmt.txt").read()
for step in range(8):
    end, kilobytes = f"{0x7faa14000000 + (step + 1 << 20):x}", (step + 1) * 1024
    text, count = re.subn(r"(7faa14000000-)\w+( .*\nSize: +)\d+( kB\nRss: +)\d+",
                          rf"\g<1>{end}\g<2>{kilobytes}\g<3>{kilobytes}", smaps.replace("7faa140aa000-", f"{end}-"))
    assert count == 1
    open(f"{work}/{step}.jvm.smaps", "w").write(text + nmt)
PYTHON
expect 0 why "$work"/[0-7].jvm.smaps --times 0,1h,2h,3h,4h,5h,6h,7h
prints 'RSS grows by 1.00 MiB/h, the Java heap does not: memory of arenas (malloc) keeps growing: '

# ---- what keeps growing is little of what grows: the sentence does not explain the one by the other
python3 - "$work" <<'PYTHON'
import sys
for step in range(8):
    parts = [(f"7f00{number:02x}100000-7f00{number:02x}900000", 8192) for number in range(step + 1)]
    text = "".join(f"{range_} rw-p 00000000 00:00 0 \nSize: {size} kB\nRss: {size} kB\n" for range_, size in parts)
    heap = f"555500000000-5555{(step + 1) * 0x10000:08x} rw-p 00000000 00:00 0 [heap]\nSize: {(step + 1) * 64} kB\nRss: {(step + 1) * 64} kB\n"
    open(f"{sys.argv[1]}/{step}.part.smaps", "w").write(heap + text)
PYTHON
expect 0 why "$work"/[0-7].part.smaps --times 0,1h,2h,3h,4h,5h,6h,7h
prints 'RSS grows by 8.06 MiB/h, of which this is a small part: memory of arenas (malloc) keeps growing: +64.0 KiB/h'

# ---- what is wrong
kill -KILL $target
wait $target 2>/dev/null
expect 1 rss $target
says "there is no process $target"
expect 2 rss "$work/one.smaps" -o "$work/x.mct"
expect 2 rss 1 --json --tsv
expect 3 rss "$http"
says 'no memory map of a process'
head -c 5000 "$work/one.smaps" | sed '$d' | sed '$d' >"$work/cut.smaps"
printf '7f00-\n' >>"$work/cut.smaps"
printf '%s' 'ffffffffff000000-ffffffffff001000 rw-p 00000000 00:00 0 ' >>"$work/cut.smaps"
expect 3 rss "$work/cut.smaps"
says 'cut.smaps:'
says 'expected a line "Rss: N kB"'
expect 0 rss "$work/cut.smaps" --partial
printf 'Native Memory Tracking:\n' >"$work/nmt.txt"
expect 3 rss "$work/nmt.txt"
says 'expected a file of mappings'

# ---- a report of it has no objects to tell of
expect 0 report "$work/one.smaps" --no-pictures -o "$work/report.html"
grep -q 'MiB' "$work/report.html" && ! grep -Eq '\b0 objects|<span>objects|>objects<' "$work/report.html" || fail "a report of memory tells of objects"
# Tables of classes and loaders behind a map make it no histogram.
expect 0 rss "$here/../data/smaps/contents.smaps"
prints ' com.shop.Order'
prints ' classes of "app" (a.B$C)'

finish

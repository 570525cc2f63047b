#!/usr/bin/env bash
# What a JVM has in memory, by its own words laid over the mappings: all adds up, and little is unexplained.
. "$(dirname "$0")/../command.sh"
. "$(dirname "$0")/../jvm.sh"

# check LEAST: the sums, and that a kind has at least so many KiB
check() {
  python3 - "$work/out" "$@" <<'PYTHON' || fail "the table is wrong"
import json, sys
rows = json.load(open(sys.argv[1]))
kinds = {row["kind"]: row["bytes"] for row in rows if row["kind"] and not row["mapping"]}
all = rows[0]["bytes"]
def check(what, is_so):
    if not is_so: sys.exit(f"{what}: {kinds}")
check("sums", sum(kinds.values()) == all)
check("mappings", sum(row["bytes"] for row in rows if row["mapping"]) == all)
for wanted in sys.argv[2:]:
    kind, kib = wanted.split("=")
    check(wanted, kinds.get(kind, 0) >= int(kib) << 10)
if len(sys.argv) > 3:
    check("unexplained", kinds.get("unexplained", 0) < 0.15 * all)
else:
    check("no Java heap", "Java heap" not in kinds)
PYTHON
}

for home in $(jdks); do
  start "$home/bin/java" -XX:NativeMemoryTracking=detail
  expect 0 rss "$target" --json
  check 'Java heap=4000' 'metaspace=100' 'code cache=100' 'thread stacks=100' 'garbage collector=1' 'programs and libraries=4000' \
    'malloc=500'
  expect 0 rss "$target"
  says 'the JVM itself has got from malloc, resident or not: '
  # What the JVM counts is laid into the heap and into metaspace; the sums stay.
  expect 0 rss "$target" --classes --json
  check 'Java heap=4000' 'metaspace=100'
  grep -q '"mapping": *"byte\[\]"' "$work/out" || fail "no class in the heap"
  grep -q '"mapping": *"classes of the boot loader"' "$work/out" || fail "no loader in metaspace"
  # The same from files, in the order of the steps.
  for step in 1 2; do
    cp "/proc/$target/smaps" "$work/smaps.$step"
    "$home/bin/jcmd" "$target" VM.native_memory detail >"$work/nmt.$step"
  done
  expect 0 rss "$work/smaps.1" "$work/nmt.1" "$work/smaps.2" "$work/nmt.2" --times 0,1m --json
  check 'Java heap=4000' 'metaspace=100'
  "$home/bin/jcmd" "$target" GC.class_histogram -all >"$work/histogram"
  expect 0 rss "$work/smaps.1" "$work/nmt.1" "$work/histogram" "$work/smaps.2" --times 0,1m --json
  expect 0 info "$work/smaps.1" "$work/nmt.1" "$work/histogram"
  grep -q '^steps  *1$' "$work/out" || fail "a histogram is a step of its own"
  expect 0 rss "$work/smaps.1" "$work/nmt.1" "$work/histogram" --json
  check 'Java heap=4000' 'metaspace=100'
  grep -q '"mapping": *"byte\[\]"' "$work/out" || fail "no class in the heap, from files"
  expect 0 rss "$target" --every 10ms --steps 3 -o "$work/java.mct"
  expect 0 rss "$work/java.mct" --json
  check 'Java heap=4000' 'code cache=100'
  rm -f "$work/java.mct"
  expect 0 rss "$target" --no-jvm --json
  check
  quiet
  stop
done

start java # it does not track its memory
expect 0 rss "$target" --json
says 'java -XX:NativeMemoryTracking=detail'
check
expect 0 rss "$target" --jcmd /bin/false --json
says 'warning'
check
finish

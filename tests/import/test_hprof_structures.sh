#!/usr/bin/env bash
# Data structures as a criterion: a leak that is one district, with two or three types in it, in each dump of a series.
. "$(dirname "$0")/../command.sh"
. "$(dirname "$0")/../jvm.sh"
memcity=$(realpath "$memcity")
cd "$work" || exit 1

cache='Heap#ConcurrentHashMap in Journeys$JourneyService.locationCache'
for home in $(jdks); do
  rm -rf dumps
  "$home/bin/java" -XX:+UseSerialGC -Xmx128m -cp "$classes" com.acme.travel.Journeys dumps >log || fail "$home: $(cat log)"

  # whoever looks into the map while the heap is dumped: it is called the same, and is whole
  step=0
  for dump in dumps/*; do
    step=$((step + 1))
    expect 0 find "$dump" . --regex --json -n 100000 --group-by datastructure,type
    quiet
    python3 - "$work/out" "$cache" $step <<'PY' || fail "$dump"
import json, sys
found, cache, step = {n["key"]: n["objects"] for n in json.load(open(sys.argv[1]))["nodes"]}, sys.argv[2], int(sys.argv[3])
# an iterator and a local variable may hold what came last
def has(name, count, least):
    there = found.get(f"{cache}#{name}", 0)
    assert least <= there <= count, (name, there, count)
for name, each in (("com.acme.travel.Journeys$Location", 20), ("java.util.Date", 20), ("java.util.ArrayList", 1),
                   ("java.util.concurrent.ConcurrentHashMap$Node", 1)):
    has(name, 60 * step * each, (60 * step - 2) * each)
assert sum(count for key, count in found.items() if key.count("#") == 2) == found["Heap"], "sums"
# a synchronized map is one structure, and its values have some of their own
assert found["Heap#Date[] in Journeys$Booking.days"] == found["Heap#HashMap in Journeys$Booking.details#java.util.HashMap"] * 3
assert found["Heap#Collections$SynchronizedMap in Journeys.byNumber#com.acme.travel.Journeys$Booking"] == 500
assert not any("looking" in key or "<" in key for key in found)
PY
  done
  expect 0 import dumps --group-by datastructure,type --retained -o series.mct
  expect 0 top series.mct -n 2 --json
  python3 - "$work/out" "$cache" <<'PY' || fail "$home: the leak is not what grows"
import json, sys
names = [leaf["key"].replace(sys.argv[2] + "#", "") for leaf in json.load(open(sys.argv[1]))]
assert sorted(names) == ["com.acme.travel.Journeys$Location", "java.util.Date"], names
PY
  expect 0 find series.mct "$cache" --metric retained --json; prints '"retained"'
  expect 0 refs series.mct --of "$cache#java.util.Date"; prints 'Journeys$Location'
done

# ---- what users name: a class of theirs and all that it holds is one, and what is in it is no other one's
expect 0 find "$dump" . --regex --json -n 100000 --group-by datastructure,type --collections 'x.Y,com.acme.*Service'
grep -qF 'Heap#Journeys$JourneyService in Journeys.service#com.acme.travel.Journeys$Location' "$work/out" || fail "--collections"
grep -qF "$cache" "$work/out" && fail "--collections: the map is a part"

# ---- alone, in any order, and without references
expect 0 find "$dump" . --regex --json -n 100000 --group-by type,datastructure
prints '"Heap#com.acme.travel.Journeys$Location#ConcurrentHashMap in Journeys$JourneyService.locationCache"'
expect 0 find "$dump" . --regex --json -n 100000 --group-by datastructure --no-references
prints '"Heap#ConcurrentHashMap in Journeys$JourneyService.locationCache"'
expect 0 whatif "$dump" --group-by datastructure,type --demolish "$cache" --json
prints "\"$cache#java.util.Date\""
# ---- a dump that is cut off: what is there, it adds up, and it says that it is not all
head -c $(($(stat -c %s "$dump") - 300000)) "$dump" >cut.hprof
expect 3 find cut.hprof . --regex --json -n 100000 --group-by datastructure,type --deep
says "cut.hprof: incomplete"
python3 - "$work/out" <<'PY' || fail "a dump that is cut off"
import json, sys
found = {n["key"]: n["objects"] for n in json.load(open(sys.argv[1]))["nodes"]}
assert sum(count for key, count in found.items() if key.count("#") == 2) == found["Heap"] > 0
PY
expect 0 find cut.hprof . --regex --json --group-by datastructure,type --deep --partial

expect 2 find "$dump" . --group-by datastructures
says "did you mean datastructure?"
finish

#!/usr/bin/env bash
# Recordings of JFR as a script writes them: whether the heap grows, who holds old objects, what is cut off or of another version.
. "$(dirname "$0")/../command.sh"
maker=$(realpath "$(dirname "$0")/../jfr_maker.py")
make() { python3 "$maker" "$@" || fail "jfr_maker.py $*"; }
cd "$work" || exit 1

# Whether the heap grows is a matter of what is left after collections; old objects only say who holds most of them.
teeth() { seq -s, "$1" "$2" "$3" | sed 's/\([0-9]*\)/\1,60/g'; } # FROM STEP TO: troughs, and the same peak behind each
make grows.jfr --chunks 1 --old 30 --heap "$(teeth 10 1 38)"
expect 0 why grows.jfr
prints "The heap after collections keeps growing: +"
grep -q ', +3[0-4]\.[0-9] MiB so far' "$work/out" || fail "it grew from 5 to 38 MiB, peaks aside: $(head -1 "$work/out")"
prints "; 32 of 33 sampled old objects are held by static com.acme.Shop.SESSIONS."
prints "static com.acme.Shop.SESSIONS → HashMap.table → HashMap\$Node[] elements → com.acme.Session"
expect 0 why grows.jfr --json
prints '"verdict":"grows"'
prints '"root":"static com.acme.Shop.SESSIONS"'
make healthy.jfr --chunks 1 --old 30 --heap "$(teeth 20 1 22),$(teeth 20 1 22),$(teeth 20 1 22),$(teeth 20 1 22),$(teeth 20 1 22)"
expect 0 why healthy.jfr
prints "Nothing keeps growing: the heap after collections is between"
prints "(what holds old objects need not grow: a cache does, too)"
make young.jfr --chunks 1 --heap "$(seq -s, 10 40)" # never a collection of the whole heap
expect 0 why young.jfr
prints "Whether the heap grows is not known: the heap after collections went from"
# A heap that stops growing as it may become no larger is full, which is not that nothing is wrong.
filled="$(seq -s, 10 5 55),$(seq -s, 60 0.01 60.3 | sed 's/\.[0-9]*//g')"
make full.jfr --chunks 1 --old 30 --heap "$filled" --limit 64
expect 0 why full.jfr
prints "The heap is full: a collection leaves 60.0 MiB of the 64.0 MiB that it may become, +55.2 MiB so far; 32 of 33 sampled old objects are held by static com.acme.Shop.SESSIONS."
cp out direct
expect 0 import full.jfr -o full.mct
expect 0 why full.mct
cmp -s direct out || fail "the .mct says something else: $(head -1 out)"
make room.jfr --chunks 1 --old 30 --heap "$filled" --limit 100
expect 0 why room.jfr
prints "Whether the heap keeps growing is not known after 10 s: after collections it grew by 55.2 MiB, and rests at the end; 32 of 33 sampled old objects are held by static com.acme.Shop.SESSIONS, which need not grow. Record for some minutes"
expect 0 info room.jfr
! grep -q ' 0 B\|objects  ' out || fail "a recording counts neither objects nor bytes: $(grep -m1 ' 0 B\|objects  ' out)"
make some.jfr --chunks 1 --old 5 --heap "$(seq -s, 10 40)"
expect 0 why some.jfr
prints "A longer recording tells; sooner, memcity record --pid PID, which collects at each step."
prints "(8 are sampled; the most, 7, by static com.acme.Shop.SESSIONS)"
make few.jfr
expect 0 why few.jfr
prints "Whether the heap grows is not known after "
prints ": 2 steps have a collection, and 12 are needed; the first left "
prints ", or by memcity record --pid PID, which collects at each step."
# A short one says what it does know: who holds the old objects, and how long it takes.
make short.jfr --chunks 1 --old 30 --heap 10,20,30
expect 0 why short.jfr
prints ": 3 steps have a collection, and 12 are needed; the first left 4.77 MiB, the last 30.0 MiB; 32 of 33 sampled old objects are held by static com.acme.Shop.SESSIONS, which need not grow. Record for 60 s or more, or by memcity"
prints "Held by     32 of 33 sampled old objects: static com.acme.Shop.SESSIONS"
# Not of an older or newer format; cut off, said so, by a file of steps, too.
make newer.jfr --minor 2
expect 3 info newer.jfr
says "its format is version 2.2; versions 2.0 to 2.1 can be read"
make open.jfr --open
expect 3 info open.jfr
says "its JFR recording was not finished, or is cut off"
expect 0 info open.jfr --partial
gzip -k few.jfr
expect 0 import few.jfr.gz -o packed.mct
expect 0 import few.jfr -o plain.mct
for file in packed.mct plain.mct; do
  expect 0 paths $file --of Heap
  tail -n +2 "$work/out" >"$file.txt"
done
run 0 cmp packed.mct.txt plain.mct.txt

# Native allocations of async-profiler: what is alive and allocated by site, at each step, as the maker has counted it by itself, although
# events stand in no order; with a moment of as many events as there are, and a malloc each 20,000 bytes.
same() { # FILE SUMS STEPS
  expect 0 query "$1" --moments "$3" --json "SELECT m.step, n.name, m.metric, m.value FROM measures AS m JOIN nodes AS n USING (node)
    WHERE n.classifier = 'Site' AND m.metric IN ('objects', 'bytes', 'alloc_objects', 'alloc_bytes')"
  run 0 python3 - "$work/out" "$2" <<'PYTHON'
import json, sys
rows, wanted = (json.load(open(path)) for path in sys.argv[1:])
found = {(row["step"], row["name"], row["metric"]): row["value"] for row in rows}
for step, sites in enumerate(wanted["moments"]):
    for name, values in sites.items():
        for metric, value in zip(("objects", "bytes", "alloc_objects", "alloc_bytes"), values):
            assert (found.get((step, name, metric)) or 0) == value, (step, name, metric, found.get((step, name, metric)), value)
PYTHON
}
make leak.jfr --native leak --sums leak.json
same leak.jfr leak.json 60
expect 0 why leak.jfr
prints "Objects allocated at com.acme.Shop.add:42 pile up: +"
! grep -q 'pack:50\|Compile\|rocksdb' out || fail "what is freed is accused: $(cat out)"
expect 0 info leak.jfr
prints "Site → Caller → Thread"
prints " native blocks whose free is not recorded"
make steady.jfr --native healthy --chunks 3 --sums steady.json
same steady.jfr steady.json 60
expect 0 why steady.jfr
prints "Nothing keeps growing"
make other.jfr --native leak --chunks 5 --threads 3 --fixed --moments 7 --interval 20000 --sums other.json
same other.jfr other.json 7
expect 0 why other.jfr
prints "Objects allocated at com.acme.Shop.add:42 pile up: +"
# Of days: it is read in several windows of time, which begin and end within chunks.
make long.jfr --native leak --chunks 3 --seconds 100000 --moments 9 --sums long.json
same long.jfr long.json 9
gzip -k leak.jfr
expect 0 why leak.jfr.gz
prints "Objects allocated at com.acme.Shop.add:42 pile up: +"
# Without frees, what is alive is not known, and nothing is accused.
make nofree.jfr --native leak --nofree
expect 0 why nofree.jfr
says "it has native allocations and no frees (nofree): what is alive is not known"
! grep -q 'pile up' out || fail "allocations alone are accused: $(cat out)"
expect 0 top nofree.jfr
prints "allocated_so_far, steps 0 to 59"
make limited.jfr --native leak --limit-events 1000
expect 0 why limited.jfr
says "at most 1000 native allocations and frees a second are recorded"
# Where the Java heap after collections is known, that comes first, and native memory is asked for.
make both.jfr --native leak --java --heap "$(teeth 20 1 22),$(teeth 20 1 22),$(teeth 20 1 22)"
expect 0 why both.jfr
prints "Nothing keeps growing: the heap after collections is between"
prints "Native      allocated blocks went from "
prints "; why --metric bytes judges them"
expect 0 why both.jfr --metric bytes
prints "com.acme.Shop.add:42 keeps growing: +"
finish

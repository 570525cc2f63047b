#!/usr/bin/env bash
# Heap snapshots that Node writes: one leak for each way to leak in JavaScript, and healthy twins. The first sentence names the owner in the
# words of the source, no healthy one is accused, and all numbers of one are compared with a slow reader's.
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../command.sh"
cd "$work" || exit 1

record() { env -i PATH=/usr/bin:/bin node "$here/leak.js" "$1" "$2" . || fail "node $1 $2"; }
(for idiom in map object listeners; do record $idiom leak; done; record map healthy) &
(for idiom in timers global plain; do record $idiom leak; done; record timers healthy; record listeners healthy)
wait
for i in 0 1 2 3 4; do touch -d 2026-01-01T00:0$i:00Z -- *-$i.heapsnapshot; done

while IFS='|' read -r idiom sentence; do
  expect 0 why $idiom-leak-?.heapsnapshot
  head -1 out | grep -q "^$sentence" || fail "$idiom: $(head -1 out)"
done <<'EOF'
map|Session objects .*pile up in closure variable cache of handle (leak.js:17) (a Map)
object|Session objects .*pile up in closure variable byName of keep (leak.js:23) (an Object)
listeners|Session objects .*pile up in Object.change (an Array)
timers|Timeout objects .*pile up in a TimersList
global|Session objects .*pile up in global.store (an Array)
plain|{title, tags} objects .*pile up in closure variable rows of add (leak.js:53) (a Set)
EOF
for idiom in map timers listeners; do
  expect 0 why $idiom-healthy-?.heapsnapshot
  head -1 out | grep -q '^Nothing' || fail "$idiom is healthy: $(head -1 out)"
done
expect 0 paths global-leak-4.heapsnapshot --of Session
prints ' the global object → '
expect 0 paths map-leak-4.heapsnapshot --of Heap
prints " V8's (Global handles) → "
expect 0 roots map-leak-4.heapsnapshot
prints " runtime            V8's (Builtins)  →"
! grep -q 'static field\|thread stack\|JNI' out || fail "a root of a JVM: $(grep -m1 'static field\|thread stack\|JNI' out)"

# Ids are stable: what is new since the first snapshot is counted object by object.
expect 0 why map-leak-?.heapsnapshot
prints 'New         1,600 of 2,000 objects are not in the first step'
expect 0 why map-leak-0.heapsnapshot map-leak-4.heapsnapshot
prints '1,600 of 2,000 objects'
expect 0 why map-leak-0.heapsnapshot plain-leak-4.heapsnapshot
! grep -q 'by their ids' out || fail "ids of two processes are compared"

# A server whose handlers stand in one line: three snapshots are enough, and its twin, whose cache is full, is not accused.
for mode in leak healthy; do env -i PATH=/usr/bin:/bin node "$here/server.js" $mode . || fail "node server.js $mode"; done
expect 0 why server-leak-?.heapsnapshot
grep -q '^Visit objects pile up in closure variable visits of count (server.js:9) (a Map), ' out || fail "server: $(head -1 out)"
prints 'Visit: 900 objects (+600)'
expect 0 why server-healthy-?.heapsnapshot
! grep -q 'pile up\|keeps\? ever more' out || fail "the server is healthy: $(head -1 out)"

# The objects themselves.
session="Heap#$here/leak.js#Session"
expect 0 paths map-leak-4.heapsnapshot --of "$session"
prints 'closure variable cache of handle (leak.js:17) → Map'
expect 0 whatif map-leak-4.heapsnapshot --demolish "$session"
prints "$session"
expect 0 objects map-leak-4.heapsnapshot --graph -o map.graph
expect 0 whatif map.graph --demolish "$session"
prints "$session"
sanitized || run 0 python3 "$here/v8_reference.py" "$memcity" map-leak-4.heapsnapshot

# A timeline is a film of what survived: moment by moment the slow reader's, and the owner's growth is that of the map.
env -i PATH=/usr/bin:/bin node "$here/timeline.js" film.heaptimeline >count || fail "node timeline.js"
sanitized || run 0 python3 "$here/timeline_reference.py" "$memcity" film.heaptimeline
expect 0 why film.heaptimeline
grep -q "^Session objects pile up in closure variable cache of .*timeline.js:.* (a Map): " out || fail "film: $(head -1 out)"
prints "Session: 1,500 objects (+1,"
cp out direct
expect 0 import film.heaptimeline -o film.mct
expect 0 why film.mct
cmp -s direct out || fail "the .mct says something else: $(head -1 out)"
expect 0 info film.heaptimeline --moments 3
prints 'steps        3'
expect 0 info film.heaptimeline map-leak-4.heapsnapshot
prints 'steps        2'

# Packed, cut off, and none at all.
gzip -k map-leak-0.heapsnapshot
expect 0 info map-leak-0.heapsnapshot.gz
head -c -1000 map-leak-0.heapsnapshot >cut.heapsnapshot
expect 3 info cut.heapsnapshot
says 'it ends in its texts'
expect 0 info cut.heapsnapshot --partial
head -c 100000 map-leak-0.heapsnapshot >short.heapsnapshot
expect 3 info short.heapsnapshot
says 'ends too early'

finish

#!/usr/bin/env bash
# What Ruby's ObjectSpace.dump_all writes: one leak for each way to leak, and healthy twins.
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../command.sh"
cd "$work" || exit 1

record() { env -i PATH=/usr/bin:/bin ruby "$here/leak.rb" "$1" "$2" . || fail "ruby $1 $2"; }
(for idiom in global class; do record $idiom leak; done; record global healthy) &
(for idiom in memo block; do record $idiom leak; done; record memo healthy)
wait
for i in 0 1 2 3 4; do touch -d 2026-01-01T00:0$i:00Z -- *-$i.jsonl; done
while IFS='|' read -r idiom sentence; do
  expect 0 why $idiom-leak-?.jsonl
  head -1 out | grep -q "^$sentence" || fail "$idiom: $(head -1 out)"
done <<'EOF'
global|Session objects .*pile up in a global variable (an Array made at leak.rb:26)
class|Session objects .*pile up in class Registry.(constant or class variable) (a Hash made at leak.rb:15)
memo|Session objects .*pile up in Registry.(instance variable) (a Hash made at leak.rb:21)
block|Session objects .*pile up in a variable of a block (a Hash made at leak.rb:28)
EOF
for idiom in global memo; do
  expect 0 why $idiom-healthy-?.jsonl
  head -1 out | grep -q '^Nothing' || fail "$idiom is healthy: $(head -1 out)"
done
for idiom in 'global a global variable → Array' 'class the interpreter (vm) → class Object'; do
  expect 0 paths ${idiom%% *}-leak-4.jsonl --of Session
  prints " ${idiom#* }"
done

# Every object, reference and root, counted by a slow reader.
expect 0 objects global-leak-4.jsonl --columns address,bytes
tail -n +2 out | sort >objects
expect 0 objects global-leak-4.jsonl --references --columns from_address,to_address
tail -n +2 out | sort >references
python3 - global-leak-4.jsonl <<'EOF' || fail "another number of objects or references"
import json, sys
rows = [json.loads(line) for line in open(sys.argv[1], encoding="utf-8", errors="replace")]
sizes = {int(r["address"], 16): r["memsize"] for r in rows if "address" in r}
wanted = sorted("%d\t%d" % i for i in sizes.items())
edges = sorted("%d\t%d" % (int(r["address"], 16), int(t, 16)) for r in rows if "address" in r for t in r.get("references", []) if int(t, 16) in sizes)
sys.exit(wanted != sorted(open("objects").read().split("\n")[:-1]) or edges != sorted(open("references").read().split("\n")[:-1]))
EOF
# By generation: what was there at each collection, counted by a slow reader; the last step has all.
cat >film.rb <<'EOF'
require 'objspace'
ObjectSpace.trace_object_allocations_start
class Session; def initialize(id); @id = id; @data = Array.new(20, id); end; end
class Registry; def initialize; @all = {}; end; def add(id); @all[id] = Session.new(id); end; end
REGISTRY = Registry.new
12.times { |k| 200.times { |i| REGISTRY.add(k * 200 + i) }; GC.start }
File.open(ARGV[0], 'w') { |file| ObjectSpace.dump_all(output: file) }
EOF
env -i PATH=/usr/bin:/bin ruby film.rb film.jsonl || fail "ruby film.rb"
# What the recorder itself keeps is called so, and no object of the program.
expect 0 find film.jsonl 'trace_object_allocations'
prints "tracing table of trace_object_allocations"
expect 0 info film.jsonl --by-generation --json
says 'steps are garbage collections, each shown as a second; what was freed is in none, so a full cache may look like a leak: a second dump tells'
python3 - film.jsonl <<'EOF' || fail "other numbers by generation"
import json, sys
rows = [json.loads(line) for line in open(sys.argv[1], encoding="utf-8", errors="replace")]
births = [r.get("generation", 0) for r in rows if "address" in r]
first, last = min(b for b in births if b), max(births)
wanted = [sum(b <= at for b in births) for at in range(first - 1, last + 1)]
found = [step["objects"] for step in json.load(open("out"))["steps"]]
if wanted != found: sys.exit(f"{found}, not {wanted}")
EOF
expect 0 why film.jsonl --by-generation
head -1 out | grep -q '^Session objects pile up in Registry' || fail "by generation: $(head -1 out)"
prints 'Session: 2,400 objects (about +2,'
head -c -300 global-leak-0.jsonl >cut.jsonl
expect 3 info cut.jsonl
says 'its last line is cut off'
expect 0 info cut.jsonl --partial

finish

#!/usr/bin/env bash
# Java heap graphs in traces of Perfetto, made by their protocol buffers: everything that asks objects says the same of the same heap
# as rows of a graph.
. "$(dirname "$0")/../command.sh"
here=$(cd "$(dirname "$0")/.." && pwd)
memcity=$(realpath "$memcity")
cd "$work" || exit 1

for n in 1 2 3; do
  python3 "$here/heapgraph_maker.py" $n.pftrace $n.graph --seed 5 --sessions $((n * 300)) --time $((1750000000000 + n * 60000)) || exit 1
done
plain() { sed -e 's/\.pftrace"/.graph"/; s/"time_ms":[0-9]*//' "$1" | sort; } # objects come in another order
while read -r command options; do
  # shellcheck disable=SC2086
  expect 0 "$command" 1.graph 2.graph 3.graph $options
  plain out >wanted
  [ -s wanted ] || fail "$command $options: nothing is printed"
  # shellcheck disable=SC2086
  expect 0 "$command" 1.pftrace 2.pftrace 3.pftrace $options
  plain out >got
  cmp -s got wanted || fail "$command $options: $(diff wanted got | head -4)"
done <<'END'
why --json
why --of Session
roots --json
paths --of Session --json
top --retained --json
units --json
whatif --demolish Heap#com.acme.web#Session --json
refs --of Session --json
export --rows
objects
END
expect 0 why 1.pftrace 2.pftrace 3.pftrace
prints "kept alive by Shop.sessions"
expect 0 objects 3.graph --graph
sed '/^# time/d' out | sort >a
expect 0 objects 3.pftrace --graph
sed '/^# time/d' out | sort >b
cmp -s a b || fail "rows of the graph differ: $(diff a b | head -4)"
gzip -c 3.pftrace >packed.gz
expect 0 top packed.gz
expect 0 formats
prints "objects of an Android app"
# A graph whose end is missing opens, and says so; so does one that lost a packet.
python3 - <<'PYTHON'
data = open("3.pftrace", "rb").read()
packets, at = [], 0
while at < len(data):
    size = shift = 0
    begin, at = at, at + 1
    while True:
        size |= (data[at] & 127) << shift
        shift += 7
        at += 1
        if data[at - 1] < 128:
            break
    at += size
    packets.append(data[begin:at])
open("endless.pftrace", "wb").write(b"".join(packets[:-2]))
open("lossy.pftrace", "wb").write(b"".join(packets[:6] + packets[7:]))
open("none.pftrace", "wb").write(packets[0])
open("cut.pftrace", "wb").write(data[:-9])
PYTHON
expect 3 info endless.pftrace
says "its end is missing"
expect 3 info lossy.pftrace
says "packets of it were lost"
expect 0 info lossy.pftrace --partial
expect 3 info none.pftrace
says "neither allocations of heapprofd nor a Java heap graph"
expect 3 info cut.pftrace
says "a field that ends within its message"
finish

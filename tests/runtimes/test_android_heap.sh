#!/usr/bin/env bash
# Java heap graphs in traces of Perfetto, made by their protocol buffers: everything that asks objects says the same of the same heap
# as rows of a graph.
. "$(dirname "$0")/../command.sh"
. "$(dirname "$0")/same_heap.sh"
here=$(cd "$(dirname "$0")/.." && pwd)
memcity=$(realpath "$memcity")
cd "$work" || exit 1

for n in 1 2 3; do
  python3 "$here/heapgraph_maker.py" $n.pftrace $n.graph --seed 5 --sessions $((n * 300)) --time $((1750000000000 + n * 60000)) || exit 1
  python3 "$here/heapgraph_maker.py" $n.short same.graph --seed 5 --sessions $((n * 300)) --time $((1750000000000 + n * 60000)) --short || exit 1
  cmp -s same.graph $n.graph || fail "not the same heap"
done
without_times() { sed 's/"time_ms":[0-9]*//' "$1"; }
same_as_graph pftrace without_times <<'END'
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
# Names that R8 made short, and what they stand for.
same_as_graph short without_times <<'END'
why --json
roots --json
paths --of Session --json
top --retained --json
export --rows
END
expect 0 why 1.pftrace 2.pftrace 3.pftrace
prints "kept alive by Shop.sessions"
expect 0 formats
prints "objects of an Android app"
# A graph whose end is missing opens, and says so; so does one that lost a packet.
python3 - <<'PYTHON'
import zlib
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
def pack(packets):  # packets within a compressed one
    def sized(data):
        size, out = len(data), bytearray()
        while size > 127:
            out.append(size & 127 | 128)
            size >>= 7
        return bytes(out) + bytes([size]) + data
    return b"\x0a" + sized(b"\x92\x03" + sized(zlib.compress(b"".join(packets))))
open("compressed.pftrace", "wb").write(b"".join(pack(packets[i:i + 3]) for i in range(0, len(packets), 3)))
open("damaged.pftrace", "wb").write(pack(packets[:3]) + pack(packets[3:])[:-9] + b"123456789")
open("endless.pftrace", "wb").write(b"".join(packets[:-2]))
open("lossy.pftrace", "wb").write(b"".join(packets[:6] + packets[7:]))
open("none.pftrace", "wb").write(packets[0])
open("cut.pftrace", "wb").write(data[:-9])
PYTHON
expect 0 why 3.pftrace --json
without_times "$work/out" >plain.json
expect 0 why compressed.pftrace --json
without_times "$work/out" | sed 's/compressed\.pftrace/3.pftrace/g' >unpacked.json
cmp plain.json unpacked.json || fail "packets that are compressed say something else"
expect 0 paths compressed.pftrace --of Session
prints "Shop.sessions"
expect 3 info damaged.pftrace
says "damaged compressed packets"
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

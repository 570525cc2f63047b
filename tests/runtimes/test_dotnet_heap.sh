#!/usr/bin/env bash
# Dumps of .NET, made by their grammar: everything that asks objects says the same of the same heap as rows of a graph.
. "$(dirname "$0")/../command.sh"
. "$(dirname "$0")/same_heap.sh"
here=$(cd "$(dirname "$0")/.." && pwd)
memcity=$(realpath "$memcity")
cd "$work" || exit 1

for n in 1 2 3; do
  python3 "$here/gcdump_maker.py" $n.gcdump $n.graph --seed 5 --sessions $((n * 300)) || exit 1
  touch -d "2026-01-02 03:04:0$n" $n.gcdump $n.graph
done
same_as_graph gcdump cat <<'END'
why --json
why --of Session
roots --json
paths --of Session --json
top --retained --json
units --json
whatif --demolish Heap#Shop.Web#Session --json
refs --of Cart --json
export --rows
objects
END
expect 0 why 1.gcdump 2.gcdump 3.gcdump
prints "Session objects (and those of 1 more class) pile up in Dictionary<String,Session> elements"
prints "kept alive by static Shop.Web.Registry.sessions"
expect 0 formats
prints "objects of a .NET program"
# What is cut off behind its objects opens; before, it does not. Newer ones name both versions.
head -c -5 3.gcdump >cut.gcdump
expect 3 info cut.gcdump
says "cut off behind its objects"
expect 0 info cut.gcdump --partial
head -c 5000 3.gcdump >cut.gcdump
expect 3 info cut.gcdump
says "as it says"
python3 - <<'PYTHON'
data = bytearray(open("3.gcdump", "rb").read())
data[27], data[31] = 12, 11  # versions of GCHeapDump
open("newer.gcdump", "wb").write(data)
PYTHON
expect 3 info newer.gcdump
says "version 12, for readers of version 11 or later; memcity reads 9 to 10"
finish

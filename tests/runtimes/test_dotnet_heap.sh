#!/usr/bin/env bash
# Dumps of .NET, made by their grammar: everything that asks objects says the same of the same heap as rows of a graph.
. "$(dirname "$0")/../command.sh"
here=$(cd "$(dirname "$0")/.." && pwd)
memcity=$(realpath "$memcity")
cd "$work" || exit 1

for n in 1 2 3; do
  python3 "$here/gcdump_maker.py" $n.gcdump $n.graph --seed 5 --sessions $((n * 300)) || exit 1
  touch -d "2026-01-02 03:04:0$n" $n.gcdump $n.graph
done
while read -r command options; do
  # shellcheck disable=SC2086
  expect 0 "$command" 1.graph 2.graph 3.graph $options
  sort out >wanted # objects come in another order
  [ -s wanted ] || fail "$command $options: nothing is printed"
  # shellcheck disable=SC2086
  expect 0 "$command" 1.gcdump 2.gcdump 3.gcdump $options
  sed 's/\.gcdump"/.graph"/' out | sort >got
  cmp -s got wanted || fail "$command $options: $(diff wanted got | head -4)"
done <<'END'
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
expect 0 objects 3.graph --graph
sed '/^# time/d' out | sort >a
expect 0 objects 3.gcdump --graph
sed '/^# time/d' out | sort >b
cmp -s a b || fail "rows of the graph differ: $(diff a b | head -4)"
gzip -c 3.gcdump >packed.gz
expect 0 top packed.gz
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

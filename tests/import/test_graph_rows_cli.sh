#!/usr/bin/env bash
# Graphs of rows at the command line: what docs/reference/graph.md says of them, its example in Python, and a heap dump that is written and read again.
data=$2
. "$(dirname "$0")/../command.sh"
cd "$work" || exit 1

# The example as it stands in the document, in a program that leaks, and in one that fills a cache and keeps to it.
python3 - "$data/../../docs/reference/graph.md" >dump_heap.py <<'EOF'
import re, sys
print(re.search(r"```python\n(.*?)```", open(sys.argv[1]).read(), re.S).group(1))
EOF
cat >leak.py <<'EOF'
import sys
from dump_heap import dump
class Session:
    def __init__(self, i):
        self.user = "user %d" % i
        self.body = bytes(1000)
sessions = {}
most = 10 ** 9 if sys.argv[1] == "leak" else 500
for step in range(6):
    for i in range(600):
        sessions[(step * 600 + i) % most] = Session(i)
    dump("%s%d.graph" % (sys.argv[1], step))
EOF
python3 -S leak.py leak
python3 -S leak.py cache
for i in 0 1 2 3 4 5; do touch -d 2026-01-01T00:0$i:00Z leak$i.graph cache$i.graph; done
first_line() { # TEXT: what was printed begins with that
  head -1 out | grep -q "^$1" || fail "not \"$1\": $(head -1 out)"
}
expect 0 why leak?.graph
first_line "Session objects .*pile up in __main__.sessions (a dict): .*; 3,000 × { 1 __main__.Session,"
expect 0 why cache?.graph
first_line 'Nothing'
expect 0 whatif leak5.graph --demolish 'Heap#__main__.Session'
prints 'Heap#__main__.Session'
expect 0 paths leak5.graph --of 'Heap#__main__.Session'
prints 'dict elements → __main__.Session'

# The same from a folder, packed, and from the standard input.
mkdir parts empty
awk -F'\t' '/^#/ { next } /^id\t/ { f = "nodes" } /^from\t/ { f = "edges" } /^root\t/ { f = "roots" } { print >"parts/" f ".tsv" }' leak5.graph
gzip parts/nodes.tsv
zstd -q --rm parts/edges.tsv
expect 0 import --graph parts -o parts.mct
"$memcity" import --graph - -o input.mct <leak5.graph || fail "from the standard input"
expect 0 import leak5.graph -o file.mct
for of in parts input file; do
  "$memcity" top "$of.mct" -n 10000 --json >"$of.tsv" && "$memcity" roots "$of.mct" | tail -n +3 >>"$of.tsv" || fail "top of $of.mct"
done
cmp parts.tsv file.tsv && cmp input.tsv file.tsv || fail "a folder, the standard input and a file differ"
expect 3 import --graph empty -o empty.mct
says 'no file of rows'
printf 'id\tsize\n1\tx\n' >bad.tsv
expect 3 import --graph bad.tsv -o bad.mct
says 'the size of an object'
says 'bad.tsv:8: '
! "$memcity" import --graph - -o bad.mct <bad.tsv 2>err || fail "bad rows were taken"
says 'standard input:8: '
mkdir packed
gzip -c leak5.graph >packed/leak5.graph.gz
expect 0 import --graph packed -o packed.mct
[ ! -e bad.mct ] || fail "bad rows became a file"
expect 2 import --graph --rows leak5.graph -o x.mct

# What two owners held, and then one of them alone, has not become more.
held() { # OWNERS FILE: a tree of many small parts of different types, 400 KB, held by each
  {
    printf '#memcity graph 1\nid\tsize\tmodule\ttype\n'
    for i in $(seq 0 99); do printf '%d\t4000\tparts\tPart%d\n' $((100 + i)) "$i"; done
    printf '1\t100\tshop\tTree\n2\t50\tshop\tFirst\n3\t50\tshop\tSecond\n4\t400000\tshop\tRest\n'
    printf 'from\tto\tfield\n'
    for i in $(seq 0 99); do printf '1\t%d\tpart%d\n' $((100 + i)) "$i"; done
    for owner in $1; do printf '%d\t1\ttree\n' "$owner"; done
    printf 'root\tkind\tname\n2\tglobal\tshop.first\n3\tglobal\tshop.second\n4\tglobal\tshop.rest\n'
  } >"$2"
}
held '2 3' both0.graph
held '2 3' both1.graph
held 2 one.graph
for i in 0 1; do touch -d 2026-01-01T00:0$i:00Z both$i.graph; done
touch -d 2026-01-01T00:02:00Z one.graph
expect 0 why both0.graph both1.graph one.graph
grep -q '^Nothing has grown' out || fail "another owner is no growth: $(head -1 out)"

# Groups below a type, as the lines that allocated, have the type's name before theirs.
for i in 0 1 2 3 4 5; do
  {
    printf '#memcity graph 1\nid\tsize\tflags\tmodule\ttype\tsite\n1\t56\truntime\tbuiltins\tlist\t(unknown)\n'
    for k in $(seq 1 $((100 + 40 * i + 7 * (i % 2)))); do
      printf '%d\t64\t\tshop\tSession\t(unknown)\n%d\t900\truntime\tbuiltins\tstr\t/srv/app/shop.py:12\n' $((10 * k)) $((10 * k + 1))
      printf '%d\t900\truntime\tbuiltins\tstr\t/srv/app/shop.py:12\n' $((10 * k + 2))
    done
    printf 'from\tto\tfield\n'
    for k in $(seq 1 $((100 + 40 * i + 7 * (i % 2)))); do
      printf '1\t%d\t\n%d\t%d\tSession.user\n%d\t%d\tSession.page\n' $((10 * k)) $((10 * k)) $((10 * k + 1)) $((10 * k)) $((10 * k + 2))
    done
    printf 'root\tkind\tname\n1\tglobal\tshop.sessions\n'
  } >site$i.graph
  touch -d 2026-01-01T00:0$i:00Z site$i.graph
done
expect 0 why site?.graph
head -1 out | grep -q '^Session objects pile up in shop.sessions (a list)' || fail "sites: $(head -1 out)"
prints '1 Session, 2 str at shop.py:12 }'
! grep -q '(unknown)' out || fail "a line that is not known is no name: $(grep -m1 unknown out)"

# Written and read again: all of it.
expect 0 objects leak5.graph --graph -o again.graph
expect 0 objects again.graph --graph -o twice.graph
cmp again.graph twice.graph || fail "a graph is another one when it was written"
for of in leak5 again; do
  "$memcity" objects $of.graph --references | tail -n +2 | cut -f 1-4,6 | sort >$of.references
  "$memcity" objects $of.graph --columns address,class,bytes,retained,root | sort >$of.objects
done
cmp leak5.references again.references && cmp leak5.objects again.objects || fail "written and read again, it differs"
finish

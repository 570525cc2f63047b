#!/usr/bin/env bash
# What is said of allocation profiles is true of them: of what no line allocated, of a list that becomes larger, of what counts no objects, and
# of all levels of callers as of sites alone.
. "$(dirname "$0")/../command.sh"
data=$2/profiles
cd "$work" || exit 1

# massif: a line that allocates ever more, and malloc's overhead with it.
{
  printf 'desc: --time-unit=ms\ncmd: ./shop\ntime_unit: ms\n'
  for i in $(seq 0 11); do
    bytes=$((10000 + i * 5000)) extra=$((2000 + i * 1500))
    printf '#-----------\nsnapshot=%d\n#-----------\ntime=%d\nmem_heap_B=%d\nmem_heap_extra_B=%d\nmem_stacks_B=0\nheap_tree=detailed\n' \
      "$i" $((i * 100)) "$bytes" "$extra"
    printf 'n1: %d (heap allocation functions) malloc/new/new[], --alloc-fns, etc.\n' "$bytes"
    printf ' n1: %d 0x1094: open_session (shop.c:12)\n  n0: %d 0x10AA: main (shop.c:40)\n' "$bytes" "$bytes"
  done
} >massif.out
expect 0 why massif.out
head -1 out | grep -q '^Objects allocated at open_session (shop.c:12) pile up: ' || fail "massif: $(head -1 out)"
prints '(overhead of malloc) keeps growing: '
prints 'Since       the recording began, or before'
! grep -q 'allocated at (overhead' out || fail "the overhead is no line: $(grep overhead out)"
expect 0 walk massif.out
prints '                                     growth  bytes, steps 0 to 11'
prints '+53.7 KiB  open_session (shop.c:12)'
prints '"memcity why" says who calls that'
! grep -q 'record --references' out || fail "heap dumps of a JVM are no help: $(grep references out)"
expect 0 info massif.out
! grep -q '  objects  ' out || fail "massif counts no objects: $(grep -m1 objects out)"
expect 0 info massif.out --json
prints '"objects":0,"bytes":12000'

# tracemalloc: one list, which becomes larger.
cat >list.py <<'EOF'
import tracemalloc
tracemalloc.start()
seen = []
for step in range(8):
    for i in range(30000):
        seen.append(None)
    tracemalloc.take_snapshot().dump("list-%d.tracemalloc" % step)
EOF
/usr/bin/python3 list.py || fail "python3"
for i in $(seq 0 7); do touch -d 2026-01-01T00:0$i:00Z list-$i.tracemalloc; done
expect 0 why list-?.tracemalloc
head -1 out | grep -q '^Objects allocated at .*list.py:6 become larger: ' || fail "a list: $(head -1 out)"
prints 'list.py:6: ±0 objects, +1'

# A gate tells of callers, too: what piles up is at a line all the same.
expect 4 gate "$data/heaptrack-leak.zst" --rule '**: +1B/h'
prints 'Objects allocated at open_session (leak.cpp:18) pile up, with those of 2 more lines: '
prints '{ 1 open_session (leak.cpp:16), 1 open_session (leak.cpp:17), 1 open_session (leak.cpp:18) }'
finish

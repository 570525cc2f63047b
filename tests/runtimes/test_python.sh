#!/usr/bin/env bash
# What Python programs write with `memcity agent python`: one leak for each way to leak, and healthy twins.
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../command.sh"
cd "$work" || exit 1

expect 0 agent python -o dump_heap.py
cmp dump_heap.py "$here/../../agent/python/dump_heap.py" || fail "the script is another one"
expect 2 agent cobol
says 'there is none for cobol'

record() { PYTHONPATH=. python3 -S "$here/leak.py" "$1" "$2" . || fail "python3 $1 $2"; }
(for idiom in global attribute class; do record $idiom leak; done; record global healthy) &
(for idiom in closure lru cycle; do record $idiom leak; done; record lru healthy)
wait
for i in 0 1 2 3 4; do sed -i "s/^# time=.*/# time=$((1700000000000 + i * 60000))/" -- *-$i.graph; done
while IFS='|' read -r idiom sentence; do
  expect 0 why $idiom-leak-?.graph
  head -1 out | grep -q "^$sentence" || fail "$idiom: $(head -1 out)"
done <<'EOF'
global|Session objects .*pile up in __main__.cache (a dict)
attribute|Session objects .*pile up in Registry.sessions (a list), kept alive by __main__.registry
class|Session objects .*pile up in Registry.live (a dict), kept alive by __main__.Registry
closure|Session objects .*pile up in closure variable kept of keep (leak.py:32) (a list), kept alive by __main__.keep
lru|Session objects .*pile up in __main__.load (a _lru_cache_wrapper)
cycle|Node objects .*pile up in __main__.nodes (a list)
EOF
for idiom in global lru; do
  expect 0 why $idiom-healthy-?.graph
  head -1 out | grep -q '^Nothing' || fail "$idiom is healthy: $(head -1 out)"
done
expect 0 paths global-leak-4.graph --of 'Heap#__main__#__main__.Session'
prints 'dict elements → __main__.Session'

# By a signal, with lines of allocation, while another thread runs.
cat >served.py <<'EOF'
import dump_heap, os, signal, threading, tracemalloc
tracemalloc.start()
dump_heap.on_signal()
class Job: __slots__ = ('a',)
def run(ready, end):
    job = Job()
    ready.set()
    end.wait()
ready, end = threading.Event(), threading.Event()
threading.Thread(target=run, args=(ready, end), name="worker").start()
ready.wait()
os.kill(os.getpid(), signal.SIGUSR2)
end.set()
EOF
run 0 python3 -S served.py
expect 0 roots heap-*-1.graph --of 'Heap#__main__#__main__.Job'
expect 0 objects heap-*-1.graph --columns class,type
grep -q '^__main__.Job.*served.py:6' out || fail "no line of allocation: $(grep Job out)"

finish

#!/usr/bin/env bash
# What Python programs write with `memcity agent python`: one leak for each way to leak, and healthy twins.
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../command.sh"
cd "$work" || exit 1

expect 0 agent python -o dump_heap.py
cmp dump_heap.py "$here/../../agent/python/dump_heap.py" || fail "the script is another one"
expect 2 agent cobol
says 'there is none for cobol'

record() { PYTHONHASHSEED=0 PYTHONPATH=. python3 -S "$here/leak.py" "$1" "$2" . || fail "python3 $1 $2"; }
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
expect 0 paths attribute-leak-4.graph --of __main__.Session
prints ' __main__.registry → __main__.Registry'
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
signal.raise_signal(signal.SIGUSR2)
end.set()
EOF
run 0 python3 -S served.py
expect 0 roots heap-*-1.graph --of 'Heap#__main__#__main__.Job'
expect 0 objects heap-*-1.graph --columns class,type
grep -q '^__main__.Job.*served.py:6' out || fail "no line of allocation: $(grep Job out)"

# What hates to be looked at is left out, and no error or code of its own comes of it.
cat >hostile.py <<'EOF'
import os, signal, sys, threading, types
class Angry:
    def refuse(self, *_): os._exit(9)
    __sizeof__ = __eq__ = __hash__ = __getattribute__ = __repr__ = __str__ = __bool__ = __len__ = __iter__ = refuse
    __class__ = __dict__ = property(refuse)
class Meta(type):
    def refuse(self, *_): os._exit(8)
    __hash__ = __eq__ = __getattribute__ = __instancecheck__ = __subclasscheck__ = refuse
    __mro__ = __flags__ = __name__ = property(refuse)
class Odd(metaclass=Meta):
    __slots__ = ("slot",)
    __module__ = 5
class Text(str):
    __str__ = __format__ = replace = Angry.refuse
Slow = types.new_class(Text("Slow\tname"), (), {}, lambda names: names.update(__module__=Text("a\nmodule")))
kept = [Angry(), Odd(), Slow(), Angry]
kept[2].__dict__[1] = kept[2].__dict__["\ud800\0"] = 2
sys.modules["angry"] = kept[0]
sys.modules[5] = types.ModuleType("five")
changing, end = {}, threading.Event()
def change():
    while not end.is_set():
        changing[len(changing) % 100] = 1
        changing.pop(50, None)
thread = threading.Thread(target=change)
thread._name = kept[0]
thread.start()
import dump_heap
dump_heap.on_signal()
signal.signal(signal.SIGALRM, lambda *_: dump_heap.dump("nested.graph"))
signal.setitimer(signal.ITIMER_REAL, 0.01, 0.01)
assert dump_heap.dump("hostile.graph")
signal.setitimer(signal.ITIMER_REAL, 0)
assert not dump_heap.dump("missing/hostile.graph")
os.mkdir("gone"); os.chdir("gone"); os.rmdir("../gone")
signal.raise_signal(signal.SIGUSR2)
end.set()
thread.join()
os._exit(0)
EOF
run 0 python3 -S hostile.py
says "can't write missing/hostile.graph"
expect 0 top hostile.graph

# As sys.remote_exec() runs it.
run 0 env MEMCITY_HEAP=remote.graph python3 -S -c 'class Session: pass
def serve(kept): exec(compile(open("dump_heap.py").read(), "dump_heap.py", "exec"), {})
serve(Session())'
expect 0 roots remote.graph --of 'Heap#__main__#__main__.Session'
prints 'serve (<string>:2) in thread MainThread'

finish

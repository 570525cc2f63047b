#!/usr/bin/env bash
# A heap and its methods in a session: from a group to the method that allocates it and back, at the same time.
. "$(dirname "$0")/../command.sh"
unset DISPLAY WAYLAND_DISPLAY
export XDG_CONFIG_HOME=$work/config XDG_DATA_HOME=$work/share
here=$(cd "$(dirname "$0")/.." && pwd)
cd "$work" || exit 1

session() { # CODE LINES ARGUMENTS…
  local wanted=$1 lines=$2
  shift 2
  printf '%b' "wait idle\n$lines" >script
  expect "$wanted" view "$@" --script script --headless
}

# Store.keep() allocates what grows, pack() a quarter of that, by way of the JDK; grind() runs the longest and keeps nothing.
python3 - <<'END'
with open("heap.tsv", "w") as heap, open("methods.tsv", "w") as methods:
    heap.write("time\tType\tSite\tCaller\tThread\tobjects\tbytes\n")
    methods.write("time\troot\tPackage\tClass\tMethod\tThread\tobjects\tbytes\ttime[time flow additive real]\n")
    for step in range(10):
        when = 1000000 + 1000 * step
        for type_, site, caller, size in (
                ("byte[]", "acme.Store.keep(Store.java:17)", "acme.Mill.main(Mill.java:22)", 400),
                ("byte[]", "java.util.Arrays.copyOf(Arrays.java:3537)", "acme.Store.pack(Store.java:25)", 100),
                ("acme.Crate", "acme.Store.pack(Store.java:25)", "acme.Mill.main(Mill.java:23)", 16),
                ("char[]", "java.lang.Thread.run(Thread.java:1)", "\\N", 3)):
            heap.write(f"{when}\t{type_}\t{site}\t{caller}\tmain\t{step + 1}\t{size * (step + 1)}\n")
    for step in range(100):
        for class_, method, time in (("Store", "keep()", 20), ("Store", "pack()", 10), ("Mill", "grind()", 70)):
            methods.write(f"{1000010 + 100 * step}\tProgram\tacme\t{class_}\t{method}\tmain\t0\t0\t{time}\n")
END
for name in heap methods; do expect 0 import --rows $name.tsv -o $name.mct; done

there="expect linked methods.mct\nexpect group_by type,site\nstep 5\nselect byte[]\nwait idle
expect linked_rows 2\nexpect linked_by site\nexpect linked_first Program#acme#Store#keep()\nexpect linked_time 20.0 %\nexpect linked_step 50\n"
# a group → its method, at its time → what is alive of that
session 0 "expect linked_rows 2\n${there}linked.show 1\nwait idle\nexpect selection Program#acme#Store#pack()\nexpect step 50\nexpect step_count 100\nexpect city_metric elevation
expect linked heap.mct\nexpect linked_rows 2\nexpect linked_bytes 696\nexpect linked_step 5\nexpect linked_first Heap#byte[]#java.util.Arrays.copyOf(Arrays.java:3537)
linked.show 1\nwait idle\nexpect selection Heap#acme.Crate#acme.Store.pack(Store.java:25)\nexpect step 5\nexpect city_metric bytes\nexpect linked_first Program#acme#Store#pack()
linked.show 7\nwait idle\nexpect trace heap.mct\n" heap.mct --with methods.mct
# there and back by one key: metric and step of each stay; nothing selected, nothing is
session 0 "${there}metric.next\nwait idle\nexpect city_metric objects\nlinked.change\nwait idle\nexpect selection Program#acme#Store#keep()\nmetric.next\nwait idle
step.previous\nwait idle\nexpect linked_first Heap#byte[]#acme.Store.keep(Store.java:17)\nlinked.change\nwait idle\nexpect selection Heap#byte[]#acme.Store.keep(Store.java:17)
expect city_metric objects\nexpect step 5\nescape\nwait idle\nlinked.change\nwait idle\nexpect selected 0\nexpect step 50\nlinked.show 0\nwait idle\nexpect selected 1\n" heap.mct --with methods.mct
# several selected: their methods together, each once; nothing is counted twice
session 0 "${there}expect linked_bytes 3000\nselect.add Heap#acme.Crate\nwait idle\nexpect linked_rows 2\nexpect linked_bytes 3096\nselect.add Heap#byte[]#acme.Store.keep(Store.java:17)\nwait idle
expect linked_bytes 3096\nselect.add Heap#acme.Crate\nwait idle\nexpect linked_bytes 3000\n" heap.mct --with methods.mct
session 0 "step 50\nselect Program#acme#Store#pack()\nwait idle\nexpect linked_bytes 696\nselect.add Program#acme#Store#keep()\nwait idle\nexpect linked_bytes 3096\nexpect linked_rows 3\n" methods.mct --with heap.mct
# undone and redone across both: each as it was left
session 0 "${there}metric.next\nwait idle\nexpect city_metric objects\nlinked.show 1\nwait idle\nexpect selection Program#acme#Store#pack()\nselect Program#acme#Mill#grind()\nwait idle\nstep 70\nwait idle
undo\nwait idle\nexpect step 50\nundo\nwait idle\nexpect trace methods.mct\nexpect selection Program#acme#Store#pack()
undo\nwait idle\nexpect trace heap.mct\nexpect linked methods.mct\nexpect selection Heap#byte[]\nexpect step 5\nexpect city_metric objects\nundo\nwait idle\nexpect city_metric bytes
redo\nwait idle\nexpect city_metric objects\nredo\nwait idle\nexpect trace methods.mct\nexpect selection Program#acme#Store#pack()\nexpect step 50\nredo\nwait idle\nexpect selection Program#acme#Mill#grind()
redo\nwait idle\nexpect step 70\nlinked.change\nwait idle\nexpect trace heap.mct\nundo\nwait idle\nexpect trace methods.mct\nexpect step 70\nexpect selection Program#acme#Mill#grind()\n" heap.mct --with methods.mct
# undone while the other one, or what cannot be opened, is being opened: it ends
session 0 "${there}linked.change\nopaque.more\nundo\nwait idle\nexpect trace methods.mct\n" heap.mct --with methods.mct
session 0 "wait idle\nstep 3\nwait idle\nopaque.more\nwait idle\nopen $work/nothing.mct\nundo\nwait idle\nexpect trace heap.mct\nexpect step 3\n" heap.mct
# another trace begins anew
session 0 "${there}linked.change\nwait idle\nopen $work/heap.mct\nwait idle\nundo\nwait idle\nexpect trace heap.mct\nexpect linked null\n" heap.mct --with methods.mct
# the other way round; with another grouping; a package
session 0 "expect linked heap.mct\nselect Store\nwait idle\nexpect linked_rows 3\nexpect linked_bytes 5160\nlinked.change\nwait idle\nexpect linked methods.mct\n" methods.mct --with heap.mct
session 0 "expect group_by type\nselect Heap#byte[]\nwait idle\nexpect linked_rows 2\nlinked.change\nwait idle\nlinked.change\nwait idle\nexpect group_by type
expect selection Heap#byte[]\n" heap.mct --with methods.mct --group-by type
# opened beside what is open: step and selection stay; another trace is linked with nothing
session 0 "step 3\nselect Heap#char[]\nwith $work/methods.mct\nwait idle\nexpect linked methods.mct\nexpect step 3\nexpect selection Heap#char[]\nexpect linked_rows 0
expect linked_bytes 0\nopen $work/heap.mct\nwait idle\nexpect linked null\nlinked.change\nwait idle\nexpect trace heap.mct\n" heap.mct
# a saved view has both
session 0 "step 3\nselect Heap#char[]\nwait idle\nsave linked.json\nwait idle\n" heap.mct --with methods.mct
opened="expect linked methods.mct\nexpect step 3\nexpect selection Heap#char[]\n"
session 0 "$opened" --view linked.json
session 0 "$opened" linked.json
session 0 "open $work/linked.json\nwait idle\n$opened" heap.mct
session 0 "open $work/linked.json\nwait idle\n$opened" methods.mct --with heap.mct
# without sites, by class
cut -f1,2,6,7 heap.tsv | sed 's/byte\[\]/acme.Store[]/; s/^\([0-9]*\tchar\[\]\)/\1/' | awk -F'\t' '!seen[$1, $2]++' >plain.tsv
expect 0 import --rows plain.tsv -o plain.mct
session 0 "select acme.Store[]\nwait idle\nexpect linked_by class\nexpect linked_rows 2\nexpect linked_first Program#acme#Store#keep()\nlinked.show 1\nwait idle
expect selection Program#acme#Store#pack()\nexpect linked_first Heap#acme.Store[]\n" plain.mct --with methods.mct

# what does not belong together is said, and nothing changes
session 0 "with $work/plain.mct\nwait idle\nexpect linked null\nexpect trace heap.mct\nprint message\n" heap.mct; prints "can be linked only with a trace of methods"
session 0 "with $work/none.mct\nwait idle\nexpect linked null\nexpect trace heap.mct\n" heap.mct
expect 1 view heap.mct --with none.mct --script script --headless; says "none.mct"
expect 2 view --with methods.mct --script script --headless; says "--with"
expect 2 view heap.mct --with methods.mct --versus heap.mct --script script --headless; says "--with"
finish

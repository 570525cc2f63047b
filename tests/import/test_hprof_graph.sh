#!/usr/bin/env bash
# What objects retain, what goes without them and how they are held: made by hand, against a slow
# reference. By JVMs: test_hprof_graph_jvm.sh.
. "$(dirname "$0")/../command.sh"
. "$(dirname "$0")/../jvm.sh"
memcity=$(realpath "$memcity")
print=$(realpath "$(dirname "$memcity")/tests/print_hprof")
cd "$work" || exit 1

. "$here/hprof_graph.sh"

# ---- by hand

seed=0
while read -r options; do
  seed=$((seed + 1))
  # shellcheck disable=SC2086
  python3 "$here/hprof_maker.py" made.hprof --seed $seed $options || exit 1
  same made.hprof 'Heap#a.b#C$D' 'Heap#java.lang' 'Heap#(default)' 'Heap#java.lang.ref'
done <<'END'

--loose
--id-size 4 --loose
--ids sparse
--ids odd --id-size 4 --layout one --loose
--android --id-size 4 --layout endless --loose
--android --loose
--no-roots
--layout one --objects 1300 --classes 100 --loose
END

# ---- what if

python3 "$here/hprof_maker.py" made.hprof --seed 3 || exit 1
expect 0 whatif made.hprof --demolish 'Heap#java.lang' --json
"$print" made.hprof 'Heap#java.lang' 2>/dev/null >printed
python3 - "$work/out" printed <<'PYTHON' || fail "whatif prints something else"
import json, sys
told = json.load(open(sys.argv[1]))
lines = [json.loads(line) for line in open(sys.argv[2])]
freed = {line["group"]: (line["objects"], line["bytes"]) for line in lines if line["what"] == "freed"}
retained = {line["group"]: (line["objects"], line["bytes"]) for line in lines if line["what"] == "retained"}
ok = freed["Heap"] == (told["objects"], told["bytes"])
ok &= retained["Heap#java.lang"] == (told["retained"]["objects"], told["retained"]["bytes"])
ok &= all(freed[leaf["key"]] == (leaf["objects"], leaf["bytes"]) for leaf in told["leaves"])
sys.exit(not ok or told["objects"] == 0)
PYTHON
# as metrics of a trace, of leaves and districts, from both kinds of file
expect 0 import made.hprof --retained -o retained.mct
for input in "made.hprof --retained" retained.mct; do
  for metric in retained retained_objects; do
    # shellcheck disable=SC2086
    expect 0 find $input . --regex --metric "$metric" --json -n 100000
    cp "$work/out" found-$metric.json
  done
  python3 - found-retained.json found-retained_objects.json printed <<'PYTHON' || fail "$input: other retained sizes"
import json, sys
bytes_of, objects_of = ({node["key"]: node[metric] for node in json.load(open(path))["nodes"]}
                        for path, metric in zip(sys.argv[1:3], ("retained", "retained_objects")))
lines = [json.loads(line) for line in open(sys.argv[3])]
retained = {line["group"]: (line["bytes"], line["objects"]) for line in lines if line["what"] == "retained"}
told = {key: (bytes_of[key], objects_of[key]) for key in bytes_of if objects_of[key] > 0}
sys.exit(told != retained or len(told) < 3)
PYTHON
done
# what is wasted, with what helps
for input in "made.hprof --waste" "made.hprof --deep"; do
  # shellcheck disable=SC2086
  expect 0 info $input; prints "null elements of arrays of objects, most of it"; prints "trim them once they are filled"
  # shellcheck disable=SC2086
  expect 0 info $input --json; prints '"kind":"empty_slots"'
  # shellcheck disable=SC2086
  expect 0 top $input --metric waste -n 1; prints "waste"
done
# in a pass of its own, or while the graph is built
expect 0 top made.hprof --waste --metric waste --json; cp "$work/out" apart.json
expect 0 top made.hprof --deep --metric waste --json; cp "$work/out" together.json
cmp -s apart.json together.json || fail "other waste with a graph than without"
expect 0 info made.hprof; grep -q waste "$work/out" && fail "waste that nobody asked for"
expect 0 whatif made.hprof --demolish 'Heap#java.lang' --json
cp "$work/out" whole.json
gzip -k made.hprof
expect 0 whatif made.hprof.gz --demolish java.lang --json
cmp -s "$work/out" whole.json || fail "packed, and by the end of a key, it is something else"
expect 0 whatif made.hprof --demolish java.lang -n 1
prints "retained by what goes"
says "more; -n says how many"
expect 2 whatif made.hprof
expect 2 whatif made.hprof --demolish nothing
says 'has no group "nothing"'
expect 2 whatif made.hprof --demolish strin
says 'has no group "strin"; perhaps "Heap#java.lang#Strin'
expect 2 whatif made.hprof made.hprof --demolish strin
says 'none of the dumps has a group "strin"; perhaps "'
expect 2 paths made.hprof --of strin
says 'has no group "strin"; perhaps "'
expect 2 whatif made.hprof --demolish strin --group-by datastructure,package,type
says 'perhaps "'
expect 2 whatif made.hprof --demolish x --group-by nothing
expect 1 whatif nowhere.hprof --demolish x
expect 3 whatif "$here/command.sh" --demolish x
head -c $(($(stat -c %s made.hprof) - 500)) made.hprof >cut.hprof
expect 3 whatif cut.hprof --demolish java.lang
says "incomplete"
expect 0 whatif cut.hprof --demolish java.lang --partial
says "incomplete"
# A long series: of each dump only one file is open at a time.
python3 "$here/hprof_maker.py" tiny.hprof --seed 1 --objects 12 --classes 8 || exit 1
# shellcheck disable=SC2046 # words
expect 0 whatif $(for _ in $(seq 300); do echo tiny.hprof; done) --demolish 'Heap#java.lang#String'
python3 "$here/hprof_maker.py" made.hprof --seed 3 --no-roots || exit 1
expect 0 whatif made.hprof --demolish java.lang
says "no GC root"
# What is asked of a graph without roots is kept as such.
expect 0 import made.hprof --retained -o made.mct
says "made.hprof: incomplete: it names no GC roots"
expect 0 why made.mct --json
says "it names no GC roots"
prints '"incomplete":[{"step":0,"reason":"it names no GC roots'
expect 0 import made.hprof -o made.mct
grep -q "no GC roots" "$work/err" && fail "without a graph nobody asks for roots: $(cat "$work/err")"

finish

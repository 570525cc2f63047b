#!/usr/bin/env bash
# What falls with what is demolished, in a session: the same as `memcity whatif` says, at every step, undone, saved.
. "$(dirname "$0")/../command.sh"
here=$(realpath "$(dirname "$0")/..")
memcity=$(realpath "$memcity")
cd "$work" || exit 1
. "$here/hprof_pair.sh"

freed() { # DUMP ARGUMENTS…: bytes and objects, as `whatif` has them
  expect 0 whatif "$@" --json -n 100000
  python3 -c 'import json, sys; told = json.load(open(sys.argv[1])); print(told["bytes"]); print(told["objects"])' "$work/out"
}
session() { # SCRIPT ARGUMENTS…
  local script=$1
  shift
  printf '%s\n' "$script" >script
  expect 0 "$@" --script script --headless
}
asked() { printf 'wait idle\nprint freed_bytes\nprint freed_objects\n'; }

{ freed made3.hprof --demolish 'Heap#java.lang'
  freed made3.hprof --demolish 'Heap#java.lang' --demolish 'Heap#(default)'
  freed made3.hprof --demolish 'Heap#java.lang'
  printf 'null\nnull\n'
  freed made3.hprof --demolish 'Heap#java.lang' --demolish 'Heap#(default)'; } >wanted
session "wait idle
select Heap#java.lang
demolish
$(asked)
select Heap#(default)
demolish
$(asked)
expect demolished [\"Heap#java.lang\",\"Heap#(default)\"]
undo
$(asked)
demolish.none
$(asked)
undo
wait idle
redo
wait idle
undo
wait idle
redo
wait idle
undo
select Heap#(default)
demolish
$(asked)
save both.json
quit" made3.hprof
grep -v '^Saved' "$work/out" >told
cmp -s told wanted || fail "a session tells $(tr '\n' ' ' <told), whatif $(tr '\n' ' ' <wanted)"

# on the command line, by the end of a key, and in a view
freed made3.hprof --demolish 'Heap#java.lang' --demolish 'Heap#(default)' >wanted
session "$(asked)" made3.hprof --demolish java.lang --demolish 'Heap#(default)'
cmp -s "$work/out" wanted || fail "--demolish tells $(cat "$work/out")"
session "$(asked)" both.json
cmp -s "$work/out" wanted || fail "an opened view tells $(cat "$work/out")"
session "$(asked)" --view both.json
cmp -s "$work/out" wanted || fail "--view tells $(cat "$work/out")"

# of a series each step has its own dump
{ freed made3.hprof --demolish 'Heap#java.lang'; freed made4.hprof --demolish 'Heap#java.lang'; } >wanted
cmp -s <(head -2 wanted) <(tail -2 wanted) && fail "both dumps free the same"
session "wait idle
step 0
wait idle
select Heap#java.lang
demolish
$(asked)
step 1
$(asked)" made4.hprof made3.hprof
cmp -s "$work/out" wanted || fail "of two steps: $(tr '\n' ' ' <"$work/out")"

# what holds no objects says how to come to an answer, and stands as before
expect 0 import made3.hprof -o made.mct
session 'wait idle
select Heap#java.lang
demolish
wait idle
expect demolished []
print freed_bytes' made.mct
prints null
says "counts objects and does not hold them"
says "memcity whatif DUMP.hprof"
# one that is cut off
head -c 100000 made3.hprof >cut.hprof
session "wait idle
select Heap#java.lang
demolish
$(asked)" cut.hprof --partial
finish

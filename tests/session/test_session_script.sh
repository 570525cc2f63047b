#!/usr/bin/env bash
# --script: what keys and buttons do, said by a file; and what is wrong with one. Without a window; with one: tests/window.
. "$(dirname "$0")/../command.sh"
unset DISPLAY WAYLAND_DISPLAY
opened=$(realpath "$http")
does() { # CODE LINES: a session that does them
  printf '%b' "$2" >"$work/script"
  expect "$1" view ${opened:+"$opened"} --script "$work/script" --headless
}

# ---- what the user can do
list=Heap#java.util#LinkedList
does 0 "# a comment\n\n  wait idle \r\n
expect step 25\nstep 3\nwait idle\nexpect step 3\nundo\nwait idle\nexpect step 25\nstep 3\nstep.next\nwait idle\nexpect step 4\nstep.last\nwait idle\nexpect step 25
select $list\nwait idle\nexpect selection $list\nexpect children 0
references.holder\nwait idle\ntrail.back\nwait idle\nexpect selection $list
search linkedlist\nwait idle\nexpect search linkedlist\nsearch.next\nwait idle\nexpect hit 0
set tiling binary\nset opaque_count 3\nwait idle\nexpect tiling binary\nexpect opaque_count 3
metric.next\nwait idle\nexpect city_metric objects
root Heap#java.util\nwait idle\nexpect root Heap#java.util\nroot.leave\nwait idle\nexpect root null
walk\nwait idle\nexpect walk_shown true\nescape\nselect.suspect 2\nwait idle
window.begin\nwindow.all\nwait idle\nexpect window [0,26]
theme\nexpect dark true\nsave $work/a view.json\nquit\n"
quiet
grep -q '"tiling":"binary"' "$work/a view.json" || fail "no view was saved"

# ---- several files of one trace are called by the first and the last, in pictures, too
profiles=$(realpath "$(dirname "$0")/../data/profiles")
printf 'wait idle\nexpect trace go-1.pb.gz to go-5.pb.gz\nquit\n' >"$work/script"
expect 0 view "$profiles"/go-1.pb.gz "$profiles"/go-5.pb.gz --script "$work/script" --headless
quiet
expect 0 tree "$profiles"/go-1.pb.gz "$profiles"/go-5.pb.gz -o "$work/tree.svg"
grep -q '>go-1.pb.gz to go-5.pb.gz' "$work/tree.svg" || fail "the picture has no title of both files"

# ---- what is wrong is said with its line
does 1 "wait idle\nexpect step 3\nquit\n"
says "$work/script:2: expected step to be 3, found 25"
does 1 "expect nonsense 3\n"
says "$work/script:1: expected nonsense to be 3, found no such field"
does 3 "theme\n\nfly away\n"
says "$work/script:3: there is no command \"fly away\""
does 3 "wait a minute\n"
says "$work/script:1: expected \"wait idle\", \"wait stopped\" or \"wait steps N\", found \"wait a minute\""
does 3 "step\n"
says "$work/script:1: its argument is missing: \"step\""
does 3 "theme dark\n"
says "$work/script:1: it takes no argument: \"theme dark\""
for wrong in "step 99:a step from 0 to 26" "step -1:a step from 0 to 26" "select No#Such:the full key of a node" \
  "set tiling round:one of squarify" "set nonsense 3:a setting of saved views" "search.show x:a row, from 0"; do
  does 3 "wait idle\n${wrong%%:*}\n"
  says "$work/script:2: expected ${wrong#*:}"
done
opened=
does 3 "wait idle\nstep.next\nquit\n"
says "$work/script:2: step.next: no trace is open"
finish

#!/usr/bin/env bash
# Collapsed stacks from outside: as methods in a frame of time, as they were recorded, as sites and calls; errors.
. "$(dirname "$0")/../command.sh"

stacks=$2/collapsed
mkdir "$work/series"
printf '[a tid=1];x/A.m 5\n[b tid=2];x/A.m 10\n' >"$work/series/p-1700000000100.collapsed"
printf '[a tid=1];x/A.m 10\n[a tid=1];x/A.n 0\n' >"$work/series/p-1700000000200.collapsed"

expect 0 info "$work/series"; prints "Package → Class → Method → Thread"; prints "time: time, time, a flow, additive"; quiet
expect 0 top "$work/series" --frame 200ms; prints "elevation"; prints "Class: A → Method: m"; quiet
expect 0 top "$work/series" --frame 100ms --metric threads; prints "threads"; quiet
expect 0 top "$work/series" --frame none --metric time; prints "Thread: a"; quiet
expect 0 layout "$work/series" --tsv; quiet
expect 2 top "$work/series" --frame 90ms; says "expected 0.1s to 60s, or none"
expect 2 top "$work/series" --frame x; says "expected 0.1s to 60s, or none"
expect 2 import "$work/series" --frame 1s -o "$work/x.mct"; says "as it was recorded"
expect 0 import "$work/series" -o "$work/x.mct"
expect 0 top "$work/x.mct"; prints "elevation"; quiet
expect 0 info "$stacks/perf.folded" --stacks sites; prints "Allocation Site → Caller"; quiet
expect 0 info "$stacks/go.folded" --stacks calls; prints "Call"; quiet
expect 0 top "$stacks/py-spy.txt" --sample-interval 1; prints "elevation"; quiet
printf 'a;b 1\na;b\n' >"$work/bad.collapsed"
expect 3 info "$work/bad.collapsed"; says "bad.collapsed:6: expected a stack"

finish

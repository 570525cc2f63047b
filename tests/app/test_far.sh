#!/usr/bin/env bash
# A heap that lies elsewhere, by a real sshd: what commands say there is what they say here.
# usage: test_far.sh PROGRAM DATA_FOLDER
. "$(dirname "$0")/../command.sh"
. "$(dirname "$0")/../far.sh"
maker=$(dirname "$0")/../hprof_maker.py
odd="a b's \$(touch hit) *[x]
\`c\`.hprof"
for seed in 1 2; do
  python3 "$maker" "$there/data/heap$seed.hprof" --seed $seed --objects 300 --classes 12 --id-size 8
done
cp "$there/data/heap1.hprof" "$there/data/$odd"
# A shell that says something before it does what it is told.
echo 'echo hello there' >"$there/.bashrc"

# the same as here, with the program copied once
expect 0 info "$there/data/heap1.hprof" --json
same=$(cat "$work/out")
for turn in first second; do
  expect 0 info ssh://prod"$there"/data/heap1.hprof --json
  [ "$(cat "$work/out")" = "$same" ] || fail "another answer than here, $turn: $(head -c 300 "$work/out")"
  [ "$(ls "$there/cache/memcity/far" | wc -l)" = 1 ] || fail "not one copy: $(ls "$there/cache/memcity/far")"
done
says "memcity: prod: warning: $there/data/heap1.hprof: "
# names are no words of a shell, and a pattern is expanded there
expect 0 info "ssh://prod$there/data/$odd" --json
expect 0 top "ssh://prod/~/data/heap[2-9].hprof" --json -n 1
prints growth
[ ! -e hit ] && [ ! -e "$there/hit" ] || fail "a name was run"
# what is wrong is said with the place's name, and ends with the code that it has here
expect 1 info ssh://prod/nowhere.hprof
says "memcity: prod: /nowhere.hprof: No such file or directory"
expect 1 info 'ssh://prod/nowhere/*.hprof'
says "memcity: prod: /nowhere/*.hprof: no file matches"
expect 2 info ssh://prod/x --nonsense
says "unknown option --nonsense"
head -c 200 "$there/data/heap1.hprof" >"$there/data/cut.hprof"
expect 3 info ssh://prod"$there"/data/cut.hprof
says "memcity: prod: $there/data/cut.hprof"
printf 'x' >"$there/data/"$'\033]0;t\007.hprof'
expect 3 info "ssh://prod$there/data/"$'\033]0;t\007.hprof'
! grep -q $'\033' "$work/err" || fail "the terminal is told what to do"
# nothing of an address is an option of ssh
expect 2 info "ssh://-oProxyCommand=touch $work/hit/x"
[ ! -e "$work/hit" ] || fail "an option of ssh"
expect 2 listen ssh://prod/x
# an address without a path is no trace, but a machine that can be asked
expect 2 why ssh://prod; says "ssh://prod names no file there; expected ssh://prod/PATH"
expect 0 doctor ssh://prod --tsv; prints "$(printf 'room\tthis folder\t')"
# words of a program that was started by another one, as an assistant's, go nowhere
sh -c 'MEMCITY_PARENT=$$ "$1" info ssh://prod"$2"; echo $?' sh "$memcity" "$there/data/heap1.hprof" >"$work/out" 2>"$work/err"
prints 1
! grep -q "memcity: prod" "$work/err" || fail "a child went elsewhere"
# files that are written come here; SQL may come from a pipe
expect 0 import ssh://prod"$there"/data/heap1.hprof -o "$work/got.mct"
expect 0 info "$work/got.mct" --json
expect 0 export ssh://prod"$there"/data/heap1.hprof --format default -o "$work/exported"
[ -n "$(find "$work/exported" -name '*.json')" ] || fail "no folder came"
echo 'SELECT count(*) AS n FROM objects' | "$memcity" query ssh://prod"$there"/data/heap2.hprof --tsv >"$work/out" 2>/dev/null || fail "query"
[ "$(tail -1 "$work/out")" -gt 100 ] || fail "no objects: $(cat "$work/out")"
# what draws gets the trace, once, until the file there is another
draw() { expect 0 tree ssh://prod"$there"/data/heap1.hprof --paths -o "$work/tree.svg"; find "$work/cache/memcity/far" -name '*.mct' | sort; }
first=$(draw) second=$(draw)
[ -n "$first" ] && [ "$first" = "$second" ] || fail "fetched twice: $first $second"
grep -qF "ssh://prod" "$(dirname "$first")/words" || fail "nobody knows where it came from"
# … and what falls without a group is asked there, as it is here
asks() { # ADDRESS STEP PATH: a session's answer is that of memcity whatif
  expect 0 whatif "$3" --demolish 'Heap#(primitive)' --json -n 100000
  python3 -c 'import json, sys; told = json.load(open(sys.argv[1])); print(told["bytes"]); print(told["objects"])' "$work/out" >"$work/wanted"
  printf 'wait idle\nstep %s\nselect Heap#(primitive)\ndemolish\nwait idle\nprint freed_bytes\nprint freed_objects\nsave %s\nquit\n' "$2" "$work/fallen.json" >"$work/script"
  timeout 100 "$memcity" "$1" --paths --headless --no-settings --script "$work/script" 2>"$work/err" | grep -v Saved >"$work/told"
  cmp -s "$work/told" "$work/wanted" || fail "what falls there: $(tr '\n' ' ' <"$work/told"), here: $(tr '\n' ' ' <"$work/wanted"): $(head -c 400 "$work/err")"
}
asks "ssh://prod$there/data/heap1.hprof" 0 "$there/data/heap1.hprof"
# but a view that says so connects to nothing
printf 'wait idle\nprint freed_bytes\nprint message\nquit\n' >"$work/script"
expect 0 view "$work/fallen.json" --headless --no-settings --script "$work/script"
prints null; prints "demolish it yourself to ask there"
expect 0 view --view "$work/fallen.json" --headless --no-settings --script "$work/script"
prints null
touch "$there/data/heap1.hprof"
[ "$(draw | wc -l)" = 2 ] || fail "what changed there is not read again"
# A window opens addresses as it goes: what it says of them, and that it cancels them. A view connects to nothing.
printf '#!/bin/sh\ntouch "%s/asked"\nwhile read -r line; do :; done\n' "$work" >"$work/bin/hang"
chmod +x "$work/bin/hang"
printf 'Host hang\n  ProxyCommand %s\n' "$work/bin/hang" >>"$work/ssh/config"
opens() { # SCRIPT ARGUMENTS…: its lines
  printf '%s\n' "$1" >"$work/script"
  timeout 100 "$memcity" view --headless --no-settings --script "$work/script" "${@:2}" >"$work/out" 2>"$work/err" </dev/null || fail "a session with $1: $(head -c 400 "$work/err")"
}
one=ssh://prod$there/data/heap1.hprof two=ssh://prod/~/data/heap2.hprof
opens "wait idle
open $one
wait idle
expect step_count 1
expect message null
print trace
open ssh://prod$there/data/heap1.hprof
wait idle
expect message null
open ssh://prod/nowhere.hprof
wait idle
print message
print trace
open ssh://hang/x.hprof
cancel
wait idle
print trace
expect task idle" "$http"
prints "prod: /nowhere.hprof: No such file or directory"
[ "$(grep -c 'prod_heap1.hprof.mct' "$work/out")" = 3 ] || fail "not the trace from there: $(cat "$work/out")"
says "warning: prod: $there/data/heap1.hprof: "
opens "open $two
wait idle
print trace"
prints "prod_heap2.hprof.mct"
rm -f "$work/asked"
not_hanging() { ! pgrep -f "$work/ssh/config .*hang" >/dev/null; }
printf 'open ssh://hang/x.hprof\nwait idle\n' >"$work/script"
"$memcity" view --headless --no-settings --script "$work/script" "$http" 2>/dev/null &
client=$!
eventually test -e "$work/asked"
kill -KILL $client && wait $client 2>/dev/null # what connects ends with it
eventually not_hanging
rm -f "$work/asked"
echo 'wait idle' >"$work/script"
printf '{"memcity_view":1,"trace":["ssh://hang/x.hprof"]}\n' >"$work/view.json"
run 1 timeout 60 "$memcity" view --headless --no-settings --script "$work/script" "$work/view.json"
run 1 timeout 60 "$memcity" view --headless --no-settings --script "$work/script" --view "$work/view.json"
[ ! -e "$work/asked" ] || fail "a view connects by itself"
# two places, or one and this one
expect 0 diff ssh://prod"$there"/data/heap1.hprof "$there/data/heap2.hprof" --json
expect_nothing_left
finish

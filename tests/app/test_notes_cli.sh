#!/usr/bin/env bash
# Notes of steps: from a file, into an .mct file and on; told by info and the report, and in a session without a window.
. "$(dirname "$0")/../command.sh"
unset DISPLAY WAYLAND_DISPLAY
export XDG_CONFIG_HOME=$work/config XDG_DATA_HOME=$work/share
cd "$work" || exit 1
second=$("$memcity" info "$http" --json | grep -oE '"time":[0-9]+' | sed -n '5s/.*://p')

printf '# what happened\n3\tdeploy & <restart>\n%sms\tload test begins\n3\tfull GC\n' "$second" >notes.tsv
expect 0 info "$http" --notes notes.tsv; quiet; prints ': deploy & <restart>; full GC'; prints 'step 4 at '
expect 0 info "$http" --notes notes.tsv --json
mv "$work/out" info.json
run 0 python3 -c '
import json, sys
print(json.load(open(sys.argv[1]))["notes"] == [{"step": 3, "note": "deploy & <restart>; full GC"}, {"step": 4, "note": "load test begins"}])' info.json
prints True
expect 0 info "$http" --json; grep -q '"notes"' "$work/out" && fail "notes of nobody"

# Kept by import, and by another one; given anew to one step.
expect 0 import "$http" --notes notes.tsv -o a.mct; quiet
[ "$(sqlite3 a.mct 'SELECT note FROM step_note JOIN step ON step = id ORDER BY time_ms' | tr '\n' ',')" = "deploy & <restart>; full GC,load test begins," ] || fail "the table"
printf '4\tother\n' >more.tsv
expect 0 import a.mct --notes more.tsv -o b.mct; quiet
expect 0 info b.mct; prints ': deploy & <restart>; full GC'; prints 'other'; grep -q 'load test' "$work/out" && fail "an old note"
expect 0 import a.mct --group-by type -o c.mct; expect 0 info c.mct; prints ': deploy & <restart>'
printf '%064d' 7 >key; chmod 600 key
expect 0 import a.mct --hash-names key -o hidden.mct; says '--hash-names omits notes on steps, which are plain text: 2'
# Notes name anything: a key hides none, so none is written, wherever they come from.
expect 0 import "$http" --notes notes.tsv --hash-names key -o given.mct; says 'plain text: 3'
expect 0 import a.mct --notes more.tsv --hash-names key -o both.mct; says 'plain text: 3'
expect 0 export a.mct --rows --hash-names key -o a.tsv; says 'plain text: 2'
expect 0 export "$http" --notes notes.tsv --format default --hash-names key -o hidden-json; says 'plain text: 2'
grep -rqaE 'deploy|load test|full GC|other' given.mct hidden.mct both.mct a.tsv hidden-json && fail "a note in plain text"
expect 0 import given.mct --notes notes.tsv -o noted.mct
expect 0 import noted.mct --unhash key -o shown.mct; quiet; expect 0 info shown.mct; prints ': deploy & <restart>'
for mode in 0640 0604 0644; do
  chmod $mode key
  expect 0 import "$http" --hash-names key -o open.mct; says "key: other users can read this key (mode $mode)"
  expect 0 import hidden.mct --unhash key -o open.mct; says "(mode $mode)"
done
chmod 400 key; expect 0 import "$http" --hash-names key -o open.mct; quiet
[ "$(sqlite3 hidden.mct "SELECT count(*) FROM sqlite_schema WHERE name = 'step_note'")" = 0 ] || fail "notes of hidden names"
expect 0 import "$http" -o none.mct
[ "$(sqlite3 none.mct "SELECT count(*) FROM sqlite_schema WHERE name = 'step_note'")" = 0 ] || fail "a table of nothing"
expect 0 merge one=a.mct two=none.mct --under host -o merged.mct
expect 0 info merged.mct; prints 'one: deploy & <restart>'
expect 0 export a.mct --format default -o json; says 'notes of steps'
expect 0 report a.mct -o report.html --no-pictures
grep -q '<g class=mark>' report.html || fail "no mark in the report"
grep -q 'deploy &amp; &lt;restart&gt;; full GC</li>' report.html || fail "no list in the report"

# What a user writes of an error is no dump's word on who threw it.
printf '26\tOutOfMemoryError in production\n' >error.tsv
expect 0 why "$http" --window 0:26 --notes error.tsv
! grep -q 'was left by' "$work/out" || fail "a note is taken for a dump's"

# One error, and nothing written.
printf '3\tfine\n4 no tab\n' >bad.tsv
expect 3 import "$http" --notes bad.tsv -o x.mct; says 'bad.tsv: line 2, column 1: expected'
printf '27\tbehind\n' >behind.tsv
expect 3 import "$http" --notes behind.tsv -o x.mct; says 'behind.tsv: line 1, column 1: no such step'
expect 3 info "$http" --notes behind.tsv; says 'line 1, column 1'
expect 1 info "$http" --notes nothing.tsv; says 'nothing.tsv'
expect 2 report "$http" -o x.html --versus a.mct --notes notes.tsv; says '--notes belongs to one trace'
expect 2 merge one=a.mct two=none.mct --notes notes.tsv -o x.mct; says '--notes'
[ ! -e x.mct ] || fail "x.mct is there"

# In a session: from one to the next, another one, undone, saved with the view.
session() { # CODE LINES [OPTIONS…]
  local wanted=$1 lines=$2
  shift 2
  printf '%b' "wait idle\n$lines" >script
  expect "$wanted" "$@" --script script --headless
}
session 0 "step 0\nnote.next\nwait idle\nexpect step 3\nprint said\nnote.next\nwait idle\nexpect step 4\nnote.next\nwait idle\nprint said\nexpect step 4
note.previous\nwait idle\nexpect step 3\nexpect note deploy & <restart>; full GC\nnote rollback\nwait idle\nexpect note rollback\nundo\nwait idle\nexpect note deploy & <restart>; full GC
redo\nwait idle\nstep 9\nwait idle\nexpect note null\nnote late\nwait idle\nstep 4\nnote -\nwait idle\nexpect note null\nsave view.json\n" a.mct
prints 'Step 3: deploy & <restart>; full GC'; prints 'No step after this one has a note.'
session 0 "step 3\nwait idle\nexpect note rollback\nnote.next\nwait idle\nexpect step 9\nexpect note late\nnote.next\nwait idle\nexpect step 9\n" a.mct --view view.json
session 0 "note.next\nnote.previous\nstep 5\nnote $(printf 'x%.0s' $(seq 2000))\nwait idle\nnote.next\n" none.mct
session 0 "step 3\nwait idle\nexpect note deploy & <restart>; full GC\n" "$http" --notes notes.tsv
session 3 "" "$http" --notes behind.tsv; says "line 1, column 1"
# A view's notes come from anywhere.
sed 's/"notes":"[^"]*"/"notes":"3 a\\u001b[2Jb\\nx\\n\\n99999999999 z\\n-1 y\\n7"/' view.json >odd.json
session 0 "step 3\nwait idle\nprint note\nnote.next\nnote.next\n" a.mct --view odd.json
grep -q "$(printf '\033')" "$work/out" && fail "a control character"
finish

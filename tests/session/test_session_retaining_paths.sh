#!/usr/bin/env bash
# How the roots hold the selection, in a session: the list is what `memcity paths` says, streets are as many as are wished.
. "$(dirname "$0")/../command.sh"
here=$(realpath "$(dirname "$0")/..")
memcity=$(realpath "$memcity")
cd "$work" || exit 1
. "$here/hprof_pair.sh"
expect 0 import made3.hprof made4.hprof --paths -o made.mct
expect 0 import made3.hprof made4.hprof -o plain.mct

session() { # TRACE SCRIPT
  printf '%b' "$2" >script
  expect 0 view "$1" --script script --headless
}
count_rows() { # KEY STEP: without the roots
  expect 0 paths made.mct --of "$1" --step "$2" --tsv
  echo $(($(wc -l <"$work/out") - 2))
}
# The leaf that the most ways lead to.
key=$(sqlite3 made.mct "SELECT replace(path, ' > ', '#') FROM retaining_path WHERE path LIKE '% > % > %' GROUP BY path ORDER BY count(*) DESC, path LIMIT 1")
[ -n "$key" ] || fail "no leaf is held"
for step in 0 1; do
  rows=$(count_rows "$key" $step)
  session made.mct "wait idle\nstep $step\nselect $key\nwait idle\nexpect held_rows $rows\nexpect held_step $step\nprint streets\n"
  streets=$(tail -1 "$work/out")
done
[ "$rows" -gt 1 ] && [ "$streets" -gt 0 ] || fail "$key: $rows rows, $streets streets"
session made.mct "wait idle\nselect $key\nwait idle\nset most_streets 1\nwait idle\nexpect streets 1\nstreets\nwait idle\nexpect streets 0\nstreets
streets.more\nwait idle\nexpect most_streets 3\nstreets.fewer\nexpect most_streets 1\nheld.show 0\nwait idle\nprint selection\nsave saved.json\n"
[ "$(tail -1 "$work/out")" != "\"$key\"" ] || fail "held.show: $(tail -1 "$work/out")"
grep -q '"most_streets": *1' saved.json || fail "it is not saved: $(grep streets saved.json)"
# Nothing is selected, another trace, one without paths.
session made.mct "wait idle\nexpect held_rows 0\nexpect streets 0\nselect $key\nwait idle\nopen $work/plain.mct\nwait idle\nselect $key\nwait idle
expect held_rows 0\nexpect streets 0\n"
finish

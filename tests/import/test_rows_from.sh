#!/usr/bin/env bash
# Rows from a command: there is a trace only if it ends well. With servers that die: tests/fleet.
. "$(dirname "$0")/../command.sh"
memcity=$(realpath "$memcity")
cd "$work" || exit 1
printf 'time\tgroup\tobjects\tbytes\n1\ta\t1\t8\n2\ta\t2\t16\n' >rows.tsv

expect 0 import --rows rows.tsv -o whole.mct
expect 0 import --rows-from 'cat rows.tsv' -o fleet.mct
expect 0 info fleet.mct --json
mv "$work/out" info.json
expect 0 info whole.mct --json
cmp -s info.json "$work/out" || fail "another trace than from the file"
cp fleet.mct before.mct

# refused CODE COMMAND TEXT: no trace of it, neither in place of another nor anew, and nothing beside it
refused() {
  local target
  for target in fleet.mct new.mct; do
    expect "$1" import --rows-from "$2" -o $target
    says "$3"
  done
  cmp -s before.mct fleet.mct || fail "another trace than before: $2"
  [ "$(echo fleet.mct* new.mct*)" = "fleet.mct new.mct*" ] || fail "something is left: $(echo fleet.mct* new.mct*)"
}
refused 1 'cat rows.tsv; exit 3' 'ended with exit code 3: its rows are incomplete'
refused 1 'cat rows.tsv; kill -KILL $$' 'was ended by signal 9'
refused 1 'head -c 34 rows.tsv; exit 1' 'ended with exit code 1' # and no whole row
refused 1 'exit 2' 'ended with exit code 2'
# It goes on writing what is no rows: it is ended, and what is wrong with the rows counts.
refused 3 'yes' 'expected a header line'

# What it says goes where ours goes.
expect 0 import --rows-from 'echo well >&2; cat rows.tsv' -o fleet.mct
says well
expect 2 import --rows-from 'cat rows.tsv' rows.tsv -o fleet.mct
says "can't be combined"
expect 2 import -o fleet.mct
says 'a trace or --rows-from is missing'
finish

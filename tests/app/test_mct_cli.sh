#!/usr/bin/env bash
# memcity import and export from outside, on the recorded traces; the growth in plain SQL.
. "$(dirname "$0")/../command.sh"
data=$2

for archive in "$data"/traces/*.tar.*; do
  name=$(basename "$archive")
  name=${name%.tar.*}
  mkdir -p "$work/in"
  tar xf "$archive" -C "$work/in"
  for format in default anttracks; do
    input=$work/in/$name/$format-format
    expect 0 import "$input" -o "$work/$name.mct"
    expect 0 export "$work/$name.mct" --format "$format" -o "$work/out-$name"
    # 250 MB more: test_mct_export
    [ "$name" = perfetto ] || ! compares "$format" || run 0 python3 "$data/../compare_json.py" "$input" "$work/out-$name/$format-format"
    # Every command says the same of both.
    for command in "info" "top -n 30 --metric objects" "top -n 30 --json" "layout --tsv" "city --tsv"; do
      # shellcheck disable=SC2086
      "$memcity" $command "$input" 2>/dev/null | grep -v '^memory\|^input' >"$work/a"
      # shellcheck disable=SC2086
      "$memcity" $command "$work/$name.mct" 2>/dev/null | grep -v '^memory\|^input' >"$work/b"
      [ -s "$work/a" ] || fail "$command says nothing of $input"
      cmp -s "$work/a" "$work/b" || fail "$command says something else of $name.mct ($format)"
    done
  done
done

# What grew, asked with the stock shell, against `memcity top`.
trace=$work/javac-daemon.mct
if command -v sqlite3 >"$work/out"; then
  for metric in bytes objects; do
    sqlite3 "$trace" "SELECT ${metric}_growth FROM growth ORDER BY ${metric}_growth DESC LIMIT 10" >"$work/a"
    "$memcity" top "$trace" --metric $metric -n 10 --json |
      sed -n 's/.*"growth":\(-*[0-9]*\)}.*/\1/p' >"$work/b"
    cmp -s "$work/a" "$work/b" || fail "growth of $metric in SQL"
  done
  [ "$(sqlite3 "$trace" 'SELECT path FROM growth ORDER BY growth DESC LIMIT 1')" = "Heap > (primitive) > byte[]" ] ||
    fail "path of what grew the most"
  [ "$(sqlite3 "$trace" 'PRAGMA integrity_check')" = ok ] || fail "integrity check"
  # The table of nodes is filled as another one than it is declared as.
  case $(sqlite3 "$trace" 'EXPLAIN QUERY PLAN SELECT * FROM node WHERE id = 7') in
  *"INTEGER PRIMARY KEY"*) ;;
  *) fail "nodes have no key" ;;
  esac
  [ "$(sqlite3 "$trace" "SELECT count(*) FROM node WHERE typeof(id) != 'integer' OR typeof(bytes_growth) != 'integer'")" = 0 ] ||
    fail "columns of nodes"
  sqlite3 "$trace" "VACUUM INTO '$work/vacuumed.mct'"
  sqlite3 "$trace" .dump | sqlite3 "$work/dumped.mct"
  sqlite3 "$trace" 'SELECT * FROM node; SELECT * FROM growth' >"$work/a"
  for copy in vacuumed dumped; do
    sqlite3 "$work/$copy.mct" 'SELECT * FROM node; SELECT * FROM growth' | cmp -s "$work/a" - || fail "nodes once they are $copy"
  done
fi

# Folders are made, with what they are in.
expect 0 export "$trace" --format anttracks -o "$work/new/folder/of/it"
diff -rq "$work/out-javac-daemon/anttracks-format" "$work/new/folder/of/it/anttracks-format" || fail "what is exported a second time"
# What lies there of before is said: it would be read with what is written.
expect 0 export "$trace" --format anttracks -o "$work/new/folder/of/it"; quiet
for name in 7.json 8.json.gz; do touch "$work/new/folder/of/it/anttracks-format/$name"; done
expect 0 export "$trace" --format anttracks -o "$work/new/folder/of/it"
says "the folder contains other files that would be read as part of the trace: 2"

# Killed at any moment, into a new file and over another one: the next import is whole, and nothing else is left.
mkdir "$work/killed"
"$memcity" top "$trace" --json >"$work/a"
# Each of four rounds over one file meets each delay.
rounds=32
! sanitized || rounds=8
for round in $(seq $rounds); do
  [ $((round % 4)) -ne 0 ] || rm -f "$work/killed/"*
  "$memcity" import "$trace" -o "$work/killed/x.mct" 2>"$work/err" &
  sleep 0.0$(((round + round / 8) % 8))
  kill -KILL $! 2>/dev/null
  wait $! 2>/dev/null
  expect 0 import "$trace" -o "$work/killed/x.mct"
  "$memcity" top "$work/killed/x.mct" --json >"$work/b" 2>"$work/err"
  cmp -s "$work/a" "$work/b" || fail "killed, and imported anew: $(head -c 300 "$work/err")"
  [ "$(ls "$work/killed")" = x.mct ] || fail "left beside: $(ls "$work/killed")"
done

# Times and counts as far apart as they can be: the same for all commands, and no number is made up.
python3 -c '
import json
def step(time, value):
    leaves = [{"key": "H#" + k, "name": k, "role": "T", "bytes": v, "objects": v} for k, v in (("a", value), ("b", 1))]
    return {"time": time, "root": {"key": "H", "name": "H", "role": "", "bytes": value + 1, "objects": value + 1, "children": leaves}}
most = 2**62 - 1
far = [step(t, v) for t, v in ((-most, 0), (-most + 1, 2**61), (0, 2**62), (1, 2**62 + 2**61), (most - 1, 2**62 + 2**61 + 2**60), (most, 2**63 - 2))]
json.dump(far, open("'"$work"'/far.json", "w"))
json.dump(far[2:4], open("'"$work"'/steep.json", "w"))
for name, time in ("early", -2**63), ("late", 2**62):
    json.dump(step(time, 1), open("'"$work"'/%s.json" % name, "w"))
'
expect 0 import "$work/far.json" -o "$work/far.mct"
for input in far.json far.mct; do
  expect 0 info "$work/$input" --json; prints '"time":-4611686018427387903'; prints '"time":4611686018427387903'
  expect 0 top "$work/$input" --trend
  expect 0 report "$work/$input" --no-pictures -o "$work/far.html"
  expect 4 gate "$work/$input" --rule '**: +0'
  expect 0 walk "$work/$input"
done
expect 0 top "$work/steep.json" --metric objects --trend; prints "+8.30e+24"
grep -q "9,000,000,000,000,000,000" "$work/out" && fail "a slope that is beyond 64 bits looks like a number"
expect 4 gate "$work/steep.json" --rule '**: +0/h' --metric objects; prints "+8.30e+24/h"
for name in early late; do
  for command in info "import -o $work/x.mct" "export -o $work/x"; do
    # shellcheck disable=SC2086
    expect 3 $command "$work/$name.json"; says "$name.json:9: time: expected a time from -4611686018427387903 to 4611686018427387903 ms"
  done
done

# What can't be.
expect 2 import "$trace"
expect 2 export "$trace"
expect 2 export "$trace" --format xml -o "$work/x"
expect 2 import "$trace" -o "$trace"
expect 3 info "$trace" "$trace"
expect 1 import "$work/nothing" -o "$work/x.mct"
[ ! -e "$work/x.mct" ] || fail "a file is left behind"
echo '{"time":1,"root":' >"$work/bad.json"
expect 3 import "$work/bad.json" -o "$work/x.mct"
[ ! -e "$work/x.mct" ] || fail "half a file is left behind"
expect 1 import "$trace" -o "$work/bad.json"
grep -q '"time"' "$work/bad.json" || fail "an input was overwritten"
head -c 100000 "$trace" >"$work/cut.mct"
expect 3 info "$work/cut.mct"
says "cut.mct: the file is cut short: its last $(($(stat -c %s "$trace") - 100000)) bytes are missing"
: >"$work/empty.hprof"
expect 3 info "$work/empty.hprof"; says "empty.hprof:0: expected a step, but the file is empty"
expect 3 info "$trace" "$trace"; says "--versus"
expect 0 import "$trace" -o "$work/again.mct"
expect 0 import "$trace" -o "$work/again.mct" # replaces it
expect 3 import "$work/bad.json" -o "$work/again.mct" # which stays
cmp -s <("$memcity" top "$trace") <("$memcity" top "$work/again.mct") || fail "a copy says something else"

finish

#!/usr/bin/env bash
# Rows in and out from outside: pipes, commands that fail, interrupts, what is left behind.
. "$(dirname "$0")/../command.sh"
data=$2

for archive in "$data"/traces/*.tar.*; do
  name=$(basename "$archive")
  name=${name%.tar.*}
  trace=$traces/$name
  [ -d "$trace" ] || continue
  [ "$name" = httpclient-3.0.1 ] && forms="tsv csv" || forms=tsv
  sanitized && [ "$name" != httpclient-3.0.1 ] && continue
  for form in $forms; do
    expect 0 export "$trace" --rows --$form -o "$work/rows" --references "$work/references"
    "$memcity" export "$trace" --rows --$form >"$work/piped" 2>"$work/err" || fail "export to a pipe"
    cmp -s "$work/rows" "$work/piped" || fail "rows to a pipe are others"
    "$memcity" import --rows - --references "$work/references" -o "$work/$form.mct" <"$work/rows" 2>"$work/err" ||
      fail "import of $name: $(cat "$work/err")"
    # Every command says the same of what came back.
    for command in "info" "top -n 30 --metric objects" "top -n 30 --json" "layout --tsv" "city --tsv"; do
      # shellcheck disable=SC2086
      "$memcity" $command "$trace" 2>/dev/null | grep -v '^memory\|^input' >"$work/a"
      # shellcheck disable=SC2086
      "$memcity" $command "$work/$form.mct" 2>/dev/null | grep -v '^memory\|^input' >"$work/b"
      [ -s "$work/a" ] || fail "$command says nothing of $name"
      cmp -s "$work/a" "$work/b" || fail "$command says something else of $name as $form"
    done
  done
done

# In any order, and recognised by content, packed.
expect 0 export "$http" --rows -o "$work/rows"
{ head -1 "$work/rows"; tail -n +2 "$work/rows" | shuf --random-source="$memcity"; } >"$work/shuffled.tsv"
expect 0 import --rows "$work/shuffled.tsv" -o "$work/shuffled.mct"
expect 0 import --rows --unordered "$work/rows" -o "$work/sorted.mct"
gzip -c "$work/rows" >"$work/rows.tsv.gz"
"$memcity" top "$http" -n 20 2>/dev/null >"$work/a"
for input in "$work/shuffled.mct" "$work/sorted.mct" "$work/rows.tsv.gz"; do
  "$memcity" top "$input" -n 20 2>/dev/null >"$work/b"
  cmp -s "$work/a" "$work/b" || fail "$input says something else"
done
expect 0 import --rows "$work/rows" --group-by Type -o "$work/grouped.mct"
expect 0 info "$work/grouped.mct"
prints "Type"

# A reader that has seen enough.
"$memcity" export "$http" --rows 2>"$work/err" | head -1 >"$work/out"
[ "${PIPESTATUS[0]}" -eq 0 ] || fail "a pipe that was closed early: $(cat "$work/err")"
[ ! -s "$work/err" ] || fail "a pipe that was closed early is complained of: $(cat "$work/err")"
expect 1 export "$http" --rows -o /dev/full
expect 2 export "$http" --rows --tsv --csv
expect 2 export "$http" --csv -o "$work/x"
expect 2 export "$http" --rows --references -

# Definitions of tables.
expect 0 export "$http" --rows --ddl clickhouse
prints 'CREATE TABLE `heap` ('
prints '`Package` Nullable(String)'
prints 'CREATE TABLE `heap_references` ('
expect 0 export "$http" --rows --ddl postgres --table fleet -o "$work/ddl"
grep -qF '"bytes" bigint NOT NULL' "$work/ddl" || fail "definition for PostgreSQL"
expect 0 export "$http" --rows --ddl spark
prints 'USING parquet'

# What is wrong is told with its line, and leaves nothing.
clean() { # NAME: neither it nor anything beside it
  ls "$work" | grep -q "^$1" && fail "something is left: $(ls "$work" | grep "^$1" | head -3)"
}
printf 'time\thost\tobjects\n1\ta\t1\n1\tb\tx\n' >"$work/wrong"
expect 3 import --rows "$work/wrong" -o "$work/w.mct"
says 'wrong:3: column "objects": expected a whole number'
clean w.mct
# Of several columns of digits nobody knows which are metrics.
printf 'time,host,port,pid,objects\n1,a,80,7,1\n' >"$work/ports"
expect 3 import --rows "$work/ports" -o "$work/w.mct"
says 'ports:1: the columns "port", "pid" hold numbers alone: say which of them are metrics (import --metrics port,pid)'
clean w.mct
expect 0 import --rows "$work/ports" --metrics pid -o "$work/ports.mct"; quiet
expect 0 export "$work/ports.mct" --rows --csv -o "$work/ports.csv"; expect 0 info "$work/ports.csv"; quiet
expect 0 import --rows "$work/ports" --metrics port,pid -o "$work/ports.mct"; expect 0 export "$work/ports.mct" --rows; prints 'port[metric]'
"$memcity" export "$work/ports.mct" --rows | "$memcity" import --rows - -o "$work/ports.mct" || fail "two metrics came back otherwise"
# What PostgreSQL leaves without quotes.
printf 'time,host,objects\n1,a,1\n1,\\N,1\n' >"$work/null.csv"
expect 0 import --rows "$work/null.csv" -o "$work/null.mct"
says 'null.csv:3: column "host": \N without quotes is taken for NULL'; says 'FORCE_QUOTE *'
printf 'time,host,objects\n1,"a",1\n1,"\\N",1\n2,\\N,1\n' >"$work/null.csv"
expect 0 import --rows "$work/null.csv" -o "$work/null.mct"; quiet
printf 'time\thost\tobjects\n\\N\ta\t1\n' >"$work/null.tsv"
expect 3 import --rows "$work/null.tsv" -o "$work/w.mct"; says 'column "time": expected a time, which NULL is none of'
expect 1 import --rows "$work/none" -o "$work/w.mct"
expect 1 import --rows-from "cat '$work/rows'; exit 7" -o "$work/w.mct"
says "exit code 7"
clean w.mct
expect 1 import --rows-from "cat '$work/rows'; kill -9 \$\$" -o "$work/w.mct"
says "signal 9"
clean w.mct
expect 0 import --rows-from "cat '$work/rows'" -o "$work/kept.mct"
cp "$work/kept.mct" "$work/copy.mct"
expect 1 import --rows-from "head -c 100000 '$work/rows' | grep . ; false" -o "$work/kept.mct"
cmp -s "$work/kept.mct" "$work/copy.mct" || fail "a command that failed has changed what was there"
head -c 100001 "$work/rows" >"$work/cut"
expect 3 import --rows "$work/cut" -o "$work/w.mct"
says "cut off"
expect 0 import --rows "$work/cut" --partial -o "$work/partial.mct"
says "left out"
expect 2 import --rows - --references - -o "$work/w.mct"
expect 2 import --csv "$work/rows" -o "$work/w.mct"
expect 2 import --classifiers a "$http" -o "$work/w.mct"
expect 2 import -o "$work/w.mct"

# Names that only who has the key can read.
printf '%064d\n' 7 >"$work/key"
printf '%064d\n' 8 >"$work/other-key"
expect 0 import "$http" -o "$work/plain.mct"
expect 0 import "$http" --hash-names "$work/key" -o "$work/hidden.mct"
expect 0 import "$work/plain.mct" --hash-names "$work/key" -o "$work/again.mct"
expect 0 import "$work/hidden.mct" --unhash "$work/key" -o "$work/shown.mct"
expect 0 export "$work/plain.mct" --rows --hash-names "$work/key" -o "$work/hidden.tsv"
for kind in "plain shown" "hidden again"; do
  set -- $kind
  for command in info "top -n 50 --json" "layout --tsv"; do
    # shellcheck disable=SC2086
    "$memcity" $command "$work/$1.mct" 2>/dev/null | grep -v '^memory\|^input' >"$work/a"
    # shellcheck disable=SC2086
    "$memcity" $command "$work/$2.mct" 2>/dev/null | grep -v '^memory\|^input' >"$work/b"
    cmp -s "$work/a" "$work/b" || fail "$command says something else of $2.mct"
  done
done
grep -qaiE 'java|httpclient|hashmap' "$work/hidden.mct" "$work/hidden.tsv" && fail "a name can be read"
# Packages stay packages: as many marks, and what is equal stays equal.
cut -f2-4 "$work/hidden.tsv" | tail -n +2 | tr -cd '.$[' | sort | wc -c >"$work/a"
"$memcity" export "$work/plain.mct" --rows 2>/dev/null | cut -f2-3 | tail -n +2 | tr -cd '.$[' | sort | wc -c >"$work/b"
cmp -s "$work/a" "$work/b" || fail "marks between parts of names"
expect 1 import "$work/hidden.mct" --unhash "$work/other-key" -o "$work/w.mct"
says "no name was hidden"
clean w.mct
expect 3 import "$http" --hash-names "$work/rows" -o "$work/w.mct"
says "64 hexadecimal digits"
expect 1 import "$http" --hash-names "$work/none" -o "$work/w.mct"
clean w.mct
expect 2 import "$http" --hash-names "$work/key" --unhash "$work/key" -o "$work/w.mct"

# An interrupt while a pipe is waited for.
mkfifo "$work/pipe"
sleep 60 >"$work/pipe" &
writer=$!
"$memcity" import --rows - -o "$work/w.mct" <"$work/pipe" 2>"$work/err" &
reader=$!
while [ ! -e "$work/w.mct" ] && kill -0 $reader 2>/dev/null; do sleep 0.05; done
kill -TERM $reader
wait $reader
[ $? -eq 1 ] || fail "an import that was stopped"
kill $writer
wait $writer 2>/dev/null
clean w.mct
finish

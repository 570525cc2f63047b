#!/usr/bin/env bash
# Many traces as one: against an independent computation over what is exported of them, in any order and as a tree of merges;
# what is held, links, wrong input, and what is there when it ends early.
. "$(dirname "$0")/../command.sh"
here=$(cd "$(dirname "$0")/.." && pwd)
memcity=$(realpath "$memcity")
reference=$here/merge_reference.py
cd "$work" || exit 1

exported() { # FILE FOLDER
  rm -rf "$2"
  expect 0 export "$1" --format default -o "$2"
}

# ---- parts: files and folders of both forms, with metrics, own shares, references and odd names
seeds="1 2"
! sanitized || seeds=1
for seed in $seeds; do
  rm -rf parts ./*.mct
  python3 "$reference" make parts "$seed" || fail "can't make parts"
  named=()
  for i in 0 1 2 3 4; do
    exported "parts/part$i" "plain$i"
    named+=("part$i=plain$i")
    [ "$i" -eq 3 ] || expect 0 import "parts/part$i" -o "part$i.mct"
  done
  all=(part0.mct part1.mct part2.mct part3=parts/part3 part4.mct)
  # alignment, which one is taken, how long it is held, and the options that say so
  while read -r alignment which hold options; do
    # shellcheck disable=SC2086 # several words
    expect 0 merge "${all[@]}" -o all.mct --under host $options
    quiet
    exported all.mct at_once
    python3 "$reference" check at_once host "$alignment" "$which" "$hold" "${named[@]}" >said 2>&1 ||
      fail "seed $seed, $options: $(tail -n 1 said | head -c 400)"
    # in another order, and as two trees of different shape
    # shellcheck disable=SC2086
    {
      expect 0 merge part4.mct part3=parts/part3 part0.mct part2.mct part1.mct -o other.mct --under host $options
      expect 0 merge part0.mct part3=parts/part3 -o left.mct --under host $options
      expect 0 merge part1.mct part4.mct -o right.mct --under host $options
      expect 0 merge part2.mct -o alone.mct --under host $options
      expect 0 merge left.mct right.mct -o both.mct $options
      expect 0 merge both.mct alone.mct -o first.mct $options
      expect 0 merge alone.mct right.mct -o both.mct $options
      expect 0 merge both.mct left.mct -o second.mct $options
    }
    for file in other first second; do
      exported $file.mct again
      diff -r at_once again >said || fail "seed $seed, $options: $file differs: $(head -c 300 said)"
      [ "$("$memcity" info $file.mct --json)" = "$("$memcity" info all.mct --json)" ] || fail "info of $file: $("$memcity" info $file.mct --json | tail -c 300) not $("$memcity" info all.mct --json | tail -c 300)"
    done
  done <<'OPTIONS'
60000 last 60000 --bucket 1m
60000 mean 60000 --bucket 1m --take mean
45000 nearest 180000 --bucket 45s --take nearest --hold 3m
120000 first 0 --bucket 2m --take first --hold 0
time last 100000 --align time --hold 100s
step last 0 --align step
OPTIONS
done
expect 0 merge "${all[@]}" -o all.mct --under host --bucket 1m
# What the tables in SQL say is what the trace says.
expect 0 top all.mct --json -n 1
grown=$(python3 -c 'import json; print(json.load(open("out"))[0]["growth"])' 2>/dev/null)
[ "$(sqlite3 all.mct "SELECT growth FROM top_growth WHERE metric = 'bytes' AND rank = 1")" = "$grown" ] || fail "growth in SQL"

# ---- who was late, and when
printf 'time\tType\tobjects\tbytes\n%d\tA\t1\t8\n%d\tA\t2\t16\n%d\tA\t3\t24\n' 0 60000 120000 >web.tsv
printf 'time\tType\tobjects\tbytes\n%d\tA\t4\t8\n%d\tA\t5\t16\n' 0 120000 >'db 1.tsv'
for part in web 'db 1'; do expect 0 import --rows "$part.tsv" -o "$part.mct"; done
expect 0 merge web.mct 'db 1.mct' -o late.mct --under host --bucket 1m --hold 2m; prints "1 step of a late part taken from before"
expect 0 info late.mct; prints "step 1 has from before: db 1"
[ "$(grep -c "from before" out)" -eq 1 ] || fail "$(cat out)"
[ "$("$memcity" info late.mct --json | python3 -c 'import json,sys; print(json.load(sys.stdin)["late"])')" = \
  "[{'step': 1, 'parts': ['Heap#db 1']}]" ] || fail "late parts: $("$memcity" info late.mct --json)"
expect 0 info web.mct --json; ! grep -q late out || fail "$(cat out)"

# ---- names, lists
expect 0 merge web=part0.mct db=part1.mct -o named.mct --under host --align step
expect 0 find named.mct 'Heap#web' --json; prints '"key":"Heap#web"'
printf 'part0.mct\n\ndb=part1.mct\n' >list
expect 0 merge --list list -o listed.mct --under host --align step
printf 'part0.mct\ndb=part1.mct\n' | "$memcity" merge --list - -o piped.mct --under host --align step >out || fail "--list -"
cmp listed.mct piped.mct || fail "a list from the standard input"
expect 0 find listed.mct 'Heap#part0' --json; prints '"key":"Heap#part0"'
expect 1 merge --list nothing -o x.mct --under host; says "nothing: can't read"
expect 0 merge dc1=listed.mct dc2=named.mct -o centres.mct --under centre --align step
expect 0 info centres.mct; prints "centre → host → Package → Type"

# ---- more parts than files may be open
mkdir many
for i in $(seq 60); do cp part0.mct "many/h$i.mct"; done
(
  ulimit -n 24
  "$memcity" merge many/*.mct -o many.mct --under host >out 2>err
) || fail "many parts: $(head -c 300 err)"
[ "$("$memcity" info many.mct --json | python3 -c 'import json,sys; print(json.load(sys.stdin)["steps"][0]["objects"])')" = \
  "$(("$("$memcity" info part0.mct --json | python3 -c 'import json,sys; print(json.load(sys.stdin)["steps"][0]["objects"])')" * 60))" ] ||
  fail "the sum of sixty"

# ---- what a dump knows beyond counts: fields, roots and retaining paths of each part, as they were
for i in 1 2; do
  python3 "$here/hprof_maker.py" "dump$i.hprof" --seed "$i" || fail "can't make a dump"
  expect 0 import "dump$i.hprof" --deep --times 0 -o "dump$i.mct"
done
expect 0 merge dump1.mct dump2.mct -o dumps.mct --under host
expect 0 merge dump1.mct -o one.mct --under host
expect 0 merge dump2.mct -o two.mct --under host
expect 0 merge two.mct one.mct -o joined.mct
for i in 1 2; do
  sqlite3 "dump$i.mct" "SELECT replace(from_path, 'Heap', 'Heap > dump$i'), replace(to_path, 'Heap', 'Heap > dump$i'), field, weak, last FROM reference_field
    UNION ALL SELECT replace(path, 'Heap', 'Heap > dump$i'), kind, name, '', last FROM root
    UNION ALL SELECT replace(path, 'Heap', 'Heap > dump$i'), way, field, objects_last, bytes_last FROM retaining_path
    UNION ALL SELECT replace(path, 'Heap', 'Heap > dump$i'), metric, '', '', last FROM growth_of WHERE metric IN ('retained', 'waste') AND last > 0"
done | sort >apart
for file in dumps joined; do
  sqlite3 $file.mct "SELECT from_path, to_path, field, weak, last FROM reference_field
    UNION ALL SELECT path, kind, name, '', last FROM root
    UNION ALL SELECT path, way, field, objects_last, bytes_last FROM retaining_path
    UNION ALL SELECT path, metric, '', '', last FROM growth_of WHERE metric IN ('retained', 'waste') AND last > 0" | sort >together
  cmp apart together || fail "$file: links and metrics: $(diff apart together | head -n 3)"
done
[ "$(wc -l <apart)" -gt 100 ] || fail "nothing to compare"

# ---- what can't be merged, in words
expect 2 merge part0.mct --under host; says "-o FILE.mct is missing"
expect 2 merge -o x.mct --under host; says "no trace given"
expect 2 merge all.mct part0.mct -o all.mct --under host; says "all.mct is both input and output"
expect 2 merge part0.mct -o x.mct --under host --bucket soon; says "--bucket: expected a duration"
expect 2 merge part0.mct -o x.mct --under host --bucket 1m --align step
expect 3 merge part0.mct part0=part1.mct -o x.mct --under host; says 'is called "part0", as is part'
expect 3 merge left.mct left.mct -o x.mct; says '--under puts each part below a group of its own'
expect 3 merge left.mct part1.mct -o x.mct; says 'its outermost groups are of'
printf '{"time":1,"metrics":[{"name":"peak","unit":"count"}],"root":{"key":"H","name":"H","role":"","objects":1,"bytes":1,"metrics":{"peak":1}}}' >other.json
expect 3 merge part0.mct other.json -o x.mct --under host; says 'the metric "peak" has another unit'
[ ! -e x.mct ] || fail "what failed leaves a file"

# ---- a damaged part is named; if it is to be left out, the rest is merged and the exit code tells
cp part1.mct broken.mct
python3 - broken.mct <<'PY'
import sqlite3, sys
file = sqlite3.connect(sys.argv[1])
file.execute("UPDATE step_column SET data = zeroblob(length(data)) WHERE id = (SELECT max(id) FROM step_column WHERE id < 2 * 64 * 131072)")
file.commit()
PY
head -c 5000 part2.mct >cut.mct
printf nothing >none.mct
cp all.mct before.mct
for bad in broken.mct cut.mct none.mct missing.mct; do
  "$memcity" merge part0.mct $bad -o all.mct --under host --bucket 1m >out 2>err
  code=$?
  [ $code -eq 3 ] || [ $code -eq 1 ] || fail "$bad: exit code $code"
  says "$bad"
  cmp -s all.mct before.mct || fail "$bad: the file that was there is gone"
done
expect 3 merge part0.mct broken.mct cut.mct none.mct missing.mct -o rest.mct --under host --bucket 1m --skip-bad
for bad in broken.mct cut.mct none.mct missing.mct; do says "left out: $bad"; done
prints "1 part,"; prints "4 left out"
expect 0 merge part0.mct -o alone.mct --under host --bucket 1m
cmp rest.mct alone.mct || fail "what is left is not the rest"
expect 3 merge broken.mct -o x.mct --under host --skip-bad; says "none of the parts can be read"

# ---- killed at any moment: the old file or the new one, and the next run tidies up
mkdir killed
cp alone.mct killed/x.mct
rounds=16
! sanitized || rounds=4
for round in $(seq $rounds); do
  "$memcity" merge many/*.mct -o killed/x.mct --under host >out 2>err &
  sleep 0.0$((round % 10))
  kill -KILL $! 2>/dev/null
  wait $! 2>/dev/null
  cmp -s killed/x.mct alone.mct || cmp -s killed/x.mct many.mct || fail "killed: neither the old file nor the new one"
done
expect 0 merge many/*.mct -o killed/x.mct --under host
cmp killed/x.mct many.mct || fail "after being killed"
[ "$(ls killed)" = x.mct ] || fail "left beside: $(ls killed)"
# asked to stop
# a new name: nothing has it before the whole file does, at no moment
rm killed/x.mct
cat >names.py <<'PYTHON'
"""What happens to the name FILE while COMMAND runs, as the kernel tells: names.py FILE COMMAND…"""
import ctypes, os, struct, subprocess, sys
folder, name = os.path.split(sys.argv[1])
CREATE, MOVED_TO, DELETE = 0x100, 0x80, 0x200
libc = ctypes.CDLL(None, use_errno=True)
fd = libc.inotify_init1(os.O_NONBLOCK)
assert libc.inotify_add_watch(fd, folder.encode(), CREATE | MOVED_TO | DELETE) >= 0
code = subprocess.run(sys.argv[2:], stdout=subprocess.DEVNULL).returncode
data, at, told = os.read(fd, 1 << 16), 0, []
while at < len(data):
    _, mask, _, size = struct.unpack_from("iIII", data, at)
    if data[at + 16:at + 16 + size].rstrip(b"\0") == name.encode():
        told.append({CREATE: "made", MOVED_TO: "named", DELETE: "removed"}[mask])
    at += 16 + size
print(code, *told)
PYTHON
[ "$(python3 names.py killed/x.mct "$memcity" merge many/*.mct -o killed/x.mct --under host)" = "0 named" ] || fail "a new name has something else before"
cmp killed/x.mct many.mct || fail "a new name"
for round in $(seq 20); do
  rm -f killed/x.mct
  "$memcity" merge many/*.mct -o killed/x.mct --under host >out 2>err &
  sleep 0.0$((round % 10))
  kill -KILL $! 2>/dev/null
  wait $! 2>/dev/null
  [ ! -e killed/x.mct ] || cmp -s killed/x.mct many.mct || fail "killed: a new name stands for a file that is not whole"
done
expect 0 merge many/*.mct -o killed/x.mct --under host
[ "$(ls killed)" = x.mct ] || fail "a new name, left beside: $(ls killed)"

cp alone.mct killed/x.mct
"$memcity" merge many/*.mct many2=many.mct part0.mct -o killed/x.mct --under host >out 2>err &
asked=$!
until [ -e killed/x.mct.memcity.part ] || ! kill -0 $asked 2>/dev/null; do :; done
kill -TERM $asked 2>/dev/null
wait $asked
cmp -s killed/x.mct alone.mct || "$memcity" info killed/x.mct >out || fail "stopped"
[ "$(ls killed)" = x.mct ] || fail "stopped, and left beside: $(ls killed)"

# ---- no space left
cp alone.mct killed/x.mct
(
  trap '' XFSZ
  ulimit -f 64
  "$memcity" merge many/*.mct -o killed/x.mct --under host >out 2>err
)
[ $? -eq 1 ] || fail "a full disk is no failure"
cmp killed/x.mct alone.mct || fail "a full disk cost the file"
[ "$(ls killed)" = x.mct ] || fail "a full disk, and left beside: $(ls killed)"

# ---- without being told: the same times, an interval, or a dump each
expect 0 merge part0.mct same=part0.mct -o x.mct --under host; prints "2 parts"
grep -q "in buckets" out && fail "the same times need no interval"
expect 0 merge "${all[@]}" -o x.mct --under host; prints "in buckets of"
expect 0 import "dump1.hprof" --times 5m -o late.mct
expect 0 merge dump1.mct late.mct -o x.mct --under host; prints "1 step,"
finish

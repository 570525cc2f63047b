#!/usr/bin/env bash
# Sites and methods of one run at once: which method allocates what leaks, and how long it runs, is what the program does.
. "$(dirname "$0")/../command.sh"
. "$(dirname "$0")/../jvm.sh"
reference=$here/link_reference.py

# of FIELD KEY: a number of a row of the last answer
of() {
  python3 - "$work/out" "$1" "$2" <<'END'
import json, sys
told = json.load(open(sys.argv[1]))
rows = told.get("methods") or told.get("groups") or []
print(next((row[sys.argv[2]] for row in rows if sys.argv[3] in row["key"]), "nothing"))
END
}
is_between() { # LOW HIGH VALUE WHAT
  awk -v v="$3" -v l="$1" -v h="$2" 'BEGIN { exit !(v != "nothing" && v + 0 >= l && v + 0 <= h) }' ||
    fail "$label: $4 is $3, not $1 to $2"
}
link() { # ARGUMENTS…: of both recordings, as their rows say
  expect 0 link "$work/mill.mct" --with "$work/mill.methods.mct" --json -n 100000 "$@"
  python3 "$reference" check "$work/out" "$work/heap.rows" "$work/methods.rows" 0.1 2>"$work/difference" ||
    fail "$label $*: $(tail -1 "$work/difference")"
}
export_rows() {
  expect 0 export "$work/mill.mct" --rows -o "$work/heap.rows"
  expect 0 export "$work/mill.methods.mct" --rows -o "$work/methods.rows"
}

# takes_at_least MS METHOD: what it burns by its own clock, around which that of exact times runs, whoever else has the processor
takes_at_least() {
  awk -F'\t' -v name="$2" -v least="$1" '
    NR == 1 { for (i = 1; i <= NF; i++) { if ($i == "Method") method = i; if ($i ~ /^time\[/) time = i } }
    NR > 1 && $method == name { ms += $time }
    END { print ms + 0; exit !(ms >= least) }' "$work/methods.rows" >"$work/sum" ||
    fail "$label: $2 took $(cat "$work/sum") ms, less than $1"
}
# sampled_as SHARE VALUE WHAT: what the program measured itself, by some 200 samples, which are taken where the JVM can stop a thread:
# more than half of it may be missing. Another method's would be far off, or nothing.
sampled_as() {
  is_between "$(awk "BEGIN { print $1 / 5 }")" "$(awk "BEGIN { print $1 * 2.2 }")" "$2" "$3"
}

# what is linked: which of both methods allocated what stays
check() {
  export_rows
  link
  kept=$(of bytes 'Store#keep()') packed=$(of bytes 'Store#pack()')
  is_between 1.7 5 "$(awk "BEGIN { print $kept / $packed }")" "what keep() allocated by what pack() did, 3 to 1"
  is_between 0.98 1 "$(awk "BEGIN { print $(of direct_bytes 'Store#keep()') / $kept }")" "what lines of keep() itself allocate"
  link --of 'com.acme.mill.Store.keep(Store.java:17)'
  is_between 1 1 "$(python3 -c "import json; print(len(json.load(open('$work/out'))['methods']))")" "methods of the leak"
  # by way of the JDK, whose methods are not timed
  link --method 'pack()'
  is_between 1 1e9 "$(of bytes 'byte[]#java.util.Arrays.copyOf(')" "what pack() had copied"
  [ "$(of direct_bytes 'byte[]#java.util.Arrays.copyOf(')" = 0 ] || fail "$label: copies are pack()'s own"
  last=$(($(steps_of "$work/mill.mct") - 1))
  link --method 'main(String[])' --step $((last / 2))
  link --method com.acme.mill --step "$last"
}

for home in $(jdks); do
  label="$home exact"
  rm -f "$work"/mill.*
  expect 0 run --sites=fine --methods exact -o "$work/mill.mct" -- "$home/bin/java" -Xmx256m -cp "$classes" com.acme.mill.Mill
  says "mill.mct: "; says "mill.methods.mct: "; says "steps of methods recorded"; says "shows both, linked"
  check
  takes_at_least 800 'keep()'
  takes_at_least 400 'pack()'
  takes_at_least 2800 'grind()'
  # the same clock: of a step of either the other one has one within a second
  expect 0 link "$work/mill.mct" --with "$work/mill.methods.mct" --json --step "$last"
  is_between 0 1000 "$(python3 -c "import json; print(json.load(open('$work/out'))['gap_ms'])")" "ms between steps"

  label="$home sampled"
  rm -f "$work"/mill.*
  expect 0 run --sites=all --methods sampled --quiet -o "$work/mill.mct" -- "$home/bin/java" -Xmx256m -cp "$classes" com.acme.mill.Mill
  quiet
  took=$(sed -n 's/^keeping took //p' "$work/out")
  check
  expect 0 link "$work/mill.mct" --with "$work/mill.methods.mct" --json -n 100000
  sampled_as "${took:-0}" "$(of time_so_far 'Store#keep()')" "the time of keep()"
  [ "$(of bytes 'Store#keep()')" -ge 19660800 ] || fail "$label: keep() has allocated $(of bytes 'Store#keep()') bytes of 19660800"
done

# ---- into a program that runs
label=attach
rm -f "$work"/mill.*
java -Xmx512m -cp "$classes" com.acme.mill.Mill 100000 >/dev/null 2>&1 &
target=$!
forget_socket
eventually answers
expect 0 attach --pid $target --sites=fine --methods sampled --for 8s -o "$work/mill.mct"
says "shows both, linked"

# ---- while both are recorded and one is followed, the other one goes on, too
"$memcity" attach --pid $target --sites=fine --methods sampled --every 200ms --for 100s --quiet -o "$work/live.mct" 2>"$work/live.err" &
recorder=$!
eventually has_steps "$work/live.methods.mct" 2
eventually has_steps "$work/live.mct" 2
printf '%s\n' 'wait steps 10' 'print linked_step' 'wait steps 35' 'wait idle' 'print linked_step' 'print linked_first' >"$work/script"
expect 0 view "$work/live.mct" --follow --group-by type,site --with "$work/live.methods.mct" --script "$work/script" --headless
python3 - "$work/out" <<'END' || fail "what is linked does not go on: $(cat "$work/out")"
import sys
before, after, first = open(sys.argv[1]).read().split("\n")[:3]
sys.exit(int(after) < int(before) + 8 or "Store#keep()" not in first)
END
kill -INT $recorder
wait $recorder || fail "attach does not end well: $(head -c 300 "$work/live.err")"
stop
export_rows
link
is_between 1 1e9 "$(of bytes 'Store#keep()')" "bytes of keep()"

# ---- counted calls have no times, so nothing is linked by them
label=count
expect 0 run --sites --methods count -o "$work/count.mct" -- java -cp "$classes" com.acme.mill.Mill 50
says "count.methods.mct"
! grep -q "shows both" "$work/err" || fail "counted calls are to be linked"
expect 1 link "$work/count.mct" --with "$work/count.methods.mct"; says "with their times"

# ---- what is there stays; nothing is half written
: >"$work/other.methods.mct"
echo text >"$work/other.methods.mct"
expect 1 run --sites --methods sampled -o "$work/other.mct" -- java -version
[ ! -e "$work/other.mct" ] || fail "half of a recording is left"
[ "$(cat "$work/other.methods.mct")" = text ] || fail "another file was changed"
finish

#!/usr/bin/env bash
# Deep trees through the commands: output that is far larger than the trace is not held in memory, and a signal
# ends a command at once, or cleanly.
. "$(dirname "$0")/../command.sh"

# a chain of $1 nodes with the key "k", in $2 steps
make_chain() {
  python3 -c '
import sys
depth, steps = int(sys.argv[1]), int(sys.argv[2])
def step(t):
    node = "{\"key\":\"k\",\"classifierId\":-1,\"bytes\":%d,\"objects\":%d" % (t + 1, t + 1)
    return "{\"classifiers\":[],\"time\":%d,\"root\":" % t + (node + ",\"children\":[") * (depth - 1) + node + "}" + "]}" * (depth - 1) + "}"
print("[" + ",".join(step(t) for t in range(steps)) + "]")' "$1" "$2"
}
make_chain 20000 6 >"$work/deep.json"

# 400 MB of full keys; what is held must be far less, whatever a sanitizer adds
run 0 python3 - "$memcity" "$work/deep.json" <<'PY'
import resource, subprocess, sys
memcity, trace = sys.argv[1:]
child = subprocess.Popen([memcity, "layout", trace], stdout=subprocess.PIPE)
size = lines = 0
last = b""
while block := child.stdout.read(1 << 20):
    size += len(block)
    lines += block.count(b"\n")
    last = (last + block)[-(1 << 17):]
assert child.wait() == 0
assert lines == 20000 and size > 400e6, (lines, size)
assert last.splitlines()[-1].split(b"\t")[0] == b"#".join([b"k"] * 20000)
peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
assert peak < 250, "%d MB" % peak
PY
expect 4 gate "$work/deep.json" --rule 'k#**: +0'; prints "1 of 1 group grows"
expect 0 find "$work/deep.json" 'k#k#k'
expect 0 info "$work/deep.json"; prints "20,000"

# Nothing is half done while a plan is printed: a signal ends the program as it ends any other.
mkfifo "$work/pipe"
"$memcity" layout "$work/deep.json" >"$work/pipe" 2>"$work/err" &
exec 3<"$work/pipe"
head -c 1 <&3 >"$work/out" # it has begun, and waits for a reader now
kill -TERM $!
wait $!
code=$?
exec 3<&-
[ "$code" -eq 143 ] || fail "a signal that should end it at once: $code: $(head -c 300 "$work/err")"

# What is half is taken back.
# stops FILE DEED ARGUMENTS…: the program, to which DEED is done once there is FILE; sets $code. On a busy machine it may be over
# before that: then once more.
stops() {
  local file=$1 deed=$2
  for _ in $(seq 20); do
    rm -rf "$file"
    "$memcity" "${@:3}" 2>"$work/err" &
    until [ -s "$file" ] || ! kill -0 $! 2>/dev/null; do sleep 0.01; done
    $deed $! 2>/dev/null
    wait $!
    code=$?
    [ $code -eq 0 ] || return
  done
}
make_chain 3000 300 >"$work/long.json"
stops "$work/long.mct" "kill -TERM" import "$work/long.json" -o "$work/long.mct"
[ "$code" -eq 1 ] && [ ! -e "$work/long.mct" ] || fail "an import that was stopped: $code, $(ls "$work")"
says "cancelled"
stops "$work/json/default-format" "kill -TERM" export "$work/deep.json" --format default -o "$work/json"
[ "$code" -eq 1 ] && ! ls "$work/json/default-format" | grep -q part || fail "an export that was stopped: $code"
says "cancelled"
# So is what comes of an input that somebody cuts meanwhile: no signal ends the program then.
cut_input() {
  until grep -q cut.json "/proc/$1/maps" || ! kill -0 "$1"; do sleep 0.01; done
  truncate -s 1000 "$work/cut.json"
  mv "$work/cut.json" "$work/is_cut.json"
  cp "$work/long.json" "$work/cut.json" # of the next try
}
cp "$work/long.json" "$work/cut.json"
stops "$work/cut.mct" cut_input import "$work/cut.json" -o "$work/cut.mct"
[ "$code" -eq 1 ] && [ ! -e "$work/cut.mct" ] || fail "an input that was cut: $code, $(ls "$work")"
says "cut.json was cut while it was read"
finish

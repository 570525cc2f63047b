#!/usr/bin/env bash
# The agent's protocol, spoken by a sender that knows docs/reference/agent-protocol.md alone.
. "$(dirname "$0")/../command.sh"
here=$(cd "$(dirname "$0")" && pwd)

# record CODE SCENE: what the sender says, into x.mct
record() {
  rm -f "$work/x.mct" "$work/err" # what the one before has said is not this one's
  "$memcity" attach --listen "$work/socket" --sites -o "$work/x.mct" 2>"$work/err" &
  local recorder=$! code
  eventually test -S "$work/socket"
  [ "$(stat -c %a "$work/socket")" = 600 ] || fail "the socket's mode is $(stat -c %a "$work/socket")"
  python3 "$here/sender.py" "$work/socket" "$2" || fail "$2: the sender"
  wait $recorder
  code=$?
  [ $code -eq "$1" ] || fail "$2: exit code $code, not $1: $(head -c 300 "$work/err")"
  [ -e "$work/socket" ] && fail "$2: the socket stays"
}

for scene in good slow newer; do
  record 0 $scene
  says "recording process 4711 (tiny program, Tiny 1.0)"; says "all is well"; says "3 steps recorded"
  expect 0 info "$work/x.mct"
  prints "Type → Site → Caller → Thread"; prints "allocated: allocated bytes, bytes, a flow, additive"
  ! grep -q variance "$work/out" || fail "$scene: an error of what was counted"
  expect 0 top "$work/x.mct" --metric objects # by type and site, unless told otherwise
  prints 'Site: com.acme.Shop.add(Shop.java:42)'
  ! grep -q 'Caller\|Thread' "$work/out" || fail "$scene: callers or threads apart: $(head -c 300 "$work/out")"
  expect 0 find "$work/x.mct" Shop.add --json
  ! grep -q 'w.rker' "$work/out" || fail "$scene: threads are found: $(head -c 300 "$work/out")"
  expect 0 top "$work/x.mct" --metric objects --group-by type,site,caller,thread --json
  prints '"first":10,"last":5,"max":25,"growth":-5'
  prints 'Site: com.acme.Shop.add(Shop.java:42) → Caller: com.acme.Shop.main(Shop.java:7) → Thread: wörker'
  ! grep -q "$(printf '\033')" "$work/out" || fail "$scene: a terminal's command was printed"
  expect 0 walk "$work/x.mct" --window 0:1; prints "com.acme.Shop.add(Shop.java:42) grew the most"
  expect 0 walk "$work/x.mct" --window 0:1 --group-by thread,type; prints "com.acme.Order objects grew the most"
  expect 0 top "$work/x.mct" --metric allocated --group-by caller,type --json
  prints '"first":1000,"last":0,"max":1500'
  limits=$(sqlite3 "$work/x.mct" 'SELECT count(*), max(heap_limit) FROM step_limit' 2>/dev/null)
  case $scene in newer) wanted='3|67108864' ;; *) wanted= ;; esac
  [ "$limits" = "$wanted" ] || fail "$scene: the heap's limits are $limits"
done

# steps right behind a collection of the whole heap, and others
record 0 whole
live=$(sqlite3 "$work/x.mct" 'SELECT group_concat(objects || ":" || live) FROM step JOIN step_live ON step = id')
[ "$live" = "$(: 10, then 25 before a collection is told, the 20 that one of the whole heap has left, and what came since)10:1,25:1,20:2,20:1" ] ||
  fail "what is alive: $live"

# what was sampled: 1.96 standard deviations
record 0 sampled
expect 0 top "$work/x.mct" --metric bytes --group-by type --json; prints '"last":1000,"max":1000,"growth":0,"error":20'
expect 0 top "$work/x.mct" --metric bytes; prints "± 95 %"
expect 0 top "$work/x.mct" --metric objects
! grep -q "± 95" "$work/out" || fail "an error of objects"
# what no collection has looked at yet is not alive, only allocated
record 0 young
expect 0 top "$work/x.mct" --metric objects --group-by type --json; prints '"first":10,"last":20,"max":20'
expect 0 top "$work/x.mct" --metric allocated --group-by type --json; prints '"max":10000'
# of one sample nobody knows how many there may be: more than its own deviation
record 0 few
expect 0 top "$work/x.mct" --metric bytes --group-by type --json; prints '"last":100,"max":100,"growth":0,"error":277'

record 1 version; says "version 2 of the protocol, memcity 1"
record 3 unnamed; says "class 1 has no name yet"; says "what the agent sends:"
record 3 twice; says "a name for class 1, where that of 3 comes next"
record 3 negative; says "fewer objects than none"
record 3 huge; says "more than there can be"
expect 0 top "$work/x.mct" --metric bytes --group-by type --json; prints '"last":1000,'
record 3 long; says "a frame of 1048577 bytes; expected 1 to 1048576"
record 3 cut; says "a frame is shorter than what it holds"
record 3 nothing; says "does not begin with its greeting"
record 3 text; says "a name is not UTF-8"

# ---- TCP: on loopback alone, for those who know the secret
mkdir -m 700 "$work/run"
listen() { # at a free port; sets $recorder, $port and $secret
  rm -f "$work/x.mct" "$work/err" # what the one before has said is not this one's
  XDG_RUNTIME_DIR=$work/run "$memcity" attach --listen 127.0.0.1:0 --sites -o "$work/x.mct" 2>"$work/err" &
  recorder=$!
  eventually grep -q "the secret is in" "$work/err"
  port=$(sed -n 's/.*127\.0\.0\.1:\([0-9]*\);.*/\1/p' "$work/err")
  secret=$(sed -n 's/.*the secret is in //p' "$work/err")
}
listen
[ "$(stat -c %a "$secret")" = 600 ] && [ "$(stat -c %a "${secret%/*}")" = 700 ] || fail "others can read the secret"
[ "$(awk -v port="$(printf ':%04X' "$port")" '$4 == "0A" && $2 ~ port "$" { print $2 }' /proc/net/tcp)" = \
  "$(printf '0100007F:%04X' "$port")" ] || fail "more than loopback is listened at"
python3 "$here/sender.py" "$port" "$secret" stranger || fail "a stranger is not sent away"
python3 "$here/sender.py" "$port" "$secret" silent || fail "who says nothing keeps others out"
wait $recorder || fail "TCP: exit code $?: $(head -c 300 "$work/err")"
says "3 steps recorded"
[ -z "$(ls "$work/run")" ] || fail "a secret stays"
export MEMCITY_AGENT_SECRET=a-secret-that-both-know
listen
[ "$(cat "$secret")" = "$MEMCITY_AGENT_SECRET" ] || fail "the secret is not the given one"
python3 "$here/sender.py" "$port" "$secret" good || fail "the given secret is refused"
wait $recorder || fail "TCP: exit code $?: $(head -c 300 "$work/err")"
MEMCITY_AGENT_SECRET=short expect 1 attach --listen localhost:0 --sites -o "$work/y.mct"; says "5 characters; expected 16"
unset MEMCITY_AGENT_SECRET
for address in 0.0.0.0:4711 example.com:4711 127.0.0.1: 127.0.0.1:65536 localhost:x :4711; do
  expect 2 attach --listen $address --sites -o "$work/y.mct"; says "loopback only"
done
expect 2 attach --listen "$work/socket" --tcp --sites -o "$work/y.mct"; says "127.0.0.1:PORT"

expect 2 attach --listen "$work/socket" --sites; says "-o FILE.mct"
touch "$work/there"
expect 1 attach --listen "$work/there" --sites -o "$work/y.mct"; says "can't make the socket"
[ -e "$work/there" ] || fail "what has the socket's name was removed"
finish

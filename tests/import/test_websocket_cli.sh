#!/usr/bin/env bash
# A trace that a server sends equals the same from files, whatever becomes of the connection meanwhile.
. "$(dirname "$0")/../command.sh"
here=$(cd "$(dirname "$0")" && pwd)
server=

stop() { [ -z "$server" ] || { kill $server; wait $server; } 2>/dev/null; server=; }
trap 'stop; rm -rf "$work"' EXIT
# serve OPTION…: $port is where
serve() {
  stop
  rm -f "$work/port"
  python3 "$here/trace_server.py" "$work/port" "$@" &
  server=$!
  eventually test -f "$work/port"
  port=$(cat "$work/port")
}
# All that a trace holds, references included.
write() { rm -rf "$work/$1"; expect 0 export "${@:2}" -o "$work/$1" ; }
same() { diff -rq "$work/files" "$work/$1" >&2 || fail "$1 differs from the files"; }

# a few steps of a real trace, with their maps
mkdir -p "$work/trace/points-to-maps" "$work/trace/pointed-from-maps"
for name in $(cd "$http/default-format" && ls ./*.json | head -5); do
  cp "$http/anttracks-format/$name" "$work/trace/"
  for maps in points-to-maps pointed-from-maps; do cp "$http/default-format/$maps/$name" "$work/trace/$maps/"; done
done
one=$(ls "$work/trace/"*.json | head -1)
write files "$work/trace"

# ---- which tab
serve "3=Trend of http=$work/trace" "5=Another"$'\033'"[31m=$work/trace" "9=State=$one"
expect 2 info "ws://localhost:$port"; says "several tabs can give trees"; says "     3  Trend of http"; says "     5  Another"
! grep -q "$(printf '\033')" "$work/err" || fail "a terminal's command was printed"
expect 2 info "ws://localhost:$port/7"; says "no tab 7"; says "     5  Another"
expect 2 info --tab x "ws://localhost:$port"; says "--tab: expected a number"
expect 3 info "ws://localhost:x"; says "expected ws://HOST:PORT"
expect 3 info wss://localhost; says "not wss://"
write named "ws://127.0.0.1:$port/3"; quiet; same named
write tab --tab 5 "ws://localhost:$port"; same tab
expect 0 info "ws://localhost:$port/9"; prints "steps        1"

# a tab that can do both is listed once
serve "3=Trend=$work/trace" "5=Another=$work/trace" --both
expect 2 info --tab 9 "ws://localhost:$port"; says "no tab 9"
[ "$(grep -c "     3  Trend" "$work/err")" = 1 ] || fail "tab 3 is not listed once: $(cat "$work/err")"

# ---- one tab is taken; frames, pings and members in any order
serve "4=Only=$work/trace" --frame 1000 --ping --order last
write only "ws://localhost:$port"; quiet; same only
expect 0 import "ws://localhost:$port/4" -o "$work/x.mct"; write mct "$work/x.mct"; same mct
serve "4=Only=$work/trace" --frame 53; write bytes "ws://localhost:$port"; same bytes
serve "4=Only=$work/trace" --shuffle; write shuffled "ws://localhost:$port"; same shuffled
serve "4=Only=$one"; expect 0 info "ws://localhost:$port"; prints "steps        1"
serve "4=Only=$work/trace" --deny GET-ALL-POINTS-TO-MAPS
expect 0 info "ws://localhost:$port"; prints "steps        5"
serve; expect 3 info "ws://localhost:$port"; says "no tab of the server can give trees"

# ---- in a session, alone and beside another one; it can't be followed, which is said
serve "4=Only=$work/trace"
printf 'wait idle\nexpect step_count 5\nexpect pair none\nfollow\nwait idle\nexpect follow false\n' >"$work/script"
expect 0 view "ws://localhost:$port" --script "$work/script" --headless; says "Only an .mct file can be followed"
printf 'wait idle\nexpect step_count 5\nexpect pair difference\nexpect differences 0\n' >"$work/script"
expect 0 view "ws://localhost:$port" --versus "ws://localhost:$port/4" --script "$work/script" --headless
expect 2 view "ws://localhost:$port" --follow --script "$work/script" --headless; says "--follow: expected an .mct file"

# ---- the same mistakes as in files
serve "4=Only=$work/trace" --twice
expect 3 info "ws://localhost:$port"; says "time"
expect 0 info --skip-bad-steps "ws://localhost:$port"; says "bad inputs"; prints "steps        5"

# ---- the connection breaks, again and again, also between two bytes of the same place
size=$(cat "$work/trace/"*.json | wc -c)
serve "4=Only=$work/trace" --cut 0,10,10000,$((size / 2)),$((size / 2 + 1)),$((size - 3))
write broken "ws://localhost:$port"; same broken; says "trying again"; says "the server is there again"
serve "4=Only=$work/trace" --cut-tabs 0,1000000 # the list of tabs, too
write listed "ws://localhost:$port"; same listed; says "trying again"; says "the server is there again"
serve "4=Only=$work/trace" --cut 100000 --grow
expect 1 info "ws://localhost:$port"; says "now the server has other data"

# ---- a server that is gone and comes back at the same place
serve "4=Only=$work/trace" --piece 20000 --delay 100 --begun "$work/begun"
"$memcity" export "ws://localhost:$port" -o "$work/back" 2>"$work/err" & reader=$!
eventually test -e "$work/begun"; back=$port; stop
eventually grep -q "trying again" "$work/err"
serve "4=Only=$work/trace" --port "$back"
wait $reader || fail "the server came back, and was not heard: $(cat "$work/err")"
same back; says "the server is there again"

# ---- who has no patience
serve "4=Only=$work/trace" --piece 1000 --delay 1000 --begun "$work/slow"
"$memcity" info "ws://localhost:$port" >"$work/out" 2>"$work/err" & reader=$!
eventually test -e "$work/slow"; kill -INT $reader; wait $reader; code=$?
[ $code -eq 1 ] || fail "interrupted: exit code $code: $(cat "$work/err")"

# ---- wrong answers
stop; expect 1 info "ws://localhost:$port"; says "refused"
wrong() { # WHAT OPTION…
  serve "4=Only=$work/trace" "${@:2}"
  expect 3 info "ws://localhost:$port"; says "$1"
}
wrong "expected an answer" --answer 'Welcome to the server!'
wrong "status" --answer '{"data":[{"tabId":4}]}'
wrong "no tab of the server" --answer '{"status":"success","data":null}'
wrong "expected trees" --answer-trees '{"status":"success","data":null}'
wrong "at least one object" --answer-trees '{"status":"success","data":[]}'
wrong "expected a step" --answer-trees '{"status":"success","data":[{"times":3}]}'
wrong "expected" --answer-trees '{"status":"success","data":[{"time":3,"root":{"key":"A"'
wrong "expected" --answer-trees '{"status":"success","data":[{"time":3}'
wrong "',' or ']'" --answer-trees '{"status":"success","data":[{"time":3} 4]}'
wrong "unmasked" --raw 818412345678
wrong "known kind" --raw 8300
# what may not close is answered by a code that says what is wrong with it
closes() { # BYTES CODE SAID
  serve "4=Only=$work/trace" --raw "$1"; rm -f "$work/port.closed"
  run 3 "$memcity" info "ws://localhost:$port"; says "$3"
  eventually test -s "$work/port.closed"
  grep -q "closed $2" "$work/port.closed" || fail "$1: answered by: $(cat "$work/port.closed")"
}
closes 880203ed 1002 "found 1005"; closes 8802ffff 1002 "found 65535"; closes 880103 1002 "found one"; closes 880403e8c328 1007 "UTF-8"
closes 8300 1002 "known kind"
serve "4=Only=$work/trace" --answer-trees '{"data":[{"time":3,"root":{"key":"A","bytes":1,"objects":1}}],"status":"failed","error":"no more"}'
expect 1 info "ws://localhost:$port"; says "no more"
stop
python3 -c '
import socket, sys
s = socket.create_server(("127.0.0.1", 0)); open(sys.argv[1], "w").write(str(s.getsockname()[1]))
c = s.accept()[0]; c.recv(1000); c.sendall(b"HTTP/1.1 200 OK\r\n\r\n<html>"); c.recv(10)' "$work/http" & server=$!
eventually test -s "$work/http"
expect 3 info "ws://localhost:$(cat "$work/http")"; says 'answers "HTTP/1.1 200 OK"'
finish

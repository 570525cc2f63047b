#!/usr/bin/env bash
# What a tool pushes equals the same from files; and what strangers send harms nobody.
. "$(dirname "$0")/../command.sh"
here=$(cd "$(dirname "$0")" && pwd)
listener=
stop() { # ends it as Ctrl-C does; $code is its exit code
  kill -INT $listener
  wait $listener
  code=$?
  listener=
}
trap '[ -z "$listener" ] || kill $listener; rm -rf "$work"' EXIT
# hear OPTION…: $port is where, messages in $work/heard
hear() {
  rm -f "$work/x.mct" "$work/heard"
  "$memcity" listen --port 0 -o "$work/x.mct" --quiet "$@" 2>"$work/heard" &
  listener=$!
  eventually grep -q "listening at" "$work/heard"
  port=$(sed -n 's/.*listening at ws:.*:\([0-9]*\);.*/\1/p' "$work/heard")
}
heard() { grep -qF -- "$1" "$work/heard" || fail "not said: \"$1\": $(head -c 400 "$work/heard")"; }
push() { run 0 timeout 60 python3 "$here/push.py" "$port" "$@"; }
text() { printf '%s' "$1" >"$work/message"; push "$work/message" "${@:2}"; }
write() { rm -rf "$work/$1"; expect 0 export "${@:2}" -o "$work/$1"; }
same() { diff -rq "$work/files" "$work/$1" >&2 || fail "$1 differs from the files"; }

mkdir -p "$work/trace/points-to-maps" "$work/trace/pointed-from-maps"
for name in $(cd "$http/default-format" && ls ./*.json | head -5); do
  for folder in . points-to-maps pointed-from-maps; do
    cp "$http/default-format/$folder/$name" "$work/trace/$folder/"
  done
done
write files "$work/trace"

# ---- all at once, and step by step, the last one first, in small frames
hear; push "$work/trace"; prints '"steps":5'; prints '"maps":5'
stop; [ $code -eq 0 ] || fail "exit code $code"
write pushed "$work/x.mct"; same pushed
hear; push --split --reverse --binary --frame 1000 "$work/trace"; stop; write single "$work/x.mct"; same single
expect 1 listen -o "$work/x.mct" --port 0; says "there is a recording already"

# ---- an answer of AntTracks as it is; a step alone; what is wrong
hear
step() { echo "{\"time\":$1,\"root\":{\"key\":\"A\",\"bytes\":$2,\"objects\":1,\"children\":[]}}"; }
text "{\"request\":{\"capability\":\"GET-ALL-TREES\",\"tabId\":1},\"status\":\"success\",\"data\":[$(step 1 10)],\"sender\":1}"
prints '{"status":"success","steps":1,"maps":0}'
text " $(step 2 20) "; prints '"steps":1'
text "{\"kind\":\"trees\",\"data\":$(step 3 30)}"; prints '"steps":1'
text "[]"; prints '"success","steps":0'
text "[$(step 4 40),$(step 2 20),{\"time\":9},$(step 5 50)]"; prints '"failed","steps":2,"maps":0,"left_out":2'; heard "also the time of"
wrong() { text "$1"; prints '"failed"'; prints "$2"; }
wrong '' 'found nothing'
wrong 'hello' 'an array of steps or an object'
wrong '{"data":[]}' 'kind'
wrong '{"kind":"maps","data":[]}' 'kind'
wrong '{"kind":"trees","data":null}' 'an array as'
wrong '{"kind":"trees"}' 'a step'
wrong '{"kind":"trees","data":[]' 'around the data'
wrong '{"kind":"trees","data":[]}x' 'around the data'
wrong "[$(step 6 1)" "',' or ']'"
wrong "[$(step 7 1)] x" "the message's end"
wrong '[{"time":1,"pointerMap":{"A":{"A":1}}}]' 'expected a step'
wrong '{"kind":"points-to-maps","data":[{"time":77,"pointerMap":{}}]}' 'left_out":1'
wrong '[{"time":8,"root":{"key":"\u001b[31m","bytes":-1,"objects":1}}]' 'bytes'
! grep -q "$(printf '\033')" "$work/out" "$work/heard" || fail "a terminal's command was printed"
for i in $(seq 300); do printf '{"a":'; done >"$work/message"; push "$work/message"; prints '"failed"'

# ---- who is no tool, and who breaks off
push --origin http://evil.example "$work/message"; prints "403"; heard "a page in a browser"
push --http 'GET / HTTP/1.1\r\n\r\n'; prints "426"
push --raw 8105414141 ; prints "closed 1002"
push --raw c18000000000; prints "closed 1002"
# a code that may not be sent, half of one, a reason that is no text; then as it should be
closes() { push --raw "888$((${#1} / 2))00000000$1"; prints "closed $2"; } # PAYLOAD CODE
for code in 03e7 03ed 03ee ffff 03; do closes $code 1002; done
closes 03e8c328 1007; closes 03e8 1000; closes 0bb86f6b 3000; closes "" 1000
push --cut 500 "$work/trace"
push --http "GET / HTTP/1.1\\r\\nX: $(head -c 17000 /dev/zero | tr '\0' x)\\r\\n\\r\\n"; prints closed

# ---- 16 silent clients keep nobody out; one that is in the middle of a step stays, and so do all who have just come
run 0 timeout 60 python3 "$here/places.py" "$port"; prints "fine"
heard "it did not begin, and another client"; heard "it never sent a message, and another client"; heard "there are 16 already"
stop; [ $code -eq 0 ] || fail "exit code $code"
expect 0 info "$work/x.mct"; prints "steps        8"

# ---- 10,000 messages over one connection
many=10000; ! sanitized || many=1000
python3 -c '
import sys
for i in range(int(sys.argv[2])):
    with open(sys.argv[1] + "/%d.json" % i, "w") as f:
        f.write("{\"time\":%d,\"root\":{\"key\":\"A\",\"bytes\":%d,\"objects\":1}}" % (i, i))' "$(mkdir -p "$work/many"; echo "$work/many")" $many
hear; push --split "$work/many"; stop; expect 0 info "$work/x.mct"; prints "steps        $many"

# ---- its file is read meanwhile, and stays whole if it is killed
hear; push "$work/trace"
has_five() { "$memcity" info "$work/x.mct" | grep -q "steps        5"; }
eventually has_five
expect 0 info "$work/x.mct"; prints "steps        5"
kill -KILL $listener; wait $listener 2>/dev/null; listener=
write killed "$work/x.mct"; same killed

# ---- where it listens
hear --for 300ms; wait $listener; [ $? -eq 1 ] || fail "no step: not failed"; listener=
[ -e "$work/x.mct" ] && fail "an empty recording stays"
hear --bind 0.0.0.0 --origin http://localhost:3000; heard "anyone who can reach ws://0.0.0.0:$port can push"
text "$(step 1 1)" --origin http://localhost:3000; prints success
text "$(step 1 1)" --origin http://localhost:3001; prints 403
expect 1 listen --port "$port" --bind 0.0.0.0 -o "$work/y.mct"; says "in use"
stop
hear; ! python3 -c "import socket,subprocess; socket.create_connection((subprocess.check_output(['hostname','-I']).split()[0].decode(), $port), 2)" 2>/dev/null ||
  fail "it listens beyond this machine"
stop
expect 1 listen --bind nowhere -o "$work/y.mct"; says "can't listen at nowhere"
expect 2 listen --port 65536 -o "$work/y.mct"; expect 2 listen -o "$work/y.txt"
run 2 timeout 20 env -u DISPLAY -u WAYLAND_DISPLAY "$memcity" listen; says "no display"
finish

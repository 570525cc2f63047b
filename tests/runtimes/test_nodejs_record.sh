#!/usr/bin/env bash
# Recording a running program of Node: what is recorded, what stays in the program afterwards, and what pretends to be an inspector.
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../command.sh"
memcity=$(realpath "$memcity")
cd "$work" || exit 1
trap 'kill $(jobs -p) 2>/dev/null; rm -rf "$work"' EXIT

# start MODE OPTIONS…: sets $program
start() {
  local mode=$1
  shift
  : >"$mode.said"
  env -i PATH=/usr/bin:/bin node "$@" "$here/busy_nodejs.js" "$mode" >"$mode.said" 2>"$mode.errors" &
  program=$!
  eventually grep -q ready "$mode.said"
}
# end [SIGNAL]: of the program that was started last
end() {
  kill ${1:+"$1"} "$program"
  wait "$program"
} 2>/dev/null
# How many ports of this machine the program listens at.
count_ports() {
  python3 - "$program" <<'P'
import os, sys
folder = f"/proc/{sys.argv[1]}/fd"
sockets = {os.readlink(f"{folder}/{name}") for name in os.listdir(folder)}
rows = [line.split() for line in open(f"/proc/{sys.argv[1]}/net/tcp")][1:]
print(sum(row[3] == "0A" and f"socket:[{row[9]}]" in sockets for row in rows))
P
}

# ---- a leak is recorded, the inspector closed again, and the file goes on
start leak --inspect-port=0
expect 0 record --pid "$program" --every 300ms --for 1500ms -o leak.mct
[ "$(count_ports)" = 0 ] || fail "the inspector is left open"
expect 0 record --pid "$program" --every 300ms --for 1s -o leak.mct --quiet
says 'leak.mct: appending to its'
expect 0 why leak.mct
head -1 out | grep -q '^Session objects pile up in closure variable sessions of add (busy_nodejs.js:7) (a Map), kept alive by Node itself (node:timers): ' ||
  fail "why: $(head -1 out)"
expect 0 info leak.mct
prints 'references   yes'
expect 2 record --pid "$program" --all -o all.mct; says 'is one of Node: --all is for programs of Java'
expect 2 record --pid "$program" --group-by type -o type.mct; says 'is one of Node: --group-by is for programs of Java'
expect 1 record --pid "$program" --temporary "$work/nowhere" -o none.mct; says "$work/nowhere: no file can be made there"
[ ! -e none.mct ] || fail "a file without a step is left"
end

# ---- an inspector that was open stays so
start leak --inspect=127.0.0.1:0
expect 0 record --pid "$program" --every 300ms --for 1s -o open.mct --quiet
[ "$(count_ports)" = 1 ] || fail "the inspector that was open is closed"
end -9
expect 1 record --pid "$program" -o gone.mct; says "there is no process $program"

# ---- the program ends, or does not answer
# record_until_two FILE: in the background, until two steps are there; sets $recorder
two_steps() { [ "$(grep -c objects err)" -ge 2 ]; }
record_until_two() {
  : >err
  "$memcity" record --pid "$program" --every 300ms -o "$1" >out 2>err &
  recorder=$!
  eventually two_steps
}
start leak --inspect-port=0
record_until_two ends.mct
end
wait "$recorder" || fail "a recording whose program ends fails"
says "process $program (node) has ended"
start busy --inspect-port=0
expect 0 record --pid "$program" --every 300ms --for 500ms -o busy.mct --quiet
end -9
start silent
expect 1 record --pid "$program" --timeout 1s --for 20s -o silent.mct; says 'a snapshot takes longer than 1 s'
end
start deaf
expect 1 record --pid "$program" --for 20s -o deaf.mct
says 'does not open its inspector: if another program has port 9229, start it with --inspect-port=0'
end

# ---- stopped half way: what is there stays
start leak --inspect-port=0
record_until_two stopped.mct
kill -INT "$recorder"
wait "$recorder" || fail "an interrupted recording fails"
grep -q 'steps recorded' err || fail "an interrupted recording does not say what it has"
[ "$(count_ports)" = 0 ] || fail "the inspector is left open by an interrupted recording"
end

# ---- what is no inspector
while IFS='|' read -r mode code message; do
  start "$mode"
  expect "$code" record --pid "$program" --timeout 60s --for 20s -o "$mode.mct"
  says "$message"
  ! grep -q $'[\033\007]' err || fail "$mode: what it says reaches the terminal raw"
  [ ! -e "$mode.mct" ] || fail "$mode: a file without a step is left"
  end
done <<'EOF'
list|1|does not open its inspector
id|1|does not open its inspector
page|1|does not open its inspector
drips|1|does not open its inspector
refuses|1|its inspector refuses: no
empty|3|its inspector sends no snapshot
nonsense|1|the heap dump
broken|3|its inspector says what is no answer
deep|3|its inspector says what is no answer
cuts|1|the connection is lost
frames|3|a wrong WebSocket frame
endless|3|a message of more than 64 MiB
EOF
finish

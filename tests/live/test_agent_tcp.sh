#!/usr/bin/env bash
# The agent by TCP on loopback: what no other user can read or feed.
. "$(dirname "$0")/../command.sh"
. "$(dirname "$0")/../jvm.sh"
program=$(realpath "$memcity")
[ -f "$(dirname "$program")/libmemcity-agent.so" ] || { echo "no agent was built" >&2; exit 1; }
export XDG_RUNTIME_DIR=$work/run
mkdir -m 700 "$work/run"

# begin: attaches by TCP, until it records; sets $recorder, $port and $secret
begin() {
  rm -f "$work"/live.mct*
  "$program" attach --pid "$target" --tcp --sites=fine --every 100ms -o "$work/live.mct" 2>"$work/err" &
  recorder=$!
  eventually has_steps "$work/live.mct" 1
  secret=$(cat "$work"/run/*/secret)
  port=$(python3 "$work/port.py" $recorder)
}

cat >"$work/port.py" <<'PY'
import os, sys
folder = f"/proc/{sys.argv[1]}/fd/"
ours = {os.readlink(folder + name) for name in os.listdir(folder)}
for line in list(open("/proc/net/tcp"))[1:]:
    words = line.split()
    if words[3] == "0A" and f"socket:[{words[9]}]" in ours:
        print(int(words[1].split(":")[1], 16))
PY
start java
begin
[ "${#secret}" -eq 64 ] || fail "the secret has ${#secret} characters"
[ -n "$port" ] || fail "nothing listens: $(cat "$work/err")"
for file in /proc/[0-9]*/cmdline; do # of every process
  ! { tr '\0' ' ' <"$file" | grep -qF "$secret"; } 2>/dev/null || fail "$file has the secret"
done
kill -KILL $recorder
wait $recorder 2>/dev/null
kill -0 "$target" || fail "the program ended with the viewer"

# ---- whoever listens there later is told nothing
cat >"$work/impostor.py" <<'PY'
import os, socket, sys
listener = socket.socket()
listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
listener.bind(("127.0.0.1", int(sys.argv[1])))
listener.listen(1)
peer, _ = listener.accept()
said = b""
peer.settimeout(30)
peer.sendall(os.urandom(64))
try:
    while part := peer.recv(4096):
        said += part
except ConnectionResetError:
    pass
assert len(said) == 32, len(said)
PY
python3 "$work/impostor.py" "$port" || fail "an impostor is told more than a number"

# ---- and another viewer has the agent again
expect 0 attach --pid "$target" --tcp --sites=fine --for 1s -o "$work/again.mct"
expect 0 top "$work/again.mct" --group-by type,site; prints "Leak.waste"
[ -z "$(ls "$work/run")" ] || fail "secrets stay: $(ls "$work/run")"
stop

# ---- from the start on, and without a file that both see
expect 0 run --tcp --sites -o "$work/run.mct" -- java -cp "$classes" Leak 1
expect 0 info "$work/run.mct"
export MEMCITY_AGENT_SECRET=a-secret-that-both-know
"$program" attach --listen 127.0.0.1:0 --sites -o "$work/given.mct" 2>"$work/err" &
recorder=$!
eventually grep -q "the secret is in" "$work/err"
port=$(sed -n 's/.*127\.0\.0\.1:\([0-9]*\);.*/\1/p' "$work/err")
java "-agentpath:$(dirname "$program")/libmemcity-agent.so=tcp=$port" -cp "$classes" Leak 2 || fail "java"
wait $recorder || fail "the given secret: $(head -c 300 "$work/err")"
says "recording process"
finish

#!/usr/bin/env bash
# Whoever makes the socket that an agent looks for: only its own user, root and a user that its options name are told anything.
. "$(dirname "$0")/../command.sh"
. "$(dirname "$0")/../jvm.sh"
agent=$(dirname "$(realpath "$memcity")")/libmemcity-agent.so
[ -f "$agent" ] || { echo "built without the agent" >&2; exit 1; }
[ "$(id -u)" -eq 0 ] && command -v setpriv >/dev/null || { echo "skipped: it takes root and setpriv to be another user" >&2; exit 77; }

# What came in at the socket, in bytes, of each connection; until $2 have come, or the program has ended.
cat >"$work/listen.py" <<'PY'
import os, socket, sys
os.setgroups([])
os.setgid(int(sys.argv[3]))
os.setuid(int(sys.argv[3])) # here, as another user may not be able to run this Python
listener = socket.socket(socket.AF_UNIX)
listener.bind(sys.argv[1])
os.chmod(sys.argv[1], 0o777)
listener.listen(4)
listener.settimeout(100)
for _ in range(int(sys.argv[2])):
    peer, _ = listener.accept()
    peer.settimeout(100)
    print(len(peer.recv(4096)), flush=True)
    peer.close()
os.unlink(sys.argv[1])
PY
as() { # USER COMMAND…
  local user=$1
  shift
  setpriv --reuid="$user" --regid="$user" --clear-groups "$@"
}
chmod 755 "$work" "$classes"
cp "$agent" "$work/agent.so"
mkdir -m 1777 "$work/shared"
name=$work/shared/socket

# tells USER LISTENER COUNT OPTIONS: what an agent of USER's tells LISTENER, at COUNT attempts
tells() {
  rm -f "$name"
  python3 "$work/listen.py" "$name" "$3" "$2" >"$work/told" 2>"$work/err" &
  local listener=$!
  eventually test -S "$name"
  setpriv --reuid="$1" --regid="$1" --clear-groups \
    java -Xmx64m -XX:+UseSerialGC "-agentpath:$work/agent.so=socket=$name;start=alloc$4" -cp "$classes" Leak 3600 \
    secret-of-the-command-line 2>"$work/java.err" &
  local program=$!
  wait $listener || fail "$1 and $2: nobody came: $(tail -1 "$work/err")"
  kill $program
  wait $program
  [ $? -eq 143 ] || fail "$1: the program did not go on: $(head -c 300 "$work/java.err")"
}
tells 0 33 2 ""
[ "$(sort -u "$work/told")" = 0 ] || fail "another user is told $(tr '\n' ' ' <"$work/told")bytes"
tells 33 34 1 ""
[ "$(cat "$work/told")" = 0 ] || fail "a user of a user's is told $(cat "$work/told") bytes"
tells 33 33 1 ""
[ "$(cat "$work/told")" -gt 0 ] || fail "its own user is told nothing"
tells 33 0 1 ""
[ "$(cat "$work/told")" -gt 0 ] || fail "root is told nothing"
tells 0 33 1 ";user=33"
[ "$(cat "$work/told")" -gt 0 ] || fail "the user that was named is told nothing"

# a user's memcity starts a program that becomes root's, as with sudo
cp "$memcity" "$work/memcity"
cp "$agent" "$work/libmemcity-agent.so"
cat >"$work/as-root" <<SH
#!/bin/sh
# what sudo -E does: waits for a helper that is root
printf '%s' "\$JAVA_TOOL_OPTIONS" >"$work/shared/options"
while [ ! -e "$work/shared/done" ]; do sleep 0.1; done
SH
chmod 755 "$work/as-root"
mkdir -m 700 "$work/run"
chown 33:33 "$work/run"
# what connects and goes again ends nothing, and is said
XDG_RUNTIME_DIR=$work/run as 33 "$work/memcity" attach --listen "$name" --sites -o "$work/shared/refused.mct" 2>"$work/err" &
recorder=$!
eventually test -S "$name"
java -Xmx64m "-agentpath:$work/agent.so=socket=$name" -cp "$classes" Leak 1
says "an agent has connected but sends nothing"
java -Xmx64m "-agentpath:$work/agent.so=socket=$name;user=33" -cp "$classes" Leak 1
wait $recorder || fail "after a refusal: $(head -c 300 "$work/err")"

(
  cd "$work/shared" || exit
  XDG_RUNTIME_DIR=$work/run as 33 "$work/memcity" run --sites -o "$work/shared/root.mct" -- "$work/as-root" 2>"$work/recorder.err" &
  recorder=$!
  eventually test -s "$work/shared/options"
  JAVA_TOOL_OPTIONS=$(cat "$work/shared/options") java -Xmx64m -XX:+UseSerialGC -cp "$classes" Leak 2 2>/dev/null
  touch "$work/shared/done"
  wait $recorder
) || fail "a program of root's that a user records: $(head -c 300 "$work/recorder.err")"
finish

#!/usr/bin/env bash
# The folder of a run: nobody else can enter it, what is left of a killed one goes with the next, and what is used stays, also where
# the process that uses it can't be seen.
. "$(dirname "$0")/../command.sh"
program=$(realpath "$memcity")
recorders=()
trap 'kill -KILL "${recorders[@]}" 2>/dev/null; rm -rf "$work"' EXIT
export XDG_RUNTIME_DIR=$work/run
mkdir -m 700 "$work/run"

# begin NAME [COMMAND…]: a run by way of COMMAND, until it has a folder: sets $recorder, and $folder, which is made for it
begin() {
  local name=$1
  shift
  "$@" "$program" attach --listen 127.0.0.1:0 --sites -o "$work/$name.mct" 2>"$work/$name.err" &
  recorder=$!
  recorders+=($recorder)
  eventually grep -q "the secret is in" "$work/$name.err"
  folder=$(sed -n 's/.*the secret is in \(.*\)\/secret$/\1/p' "$work/$name.err")
  [ -n "$folder" ] || fail "$name: no folder: $(head -c 300 "$work/$name.err")"
}
end() {
  kill -"${1:-INT}" "$recorder"
  wait "$recorder" 2>/dev/null
}

begin first
first=$folder
[ "$(stat -c %a "$first")" = 700 ] || fail "the folder's mode is $(stat -c %a "$first")"
[ "${first%/*}" = "$work/run" ] || fail "it is not in XDG_RUNTIME_DIR: $first"
begin second
end KILL
[ -e "$folder/secret" ] || fail "killed, and nothing is left"
second=$folder
begin third
[ ! -e "$second" ] || fail "what a killed run left stays"
[ -e "$first/secret" ] || fail "the folder of a run was removed"
end
[ ! -e "$folder" ] || fail "the folder of a run that has ended stays"

# ---- what listens without -o has one, too, until a window opens
DISPLAY=:none "$program" listen --port 0 2>"$work/listen.err" &
recorder=$!
recorders+=($recorder)
eventually grep -q "listening at" "$work/listen.err"
listening=$(dirname "$(ls "$work"/run/*/live.mct)")
begin sixth
[ -e "$listening/live.mct" ] || fail "the recording of what listens was removed"
end
recorder=${recorders[-2]}
end KILL
begin seventh
end
[ ! -e "$listening" ] || fail "what listened left something, which stays"

# ---- processes that can't be seen
apart=(unshare --pid --fork --kill-child)
[ "$(id -u)" -eq 0 ] || apart=(unshare --user --map-current-user --pid --fork --kill-child)
if "${apart[@]}" true 2>/dev/null; then
  begin apart "${apart[@]}"
  [ -e "$first/secret" ] || fail "a run in another PID namespace removed a folder that is used"
  end KILL
  eventually flock -n "$folder" true
fi

# ---- what earlier versions made, which had no lock, and the number of a process that is nobody's here
cat >"$work/earlier.py" <<'PY'
import os, socket, sys
os.mkdir(sys.argv[1], 0o700)
listener = socket.socket(socket.AF_UNIX)
listener.bind(sys.argv[1] + "/socket")
listener.listen(1)
listener.settimeout(60)
listener.accept()
os.unlink(sys.argv[1] + "/socket")
PY
earlier=$work/run/memcity-live-99999999-Abc123
python3 "$work/earlier.py" "$earlier" &
listener=$!
recorders+=($listener)
mkdir -m 700 "$work/run/memcity-live-99999999-notyet"
eventually test -S "$earlier/socket"
begin fourth
end
[ -S "$earlier/socket" ] && kill -0 $listener || fail "a run of an earlier version was disturbed"
kill -KILL $listener
wait $listener 2>/dev/null
begin fifth
end
[ ! -e "$earlier" ] || fail "what a killed run of an earlier version left stays"
[ -d "$work/run/memcity-live-99999999-notyet" ] || fail "what an earlier version may use was removed"
recorder=${recorders[0]}
end
rmdir "$work/run/memcity-live-99999999-notyet"
[ -z "$(ls "$work/run")" ] || fail "left: $(ls "$work/run")"

# ---- /tmp, where others are, too: one of our own
if [ "$(id -u)" -eq 0 ] && command -v setpriv >/dev/null && unshare -m mount -t tmpfs none /tmp 2>/dev/null; then
  cat >"$work/tmp.sh" <<'SH'
exec 9<"$1"
mount -t tmpfs -o mode=1777 none /tmp
mkdir -m 777 /tmp/x
program=/tmp/x/memcity # which all can run
cat <&9 >$program
chmod 755 $program
wrong() { echo "failed: $*"; }
try() { timeout 60 "$@" "$program" attach --listen 127.0.0.1:0 --sites -o /tmp/x/x.mct >/tmp/x/out 2>&1; }
listens() { # until it has said where
  : >/tmp/x/out
  "$@" "$program" attach --listen 127.0.0.1:0 --sites -o /tmp/x/x.mct >/tmp/x/out 2>&1 &
  while ! grep -q "the secret is in" /tmp/x/out && kill -0 $! 2>/dev/null; do sleep 0.05; done
  kill -INT $!
  wait $!
}
refused() { # TEXT [COMMAND…]
  local text=$1
  shift
  try "$@"
  [ $? -eq 1 ] || wrong "not refused: $text: $(cat /tmp/x/out)"
  grep -q "$text" /tmp/x/out && [ "$(wc -l </tmp/x/out)" -eq 1 ] || wrong "not \"$text\": $(cat /tmp/x/out)"
}
taken() { # USER [COMMAND…]
  local user=$1
  shift
  listens "$@"
  grep -q "the secret is in /tmp/memcity-$user/memcity-run-" /tmp/x/out || wrong "not in the user's own: $(cat /tmp/x/out)"
  [ "$(stat -c '%u %a' "/tmp/memcity-$user")" = "$user 700" ] || wrong "of $(stat -c '%u %a' "/tmp/memcity-$user")"
  [ -z "$(ls "/tmp/memcity-$user")" ] || wrong "left: $(ls "/tmp/memcity-$user")"
}
user=(setpriv --reuid=33 --regid=33 --clear-groups)
unset XDG_RUNTIME_DIR
taken 0
taken 33 "${user[@]}"
mkdir -m 700 /tmp/roots
XDG_RUNTIME_DIR=/tmp/roots taken 33 "${user[@]}" # as with sudo -E
mkdir -m 755 /tmp/open
XDG_RUNTIME_DIR=/tmp/open taken 0
[ -z "$(ls /tmp/open /tmp/roots | grep memcity)" ] || wrong "in a folder that is not ours alone"
chmod 755 /tmp/memcity-0
refused "/tmp/memcity-0: expected a folder of yours .*found user 0 and mode 0755"
rmdir /tmp/memcity-0
mkdir -m 700 /tmp/memcity-0
chown 33 /tmp/memcity-0
refused "/tmp/memcity-0: expected a folder of yours .*found user 33 and mode 0700"
rmdir /tmp/memcity-33
mkdir -m 777 /tmp/memcity-33
refused "/tmp/memcity-33: expected a folder of yours .*found user 0" "${user[@]}"
rmdir /tmp/memcity-33 /tmp/memcity-0
ln -s /tmp/roots /tmp/memcity-0
refused "/tmp/memcity-0: expected a folder of yours"
rm /tmp/memcity-0
chmod 777 /tmp
refused "/tmp: expected mode 1777"
XDG_RUNTIME_DIR=/tmp/roots listens
grep -q "the secret is in /tmp/roots/memcity-run-" /tmp/x/out || wrong "not in XDG_RUNTIME_DIR: $(cat /tmp/x/out)"
SH
  said=$(unshare -m bash "$work/tmp.sh" "$program" 2>&1 </dev/null)
  ! grep -q '^failed' <<<"$said" || fail "$said"
fi
finish

#!/usr/bin/env bash
# What attaching can't do is said in one message each, and nothing waits for an agent that can't come.
. "$(dirname "$0")/../command.sh"
. "$(dirname "$0")/../jvm.sh"
program=$(realpath "$memcity")
[ -f "$(dirname "$program")/libmemcity-agent.so" ] || { echo "no agent was built" >&2; exit 1; }
one_message() { [ "$(grep -c '^memcity: ' "$work/err")" -eq 1 ] || fail "more than one message: $(cat "$work/err")"; }
refuses() { # TEXT OPTION…: attaching to $target
  local text=$1
  shift
  expect 1 attach --pid "$target" --sites --for 1s -o "$work/none.mct" "$@"
  says "$text"
  one_message
  [ ! -e "$work/none.mct" ] || fail "a file was made for nothing"
}

start java
refuses "No such file" --jcmd /nowhere/jcmd
stop

java -XX:+DisableAttachMechanism -cp "$classes" Leak 3600 &
target=$!
eventually is_java
refuses "DisableAttachMechanism"
stop

# ---- parts of the agent are not there
mkdir "$work/bare"
cp "$program" "$work/bare/memcity"
run 1 "$work/bare/memcity" run --sites -o "$work/none.mct" -- java -cp "$classes" Leak 1; says "libmemcity-agent.so is missing"; one_message
cp "$(dirname "$program")/libmemcity-agent.so" "$work/bare"
run 1 "$work/bare/memcity" run --methods exact -o "$work/none.mct" -- java -cp "$classes" Leak 1; says "memcity-agent.jar is missing"
run 0 "$work/bare/memcity" run --methods sampled -o "$work/some.mct" -- java -cp "$classes" Leak 1

# ---- no Java at all
expect 1 run --sites -o "$work/none.mct" -- true; says "no agent has connected"

if [ "$(id -u)" -eq 0 ] && command -v setpriv >/dev/null; then # another user's
  chmod 755 "$work" "$classes"
  setpriv --reuid=65534 --regid=65534 --clear-groups java -cp "$classes" Leak 3600 &
  target=$!
  eventually is_java
  refuses "another user"
  stop
fi
if [ "$(id -u)" -eq 0 ] && unshare -m true 2>/dev/null; then # other files
  unshare -m java -cp "$classes" Leak 3600 &
  target=$!
  eventually is_java
  refuses "(a container)"
  stop
fi
finish

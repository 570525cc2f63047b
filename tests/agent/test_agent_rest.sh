#!/usr/bin/env bash
# A recording that fails puts the agent to rest, as one that ends: whatever the failure. And who is not recorded any more finds
# nobody to talk to.
. "$(dirname "$0")/../command.sh"
. "$(dirname "$0")/../jvm.sh"
program=$(realpath "$memcity")
[ -f "$(dirname "$program")/libmemcity-agent.so" ] || { echo "no agent was built" >&2; exit 1; }
export XDG_RUNTIME_DIR=$work/run
mkdir -m 700 "$work/run"
# Files of at most 80 KiB: as on a disk that is full, once some steps are there.
on_full_disk() { (trap '' XFSZ; ulimit -f 80; exec "$@"); }
threads() { jcmd "$target" Thread.print >"$work/threads" && grep -q '"main"' "$work/threads"; }
has_agent() { threads && grep -q '"memcity agent"' "$work/threads"; }
has_no_agent() { threads && ! grep -q '"memcity agent"' "$work/threads"; } # it ends its thread a moment after it has said so

start java
expect 0 attach --pid "$target" --sites --for 1s -o "$work/fine.mct"
eventually has_no_agent || fail "the agent stays after a recording that is fine"
for way in "" --tcp; do
  "$program" attach --pid "$target" $way --sites=fine --every 100ms -o "$work/full.mct" 2>"$work/err" & # holds the agent's thread
  recorder=$!
  eventually has_agent || fail "no agent: $(head -c 300 "$work/err")"
  kill -INT $recorder
  wait $recorder
  rm -f "$work"/full.mct*
  run 1 on_full_disk "$program" attach --pid "$target" $way --sites=fine --every 100ms -o "$work/full.mct"
  says "recording process"; says "full.mct"
  eventually has_no_agent || fail "the agent looks for a viewer after a recording that failed $way"
  [ -z "$(ls "$work/run")" ] || fail "a folder stays: $(ls "$work/run")"
  rm -f "$work"/full.mct*
done
stop

# ---- a program that goes on, and one that it starts when nobody records any more
cat >"$work/program" <<SH
#!/bin/sh
java -Xmx64m -cp "$classes" Leak 1
java -Xmx64m -cp "$classes" Leak 2 & # is not recorded
sleep 1
ls -A "$work/run"/* >"$work/found"
wait
SH
chmod 755 "$work/program"
expect 0 run --sites --for 10s -o "$work/first.mct" -- "$work/program"
! grep -q socket "$work/found" || fail "somebody listens, and nobody hears: $(cat "$work/found")"
finish

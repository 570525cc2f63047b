#!/usr/bin/env bash
# Sampled sites hold up no thread that has a lock: what the agent looks up in one thread waits for no lock whose holder allocates.
. "$(dirname "$0")/../command.sh"
. "$(dirname "$0")/../jvm.sh"
agent=$(dirname "$(realpath "$memcity")")/libmemcity-agent.so
[ -f "$agent" ] || { echo "built without the agent" >&2; exit 1; }
for home in $(jdks); do
  rm -f "$work/socket"
  python3 "$here/agent/viewer.py" "$work/socket" alloc "interval=2048;depth=2" >"$work/told" 2>"$work/viewer.err" &
  viewer=$!
  eventually test -S "$work/socket"
  run 0 timeout -s KILL 100 "$home/bin/java" -Xmx256m -XX:+UseSerialGC "-agentpath:$agent=socket=$work/socket" -cp "$classes" Locked
  prints "went on"
  wait $viewer || fail "$home: the viewer: $(tail -1 "$work/viewer.err")"
  for method in Locked.main 'Locked$Worker.run'; do
    grep -qF "alloc $method:" "$work/told" || fail "$home: $method is not told of: $(head -3 "$work/told")"
  done
done
finish

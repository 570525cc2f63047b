#!/usr/bin/env bash
# Sampled sites: estimates are right on the average, and their error bars 19 times of 20. A JVM's samples are chosen by chance, so
# limits are more than four times as far from what is expected as chance goes (bench/agent_sites.py counts more).
. "$(dirname "$0")/../command.sh"
. "$(dirname "$0")/../jvm.sh"
agent=$(dirname "$(realpath "$memcity")")/libmemcity-agent.so
[ -f "$agent" ] || { echo "built without the agent" >&2; exit 1; }
known=$here/agent/known_sites.py
sites=200 bytes=200000 # 40 MB: about 19,500 samples, so chance moves the sum by 0.7 %, and the coverage by 1.6
python3 "$known" write "$work" $sites $bytes
javac -d "$classes" "$work/Known.java" || exit 1

is_within() { # NAME LOW HIGH
  awk -v name="$1" -v low="$2" -v high="$3" '{ for (i = 1; i < NF; i += 2) if ($i == name) exit !($(i + 1) >= low && $(i + 1) <= high); exit 1 }' \
    "$work/found" || fail "$label: $1 is not $2 to $3: $(cat "$work/found")"
}
collectors=(-XX:+UseParallelGC -XX:+UseZGC -XX:+UseG1GC)
turn=0
for home in $(jdks); do
  collector=${collectors[turn++ % 3]}
  label="$home $collector"
  rm -f "$work/socket"
  python3 "$here/agent/viewer.py" "$work/socket" none >"$work/told" 2>"$work/viewer.err" &
  viewer=$!
  eventually test -S "$work/socket"
  # Whatever stands still says where: a JVM prints its threads at the first signal.
  run 0 timeout -s QUIT -k 10 200 "$home/bin/java" -Xmx512m $collector "-agentpath:$agent=socket=$work/socket;start=alloc;interval=2048;depth=2" -cp "$classes" Known
  [ ! -s "$work/out" ] || head -c 20000 "$work/out" >&2
  wait $viewer || fail "$label: the viewer: $(tail -1 "$work/viewer.err")"
  python3 "$known" check "$work/told" $sites $bytes >"$work/found" || fail "$label: nothing to compare"
  is_within coverage 87 100
  is_within median-error 3 15
  is_within sum-error 0 3.2
  ! grep '^lost' "$work/told" || fail "$label: something was lost"
done
finish

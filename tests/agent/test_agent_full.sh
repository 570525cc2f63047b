#!/usr/bin/env bash
# A viewer that connects and reads nothing: the program goes on. What did not fit is told once it reads again, as larger differences
# that lose nothing, or, of what has no room to wait, as a number of what is lost.
. "$(dirname "$0")/../command.sh"
. "$(dirname "$0")/../jvm.sh"
agent=$(dirname "$(realpath "$memcity")")/libmemcity-agent.so
[ -f "$agent" ] || { echo "built without the agent" >&2; exit 1; }
sites=3000 rounds=60 remembered=1024

# 10 MB of rows, of which 4 MB may wait; and more collections than are remembered, of the young, which are quick: one of two arrays
{
  echo 'public class Full { static Object last, kept[][] = new Object['$rounds']['$sites'];'
  for ((i = 0; i < sites; i++)); do echo "static Object m$i() { return new byte[8]; }"; done
  for ((i = 0; i < sites; i += 500)); do
    echo "static void call$i(int round) {"
    for ((k = i; k < i + 500; k++)); do echo "kept[round][$k] = m$k();"; done
    echo "}"
  done
  echo 'public static void main(String[] arguments) throws Exception { for (int round = 0; round < '$rounds'; round++) {'
  for ((i = 0; i < sites; i += 500)); do echo "call$i(round);"; done
  echo 'Thread.sleep(60); } for (int i = 0; i < '$((2 * remembered + 200))'; i++) last = new byte[1 << 20];'
  echo 'new java.io.File(arguments[0]).createNewFile();'
  # until the viewer has read what waited, and the next batches
  echo 'java.io.File lost = new java.io.File(arguments[0] + ".lost");'
  echo 'for (int i = 0; i < 600 && !lost.exists(); i++) Thread.sleep(100); Thread.sleep(500); } }'
} >"$work/Full.java"
javac -d "$classes" "$work/Full.java" || exit 1

for home in $(jdks); do
  label=$home
  rm -f "$work/socket" "$work/done"*
  VIEWER_STALLS=$work/done python3 "$here/agent/viewer.py" "$work/socket" none >"$work/told" 2>"$work/viewer.err" &
  viewer=$!
  eventually test -S "$work/socket"
  timeout 200 "$home/bin/java" -Xmx64m -Xmn3m -XX:+UseSerialGC -Xlog:gc:file="$work/collections" "-agentpath:$agent=socket=$work/socket;start=alloc;interval=0;depth=1" -cp "$classes" Full \
    "$work/done" 2>"$work/err" || fail "$label: exit code $?: $(head -c 300 "$work/err")"
  [ -e "$work/done" ] || touch "$work/done"
  wait $viewer || fail "$label: the viewer: $(tail -1 "$work/viewer.err")"
  [ "$(grep -c "^alloc Full\.m[0-9]*:[0-9]* $rounds $((rounds * 24)) 0$" "$work/told")" -eq $sites ] ||
    fail "$label: not $rounds of each: $(grep -m 3 '^alloc Full.m' "$work/told")"
  lost=$(awk '/^lost 255 .* collections came too fast/ { n += $3 } END { print n + 0 }' "$work/told")
  collections=$(grep -c ' Pause ' "$work/collections")
  { [ "$lost" -gt 0 ] && [ "$lost" -le $((collections - remembered + 2)) ]; } || fail "$label: of $collections collections $lost were lost"
  [ "$(awk '$1 == "bytes" { print $2 }' "$work/told")" -lt 8000000 ] || fail "$label: more waited than may: $(tail -1 "$work/told")"
done
finish

#!/usr/bin/env bash
# How fast heap dumps are read, beside what the JVM itself needs for the same heap.
#
# usage: bench/hprof/run.sh MEMCITY [ORDERS] [FOLDER] [BESIDE]
#   ORDERS  7 objects each; 8,400,000 make a dump of 3.1 GB and take a heap of 2.4 GB
#   FOLDER  for the dump, which is removed at the end
#   BESIDE  another version of memcity, measured in turns with the first
set -euo pipefail
memcity=$(realpath "$1") orders=${2:-8400000} folder=$(mktemp -d "${3:-/var/tmp}/memcity-hprof-XXXXXX")
beside=${4:+$(realpath "$4")}
here=$(cd "$(dirname "$0")" && pwd)
trap 'exec 3>&- || true; rm -rf "$folder"' EXIT
cd "$folder"

javac -d . "$here/HeapMaker.java"
mkfifo input
java -Xmx$((orders / 2400 + 256))m -XX:+UseParallelGC HeapMaker "$orders" <input >output &
exec 3>input
until grep -q ready output 2>/dev/null; do sleep 0.2; done
pid=$(cut -d' ' -f2 output)

measure() { # NAME COMMAND…: seconds and the most memory
  local name=$1
  shift
  /usr/bin/env python3 - "$name" "$@" <<'P'
import os, subprocess, sys, time
begin = time.monotonic()
child = subprocess.Popen(sys.argv[2:], stdout=subprocess.DEVNULL)
_, status, usage = os.wait4(child.pid, 0)
print(f"{sys.argv[1]:32} {time.monotonic() - begin:8.2f} s {usage.ru_maxrss / 1024:8.0f} MB"
      f"{'' if status == 0 else ' FAILED'}", flush=True)
P
}

measure "jcmd GC.class_histogram" jcmd "$pid" GC.class_histogram
measure "jcmd GC.heap_dump" jcmd "$pid" GC.heap_dump "$folder/heap.hprof"
exec 3>&-
ls -l heap.hprof | awk '{printf "%-32s %8.2f GB\n", "dump", $5 / 1e9}'
cat heap.hprof >/dev/null # into the cache
for run in 1 2 3; do
  measure "memcity, objects and bytes" "$memcity" info --no-references heap.hprof
done
for run in 1 2 3; do
  measure "memcity, with references" "$memcity" info heap.hprof
  [ -z "$beside" ] || measure "… beside" "$beside" info heap.hprof
done
[ "$orders" != 8400000 ] || echo "                                   target 3.5 s"
if command -v gzip >/dev/null; then
  measure "gzip -1" gzip -1 -k heap.hprof
  measure "memcity, with references, .gz" "$memcity" info heap.hprof.gz
fi
"$memcity" info heap.hprof | tail -2

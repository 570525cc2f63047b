#!/usr/bin/env bash
# What objects take: of every class of the JDK's java packages, by each JDK there is, with what changes it.
. "$(dirname "$0")/../command.sh"
. "$(dirname "$0")/../jvm.sh"
memcity=$(realpath "$memcity")
cd "$work" || exit 1

# The first one makes classes of its own.
printf '%s\n' GC.class_histogram GC.class_histogram "GC.heap_dump $work/dump.hprof" GC.class_histogram >commands

# sizes HOME SHARED JVM options…: SHARED: --shared, or empty
sizes() {
  local home=$1 shared=$2
  shift 2
  rm -rf input output dump.hprof exported
  mkfifo input
  "$home/bin/java" -cp "$classes" -Xmx128m -XX:TieredStopAtLevel=1 "$@" EveryClass <input >output 2>&1 &
  target=$!
  forget_socket
  exec 3>input
  eventually grep -q ready output
  "$home/bin/jcmd" $target -f commands >said
  awk '/#instances/ { count++ } { print >("histogram" count + 0) }' said
  exec 3>&-
  stop
  expect 0 export dump.hprof --no-references --format default -o exported
  # shellcheck disable=SC2086
  python3 "$here/hprof_histogram.py" exported histogram2 histogram3 $shared >log || fail "$home $*: $(cat log)"
}

for home in $(jdks); do
  sizes "$home" --shared
  while read -r options; do
    # shellcheck disable=SC2086
    "$home/bin/java" $options -version >/dev/null 2>&1 || continue # this one doesn't have it
    # shellcheck disable=SC2086
    sizes "$home" "" -Xshare:off $options
  done <<'END'
-XX:+UseZGC
-XX:+UseParallelGC -XX:-UseCompressedClassPointers
-XX:+UseSerialGC -XX:-UseCompressedOops
-XX:+UseG1GC -XX:ObjectAlignmentInBytes=16
-XX:+UseG1GC -XX:+UseCompactObjectHeaders
END
done

finish

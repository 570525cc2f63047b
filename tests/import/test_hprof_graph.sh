#!/usr/bin/env bash
# What objects retain, what goes without them and how they are held: made by hand and by JVMs, against
# a slow reference.
. "$(dirname "$0")/../command.sh"
. "$(dirname "$0")/../jvm.sh"
memcity=$(realpath "$memcity")
print=$(realpath "$(dirname "$memcity")/tests/print_hprof")
javac -d "$classes" "$here/java/Holders.java" 2>/dev/null || exit 1
cd "$work" || exit 1

same() { # DUMP KEY…
  local dump=$1
  shift
  rm -rf exported
  expect 0 export "$dump" --format default -o exported
  "$print" "$dump" "$@" >printed 2>log || fail "print_hprof $dump: $(tail -3 log)"
  python3 "$here/hprof_graph_reference.py" "$dump" exported printed >log 2>&1 || fail "$dump: $(tail -20 log)"
}

# ---- by hand

seed=0
while read -r options; do
  seed=$((seed + 1))
  # shellcheck disable=SC2086
  python3 "$here/hprof_maker.py" made.hprof --seed $seed $options || exit 1
  same made.hprof 'Heap#a.b#C$D' 'Heap#java.lang' 'Heap#(default)' 'Heap#java.lang.ref'
done <<'END'

--loose
--id-size 4 --loose
--ids sparse
--ids odd --id-size 4 --layout one --loose
--android --id-size 4 --layout endless --loose
--android --loose
--no-roots
--layout one --objects 1300 --classes 100 --loose
END

# ---- by JVMs

# dump HOME JVM options…
dump() {
  local home=$1
  shift
  rm -f input output dump.hprof
  mkfifo input
  "$home/bin/java" -cp "$classes" -Xmx128m "$@" Holders <input >output 2>&1 &
  target=$!
  exec 3>input
  for _ in $(seq 600); do grep -q ready output && break || sleep 0.05; done
  "$home/bin/jcmd" $target GC.heap_dump "$work/dump.hprof" >said || fail "$home $*: $(cat said)"
  exec 3>&-
  stop
}

for home in $(jdks); do
  while read -r options; do
    # shellcheck disable=SC2086
    "$home/bin/java" $options -version >/dev/null 2>&1 || continue # this one doesn't have it
    # shellcheck disable=SC2086
    dump "$home" $options
    same dump.hprof 'Heap#(default)#Holders$InMap' 'Heap#java.util' 'Heap#(default)#Holders$Chained'
  done <<'END'
-XX:+UseSerialGC
-XX:+UseZGC -Xshare:off
-XX:+UseG1GC -XX:+UseCompactObjectHeaders
END
done

finish

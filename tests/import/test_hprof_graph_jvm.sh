#!/usr/bin/env bash
# What objects of running JVMs retain, what goes without them and how they are held, against a slow reference.
. "$(dirname "$0")/../command.sh"
. "$(dirname "$0")/../jvm.sh"
memcity=$(realpath "$memcity")
print=$(realpath "$(dirname "$memcity")/tests/print_hprof")
. "$here/hprof_graph.sh"
cd "$work" || exit 1

# dump HOME JVM options…
dump() {
  local home=$1
  shift
  rm -f input output dump.hprof
  mkfifo input
  "$home/bin/java" -cp "$classes" -Xmx128m "$@" Holders <input >output 2>&1 &
  target=$!
  forget_socket
  exec 3>input
  eventually grep -q ready output
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
    # what waits to be finalized, and what goes when memory is short
    expect 0 paths dump.hprof --of 'Holders$Pending'
    prints 'pending finalizers'; prints 'Finalizer.referent → Holders$Stuck'
    expect 0 paths dump.hprof --of 'Holders$Softly'; prints 'soft references'; prints 'SoftReference.referent → Holders$Softly'
    expect 0 whatif dump.hprof --demolish 'Holders$Stuck' --json; prints '"Heap#(default)#Holders$Pending"'
    expect 0 objects dump.hprof --columns class,dominator_class,retained
    grep -q "^Holders.Softly	(soft references)	[1-9]" "$work/out" && grep -q "^Holders.Stuck	(pending finalizers)	[1-9]" "$work/out" ||
      fail "$home $options: $(grep -E "Softly|Stuck" "$work/out")"
    # what roots alone hold is called by them: of a thread's methods by the outermost
    expect 0 find dump.hprof InLocal --group-by datastructure,type
    prints 'Heap#ArrayList in Holders.keepLists()#Holders$InLocal'
    prints 'Heap#LinkedList in (several)#Holders$InLocal'
    # stacks of virtual threads, waiting or not, are in dumps of JDK 25 and later
    release=$("$home/bin/java" -XshowSettings:properties -version 2>&1 | sed -n 's/.*java.specification.version = //p')
    [ "${release%%.*}" -ge 25 ] || continue
    expect 0 roots dump.hprof --of 'Heap#(default)#Holders$OnVirtualStack'
    prints 'thread "virtual that runs" in Holders.holdVirtually(Holders.java:'
    expect 0 roots dump.hprof
    prints 'thread "virtual that waits" in Holders.holdVirtually(Holders.java:'
    expect 0 info dump.hprof --waste; prints "StringBuilder or StringBuffer"
  done <<'END'
-XX:+UseSerialGC
-XX:+UseZGC -Xshare:off
-XX:+UseG1GC -XX:+UseCompactObjectHeaders
END
done

finish

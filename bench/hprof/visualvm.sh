#!/usr/bin/env bash
# What every class of a dump retains, by VisualVM's heap library (Debian's package visualvm), stopped after ten minutes.
#
# usage: bench/hprof/visualvm.sh DUMP [SECONDS]
#   VISUALVM_JAR  its library, if it lies elsewhere; VISUALVM_MEMORY  the Java heap, 8g if nothing is said
#   What it keeps beside its heap goes into a folder that is removed at the end.
set -euo pipefail
dump=$(realpath "$1") limit=${2:-600}
jar=$(realpath "${VISUALVM_JAR:-/usr/share/visualvm/visualvm/modules/org-graalvm-visualvm-lib-jfluid-heap.jar}")
here=$(cd "$(dirname "$0")" && pwd)
folder=$(mktemp -d "${TMPDIR:-/var/tmp}/memcity-visualvm-XXXXXX")
trap 'rm -rf "$folder"' EXIT
ln -s "$dump" "$folder/heap.hprof" # it writes its index beside the dump
javac -d "$folder" -cp "$jar" "$here/RetainedByClass.java"
exec 3>&1
/usr/bin/env python3 "$here/../peers/watch.py" "$limit" \
  java -Xmx"${VISUALVM_MEMORY:-8g}" -Djava.io.tmpdir="$folder" -cp "$folder:$jar" RetainedByClass "$folder/heap.hprof"

#!/usr/bin/env bash
# Heap dumps: made by hand and by a JVM, against a slow reference, against the JVM's own class
# histogram, packed, cut off. Arguments: memcity, the folder of the test data.
set -u
memcity=$(realpath "$1")
traces=$(dirname "$memcity")/traces
here=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
failures=0

check() { # WHAT COMMAND…
  local what=$1
  shift
  "$@" >log 2>&1 && return
  echo "failed: $what: $*"
  tail -20 log
  failures=$((failures + 1))
}

expect() { # CODE COMMAND…
  local code=$1 found
  shift
  "$@" >out 2>err
  found=$?
  [ "$found" -eq "$code" ] && return
  echo "failed: exit code $found instead of $code: $*"
  cat err
  failures=$((failures + 1))
}

same() { # DUMP
  rm -rf exported
  expect 0 "$memcity" export "$1" --format default -o exported
  check "the reference" python3 "$here/hprof_reference.py" "$1" exported
}

# ---- by hand

seed=0
while read -r options; do
  seed=$((seed + 1))
  # shellcheck disable=SC2086
  python3 "$here/hprof_maker.py" made.hprof --seed $seed $options || exit 1
  same made.hprof
done <<'END'

--id-size 4
--ids sparse
--ids odd --id-size 4 --layout one
--android --id-size 4 --layout endless
--ids sparse --id-size 4 --objects 3000
--layout one --objects 6000 --classes 300
END

# ---- packed: as one member, as many, as zstd; the counts are the same

"$memcity" info made.hprof >plain.txt 2>/dev/null
gzip -k made.hprof
head -c 30000 made.hprof | gzip >many.hprof.gz
tail -c +30001 made.hprof | gzip >>many.hprof.gz
for packed in made.hprof.gz many.hprof.gz; do
  expect 0 "$memcity" info $packed
  check "$packed" cmp out plain.txt
done
if command -v zstd >/dev/null; then
  zstd -q made.hprof -o made.hprof.zst
  expect 0 "$memcity" info made.hprof.zst
  check "zstd" cmp out plain.txt
fi
expect 1 env TMPDIR=/nowhere "$memcity" info made.hprof.gz
check "names the folder" grep -q "/nowhere" err
# without references, objects are the same
expect 0 "$memcity" info made.hprof --no-references
check "no references" grep -q "references   no" out
check "objects without references" cmp <(awk 'END { print $4, $5, $6 }' out) \
  <(awk 'END { print $4, $5, $6 }' plain.txt)

# ---- cut off, damaged, nothing at all

size=$(stat -c %s made.hprof)
head -c $((size - 1000)) made.hprof >cut.hprof
expect 3 "$memcity" import cut.hprof -o cut.mct
check "says what is missing" grep -q "incomplete: the file ends within the record at byte" err
expect 0 "$memcity" info cut.mct
expect 0 "$memcity" import cut.hprof --partial -o cut.mct
head -c $(($(stat -c %s made.hprof.gz) / 2)) made.hprof.gz >cut.hprof.gz
expect 3 "$memcity" info cut.hprof.gz
head -c 200 made.hprof >header.hprof
expect 3 "$memcity" info header.hprof
check "no heap" grep -q "header.hprof:200: expected a heap in this dump" err
gzip -k header.hprof
expect 3 "$memcity" info header.hprof.gz
check "no heap, packed" grep -q "header.hprof.gz: unpacked byte 200: expected a heap" err
expect 3 "$memcity" import header.hprof -o header.mct
check "leaves nothing" test ! -e header.mct

# ---- by a JVM

if ! command -v jcmd >/dev/null || ! command -v javac >/dev/null; then
  echo "no JDK: dumps of a JVM are left out"
  exit $((failures > 0))
fi
cp "$(dirname "$memcity")"/classes/HeapExample*.class . || exit 1 # target memcity_classes

dump() { # NAME JVM options…: NAME.hprof, with histograms before and after it beside it
  local name=$1 pid
  shift
  mkfifo input
  java "$@" -Xmx256m HeapExample <input >output 2>&1 &
  rm -f "/tmp/.java_pid$!" # of a killed JVM that had this number: jcmd would be refused
  exec 3>input
  for _ in $(seq 2400); do grep -q ready output && break || sleep 0.05; done
  pid=$(awk '{ print $2 }' output)
  # Twice, as the first makes classes of its own.
  jcmd "$pid" GC.class_histogram >/dev/null
  jcmd "$pid" GC.class_histogram >"$name-before.txt"
  jcmd "$pid" GC.heap_dump "$work/$name.hprof" >/dev/null
  jcmd "$pid" GC.class_histogram >"$name-after.txt"
  [ "$name" = plain ] && jcmd "$pid" GC.heap_dump -gz=1 "$work/$name.hprof.gz" >/dev/null
  exec 3>&-
  wait
  rm -f input output
}

dump plain
same plain.hprof
check "the JVM's own counts" python3 "$here/hprof_histogram.py" exported plain-before.txt plain-after.txt --shared

# The recorded heaps were made from dumps of JDK 17: an instance has as many bytes there as here, except where the JVM adds
# fields of its own, or pads; these the recorder did not know of.
sizes() {
  python3 - "$traces" exported <<'PYTHON'
import glob, json, sys
def leaves(pattern):
    for path in glob.glob(pattern):
        stack = [json.load(open(path))["root"]]
        while stack:
            node = stack.pop()
            stack += node.get("children") or []
            if not node.get("children"): yield node["key"], node["objects"], node["bytes"]
here = {key: size / count for key, count, size in leaves(sys.argv[2] + "/default-format/*.json")}
adds = ("java.lang#Class", "java.lang#Module", "#ResolvedMethodName", "#MemberName", "Thread", "ClassLoader", "#Reference$ReferenceHandler")
compared, wrong = set(), set()
for name in ("httpclient-3.0.1", "javac-daemon"):
    for key, count, size in leaves(f"{sys.argv[1]}/{name}/default-format/*.json"):
        if key.endswith("[]") or key not in here or any(word in key for word in adds): continue
        compared.add(key)
        if size / count != here[key]: wrong.add((key, size / count, here[key]))
print(len(compared), "types compared, different:", sorted(wrong))
sys.exit(len(compared) < 150 or len(wrong) > 0)
PYTHON
}
java -version 2>&1 | grep -q '"17' && check "sizes of the recorded heaps" sizes

same plain.hprof.gz
dump wide -Xshare:off -XX:-UseCompressedOops -XX:+UseSerialGC
same wide.hprof
check "the JVM's own counts" python3 "$here/hprof_histogram.py" exported wide-before.txt wide-after.txt
expect 0 "$memcity" export plain.hprof --group-by module,loader,type --format default -o where
check "modules and loaders" grep -rq '"Heap#java.base#bootstrap#java.lang.String"' where
check "what is no JDK's" grep -rq '"Heap#(unknown)#app#HeapExample$Last"' where
expect 0 "$memcity" import plain.hprof wide.hprof --times 0,10s --group-by type -o both.mct
expect 0 "$memcity" info both.mct
check "two steps" grep -q "steps  *2" out

exit $((failures > 0))

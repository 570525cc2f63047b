#!/usr/bin/env bash
# The twenty questions of docs/reference/query.md, each asked about two dumps of a program in which there is so much of everything.
. "$(dirname "$0")/../command.sh"
. "$(dirname "$0")/../jvm.sh"
memcity=$(realpath "$memcity")
cd "$work" || exit 1
mkfifo input
java -Xmx64m -XX:+UseSerialGC -cp "$classes" Asked <input >said &
target=$!
exec 3>input
eventually grep -q first said
jcmd "$target" GC.heap_dump "$work/a.hprof" >/dev/null
echo >&3
eventually grep -q second said
jcmd "$target" GC.heap_dump "$work/b.hprof" >/dev/null
exec 3>&-
stop

python3 - "$here/../docs/reference/query.md" <<'PYTHON'
import re, sys
questions = re.findall(r"^### (\d+)\. .*?^```sql\n(.*?)^```", open(sys.argv[1]).read(), re.M | re.S)
for number, sql in questions:
    open(f"{number}.sql", "w").write(sql)
sys.exit([int(number) for number, _ in questions] != list(range(1, 21)))
PYTHON
[ $? -eq 0 ] || fail "docs/reference/query.md has not the questions 1 to 20"

# What each answers, as a pattern of all lines; TAB separates columns.
while read -r number pattern; do
  expect 0 query a.hprof b.hprof -f "$number.sql" --tsv
  quiet
  tail -n +2 "$work/out" | tr '\n\t' '; ' >answer
  grep -qxE -- "$pattern" answer || fail "question $number: $(head -c 300 answer)"
done <<'END'
1 byte\[\] [0-9]+ 9[0-9]{6};.*
2 3000 32 32;
3 java.lang.Class [0-9]+;java.util.HashMap [0-9]+;java.util.HashMap\$Node\[\] [0-9]+;
4 java.lang.Class static Asked.picture 3145744;
5 guest of the shop [0-9] 300 [0-9]+;guest.* 300 [0-9]+;guest.* 300 [0-9]+;
6 0 2250 306000;1 750 102000;
7 java.util.HashMap 3000 [0-9]+;
8 100;
9 300;
10 java.util.HashMap\$Node HashMap\$Node.value 3000;
11 Asked\$Session.data byte\[\] 3000;Asked\$Session.user java.lang.String 3000;
12 java.util.HashMap\$Node 3000;
13 byte\[\] 3000 [0-9]+;java.lang.String 3000 [0-9]+;
14 static field [0-9]+;
15 app 1 1;
16 1;
17 java.lang.Object\[\] 500 0;
18 Asked\$Cart 1000 3000 2000;Asked\$Session 1000 3000 2000;
19 static Asked.SESSIONS → java.util.HashMap.* 1;
20 .*Asked\$Session 1;
END

# Rows are those of the commands, in whatever columns, however they are found.
expect 0 objects b.hprof --columns address,class,bytes,retained,dominator -o told.tsv
expect 0 query b.hprof --tsv -n 10000000 "SELECT address, class, size, retained, owner FROM objects"
tail -n +2 "$work/out" | sort >asked
tail -n +2 told.tsv | sed 's/\t\\N/\t/g' | sort | cmp -s - asked || fail "objects differ"
expect 0 query b.hprof --tsv "SELECT sum(size), count(*) FROM objects WHERE class = 'byte[]' UNION ALL
  SELECT sum(size), count(*) FROM objects WHERE class || '' = 'byte[]' UNION ALL
  SELECT bytes, objects FROM (SELECT class, sum(size) AS bytes, count(*) AS objects FROM objects GROUP BY class) WHERE class = 'byte[]' UNION ALL
  SELECT bytes, objects FROM leaves WHERE key = 'Heap#(primitive)#byte[]'"
[ "$(tail -n +2 "$work/out" | sort -u | wc -l)" -eq 1 ] || fail "byte[]: $(cat "$work/out")"
expect 0 query b.hprof --tsv "SELECT a.address = b.owner FROM objects AS b JOIN objects AS a ON a.address = b.owner WHERE b.class = 'Asked\$Session'"
[ "$(tail -n +2 "$work/out" | grep -cx 1)" -eq 3000 ] || fail "owners are not found by their address"
expect 0 query b.hprof --retained --tsv "SELECT retained('Asked\$Session') > 6000000, way('Asked\$Session') LIKE 'static field Asked.SESSIONS%'"
prints "$(printf '1\t1')"

# Columns that a record tells come as numbers, not as text: the same, in the same order, of dumps as real ones seldom are. Of an array of
# 34 GB (Android leaves elements out) a number has no room.
python3 - <<'PYTHON' || fail "no dump of a large array"
import struct
heap = b"".join(struct.pack(">BIIIB", 0xC3, 0x1000 * i, 0, n, 11) for i, n in ((1, 7), (2, 0xFFFFFFF0), (3, 0xFFFFFFFF)))
open("large.hprof", "wb").write(b"JAVA PROFILE 1.0.3\0" + struct.pack(">IQ", 4, 0) + struct.pack(">BII", 0x1C, 0, len(heap)) + heap +
                                struct.pack(">BII", 0x2C, 0, 0))
PYTHON
made=0
for options in "--id-size 4" "--layout one --wide" "--ids odd --objects 3000" "--android --id-size 4"; do
  python3 "$here/hprof_maker.py" "made$((++made)).hprof" $options || fail "no dump $options"
done
for dump in a b made1 made2 made3 made4 large; do
  expect 0 objects $dump.hprof --columns address,class,bytes,length,kind,package,type,loader,module -o told.tsv
  expect 0 query $dump.hprof --tsv -n 10000000 "SELECT address, class, size, length, kind, package, type, loader, module FROM objects"
  tail -n +2 "$work/out" | cmp -s - <(tail -n +2 told.tsv | sed 's/\t\\N/\t/g') || fail "objects of $dump differ"
  expect 0 query $dump.hprof --tsv "SELECT class, count(*), sum(size), max(length) FROM objects GROUP BY class"
  tail -n +2 "$work/out" >grouped
  expect 0 query $dump.hprof --tsv "SELECT class, count(*), sum(size), max(length) FROM objects GROUP BY class || ''"
  tail -n +2 "$work/out" | cmp -s - grouped || fail "groups of $dump differ"
done
grep -q "^long\[\]	3	" grouped || fail "large array: $(cat grouped)"

# A dump that is cut off is told, not half counted. Memory has a limit.
head -c 3000000 b.hprof >cut.hprof
expect 3 query cut.hprof "SELECT count(*) FROM objects"; says "--partial"
expect 0 query cut.hprof --partial "SELECT count(*) FROM objects"
expect 1 query b.hprof --memory 1m "SELECT address, class, retained, owner FROM objects ORDER BY retained"; says "--memory"
finish

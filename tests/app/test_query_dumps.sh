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

# A dump that is cut off is told, not half counted. Memory has a limit.
head -c 3000000 b.hprof >cut.hprof
expect 3 query cut.hprof "SELECT count(*) FROM objects"; says "--partial"
expect 0 query cut.hprof --partial "SELECT count(*) FROM objects"
expect 1 query b.hprof --memory 1m "SELECT address, class, retained, owner FROM objects ORDER BY retained"; says "--memory"
finish

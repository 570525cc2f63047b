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
3 java.lang.Class Asked [0-9]+ [0-9]+;java.util.HashMap [{].*"size":3000[}] [0-9]+ [0-9]+;java.util.HashMap\$Node\[\]  [0-9]+ [0-9]+;
4 java.lang.Class static Asked.picture 3145744;
5 guest of the shop [0-9] 300 [0-9]+;guest.* 300 [0-9]+;guest.* 300 [0-9]+;
6 0 2[23][0-9]{2} [0-9]{6};1 7[0-9]{2} [0-9]{6};
7 java.util.HashMap 3000 [0-9]+;
8 100;
9 300;
10 java.util.HashMap\$Node HashMap\$Node.value 3000;
11 Asked\$Session.data byte\[\] 3000;Asked\$Session.user java.lang.String 3000;
12 java.util.HashMap\$Node 3000;
13 byte\[\] 3000 [0-9]+;java.lang.String 3000 [0-9]+;
14 .*static field [0-9]{3,};.*thread [0-9]+;.*
15 app 2 144000;bootstrap [0-9]{3} [0-9]{8};.*
16 .*java.lang.String [0-9]+ [0-9]+;.*
17 .*java.lang.Object\[\] 500 0;.*
18 Asked\$Cart 1000 3000 2000;Asked\$Session 1000 3000 2000;
19 static Asked.SESSIONS → java.util.HashMap 4[0-9]{6};
20 .*Asked\$Session static Asked.SESSIONS: HashMap, .*3,000 Asked\$Session.*;
END

# Which class a class object is, of arrays as well.
expect 0 query b.hprof --tsv "SELECT count(DISTINCT value) = count(*), count(*) = count(value) FROM objects WHERE kind = 'class' AND loader = 'app'"
prints "$(printf '1\t1')"
expect 0 query b.hprof --tsv "SELECT count(*) FROM objects WHERE kind = 'class' AND value IN ('java.lang.String[]', 'byte[]', 'Asked\$Session', 'java.util.Map')"
[ "$(tail -n +2 "$work/out")" -eq 4 ] || fail "class objects: $(cat "$work/out")"

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

# A row may stand for many objects that are alike, where nothing tells the difference: the same answers as without, which a condition
# that SQLite can't foresee enforces. That it is so shows in what memory suffices.
python3 - "$memcity" made1.hprof made3.hprof <<'PYTHON' || fail "rows with weights say something else"
import subprocess
import sys

ASKED = """
class, count(*), sum(size) FROM objects WHERE {} GROUP BY class
class, length, size, count(*) FROM objects WHERE {} GROUP BY class
class, length, max(size), count(*) FROM objects WHERE {} GROUP BY class ORDER BY class DESC
package, size, type, avg(size), total(length), count(length) FROM objects WHERE {} GROUP BY package
kind, count(*) AS c, sum(size) AS s FROM objects WHERE {} GROUP BY kind ORDER BY s DESC LIMIT 2
size, count(*), sum(length), min(class) FROM objects WHERE {} GROUP BY size HAVING count(*) > 3
count(*), sum(size), min(size), max(size), avg(size), total(size), sum(length) FROM objects WHERE {}
class, count(*), max(size) FROM objects WHERE {}
count(*), sum(size) FROM objects WHERE {} AND class LIKE '%a%' AND size > 24
count(*), sum(size) FROM objects WHERE {} AND class = 'nothing'
class, count(*) FILTER (WHERE size > 24), sum(size) FILTER (WHERE length IS NULL) FROM objects WHERE {} GROUP BY class
class, count(DISTINCT size), sum(DISTINCT size), group_concat(size) FROM objects WHERE {} GROUP BY class
class, sum(size * 2), sum(size * 0.1), sum(CASE WHEN size > 24 THEN size ELSE 0.3 END) FROM objects WHERE {} GROUP BY class
sum(ifnull(length, 7)), sum(1), sum(class), count(class), avg(class) FROM objects WHERE {}
count(*), sum(c), max(s) FROM (SELECT class, count(*) AS c, sum(size) AS s FROM objects WHERE {} GROUP BY class)
class, count(*), sum(count(*)) OVER () FROM objects WHERE {} GROUP BY class
count(*) FROM (SELECT class FROM objects WHERE {} LIMIT 10)
count(*) FROM (SELECT DISTINCT class FROM objects WHERE {})
class, size FROM objects WHERE {} LIMIT 20
class, size, count(*) FROM objects WHERE {} GROUP BY class, size
substr(class, 1, 9), count(*) FROM objects WHERE {} GROUP BY 1
class, kind, size, count(*), sum(size), max(length) FROM objects WHERE {} GROUP BY class, kind, size
length, class, count(*) FROM objects WHERE {} GROUP BY length, class ORDER BY length DESC, class DESC
kind, class, count(*) FROM objects WHERE {} GROUP BY kind, class ORDER BY kind, class DESC
class, kind, type, package, size, count(*) FROM objects WHERE {} GROUP BY class, kind, type, package, size
DISTINCT class FROM objects WHERE {} ORDER BY class
DISTINCT class, kind, length FROM objects WHERE {} ORDER BY length, class LIMIT 5 OFFSET 2
DISTINCT class FROM objects WHERE {} ORDER BY size, class
DISTINCT kind, size > 24 FROM objects WHERE {} ORDER BY 1, 2
DISTINCT class, count(*) FROM objects WHERE {} GROUP BY class, size ORDER BY 1, 2
count(DISTINCT class) FROM objects WHERE {}
count(DISTINCT class), count(DISTINCT size), max(size) FROM objects WHERE {} AND size > 24
count(*), count(DISTINCT class) FROM objects WHERE {}
sum(size), count(DISTINCT class) FROM objects WHERE {} GROUP BY kind
kind, count(DISTINCT class), min(length) FROM objects WHERE {} GROUP BY kind
package, kind, count(DISTINCT class) FROM objects WHERE {} GROUP BY package, kind
count(DISTINCT class) FILTER (WHERE size > 24), count(size) FROM objects WHERE {}
count(DISTINCT length), total(DISTINCT size) FROM objects WHERE {}
count(*) FROM (SELECT DISTINCT class, kind FROM objects WHERE {})
count(*) FROM objects WHERE {} AND size > (SELECT avg(size) FROM objects)
class, count(*), sum(address) FROM objects WHERE {} GROUP BY class
count(*), sum(rowid) FROM objects WHERE {}
class, max(size) - min(size), sum(size) / count(*) FROM objects WHERE {} AND step = 0 GROUP BY class
sum(size) OVER (ORDER BY class) FROM objects WHERE {} LIMIT 30
""".strip().splitlines()


def answer(dumps, condition):
    asked = "".join(f"SELECT '{i}';\nSELECT {sql.format(condition)};\n" for i, sql in enumerate(ASKED))
    done = subprocess.run([sys.argv[1], "query", "--tsv", *dumps], input=asked, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{dumps}: {done.stderr}")
    return done.stdout


for dumps in [sys.argv[2:3], sys.argv[3:4], sys.argv[2:4]]:
    one, all = (answer(dumps, condition) for condition in ("1", "random() IS NOT NULL"))
    for a, b in zip(one.splitlines(), all.splitlines()):
        if a != b:
            sys.exit(f"{dumps}: {a}, not {b}")
    if one != all or one.count("\n") < 200:
        sys.exit(f"{dumps}: {len(one)} bytes, not {len(all)}")
PYTHON
for sql in "class, count(*), sum(size) FROM objects WHERE 1 GROUP BY class ORDER BY 3 DESC LIMIT 3" "sum(size), avg(length) FROM objects WHERE class LIKE 'java%'" \
  "loader, module, count(*) FROM objects WHERE 1 GROUP BY loader, module" "DISTINCT class FROM objects WHERE size > 24 ORDER BY class" \
  "kind, count(DISTINCT class) FROM objects WHERE 1 GROUP BY kind" "count(DISTINCT class), count(DISTINCT size) FROM objects WHERE 1"; do
  expect 0 query b.hprof --memory 250k "SELECT $sql"
  expect 1 query b.hprof --memory 250k "SELECT ${sql/WHERE/WHERE random() IS NOT NULL AND}"; says "--memory"
done

# A dump that is cut off is told, not half counted. Memory has a limit.
head -c 3000000 b.hprof >cut.hprof
expect 3 query cut.hprof "SELECT count(*) FROM objects"; says "--partial"
expect 0 query cut.hprof --partial "SELECT count(*) FROM objects"
expect 1 query b.hprof --memory 1m "SELECT address, class, retained, owner FROM objects ORDER BY retained"; says "--memory"
finish

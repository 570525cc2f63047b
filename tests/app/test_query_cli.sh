#!/usr/bin/env bash
# memcity query: sums equal the commands', SQL can only read, and every form says the same.
. "$(dirname "$0")/../command.sh"
memcity=$(realpath "$memcity")
here=$(cd "$(dirname "$0")" && pwd)
data=$(realpath "$2")
cd "$work" || exit 1
expect 0 import "$http" -o http.mct

# one value: the first of a query's answer
ask() {
  expect 0 query http.mct --tsv "$@"
  sed -n 2p "$work/out"
}
same() { [ "$2" = "$3" ] || fail "$1: $2, not $3"; }

# ---- sums are those of the commands
expect 0 info --json http.mct
cp out info.json
expect 0 top --json -n 100000 --trend http.mct
cp out top.json
expect 0 top --json -n 100000 --metric objects http.mct
cp out top-objects.json
expect 0 refs --json --of Heap http.mct
expect 0 units --tsv -n 1000 http.mct
tail -n +2 out | cut -f 1-3,5-6 >units.tsv
expect 0 why --json http.mct
cp out why.json
cat >told.py <<'PYTHON'
import json
info, top, why = (json.load(open(name)) for name in ("info.json", "top.json", "why.json"))
steps = info["steps"]
print(len(steps), sum(step["bytes"] for step in steps), sum(step["objects"] for step in steps))
print(*(sum(leaf[name] for leaf in top) for name in ("first", "last", "max", "growth")), len(top))
print(*(sum(leaf[name] for leaf in json.load(open("top-objects.json"))) for name in ("first", "last", "max", "growth")), len(top))
print(sum(leaf["state"] == "grows" for leaf in top), sum(leaf["state"] == "stopped" for leaf in top))
print(sum(cause["growth_bytes"] for cause in why["causes"]), len(why["causes"]), why["verdict"])
print(why["sentence"])
print(why["causes"][0]["sentence"])
PYTHON
python3 told.py >told || fail "told.py"
{
  ask "SELECT count(*) || ' ' || sum(bytes) || ' ' || sum(objects) FROM steps"
  ask "SELECT sum(first) || ' ' || sum(last) || ' ' || sum(max) || ' ' || sum(growth) || ' ' || count(*) FROM growth WHERE metric = 'bytes'"
  ask "SELECT sum(first) || ' ' || sum(last) || ' ' || sum(max) || ' ' || sum(growth) || ' ' || count(*) FROM growth WHERE metric = 'objects'"
  ask "SELECT sum(trend = 'grows') || ' ' || sum(trend = 'stopped') FROM growth WHERE metric = 'bytes'"
  ask "SELECT sum(growth_bytes) || ' ' || count(*) || ' ' || (SELECT verdict FROM verdict) FROM findings"
  ask "SELECT sentence FROM verdict"
  ask "SELECT sentence FROM findings"
} >asked
cmp -s told asked || fail "other sums: $(diff told asked)"
expect 0 query http.mct --tsv "SELECT unit, units, key, objects, bytes FROM units"
tail -n +2 out | cmp -s - units.tsv || fail "other units"
same "history's sums" "$(ask "SELECT sum(bytes) || ' ' || sum(objects) FROM history WHERE is_leaf")" "$(ask "SELECT sum(bytes) || ' ' || sum(objects) FROM steps")"
same "measures' sums" "$(ask "SELECT sum(value) FROM measures WHERE is_leaf AND metric = 'bytes'")" "$(ask "SELECT sum(bytes) FROM steps")"
# A group that is named is read alone; so many of them, as a join names them, all at once.
expect 0 query http.mct --tsv "SELECT node, key, parent, level, children, is_leaf, objects, bytes FROM nodes"
tail -n +2 out | awk 'NR % 5 == 1' >all.tsv
awk -F'\t' '{ printf "SELECT node, key, parent, level, children, is_leaf, objects, bytes FROM nodes WHERE %s;\n", NR % 2 ? "node = " $1 : "key = " "\047" $2 "\047" }' all.tsv >one.sql
[ "$(wc -l <one.sql)" -gt 64 ] || fail "not enough groups: $(wc -l <one.sql)"
expect 0 query http.mct --tsv -f one.sql
grep -v '^node' out | cmp -s - all.tsv || fail "groups by themselves differ: $(grep -v '^node' out | diff - all.tsv | head -4)"
same "groups in a join" "$(ask "SELECT count(*) || ' ' || sum(b.bytes = a.bytes) FROM nodes AS a CROSS JOIN nodes AS b ON b.node = a.node")" "$(ask "SELECT count(*) || ' ' || count(*) FROM nodes")"
same "a leaf" "$(ask "SELECT bytes FROM leaves WHERE key = 'Heap#java.util#LinkedList'")" "$(ask "SELECT bytes FROM leaves WHERE key || '' = 'Heap#java.util#LinkedList'")"
same "no leaf" "$(ask "SELECT count(*) FROM leaves WHERE key = 'Heap'")" 0
same "leaves' sums" "$(ask "SELECT sum(bytes) || ' ' || count(*) FROM leaves")" "$(ask "SELECT (SELECT bytes FROM nodes WHERE node = 0) || ' ' || (SELECT count(*) FROM nodes WHERE is_leaf)")"
same "pairs" "$(ask "SELECT group_concat(n) FROM (SELECT count(*) AS n FROM refs GROUP BY step ORDER BY step)")" "$(ask "SELECT group_concat(pairs) FROM (SELECT pairs FROM steps ORDER BY step)")"
# of one group: what references it
expect 0 refs --json --of LinkedList --step 7 --incoming http.mct
told=$(python3 -c 'import json; links = json.load(open("out"))["links"]; print(sum(link["held"] or 0 for link in links if link["from"] != link.get("to")))' 2>/dev/null)
[ -z "$told" ] || same "refs" "$(ask "SELECT sum(points_to) FROM refs WHERE step = 7 AND to_node = node('LinkedList') AND from_node != to_node")" "$told"

# ---- rows that are found by a step, a node or a key are those that are found by reading all of them
for condition in "step = 3" "node = 461" "key = 'Heap#java.util#LinkedList'" "step = 3 AND key = 'Heap#java.util#LinkedList'" "node = 461 AND step IN (1, 4)" \
    "step = 99" "node = -1" "key = 'none'" "step = 'x'" "node = 461.0" "step = 3.5" "node IS NULL"; do
  plain=$(sed 's/\bstep\b/+step/g; s/\bnode\b/+node/g; s/\bkey\b/+key/g' <<<"$condition")
  same "history WHERE $condition" "$(ask "SELECT count(*) || ' ' || coalesce(sum(bytes), '') || ' ' || coalesce(sum(step), '') FROM history WHERE $condition")" \
    "$(ask "SELECT count(*) || ' ' || coalesce(sum(bytes), '') || ' ' || coalesce(sum(step), '') FROM history WHERE $plain")"
done
# … each once where two conditions are both looked up
while IFS='|' read -r table condition; do
  plain=$(sed 's/\b\(step\|node\|key\|metric\)\b/+\1/g' <<<"$condition")
  told="count(*), sum(step), sum(node), sum(node * step * (metric = 'bytes'))"
  [ "$table" = measures ] || told="count(*), sum(step), sum(node * step)"
  same "$table WHERE $condition" "$(ask "SELECT count(*) FROM (SELECT $told FROM $table WHERE $condition UNION SELECT $told FROM $table WHERE $plain)")" 1
done <<'END'
measures|metric = 'bytes' OR node = 461
measures|metric = 'bytes' AND node = 5 OR metric = 'objects' AND step = 2
measures|node = 461 AND step = 2 OR metric = 'bytes' AND step = 2 OR key = 'Heap#java.util#HashMap'
history|node = 461 OR key = 'Heap#java.util#HashMap' AND step = 2
history|step = 3 OR node = 461
roots|step = 3 OR node = 461
END
# … and in the order that is asked for, also where rows come grouped
for column in parent is_leaf level; do
  for order in "" DESC "DESC NULLS FIRST"; do
    same "GROUP BY $column ORDER BY $column $order" "$(ask "SELECT group_concat(coalesce(a, 'NULL') || ':' || n) FROM (SELECT $column AS a, count(*) AS n FROM nodes GROUP BY $column ORDER BY $column $order)")" \
      "$(ask "SELECT group_concat(coalesce(a, 'NULL') || ':' || n) FROM (SELECT +$column AS a, count(*) AS n FROM nodes GROUP BY 1 ORDER BY 1 $order)")"
  done
done
same "texts in order" "$(ask "SELECT group_concat(metric) FROM (SELECT metric FROM metrics GROUP BY metric ORDER BY metric)"; ask "SELECT group_concat(metric) FROM (SELECT DISTINCT metric FROM metrics ORDER BY metric DESC)")" "$(printf 'bytes,objects\nobjects,bytes')"
same "a metric" "$(ask "SELECT count(*) FROM growth WHERE metric = 'none'")" 0
same "a join" "$(ask "SELECT count(*) FROM history AS a JOIN history AS b ON b.node = a.node AND b.step = 5 WHERE a.step = 2")" "$(ask "SELECT count(*) FROM nodes")"
same "groups" "$(ask "SELECT count(*) FROM (SELECT metric FROM growth GROUP BY metric)")" "$(ask "SELECT count(*) FROM metrics")"
same "functions" "$(ask "SELECT key(node('LinkedList')) || ' ' || coalesce(trend('LinkedList'), 'none') || ' ' || (key('nothing') IS NULL) || (retained('LinkedList') IS NULL)")" \
  "Heap#java.util#LinkedList none 11"
same "REGEXP" "$(ask "SELECT count(*) FROM leaves WHERE name REGEXP '^Linked(List|HashMap)$'")" 2

# ---- what the trace doesn't know is not passed off as nothing
expect 0 query http.mct "SELECT count(*) FROM paths, roots"; says "the trace does not know GC roots, ways from GC roots (read heap dumps with --paths)"
expect 0 query http.mct "SELECT retained('LinkedList')"; says "does not know retained bytes"
expect 0 query http.mct "SELECT count(*) FROM refs"; quiet
echo "SELECT count(*) FROM owners; SELECT 1" >two.sql
expect 0 query http.mct -f two.sql; same "told once" "$(grep -c "not know" err)" 1
expect 0 query "$data/profiles/massif-leak.out" "SELECT way(key) FROM leaves LIMIT 1"; says "does not know references"

# ---- a trace of sites: a profile
expect 0 query "$data/profiles/massif-leak.out" --tsv "SELECT (SELECT sum(bytes) FROM history WHERE is_leaf) = (SELECT sum(bytes) FROM steps), count(*) > 2 FROM leaves"
same "massif" "$(sed -n 2p out)" "$(printf '1\t1')"

# ---- another trace beside it
examples=$here/../../examples/two-versions
both() { # SQL: one value of two versions
  expect 0 query "$examples/version-1.mct" --versus "$examples/version-2.mct" --tsv "$@"
  sed -n 2p out
}
alone() { # VERSION SQL
  expect 0 query "$examples/version-$1.mct" --tsv "$2"
  sed -n 2p out
}
for table in nodes leaves steps metrics history refs fields roots owners findings units; do
  sums="count(*)"
  case $table in nodes | leaves | steps | history) sums="count(*) || ' ' || sum(bytes)" ;; esac
  same "$table of two" "$(both "SELECT (SELECT $sums FROM $table) || ', ' || (SELECT $sums FROM other.$table)")" \
    "$(alone 1 "SELECT $sums FROM $table"), $(alone 2 "SELECT $sums FROM $table")"
done
expect 0 diff "$examples/version-1.mct" "$examples/version-2.mct" --json
told=$(python3 -c 'import json; print(*max((row["difference"], row["key"]) for row in json.load(open("out"))["groups"]))')
same "growth between two" "$(both "SELECT (b.bytes - a.bytes) || ' ' || b.key FROM other.leaves AS b JOIN leaves AS a USING (key) ORDER BY b.bytes - a.bytes DESC")" "$told"
# the other one is read when it is asked, and nothing but that is possible
expect 0 query http.mct --versus nowhere.mct "SELECT count(*) FROM steps"
expect 1 query http.mct --versus nowhere.mct "SELECT count(*) FROM other.steps"; says "nowhere.mct: "
expect 2 query http.mct "SELECT count(*) FROM other.steps"; says "no such table: other.steps; it is that of another trace, which --versus names"
expect 2 query http.mct --versus http.mct "SELECT count(*) FROM another.steps"; says "no such table"
expect 2 query http.mct "SELECT count(*) FROM classes"; says "no such table: classes; there are leaves, nodes, steps, "
expect 2 query http.mct --versus http.mct "ATTACH ':memory:' AS x"; says "may only SELECT"
expect 2 query http.mct --versus http.mct "DROP TABLE other.nodes"; says "may only SELECT"

# ---- forms
expect 0 query http.mct "SELECT step, time_ms, NULL AS n, 0.5 AS half FROM steps LIMIT 2"; quiet
same "text" "$(cat out)" "$(printf 'step  time_ms     n  half\n   0     4112  NULL   0.5\n   1     7748  NULL   0.5')"
expect 0 query http.mct --json "SELECT step, step, NULL AS n, 'a\"b' AS t FROM steps LIMIT 2"
same JSON "$(cat out)" '[{"step":0,"step_2":0,"n":null,"t":"a\"b"},
{"step":1,"step_2":1,"n":null,"t":"a\"b"}]'
expect 0 query http.mct --json "SELECT 9e999 AS a, -9e999 AS b"; same infinity "$(cat out)" '[{"a":"Inf","b":"-Inf"}]'
expect 0 query http.mct --json "SELECT 1 WHERE 0"; same "no rows" "$(cat out)" "[]"
expect 0 query http.mct --csv "SELECT '=1' AS a, -1 AS b, 'x,y' AS c, NULL AS d"; same CSV "$(tr '\r' '!' <out)" "$(printf "a,b,c,d!\n'=1,-1,\"x,y\",\"\"!")"
expect 0 query http.mct --html "SELECT '<b>' AS a, -1 AS b"; prints "<td>&lt;b&gt;</td><td>-1</td>"
expect 0 query http.mct "SELECT char(27) || '[31m' AS name"; grep -q "$(printf '\033')" out && fail "a control character"
expect 0 query http.mct -n 2 "SELECT step FROM steps"; says "more than 2 rows"; same "rows" "$(wc -l <out)" 3
echo "SELECT 1; SELECT 2; -- end" >two.sql
expect 0 query http.mct -f two.sql --tsv; same "two statements" "$(tr '\n' ' ' <out)" "1 1 2 2 "
echo "SELECT 2 /* ; a */* 3; SELECT ';' /* b" >two.sql; echo "*/ AS \"c;\"; ; SELECT 4" >>two.sql
expect 0 query http.mct -f two.sql --tsv; same "statements with comments" "$(sed 1d out | tr '\n' ' ')" "6 c; ; 4 4 "
echo "SELECT nothing /* ; */ FROM nodes WHERE ';'; SELECT 5" >two.sql
expect 2 query http.mct -f two.sql --keep-going --tsv; same "after a wrong statement" "$(sed 1d out)" 5
head -c 5000000 /dev/zero | tr '\0' ' ' >large.sql; echo "SELECT 1" >>large.sql
expect 2 query http.mct -f large.sql; says "4 MB"
expect 0 query none.mct --tsv "SELECT 'abc' REGEXP 'b'"; same "no trace is read" "$(sed 1d out)" 1
echo "SELECT count(*) AS c FROM steps" | "$memcity" query http.mct --tsv >out; same "standard input" "$(tr '\n' ' ' <out)" "c $(ask "SELECT count(*) FROM steps") "
expect 2 query http.mct --json --tsv "SELECT 1"
expect 2 query http.mct "SELECT nothing FROM nodes"; says "nothing"
expect 2 query http.mct "SELEC 1"
expect 1 query none.mct "SELECT 1 FROM nodes"
expect 2 query http.mct "SELECT 1 FROM objects"; says "heap dumps"

# ---- only reading: whatever else is said is refused, and nothing comes to be
mkdir inside
cp http.mct inside
cd inside || exit 1
before=$(sha256sum http.mct)
while IFS= read -r sql; do
  "$memcity" query http.mct "$sql" >../out 2>../err </dev/null
  code=$?
  [ $code -eq 2 ] || fail "exit code $code: $sql: $(head -c 200 ../err)"
done <<'END'
CREATE TABLE a(b)
CREATE TEMP TABLE a(b)
CREATE VIRTUAL TABLE a USING nodes
CREATE TRIGGER a INSTEAD OF INSERT ON leaves BEGIN SELECT 1; END
INSERT INTO nodes(node) VALUES(1)
DELETE FROM leaves
UPDATE steps SET bytes = 0
DROP VIEW leaves
ALTER TABLE leaves RENAME TO a
ATTACH 'made' AS made
ATTACH '../http.mct' AS made
DETACH main
VACUUM
VACUUM INTO 'made'
PRAGMA temp_store_directory = '.'
PRAGMA writable_schema = 1
PRAGMA journal_mode
SELECT * FROM pragma_database_list
SELECT * FROM pragma_table_info('nodes')
SELECT load_extension('made')
SELECT readfile('/etc/passwd')
SELECT writefile('made', 'x')
SELECT edit('x')
SELECT fts3_tokenizer('simple')
SELECT sqlite_compileoption_get(0)
SELECT randomblob(100)
SELECT * FROM dbstat
SELECT * FROM sqlite_dbpage
SELECT * FROM fsdir('/')
BEGIN
COMMIT
SAVEPOINT a
ANALYZE
REINDEX
INSERT INTO sqlite_master VALUES(1, 2, 3, 4, 5)
WITH a AS (SELECT 1) DELETE FROM leaves
END
for sql in "SELECT zeroblob(1000000)" "SELECT replace(hex(zeroblob(20000)), '0', '0123456789')" "SELECT group_concat(key) FROM history"; do
  expect 1 query http.mct "$sql"; says "50000 bytes"
done
# … also where SQLite would repeat a character two thousand million times before it says so
for sql in "printf('%.*c', 2000000000, 'x')" "format('%.2147483647c', 'x')" "printf('%d %*.*c', 1, 2, -2000000000, 'x')" "printf('%.30000c%%%.30000c', 'a', 'b')"; do
  SECONDS=0
  expect 1 query http.mct --time 1s "SELECT $sql"; says "50000 bytes"
  [ $SECONDS -lt 20 ] || fail "$SECONDS s: $sql"
done
same "printf()" "$(ask "SELECT printf('%d %s %5.2f %,d %Q %.3c%% %*d|%-*d|', 5, 'a', 2.345, 1234567, 'it''s', 'xyz', 6, 7, 6, 7) || length(printf('%.*c', 49999, 'x')) || format('%d')")" \
  "5 a  2.35 1,234,567 'it''s' xxx%      7|7     |499990"
# no endless run, in SQLite's machine, in a function, and while rows are made
for sql in "WITH RECURSIVE a(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM a) SELECT count(*) FROM a" \
    "SELECT count(*) FROM history, history AS b, history AS c" \
    "SELECT count(*) FROM nodes AS a, nodes AS b, nodes AS c WHERE instr(hex(zeroblob(24000)), hex(zeroblob(12000)) || a.key)"; do
  SECONDS=0
  expect 1 query http.mct --time 500ms "$sql"; says "--time"
  [ $SECONDS -lt 20 ] || fail "$SECONDS s: $sql"
done
expect 1 query http.mct --memory 8m "WITH RECURSIVE a(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM a LIMIT 3000000) SELECT x FROM a ORDER BY -x"; says "--memory"
same "files beside the trace" "$(ls)" http.mct
same "the trace" "$(sha256sum http.mct)" "$before"
cd .. || exit 1
# Ctrl+C
"$memcity" query http.mct --time 2m "WITH RECURSIVE a(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM a) SELECT count(*) FROM a" >out 2>err &
pid=$!
eventually grep -qx memcity /proc/$pid/comm # no more the shell, which had other handlers
eventually grep -q 'SigCgt:.*[2367abef]$' /proc/$pid/status
kill -INT $pid
wait $pid; same "interrupted" "$?" 1
says cancelled

# ---- the page lists the tables' columns: all of them, and no others
cat >columns.py <<'PYTHON'
import re, subprocess, sys
memcity, page = sys.argv[1:]
bad = 0
tables = re.findall(r"^\| `(\w+)` \| .*? \| (.*) \|$", open(page).read().split("| function |")[0], re.M)
for name, columns in tables:
    told = re.findall(r"`(\w+)`", re.sub(r"\([^)]*\)", "", columns))
    dump = name in ("objects", "object_refs")
    done = subprocess.run([memcity, "query", "made.hprof" if dump else "http.mct", "--tsv", f"SELECT * FROM {name} LIMIT 0"], capture_output=True, text=True)
    there = done.stdout.split()
    if columns.startswith("the same but for"):
        continue
    if told != there:
        print(name, set(told) ^ set(there), done.stderr)
        bad += 1
sys.exit(bad > 0 or len(tables) < 17)
PYTHON
python3 "$here/../hprof_maker.py" made.hprof --seed 1 || exit 1
run 0 python3 columns.py "$memcity" "$here/../../docs/reference/query.md"
cat out

# ---- mangled SQL, and a mangled file: an answer or an error, never a crash
cat >mangle.py <<'PYTHON'
import random, subprocess, sys
memcity, is_slow = sys.argv[1], sys.argv[2] == "1"
random.seed(7)
words = """SELECT FROM WHERE nodes leaves history measures growth refs fields roots paths owners findings units verdict objects step node key metric
= < , ( ) * 1 0 -1 'bytes' 'x' NULL AND OR IN GROUP BY ORDER LIMIT count( sum( max( retained( way( trend( node( key( json_extract( JOIN ON USING AS a b UNION EXCEPT
OVER PARTITION VALUES WITH RECURSIVE CASE WHEN END LIKE GLOB REGEXP DISTINCT HAVING EXISTS 9223372036854775807 -9223372036854775808 1e308 x'00'""".split()
good = ["SELECT a.key, sum(b.bytes) FROM nodes AS a JOIN history AS b USING(node) WHERE b.step = 3 GROUP BY a.key ORDER BY 2 DESC LIMIT 3",
        "SELECT metric, trend, way(key), retained(node, 2) FROM growth WHERE metric = 'bytes' AND key LIKE '%a%' LIMIT 4",
        "WITH x AS (SELECT from_key AS k, count(*) AS n FROM refs WHERE step IN (1, 2) GROUP BY 1) SELECT max(n) OVER () FROM x LIMIT 2"]
statements = []
for _ in range(300 if is_slow else 3000):
    tokens = random.choice(good).split(" ")
    for _ in range(random.randint(1, 4)):
        at = random.randrange(len(tokens))
        tokens[at:at + random.randint(0, 2)] = random.sample(words, random.randint(0, 2))
    statements.append(" ".join(tokens) or "1")
bad = 0
for i in range(0, len(statements), 100):  # each by itself, at one prompt without a terminal
    text = ";\n".join(statement.replace(";", "") for statement in statements[i:i + 100])
    done = subprocess.run([memcity, "query", "http.mct", "-f", "-", "--keep-going", "--time", "200ms", "--tsv"], input=text.encode(), capture_output=True, timeout=300)
    if done.returncode not in (0, 1, 2):
        print("exit code", done.returncode, done.stderr[-300:])
        bad += 1
content = open("http.mct", "rb").read()
for i in range(12 if is_slow else 60):
    damaged = bytearray(content)
    for _ in range(random.randint(1, 20)):
        damaged[random.randrange(len(damaged))] = random.randrange(256)
    open("damaged.mct", "wb").write(damaged)
    done = subprocess.run([memcity, "query", "damaged.mct", "--time", "5s", "--tsv",
                           "SELECT count(*), sum(bytes), max(key) FROM history; SELECT count(*) FROM refs; SELECT count(*) FROM growth; SELECT * FROM findings"],
                          capture_output=True, timeout=300)
    if done.returncode not in (0, 1, 2, 3):
        print("damaged file", i, "exit code", done.returncode, done.stderr[-300:])
        bad += 1
sys.exit(bad > 0)
PYTHON
run 0 python3 mangle.py "$memcity" "${MC_TEST_SANITIZED:-0}"
cat out

# ---- the prompt
run 0 python3 "$here/query_prompt.py" "$memcity" http.mct
cat out
finish

# Traces that go to databases and come back, with odd names and numbers: every count, every name. Sourced by test_fleet.sh.

python3 "$here/fleet/odd_maker.py" odd || exit 1
expect 0 import odd -o odd.mct
mkdir -p back

# ---- PostgreSQL
# A name that is \N is one in its CSV if it has quotes: rows from ClickHouse have them where it is not NULL.

expect 0 export odd.mct --rows --ddl postgres --table odd
psql -qX <"$work/out" || fail "PostgreSQL takes no table"
expect 0 export odd.mct --rows --csv --references odd.references.csv -o odd.csv
psql -qX -c '\copy odd FROM odd.csv WITH (FORMAT csv, HEADER match)' || fail "PostgreSQL takes no CSV"
psql -qX -c '\copy odd_references FROM odd.references.csv WITH (FORMAT csv, HEADER match)' || fail "PostgreSQL takes no references"
psql -qX -c 'COPY odd_references TO STDOUT WITH (FORMAT csv, HEADER, FORCE_QUOTE *)' >back/references.csv
expect 0 import --rows-from "psql -qX -c 'COPY (SELECT * FROM odd ORDER BY time) TO STDOUT WITH (FORMAT csv, HEADER, FORCE_QUOTE *)'" \
  --references back/references.csv -o back/postgres.mct
same odd.mct back/postgres.mct
# its text form, which is that of ClickHouse
expect 0 export odd.mct --rows -o odd.tsv
psql -qX -c 'TRUNCATE odd' -c '\copy odd FROM odd.tsv WITH (HEADER)' || fail "PostgreSQL takes no text"
expect 0 import --rows-from "psql -qX -c 'COPY (SELECT * FROM odd ORDER BY time) TO STDOUT WITH (HEADER)'" \
  --references back/references.csv -o back/postgres-text.mct
same odd.mct back/postgres-text.mct

# ---- ClickHouse: spread over two servers, and grouped by both
# Of real numbers, this old one reads the last digit as it likes.
python3 "$here/fleet/odd_maker.py" short --short || exit 1
expect 0 import short -o short.mct

quote() { sed 's/[^\t]*/`&`/g; s/\t/, /g'; }
for server in 1 2; do
  expect 0 export short.mct --rows --ddl clickhouse --table odd
  run_clickhouse $server -n <"$work/out" || fail "ClickHouse takes no table"
  run_clickhouse $server -n -q "CREATE TABLE all_odd AS odd ENGINE = Distributed(fleet, default, odd, rand());
    CREATE TABLE all_links AS odd_references ENGINE = Distributed(fleet, default, odd_references, rand())"
done
expect 0 export short.mct --rows --references short.references.tsv -o short.tsv
run_clickhouse 1 --insert_distributed_sync 1 -q 'INSERT INTO all_odd FORMAT TabSeparatedWithNames' <short.tsv
run_clickhouse 1 --insert_distributed_sync 1 -q 'INSERT INTO all_links FORMAT TabSeparatedWithNames' <short.references.tsv
for server in 1 2; do
  [ "$(run_clickhouse $server -q 'SELECT count() > 100 FROM odd')" = 1 ] || fail "server $server has nothing"
done
run_clickhouse 2 -q 'SELECT * FROM all_links FORMAT TabSeparatedWithNames' >back/references.tsv
names=$(head -1 short.tsv | cut -f 1-4 | quote)
sums=$(head -1 short.tsv | cut -f 5- | sed 's/[^\t]*/sum(`&`) AS `&`/g; s/\t/, /g')
echo "SELECT $names, $sums FROM all_odd GROUP BY $names ORDER BY time FORMAT TabSeparatedWithNames" >odd.sql
expect 0 import --rows-from 'clickhouse-client <odd.sql' --references back/references.tsv -o back/clickhouse.mct
same short.mct back/clickhouse.mct

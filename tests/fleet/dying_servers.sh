# Servers that are killed in the middle of an answer: a message, an exit code, and what was there before. Sourced by
# test_fleet.sh.

cp fleet.mct before.mct

# Starts an import of a large answer, stops it once it has read some of that, kills a server, and lets it go on.
dying() { # COMMAND KILL…
  local command=$1 process ticks=0
  shift
  "$memcity" import --rows-from "$command" -o fleet.mct >"$work/out" 2>"$work/err" </dev/null &
  process=$!
  until [ "$(awk '$1 == "rchar:" {print $2}' /proc/$process/io 2>/dev/null || echo 0)" -gt 1000000 ]; do
    kill -0 $process 2>/dev/null || break
    sleep 0.01
  done
  kill -STOP $process
  "$@"
  kill -CONT $process
  wait $process
  local code=$?
  [ $code = 1 ] || fail "exit code $code: $command: $(head -c 300 "$work/err")"
  says 'its rows are incomplete'
  cmp -s before.mct fleet.mct || fail "another trace than before: $command"
  [ -z "$(find . -maxdepth 1 -name 'fleet.mct?*')" ] || fail "something is left: $(ls fleet.mct?*)"
}

rows=3000000
for server in 1 2; do
  run_clickhouse $server -n -q "
    CREATE TABLE answer_here (time Int64, groups String, objects UInt64, bytes UInt64) ENGINE = MergeTree ORDER BY time;
    CREATE TABLE answer AS answer_here ENGINE = Distributed(fleet, default, answer_here, rand());
    INSERT INTO answer_here SELECT 1 + intDiv(number, 300000), concat('group ', toString(number % 300000 + $server * 300000)), 1, 24
      FROM numbers($rows)" || fail "no table"
done
query="SELECT * FROM answer FORMAT TabSeparatedWithNames"
# The other server, whose share of the answer comes through the first.
dying "clickhouse-client -q '$query'" kill_clickhouse 2
# The one that is asked.
dying "clickhouse-client -q 'SELECT * FROM answer_here ORDER BY time FORMAT TabSeparatedWithNames'" kill_clickhouse 1
# Nobody is there.
expect 1 import --rows-from "clickhouse-client -q '$query'" -o other.mct
says 'its rows are incomplete'
[ ! -e other.mct ] || fail "a trace of nothing"

psql -qX -c "CREATE TABLE answer AS SELECT 1 + i / 100000 AS time, 'group ' || i % 100000 AS groups, 1 AS objects, 24 AS bytes
  FROM generate_series(0, 999999) AS i" || fail "no table"
dying "psql -qX -c 'COPY (SELECT * FROM answer) TO STDOUT WITH (FORMAT csv, HEADER)'" kill -KILL "$POSTGRES_PID"

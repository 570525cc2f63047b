#!/usr/bin/env bash
# With real databases: every command and query of docs/fleet.md, traces that go there and come back, and servers that die in
# the middle of an answer. PostgreSQL, and two ClickHouse servers with a table over both.
. "$(dirname "$0")/../command.sh"
memcity=$(realpath "$memcity")
. "$(dirname "$0")/../jvm.sh"
. "$(dirname "$0")/servers.sh"
docs=$(realpath "$here/../docs")
has_postgres && has_clickhouse || { echo "no PostgreSQL or ClickHouse" >&2; exit 1; }
trap 'stop_servers; [ -n "$target" ] && stop; rm -rf "$work"' EXIT
cd "$work" || exit 1
start_postgres "$work" && start_clickhouse "$work" || exit 1
install_clients "$work"
ln -s "$memcity" bin/memcity

python3 "$here/fleet/read_blocks.py" "$docs/fleet.md" . || exit 1
ran=
block() { # NAME: of a command of the document
  ran+="$1.sh "
  run 0 bash -o pipefail "$1.sh"
}
same() { # TRACE TRACE: of objects and bytes, names and references
  rm -rf left right
  expect 0 export "$1" --format default -o left
  expect 0 export "$2" --format default -o right
  run 0 python3 "$here/compare_json.py" left right
  [ -s "$work/out" ] && fail "$1 and $2: $(head -c 300 "$work/out")"
}

# A table over several servers sends on what it gets a moment later.
arrived() { # TABLE ROWS
  eventually has_rows "$1" "$2"
}
has_rows() { [ "$(run_clickhouse 1 -q "SELECT count() FROM $1")" -ge "$2" ]; }

# ---- the guide: histograms

block clickhouse-tables
block postgres-tables
start java
export PID=$target SERVICE HOST
for database in clickhouse postgres; do
  : >totals
  sent=0
  for HOST in web-1 web-2 db-1; do
    SERVICE=${HOST%-*}
    # an earlier one of the same minute does not count, so all are sent in one minute
    block send-$database
    awk '$1 == "Total" {print $2, $3}' heap.txt >>totals
    sent=$((sent + $(memcity export heap.txt --rows | tail -n +2 | wc -l)))
  done
  [ $database = postgres ] || arrived heap $sent || fail "rows are on their way for ever"
  block city-$database
  expect 0 info fleet.mct --json
  # A minute may have ended meanwhile: then there are two steps, of other hosts.
  python3 - "$work/out" totals <<'PYTHON' || fail "$database: other totals"
import json, sys
info = json.load(open(sys.argv[1]))
totals = [tuple(map(int, line.split())) for line in open(sys.argv[2])]
expected = tuple(map(sum, zip(*totals)))
found = tuple(sum(step[what] for step in info["steps"]) for what in ("objects", "bytes"))
if expected != found:
    print(expected, found)
sys.exit(expected != found or info["classifiers"] != ["Service", "Host", "Package", "Type"])
PYTHON
done
stop
expect 0 top fleet.mct --group-by Service,Type

# ---- the guide: objects

python3 "$here/hprof_maker.py" heap.hprof --seed 3 --objects 3000 || exit 1
HOST=web-1
for database in clickhouse postgres; do
  block objects-$database
  block tree-$database
  same heap.hprof objects.mct
done
# both servers have done their part
for server in 1 2; do
  [ "$(run_clickhouse $server -q 'SELECT count() > 1000 FROM objects_here')" = 1 ] || fail "server $server has nothing to group"
done

# nothing in the document but what ran here
for file in *.sh; do
  case " $ran" in *" $file "*) ;; *) fail "$file of docs/fleet.md was not run" ;; esac
done

. "$here/fleet/round_trips.sh"
. "$here/fleet/dying_servers.sh"
finish

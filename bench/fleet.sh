#!/usr/bin/env bash
# From a database to a picture: the histories of 100 hosts in two ClickHouse servers, grouped by both, as a city.
#
# usage: bench/fleet.sh MEMCITY [HOSTS [GROUPS [STEPS]]]     (100 hosts of 3,000 groups, 60 steps: 18 million rows)
#
# Prints seconds of wall clock and of CPU (memcity's own): the query alone, its answer going nowhere; the same into memcity
# import; the picture.
set -euo pipefail
memcity=$(realpath "$1") hosts=${2:-100} groups=${3:-3000} steps=${4:-60}
here=$(cd "$(dirname "$0")/.." && pwd)
. "$here/tests/fleet/servers.sh"
folder=$(mktemp -d "${TMPDIR:-/var/tmp}/memcity-fleet.XXXXXX")
trap 'stop_servers; rm -rf "$folder"' EXIT
cd "$folder"
start_clickhouse "$folder"
install_clients "$folder"
python3 "$here/tests/fleet/read_blocks.py" "$here/docs/fleet.md" .
bash clickhouse-tables.sh

filling=()
# Each server makes its half of the hosts: a group grows a little, or not, and some come late.
for server in 1 2; do
  run_clickhouse $server -q "INSERT INTO heap_here SELECT concat('service-', toString(host % 10)), concat('host-', toString(host)),
    1700000000000 + step * 60000 + host, concat('com.acme.part', toString(intDiv(group, 100))), concat('Type', toString(group)),
    1 + group % 1000 + intDiv(step * group, 1000) AS objects, objects * (16 + group % 7 * 8)
  FROM (SELECT intDiv(number, $groups * $steps) * 2 + $server - 1 AS host, intDiv(number % ($groups * $steps), $groups) AS step,
    number % $groups AS group FROM numbers(toUInt64(intDiv($hosts, 2)) * $groups * $steps))" &
  filling+=($!)
done
wait "${filling[@]}"

timed() { # NAME COMMAND…
  local name=$1
  shift
  TIMEFORMAT="$name	%R	%U"
  time "$@"
}
answer() { clickhouse-client <city.clickhouse.sql >/dev/null; }
printf 'what\twall_s\tcpu_s\n'
for _ in 1 2; do
  timed "query" answer
  timed "query, import" "$memcity" import --rows-from 'clickhouse-client <city.clickhouse.sql' -o fleet.mct
  timed "picture" "$memcity" render fleet.mct -o fleet.png
done 2>&1
"$memcity" info fleet.mct | head -8

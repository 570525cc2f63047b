# Real databases for tests and benchmarks: PostgreSQL on a socket in a folder, and two ClickHouse servers on loopback with a
# table over both. To be sourced; what was started is stopped by its process id when the shell ends, however it ends.
#
# start_postgres FOLDER      then: run_psql [options of psql]
# start_clickhouse FOLDER    then: run_clickhouse 1|2 [options of clickhouse-client]; kill_clickhouse 1|2
#   a cluster of both is called "fleet", as docs/fleet.md says how
# stop_servers               also by itself

SERVER_PIDS=() POSTGRES_SOCKET=
SERVERS_FOLDER=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
CLICKHOUSE_CLIENT=$(command -v clickhouse-client)

# Debian keeps them where nobody looks.
find_postgres() { ls -d /usr/lib/postgresql/*/bin 2>/dev/null | sort -V | tail -1; }
has_postgres() { [ -n "$(find_postgres)" ]; }
has_clickhouse() { [ -n "$(PATH=$PATH:/usr/sbin command -v clickhouse-server)" ] && [ -n "$(command -v clickhouse-client)" ]; }

# PostgreSQL refuses to run as root: then it is the user that its package has made.
as_postgres() {
  if [ "$(id -u)" = 0 ]; then runuser -u postgres -- "$@"; else "$@"; fi
}

# Whatever becomes of this shell, its servers end: a test that is killed has no time to stop them.
watch_server() { # PID [FOLDER that goes with it]
  SERVER_PIDS+=("$1")
  (
    trap '' INT
    exec >/dev/null 2>&1 </dev/null
    while kill -0 "$$" && kill -0 "$1"; do sleep 0.5; done
    kill -0 "$$" || kill -KILL "$1"
    if [ -n "$2" ]; then rm -rf "$2"; fi
  ) &
  disown
}

stop_servers() {
  local pid
  for pid in "${SERVER_PIDS[@]}"; do kill -KILL "$pid" 2>/dev/null; done
  for pid in "${SERVER_PIDS[@]}"; do
    while kill -0 "$pid" 2>/dev/null; do sleep 0.05; done
  done
  SERVER_PIDS=()
  if [ -n "$POSTGRES_SOCKET" ]; then rm -rf "$POSTGRES_SOCKET"; fi
  POSTGRES_SOCKET=
}

# ---- PostgreSQL

start_postgres() { # FOLDER
  local bin folder=$1/postgres
  bin=$(find_postgres)
  POSTGRES_SOCKET=$(mktemp -d /tmp/memcity-pg.XXXXXX) # a socket's path has to be short
  mkdir -p "$folder"
  if [ "$(id -u)" = 0 ]; then
    chown postgres "$folder" "$POSTGRES_SOCKET"
    local above=$folder # which that user has to come through
    while [ "$above" != / ]; do above=$(dirname "$above"); chmod o+x "$above"; done
  fi
  (cd / && as_postgres "$bin/initdb" -D "$folder/data" -U test -A trust -E UTF8 --locale=C.UTF-8 --no-sync) >"$1/initdb.log" 2>&1 ||
    { cat "$1/initdb.log" >&2; return 1; }
  (cd / && as_postgres "$bin/pg_ctl" -D "$folder/data" -w -l "$folder/log" start \
    -o "-c listen_addresses='' -c unix_socket_directories=$POSTGRES_SOCKET -c fsync=off -c max_wal_size=4GB") >/dev/null ||
    { cat "$folder/log" >&2; return 1; }
  POSTGRES_PID=$(head -1 "$folder/data/postmaster.pid")
  watch_server "$POSTGRES_PID" "$POSTGRES_SOCKET"
}

run_psql() { psql -X -q -v ON_ERROR_STOP=1 -h "$POSTGRES_SOCKET" -U test -d postgres "$@"; }

# ---- ClickHouse

find_free_ports() { # N
  python3 - "$1" <<'PYTHON'
import socket, sys
sockets = [socket.socket() for _ in range(int(sys.argv[1]))]
for s in sockets:
    s.bind(("127.0.0.1", 0))
print(*[s.getsockname()[1] for s in sockets])
PYTHON
}

write_clickhouse_config() { # FOLDER TCP HTTP
  cat >"$1/config.xml" <<XML
<yandex>
  <logger><level>warning</level><log>$1/log</log><errorlog>$1/error.log</errorlog></logger>
  <listen_host>127.0.0.1</listen_host>
  <tcp_port>$2</tcp_port>
  <http_port>$3</http_port>
  <path>$1/data/</path>
  <tmp_path>$1/tmp/</tmp_path>
  <user_files_path>$1/files/</user_files_path>
  <mark_cache_size>67108864</mark_cache_size>
  <users_config>$1/users.xml</users_config>
  <default_profile>default</default_profile>
  <default_database>default</default_database>
</yandex>
XML
  cat >"$1/users.xml" <<XML
<yandex>
  <profiles><default><max_memory_usage>8000000000</max_memory_usage></default></profiles>
  <users><default><password></password><networks><ip>127.0.0.1</ip></networks><profile>default</profile><quota>default</quota></default></users>
  <quotas><default></default></quotas>
</yandex>
XML
}

# The document's file, with hosts and ports of here; the outer element is that of the installed server's own configuration.
write_clickhouse_cluster() {
  sed -n '/^```xml fleet.xml$/,/^```$/{/^```/d;p}' "$SERVERS_FOLDER/../../docs/fleet.md" |
    sed "s|<host>clickhouse-\\([12]\\)</host><port>9000<|<host>127.0.0.1</host><port>@\\1<|; s|@1|${CLICKHOUSE_PORTS[1]}|; s|@2|${CLICKHOUSE_PORTS[2]}|
      s|clickhouse>|yandex>|"
}

start_clickhouse() { # FOLDER
  local ports i
  read -r -a ports < <(find_free_ports 4)
  CLICKHOUSE_PORTS=("" "${ports[0]}" "${ports[1]}")
  for i in 1 2; do
    local folder=$1/clickhouse-$i
    mkdir -p "$folder/data" "$folder/tmp" "$folder/files" "$folder/config.d"
    write_clickhouse_config "$folder" "${CLICKHOUSE_PORTS[i]}" "${ports[i + 1]}"
    write_clickhouse_cluster >"$folder/config.d/fleet.xml"
    PATH=$PATH:/usr/sbin clickhouse-server --config-file="$folder/config.xml" >"$folder/out" 2>&1 </dev/null &
    CLICKHOUSE_PIDS[i]=$!
    disown
    watch_server "${CLICKHOUSE_PIDS[i]}"
  done
  for i in 1 2; do
    until run_clickhouse "$i" -q 'SELECT 1' >/dev/null 2>&1; do
      kill -0 "${CLICKHOUSE_PIDS[i]}" 2>/dev/null || { cat "$1/clickhouse-$i/out" "$1/clickhouse-$i/error.log" >&2; return 1; }
      sleep 0.1
    done
  done
}

run_clickhouse() { # 1|2 [options]
  local port=${CLICKHOUSE_PORTS[$1]}
  shift
  "$CLICKHOUSE_CLIENT" --host 127.0.0.1 --port "$port" "$@"
}

kill_clickhouse() { kill -KILL "${CLICKHOUSE_PIDS[$1]}"; }

# ---- clients as users call them

# Puts clients before those in PATH, so that commands stand as in docs/fleet.md: psql is at the server, and clickhouse-client
# knows the hosts clickhouse-1 and clickhouse-2.
install_clients() { # FOLDER
  mkdir -p "$1/bin"
  export PGHOST=${POSTGRES_SOCKET:-} PGUSER=test PGDATABASE=postgres
  cat >"$1/bin/clickhouse-client" <<SH
#!/bin/sh
port=${CLICKHOUSE_PORTS[1]}
if [ "\$1" = -h ]; then
  [ "\$2" = clickhouse-2 ] && port=${CLICKHOUSE_PORTS[2]}
  shift 2
fi
exec $CLICKHOUSE_CLIENT --host 127.0.0.1 --port \$port "\$@"
SH
  chmod +x "$1/bin/clickhouse-client"
  PATH=$1/bin:$PATH
}

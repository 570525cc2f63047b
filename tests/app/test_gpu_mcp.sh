#!/usr/bin/env bash
# memcity mcp: transcripts of both eras of the protocol, mangled requests, what may be read, and what is left when a client dies.
. "$(dirname "$0")/../command.sh"
memcity=$(realpath "$memcity")
here=$(cd "$(dirname "$0")" && pwd)
data=$(realpath "$2")
mkdir "$work/root" "$work/outside"
"$memcity" import "$http" -o "$work/root/http.mct" || exit 1
cd "$work" || exit 1
python3 "$here/../hprof_maker.py" whole.hprof --seed 4 --objects 2000 || exit 1
head -c $(($(stat -c %s whole.hprof) * 3 / 4)) whole.hprof >root/damaged.hprof
run 0 python3 "$here/mcp_client.py" "$memcity" "$work" "$data/mcp"
cat out
expect 2 mcp --root none; says "no folder"
# nothing but messages, and the end of the input is the end
printf '' | "$memcity" mcp --root root >out || fail "no input"
[ ! -s out ] || fail "something was said by itself"
printf '{"jsonrpc":"2.0","id":1,"method":"ping"}' | "$memcity" mcp --root root >out
[ "$(cat out)" = '{"jsonrpc":"2.0","id":1,"result":{}}' ] || fail "a last line without its end: $(cat out)"
finish

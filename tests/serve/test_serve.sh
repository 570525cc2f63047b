#!/usr/bin/env bash
# memcity serve from outside: who gets the page and its data, and who does not.
. "$(dirname "$0")/../command.sh"
expect 0 page "$http" -o "$work/city.html"
run 0 timeout 200 python3 "$(dirname "$0")/serve_client.py" "$memcity" "$http" "$work/city.html"
cat "$work/err" >&2
expect 2 serve
expect 2 serve "$http" --port 65536
says "--port: expected 0 to 65535"
expect 2 serve "$http" --port x
expect 2 serve "$http" --follow --versus "$http"
says "serve: --follow: expected one .mct file"
expect 2 serve "$http" --steps 1
expect 1 serve "$work/none"
[ ! -s "$work/out" ] || fail "an address of nothing"
finish

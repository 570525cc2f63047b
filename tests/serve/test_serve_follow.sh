#!/usr/bin/env bash
# memcity serve --follow sends what differs from the version before, from which the same bytes follow as those of all of it.
. "$(dirname "$0")/../command.sh"
"$memcity" listen --port 0 -o "$work/live.mct" 2>"$work/listen.err" &
listen=$!
trap 'kill "$listen" 2>/dev/null; rm -rf "$work"' EXIT
eventually grep -q 'listening at' "$work/listen.err"
port=$(sed -n 's/.*listening at ws:[^ ]*:\([0-9]*\).*/\1/p' "$work/listen.err")
run 0 timeout 60 python3 "$(dirname "$0")/follow_client.py" "$memcity" "$work/live.mct" "$port" "$work"
cat "$work/out" "$work/err" >&2
finish

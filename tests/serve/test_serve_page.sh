#!/usr/bin/env bash
# memcity serve in a browser: every value as it was recorded, no way to anywhere else, and a recording that grows meanwhile.
. "$(dirname "$0")/../command.sh"
data=$2
browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome) || fail "no chromium"
sanitized && finish
jobs=()
trap 'kill "${jobs[@]}" 2>/dev/null; rm -rf "$work"' EXIT
serve() { # NAME ARGUMENTS…: its address goes to $url
  "$memcity" serve "${@:2}" >"$work/$1.url" 2>"$work/$1.err" &
  jobs+=($!)
  eventually test -s "$work/$1.url"
  url=$(cat "$work/$1.url")
}
{
  printf 'time\tPackage\tType\tobjects\tbytes\n'
  for step in {0..7}; do
    printf '%s\t<img src=x onerror="hacked=1">\t</script><script>hacked=1</script>\t%s\t%s\n' "$step" $((step + 10)) $((100 * step + 10))
  done
} >"$work/hostile.tsv"
expect 0 import --rows "$work/hostile.tsv" -o "$work/hostile.mct"
expect 0 export "$http" --rows --tsv -o "$work/rows.tsv"
serve http "$http"
http_url=$url
serve hostile "$work/hostile.mct" --title '</title><script>hacked=1</script>'
hostile_url=$url

# A recording to which steps are pushed.
"$memcity" listen --port 0 -o "$work/live.mct" 2>"$work/listen.err" &
listen=$!
jobs+=($listen)
eventually grep -q 'listening at' "$work/listen.err"
port=$(sed -n 's/.*listening at ws:[^ ]*:\([0-9]*\).*/\1/p' "$work/listen.err")
"$memcity" serve "$work/live.mct" --follow >"$work/live.url" 2>"$work/live.err" &
jobs+=($!)
eventually grep -q 'waiting for its first step' "$work/live.err"
[ ! -s "$work/live.url" ] || fail "an address before the first step"
mapfile -t steps < <(cd "$http/default-format" && ls *.json | sort -n | sed "s|^|$http/default-format/|")
run 0 python3 "$data/../live/push.py" "$port" "${steps[@]:0:5}"
eventually test -s "$work/live.url"
live_url=$(cat "$work/live.url")
run 0 env TMPDIR="$work" timeout 200 python3 "$data/../page_in_browser.py" "$browser" values "$http_url" "$work/rows.tsv" + served "$http_url" + \
  hostile "$hostile_url" + grows "$live_url" linkedlist "$port" "${steps[@]:5:3}"
cat "$work/out" "$work/err" >&2
# It ends: the page has all of it, and is no longer live.
kill -INT "$listen"
wait "$listen"
expect 0 export "$work/live.mct" --rows --tsv -o "$work/live.tsv"
run 0 env TMPDIR="$work" timeout 200 python3 "$data/../page_in_browser.py" "$browser" values "$live_url" "$work/live.tsv" + served "$live_url"
cat "$work/out" "$work/err" >&2
finish

#!/usr/bin/env bash
# What a view may open: a view may come from anybody, and is opened without a look at what it names.
. "$(dirname "$0")/../command.sh"
memcity=$(realpath "$memcity")
server=
trap '[ -z "$server" ] || kill $server 2>/dev/null; rm -rf "$work"' EXIT
export HOME="$work/home" XDG_DATA_HOME="$work/data" XDG_CONFIG_HOME="$work/config"
mkdir -p "$HOME" "$work/mail" "$work/data/memcity/bookmarks"
cp "$(find "$http/anttracks-format" -name '*.json' | sort | head -1)" "$work/mail/one.json"
python3 "$(dirname "$0")/../import/trace_server.py" "$work/port" "4=Only=$work/mail/one.json" --log "$work/asked" & server=$!
eventually test -s "$work/port"
address=ws://127.0.0.1:$(cat "$work/port")
view() { printf '{"memcity_view":1,"trace":["%s"]%s}\n' "$1" "${2:-}" >"$work/mail/view.json"; }
# opens CODE ARGUMENT…: as the window would, to the end of opening
opens() { run "$1" timeout 60 "$memcity" view --headless --no-settings --script "$work/script" "${@:2}"; }
refused() { # CODE SAID: however the view is opened
  run "$1" timeout 60 "$memcity" view --headless --no-settings --script "$work/wait" "$work/mail/view.json"; says "$2"
  opens "$1" --view "$work/mail/view.json"; says "$2"
  run "$1" timeout 60 "$memcity" render --view "$work/mail/view.json" --size 64x64 -o "$work/x.png"; says "$2"
}
unasked() { [ ! -e "$work/asked" ] || fail "the server was asked"; }
printf 'wait idle\nexpect step_count 1\n' >"$work/script"
printf 'wait idle\n' >"$work/wait"

# ---- servers
view "$address"; refused 1 "--allow-network"; says "$address"; unasked
view "WS://${address#ws://}"; refused 1 "--allow-network"; unasked
view "wss://${address#ws://}"; refused 1 "--allow-network"
for field in versus with; do
  view "$work/mail/one.json" ",\"$field\":\"$address\""
  opens 1 "$work/mail/view.json"; says "--allow-network"
  opens 1 --view "$work/mail/view.json"; says "--allow-network"; unasked
done
# what the command line says instead is not opened; nor is what it says a view's
run 0 "$memcity" view --headless --no-settings --script "$work/script" --view "$work/mail/view.json" "$work/mail/one.json"; unasked
# by the user's word
view "$address"
opens 0 --allow-network "$work/mail/view.json"; opens 0 --allow-network --view "$work/mail/view.json"
[ -e "$work/asked" ] || fail "the server was not asked"
opens 0 "$address"
printf 'open %s\nwait idle\nopen %s\nwait idle\nexpect step_count 1\nexpect message null\n' "$address/4" "$work/mail/view.json" >"$work/both"
view "$address/4"
run 0 timeout 60 "$memcity" view --headless --no-settings --script "$work/both" "$work/mail/one.json"
cp "$work/mail/view.json" "$work/data/memcity/bookmarks/mine.json"
opens 0 "$work/data/memcity/bookmarks/mine.json"

# ---- what is neither a file nor a folder, and what is the system's
mkfifo "$work/mail/pipe.json"
view "$work/mail/pipe.json"; refused 3 "trace[0]: expected a file or a folder, found a pipe"
view pipe.json; refused 3 "found a pipe"
view /dev/zero; refused 3 "found a device"
view /dev/stdin; run 3 timeout 60 "$memcity" render --view "$work/mail/view.json" --size 64x64 -o "$work/x.png" </dev/zero; says "found a device"
view /proc/kmsg; refused 3 "one of the system's own"
view /proc/self/maps; refused 3 "one of the system's own"
view //host/share/x.json; refused 3 "a share"
view "/x$(printf '\\u001f')versus$(printf '\\u001f')$address"; refused 3 "a pair"
# a pipe as the view itself
mkfifo "$work/mail/view-pipe.json"
opens 1 "$work/mail/view-pipe.json"; opens 1 --view "$work/mail/view-pipe.json"

# ---- files: of any place, and of the view's folder, wherever one is
view "$work/mail/one.json"; opens 0 "$work/mail/view.json"
view one.json; opens 0 "$work/mail/view.json"; opens 0 --view "$work/mail/view.json"
view /gone/one.json; opens 0 "$work/mail/view.json"
mkdir "$work/elsewhere"; cp "$work/mail/one.json" "$work/elsewhere/other.json"; cd "$work/elsewhere"
view other.json; opens 1 "$work/mail/view.json"; says "mail/other.json"
view one.json; opens 0 ../mail/view.json
finish

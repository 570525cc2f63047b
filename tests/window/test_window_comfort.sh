#!/usr/bin/env bash
# The window's comfort: undo, views as files, the box, remembered settings, copies, tables, pictures, video.
SCREEN=1700x1100
. "$(dirname "$0")/../window.sh"
mkdir -p "$work/files"
cd "$work/files" || exit 1
settings=$XDG_CONFIG_HOME/memcity/settings.json
undo() { key ctrl+z; }
near() { # A B PERCENT: how much of two pictures differs clearly
  local differing
  differing=$(compare -metric AE -fuzz 12% "$1" "$2" null: 2>&1)
  [ "${differing%%[!0-9]*}" -le $((1000 * 640 * $3 / 100)) ] || fail "$1 and $2 differ in $differing pixels"
}
wait_file() { # PATTERN
  wait_until "compgen -G '$1' >/dev/null"
}

# ---- undo and redo: settings, steps, selections, flights, layouts
start "$trace" --size 1000x640 --step 0
wait_for open true; wait_for task idle
point 300 300
wait_for history '[0,1]'
key k; wait_for dark true; wait_for history '[1,2]'
key Right Right; wait_for step 2; wait_for history '[2,3]'
key 1; wait_until '[ "$(get selection)" != null ]'; chosen=$(get selection); wait_for history '[3,4]'
key f; wait_for history '[4,5]'; settled; close=$(get eye)
key m; wait_for city_metric objects; wait_for history '[5,6]'
undo; wait_for city_metric bytes; wait_for task idle; settled
[ "$(get eye)" = "$close" ] || fail "undoing a layout moves the camera to $(get eye), not $close"
undo; wait_until '[ "$(get eye)" != "$close" ]'; settled
undo; wait_for selection null
undo; wait_for step 0
undo; wait_for dark false; wait_for history '[0,6]'
undo; wait_until 'get message | grep -q "nothing to undo"'
key ctrl+y ctrl+y; wait_for step 2
key ctrl+shift+z; wait_for selection "$chosen"; key ctrl+y; wait_for eye "$close"
key bracketright; wait_for window '[0,2]'; wait_for task idle; wait_for history '[5,6]'
undo; wait_for window '[0,25]'; wait_for task idle
# time that goes by is nothing to undo
settled
key plus; wait_for step_duration 0.2; wait_for history '[5,6]'; key plus; wait_for step_duration 0.1; wait_for history '[6,7]'; count=$(get history)
key space; wait_until '[ "$(get step)" -ge 6 ]'; key space; wait_for playing false
[ "$(get history)" = "$count" ] || fail "playing fills the history: $(get history)"
undo; wait_for step_duration 0.2
[ "$(get step)" -ge 6 ] || fail "undo goes back in time that went by itself"

# ---- copies and tables
key ctrl+c; wait_until 'get message | grep -qF "$chosen"'
wait_until '[ "$(get references)" -ge 3 ]'; key ctrl+e; wait_until 'get message | grep -q "Wrote "'
csv=$(ls ./*suspects*.csv); [ "$(tr -d -c '\r' <"$csv" | wc -c)" -gt 5 ] || fail "lines do not end as RFC 4180 says"
grep -qF "$chosen," "$csv" || fail "no $chosen in $csv"
[ "$(wc -l <"$(ls ./*references*.csv)")" -eq $(($(get references) + 1)) ] || fail "not all references are in the table"
python3 - ./*.csv <<'PY' || fail "not CSV"
import csv, sys
for name in sys.argv[1:]:
    rows = list(csv.reader(open(name, newline=""), strict=True))
    assert len(rows) > 1 and len({len(row) for row in rows}) == 1, name
PY

# ---- a view as a file, and the same in pictures
key Escape; key Page_Down; wait_for step 25; wait_for window '[0,25]'
key 2; wait_until '[ "$(get selection)" != null ]'; settled
# the camera is the user's: panels move it no more
framed=$(get eye); xdotool click 5; wait_until '[ "$(get eye)" != "$framed" ]'; settled
key ctrl+d; wait_file "$XDG_DATA_HOME/memcity/bookmarks/*.json"
view=$(ls "$XDG_DATA_HOME"/memcity/bookmarks/*.json)
saved=$(get eye); selected=$(get selection)
key shift+F12; wait_file '*-step25.png'; mv ./*-step25.png named.png
key F9 n; wait_for panels false; settled
key shift+F12; wait_file '*-step25.png'; mv ./*-step25.png city.png
key n F9; wait_for panels true; settled
cmp -s city.png named.png && fail "a picture has no names and no legend"
key F12; wait_file '*-step25.png'; mv ./*-step25.png panels.png
cmp -s city.png panels.png && fail "pictures with and without panels are the same"
"$memcity" render --view "$view" --no-labels --no-legend -o headless.png || fail "render --view"
[ "$(identify -format '%wx%h' headless.png)" = 1000x640 ] || fail "not the window's size"
near city.png headless.png 3
# back to it from the list
key Home; settled; key backslash; wait_for window '[0,26]'; wait_for task idle; key Escape Page_Up; wait_for step 0; wait_for selection null
key ctrl+b; wait_for box true; wait_for box_entries 1
is_inside box_card || fail "the box leaves the window: $(get box_card)"
key Return; wait_for box false; wait_for selection "$selected"; wait_for step 25; wait_for window '[0,25]'; wait_for task idle; settled
[ "$(get eye)" = "$saved" ] || fail "the bookmark leads to $(get eye), not $saved"
undo; wait_for step 0; wait_for window '[0,26]'; wait_for task idle
# named, renamed and deleted
bookmarks=$XDG_DATA_HOME/memcity/bookmarks
key ctrl+b; wait_for box_entries 1; xdotool type --delay 15 'noon'; wait_for box_entries 1
[ ! -e "$bookmarks/noon.json" ] || fail "a bookmark before it was asked for"
key Return; wait_for box false; wait_file "$bookmarks/noon.json"
key ctrl+b; wait_for box_entries 2; key F2; wait_for box_text noon
key ctrl+a; xdotool type --delay 15 "$(basename "$view" .json)"; key Return; wait_until 'get box_note | grep -q already'
key ctrl+a; xdotool type --delay 15 'at noon'; key Return; wait_for box_entries 2
[ -e "$bookmarks/at noon.json" ] || fail "not renamed: $(ls "$bookmarks")"
key Delete; wait_until 'get box_note | grep -q "Once more deletes the bookmark “at noon”"'
[ -e "$bookmarks/at noon.json" ] || fail "deleted at once"
key Delete; wait_for box_entries 1; [ ! -e "$bookmarks/at noon.json" ] || fail "not deleted"
click_place box_rename; wait_for box_text "$(basename "$view" .json)"; key Escape; wait_for box_entries 1
key Escape; wait_for box false
# saved under a name of one's own
key ctrl+shift+s; wait_for box true; wait_until 'get box_text | grep -q step0.json'
key ctrl+a; xdotool type --delay 15 mine.json; key Return; wait_for box false; wait_file mine.json
key ctrl+shift+s; wait_for box true; key ctrl+a; xdotool type --delay 15 mine.json; key Return; wait_until 'get box_note | grep -q replaces'
key Return; wait_for box false
grep -q '"memcity_view":1' mine.json || fail "mine.json is no view"

# ---- commands and buildings by name
key ctrl+p; wait_for box true
[ "$(get box_entries)" -ge 80 ] || fail "commands: $(get box_entries)"
xdotool type --delay 15 'step last'; wait_for box_entries 1; key Return; wait_for box false; wait_for step 26
key ctrl+p; wait_for box true; xdotool type --delay 15 'first step'; wait_for box_entries 2; key Return; wait_for step 0
key ctrl+p; wait_for box true; xdotool type --delay 15 'hosthandler'; wait_for box_entries 0
key ctrl+a; xdotool type --delay 15 'hostparams'; wait_for box_entries 1; click_place box_entry
wait_for box false; wait_until 'get selection | grep -q "#HostParams$"'; wait_for task idle; settled
# The largest building of that name comes first, whatever its number; hits of a search likewise.
key Page_Up; wait_for step 0; key Right; wait_for step 1
largest=$("$memcity" find "$trace" entry --step 1 --json | grep -oE '"key":"[^"]*' | head -1 | cut -d'"' -f4)
key ctrl+p; wait_for box true; xdotool type --delay 15 'entry'; wait_until '[ "$(get box_entries)" -gt 2 ]'; key Return
wait_for box false; wait_for selection "$largest"; key Escape
key ctrl+f; wait_for typing search; key ctrl+a; xdotool type --delay 15 'entry'; wait_until '[ "$(get hits)" -gt 2 ]'
key Return; wait_for hit 0; wait_for selection "$largest"; key Escape Escape

# ---- the box opens what one types
key ctrl+o; wait_for box true
[ "$(get box_entries)" -ge 1 ] || fail "no recent files"
xdotool type --delay 15 "$work/files/nothing"; key Return; wait_until 'get box_note | grep -q "no file"'
key ctrl+a; xdotool type --delay 15 "$(dirname "$trace")/jav"; wait_for box_entries 2
key Tab; wait_for box_text "$(dirname "$trace")/javac-daemon"
key Return; wait_for box false; wait_for trace javac-daemon; wait_for task idle
wait_for history '[0,1]'
key ctrl+o; wait_for box true; key Escape; wait_for box false
# a view of another trace opens that one
key ctrl+b; wait_for box_entries 1; click_place box_entry
wait_for trace httpclient-3.0.1; wait_for task idle; wait_for selection "$selected"; wait_for step 25; settled
[ "$(get eye)" = "$saved" ] || fail "a bookmark of another trace leads to $(get eye), not $saved"

# ---- a video of it, and one that is given up
key ctrl+r; wait_for box_title "Make a video of many frames?"
key Down Return; wait_for box false; sleep 0.3; [ "$(get video)" = false ] || fail "a video that nobody wants"
key ctrl+r; wait_for box true; key Return; wait_for video true; frames=$(get frames)
key k; wait_for dark false; [ "$(get frames)" -gt "$frames" ] || fail "the window does not answer while a video is made"
key ctrl+r; wait_for video false; wait_until 'get message | grep -q Cancelled'
compgen -G '*.mp4*' >/dev/null && fail "a cancelled video is left over: $(ls)"

# ---- text sizes
key ctrl+equal; wait_for scale 1.125; key ctrl+minus; wait_for scale 1
palette fold view; wait_until 'grep -q "\"view_open\":true" "$settings"'
quit 0
[ ! -s "$work/err" ] || fail "stderr: $(head -c 600 "$work/err")"

# ---- what was set stays, what a view or the command line asked for does not
start --view "$view" --scale 1.5 --size 1600x1000 --loop
wait_for open true; wait_for task idle; settled
wait_for step 25; wait_for selection "$selected"; wait_for scale 1.5
[ "$(get dark)" = true ] || fail "the view's theme"
[ "$(get loop)" = true ] || fail "--loop"
point 300 300; check_picture large
quit 0
start mine.json --no-settings
wait_for open true; wait_for step 0; wait_for selection null; [ "$(get loop)" = false ] || fail "the command line was remembered"
key g; wait_for edges false; quit 0
grep -q '"edges":true' "$settings" || fail "--no-settings writes"
grep -q '"view_open":true' "$settings" || fail "the folds were not remembered"
grep -q '"recent":\[".*httpclient' "$settings" || fail "no recent files: $(cat "$settings")"

# ---- damaged settings are put aside, and that is said
echo '{"memcity_settings":1,"settings":{"dark":truth}}' >"$settings"
start; wait_for open false
get message | grep -q 'settings.json.bad' || fail "message: $(get message)"
[ -s "$settings.bad" ] || fail "the damaged settings are gone"
key ctrl+o; wait_for box true; key Escape; wait_for box false
quit 0
# a view that is none
echo '{"memcity_view":1,"step":-5}' >broken.json
"$memcity" render --view broken.json "$trace" -o x.png 2>err && fail "draws a broken view"
grep -q 'broken.json.*step: expected' err || fail "a broken view: $(cat err)"
start broken.json; wait_until '[ "$(get task)" = idle ] && [ "$(get message)" != null ]'; key Escape; quit 3

[ "$failures" -eq 0 ]

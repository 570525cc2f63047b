#!/usr/bin/env bash
# Two traces in the window: what is shown of them by keys and clicks, in both themes; played, where one has fewer steps;
# undone, bookmarked, and opened again.
. "$(dirname "$0")/../window.sh"
javac=$(dirname "$trace")/javac-daemon

# Pixels of the city's part of the screen by their hue: of blue, red or orange, green, pink.
colours() { # NAME
  import -window root "$work/$1.png" || fail "no screenshot"
  convert "$work/$1.png" -crop 640x420+280+110 -alpha off -scale 50% rgb:- | python3 -c '
import colorsys, sys
data = sys.stdin.buffer.read()
counts = {"green": 0, "pink": 0, "warm": 0}
for i in range(0, len(data), 3):
    hue, light, full = colorsys.rgb_to_hls(*(byte / 255 for byte in data[i:i + 3]))
    if full < 0.3 or not 0.15 < light < 0.85:
        continue
    counts["green"] += 0.36 < hue < 0.47
    counts["pink"] += 0.85 < hue < 0.95
    counts["warm"] += hue < 0.12
print(" ".join(str(counts[name]) for name in ("green", "pink", "warm")))'
}
has_all() { # NAME: new, gone and what grew are in the picture
  local green pink warm
  read -r green pink warm < <(colours "$1")
  [ "$green" -gt 20 ] && [ "$pink" -gt 20 ] && [ "$warm" -gt 20 ] ||
    fail "$1: $green green, $pink pink, $warm warm pixels"
}

printf 'time\tType\tSite\tobjects\tbytes\n1000\tbyte[]\tacme.Store.keep(Store.java:17)\t1\t400\n2000\tbyte[]\tacme.Store.keep(Store.java:17)\t2\t800\n' >"$work/heap.tsv"
printf 'time\troot\tPackage\tClass\tMethod\tobjects\tbytes\ttime[time flow additive real]\n1000\tProgram\tacme\tStore\tkeep()\t0\t0\t20\n2000\tProgram\tacme\tStore\tkeep()\t0\t0\t30\n' >"$work/methods.tsv"

# ---- both modes, in both themes
start "$javac" --versus "$trace" --step-duration 0.1; wait_for open true; wait_for task idle; wait_for pair difference
wait_for color_by difference; wait_for step_count 27; wait_for dark false
rests eye; has_all light
key ctrl+p; wait_for box true; xdotool type --delay 15 'light or dark'; wait_for box_entries 1; key Return
wait_for dark true; wait_for box false; rests eye; has_all dark
for shown in a b both; do
  key alt+v; wait_for pair $shown; wait_for task idle
  rests eye; check_picture "$shown"
done
wait_for color_by difference; has_all both_dark
key ctrl+p; wait_for box true; xdotool type --delay 15 'light or dark'; wait_for box_entries 1; key Return
wait_for dark false; wait_for box false; rests eye; has_all both_light

# ---- one is over before the other: its last step stays
key backslash; wait_for window '[0,26]' # also what was freed at the end
key Prior; wait_for step 0; wait_for pair_steps '[0,0]'
key Next; wait_for step 26; wait_for pair_steps '[25,26]'
key Prior; wait_for step 0
key alt+period; wait_for align 1:0; wait_for pair_steps '[1,0]'; wait_for task idle
key alt+a; wait_for align step; wait_for task idle
key alt+a; wait_for align time; wait_for task idle
count=$(get step_count)
[ "$count" -gt 27 ] || fail "by time: $count steps"
key Prior; wait_for step 0; wait_for pair_steps '[0,0]'
key space; wait_for playing true; wait_for playing false
wait_for step $((count - 1))
wait_for pair_steps '[25,26]' # the last of both, though one was over before
check_picture played
wait_for validation 0

# ---- what is selected is selected in both; a click in either city selects
key Escape; wait_for selection null
click 420 420; wait_until '[ "$(get selection)" != null ]'
chosen=$(get selection)
key alt+v; wait_for pair difference; wait_for selection "$chosen"
key ctrl+z; wait_for pair both; wait_for selection "$chosen"

# ---- bookmarked, and opened again beside what it was of
key ctrl+d
wait_until 'ls "$XDG_DATA_HOME"/memcity/bookmarks/*.json >/dev/null 2>&1'
view=$(ls "$XDG_DATA_HOME"/memcity/bookmarks/*.json)
grep -q '"pair":"both"' "$view" || fail "the bookmark: $(cat "$view")"
quit 0
start --view "$view" --versus "$trace"; wait_for open true; wait_for task idle; wait_for pair both; wait_for align time
wait_for selection "$chosen"
quit 0

# ---- opened before: both as one, where an empty window lists them, in the dialog and in the menu; a heap and its methods likewise
for name in heap methods; do
  "$memcity" import --rows "$work/$name.tsv" -o "$work/$name.mct" 2>>"$work/import" || fail "$(cat "$work/import")"
done
row_of() { # DETAIL: the index of the row of the start that has it
  get start | tr -d '[]"' | tr , '\n' | grep -nx -- "$1" | head -1 | awk -F: '{ print $1 - 1 }'
}
pair="$(realpath "$javac") versus $(realpath "$trace")"
start; wait_until '[ -n "$(row_of "$pair")" ]'
click_to_open "start_$(row_of "$pair")"; wait_for pair difference; wait_for task idle
[ "$(get trace)" = "A: javac-daemon   B: httpclient-3.0.1" ] || fail "opened before: $(get trace)"
quit 0
start "$work/heap.mct" --with "$work/methods.mct"; wait_for linked methods.mct; wait_for task idle
quit 0
start "$trace"; wait_for open true; wait_for task idle
key F10; wait_for menu true; key Down Down Right; wait_for menu_row "$(basename "$trace")"
key Down; wait_for menu_row 'heap.mct with methods.mct'; key Return; wait_for linked methods.mct; wait_for task idle
quit 0
start; wait_until '[ -n "$(row_of "$work/heap.mct with $work/methods.mct")" ]'
for _ in $(seq 0 "$(row_of "$work/heap.mct with $work/methods.mct")"); do key Down; done
key Return; wait_for linked methods.mct; wait_for trace heap.mct; wait_for task idle
key ctrl+o; wait_for box true; xdotool type --delay 15 "$trace"; key Return; wait_for linked null; wait_for task idle
key ctrl+o; wait_for box true; key Down Down Return; wait_for linked methods.mct; wait_for trace heap.mct; wait_for task idle
wait_for validation 0
quit 0
[ -z "${KEEP:-}" ] || cp "$work"/*.png "$KEEP"
[ "$failures" -eq 0 ] || { echo "$failures checks failed" >&2; exit 1; }
exit 0

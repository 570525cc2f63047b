#!/usr/bin/env bash
# Exploring in the window: references, back and forward, the walk, search, the city of one district, highlight modes.
. "$(dirname "$0")/../window.sh"
heap=Heap
util=$heap#java.util
pool='Heap#org.apache.commons.httpclient#MultiThreadedHttpConnectionManager$HostConnectionPool'
type_text() { xdotool type --delay 15 "$1"; }
on_step() { wait_for references_step "$1"; }

start "$trace" --metric objects --window 0:25 --step 25 --size 1000x700
wait_for open true; wait_for task idle
point 300 620

# ---- left again at once, the field does not get the focus after all
for delay in 10 20 30 40; do
  xdotool key --delay $delay slash Escape Escape
  wait_for search_open false
done
# ---- typing is for the field alone
key slash; wait_for typing search; wait_for search_open true
type_text 'linkedlist'; wait_for search linkedlist
[ "$(get hits)" -ge 2 ] || fail "$(get hits) hits for linkedlist"
[ "$(get loop)" = false ] && [ "$(get dark)" = false ] || fail "keys did something while one typed"
wait_until '[ "$(get marked)" -ge 2 ]'
key BackSpace BackSpace BackSpace BackSpace; wait_for search linked
more=$(get hits)
[ "$more" -gt 2 ] || fail "$more hits for linked"
key Return; wait_for hit 0; wait_for selection "$util#LinkedList"
key Return; wait_for hit 1
key shift+Return; wait_for hit 0; wait_for selection "$util#LinkedList"
key Up; wait_for hit $((more - 1)); key Down; wait_for hit 0
is_inside search_panel || fail "the search leaves the window"
check_picture search
# a regular expression, a wrong one, and what nothing has
key ctrl+a; key alt+r; wait_for search_regex true
type_text '^heap#java\.util#hash(map|set)$'; wait_until '[ "$(get hits)" = 2 ]'
# half an expression, which dims nothing
key BackSpace BackSpace; wait_for hits 0; wait_for marked -1
key ctrl+a; type_text 'xyzzy'; wait_for search xyzzy; wait_for hits 0; wait_for marked 0
key alt+r; wait_for search_regex false
key ctrl+a; type_text 'hostconn'; wait_for search hostconn
key Escape; wait_for typing ""
[ "$(get search_open)" = true ] || fail "Esc closes more than the field"
key ctrl+g; wait_for hit 0
click_place hit_1; wait_for hit 0; wait_for selection "$pool"
key Escape; wait_for search_open false; wait_for marked -1

# ---- the walk by hand: what keeps the list alive, and that, and that
key Escape; wait_for selection null
key ctrl+f; wait_for typing search
key ctrl+a; type_text 'util#linkedlist'; key Return; wait_for selection "$util#LinkedList"
key Escape Escape; wait_for search_open false
on_step 25; wait_for holder "$pool"
wait_until '[ "$(get partner | tr -d "[]" | awk -F, "{ print int(\$4) }")" -lt "$(get time_bar | tr -d "[]" | awk -F, "{ print int(\$2) }")" ]'
key j; wait_for selection "$pool"; on_step 25; wait_for holder "$util#HashMap\$Node"
wait_until '[ "$(get references)" = "$(get all_references)" ]'
check_picture references
# sorted by partner, the table begins elsewhere; a click goes on there
key j; wait_for selection "$util#HashMap\$Node"; on_step 25
[ "$(get references)" = 20 ] && [ "$(get all_references)" -gt 20 ] || fail "$(get references) of $(get all_references) references"
# What is written above them counts what the directions chosen leave, as refs prints it.
rows() { "$memcity" refs "$trace" --of "$util#HashMap\$Node" --step 25 --json "$@" | grep -c '"direction"'; }
wait_for references_note "The 20 strongest of $(rows). "
key z; wait_for outgoing false; wait_for references_note ""; wait_for references "$(rows --incoming)"
key z; wait_for incoming false; wait_for references_note "The 20 strongest of $(rows --outgoing). "
key z z; wait_for incoming true; wait_for outgoing true; wait_for references_note "The 20 strongest of $(rows). "
key apostrophe; wait_for most_references 50; wait_until '[ "$(get references)" -gt 20 ]'
key semicolon semicolon semicolon semicolon semicolon semicolon; wait_for most_references 1; wait_for references 1
click_place partner; wait_until '[ "$(get selection)" != "$util#HashMap\$Node" ]'
# the panels stay where they are while one goes on in them
wait_until '[ -n "$(get partner)" ]'; rests partner; place=$(get partner)
before=$(get selection)
click_place partner; wait_until '[ "$(get selection)" != "$before" ]'; wait_for references 1; wait_until '[ -n "$(get partner)" ]'; rests partner
[ "$(get partner)" = "$place" ] || fail "the references went from $place to $(get partner)"
# back the whole way, and forward again
key alt+Left alt+Left; wait_for selection "$util#HashMap\$Node"
key alt+Left; wait_for selection "$pool"
click_place back; wait_for selection "$util#LinkedList"
click_place forward; wait_for selection "$pool"
xdotool click 8; wait_for selection "$util#LinkedList"
xdotool click 9; wait_for selection "$pool"
key apostrophe apostrophe apostrophe apostrophe; wait_for most_references 20
# directions, arcs, time
wait_until '[ "$(get references)" = "$(get all_references)" ]'
all=$(get references)
key z; wait_for outgoing false; wait_until '[ "$(get references)" -lt "$all" ]'; wait_for held null
key z; wait_for incoming false; wait_for holder null
key z; wait_for outgoing false; wait_for references 0
key z; wait_for incoming true; wait_for outgoing true; wait_for references "$all"
key parenleft; wait_for arcs false
key parenleft; wait_for arcs true
key y; wait_until '[ "$(get selection)" != "$pool" ]'; key alt+Left; wait_for selection "$pool"
key Left; wait_for step 24; on_step 24
key Page_Up; wait_for step 0; on_step 0; wait_for references 0
key Page_Down; wait_for step 25; on_step 25

# ---- the walk to the root cause
key Escape; wait_for selection null
key 0; wait_for walk_shown true
[ "$(get cause)" = "$pool" ] || fail "the cause is $(get cause)"
get walk | grep -qF "$util#HashMap\$Node" || fail "the walk does not meet HashMap\$Node: $(get walk)"
wait_for selection "$pool"
wait_until '[ "$(get marked)" -ge 3 ]'
click_place stop; wait_for selection "$util#LinkedList"; wait_for walk_shown true
check_picture walk
key Escape; wait_for walk_shown false; wait_for marked -1
key alt+0; wait_for walk_shown true; wait_for selection "$pool"
key Escape; wait_for walk_shown false

# ---- the city of one district
key Up; wait_for selection 'Heap#org.apache.commons.httpclient'
key Return; wait_for root 'Heap#org.apache.commons.httpclient'; wait_for task idle
wait_for selection null
[ "$(get buildings)" -lt 30 ] || fail "$(get buildings) buildings in one package"
wait_until 'xdotool getwindowname "$(window)" | grep -q "org.apache.commons.httpclient in httpclient-3.0.1"'
key 1; wait_until '[ "$(get selection)" != null ]'; on_step 25
# what lies outside widens it
key slash; key ctrl+a; type_text 'util#linkedlist'; wait_for search 'util#linkedlist'; key Return
wait_for selection "$util#LinkedList"; wait_for root null; wait_for task idle
key Escape Escape; wait_for search_open false
key Up; wait_for selection "$util"; key Return; wait_for root "$util"; wait_for task idle
key shift+BackSpace; wait_for root null; wait_for task idle
key alt+Left; wait_for selection "$util"
key Return; wait_for root "$util"; wait_for task idle
click_place path_root; wait_for root null; wait_for task idle

# ---- highlight modes
key Escape; key alt+c; wait_for color_by step
key alt+c; wait_for color_by trend
key Left; wait_for step 24
key alt+c; wait_for color_by level
key alt+c; wait_for color_by role
is_inside legend || fail "the legend leaves the window"
check_picture role
key alt+c; wait_for color_by package
key alt+c; wait_for color_by growth
key alt+h alt+h; wait_for height_by bytes
key alt+h alt+h; wait_for height_by metric
key F7; wait_until '[ "$(get children)" -gt 10 ]'; key F2 F3 F4 F5 F6
point 300 500
key F5 F6 F7; wait_until '! get unfolded | grep -q contents'; key F7; wait_until 'get unfolded | grep -q contents'; rests child
[ "$(get child | tr -d '[]' | awk -F, '{ print int($4) }')" -le "$(get time_bar | tr -d '[]' | awk -F, '{ print int($2) }')" ] ||
  fail "the contents are unfolded out of sight"
click_place child; wait_for selection "$util"

[ "$(get validation)" = 0 ] || fail "$(get validation) messages of the validation layers"
quit 0
[ ! -s "$work/err" ] || fail "stderr: $(head -c 600 "$work/err")"

# ---- a trace without references says so, and answers all keys
echo '{"time":1,"root":{"key":"Heap","name":"Heap","role":"","bytes":9,"objects":9,"children":[{"key":"Heap#a","name":"a","role":"Type","bytes":9,"objects":9}]}}' >"$work/plain.json"
start "$work/plain.json"
wait_for open true; wait_for task idle
point 300 300
key Up Down; wait_for selection 'Heap#a'
key j y z semicolon apostrophe 0 alt+0 Return shift+BackSpace alt+Left alt+Right ctrl+g
wait_for references 0; wait_for walk_shown false; wait_for walk '[]'
quit 0
[ ! -s "$work/err" ] || fail "stderr: $(head -c 600 "$work/err")"

[ "$failures" -eq 0 ]

#!/usr/bin/env bash
# Exploring in the window: typing a search, rows that are clicked, and where they are. What they lead to is tried without a window
# (tests/session/test_session_explore.sh).
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
key j; wait_for selection "$util#HashMap\$Node"; on_step 25
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

# ---- the walk to the root cause
key Escape; wait_for selection null
key 0; wait_for walk_shown true; wait_for selection "$pool"
click_place stop; wait_for selection "$util#LinkedList"; wait_for walk_shown true
check_picture walk
key Escape; wait_for walk_shown false; wait_for marked -1

# ---- the city of one district
wait_for selection "$util#LinkedList"; key Up; wait_for selection "$util"
key Return; wait_for root "$util"; wait_for task idle; wait_for selection null
wait_until 'xdotool getwindowname "$(window)" | grep -q "java.util in httpclient-3.0.1"'
key shift+BackSpace; wait_for root null; wait_for task idle
key alt+Left; wait_for selection "$util"
key Return; wait_for root "$util"; wait_for task idle
click_place path_root; wait_for root null; wait_for task idle

# ---- highlight modes
key Escape; key alt+c; wait_for color_by step
key alt+c alt+c alt+c; wait_for color_by role
is_inside legend || fail "the legend leaves the window"
check_picture role
key alt+c; wait_for color_by package
palette fold contents; wait_until '[ "$(get children)" -gt 10 ]'; for part in selection suspects view references walk; do palette fold.$part; done
point 300 500
for part in references walk contents; do palette fold.$part; done; wait_until '! get unfolded | grep -q contents'; palette fold contents; wait_until 'get unfolded | grep -q contents'; rests child
[ "$(get child | tr -d '[]' | awk -F, '{ print int($4) }')" -le "$(get time_bar | tr -d '[]' | awk -F, '{ print int($2) }')" ] ||
  fail "the contents are unfolded out of sight"
click_place child; wait_for selection "$util"

[ "$(get validation)" = 0 ] || fail "$(get validation) messages of the validation layers"
quit 0
[ ! -s "$work/err" ] || fail "stderr: $(head -c 600 "$work/err")"
[ "$failures" -eq 0 ]

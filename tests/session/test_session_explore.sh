#!/usr/bin/env bash
# Exploring: references of what is selected, back and forward, the walk, search, the city of one district, highlight modes.
. "$(dirname "$0")/../command.sh"
unset DISPLAY WAYLAND_DISPLAY
util=Heap#java.util
client='Heap#org.apache.commons.httpclient'
pool=$client'#MultiThreadedHttpConnectionManager$HostConnectionPool'
node=$util'#HashMap$Node'
session() { # LINES: all as expected, and nothing is said
  printf '%b' "wait idle\n$1" >"$work/script"
  expect 0 view "$http" --metric objects --window 0:25 --step 25 --script "$work/script" --headless
  quiet
}
refs() { "$memcity" refs "$http" --of "$node" --step 25 --json "$@" | grep -c '"direction"'; } # how many

# ---- search: hits by name, round and round; an expression, half of one, and what nothing has
session "search linked\nwait idle\nprint hits\nsearch.next\nwait idle\nexpect hit 0\nexpect selection $util#LinkedList\nsearch.next\nwait idle\nexpect hit 1
search.previous\nwait idle\nexpect hit 0\nexpect selection $util#LinkedList\nsearch.previous\nwait idle\nprint hit\nsearch.next\nwait idle\nexpect hit 0\n"
[ "$(sed -n 1p "$work/out")" -gt 2 ] && [ "$(sed -n 2p "$work/out")" = $(($(sed -n 1p "$work/out") - 1)) ] || fail "hits: $(cat "$work/out")"
session "search.regex\nexpect search_regex true\nsearch ^heap#java\\\\.util#hash(map|set)\$\nwait idle\nexpect hits 2\nexpect marked 2
search ^heap#java\\\\.util#hash(map|se\nwait idle\nexpect hits 0\nexpect marked -1
search xyzzy\nwait idle\nexpect hits 0\nexpect marked 0\nsearch.regex\nsearch hostconn\nwait idle\nsearch.show 0\nwait idle\nexpect selection $pool\nescape\n"

# ---- by hand: what keeps the list alive, and that, and that; directions, how many, and the step they are of
all="expect references_step 25\n"
session "select $util#LinkedList\nwait idle\n${all}expect holder $pool\nreferences.holder\nwait idle\nexpect selection $pool\n${all}expect holder $node
references.holder\nwait idle\nexpect selection $node\n${all}expect references 20\nprint references_note\nreferences.filter\nwait idle\nexpect outgoing false\nprint references_note\nexpect references $(refs --incoming)
references.filter\nwait idle\nexpect incoming false\nprint references_note\nreferences.filter\nreferences.filter\nwait idle\nexpect incoming true\nexpect outgoing true\nprint references_note\nreferences.more\nwait idle\nexpect most_references 50\nprint references\nset most_references 1\nwait idle\nexpect references 1
references.show 0\nwait idle\nprint selection\nreferences.show 0\nwait idle\ntrail.back\ntrail.back\nwait idle\nexpect selection $node
trail.back\nwait idle\nexpect selection $pool\ntrail.back\nwait idle\nexpect selection $util#LinkedList\ntrail.forward\nwait idle\nexpect selection $pool\n"
mapfile -t said <"$work/out"
strongest() { echo "\"The 20 strongest of $(refs "$@"). \""; }
[ "${said[0]}" = "$(strongest)" ] && [ "${said[1]}" = '""' ] && [ "${said[2]}" = "$(strongest --outgoing)" ] && [ "${said[3]}" = "$(strongest)" ] ||
  fail "what is said of the references: ${said[*]}"
[ "${said[4]}" -gt 20 ] && [ "${said[5]}" != "\"$node\"" ] || fail "more references, and where the strongest leads: ${said[*]}"
session "select $pool\nwait idle\nprint references\nprint all_references\nreferences.filter\nwait idle\nexpect outgoing false\nexpect held null\nprint references
references.filter\nwait idle\nexpect incoming false\nexpect holder null\nreferences.filter\nwait idle\nexpect outgoing false\nexpect references 0
references.filter\nwait idle\nexpect incoming true\nexpect outgoing true\nprint references\nreferences.arcs\nexpect arcs false\nreferences.arcs\nexpect arcs true
references.held\nwait idle\nprint selection\ntrail.back\nwait idle\nexpect selection $pool\nstep.previous\nwait idle\nexpect step 24\nexpect references_step 24
step.first\nwait idle\nexpect references_step 0\nexpect references 0\nstep.last\nwait idle\nexpect step 25\n$all"
mapfile -t said <"$work/out"
[ "${said[0]}" = "${said[1]}" ] && [ "${said[2]}" -lt "${said[0]}" ] && [ "${said[3]}" = "${said[0]}" ] && [ "${said[4]}" != "\"$pool\"" ] ||
  fail "references of the pool: ${said[*]}"

# ---- the walk to the root cause
session "walk\nwait idle\nexpect walk_shown true\nexpect cause $pool\nexpect selection $pool\nprint marked\nprint walk\nwalk.show 0\nwait idle
expect selection $util#LinkedList\nexpect walk_shown true\nescape\nwait idle\nexpect walk_shown false\nexpect marked -1
walk.selection\nwait idle\nexpect walk_shown true\nexpect selection $pool\nescape\nwait idle\nexpect walk_shown false\n"
[ "$(sed -n 1p "$work/out")" -ge 3 ] || fail "the walk marks $(sed -n 1p "$work/out")"
prints "$node"

# ---- the city of one district; what lies outside widens it
session "select $pool\nselect.parent\nwait idle\nexpect selection $client\nroot.enter\nwait idle\nexpect root $client\nexpect selection null\nprint buildings
select.suspect 1\nwait idle\n${all}print selection\nsearch util#linkedlist\nwait idle\nsearch.next\nwait idle\nexpect selection $util#LinkedList\nexpect root null
escape\nescape\nselect $util\nroot.enter\nwait idle\nexpect root $util\nroot.leave\nwait idle\nexpect root null\n"
[ "$(sed -n 1p "$work/out")" -lt 30 ] && [ "$(sed -n 2p "$work/out")" != null ] || fail "a district: $(cat "$work/out")"

# ---- highlight modes
session "color.next\nwait idle\nexpect color_by step\ncolor.next\nwait idle\nexpect color_by trend\nstep.previous\nwait idle\nexpect step 24\ncolor.next\nwait idle\nexpect color_by level\ncolor.next\nwait idle\nexpect color_by role
color.next\nwait idle\nexpect color_by package\ncolor.next\nwait idle\nexpect color_by growth\nheight.next\nwait idle\nheight.next\nwait idle\nexpect height_by bytes\nheight.next\nwait idle\nheight.next\nwait idle\nexpect height_by metric\n"

# ---- a trace without references says so, and answers all commands
echo '{"time":1,"root":{"key":"Heap","name":"Heap","role":"","bytes":9,"objects":9,"children":[{"key":"Heap#a","name":"a","role":"Type","bytes":9,"objects":9}]}}' >"$work/plain.json"
http=$work/plain.json
printf '%s\nwait idle\n' 'wait idle' select.parent select.child 'expect selection Heap#a' references.holder references.held references.filter references.fewer \
  references.more walk walk.selection root.enter root.leave trail.back trail.forward search.next 'expect references 0' 'expect walk_shown false' 'expect walk []' >"$work/script"
expect 0 view "$http" --script "$work/script" --headless
finish

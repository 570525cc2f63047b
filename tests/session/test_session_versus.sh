#!/usr/bin/env bash
# Two traces as one: what is shown of them, alignment, list, undo, views, another trace opened beside; pictures; without a window.
. "$(dirname "$0")/../command.sh"
unset DISPLAY WAYLAND_DISPLAY
export XDG_CONFIG_HOME=$work/config XDG_DATA_HOME=$work/share
reference=$(cd "$(dirname "$0")/.." && pwd)/versus_reference.py
cd "$work" || exit 1
javac=$traces/javac-daemon

session() { # CODE LINES [OPTIONS…]
  local wanted=$1 lines=$2
  shift 2
  printf '%b' "wait idle\n$lines" >script
  expect "$wanted" view "$http" --metric objects --script script --headless "$@"
}

# A trace with itself: nothing differs, at no step, aligned however.
session 0 "expect pair difference\nexpect color_by difference\nexpect differences 0\nexpect moved 0\nstep 7\nwait idle\nexpect pair_steps [7,7]\nexpect differences 0
pair.next\nwait idle\nexpect pair a\nexpect color_by growth\npair.next\nwait idle\nexpect pair b\npair.next\nwait idle\nexpect pair both\nexpect color_by difference
select Heap#java.util#HashMap\$Node\nwait idle\nexpect selected 1\npair.next\nwait idle\nexpect pair difference\nundo\nwait idle\nexpect pair both
align time\nwait idle\nexpect align time\nexpect pair_steps [7,7]\nalign.next\nwait idle\nexpect align end\nalign.earlier\nwait idle\nexpect align 6:7\nexpect step_count 28
undo\nwait idle\nexpect align end\nexpect step_count 27\nview.sunburst\nwait idle\nexpect view sunburst\npair.next\nwait idle\nexpect pair difference\nview.city\nwait idle
pair.next\nwait idle\nalign 2:5\nwait idle\nsave pair.json\nwait idle\n" --versus "$http"
grep -q '"pair":"a","align":"2:5"' pair.json || fail "the view: $(cat pair.json)"
# A saved view opens both: by itself, in place of what is open; a trace on the command line goes before.
opened='wait idle\nexpect pair a\nexpect align 2:5\nexpect view city\n'
printf '%b' "wait idle\n$opened" >script
for arguments in "--view pair.json" "pair.json"; do
  # shellcheck disable=SC2086 # two words
  expect 0 view $arguments --script script --headless
done
session 0 "open $work/pair.json\n$opened"

examples=$(cd "$(dirname "$0")/../../examples" && pwd)
# What differs is told by the sentence of `memcity diff`.
expect 0 diff "$examples/two-versions/version-1.mct" "$examples/two-versions/version-2.mct"
wanted=$(head -1 "$work/out" | sed 's/version-2.mct/B/; s/version-1.mct/A/')
printf 'wait idle\nexpect pair difference\nprint headline\n' >script
expect 0 view "$examples/two-versions/version-1.mct" --versus "$examples/two-versions/version-2.mct" --script script --headless
[[ $wanted = "B holds "*" more than A: "* ]] || fail "the difference: $wanted"
prints "$wanted"
# Of a pair whose owners are known the change is shown, too; of B alone who keeps what grows. A's owners a pair does not know, so
# A is judged by its numbers, and never by what B's say.
printf 'wait idle\nexpect pair difference\nexpect color_by difference\npair.next\nwait idle\nexpect pair a\nexpect color_by growth\nexpect findings []
print headline\npair.next\nwait idle\nexpect pair b\nexpect color_by owner\nprint headline\n' >script
expect 0 view "$examples/web-app/after.mct" --versus "$examples/web-app/before.mct" --script script --headless
prints 'Shop$Session objects pile up in Shop.sessions'; [ "$(grep -c Session out)" = 1 ] || fail "A is told by B's owners: $(cat out)"
printf 'wait idle\npair.next\nwait idle\nexpect pair a\nexpect color_by growth\nprint headline\n' >script
expect 0 view "$examples/web-app/before.mct" --versus "$examples/web-app/after.mct" --script script --headless
prints "Who holds it, A tells when it is opened alone."

# A group's figures are those of one of the two, as it has them when it is opened alone: of B, and of A where A alone is shown.
row_of() { # TRACE LINES [OPTIONS…]: the row of byte[] at step 25, as it is copied
  printf '%b' "wait idle\nstep 25\nwait idle\n$2select Heap#(primitive)#byte[]\nwait idle\ncopy.row\n" >script
  expect 0 view "$1" --script script --headless "${@:3}"
  grep '^Heap#(primitive)#byte' out
}
a=$(row_of "$javac" ''); b=$(row_of "$http" '')
[ -n "$a" ] && [ -n "$b" ] && [ "$a" != "$b" ] || fail "no rows: $a, $b"
pair=(--versus "$http")
[ "$(row_of "$javac" '' "${pair[@]}")" = "$b" ] || fail "of the difference: $(cat out), not $b"
[ "$(row_of "$javac" 'pair.next\nwait idle\nexpect pair a\n' "${pair[@]}")" = "$a" ] || fail "of A: $(cat out), not $a"
[ "$(row_of "$javac" 'pair.next\npair.next\nwait idle\nexpect pair b\n' "${pair[@]}")" = "$b" ] || fail "of B: $(cat out), not $b"

# So have lists, which are sorted by it: of what B has less of than A it is not the larger one that counts.
made() { # NAME BYTES BYTES
  mkdir "$1"
  printf '{"time":1,"root":{"key":"R","name":"R","objects":2,"bytes":%d,"children":[{"key":"R#shrunk","name":"shrunk","objects":1,"bytes":%d,"children":[]},{"key":"R#shop","name":"shop","objects":1,"bytes":%d,"children":[]}]}}' $(($2 + $3)) "$2" "$3" >"$1/0.json"
}
made one 104857600 10485760; made two 20971520 31457280
of_b='wait idle\nexpect child_first R#shop\nexpect child_value 30.0 MiB\nexpect hit_first R#shop\nexpect hit_value 30.0 MiB\n'
printf '%b' "wait idle\nselect R\nsearch sh\n${of_b}pair.next\nwait idle\nexpect pair a\nexpect child_first R#shrunk\nexpect child_value 100 MiB\nexpect hit_first R#shrunk\nexpect hit_value 100 MiB
pair.next\n${of_b}pair.next\n${of_b}" >script
expect 0 view one --versus two --metric bytes --script script --headless

# Two ranges of one trace; another trace opened later has its own steps.
session 0 "expect step_count 16\nstep 0\nwait idle\nexpect pair_steps [0,10]\nstep 12\nwait idle\nexpect pair_steps [9,22]\nalign end\nwait idle\nexpect step_count 16
step 15\nwait idle\nexpect pair_steps [9,25]\ngroup type\nwait idle\nexpect pair_steps [9,25]\nundo\nwait idle\nexpect step_count 16\nprint trace
versus $javac\nwait idle\nexpect step_count 27\n" --versus "$http" --base-window 0:9 --versus-window 10:25
prints 'A: httpclient-3.0.1, steps 0–9   B: httpclient-3.0.1, steps 10–25'
# A saved view has them, however it is opened; one range alone; an older view, without any, has all steps; options go before; what is open in other ranges is not it.
session 0 "step 12\nwait idle\nsave ranges.json\nwait idle\n" --versus "$http" --base-window 0:9 --versus-window 10:25
grep -q '"base_window":\[0,9\],"versus_window":\[10,25\]' ranges.json || fail "the view's ranges: $(cat ranges.json)"
session 0 "save one.json\nwait idle\n" --versus "$http" --versus-window 10:25
grep -q '"versus_window":\[10,25\]' one.json && ! grep -q base_window one.json || fail "the view's one range: $(cat one.json)"
sed 's/"base_window":[^]]*\],"versus_window":[^]]*\],//' ranges.json >older.json
opened='wait idle\nexpect step_count 16\nexpect pair_steps [9,22]\nprint trace\n'
printf '%b' "wait idle\n$opened" >script
for arguments in "--view ranges.json" "ranges.json"; do
  # shellcheck disable=SC2086 # two words
  expect 0 view $arguments --script script --headless; prints 'steps 0–9   B: httpclient-3.0.1, steps 10–25'
done
session 0 "open $work/ranges.json\n$opened"
session 0 "open $work/ranges.json\n$opened" --versus "$http"
session 0 "open $work/ranges.json\n${opened}open $work/older.json\nwait idle\nexpect step_count 27\nopen $work/one.json\nwait idle\nexpect step_count 27\nstep 15\nwait idle\nexpect pair_steps [15,25]\n"
printf 'wait idle\nexpect step_count 27\n' >script
expect 0 view --view older.json --script script --headless
printf 'wait idle\nexpect step_count 16\nexpect pair_steps [9,17]\n' >script
expect 0 view --view ranges.json --versus-window 5:20 --script script --headless
sed 's/"versus_window":\[10,25\]/"versus_window":[9,3]/' ranges.json >wrong.json
expect 3 view --view wrong.json --script script --headless; says versus_window
session 2 "" --versus "$http" --base-window 3; says "--base-window: expected the first and the last step"
session 3 "" --versus "$http" --versus-window 3:99; says "the second trace has steps 0 to 26"

# Without suspects their keys select what differs.
session 0 "differences.show 2\nwait idle\nprint selection\nescape\nwait idle\nselect.suspect 3\nwait idle\nprint selection\n" --versus "$javac"
[ "$(wc -l <"$work/out") $(sort -u "$work/out" | grep -c Heap)" = "2 1" ] || fail "the third difference: $(cat "$work/out")"

# Notes of A and of B, each where its side comes to that step; those written here are the pair's own.
printf '3\tdeploy\n7\tfull GC\n' >a.tsv; printf '0\tstart\n3\tload\n9\tpeak\n' >b.tsv
expect 0 import "$http" --notes a.tsv -o a.mct; expect 0 import "$http" --notes b.tsv -o b.mct
noted() { # STEPS NOTE: of the next step with a note
  printf '%s' "note.next\nwait idle\nexpect pair_steps $1\nexpect note $2\n"
}
printf '%b' "wait idle\nstep 0\nwait idle\nexpect note B: start\n$(noted '[3,3]' 'A: deploy; B: load')$(noted '[7,7]' 'A: full GC')$(noted '[9,9]' 'B: peak')
align 5:3\nwait idle\nstep 0\nwait idle\nexpect note B: start\nexpect pair_steps [0,0]\nstep 1\nwait idle\nexpect pair_steps [1,0]\nexpect note null
$(noted '[3,1]' 'A: deploy')$(noted '[5,3]' 'B: load')$(noted '[7,5]' 'A: full GC')$(noted '[11,9]' 'B: peak')
note rolled back\nwait idle\nexpect note rolled back\nnote -\nwait idle\nexpect note null\nundo\nundo\nwait idle\nexpect note B: peak\n" >script
expect 0 view a.mct --versus b.mct --script script --headless
expect 2 view a.mct --versus b.mct --notes a.tsv --script script --headless; says "--notes belongs to one trace"

# References are B's, at the step of B that is shown.
refer='select Heap#java.util#HashMap$Node\nwait idle\nprint all_references\nprint root_groups\n'
for steps in '6:2 27 23' '9:0 12 3' '20:0 45 25'; do
  read -r how step own <<<"$steps"
  session 0 "window.all\nwait idle\nstep $step\nwait idle\n$refer" --versus "$http" --align "$how" --base-window 0:25
  cp "$work/out" of_pair
  session 0 "window.all\nwait idle\nstep $own\nwait idle\n$refer"
  grep -q '[1-9]' of_pair && cmp -s of_pair "$work/out" || fail "references of $how: $(tr '\n' ' ' <of_pair), not $(tr '\n' ' ' <"$work/out")"
done

# A view of a pair opens no second trace untold.
session 0 "expect pair none\nexpect trace httpclient-3.0.1\n" --view pair.json
session 0 "expect pair a\nexpect align 2:5\n" --view pair.json --versus "$http"

# Opened beside what is open; grouped alike; other traces than A's.
session 0 "versus $javac\nwait idle\nexpect pair difference\nprint grew\nprint new\nprint gone\ngroup type\nwait idle\nexpect pair difference\nprint selection
open $javac\nwait idle\nexpect pair none\n"
session 0 "versus /nowhere.mct\nwait idle\nexpect pair none\n"

# Renamed packages: all of it moved, nothing new, nothing gone.
expect 0 export "$http" --format default -o plain
python3 "$reference" --rename plain . renamed org.apache.commons.httpclient=com.acme.web || fail "the renamed copy"
printf 'wait idle\nexpect new 0\nexpect gone 0\nexpect differences 0\nprint moved\ndifferences.show 0\nwait idle\nprint selection\n' >script
expect 0 view "$http" --versus renamed --script script --headless
[ "$(head -1 "$work/out")" -gt 0 ] || fail "nothing was moved"
prints com.acme

# A alone is in A's own districts, and called so; the difference and B in B's. Where nothing was moved, nothing is joined anew.
there='wait idle\nexpect selected 1\nprint selection\n'
printf '%b' "wait idle\nexpect pair a\nselect Heap#org.apache.commons.httpclient\n${there}pair.next\n${there}pair.next\nwait idle\npair.next\n${there}pair.next\n${there}" >script
expect 0 view "$http" --versus renamed --pair a --script script --headless
[ "$(sed 's/.*[#.]//; s/"//' "$work/out" | tr '\n' ' ')" = "httpclient web web httpclient " ] || fail "A's districts: $(cat "$work/out")"

# What is wrong is said.
session 2 "" --versus "$http" --align sideways; says "--align: expected step, time, end"
session 3 "" --versus "$http" --align 3:99; says "the second trace has steps 0 to 26"
session 2 "" --versus "$http" --fold '('; says "--fold"
session 1 "" --versus nothing.mct; says "nothing.mct"
printf 'wait idle\nalign 99:1\nwait idle\nprint message\npair.next\n' >script
expect 0 view "$http" --versus "$http" --script script --headless; prints "the first trace has steps 0 to 26"

# Of a saved view: what it shows with both named.
expect 0 render --view pair.json --size 320x200 -o view.png
expect 0 render "$http" --versus "$http" --align 2:5 --pair a --view pair.json --size 320x200 -o both.png
cmp view.png both.png || fail "the view's picture"
# Pictures: of a trace against itself nothing has a colour but gray and the ground's blue.
expect 0 render "$http" --versus "$http" --size 320x180 --no-edges -o same.png
expect 0 render "$http" --versus "$javac" --size 320x180 --pair both -o both.png
expect 0 render "$http" --versus renamed --size 320x180 --as icicle -o tree.png
finish

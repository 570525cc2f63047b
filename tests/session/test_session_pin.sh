#!/usr/bin/env bash
# A step is pinned, and others are compared with it: colours, numbers, undo, views, command line; without a window.
. "$(dirname "$0")/../command.sh"
unset DISPLAY WAYLAND_DISPLAY
export XDG_CONFIG_HOME=$work/config XDG_DATA_HOME=$work/share
cd "$work" || exit 1

session() { # CODE LINES [OPTIONS…]
  local wanted=$1 lines=$2
  shift 2
  printf '%b' "wait idle\n$lines" >script
  expect "$wanted" "$http" --metric objects --script script --headless "$@"
}

session 0 "expect pinned -1\nstep 3\npin\nwait idle\nexpect pinned 3\nexpect color_by pin\nstep 20\nwait idle\nexpect pinned 3\nexpect color_by pin
view.icicle\nwait idle\nexpect pinned 3\nview.city\nwait idle\nundo\nwait idle\nundo\nwait idle\nsave view.json\nwait idle\npin\nwait idle\nexpect pinned -1\nexpect color_by growth
undo\nwait idle\nexpect pinned 3\nexpect color_by pin\npin.step 7\nwait idle\nexpect pinned 7\npin.step 7\nwait idle\nexpect pinned -1\n"
prints "Step 3 is pinned"
grep -q '"pinned":\[3\]' view.json || fail "the view: $(cat view.json)"
session 0 "expect pinned 3\nexpect color_by pin\n" --view view.json
session 0 "expect pinned 9\n" --view view.json --pin 9
session 0 "wait idle\nexpect pinned -1\nexpect color_by growth\n" --pin 99
prints "The pinned step is not in this trace"
session 3 "pin.step 99\n"

# For a moment, with nothing pinned: with the first step of the time window, and that one with the step before.
session 0 "step 5\nwindow.begin\nwait idle\nstep 20\nwait idle\nprint history\ncompare\nwait idle\nexpect pinned 5\nexpect color_by pin\nstep 5\nwait idle
expect pinned 4\nview.icicle\nwait idle\nexpect pinned 4\nview.city\nwait idle\nstep 20\nwait idle\nsave glance.json\nwait idle\ncompare\nwait idle\nexpect pinned -1\nexpect color_by growth
compare\nescape\nwait idle\nexpect pinned -1\nwindow.all\nwait idle\nstep 0\nwait idle\ncompare\nwait idle\nexpect pinned -1\nexpect color_by growth
step 9\npin\nstep 20\nwait idle\nexpect pinned 9\n"
grep -q '"pinned":\[\]' glance.json || fail "the view: $(cat glance.json)"
# It is no change that could be undone.
session 0 "step 20\nwait idle\nprint history\ncompare\nwait idle\nprint history\ncompare\nwait idle\nprint history\n"
[ "$(sort -u "$work/out" | wc -l)" -eq 1 ] || fail "history: $(cat "$work/out")"
session 2 "" --pin 3,4
says "--pin: expected one step"
expect 2 render "$http" --pin 99 -o x.png; says "--pin: the trace has steps 0 to 26"
expect 2 tree "$http" --pin 99 -o x.svg; says "--pin: the trace has steps 0 to 26"
expect 2 tree "$http" --pin 3,4 -o x.svg; says "--pin: expected one step"

# What a flat tree's colours say: from the first step on only what grew has a colour, the other way round only what shrank.
colors() { # NAME OPTIONS…: the colours of what is drawn, without names
  local name=$1
  shift
  expect 0 tree "$http" --metric objects --window 0:25 --view icicle --no-labels -o "$name.svg" "$@"
  grep -o 'fill="#[0-9a-f]*"' "$name.svg" | sort -u >"$name.colors"
}
colors grown --pin 0 --step 25
colors shrunk --pin 25 --step 0
colors same --pin 25 --step 25
python3 - <<'PY' || fail "the colours of change"
import re
def warm(name):
    colours = [tuple(bytes.fromhex(c)) for c in re.findall(r'fill="#([0-9a-f]{6})"', open(name + ".svg").read())]
    return (sum(r > b + 60 for r, g, b in colours), sum(b > r + 60 for r, g, b in colours))
grown, shrunk, same = warm("grown"), warm("shrunk"), warm("same")
print(grown, shrunk, same)
# The legend has both ends' colours in every one of them.
assert grown[0] > same[0] and grown[1] <= same[1], grown
assert shrunk[1] > same[1] and shrunk[0] <= same[0], shrunk
PY

finish

#!/usr/bin/env bash
# --headless: what a script does without a window: what it prints and writes, and what only a window can do.
. "$(dirname "$0")/../command.sh"
unset DISPLAY WAYLAND_DISPLAY
cd "$work" || exit 1
list=Heap#java.util#LinkedList

script() { # CODE LINES [OPTIONS…]: a session that does them
  local wanted=$1 lines=$2
  shift 2
  printf '%b' "$lines" >"$work/script"
  expect "$wanted" "$http" --script "$work/script" --headless "$@"
}

# ---- what is printed
script 0 "wait idle\nprint step\nselect $list\nwait idle\nprint selection\ncopy.key\ncopy.row\nexpect children 0
walk\nwait idle\nexpect walk_shown true\nprint eye\nundo\nundo\nundo\nwait idle\nprint selection\n"
quiet
printf '25\n"%s"\n%s\n' "$list" "$list" >wanted
head -3 out | diff - wanted >&2 || fail "print and copy"
row=$(printf '%s\tstep 25\t160003\t5120096\t+5120064' "$list")
prints "$row"
grep -q '^\[[-0-9.]*,[-0-9.]*,[-0-9.]*\]$' out || fail "no eye: $(cat out)"
tail -1 out | grep -qx null || fail "undone: $(tail -1 out)"

# Time goes by, and more steps are shown; another view of the wish is as a saved one has it.
script 0 "wait idle\nstep 3\nset motion false\nset tiling binary\nstep.next\nwait idle\nexpect step 4\nexpect tiling binary
expect view city\nset view city\nwait idle\nmetric.next\nwait idle\nexpect city_metric objects\nsave a.json\nquit\nprint nonsense\n"
quiet
grep -q '"view":"city"' a.json || fail "the view is not saved: $(cat a.json)"
prints "Saved this view as a.json"
script 0 "wait idle\nprint tiling\nprint city_metric\n" --view a.json
printf '"binary"\n"objects"\n' | diff - out >&2 || fail "the saved view"

# ---- what is written
script 0 "wait idle\nwalk\nwait idle\npicture.city\ntables\nstep 3\ntheme\nwait idle\npicture.city\n" --size 320x200
quiet
prints "Wrote $PWD/httpclient-3.0.1-step25.png"
prints "httpclient-3.0.1-walk-step25.csv"
[ "$(identify -format '%wx%h' httpclient-3.0.1-step25.png)" = 320x200 ] || fail "the picture's size"
[ -s httpclient-3.0.1-walk-step25.csv ] || fail "no table"
cmp -s httpclient-3.0.1-step25.png httpclient-3.0.1-step3.png && fail "another step and theme look the same"
# It is what `render` draws.
script 0 "wait idle\nset names false\npanels\npicture.city\n" --size 320x200 --metric bytes
expect 0 render "$http" --metric bytes --size 320x200 -o r.png
n=$(compare -metric AE -fuzz 2% httpclient-3.0.1-step25-2.png r.png null: 2>&1)
[ "${n%.*}" -le 64 ] || fail "the picture differs from what render draws in $n pixels"

# ---- a script that is no regular file
printf 'wait idle\nprint step\n' | "$memcity" "$http" --script - --headless >out 2>err || fail "a script from stdin"
quiet
[ "$(cat out)" = 25 ] || fail "from stdin: $(cat out)"
mkfifo pipe
printf 'wait idle\nprint metric\n' >pipe &
expect 0 "$http" --script pipe --headless
quiet
prints '"bytes"'
"$memcity" "$http" --script - --headless <<<'expect nothing' >out 2>err
[ $? -eq 3 ] || fail "a bad script from stdin"
says "stdin:1: expected a field and its value"
printf 'step\0' | "$memcity" "$http" --script - --headless 2>err
[ $? -eq 3 ] || fail "a NUL from stdin"
says "stdin: expected a script, which is text, found a NUL"
yes '# on and on' | "$memcity" "$http" --script - --headless 2>err
[ $? -eq 3 ] || fail "a script without end"
says "stdin: expected a script of at most"
expect 1 "$http" --script . --headless
says ".: can't read it"

# ---- what is wrong
script 1 "wait idle\nexpect step 3\n"
says "$work/script:2: expected step to be 3, found 25"
script 3 "wait idle\nfullscreen\n"
says "$work/script:2: fullscreen: there is no window"
script 3 "wait idle\nopen.ask\n"
says "there is no window"
script 3 "wait idle\nprint nonsense\n"
says "$work/script:2: there is no field \"nonsense\" now"
script 3 "print\n"
says "$work/script:1: expected a field, found"
script 2 "quit\n" --state state
says "--headless: --script FILE is missing"
script 2 "quit\n" --as nonsense
says "--as"
expect 2 "$http" --headless
says "--headless: --script FILE is missing"
printf 'wait idle\nprint open\n' >script
printf '{"time":' >bad.json
expect 3 bad.json --script script --headless
prints false
says "bad.json"

finish

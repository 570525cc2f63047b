#!/usr/bin/env bash
# A trace's own metrics in a session: options, scripts and saved views say which is shown and how; what a trace lacks is said.
. "$(dirname "$0")/../command.sh"
unset DISPLAY WAYLAND_DISPLAY
maker=$(realpath "$(dirname "$0")/../metrics_maker.py") trace=$(realpath "$http")
memcity=$(realpath "$memcity")
cd "$work" || exit 1
python3 "$maker" make default in
session() { # CODE LINES ARGUMENTS…
  printf '%b' "wait idle\n$2" >script
  expect "$1" view "${@:3}" --script script --headless
}

# ---- a saved view; of a trace that lacks all of it
shown="expect city_metric allocated\nexpect color_metric coverage\nexpect color_by value\nexpect height_metric coverage\nexpect height_by value\nexpect step 4\n"
session 0 "step 4\nset metric allocated\nset color_metric coverage\nset color_by value\nset height_metric coverage\nset height_by value\nwait idle\n${shown}save mapped.json\nwait idle\n" in
quiet
grep -q '"metric":"allocated"' mapped.json || fail "the view has no metric: $(cat mapped.json)"
session 0 "$shown" --view mapped.json
quiet
session 0 "expect city_metric bytes\nexpect color_by growth\nexpect height_by metric\nprint message\n" "$trace" --view mapped.json
prints "no metric"; says "the view's metric is not in this trace: allocated"

# ---- options and scripts
session 0 "expect city_metric allocated\nexpect color_metric coverage\nexpect height_metric coverage\nexpect color_by value\nexpect height_by value\n" \
  in --area allocated --height coverage --color coverage
session 0 "expect color_by first\nexpect height_by metric\n" in --color first --height auto
for option in --metric --area --color --height; do
  session 2 "print message\nquit\n" in "$option" cows
  prints "the trace has no metric"
  grep -q -- "$option.*no metric \"cows\"; it has objects, bytes, allocated, coverage" err || fail "$option: $(cat err)"
done
session 3 "set metric allocated\nwait idle\nexpect city_metric allocated\nset color_metric coverage\nset color_by value
wait idle\nexpect color_by value\nundo\nundo\nundo\nwait idle\nexpect city_metric bytes\nset metric cows\n" in
says 'script:14: expected one of objects, bytes, allocated, coverage, found "cows"'
finish

#!/usr/bin/env bash
# A trace's own metrics in the window: a flow of bytes and a real number that does not add up. What is shown of each, by
# keys, mouse, scripts, options and saved views, is what the documents say; what a trace lacks is said.
. "$(dirname "$0")/../window.sh"
maker="$(dirname "$0")/../metrics_maker.py"
python3 "$maker" make default "$work/in"
mkdir "$work/files"
cd "$work/files" || exit 1
check_parts() { # METRIC STEP
  python3 "$maker" check parts "$work/in" "in-parts-step$2.csv" "$1" "$2" >"$work/check" 2>&1 ||
    fail "the table of $1: $(tail -n 1 "$work/check")"
  rm -f ./*.csv
}

# ---- keys and mouse
start "$work/in" --metric coverage --step 4 --no-settings
wait_for open true; wait_for task idle; wait_for city_metric coverage
key ctrl+e; wait_until '[ -s in-parts-step4.csv ]'; check_parts coverage 4
check_picture coverage
key m; wait_for city_metric objects; wait_for task idle; key ctrl+e; wait_until '[ -s in-parts-step4.csv ]'; check_parts objects 4
key m; wait_for city_metric bytes
key m; wait_for city_metric allocated; wait_for task idle
key Right; wait_for step 5; key ctrl+e; wait_until '[ -s in-parts-step5.csv ]'; check_parts allocated 5
key ctrl+z; wait_for step 4; key ctrl+z; wait_for city_metric bytes; key ctrl+y; wait_for city_metric allocated; wait_for task idle
key alt+c alt+c alt+c alt+c; wait_for color_by role
key alt+c; wait_for color_by package; key alt+c; wait_for color_metric allocated; key alt+c; wait_for color_metric coverage; wait_for color_by value
key alt+h alt+h alt+h; wait_for height_by object-size; key alt+h; wait_for height_metric allocated; wait_for height_by value
key alt+h; wait_for height_metric coverage
is_inside legend || fail "the legend leaves the window"
# shellcheck disable=SC2046 # two words
point $(middle_of metric_list); xdotool click 1; rests frames
x=$(middle_of metric_list | cut -d' ' -f1)
click "$x" $(($(place metric_list | tr -d '[]' | awk -F, '{ print int($4) }') + 14)); wait_for city_metric objects; wait_for task idle
key ctrl+z; wait_for city_metric allocated; wait_for task idle; settled
check_picture mapped
key ctrl+shift+s; wait_for box true; key ctrl+a; xdotool type --delay 15 mapped.json; key Return; wait_for box false
wait_until '[ -s mapped.json ]'
key alt+h; wait_for height_by metric; key alt+c; wait_for color_by growth; key m; wait_for city_metric coverage
# shellcheck disable=SC2046
point $(middle_of panels); palette fold findings
quit 0
[ ! -s "$work/err" ] || fail "stderr: $(head -c 600 "$work/err")"
grep -q '"metric":"allocated"' mapped.json || fail "the view has no metric: $(cat mapped.json)"

# ---- a saved view, in the window and as a picture; what is shown by whom is tried without a window (tests/session)
start --view mapped.json --no-settings
wait_for open true; wait_for task idle; wait_for city_metric allocated; wait_for color_by value; wait_for height_metric coverage
quit 0
[ ! -s "$work/err" ] || fail "stderr: $(head -c 600 "$work/err")"
"$memcity" render --view mapped.json --size 400x300 -o mapped.png 2>"$work/err" || fail "render: $(cat "$work/err")"
"$memcity" render "$work/in" --size 400x300 -o plain.png 2>"$work/err" || fail "render: $(cat "$work/err")"
cmp -s mapped.png plain.png && fail "the view is not drawn"
# of a trace that lacks all of it
"$memcity" render "$trace" --view mapped.json --size 400x300 -o other.png 2>"$work/err" || fail "render: $(cat "$work/err")"
grep -q "the view's metric is not in this trace: allocated" "$work/err" || fail "stderr: $(cat "$work/err")"

# ---- options
start "$work/in" --area uniform --metric coverage --no-settings
wait_for open true; wait_for task idle; wait_for city_metric coverage; wait_for scaling uniform
is_inside legend || fail "the legend leaves the window"
key x; wait_for scaling sqrt; wait_for task idle; key ctrl+z; wait_for scaling uniform; wait_for task idle; settled
check_picture uniform
quit 0
start "$work/in" --metric cows --no-settings
wait_until 'get message | grep -q "the trace has no metric"'
quit 2
grep -q -- "--metric.*no metric \"cows\"; it has objects, bytes, allocated, coverage" "$work/err" || fail "stderr: $(cat "$work/err")"

[ "$failures" -eq 0 ]

#!/usr/bin/env bash
# A trace's own metrics in pictures, the video and the report: each mapping changes what is drawn, and names that are none
# are refused before anything is written.
. "$(dirname "$0")/../command.sh"
python3 "$(dirname "$0")/../metrics_maker.py" make default "$work/in"

draw() { # NAME OPTIONS…
  local name=$1
  shift
  expect 0 render "$work/in" --size 320x200 --legend -o "$work/$name.png" "$@"
}
differs() { # NAME FROM
  local pixels
  compares pictures || return
  pixels=$(compare -metric AE "$work/$1.png" "$work/$2.png" null: 2>&1)
  [ "${pixels%%.*}" -gt 200 ] 2>/dev/null || fail "$1 looks as $2: $pixels pixels differ"
}
draw plain
draw area --metric allocated; differs area plain
draw height --height coverage; differs height plain
draw color --color coverage; differs color plain
draw first --color first; differs first color
draw uniform --area uniform; differs uniform plain
expect 0 city "$work/in" --area uniform --height coverage --step 3 --gpu; cp "$work/out" "$work/gpu"
expect 0 city "$work/in" --area uniform --height coverage --step 3
[ "$(cut -f1 "$work/gpu")" = "$(cut -f1 "$work/out")" ] || fail "the GPU draws other buildings"
draw same --area allocated; cmp -s "$work/area.png" "$work/same.png" || fail "--area says the same as --metric"
for option in --metric --area --height --color; do
  expect 2 render "$work/in" "$option" cows -o "$work/none.png"; says cows
  [ ! -e "$work/none.png" ] || fail "$option: a picture of no metric"
done
# What is not known is no 0: it lies flat on its plot, also among translucent buildings, in a colour that the legend has. What
# is not there is not drawn.
step() { # FILE METRICS-OF-B|absent
  local b=",{\"key\":\"Heap#b\",\"name\":\"b\",\"role\":\"T\",\"objects\":1,\"bytes\":1$2}"
  [ "$2" != absent ] || b=
  mkdir -p "$work/$1"
  for time in 0 1; do
    [ $time = 1 ] || first=',"metrics":{"coverage":0.5}'
    printf '{"time":%d,"metrics":[{"name":"coverage","unit":"ratio","additive":false}],"root":{"key":"Heap","name":"Heap","role":"","objects":2,"bytes":2,"children":[{"key":"Heap#a","name":"a","role":"T","objects":1,"bytes":1,"metrics":{"coverage":0.5}}%s]}}' \
      $time "$([ $time = 1 ] && echo "$b" || echo ",{\"key\":\"Heap#b\",\"name\":\"b\",\"role\":\"T\",\"objects\":1,\"bytes\":1$first}")" >"$work/$1/$time.json"
  done
}
step zero ',"metrics":{"coverage":0.0}'
step unknown ''
step absent absent
for input in zero unknown absent; do
  for count in 0 10; do
    expect 0 render "$work/$input" --metric coverage --opaque $count --step 1 --size 320x200 -o "$work/$input$count.png"
  done
  expect 0 render "$work/$input" --metric coverage --step 1 --size 320x200 --legend -o "$work/$input-legend.png"
  expect 0 render "$work/$input" --height coverage --step 1 --size 320x200 -o "$work/$input-height.png"
  expect 0 render "$work/$input" --color coverage --step 1 --size 320x200 -o "$work/$input-color.png"
done
differs unknown10 zero10; differs unknown0 zero0; differs unknown-legend unknown10
differs unknown-height zero-height; differs unknown-color zero-color
cmp -s "$work/absent10.png" "$work/zero10.png" || fail "what is not there is drawn"
expect 0 report "$work/in" --metric allocated --samples 1 -o "$work/page.html"
grep -q "allocated bytes" "$work/page.html" || fail "the report says what it counts"
expect 0 report "$work/in" --area uniform --samples 1 -o "$work/page.html"
grep -q "plots that are all the same" "$work/page.html" || fail "the report says what its plots are"
expect 0 video "$work/in" --area uniform --size 160x120 --step-duration 0.1 -o "$work/uniform.mp4"
[ -s "$work/uniform.mp4" ] || fail "no video of equal plots"
expect 0 video "$work/in" --metric coverage --color coverage --size 160x120 --step-duration 0.1 -o "$work/film.mp4"
[ -s "$work/film.mp4" ] || fail "no video"
finish

#!/usr/bin/env bash
# Screens with 96, 144 and 192 dots per inch: text and controls grow with them, and clicks hit what is drawn where, also
# after the window has changed its size and the text its.
SCREEN=1700x1150
. "$(dirname "$0")/../window.sh"
command -v xprop >/dev/null || die "xprop is missing (package x11-utils)"

times() { awk -v a="$1" -v b="$2" 'BEGIN { print int(a * b + 0.5) }'; }
height_of() { place "$1" | tr -d '[]' | awk -F, '{ print $4 - $2 }'; }
press() { # PLACE FIELD VALUE
  wait_until "is_inside $1"
  click_place "$1"
  wait_for "$2" "$3"
}
spot() { # the roof of the top suspect
  sed 's/.*"suspects":\[\[\([0-9.]*\),\([0-9.]*\)\].*/\1 \2/' "$work/state"
}
hover_over() { # what is under the top suspect's roof
  point 5 300
  # shellcheck disable=SC2046 # two words
  point $(spot)
  wait_until '[ "$(get hover)" != null ]'
}
check_controls() { # SCALE
  for place in top_bar panels time_bar legend play chart search_button help; do
    is_inside $place || fail "scale $1: $place leaves the window: $(place $place) of $(get size)"
  done
  for place in play Bytes search_button; do
    awk -v a="$(height_of $place)" -v b="$(height_of_$place "$1")" 'BEGIN { exit !(a - b < 2 && b - a < 2) }' ||
      fail "scale $1: $place is $(height_of $place) high"
  done
}
height_of_play() { times 28 "$1"; }
height_of_search_button() { times 28 "$1"; }
height_of_Bytes() { times 25 "$1"; }

top=
for scale in 1 1.5 2; do
  xprop -root -f RESOURCE_MANAGER 8s -set RESOURCE_MANAGER "Xft.dpi: $(times 96 $scale)"
  width=$(times 820 $scale) height=$(times 560 $scale)
  start "$trace" --no-settings --metric objects --window 0:25 --step 25 --size 820x560
  wait_for open true; wait_for task idle
  point 5 300; settled
  wait_for scale $scale
  wait_for size "[$width,$height]"
  check_controls $scale
  # in the city
  hover_over
  [ -z "$top" ] || [ "$(get hover)" = "$top" ] || fail "scale $scale: $(get hover) is where $top was"
  top=$(get hover)
  xdotool click 1; wait_for selection "$top"
  # on controls of all parts
  press Bytes city_metric bytes; wait_for task idle; key m; wait_for city_metric objects; wait_for task idle
  [ "$(get selection)" = "$top" ] || fail "scale $scale: a click on a control hits the city"
  press first step 0
  press chart step 13
  press loop loop true
  press help help true; key Escape; wait_for help false
  press search_button search_open true; key Escape Escape; wait_for search_open false
  key Escape; wait_for selection null
  palette fold.selection; palette fold.references; wait_for unfolded '["suspects","differences","linked"]';
  press suspect selection "$top"; palette fold.selection; palette fold.references
  # another size
  xdotool windowsize --sync "$(window)" "$(times 760 $scale)" "$(times 520 $scale)"
  wait_for size "[$(times 760 $scale),$(times 520 $scale)]"
  key Escape Home; wait_for selection null; settled
  check_controls $scale
  press last step 25
  hover_over
  [ "$(get hover)" = "$top" ] || fail "scale $scale: $(get hover) is where $top was, in a smaller window"
  # larger text on top of it
  key ctrl+equal; wait_until "[ \$(height_of play | cut -d. -f1) -gt $(times 30 $scale) ]"
  press first step 0
  key ctrl+0; wait_for scale $scale
  point 5 400; check_picture "scale-$scale"
  [ "$(get validation)" = 0 ] || fail "$(get validation) messages of the validation layers"
  quit 0
  [ ! -s "$work/err" ] || fail "stderr: $(head -c 600 "$work/err")"
done

[ "$failures" -eq 0 ]

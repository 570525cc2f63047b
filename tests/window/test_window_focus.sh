#!/usr/bin/env bash
# Tab goes to what can be pressed, Enter presses it; a wheel to the sides turns; a file by the desktop's own dialog; the
# preferences; the help has twenty keys, and all of them behind a button.
. "$(dirname "$0")/../window.sh"
memcity=$(realpath "$memcity") trace=$(realpath "$trace")
mkdir -p "$work/programs"
printf '#!/bin/sh\necho a warning >&2\necho %q\n' "$(dirname "$trace")/javac-daemon" >"$work/programs/zenity"
chmod +x "$work/programs/zenity"
export PATH=$work/programs:$PATH

start "$trace" --no-settings --size 1200x760; wait_for open true; wait_for task idle; settled

# ---- the focus: nothing has it at first, then one place after the other, and back
[ -z "$(place focus)" ] || fail "the focus is at $(place focus) before Tab"
key Tab; wait_until is_inside\ focus; first=$(place focus)
key Tab; wait_until '[ "$(place focus)" != "$first" ]'
key shift+Tab; wait_until '[ "$(place focus)" = "$first" ]'
for _ in $(seq 40); do
  [ "$(place focus)" = "$(place Objects)" ] && break
  before=$(place focus); key Tab; wait_until '[ "$(place focus)" != "$before" ]'
done
key Return; wait_for metric objects
key space; sleep 0.2; [ "$(get playing)" = false ] || fail "Space plays although something has the focus"
key Escape; wait_until '[ -z "$(place focus)" ]'
key space; wait_for playing true; key space; wait_for playing false

# ---- a wheel to the sides turns: the distance stays
point 400 400; settled
eye=$(get eye) far=$(distance)
xdotool click 7; wait_until '[ "$(get eye)" != "$eye" ]'; settled
way=$(($(distance) - far)); [ "${way#-}" -le 1 ] || fail "turned from a distance of $far to $(distance)"

# ---- preferences
key ctrl+comma; wait_for preferences true; wait_until is_inside\ preferences_card
click_place Dark; wait_for dark true
scale=$(get scale); click_place larger_text; wait_until '[ "$(get scale)" != "$scale" ]'; key ctrl+0; wait_for scale "$scale"
key Escape; wait_for preferences false

# ---- help: few keys, then all; each is in the card or can be scrolled to
key F1; wait_for help true; rests keys
few=$(place keys)
click_place all_keys; wait_until '[ "$(place keys)" != "$few" ]'
click_place all_keys; wait_until '[ "$(place keys)" = "$few" ]'
key Escape; wait_for help false

# ---- the desktop's dialog
palette file dialog; wait_for trace javac-daemon
[ "$(get validation)" = 0 ] || fail "$(get validation) messages of the validation layers"
quit 0

# ---- what is preferred of units, samples, grouping and device holds from the next start on; a device that is gone is no trouble
printf '%s\n' 'set samples 2' 'set byte_units decimal' 'set usual_group_by type' 'set device a card that was sold' preferences 'wait idle' quit \
  >"$work/prefer"
memcity_said=$("$memcity" "$trace" --size 1200x760 --script "$work/prefer" 2>&1) || fail "preferences: $memcity_said"
grep -q '"samples":2' "$XDG_CONFIG_HOME"/memcity/settings.json || fail "the preferences are not kept"
SAMPLES=preferred
start "$trace" --size 1200x760; wait_for open true; wait_for task idle; wait_for group_by type
point 500 700; wait_for drawings 2
quit 0
SAMPLES=4 # the command line goes before, whatever it says
start "$trace" --size 1200x760; wait_for open true; wait_for task idle
point 500 700; wait_for drawings 4
quit 0

[ "$failures" -eq 0 ]

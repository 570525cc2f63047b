#!/usr/bin/env bash
# Every key of the window's table, pressed in a real window with validation on: each does what the state can show, and
# none is missing here.
. "$(dirname "$0")/../window.sh"
app=$(realpath "$(dirname "$0")/../../app")
memcity=$(realpath "$memcity") trace=$(realpath "$trace")
mkdir -p "$work/files"
cd "$work/files" || exit 1
"$memcity" import "$trace" -o trace.mct 2>"$work/err" || die "import"

# COMMAND KEYS FIELD VALUE: after the keys the state has the value. !VALUE: another one; ~TEXT: it has the text in it;
# *: nothing to be seen there, but the window lives; +PATTERN: a file. hold:KEY is let go once it has; keep:KEY is down
# for long enough to be repeated by the screen.
# Several rows of one command are its several keys, in an order in which each has something to do.
keys='
PLAY space playing true
PLAY space playing false
LAST Page_Down step 25
FIRST Page_Up step 0
LAST shift+Right step 25
FIRST shift+Left step 0
NEXT Right step 1
PREVIOUS Left step 0
FASTER plus step_duration 0.2
FASTER equal step_duration 0.1
SLOWER minus step_duration 0.2
LOOP l loop true
FOLLOW shift+l follow !FOLLOW
FOLLOW shift+l follow !FOLLOW
LOOP - loop true
FOLLOW_HINT h window [0,26]
FOLLOW_HINT h window [0,25]
WINDOW_LATER braceright window [0,26]
WINDOW_LAST Right,bracketright window [0,1]
WINDOW_LATER braceright window [0,2]
WINDOW_FIRST bracketleft window [1,2]
WINDOW_EARLIER braceleft window [0,2]
WINDOW_RESET backslash window [0,26]
FOLLOW_HINT h window [0,25]
NEXT Page_Down,Left step 24
SEARCH slash typing search
SEARCH_REGEX ctrl+a,alt+r search_regex true
SEARCH_REGEX alt+r search_regex false
SEARCH ESCAPE_TYPING typing -
SEARCH ctrl+f typing search
SEARCH ctrl+a,x,l,i,s,t,BackSpace,BackSpace,BackSpace,BackSpace,BackSpace search -
SEARCH l,i,n,k,e,d,l,i,s,t search linkedlist
NEXT_HIT ctrl+g hit 0
NEXT_HIT ctrl+g hit 1
PREVIOUS_HIT ctrl+shift+g hit 0
SELECT_HITS ctrl+shift+a selected !SELECTED
ESCAPE Escape typing -
ESCAPE Escape search_open false
PARENT Up selection Heap#java.util
CHILD Down selection Heap#java.util#LinkedList
ADD_NEXT alt+Down selected 2
PARENT BackSpace selection Heap#java.util
CHILD Down selection Heap#java.util#LinkedList
NEXT_SIBLING shift+Down selection !SELECTION
ADD_PREVIOUS alt+Up selected 2
PREVIOUS_SIBLING shift+Up selection Heap#java.util#LinkedList
HOLDER j selection ~HostConnectionPool
HELD y selection !SELECTION
BACK alt+Left selection ~HostConnectionPool
FORWARD alt+Right selection !SELECTION
REFERENCE_FILTER z outgoing false
REFERENCE_FILTER z,z,z outgoing true
FEWER_REFERENCES semicolon most_references !MOST
STREETS alt+j show_streets false
STREETS alt+j show_streets true
FEWER_STREETS alt+semicolon most_streets 5
MORE_STREETS alt+apostrophe most_streets 10
WALK 0 walk_shown true
ESCAPE Escape walk_shown false
WALK_FROM alt+0 walk_shown true
ESCAPE Escape walk_shown false
SELECT_UNIT alt+u selected !SELECTED
ROOTS alt+g roots_shown false
ROOTS alt+g roots_shown true
DEMOLISH Delete said ~counts
REBUILD shift+Delete demolished []
PARENT Up selection !SELECTION
MAKE_ROOT Return root !ROOT
LEAVE_ROOT shift+BackSpace root null
METRIC m city_metric objects
SCALING x scaling quadratic
TILING t tiling binary
LIMIT_MORE period child_limit 1000
LIMIT_LESS comma child_limit 0
COLOR c color false
COLOR c color true
COLOR_MODE alt+c color_by step
HEIGHT_MODE alt+h height_by !HEIGHT
OPACITY o opacity false
OPACITY o opacity true
FEWER_OPAQUE u opaque_count 5
MORE_OPAQUE keep:i opaque_count 10
OTHERS v others_opacity 0.7
EDGES g edges false
NAMES n names false
THEME k dark true
PALETTE p palette 1
MOTION r motion !MOTION
MOVING alt+k moving 1
MOVING alt+k moving 2
MOVING alt+k moving 0
PANELS F9 panels false
PANELS grave panels true
PANELS_WIDER alt+bracketleft panels_edge !PANELS_EDGE
PANELS_NARROWER alt+bracketright panels_edge !PANELS_EDGE
PANELS_USUAL alt+backslash panels_edge !PANELS_EDGE
FOLD_DIFFERENCES alt+F9 unfolded !UNFOLDED
FULL_SCREEN F11 size [1280,800]
FULL_SCREEN F11 size [900,600]
WARNINGS exclam warnings_open *
MENU F10 menu true
MENU F10 menu false
CONTEXT_MENU shift+F10 menu true
ESCAPE Escape menu false
CONTEXT_MENU Menu menu true
ESCAPE Escape menu false
FOCUS_NEXT Tab focus !FOCUS
FOCUS_PREVIOUS shift+Tab focus !FOCUS
ESCAPE Escape preferences false
PREFERENCES ctrl+comma preferences true
PREFERENCES ctrl+comma preferences false
HELP question help true
HELP F1 help false
SUSPECT 2 selection !SELECTION
SUSPECT 6 selection !SELECTION
SUSPECT 1 selection !SELECTION
FRAME f eye !EYE
HOME Home eye !EYE
BIRD b eye !EYE
BIRD b eye !EYE
MOVE_AHEAD hold:w target !TARGET
MOVE_LEFT hold:a target !TARGET
MOVE_BACK hold:s target !TARGET
MOVE_RIGHT hold:d target !TARGET
MOVE_DOWN hold:q eye !EYE
MOVE_UP hold:e eye !EYE
TURN_LEFT hold:ctrl+Left eye !EYE
TURN_RIGHT hold:ctrl+Right eye !EYE
TILT_UP hold:ctrl+Up eye !EYE
TILT_DOWN hold:ctrl+Down eye !EYE
COMPARE hold:shift+c pinned 0
COMPARE - pinned -1
COLOR - color true
NOTE alt+n,d,e,p,l,o,y,Return note deploy
NEXT Left note null
NEXT_NOTE ctrl+Page_Down note deploy
NEXT Right note null
PREVIOUS_NOTE ctrl+Page_Up note deploy
NOTE alt+n,ctrl+a,BackSpace,Return note null
PIN numbersign pinned 24
PIN numbersign pinned -1
FRAME_SHORTER less said ~methods
FRAME_LONGER greater said ~methods
PAIR_NEXT alt+v said ~Compare
ALIGN_NEXT alt+a said ~Compare
ALIGN_EARLIER alt+comma said ~Compare
ALIGN_LATER alt+period said ~Compare
CHANGE_LINKED alt+m said ~methods
GROUP_NEXT alt+b group_by !GROUP_BY
UNDO ctrl+z group_by null
VIEW_SUNBURST alt+2 view sunburst
VIEW_ICICLE alt+3 view icicle
TREE_LEVELS alt+d rows !ROWS
TREE_PRUNE alt+p others !OTHERS
TREE_SORT alt+s history !HISTORY
TREE_HERE alt+t history !HISTORY
TREE_NONE shift+alt+t history !HISTORY
VIEW_CITY alt+1 view city
THEME k dark false
UNDO ctrl+z dark true
REDO ctrl+y dark false
UNDO ctrl+z dark true
REDO ctrl+shift+z dark false
COPY_KEY ctrl+c message ~Heap
COPY_ROW ctrl+shift+c message ~Copied
EXPORT_TABLE ctrl+e message ~Wrote
EXPORT_TABLE - file +*suspects*.csv
PICTURE ctrl+s file +*.png
PICTURE F12 message ~Wrote
PICTURE_ALONE shift+F12 message ~Wrote
SAVE_BOOKMARK ctrl+d file +../data/memcity/bookmarks/*.json
COMMANDS ctrl+p box true
COMMANDS ctrl+p box false
BOOKMARKS ctrl+b box true
ESCAPE Escape box false
SAVE_AS ctrl+shift+s box true
ESCAPE Escape box false
OPEN_VERSUS alt+o box true
ESCAPE Escape box false
OPEN_WITH shift+alt+m box true
ESCAPE Escape box false
OPEN ctrl+o box true
ESCAPE Escape box false
VIDEO ctrl+r,Return video true
VIDEO ctrl+r video false
LARGER ctrl+plus scale 1.125
LARGER ctrl+KP_Add scale 1.266
SMALLER ctrl+minus scale 1.125
SMALLER ctrl+KP_Subtract scale 1
LARGER ctrl+equal scale 1.125
USUAL_SIZE ctrl+0 scale 1
LARGER ctrl+equal scale 1.125
USUAL_SIZE ctrl+KP_0 scale 1
'

# What the table of the program has is here, and the other way round.
with_keys() { # the actions that have keys, and what moves while a key is down
  python3 - "$app/session/action.c" <<'PY'
import re, sys
rows = re.finditer(r'^    (?:CITY|ALWAYS|TAKES)(?:_CALL|_INDEX)?\((?:\w+,\s+)?([A-Z_]+),\s+"[^"]*",\s+(NULL|")', open(sys.argv[1]).read(), re.M)
print("\n".join(row[1] for row in rows if row[2] == '"'))
PY
  grep -oE '\bMC_VIEWER_(MOVE|TURN|TILT)_[A-Z_]+' "$app/window/keys.c" | sed 's/^MC_VIEWER_//' | grep -v '^MOVE_COUNT$'
}
diff <(with_keys | grep -v '^QUIT$' | sort -u) \
  <(echo "$keys" | awk 'NF { print $1 }' | sort -u) >"$work/missing" ||
  fail "commands of the table (<) and of this test (>): $(cat "$work/missing")"

look() { # FIELD: sets $now to it
  read_state
  find_field "$1"
  now=$found
}
rest() { # until the camera does
  local before=
  for _ in $(seq 100); do
    look "$1"
    [ "$now" = "$before" ] && return
    before=$now
    sleep 0.12
  done
}
reaches() { # FIELD VALUE BEFORE
  case $2 in
    +*) compgen -G "${2#+}" >/dev/null; return ;;
    \*) return 0 ;;
  esac
  look "$1"
  case $2 in
    !*) [ "$now" != "$3" ] && [ -n "$now" ] ;;
    ~*) [[ $now == *"${2#\~}"* ]] ;;
    -) [ -z "$now" ] ;;
    *) [ "$now" = "$2" ] ;;
  esac
}
# shellcheck disable=SC2046 # several words
press() { # KEYS
  case $1 in
    -) ;;
    hold:*) xdotool keydown $(echo "${1#hold:}" | sed 's/+/ keydown /') ;;
    keep:*) xdotool keydown "${1#keep:}" sleep 1.5 keyup "${1#keep:}" ;;
    ESCAPE_TYPING) xdotool key Escape ;;
    *) xdotool key --delay 12 $(echo "$1" | tr , ' ') ;;
  esac
}
# shellcheck disable=SC2046
release() { # KEYS: what is held, once it has done something, however slow the frames are
  case $1 in
    hold:*) xdotool keyup $(echo "${1#hold:}" | sed 's/+/ keyup /') ;;
  esac
}

start trace.mct --no-settings --size 900x600
wait_for open true; wait_for task idle
point 300 450
while read -r command pressed field value; do
  [ -n "$command" ] || continue
  case $field in eye | target) rest "$field" ;; *) look "$field" ;; esac
  before=$now
  press "$pressed"
  for _ in $(seq 1500); do
    reaches "$field" "$value" "$before" && { release "$pressed"; continue 2; }
    kill -0 "$program" 2>/dev/null || die "the program has ended at $command ($pressed)"
    sleep 0.02
  done
  release "$pressed"
  fail "$command ($pressed): $field is $now, was $before, expected $value; $(get message)"
done <<<"$keys"
settled
point 300 450
check_picture keys
[ "$(get validation)" = 0 ] || fail "$(get validation) messages of the validation layers"
quit 0
[ ! -s "$work/err" ] || fail "stderr: $(head -c 600 "$work/err")"

[ "$failures" -eq 0 ]

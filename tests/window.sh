# What the tests of the window share: a display of its own, keys and clicks by xdotool, what happened
# by --state. Sourced by test_window*.sh with the program as $1; sets $trace and $work. What rests is not refined, which would be
# a third of a test's time, where SAMPLES doesn't say so (a number, or: preferred).
set -u
memcity=$1
trace=$(dirname "$memcity")/traces/httpclient-3.0.1
work=$(mktemp -d)
failures=0
server=
program=
stop() {
  for pid in $program $server; do
    kill "$pid" 2>/dev/null && wait "$pid" 2>/dev/null
  done
  rm -rf "$work"
}
trap stop EXIT
fail() {
  echo "failed: $*" >&2
  failures=$((failures + 1))
}
die() {
  echo "failed: $*" >&2
  [ -s "$work/err" ] && sed 's/^/  stderr: /' "$work/err" >&2
  [ -s "$work/state" ] && sed 's/^/  state: /' "$work/state" >&2
  exit 1
}

for tool in Xvfb xdotool import convert; do
  command -v "$tool" >/dev/null || die "$tool is missing (packages xvfb, xdotool, imagemagick)"
done
[ -d "$trace" ] || die "$trace is missing (target memcity_traces)"

exec 3>"$work/display"
Xvfb -displayfd 3 -screen 0 "${SCREEN:-1280x800}x24" -noreset -nolisten tcp 2>"$work/xvfb" &
server=$!
exec 3>&-
for _ in $(seq 600); do
  [ -s "$work/display" ] && break
  kill -0 "$server" 2>/dev/null || die "Xvfb: $(cat "$work/xvfb")"
  sleep 0.1
done
[ -s "$work/display" ] || die "Xvfb does not start"
DISPLAY=:$(tr -d '[:space:]' <"$work/display")
export DISPLAY
unset WAYLAND_DISPLAY
# What the user of this machine has set stays out of it, and is not changed.
export XDG_CONFIG_HOME=$work/config XDG_DATA_HOME=$work/data XDG_CACHE_HOME=$(dirname "$memcity")/cache

# ---- helpers
# A wait without a process: nothing is ever written there.
mkfifo "$work/nothing"
exec 9<>"$work/nothing"
pause() { read -r -t "$1" -u 9; } # SECONDS
start() { # ARGUMENTS…
  rm -f "$work/state"
  # A window that opens below a pointer at rest is not told of it before it moves.
  xdotool mousemove 2 2
  pointed=
  local samples=(--samples "${SAMPLES:-1}")
  [ "${SAMPLES:-}" = preferred ] && samples=()
  "$memcity" --size 1200x760 --state "$work/state" --validation "${samples[@]}" "$@" >"$work/out" 2>"$work/err" </dev/null &
  program=$!
}
state= found=
read_state() { # sets $state; empty: there is none yet
  state=
  [ ! -s "$work/state" ] || state=$(<"$work/state")
} 2>/dev/null
# find_field NAME: sets $found to a number, a word, an array or a string of $state, without quotes
find_field() {
  found=
  local form="\"$1\":(\"[^\"]*\"|\[[^]]*\]|[^,}]*)"
  [[ $state =~ $form ]] || return
  found=${BASH_REMATCH[1]#\"}
  found=${found%\"}
}
get() { # FIELD: prints it
  read_state
  find_field "$1" && printf '%s\n' "$found"
}
# palette WORDS: does what the command palette finds first by them
palette() {
  key ctrl+p; wait_for box true
  xdotool type --delay 10 "$*"
  wait_for box_text "$*"
  key Return; wait_for box false
}
# How long is waited decides nothing but when a test that fails gives up, on a busy machine as well.
wait_for() { # FIELD VALUE
  for _ in $(seq 4000); do
    read_state
    find_field "$1"
    [ "$found" = "$2" ] && return
    kill -0 "$program" 2>/dev/null || die "the program has ended while waiting for $1 = $2"
    pause 0.03
  done
  die "$1 is $(get "$1"), not $2"
}
wait_until() { # a shell condition, in words
  for _ in $(seq 2400); do
    eval "$1" && return
    kill -0 "$program" 2>/dev/null || die "the program has ended while waiting until $1"
    pause 0.05
  done
  die "never true: $1"
}
key() { xdotool key --delay 20 "$@"; }
point() { # X Y, until the window has drawn it: a busy machine may need longer
  read_state
  find_field frames
  local before=$found
  xdotool mousemove "$1" "$2"
  sleep 0.3
  [ "$pointed" != "$1 $2" ] || return 0
  pointed="$1 $2"
  for _ in $(seq 100); do # no longer, as the pointer may have been there
    read_state
    find_field frames
    [ "$found" = "$before" ] || return 0
    pause 0.03
  done
}
click() { # X Y
  point "$1" "$2"
  xdotool click 1
  sleep 0.1
}
place() { # NAME: where it is; some are named as a field of the state
  read_state
  local form="\"$1\":(\[[^]]*\])"
  [[ ${state##*\"places\":\{} =~ $form ]] && printf '%s\n' "${BASH_REMATCH[1]}"
}
middle_of() { # PLACE
  local corners
  IFS=', ' read -r -a corners <<<"$(place "$1" | tr -d '[]')"
  [ ${#corners[@]} -eq 4 ] || return
  awk -v l="${corners[0]}" -v t="${corners[1]}" -v r="${corners[2]}" -v b="${corners[3]}" 'BEGIN { printf "%d %d", (l + r) / 2, (t + b) / 2 }'
}
rests() { # FIELD or place: waits until it stays what it is
  local before='' count=0
  for _ in $(seq 200); do
    read_state
    find_field "$1"
    [ "$found" = "$before" ] && count=$((count + 1)) || count=0
    [ $count -lt 2 ] || return
    before=$found
    pause 0.25
  done
  die "$1 never rests"
}
click_place() { # PLACE, once it is there and rests: panels unfold, and what is below them moves
  local middle=
  while [ -z "$middle" ]; do # it may go while one looks where it is
    wait_until "[ -n \"\$(place $1)\" ]"
    rests "$1"
    middle=$(middle_of "$1")
  done
  # shellcheck disable=SC2086 # two words
  click $middle
}
click_to_open() { # PLACE: until something is being opened; a window that has just come may not hear the first click
  for _ in 1 2 3 4 5; do
    click_place "$1"
    for _ in $(seq 60); do
      [ "$(get open)" = true ] && return
      [ "$(get task)" = idle ] || return
      pause 0.1
    done
  done
  die "clicks on $1 open nothing"
}
check_picture() { # NAME: not uniform, and the window fills its part of the screen
  import -window root "$work/$1.png" || { fail "no screenshot"; return; }
  local colors
  colors=$(convert "$work/$1.png" -crop "$(get size | tr -d '[]' | tr , x)+0+0" -format %k info:)
  [ "$colors" -gt 200 ] || fail "$1: only $colors colours in the picture"
}
is_inside() { # PLACE: wholly in the window
  wait_until "[ -n \"\$(place $1)\" ]"
  paste -d, <(place "$1" | tr -d '[]') <(get size | tr -d '[]') |
    awk -F, '{ exit !($1 >= 0 && $2 >= 0 && $3 <= $5 && $4 <= $6 && $3 > $1) }'
}
are_apart() { # PLACE PLACE
  paste -d, <(get "$1" | tr -d '[]') <(get "$2" | tr -d '[]') |
    awk -F, '{ exit !(NF == 8 && ($1 >= $7 || $5 >= $3 || $2 >= $8 || $6 >= $4)) }'
}
window() { xdotool search --onlyvisible --name memcity | head -1; }
quit() { # CODE
  key "${quit_by_key:-ctrl+q}"
  for _ in $(seq 600); do
    kill -0 "$program" 2>/dev/null || break
    sleep 0.1
  done
  kill -0 "$program" 2>/dev/null && die "does not end"
  wait "$program"
  local code=$?
  program=
  [ "$code" -eq "$1" ] || fail "exit code $code, not $1"
}
distance() { # from the eye to the target
  paste -d, <(get eye | tr -d '[]') <(get target | tr -d '[]') |
    awk -F, '{ print int(sqrt(($1-$4)^2 + ($2-$5)^2 + ($3-$6)^2)) }'
}
settled() { rests eye; } # waits until the camera does; a slow frame is no rest yet


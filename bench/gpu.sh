#!/usr/bin/env bash
# What memcity does on a machine with a GPU: everything of ./dev bench that needs no browser, a million buildings and more
# at 3840x2160, both rasterizers by number of buildings, the update pass beside a copy, and whether pictures are those of
# lavapipe. Needs memcity and what each Linux has; no network. One JSON file comes out, and a summary.
#
# usage: gpu.sh [-o FILE.json] [--small] [--seconds N] [--memcity PROGRAM] [--device NAME]
#
#   -o FILE.json        where to (memcity-gpu.json)
#   --small             a few thousand buildings, small pictures: whether all of this works, as a test
#   --seconds N         what has not begun by then is left out, and said (540)
#   --memcity PROGRAM   otherwise that of the bundle this script lies in, or build/release/memcity
#   --device NAME       the GPU whose name has NAME in it
set -uo pipefail
export LC_ALL=C.UTF-8
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
fail() { echo "gpu.sh: $*" >&2; exit 1; }
usage() { sed -n 's/^# \{0,1\}//; /^usage/,/NAME in it/p' "${BASH_SOURCE[0]}"; }

output=memcity-gpu.json small= seconds=540 memcity= device=()
while [ $# -gt 0 ]; do
  case $1 in
  -h | --help) usage; exit 0 ;;
  --small) small=1; shift; continue ;;
  -o | --seconds | --memcity | --device) [ $# -ge 2 ] || fail "$1: a value is missing" ;;
  *) usage >&2; exit 2 ;;
  esac
  case $1 in
  -o) output=$2 ;;
  --seconds) seconds=$2 ;;
  --memcity) memcity=$2 ;;
  --device) device=(--device "$2") ;;
  esac
  shift 2
done
if [ -d "$here/pictures" ]; then # in a bundle
  pictures=$here/pictures traces=$here/traces trace_end=.mct
  memcity=${memcity:-$here/../../../bin/memcity}
else
  repository=$here/..
  memcity=${memcity:-$repository/build/release/memcity}
  pictures=$repository/tests/data/pictures traces=$(dirname "$memcity")/traces trace_end=
fi
[ -x "$memcity" ] || fail "$memcity is missing"
[[ $seconds =~ ^[0-9]+$ ]] || fail "--seconds: expected a number, not $seconds"
: >"$output" || exit 1
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
: >"$work/runs"
: >"$work/table"

if [ -n "$small" ]; then
  counts=(300 3000) large=(3000) size=320x180 full=320x180 few=(--runs 2)
else
  counts=(1000 10000 100000 300000 1000000) large=(1000000) size=1920x1080 full=3840x2160 few=(--runs 20)
  # A city of ten million takes about 10 GB while it is made.
  available=$(awk '/^MemAvailable/ { print int($2 / 1e6) }' /proc/meminfo)
  if [ "$available" -ge 24 ]; then counts+=(10000000) large+=(10000000); fi
fi

# ---- runs

quote() { # a text as JSON
  local text=${1//\\/\\\\}
  text=${text//\"/\\\"}
  printf '"%s"' "${text//[[:cntrl:]]/ }"
}
# One run, as an object of JSON; its lines in $work/lines. A run may fail, as one that is too large for the device does.
measure() { # LABEL SUBJECT OPTIONS…
  local label=$1 code begin=$SECONDS left=$((seconds - SECONDS))
  shift
  : >"$work/lines"
  if [ "$left" -le 0 ]; then
    printf '{"run":%s,"left_out":"no time"}\n' "$(quote "$label")" >>"$work/runs"
    echo "$label: left out, no time"
    return 1
  fi
  echo "$label …" >&2
  timeout $((left + 60)) "$memcity" bench "$@" --json >"$work/lines" 2>"$work/err" </dev/null
  code=$?
  {
    printf '{"run":%s,"command":%s,"code":%d,"seconds":%d' "$(quote "$label")" "$(quote "bench ${*//"$work/"/}")" $code $((SECONDS - begin))
    [ -s "$work/err" ] && printf ',"message":%s' "$(quote "$(head -c 500 "$work/err")")"
    printf ',"lines":[%s]}\n' "$(grep '^{' "$work/lines" | paste -sd ,)"
  } >>"$work/runs"
  [ $code -eq 0 ] || echo "$label: exit code $code: $(head -1 "$work/err")"
  return $code
}
# What the lines of a run say, as rows of the table: label, case, what, number.
tell() { # LABEL KEY…: keys as in JSON
  local label=$1 key
  shift
  for key in "$@"; do
    sed -n "s/.*\"case\":\"\([^\"]*\)\".*\"$key\":\({\"median\":\)\{0,1\}\([0-9.e+-]*\).*/$label\t\1\t$key\t\3/p" "$work/lines" >>"$work/table"
  done
}

# ---- pictures: those of a GPU may round otherwise at borders, so what counts is how many pixels differ, and by how much

drawn=0 alike=0
state() { # NAME TRACE OPTIONS…
  local name=$1 trace=$traces/$2$trace_end different
  shift 2
  [ -e "$trace" ] || fail "$trace is missing"
  : >"$work/lines"
  drawn=$((drawn + 1))
  if [ $SECONDS -lt "$seconds" ] && ! "$memcity" "${as:-render}" "$trace" --size 280x175 "${device[@]}" -o "$work/picture.png" "$@" 2>"$work/err"; then
    printf '{"run":%s,"message":%s}\n' "$(quote "picture $name")" "$(quote "$(head -c 500 "$work/err")")" >>"$work/runs"
    echo "picture $name: $(head -1 "$work/err")"
    return
  fi
  measure "picture $name" compare "$work/picture.png" "$pictures/$name.png" || return
  tell "picture $name" different_n largest_share mean_share
  different=$(sed -n 's/.*"different_n":\([0-9]*\).*/\1/p' "$work/lines")
  # lavapipe itself: none. A border that falls elsewhere: some. What is missing: thousands.
  [ "${different:-999999}" -le 500 ] && alike=$((alike + 1))
}
begin=$SECONDS
. "$pictures/states.sh"
picture_seconds=$((SECONDS - begin))

# ---- numbers

for count in "${counts[@]}"; do
  measure "make $count" generate --leaves "$count" --steps 3 --mct "$work/$count.mct"
done
for count in "${counts[@]}"; do
  for rasterizer in raster compute; do
    [ -e "$work/$count.mct" ] || continue
    measure "$rasterizer $count" render "$work/$count.mct" --rasterizer $rasterizer --size $size "${few[@]}" "${device[@]}" &&
      tell "$rasterizer $count" frame_ms gpu_draw_ms
  done
done
for count in "${large[@]}"; do
  [ -e "$work/$count.mct" ] || continue
  measure "update $count" update "$work/$count.mct" "${few[@]}" "${device[@]}" && tell "update $count" gpu_ms copy_ms speed_gb_per_s
  measure "moving $count $full" render "$work/$count.mct" --size $full "${few[@]}" "${device[@]}" && tell "moving $count $full" frame_ms total_ms
  measure "playing $count $full" play "$work/$count.mct" --size $full "${few[@]}" "${device[@]}" && tell "playing $count $full" step_ms frame_ms
done
mkdir "$work/files"
measure import import --leaves "${counts[1]}" --steps 3 --dir "$work/files" "${few[@]}" && tell import speed_gb_per_s
measure layout layout "$work/${large[0]}.mct" "${few[@]}" && tell layout layout_ms

# ---- one file, and a summary

machine=$(grep -o '{"bench":"machine"[^}]*"device"[^}]*}' "$work/runs" | head -1)
nvidia=$(command -v nvidia-smi >/dev/null && nvidia-smi --query-gpu=name,driver_version,memory.total,power.limit,clocks.max.sm --format=csv,noheader 2>/dev/null | head -1)
{
  printf '{"benchmark":"gpu","date":"%s","small":%s,"machine":%s,"nvidia_smi":%s,\n' "$(date -u +%FT%TZ)" \
    "$([ -n "$small" ] && echo true || echo false)" "${machine:-null}" "$(quote "$nvidia")"
  printf '"pictures":{"drawn":%d,"alike":%d,"seconds":%d},"seconds":%d,\n"runs":[\n' $drawn $alike "$picture_seconds" $SECONDS
  sed '$!s/$/,/' "$work/runs"
  printf ']}\n'
} >"$output"
echo
sed -n 's/.*"cpu":"\([^"]*\)","cores":\([0-9]*\).*"device":"\([^"]*\)","driver":"\([^"]*\)".*/\3 (\4); \1, \2 cores/p' <<<"$machine"
echo "pictures: $alike of $drawn as lavapipe draws them"
awk -F '\t' '
  function row(text) { printf "%-62s %12s\n", text, $4 }
  $2 == "pictures" { next }
  { row($1 ": " $2 ", " $3) }
  $2 == "orbit, opaque" && $3 == "frame_ms" { split($1, of, " "); frame[of[1], of[2]] = $4; if (!(of[2] in seen)) { seen[of[2]]; order[++n] = of[2] } }
  END {
    print ""
    for (i = 1; i <= n; i++) {
      r = frame["raster", order[i]]; c = frame["compute", order[i]]
      if (r != "" && c != "") printf "%9d buildings: triangles %.2f ms, compute %.2f ms: %s\n", order[i], r, c, r < c ? "triangles" : "compute"
    }
  }' "$work/table"
echo "$output: $(wc -c <"$output") bytes, after $SECONDS s"
[ "$alike" -eq "$drawn" ]

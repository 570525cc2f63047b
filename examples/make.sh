#!/usr/bin/env bash
# Makes the recordings and pictures of the examples, and the answers in their README.md: runs each program before and after it is
# mended, for some seconds.
#
# usage: make.sh [--memcity PROGRAM] [--output FOLDER] [--draw] [EXAMPLE…]    (all of them, into the folders in which they lie;
#        --draw: pictures and answers of the recordings that are there)
#
# Needs a JDK, 17 or later, patch, python3, ImageMagick, and a Vulkan driver (lavapipe is enough).
set -euo pipefail
examples=$(cd "$(dirname "$0")" && pwd)
memcity=$examples/../build/release/memcity output=$examples records=1 names=()
while [ $# -gt 0 ]; do
  case $1 in
  --memcity) memcity=$(realpath "$2"); shift 2 ;;
  --output) mkdir -p "$2"; output=$(realpath "$2"); shift 2 ;;
  --draw) records=0; shift ;;
  -*) sed -n 's/^# usage: /usage: /p' "$0" >&2; exit 2 ;;
  *) names+=("$1"); shift ;;
  esac
done
[ ${#names[@]} -gt 0 ] || names=(web-app cache-that-is-none thread-locals class-loaders two-versions)
for tool in java javac jcmd patch python3 convert; do
  command -v $tool >/dev/null || { echo "make.sh: $tool is missing" >&2; exit 1; }
done
work=$(mktemp -d)
program=
trap '[ -z "$program" ] || kill "$program" 2>/dev/null; rm -rf "$work"' EXIT

# The program in $work/source, recorded when it has warmed up. Its collector moves every object, so that dumps hold no dead ones.
record() { # CLASS FILE.mct
  rm -rf "$work/classes" "$work/recording.mct" "$2"
  javac --release 17 -Xlint:all -d "$work/classes" "$work"/source/*.java
  java -Xmx64m -XX:+UseSerialGC -XX:MarkSweepDeadRatio=0 -XX:TieredStopAtLevel=1 -cp "$work/classes" "$1" >/dev/null &
  program=$!
  sleep 2
  "$memcity" record --pid $program --references --every 500ms --for 5s --quiet -o "$work/recording.mct" 2>"$work/log" || { cat "$work/log" >&2; exit 1; }
  kill $program
  wait $program 2>/dev/null || true
  program=
  "$memcity" import "$work/recording.mct" -o "$2" 2>/dev/null # as small as it gets
}

# Version after version: the first as it lies there, each other by its patch.
tell() { # EXAMPLE CLASS FIRST [NEXT PATCH]…
  [ $records = 1 ] || return 0
  local from=$examples/$1 to=$output/$1 class=$2
  rm -rf "$work/source"
  mkdir -p "$to" "$work/source"
  cp "$from"/*.java "$work/source/"
  record "$class" "$to/$3.mct"
  shift 3
  while [ $# -gt 0 ]; do
    patch --quiet --directory "$work/source" <"$from/$2"
    record "$class" "$to/$1.mct"
    shift 2
  done
}

draw() { # PICTURE ARGUMENTS…
  "$memcity" render "${@:2}" --size 960x540 --labels --legend -o "$work/picture.png" 2>/dev/null
  convert "$work/picture.png" -strip -colors 255 -define png:compression-level=9 "$1"
}

for name in "${names[@]}"; do
  echo "$name"
  folder=$output/$name
  case $name in
  web-app) class=Shop ;;
  cache-that-is-none) class=Prices ;;
  thread-locals) class=Bank ;;
  class-loaders) class=Host ;;
  two-versions) class=Orders ;;
  *) echo "make.sh: there is no example $name" >&2; exit 2 ;;
  esac
  if [ "$name" = two-versions ]; then
    tell "$name" $class version-1 version-2 version-2.patch version-3 version-3.patch
    draw "$folder/version-2.png" "$folder/version-1.mct" --versus "$folder/version-2.mct"
    draw "$folder/version-3.png" "$folder/version-2.mct" --versus "$folder/version-3.mct"
  else
    tell "$name" $class before after mended.patch
    draw "$folder/before.png" "$folder/before.mct"
    draw "$folder/after.png" "$folder/before.mct" --versus "$folder/after.mct"
  fi
  [ "$output" = "$examples" ] || cp "$examples/$name/README.md" "$folder/"
  python3 "$examples/answers.py" --write "$memcity" "$folder/README.md"
done

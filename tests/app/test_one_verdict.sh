#!/usr/bin/env bash
# One sentence is said of a trace, byte for byte, by all that says one: why, walk, report, gate, the session's panels and
# its state, whatever metric is shown.
. "$(dirname "$0")/../command.sh"
unset DISPLAY WAYLAND_DISPLAY
export XDG_CONFIG_HOME=$work/config XDG_DATA_HOME=$work/share
memcity=$(realpath "$memcity")
http=$(realpath "$http")
javac=$(realpath "$traces/javac-daemon")
perfetto=$(realpath "$traces/perfetto")
cd "$work" || exit 1

field() { python3 -c 'import functools, json, sys
print(functools.reduce(lambda o, k: o[int(k) if k.isdigit() else k], sys.argv[2].split("."), json.load(open(sys.argv[1]))))' "$work/out" "$1"; }
html() { python3 -c 'import html, re, sys
print(html.unescape(re.search("<p class=%s>(.*?)</p>" % sys.argv[2], open(sys.argv[1]).read()).group(1)))' "$work/r.html" "$1"; }
same() { [ "$2" = "$said" ] || fail "$name, $1: \"$2\", not \"$said\""; }

# NAME INPUT 'PATTERN' [OPTIONS…]
says_one() {
  local name=$1 input=$2 pattern=$3 metrics="objects bytes" metric
  shift 3
  ! sanitized || metrics=objects
  expect 0 why "$input" "$@"
  said=$(head -1 "$work/out")
  [[ $said = $pattern ]] || fail "$name: $said"
  [[ $said = *. && $said != *".."* ]] || fail "$name is no sentence: $said"
  for metric in $metrics; do
    expect 0 why "$input" "$@" --metric "$metric"; same "why --metric $metric" "$(head -1 "$work/out")"
    expect 0 why "$input" "$@" --metric "$metric" --json; same "why --json" "$(field sentence)"
    [ "$(field causes)" = "[]" ] || same "the first cause" "$(field causes.0.sentence)"
    expect 0 walk "$input" "$@" --metric "$metric"; same "walk --metric $metric" "$(head -1 "$work/out")"
    expect 0 walk "$input" "$@" --metric "$metric" --json; same "walk --json" "$(field sentence)"
    expect 0 report "$input" "$@" --metric "$metric" --no-pictures -o "$work/r.html"; same "report" "$(html verdict)"
    ! grep -q "class=cause" "$work/r.html" || same "the report's first cause" "$(html cause)"
  done
  printf 'wait idle\nprint headline\nmetric.next\nwait idle\nprint headline\nwalk\nwait idle\nprint headline\nprint walk_sentence\n' >script
  expect 0 "$input" "$@" --headless --script script
  [ "$(wc -l <"$work/out")" = 4 ] || fail "$name: not four lines: $(cat "$work/out")"
  # what has no stops is not shown
  "$memcity" walk "$input" "$@" --json 2>/dev/null | grep -q '"held_by":{' || sed -i '$d' "$work/out"
  while IFS= read -r line; do same "a session" "$(python3 -c 'import json, sys; print(json.loads(sys.argv[1]))' "$line")"; done <"$work/out"
}

# Where something grows, the gate says why as well.
gate_says() { # INPUT RULE [OPTIONS…]
  local input=$1 rule=$2
  shift 2
  expect 4 gate "$input" --rule "$rule" "$@"; same gate "$(sed -n '2s/^  //p' "$work/out")"
  expect 4 gate "$input" --rule "$rule" "$@" --json; same "gate --json" "$(field sentence)"
  expect 4 gate "$input" --rule "$rule" "$@" --junit "$work/junit.xml"
  python3 -c 'import sys, xml.etree.ElementTree as tree
assert sys.argv[2] in tree.parse(sys.argv[1]).find(".//failure").text' "$work/junit.xml" "$said" || fail "$name: the gate's JUnit"
}

# What one of them says is not what another one of the list says.
says_one httpclient "$http" "MultiThreadedHttpConnectionManager\$HostConnectionPool objects pile up in HashMap objects (this file does not say which of 289): +* since the recording began, +15.9 MiB so far; 80,001 × { 1 HttpHost, *2 LinkedList }, 176 B each."
gate_says "$http" '**: +0'
says_one shutdown "$http" "Nothing keeps growing.*" --window 20:26
says_one two "$http" "* Two steps cannot show whether it goes on." --window 10:11
says_one one "$http" "* One * cannot show growth: take a second." --window 4:4
! sanitized || finish # both builds reckon the others alike
says_one javac "$javac" "JavaCompiler and 205 more classes pile up together, 19 objects of each: *"
gate_says "$javac" '**: +0'
says_one perfetto "$perfetto" "*"
finish

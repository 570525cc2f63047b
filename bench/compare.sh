#!/usr/bin/env bash
# Whether a commit is as fast as another one: builds both, runs every bench of ours with them in turns, A B A B, and prints a
# row a case with the ratio of times. Needs what ./dev build needs, and nothing else of the machine meanwhile.
#
# usage: compare.sh [options] BASE HEAD
#
#   BASE, HEAD       commits, or programs that are built already
#   --leaves LIST    of the generated traces (300000,1000000)
#   --size LIST      of pictures (1280x720,1920x1080); the first one alone for more than the first number of leaves
#   --steps N        of the .mct file that is opened, played and made a picture of (300); 0: without it
#   --rounds N       how often A B (2)
#   --runs N         in each series (as memcity bench has it)
#   --subjects LIST  of layout, import, update, render, play, tree, and program: what is done with an .mct file (all)
#   --json FILE      every number
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
options=() versions=()
while [ $# -gt 0 ]; do
  case $1 in
  -h | --help) sed -n '/^# usage/,/^#   --json/s/^# \{0,1\}//p' "${BASH_SOURCE[0]}"; exit 0 ;;
  --*) [ $# -ge 2 ] || { echo "compare.sh: $1: a value is missing" >&2; exit 2; }; options+=("$1" "$2"); shift 2 ;;
  *) versions+=("$1"); shift ;;
  esac
done
[ ${#versions[@]} -eq 2 ] || { "${BASH_SOURCE[0]}" --help >&2; exit 2; }

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
programs=()
for version in "${versions[@]}"; do
  program=$("$here/build_commit.sh" "$version" "$work")
  programs+=("$program")
done
python3 "$here/compare.py" ${options[@]+"${options[@]}"} "${programs[@]}" "${versions[@]}"

#!/usr/bin/env bash
# build_commit.sh COMMIT FOLDER: builds that commit's memcity in FOLDER and prints where the program lies. A COMMIT that is a
# program is printed as it is.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
[ -f "$1" ] && [ -x "$1" ] && { realpath "$1"; exit; }
commit=$(git -C "$here" rev-parse --verify --quiet "$1^{commit}") || { echo "$0: no commit and no program: $1" >&2; exit 2; }
tree=$2/$commit program=$2/$commit/build/release/memcity
if [ ! -x "$program" ]; then
  mkdir -p "$tree"
  git -C "$here/.." archive "$commit" | tar x -C "$tree"
  (cd "$tree" && cmake --preset release && cmake --build build/release --target memcity) >"$2/log" 2>&1 ||
    { tail -n 20 "$2/log" >&2; echo "$0: $1 does not build" >&2; exit 1; }
fi
echo "$program"

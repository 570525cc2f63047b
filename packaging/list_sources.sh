#!/usr/bin/env bash
# Prints the names of the repository's files, each followed by a zero byte: those that git knows, or in a source archive all but
# what was built.
cd "$(dirname "$0")/.." || exit
if [ "$(git rev-parse --show-toplevel 2>/dev/null)" = "$PWD" ]; then
  git ls-files -z | while IFS= read -r -d '' name; do [ ! -e "$name" ] || printf '%s\0' "$name"; done
else
  find . \( -path ./build -o -path ./demo -o -path ./debian -o -name node_modules -o -name __pycache__ \) -prune -o -type f -printf '%P\0' | sort -z
fi

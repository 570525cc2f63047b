#!/usr/bin/env bash
# Prints the time that archives and packages bear, in seconds since 1970: of the last commit, or as SOURCE_DATE_EPOCH says; in a
# source archive that of its files.
cd "$(dirname "$0")/.." || exit
[ -z "${SOURCE_DATE_EPOCH:-}" ] || { echo "$SOURCE_DATE_EPOCH"; exit; }
git log -1 --format=%ct 2>/dev/null || stat -c %Y CMakeLists.txt

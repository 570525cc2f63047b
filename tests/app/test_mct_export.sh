#!/usr/bin/env bash
# memcity import and export of the largest recorded trace: all its JSON comes back (the others': test_mct_cli).
. "$(dirname "$0")/../command.sh"
data=$2

tar xf "$data"/traces/perfetto.tar.zst -C "$work"
for format in default anttracks; do
  expect 0 import "$work/perfetto/$format-format" -o "$work/$format.mct"
  expect 0 export "$work/$format.mct" --format "$format" -o "$work/exported"
  ! compares "$format" || run 0 python3 "$data/../compare_json.py" "$work/perfetto/$format-format" "$work/exported/$format-format"
done
finish

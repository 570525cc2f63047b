#!/usr/bin/env bash
# examples/make.sh: one of the examples anew, recording and pictures; the others come the same way.
. "$(dirname "$0")/../command.sh"
examples=$(cd "$(dirname "$0")/../../examples" && pwd)
run 0 "$examples/make.sh" --memcity "$memcity" --output "$work/made" thread-locals
made=$work/made/thread-locals
expect 0 why "$made/before.mct"
prints "ThreadLocal Bank.NOTES"
expect 0 why "$made/after.mct"
! grep -q Bank "$work/out" || fail "mended, and yet: $(head -1 "$work/out")"
grep -qF "Bank\$Note objects pile up in ThreadLocal Bank.NOTES" "$made/README.md" || fail "no answer in the page"
for picture in before after; do
  [ "$(identify -format '%wx%h' "$made/$picture.png")" = 960x540 ] || fail "no picture $picture.png"
done
run 2 "$examples/make.sh" --memcity "$memcity" --output "$work/made" nothing
finish

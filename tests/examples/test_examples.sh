#!/usr/bin/env bash
# What the examples' pages quote is what memcity answers to their recordings.
. "$(dirname "$0")/../command.sh"
examples=$(cd "$(dirname "$0")/../../examples" && pwd)
cp -r "$examples" "$work/examples"
pages=("$work"/examples/*/README.md)
[ ${#pages[@]} -eq 5 ] || fail "${#pages[@]} examples"
run 0 python3 "$examples/answers.py" "$memcity" "${pages[@]}"
[ ! -s "$work/out" ] || fail "$(head -20 "$work/out")"
# A leak's first sentence names who holds it; what is mended does not grow.
for fact in "web-app Shop\$Session objects pile up in Shop.sessions" "cache-that-is-none Prices\$Rate objects pile up in Prices.RATES" \
  "thread-locals Bank\$Note objects pile up in ThreadLocal Bank.NOTES" "class-loaders Plugin objects pile up in Host.atShutdown"; do
  expect 0 why "$examples/${fact%% *}/before.mct"
  prints "${fact#* }"
  expect 0 why "$examples/${fact%% *}/after.mct"
  prints "Nothing keeps growing."
done
# An answer that differs is noticed, and what is quoted is the recordings' alone.
sed -i 's/Nothing keeps growing\./Something keeps growing./' "$work/examples/web-app/README.md"
run 1 python3 "$examples/answers.py" "$memcity" "$work/examples/web-app/README.md"
prints "+Nothing keeps growing."
for page in "$examples"/*/README.md; do
  # shellcheck disable=SC2013 # names without spaces
  for patch in $(grep -o '[a-z0-9-]*\.patch' "$page" | sort -u); do
    python3 - "$page" "$(dirname "$page")/$patch" <<'PY' || fail "$page quotes another $patch"
import sys
page, patch = (open(name, encoding="utf-8").read() for name in sys.argv[1:])
sys.exit(f"```diff\n{patch}```\n" not in page)
PY
  done
done
finish

#!/usr/bin/env bash
# The first sentence about each of many small programs (tests/programs/expected.tsv), and every way and number beside it, against the
# objects of their heaps. Some programs on the JDK in PATH; all of them, on each JDK, where MC_TEST_EVERY_JDK is set.
. "$(dirname "$0")/../command.sh"
. "$(dirname "$0")/../jvm.sh"
check() { # OPTIONS…
  TMPDIR=$work python3 "$(dirname "$0")/../programs/check_programs.py" "$memcity" "$classes" "$@" >"$work/said" || fail "$(cat "$work/said")"
  tail -1 "$work/said"
}
# the checker itself: what it has to find
java -XX:+UseSerialGC -cp "$classes" com.acme.shop.Shop "$work/shop" >/dev/null || fail "no dumps"
run 0 python3 "$(dirname "$0")/../programs/check_checker.py" "$(ls "$work"/shop/*.hprof | tail -1)"
each=()
for home in $(jdks); do each+=(--jdk "$home"); done
if [ -n "${MC_TEST_EVERY_JDK:-}" ]; then
  check "${each[@]}"
elif sanitized; then # nor does the agent bring a sanitizer into a JVM
  check "${each[@]}" --only shop,finalizers,cache --kinds series,rest
else
  check "${each[@]}" --quick --kinds series,oom,agent
fi
finish

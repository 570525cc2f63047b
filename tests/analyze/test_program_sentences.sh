#!/usr/bin/env bash
# The first sentence about each of many small programs (tests/programs/expected.tsv), and every way and number beside it, against the
# objects of their heaps. Some programs on the JDK in PATH; where MC_TEST_EVERY_JDK is set, all of them on the newest, by dumps, and some
# on each, by all kinds of recordings.
. "$(dirname "$0")/../command.sh"
. "$(dirname "$0")/../jvm.sh"
check() { # OPTIONS…
  TMPDIR=$work python3 "$(dirname "$0")/../programs/check_programs.py" "$memcity" "$classes" "$@" >"$work/said" || fail "$(cat "$work/said")"
  tail -1 "$work/said"
}
# the checker itself: what it has to find
java -XX:+UseSerialGC -cp "$classes" com.acme.shop.Shop "$work/shop" >/dev/null || fail "no dumps"
run 0 python3 "$(dirname "$0")/../programs/check_checker.py" "$(ls "$work"/shop/*.hprof | tail -1)"
if [ -n "${MC_TEST_EVERY_JDK:-}" ]; then
  check --jdk "$(newest_jdk)" --kinds series,rest,oom
  for home in $(jdks); do
    check --jdk "$home" --quick
  done
else
  check --jdk "$(jdks)" --quick --kinds series,oom,agent
fi
finish

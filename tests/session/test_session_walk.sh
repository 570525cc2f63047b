#!/usr/bin/env bash
# The walk to the root cause, asked for by an option and by a command, while other things change; without a window.
. "$(dirname "$0")/../command.sh"
unset DISPLAY WAYLAND_DISPLAY
export XDG_CONFIG_HOME=$work/config XDG_DATA_HOME=$work/share
cd "$work" || exit 1

session() { # CODE LINES [OPTIONS…]
  local wanted=$1 lines=$2
  shift 2
  printf '%b' "wait idle\n$lines" >script
  expect "$wanted" "$http" --script script --headless "$@"
}

session 0 "expect walk_shown false\n"
session 0 "expect walk_shown true\nprint selection\n" --walk
prints HostConnectionPool
session 0 "expect walk_shown true\n" --walk --step 9 --select Heap#java.util#LinkedList
session 0 "save seen.json\nwait idle\n" --window 0:20 --metric objects
session 0 "expect walk_shown true\nexpect window [0,20]\n" --view seen.json --walk
# Another layout comes before the walk is found, or behind it.
for _ in 1 2 3; do
  session 0 "step 20\nwait idle\nwalk\nwindow.end\nmetric.next\nwait idle\nexpect walk_shown true\nexpect window [0,20]\n"
  session 0 "metric.next\nwalk\nstep 3\nwait idle\nexpect walk_shown true\n"
done
finish

# What the tests with running Java programs share, behind command.sh: their JDKs, and one program at a time.
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
command -v javac >/dev/null && command -v jcmd >/dev/null || { echo "no JDK" >&2; exit 1; }
jdk=$(dirname "$(dirname "$(realpath "$(command -v java)")")")
target=
trap '[ -n "$target" ] && stop; rm -rf "$work"' EXIT
classes=$work/classes # of tests/java and tests/programs
cp -r "$(dirname "$memcity")/classes" "$classes" || exit 1 # target memcity_classes

# jdks: the folder of the JDK in PATH, and where MC_TEST_EVERY_JDK is set, of others there are
jdks() {
  local home
  echo "$jdk"
  [ -n "${MC_TEST_EVERY_JDK:-}" ] || return 0
  for home in /usr/lib/jvm/*; do
    [ ! -L "$home" ] && [ -x "$home/bin/jcmd" ] && [ "$(realpath "$home")" != "$jdk" ] && echo "$home"
  done
}
newest_jdk() {
  local home
  for home in $(jdks); do
    echo "$(sed -n 's/^JAVA_VERSION="\([0-9]*\).*/\1/p' "$home/release") $home"
  done | sort -n | tail -1 | cut -d' ' -f2-
}
# A killed JVM leaves the socket that jcmd asks it by; who gets its number later would seem to refuse.
forget_socket() { rm -f "/tmp/.java_pid$target" "/tmp/.attach_pid$target"; }
answers() { jcmd "$target" VM.version >/dev/null 2>&1; }
is_java() { grep -q libjvm "/proc/$target/maps"; }
# start COMMAND…: a program that leaks, as what java and its options are; sets $target
start() {
  "$@" -Xmx256m -XX:+UseSerialGC -cp "$classes" Leak 3600 >/dev/null 2>&1 &
  target=$!
  forget_socket
  eventually answers || fail "no program: $*"
}
has_steps() { [ "$(steps_of "$1")" -ge "$2" ]; } # FILE COUNT
steps_of() { "$memcity" info --json "$1" 2>/dev/null | grep -o '"time"' | wc -l; } # of a recording
stop() {
  kill -KILL "$target" 2>/dev/null
  wait "$target" 2>/dev/null
  forget_socket
  target=
}

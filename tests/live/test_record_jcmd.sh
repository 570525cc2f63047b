#!/usr/bin/env bash
# Which jcmd a recording runs: never one that others than the user can put there.
. "$(dirname "$0")/../command.sh"
. "$(dirname "$0")/../jvm.sh"

# A JDK of our own, whose jcmd says that it was run.
chmod 755 "$work"
own=$work/jdk
mkdir -p "$own/bin" "$own/lib/server" "$work/home/bin" "$work/open" "$work/none"
cp -L "$jdk/bin/java" "$own/bin"
cp -L "$jdk/lib/server/libjvm.so" "$own/lib/server"
cp -L "$jdk/lib/libjli.so" "$jdk/lib/jvm.cfg" "$own/lib"
for file in "$jdk"/lib/*; do
  [ -e "$own/lib/${file##*/}" ] || ln -s "$file" "$own/lib"
done
ln -s "$jdk/conf" "$own/conf"
make_jcmd() { # NAME FILE
  printf '#!/bin/sh\necho %s >>"%s"\nexec "%s" "$@"\n' "$1" "$work/ran" "$jdk/bin/jcmd" >"$2"
  chmod 755 "$2"
}
make_jcmd own "$own/bin/jcmd"
make_jcmd home "$work/home/bin/jcmd"
chmod -R g-w,o-w "$own" "$work/home"
unset JAVA_HOME

# records CODE WHICH [VARIABLE=VALUE…]: one step, by the jcmd of this name ("": another one)
records() {
  local code=$1 which=$2
  shift 2
  rm -f "$work/ran" "$work/x.mct"
  run "$code" env "$@" "$memcity" record --pid "$target" --for 0s --all -o "$work/x.mct"
  [ "$(cat "$work/ran" 2>/dev/null)" = "$which" ] || fail "$*: \"$(cat "$work/ran" 2>/dev/null)\" was run, not \"$which\": $(cat "$work/err")"
}

start "$own/bin/java"
records 0 own
grep -q "asking by" "$work/err" && fail "a reason without one: $(cat "$work/err")"
records 0 own JAVA_HOME="$work/home"

for open in "$own" "$own/bin" "$own/bin/jcmd" "$own/lib" "$own/lib/server/libjvm.so"; do
  for mode in g+w o+w; do
    chmod $mode "$open"
    records 0 ""; says "others can change $open"
    chmod g-w,o-w "$open"
  done
done
records 0 own

# by a link into a folder that is open to all
mv "$own/bin/jcmd" "$work/open/jcmd"
ln -s "$work/open/jcmd" "$own/bin/jcmd"
records 0 own
chmod 777 "$work/open"
records 0 ""; says "others can change $work/open"
records 0 home JAVA_HOME="$work/home"; says "$work/home/bin/jcmd"
# where nobody can replace it, the folder may be open, as /tmp is
chmod 1777 "$work/open"
records 0 own
chmod 777 "$work/open"

# none that may be run, one that is named
records 1 "" PATH="$work/none"; says "--jcmd FILE names one"; says "others can change"
rm -f "$work/ran" "$work/x.mct"
expect 0 record --pid "$target" --for 0s --all --jcmd "$own/bin/jcmd" -o "$work/x.mct"
[ "$(cat "$work/ran")" = own ] || fail "the jcmd that was named was not run"
stop
rm "$own/bin/jcmd"
mv "$work/open/jcmd" "$own/bin/jcmd"

# ---- what only root can try: other users, other files
if [ "$(id -u)" -eq 0 ]; then
  if command -v setpriv >/dev/null; then
    chmod 755 "$classes"
    start setpriv --reuid=65534 --regid=65534 --clear-groups "$own/bin/java"
    records 0 ""; says "another user's"
    stop
  fi
  if unshare -m true 2>/dev/null; then
    start unshare -m "$own/bin/java"
    records 0 ""; says "sees other files"
    stop
  fi
fi

finish

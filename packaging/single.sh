#!/usr/bin/env bash
# Makes one executable file of a bundle (bundle.sh): it unpacks itself once into the user's cache, and runs the program there.
#
# usage: single.sh MEMCITY-VERSION-MACHINE.tar.gz FILE
set -euo pipefail
archive=$1 output=$2
name=$(basename "$archive" .tar.gz)
hash=$(sha256sum "$archive" | cut -d ' ' -f 1)
# Lines of the script below: what follows them is the archive.
script=$(sed -e '1,/^# ---- the script$/d' "$0" | sed -e "s/@NAME@/$name/g" -e "s/@HASH@/$hash/g")
lines=$(($(wc -l <<<"$script") + 1))
{ sed "s/@LINES@/$lines/g" <<<"$script"; cat "$archive"; } >"$output"
chmod 755 "$output"
exit
# ---- the script
#!/bin/sh
# memcity in one file. It unpacks itself once, into the cache of whoever runs it, or into a temporary folder where there is none.
# Needs sh, tail, tar, gzip and sha256sum. MEMCITY_UNPACKED=FOLDER says where to unpack instead.
name=@NAME@ hash=@HASH@
fail() { echo "memcity: $*" >&2; exit 1; }
# The folder belongs to whoever runs it, and nobody else can put something into it.
try() { # FOLDER: sets $place
  [ -n "$1" ] || return 1
  place=$1/memcity-$(id -u)
  mkdir -p "$1" 2>/dev/null
  mkdir -m 700 "$place" 2>/dev/null || [ -d "$place" ] || return 1
  [ ! -L "$place" ] && [ -O "$place" ] && [ -w "$place" ] || return 1
  case $(ls -ldn "$place") in drwx------*) ;; *) return 1 ;; esac
  program=$place/$name-$hash/bin/memcity
  [ -x "$program" ] || unpack || return 1
  # A folder may be mounted so that nothing in it runs.
  "$program" --version >/dev/null 2>&1 || { refused="$refused $1"; return 1; }
}
unpack() {
  new=$place/new-$$
  rm -rf "$new"
  mkdir "$new" 2>/dev/null || return 1
  trap 'rm -rf "$new"' EXIT
  trap 'exit 1' HUP INT TERM
  tail -n +@LINES@ "$0" >"$new/archive" 2>/dev/null || { rm -rf "$new"; return 1; }
  [ "$(sha256sum <"$new/archive")" = "$hash  -" ] || fail "$0 is damaged: its checksum is another"
  gzip -dc "$new/archive" | tar -xf - -C "$new" 2>/dev/null || { rm -rf "$new"; return 1; }
  # Whoever comes second finds what the first one made.
  mv "$new/$name" "$place/$name-$hash" 2>/dev/null
  rm -rf "$new"
  trap - EXIT HUP INT TERM
  [ -x "$place/$name-$hash/bin/memcity" ]
}
refused=
[ -r "$0" ] || fail "can't read $0"
if [ -n "$MEMCITY_UNPACKED" ]; then
  try "$MEMCITY_UNPACKED" || fail "can't unpack into $MEMCITY_UNPACKED, or it is mounted noexec"
else
  cache=${XDG_CACHE_HOME:-${HOME:+$HOME/.cache}}
  try "$cache" || try "${TMPDIR:-/tmp}" || try /var/tmp || try /dev/shm ||
    fail "can't unpack itself: ${refused:+nothing runs in$refused (mounted noexec?); }no folder of cache or temporary files can be written; MEMCITY_UNPACKED=FOLDER names another"
fi
exec "$program" "$@"
exit 1

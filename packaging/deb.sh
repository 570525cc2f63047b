#!/usr/bin/env bash
# Makes Debian packages of this repository: memcity, and memcity-agent, what it loads into Java programs.
#
# usage: deb.sh FOLDER [BUILD]    (writes FOLDER/memcity_VERSION_MACHINE.deb and FOLDER/memcity-agent_VERSION_MACHINE.deb;
#                                  with BUILD, where memcity is built already, nothing is compiled)
#
# What lintian says against them ends it with an error.
set -euo pipefail
export LC_ALL=C.UTF-8 TZ=UTC
repository=$(cd "$(dirname "$0")/.." && pwd)
mkdir -p "$1"
output=$(realpath "$1")
[ $# -lt 2 ] || { MEMCITY_BUILD=$(realpath "$2") && export MEMCITY_BUILD; }
for tool in dpkg-buildpackage dh lintian sqlite3; do
  command -v $tool >/dev/null || { echo "deb.sh: $tool is missing" >&2; exit 1; }
done
version=$(sed -n 's/^project(memcity VERSION \([0-9.]*\).*/\1/p' "$repository/CMakeLists.txt")
when=$("$repository/packaging/when.sh")

# It is built in a folder of its own, as a source package is.
source=$output/memcity-$version
rm -rf "$source" "$output"/memcity*_"$version"_*
mkdir -p "$source"
"$repository/packaging/list_sources.sh" | tar -C "$repository" --null -T - -c | tar -x -C "$source"
cp -R "$source/packaging/debian" "$source/debian"
cat >"$source/debian/changelog" <<TEXT
memcity ($version) unstable; urgency=medium

  * What is new stands in changelog.gz, made from CHANGELOG.md.

 -- $(sed -n 's/^Maintainer: //p' "$source/debian/control")  $(date -R -d "@$when")
TEXT
cd "$source"
# Debian's names of dependencies are asked for by who builds (./dev), and may come from elsewhere.
dpkg-buildpackage --build=binary --no-check-builddeps --no-sign --jobs-force="$(nproc)" >"$output/log" 2>&1 ||
  { tail -30 "$output/log" >&2; exit 1; }
cd "$output"
[ "${MEMCITY_LINTIAN:-}" = no ] || lintian --fail-on error,warning --tag-display-limit 0 --allow-root memcity*_"$version"_*.deb
[ -n "${MEMCITY_KEEP_SOURCE:-}" ] || rm -rf "$source"
rm -f memcity_"$version"_*.changes memcity_"$version"_*.buildinfo log
ls memcity*_"$version"_*.deb

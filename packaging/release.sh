#!/usr/bin/env bash
# Makes what a release consists of: the sources, programs for this machine, Debian packages, what is new, and checksums of all.
#
# usage: release.sh FOLDER    (writes FOLDER; of the last commit, so what is not committed is not in it)
#
# All is built in FOLDER from the source archive itself. The same commit makes the same bytes with the same compiler and libraries,
# wherever it is built and when.
set -euo pipefail
export LC_ALL=C.UTF-8 TZ=UTC
repository=$(cd "$(dirname "$0")/.." && pwd)
[ -z "$(git -C "$repository" status --porcelain --untracked-files=no)" ] || echo "release.sh: what is not committed is left out" >&2
mkdir -p "$1"
output=$(realpath "$1")
version=$(sed -n 's/^project(memcity VERSION \([0-9.]*\).*/\1/p' "$repository/CMakeLists.txt")
SOURCE_DATE_EPOCH=$(git -C "$repository" log -1 --format=%ct)
export SOURCE_DATE_EPOCH
name=memcity-$version
rm -rf "$output/parts" "$output"/memcity*"$version"* "$output/SHA256SUMS" "$output/CHANGES.md"

git -C "$repository" archive --format=tar --prefix="$name/" HEAD | gzip -9n >"$output/$name.tar.gz"
mkdir "$output/parts"
tar -xf "$output/$name.tar.gz" -C "$output/parts"
cd "$output/parts/$name"
# The section of this version; until it has one, what is not released yet.
awk -v version="$version" '
  /^## / { if (found) exit; found = $2 == version || (!seen++ && /Unreleased/) } found' CHANGELOG.md >"$output/CHANGES.md"
# One build for all: the one of the packages.
MEMCITY_KEEP_SOURCE=yes packaging/deb.sh "$output/parts/deb"
built=$output/parts/deb/$name/obj
cmake --build "$built" --target memcity_traces >/dev/null
packaging/bundle.sh "$built/memcity" "$output/parts/bundle"
mv "$output"/parts/bundle/memcity-*.tar.gz "$output"/parts/bundle/memcity-*-single "$output"/parts/deb/*.deb "$output/"
cd "$output"
rm -rf parts
sha256sum memcity* CHANGES.md >SHA256SUMS
cat SHA256SUMS

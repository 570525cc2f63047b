#!/usr/bin/env bash
# The Debian packages and the single file, in a bare Debian: packages install with what they depend on, run, replace older
# ones, go without a trace; the single file runs as it is.
. "$(dirname "$0")/../command.sh"
repository=$(cd "$(dirname "$0")/../.." && pwd)
skip() { echo "skipped: $*"; exit 77; }
[ "$(id -u)" -eq 0 ] || skip "only root may install packages in another root"
for tool in mmdebstrap dpkg-buildpackage lintian; do command -v $tool >/dev/null || skip "$tool is missing"; done

run 0 "$repository/packaging/deb.sh" "$work/first" "$(dirname "$memcity")"
prints "memcity-agent_"
[ -s "$work/first/"memcity_*.deb ] || finish
# The same programs make the same packages, in another folder and later.
MEMCITY_LINTIAN=no run 0 "$repository/packaging/deb.sh" "$work/second" "$(dirname "$memcity")"
for package in "$work"/first/*.deb; do
  cmp "$package" "$work/second/$(basename "$package")" || fail "packed again, $(basename "$package") differs"
done
version=$(dpkg-deb -f "$work"/first/memcity_*.deb Version)
# The same with an older version's number, to be replaced.
for package in "$work"/first/*.deb; do
  dpkg-deb -R "$package" "$work/tree"
  sed -i 's/^Version: .*/Version: 0.0.9/' "$work/tree/DEBIAN/control"
  dpkg-deb -Znone -b "$work/tree" "$work/older-$(basename "$package")" >/dev/null
  rm -r "$work/tree"
done

# ---- a bare Debian, from where this machine has its own
root=$work/root
suite=$(sed -n 's/^VERSION_CODENAME=//p' /etc/os-release)
mirror=$(apt-get indextargets --format '$(SITE) $(CODENAME)' 2>/dev/null | sed -n "s/^\(.*\/debian\/*\) $suite\$/\1/p" | head -1)
[ -n "$mirror" ] || skip "no mirror of $suite in this machine's sources"
mmdebstrap --variant=apt --quiet --include=mesa-vulkan-drivers,fonts-dejavu-core "$suite" "$root" "$mirror" >"$work/log" 2>&1 ||
  skip "no bare Debian: $(tail -2 "$work/log")"
mkdir "$root/packages"
cp "$work"/first/*.deb "$work"/older-*.deb "$repository/examples/web-app/before.mct" "$root/packages/"
in_root() { env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root DEBIAN_FRONTEND=noninteractive chroot "$root" "$@"; }
get() { run 0 in_root apt-get -qq -y --no-install-recommends "$@"; }
list() { (cd "$root" && find usr etc var/lib -path var/lib/dpkg -prune -o -path var/lib/apt -prune -o -print | grep -i memcity | sort); }
version_of() { in_root dpkg-query -W -f '${Version}' "$1" 2>/dev/null; }

cp /etc/resolv.conf "$root/etc/resolv.conf"
run 0 in_root apt-get -qq update
[ -z "$(list)" ] || fail "there already: $(list | head -3)"
# The single file needs no package but a driver. The dynamic linker finds what lies beside a program by /proc.
in_container() { unshare -m sh -c 'mount -t proc proc "$0/proc" && exec env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root chroot "$0" "$@"' "$root" "$@"; }
run 0 "$repository/packaging/bundle.sh" "$memcity" "$work/bundle"
cp "$work"/bundle/memcity-*-single "$root/packages/single"
run 0 in_container /packages/single why /packages/before.mct
prints "Shop\$Session objects pile up in Shop.sessions"
run 0 in_container /packages/single render /packages/before.mct --labels --size 320x180 -o /packages/single.png
identify "$root/packages/single.png" >/dev/null || fail "no picture by the single file"
rm -rf "$root/root/.cache"
get install $(cd "$root" && ls packages/older-*.deb | sed 's|^|/|')
[ "$(version_of memcity) $(version_of memcity-agent)" = "0.0.9 0.0.9" ] || fail "no older version: $(tail -3 "$work/err")"
get install $(cd "$root" && ls packages/memcity*.deb | sed 's|^|/|')
[ "$(version_of memcity) $(version_of memcity-agent)" = "$version $version" ] || fail "not upgraded: $(tail -3 "$work/err")"
run 0 in_root memcity --version
prints "memcity $version"
run 0 in_root memcity why /packages/before.mct
prints "Shop\$Session objects pile up in Shop.sessions"
run 0 in_root memcity why /usr/share/memcity/httpclient-3.0.1.mct
run 0 in_root memcity render /packages/before.mct --labels --size 320x180 -o /packages/city.png
identify "$root/packages/city.png" >/dev/null || fail "no picture"
for file in usr/lib/memcity/libmemcity-agent.so usr/lib/memcity/memcity-agent.jar usr/share/man/man1/memcity.1.gz \
  usr/share/applications/memcity.desktop usr/share/zsh/vendor-completions/_memcity usr/share/doc/memcity/README.md.gz; do
  [ -s "$root/$file" ] || [ -s "$root/${file%.gz}" ] || fail "$file is missing"
done
# The agent goes without the program, and the program without the agent.
get remove memcity-agent
run 0 in_root memcity --version
get remove memcity
run 0 in_root dpkg --purge memcity memcity-agent
[ -z "$(list)" ] || fail "left behind: $(list | head -3)"
! in_root dpkg-query -W memcity memcity-agent >/dev/null 2>&1 || fail "still known to dpkg"
finish

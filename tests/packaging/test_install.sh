#!/usr/bin/env bash
# What `cmake --install` puts somewhere runs from there, and desktops and shells can read what lies beside it.
. "$(dirname "$0")/../command.sh"
prefix="$work/an other place"
cmake --install "$(dirname "$memcity")" --prefix "$prefix" >"$work/log" 2>&1 || { fail "cmake --install: $(tail -3 "$work/log")"; finish; }
installed=$prefix/bin/memcity
expect 0 --version
version=$(cut -d ' ' -f 2 "$work/out")
run 0 "$installed" --version
prints "$version"
run 0 "$installed" top "$http" --window 0:25 --json
cp "$work/out" "$work/installed"
expect 0 top "$http" --window 0:25 --json
cmp "$work/out" "$work/installed" || fail "the installed program answers otherwise"

# ---- its agent, where the program looks for it
if [ -f "$(dirname "$memcity")/libmemcity-agent.so" ]; then
  [ -f "$prefix/lib/memcity/libmemcity-agent.so" ] && [ -f "$prefix/lib/memcity/memcity-agent.jar" ] || fail "no agent"
  run 0 "$installed" run --methods exact -o "$work/agent.mct" -- java -version
  says "recorded"
fi

# ---- the sample that an empty window offers
run 0 "$installed" why "$prefix/share/memcity/shop.mct"
grep -q '^Shop[$]Session objects pile up in Shop.sessions' "$work/out" || fail "the sample's finding: $(head -1 "$work/out")"
run 0 "$installed" why "$prefix/share/memcity/httpclient-3.0.1.mct"
grep -q "HostConnectionPool objects pile up" "$work/out" || fail "no sample"

# ---- the manual page, completions, documents
mandoc -T lint -W error "$prefix/share/man/man1/memcity.1" >"$work/lint" || fail "manual page: $(head -3 "$work/lint")"
bash -n "$prefix/share/bash-completion/completions/memcity" || fail "completions for bash"
[ -s "$prefix/share/zsh/site-functions/_memcity" ] && [ -s "$prefix/share/fish/vendor_completions.d/memcity.fish" ] ||
  fail "completions are missing"
for document in README.md LICENSE CHANGELOG.md docs/reference/window.md; do
  [ -s "$prefix/share/doc/memcity/$document" ] || fail "$document is missing"
done

# ---- the desktop: its entry, and types of files by what is in them
desktop-file-validate "$prefix/share/applications/memcity.desktop" || fail "the desktop entry"
[ -s "$prefix/share/icons/hicolor/scalable/apps/memcity.svg" ] || fail "no icon"
update-mime-database "$prefix/share/mime" >"$work/log" 2>&1 || fail "types of files: $(cat "$work/log")"
for type in x-memcity-trace:mct x-java-heap-dump:hprof x-v8-heap-snapshot:heapsnapshot; do
  grep -q "application/${type%:*}:\*.${type#*:}$" "$prefix/share/mime/globs" || fail "no type for $type"
done
for type in $(sed -n 's/^MimeType=//p' "$prefix/share/applications/memcity.desktop" | tr ';' ' '); do
  [ -f "$prefix/share/mime/$type.xml" ] || fail "$type is nowhere described"
done
# The signature that the type names is what memcity writes.
expect 0 import "$http" -o "$work/trace.mct"
[ "$(dd if="$work/trace.mct" bs=1 skip=68 count=4 status=none)" = MCTY ] || fail "an .mct file has another signature"
finish

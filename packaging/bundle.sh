#!/usr/bin/env bash
# Packs the built program with all that it needs into a folder that runs from anywhere, and into a .tar.gz of it.
#
# usage: bundle.sh PROGRAM FOLDER    (writes FOLDER/memcity-VERSION-MACHINE, a .tar.gz of it, and
#                                     FOLDER/memcity-VERSION-MACHINE-single, one file that runs)
#
# Three kinds of libraries:
#   of the system   libc and what belongs to it, which only fits its own dynamic linker. It must be as new as the one
#                   that the program was built with; this script says how new.
#   bundled         all that is memcity's own business: lib/.
#   spare           what graphics drivers are linked with, too, the Vulkan loader and X11: lib/spare/. A process can
#                   have only one of each, and a driver needs the one that it was built with, so the system's goes
#                   first, and the spare one is taken where the system has none. The loader of the system knows, too,
#                   where drivers are. Drivers themselves are always the system's.
set -euo pipefail
export LC_ALL=C.UTF-8
repository=$(cd "$(dirname "$0")/.." && pwd)
program=$(realpath "$1")
mkdir -p "$2"
output=$(realpath "$2")

OF_SYSTEM='ld-linux-.*|libc|libm|libdl|libpthread|librt|libresolv|libnsl|libutil|libanl|linux-vdso'
SPARE='libstdc\+\+|libgcc_s|libz|libzstd|liblz4|libexpat|libX.*|libxcb.*|libbsd|libmd|libvulkan'
# The program opens the first two, volk and GLFW the others by name, when there is something to draw.
OPENED='libglfw.so.3 libfontconfig.so.1 libvulkan.so.1 libX11-xcb.so.1 libXcursor.so.1 libXi.so.6 libXinerama.so.1 libXrandr.so.2
  libXrender.so.1 libXxf86vm.so.1'
SYSTEM_FOLDERS='/lib/x86_64-linux-gnu:/usr/lib/x86_64-linux-gnu:/lib/aarch64-linux-gnu:/usr/lib/aarch64-linux-gnu:/lib64:/usr/lib64:/lib:/usr/lib'
COMPILED_IN='libcglm-dev libimgui-dev libstb-dev libvulkan-dev libvulkan-volk-dev'
FONTS='Inter-Regular.otf Inter-SemiBold.otf DejaVuSans.ttf'

fail() { echo "bundle.sh: $*" >&2; exit 1; }
is_a() { # PATTERN FILE
  [[ $(basename "$2") =~ ^($1)(-[0-9.]+)?\.so ]]
}
find_libraries() { # FILE…: what they need, and what that needs
  ldd "$@" | sed -n 's/.* => \(\/[^ ]*\) .*/\1/p' | sort -u
}
find_opened() { # NAME: as the dynamic linker would
  ldconfig -p | sed -n "s/^\t$1 (libc6,x86-64[^)]*) => //p; s/^\t$1 (libc6,AArch64[^)]*) => //p" | head -1
}

for tool in patchelf ldconfig ldd strip objdump dpkg fc-list sqlite3 gzip tar; do
  command -v $tool >/dev/null || fail "$tool is missing"
done
version=$("$program" --version | cut -d ' ' -f 2)
name=memcity-$version-$(uname -m)
bundle=$output/$name
rm -rf "$bundle" "$bundle.tar.gz" "$bundle-single"
mkdir -p "$bundle"/{bin,lib/spare,share/memcity/fonts,share/man/man1} \
  "$bundle"/share/{bash-completion/completions,zsh/site-functions,fish/vendor_completions.d}

# ---- the program and its libraries
strip --strip-debug -o "$bundle/bin/memcity" "$program"
sources=() # of everything bundled, for the licences
keep_library() { # FILE FOLDER
  install -m 644 "$(realpath "$1")" "$bundle/$2/$(basename "$1")"
  sources+=("$(realpath "$1")")
}
opened=()
for library in $OPENED; do
  path=$(find_opened "$library")
  [ -n "$path" ] || fail "$library is not installed"
  opened+=("$path")
done
for path in $(find_libraries "$program") $(find_libraries "${opened[@]}") "${opened[@]}"; do
  is_a "$OF_SYSTEM" "$path" && continue
  folder=lib
  is_a "$SPARE" "$path" && folder=lib/spare
  [ -e "$bundle/$folder/$(basename "$path")" ] || keep_library "$path" $folder
done
patchelf --set-rpath "\$ORIGIN/../lib:$SYSTEM_FOLDERS:\$ORIGIN/../lib/spare" "$bundle/bin/memcity"
patchelf --set-rpath "\$ORIGIN:$SYSTEM_FOLDERS:\$ORIGIN/spare" "$bundle"/lib/*.so*
patchelf --set-rpath "$SYSTEM_FOLDERS:\$ORIGIN" "$bundle"/lib/spare/*.so*

# ---- what comes with it
agent=$(dirname "$program")/libmemcity-agent.so # where it was built with a JDK's headers
if [ -f "$agent" ]; then
  mkdir -p "$bundle/lib/memcity"
  strip --strip-debug -o "$bundle/lib/memcity/$(basename "$agent")" "$agent"
  chmod 644 "$bundle/lib/memcity/$(basename "$agent")"
fi
jar=$(dirname "$program")/memcity-agent.jar
[ ! -f "$jar" ] || install -m 644 "$jar" "$bundle/lib/memcity/"
for font in $FONTS; do
  # To the last line: a reader that stops earlier would end fc-list by a signal, which counts as a failure.
  path=$(fc-list : file | sed -n "s#: *\$##; \#/$font\$#p" | sort | sed -n 1p)
  [ -n "$path" ] || fail "the font $font is not installed"
  install -m 644 "$path" "$bundle/share/memcity/fonts/"
  sources+=("$path")
done
# How the pages of a database lie depends on how fast it was written; anew they lie the same each time.
for trace in "$(dirname "$program")/share/"*.mct; do
  sqlite3 "$trace" "VACUUM INTO '$bundle/share/memcity/$(basename "$trace")'"
done
"$program" usage man >"$bundle/share/man/man1/memcity.1"
"$program" usage bash >"$bundle/share/bash-completion/completions/memcity"
"$program" usage zsh >"$bundle/share/zsh/site-functions/_memcity"
"$program" usage fish >"$bundle/share/fish/vendor_completions.d/memcity.fish"
# bench/gpu.sh, with the pictures that it compares, and the traces that they show as one file each
bench=$bundle/share/memcity/bench
mkdir -p "$bench"/{pictures,traces}
install "$repository/bench/gpu.sh" "$bench/"
install -m 644 "$repository"/tests/data/pictures/*.{png,sh} "$bench/pictures/"
for archive in "$repository"/tests/data/traces/*.tar.*; do
  trace=$(basename "${archive%.tar.*}")
  "$program" import "$(dirname "$program")/traces/$trace" -o "$output/trace.mct" 2>"$output/log" || fail "$(cat "$output/log")"
  sqlite3 "$output/trace.mct" "VACUUM INTO '$bench/traces/$trace.mct'"
done
rm -f "$output/trace.mct" "$output/log"
documents=$bundle/share/doc/memcity
mkdir -p "$documents"/{third_party,licences}
install -m 644 "$repository"/{README.md,CHANGELOG.md,LICENSE} "$documents/"
cp -R "$repository/docs" "$documents/docs"
chmod -R u=rwX,go=rX "$documents/docs"
install -m 644 "$repository/third_party/README.md" "$documents/third_party/"
# A package may name a file as it was before /lib became /usr/lib.
packages=$(dpkg -S "${sources[@]}" "${sources[@]#/usr}" 2>/dev/null || true)
[ "$(wc -l <<<"$packages")" -ge ${#sources[@]} ] || fail "some of these belong to no package: ${sources[*]}"
for package in $( (cut -d : -f 1 <<<"$packages"; printf '%s\n' $COMPILED_IN) | sort -u); do
  install -m 644 "/usr/share/doc/$package/copyright" "$documents/licences/$package.txt"
done

# ---- does it hold together?
for library in $(LD_LIBRARY_PATH='' find_libraries "$bundle/bin/memcity"); do
  [ -e "$bundle/lib/$(basename "$library")" ] || continue
  [ "$(realpath "$library")" = "$bundle/lib/$(basename "$library")" ] || fail "$library is not taken from the bundle"
done
LD_LIBRARY_PATH='' ldd "$bundle/bin/memcity" | grep 'not found' && fail "libraries are missing"
get_newest() { # PREFIX FILE…: the newest version of the symbols that they need
  local prefix=$1
  shift
  objdump -T "$@" | sed -n "s/.*\*UND\*.*(${prefix}_\([0-9.]*\)).*/\1/p" | sort -Vu | tail -1
}
glibc=$(get_newest GLIBC "$bundle/bin/memcity" $(find "$bundle/lib" -maxdepth 2 -name '*.so*' -not -path '*/spare/*'))
spare_glibc=$(get_newest GLIBC "$bundle"/lib/spare/*.so*)
cat >"$bundle/README.txt" <<TEXT
memcity $version for Linux on $(uname -m)

  bin/memcity TRACE            a window
  bin/memcity --help           everything else
  man -l share/man/man1/memcity.1

Nothing needs to be installed, and the folder may lie anywhere. It needs glibc $glibc or later ($spare_glibc where the
system has none of the libraries in lib/spare), and a Vulkan 1.3 driver for windows, pictures and videos; ffmpeg for
videos. Put it into PATH by a link: ln -s "\$PWD/bin/memcity" ~/.local/bin/

share/memcity/bench/gpu.sh measures all that it does on a GPU, in less than ten minutes, into one JSON file.

Completions: share/bash-completion/completions/memcity, share/zsh/site-functions, share/fish/vendor_completions.d.
Licences of what is bundled: share/doc/memcity/licences.
TEXT
# The same program makes the same archive, whoever packs it and when.
when=$("$repository/packaging/when.sh")
tar --sort=name --owner=0 --group=0 --numeric-owner --mtime="@$when" -C "$output" -c "$name" | gzip -9n >"$bundle.tar.gz"
"$repository/packaging/single.sh" "$bundle.tar.gz" "$bundle"-single
echo "$bundle.tar.gz: $(du -h "$bundle.tar.gz" | cut -f 1), needs glibc $glibc ($spare_glibc with the spare libraries)"

#!/usr/bin/env bash
# The bundle runs from anywhere: with its own libraries and fonts, no PATH, and where nothing but libc is installed.
. "$(dirname "$0")/../command.sh"
repository=$(cd "$(dirname "$0")/../.." && pwd)
pack() { # FOLDER
  run 0 "$repository/packaging/bundle.sh" "$memcity" "$1"
  quiet
}
pack "$work/first"
prints "needs glibc"
archive=$(ls "$work"/first/memcity-*.tar.gz)
# The same program makes the same archive.
pack "$work/second"
cmp "$archive" "$work"/second/memcity-*.tar.gz || fail "a second bundle differs"
single=$work/memcity-single
mv "$work"/first/memcity-*-single "$single"
cmp "$single" "$work"/second/memcity-*-single || fail "a second single file differs"
mkdir "$work/an other place"
tar -xf "$archive" -C "$work/an other place"
rm -r "$work/first" "$work/second"
bundle=$(echo "$work/an other place"/memcity-*)
[ -x "$bundle/bin/memcity" ] || { fail "no program in the archive"; finish; }

# ---- libraries: what lies in lib/ comes from there; of the system there may be libc and what has a spare copy
of_system='^(ld-linux-x86-64|ld-linux-aarch64|libc|libm|libdl|libpthread|librt)\.so'
ldd "$bundle/bin/memcity" >"$work/ldd"
[ "$(grep -c '=> /' "$work/ldd")" -ge 10 ] || fail "ldd: $(cat "$work/ldd")"
# What only windows and pictures need is loaded later.
for name in libglfw.so.3 libfontconfig.so.1; do
  ! grep -q "$name" "$work/ldd" || fail "the program starts with $name"
  ldd "$bundle/lib/$name" >>"$work/loaded" || fail "$name is not bundled"
done
! grep -qE 'libX11|libxcb|libfreetype' <(ldd "$memcity") || fail "the program starts with libraries of windows: $(ldd "$memcity")"
while read -r name path; do
  case $(realpath "$path") in "$bundle"/lib/*) continue ;; esac
  [ -e "$bundle/lib/$name" ] && fail "$name is taken from $path"
  [ -e "$bundle/lib/spare/$name" ] || grep -qE "$of_system" <<<"$name" || fail "$name is not bundled"
done < <(sed -n 's/^\t\([^ ]*\) => \(\/.*\) (0x.*/\1 \2/p' "$work/ldd" "$work/loaded")
! grep -q 'not found' "$work/ldd" "$work/loaded" || fail "ldd: $(grep -h 'not found' "$work/ldd" "$work/loaded")"

# ---- nothing in the environment: the same answers as from where it was built
alone() { env -i PATH=/nonexistent "${driver[@]}" "$bundle/bin/memcity" "$@"; }
driver=(VK_DRIVER_FILES="${VK_DRIVER_FILES:-}" VK_ICD_FILENAMES="${VK_ICD_FILENAMES:-}")
[ -n "${VK_DRIVER_FILES:-}" ] || driver=()
same() { # ARGUMENTS…
  expect 0 "$@"
  cp "$work/out" "$work/wanted"
  run 0 alone "$@"
  cmp "$work/out" "$work/wanted" || fail "the bundle answers otherwise: $*"
}
same --version
same top "$http" --window 0:25 --json
same walk "$http" --window 0:25
for form in man bash zsh fish; do same usage $form; done
run 0 alone import "$http" -o "$work/alone.mct"
same info "$work/alone.mct"
# its agent, from a path with spaces: as an option, and from the environment
agent=$bundle/lib/memcity/libmemcity-agent.so
[ "$(stat -c %a "$agent")" = 644 ] || fail "no agent"
for java in java env; do
  [ $java = java ] && started=(java -version) || started=(env java -version)
  rm -f "$work/agent.mct"
  run 0 "$bundle/bin/memcity" run --sites=all -o "$work/agent.mct" -- "${started[@]}"
  says "recorded"
done
# its own fonts: the system's can't be found
expect 0 render "$http" --labels --legend --size 640x360 -o "$work/wanted.png"
driver+=(FONTCONFIG_FILE=/nonexistent)
run 0 alone render "$http" --labels --legend --size 640x360 -o "$work/alone.png"
! grep -qi fontconfig "$work/err" || fail "$(cat "$work/err")"
cmp "$work/wanted.png" "$work/alone.png" || fail "the bundle's picture differs"

# ---- all in one file: it unpacks itself once, into the cache or, where there is none, a temporary folder
mkdir "$work/home" "$work/temporary"
one() { env -i PATH="$PATH" "$@"; }
for _ in once again; do
  run 0 one HOME="$work/home" "$single" --version
  cmp "$work/out" <("$memcity" --version) || fail "the single file answers otherwise"
done
[ "$(find "$work/home" -name memcity -type f -path '*/bin/*' | wc -l)" = 1 ] || fail "unpacked where? $(find "$work/home" | head -3)"
[ -z "$(find "$work/home" -name 'new-*')" ] || fail "it leaves something behind"
touch "$work/no-home"
run 0 one HOME="$work/no-home" TMPDIR="$work/temporary" "$single" why "$http"
cmp "$work/out" <("$memcity" why "$http") || fail "the single file answers otherwise"
[ -n "$(ls "$work/temporary")" ] || fail "not unpacked into TMPDIR"
head -c 3000000 "$single" >"$work/cut"
run 1 one HOME="$work/home2" "${BASH}" "$work/cut" --version
says "is damaged"
# Where nothing may run it says so; only root can mount such a folder here.
if [ "$(id -u)" -eq 0 ] && unshare -m true 2>/dev/null; then
  mkdir "$work/noexec"
  run 1 one MEMCITY_UNPACKED="$work/noexec" unshare -m sh -c "mount -t tmpfs -o noexec none '$work/noexec' && exec '$single' --version"
  says "noexec"
fi

# ---- the benchmark that comes with it, on small cities
stored=$(find "$repository/tests/data/pictures" -name "*.png" | wc -l)
# SwiftShader's borders lie elsewhere (test_gpu_states.sh), which is said.
differs=0
[[ ${VK_DRIVER_FILES:-} != *swiftshader* ]] || differs=1
run $differs env "${driver[@]}" "$BASH" "$bundle/share/memcity/bench/gpu.sh" --small -o "$work/gpu.json"
alike=$stored
[ $differs = 0 ] || alike=$(sed -n 's/^pictures: \([0-9]*\) of .*/\1/p' "$work/out")
prints "pictures: $alike of $stored as lavapipe draws them"
python3 - "$work/gpu.json" "$stored" "$alike" <<'PY' || fail "bench/gpu.sh: $(head -c 300 "$work/err")"
import json, sys
gpu = json.load(open(sys.argv[1]))
runs = {run["run"]: run for run in gpu["runs"]}
assert gpu["machine"]["device"] and gpu["small"] and [gpu["pictures"][key] for key in ("drawn", "alike")] == [int(n) for n in sys.argv[2:]]
assert all(run["code"] == 0 for run in gpu["runs"]), [run for run in gpu["runs"] if run["code"]]
cases = lambda run: {line.get("case"): line for line in runs[run]["lines"]}
for count in 300, 3000:
    for rasterizer in "raster", "compute":
        assert cases("%s %d" % (rasterizer, count))["orbit, as in the window"]["frame_ms"]["median"] > 0
assert cases("update 3000")["copy on the device"]["speed_gb_per_s"] > 0 and cases("update 3000")["update pass"]["speed_gb_per_s"] > 0
assert cases("playing 3000 320x180")["between two steps, as in the window"]["frame_ms"]["median"] > 0
assert "files to trace" in cases("import") and "squarify" in cases("layout")
PY
# when time is up, what is left is left out, and said
run 1 env "${driver[@]}" "$BASH" "$bundle/share/memcity/bench/gpu.sh" --small --seconds 0 -o "$work/late.json"
prints "left out, no time"
python3 -c 'import json, sys; assert all(run["left_out"] for run in json.load(open(sys.argv[1]))["runs"])' "$work/late.json" || fail "no JSON when time is up"
run 2 "$BASH" "$bundle/share/memcity/bench/gpu.sh" --fast

# ---- what comes with it
for file in README.txt share/man/man1/memcity.1 share/bash-completion/completions/memcity \
  share/zsh/site-functions/_memcity share/fish/vendor_completions.d/memcity.fish \
  share/doc/memcity/README.md share/doc/memcity/docs/reference/window.md share/doc/memcity/licences/libsqlite3-0.txt; do
  [ -s "$bundle/$file" ] || fail "$file is missing"
done
[ -z "$(find "$bundle" -type l)" ] || fail "links: $(find "$bundle" -type l)"

# ---- a root with libc alone; who may not change the root becomes its owner in a name space
root=$work/root
mkdir -p "$root"/{lib64,lib,tmp,proc}
loader=$(sed -n 's/^\t\(\/lib[^ ]*ld-linux[^ ]*\) (0x.*/\1/p' "$work/ldd")
cp "$loader" "$root/$loader" 2>/dev/null || fail "no dynamic linker: $(cat "$work/ldd")"
for name in libc.so.6 libm.so.6 libdl.so.2 libpthread.so.0 librt.so.1; do
  cp "$(ldconfig -p | sed -n "s/^\t$name (libc6,.*64[^)]*) => //p" | head -1)" "$root/lib/" || fail "no $name here"
done
cp -r "$bundle" "$root/bundle"
cp -r "$http" "$root/trace"
enter=(chroot)
[ "$(id -u)" -eq 0 ] || enter=(unshare --map-root-user chroot)
if ! "${enter[@]}" / true 2>"$work/err"; then
  echo "not tried in a bare root: $(cat "$work/err")"
else
  # There is no /proc/self/exe to tell the linker where the program lies.
  in_root() { env -i LD_ORIGIN_PATH=/bundle/bin "$(command -v "${enter[0]}")" "${enter[@]:1}" "$root" /bundle/bin/memcity "$@"; }
  for arguments in "top TRACE --window 0:25" "walk TRACE --window 0:25"; do
    # shellcheck disable=SC2086 # words
    expect 0 ${arguments/TRACE/$http}
    cp "$work/out" "$work/wanted"
    # shellcheck disable=SC2086
    run 0 in_root ${arguments/TRACE//trace}
    cmp "$work/out" "$work/wanted" || fail "in a bare root, otherwise: $arguments"
  done
  run 0 in_root import /trace -o /tmp/trace.mct
  run 1 in_root render /tmp/trace.mct -o /tmp/city.png
  says "No Vulkan driver found"
  run 1 in_root /tmp/trace.mct
  says "can't open a window: X11" # and not that a library can't be loaded
  says "'memcity why TRACE' says what leaks"
fi
finish

#!/usr/bin/env bash
# Small programs with a leak, and the same without it, recorded here and now: each stack and sum as slow readers or the recorder's own
# tools have them, and the line that why names. What takes long is recorded where MC_TEST_EVERY_RECORDER is set (./dev check).
. "$(dirname "$0")/../command.sh"
here=$(cd "$(dirname "$0")" && pwd)
lib=/usr/lib/$(gcc -print-multiarch)
clean() { env -i PATH=/usr/bin:/bin HOME="$work" "$@" >"$work/log" 2>&1 </dev/null || fail "$*: $(tail -3 "$work/log")"; }
same() { run 0 python3 "$here/reference.py" "$memcity" "$@" || cat "$work/out" >&2; }
every() { [ -n "${MC_TEST_EVERY_RECORDER:-}" ]; }
has() { [ -e "$1" ] || command -v "$1" >/dev/null || { echo "$1 is not installed: not recorded" >&2; return 1; }; }
# names LINE FILE…: why accuses it, of the leak; and nothing, of its twin's files in $twin
names() {
  expect 0 why "${@:2}"
  head -1 "$work/out" | grep -qF "$1" || fail "why does not name $1: $(head -1 "$work/out")"
  # shellcheck disable=SC2086 # files
  expect 0 why $twin
  ! head -1 "$work/out" | grep -q "pile up" || fail "a healthy twin is accused: $(head -1 "$work/out")"
}

cd "$work" || exit 1
if has g++ && has heaptrack; then
  cp "$here/leak.cpp" .
  clean g++ -g -O1 -o shop leak.cpp
  for kind in leak healthy; do
    clean heaptrack -o "$kind" ./shop $kind "$(every && echo 600 || echo 300)"
    same heaptrack "$kind.zst"
  done
  twin=healthy.zst names "open_session (leak.cpp:" leak.zst
  # heaptrack's own sums
  heaptrack_print leak.zst >printed 2>&1
  expect 0 info leak.zst --json
  run 0 python3 - "$work/out" printed <<'PYTHON'
import json, re, sys
steps = json.load(open(sys.argv[1]))["steps"]
text = open(sys.argv[2]).read()
def get(what):
    number, unit = re.search(what + r": ([\d.]+)([KMG]?)", text).groups()
    return float(number) * {"": 1, "K": 1e3, "M": 1e6, "G": 1e9}[unit], 0.006 * {"": 1, "K": 1e3, "M": 1e6, "G": 1e9}[unit]
for what, found in ("peak heap memory consumption", max(s["bytes"] for s in steps)), ("total memory leaked", steps[-1]["bytes"]):
    wanted, error = get(what)
    assert abs(found - wanted) <= error, (what, found, wanted)
PYTHON
fi

if has gcc; then
  cp "$here/leak.c" .
  clean gcc -g -O1 -o shop leak.c
  for kind in leak healthy; do
    mkdir -p "jemalloc-$kind" "tcmalloc-$kind"
    if has "$lib/libjemalloc.so.2"; then
      clean env LD_PRELOAD="$lib/libjemalloc.so.2" MALLOC_CONF="prof:true,lg_prof_sample:12,lg_prof_interval:21,prof_prefix:$work/jemalloc-$kind/p" ./shop $kind 2500
      mapfile -t dumps < <(ls -v "jemalloc-$kind"/*.heap)
      seconds=0
      for dump in "${dumps[@]}"; do touch -d "2026-01-02 03:$((seconds / 60)):$((seconds % 60))" "$dump"; seconds=$((seconds + 10)); done
      same heap-profile "${dumps[@]}"
      same heap-profile --symbols ./shop "${dumps[@]}"
    fi
    if has "$lib/libtcmalloc.so.4"; then
      clean env LD_PRELOAD="$lib/libtcmalloc.so.4" HEAPPROFILE="$work/tcmalloc-$kind/g" HEAP_PROFILE_ALLOCATION_INTERVAL=4000000 ./shop $kind 2500
      seconds=0
      for dump in "tcmalloc-$kind"/*.heap; do touch -d "2026-01-02 03:$((seconds / 60)):$((seconds % 60))" "$dump"; seconds=$((seconds + 10)); done
      same heap-profile "tcmalloc-$kind"/*.heap
      same heap-profile --symbols ./shop "tcmalloc-$kind"/*.heap
    fi
  done
  [ -z "$(ls jemalloc-leak)" ] || twin=jemalloc-healthy names "open_session (leak.c:" jemalloc-leak --symbols ./shop
  [ -z "$(ls tcmalloc-leak)" ] || twin=tcmalloc-healthy names "open_session (leak.c:" tcmalloc-leak --symbols ./shop
fi

cp "$here/leak.py" .
for kind in leak healthy; do
  mkdir "python-$kind"
  clean "$(command -v python3)" leak.py $kind "python-$kind" 6 200
  seconds=10
  for dump in "python-$kind"/*; do touch -d "2026-01-02 03:04:$seconds" "$dump"; seconds=$((seconds + 1)); done
  same tracemalloc "python-$kind"/*
done
twin=python-healthy names "leak.py:1" python-leak

if has node; then
  cp "$here/leak.js" .
  for kind in leak healthy; do
    mkdir "node-$kind"
    clean "$(command -v node)" leak.js $kind "node-$kind" 6 2000
    seconds=10
    for dump in "node-$kind"/*; do touch -d "2026-01-02 03:04:$seconds" "$dump"; seconds=$((seconds + 1)); done
    same v8-profile "node-$kind"/*
  done
  twin=node-healthy names "(leak.js:" node-leak
fi

if every && has valgrind && has g++; then
  cp "$here/leak.cpp" .
  clean g++ -g -O1 -o shop leak.cpp
  clean valgrind --tool=massif --massif-out-file=massif.out --time-unit=ms --detailed-freq=1 ./shop leak 400
  same massif massif.out
  # ms_print's own sums of each snapshot
  ms_print massif.out | awk '$1 ~ /^[0-9]+$/ && NF == 6 { gsub(",", ""); print $3 }' | sort -n | uniq >printed
  expect 0 info massif.out --json
  python3 -c 'import json,sys; print(*sorted({s["bytes"] for s in json.load(open(sys.argv[1]))["steps"]}), sep="\n")' "$work/out" >found
  [ -z "$(comm -23 <(sort found) <(sort printed))" ] || fail "sums that ms_print has not: $(comm -23 <(sort found) <(sort printed) | head -3)"
  # A pool that is filled, and then rests for longer than that took.
  cp "$here/pool.c" .
  clean gcc -g -O1 -o pool pool.c
  clean valgrind --tool=massif --massif-out-file=pool.out --time-unit=ms ./pool 400 4000
  twin=pool.out names "open_session (leak.cpp:" massif.out
  clean valgrind --tool=dhat --dhat-out-file=dhat.out ./shop leak 200
  same dhat dhat.out
  # what valgrind prints of it: blocks and bytes in all, at the end
  expect 0 info dhat.out --json
  grep -qE "At t-end: +$(python3 -c 'import json,sys; s = json.load(open(sys.argv[1]))["steps"][-1]; print(f"{s[\"bytes\"]:,} bytes in {s[\"objects\"]:,} blocks")' "$work/out" 2>/dev/null || echo x)" "$work/log" ||
    python3 - "$work/out" "$work/log" <<'PYTHON' || fail "DHAT's own sums differ"
import json, re, sys
last = json.load(open(sys.argv[1]))["steps"][-1]
found = re.search(r"At t-end: +([\d,]+) bytes .*in ([\d,]+) blocks", open(sys.argv[2]).read())
wanted = [int(n.replace(",", "")) for n in found.groups()]
assert wanted == [last["bytes"], last["objects"]], (wanted, last)
PYTHON
fi

if every && has go; then
  cp "$here/leak.go" .
  clean go build -trimpath -o goshop leak.go
  for kind in leak healthy; do
    mkdir "go-$kind"
    clean ./goshop "go-$kind" $kind
    same pprof "go-$kind"/*.gz
    same heap-profile "go-$kind/debug1.txt"
  done
  twin=$(echo go-healthy/*.gz) names "main.open (leak.go:" go-leak/*.gz
  # pprof's own sums, and as a text the same as the last profile
  go tool pprof -raw go-leak/5.pb.gz 2>/dev/null | awk '/^alloc_objects/ { rows = 1; next } /^Locations/ { rows = 0 } rows && /:.*[0-9]/ && !/bytes:/ { for (i = 1; i < 5; i++) { sub(":", "", $i); sum[i] += $i } } END { print sum[3], sum[4] }' >printed
  for file in go-leak/5.pb.gz go-leak/debug1.txt; do
    expect 0 info "$file" --json
    python3 -c 'import json,sys; s = json.load(open(sys.argv[1]))["steps"][-1]; print(s["objects"], s["bytes"])' "$work/out" >found
    cmp -s found printed || fail "$file: $(cat found) instead of $(cat printed)"
  done
fi

finish

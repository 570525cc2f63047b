#!/usr/bin/env bash
# Stored profiles: each stack and sum as slow readers in Python have them, and what is said of bad ones.
. "$(dirname "$0")/../command.sh"
tests=$(cd "$(dirname "$0")/.." && pwd)
data=$tests/data/profiles

same() { # FORMAT FILE…
  run 0 python3 "$tests/profiles/reference.py" "$memcity" "$@" || cat "$work/out" >&2
}

# ---- pprof
same pprof "$data/go-1.pb.gz" "$data/go-5.pb.gz"
# The line of the program, not of what it calls; a folder is a trace; times are the file's.
mkdir "$work/go"
cp "$data"/go-*.pb.gz "$work/go"
expect 0 why "$work/go"
prints "Objects allocated at main.open (leak.go:19) grew the most"
expect 0 top "$work/go" --library-frames
prints "Site: fmt.Sprintf (print.go:220)"
expect 0 top "$work/go" --group-by site,caller --depth 2
prints "Site: main.open (leak.go:19) → Caller: main.main (leak.go:50)"
expect 0 info "$work/go"
prints "alloc_bytes: bytes allocated so far, bytes, a stock, additive"
gzip -dc "$data/go-1.pb.gz" >"$work/plain.bin"
expect 0 export "$work/plain.bin" --rows
cp "$work/out" "$work/plain"
expect 0 export "$data/go-1.pb.gz" --rows
cmp "$work/plain" "$work/out" || fail "a packed profile differs from a plain one"
head -c 700 "$data/go-1.pb.gz" >"$work/cut.pb.gz"
expect 3 info "$work/cut.pb.gz"
says "cut.pb.gz"
head -c 1000 "$work/plain.bin" >"$work/cut.bin"
expect 3 info "$work/cut.bin"
says "cut.bin:"
expect 3 info "$work/cut.bin" "$data/go-5.pb.gz"
expect 0 info "$work/cut.bin" "$data/go-5.pb.gz" --skip-bad-steps
says "left out"

# ---- heaptrack
recording=$data/heaptrack-leak.zst
same heaptrack "$recording"
expect 0 why "$recording"
prints "open_session (leak.cpp:18) pile up"
expect 0 info "$recording" --moments 7
prints "the most bytes are alive"
zstd -qdc "$recording" >"$work/plain"
expect 0 export "$work/plain" --rows
cp "$work/out" "$work/rows"
expect 0 export "$recording" --rows
cmp "$work/rows" "$work/out" || fail "a packed recording differs from a plain one"
gzip -c "$work/plain" >"$work/packed.gz"
expect 0 export "$work/packed.gz" --rows
cmp "$work/rows" "$work/out" || fail "a recording as .gz differs from one as .zst"
mkdir "$work/recordings"
cp "$recording" "$work/recordings/heaptrack.shop.1.zst"
expect 0 export "$work/recordings" --rows
cmp "$work/rows" "$work/out" || fail "a recording in a folder differs"
# What a killed program leaves opens, and says so.
head -c 3000 "$work/packed.gz" >"$work/cut.gz"
expect 3 info "$work/cut.gz"
says "cut off: what happened later is not known"
expect 0 info "$work/cut.gz" --partial
head -c 40000 "$work/plain" >"$work/cut"
expect 0 info "$work/cut" --partial
says "cut off"
sed 's/^v 10400 3$/v 20000 9/' "$work/plain" >"$work/newer"
expect 3 info "$work/newer"
says "file format 9, written by heaptrack 2.0.0; memcity reads 0 to 3"

# ---- memray
python3 "$tests/profiles/memray.py" "$memcity" "$work" >"$work/out" 2>"$work/err" || fail "memray: $(head -3 "$work/out" "$work/err")"
recording=$data/memray-leak.bin
expect 0 why "$recording"
prints "open_session (shop.py:10) pile up"
expect 0 info "$recording" --moments 7
prints "the most bytes are alive"
head -c 3000 "$recording" >"$work/cut.bin"
expect 3 info "$work/cut.bin"
says "its memray recording is cut off: what happened later is not known"
expect 0 info "$work/cut.bin" --partial
expect 0 info "$data/memray-sums.bin"
prints "the most bytes are alive"
expect 0 why "$data/memray-sums.bin"
prints "open_session (shop.py:10) has the most that is alive at the end: 300 KiB, 68.8 % of the heap. At the peak it had "
prints "A peak and an end cannot show growth: a recording without --aggregate does."
expect 0 top "$data/memray-sums.bin"
prints "Site: open_session (shop.py:10)"
head -c 2000 "$data/memray-sums.bin" >"$work/cut.bin"
expect 0 info "$work/cut.bin" --partial
says "cut off"
cat "$work/shop-13-1.bin" /dev/zero | head -c 200000 | lz4 -q -B4 >"$work/padded.lz4"
expect 0 export "$work/padded.lz4" --rows
cp "$work/out" "$work/rows"
expect 0 export "$work/shop-13-1.bin" --rows
cmp "$work/rows" "$work/out" || fail "a packed recording that is filled with zeros differs"
lz4 -q -B4 <"$work/shop-13-1.bin" | head -c 33000 >"$work/cut.lz4"
expect 0 info "$work/cut.lz4" --partial
says "cut off"

# ---- heapprofd
python3 "$tests/profiles/perfetto.py" "$memcity" "$work" >"$work/out" 2>"$work/err" || fail "heapprofd: $(head -3 "$work/out" "$work/err")"
recording=$data/heapprofd.pftrace
expect 0 why "$recording"
prints "Objects allocated at Shop::openSession(int) (shop.cc:18) pile up: +5.00 KiB/s"
gzip -c "$recording" >"$work/packed.gz"
expect 0 info "$work/packed.gz"
expect 0 top "$work/pair.pftrace" --group-by process,heap
prints "process: 101 → heap: com.acme.arena"
head -c 900 "$recording" >"$work/cut.pftrace"
expect 3 info "$work/cut.pftrace"
says "a field that ends within its message"

# ---- massif
same massif "$data/massif-leak.out"
same massif "$data/massif-stacks.out"
expect 0 why "$data/massif-leak.out"
quiet
prints "Objects allocated at open_session (leak.cpp:18) pile up: +"
# A pool that was filled, and no event until the end.
expect 0 why "$data/massif-pool.out"
quiet
prints "Nothing keeps growing. fill_pool (pool.c:12) grew by 1.42 MiB from step 0 to 8 and then stopped."
# By allocated bytes nobody can tell that it rested, nor that a leak goes on: what grew is named, and nothing is accused.
clock="The clock counts allocated bytes, so growth cannot be told from filling: record with --time-unit=ms."
sed 's/^time_unit: .*/time_unit: B/' "$data/massif-pool.out" >"$work/massif-bytes.out"
expect 0 why "$work/massif-bytes.out"
prints "Objects allocated at fill_pool (pool.c:12) grew the most: +1.42 MiB since the recording began. $clock"
! grep -q "pile up\|keeps growing\|/s\|Rate" "$work/out" || fail "filling is accused: $(head -1 "$work/out")"
massif_bytes() { # UNTIL: sessions are opened at the first of 24 snapshots, and work goes on
  printf 'desc: --time-unit=B\ncmd: ./shop\ntime_unit: B\n'
  for i in $(seq 0 23); do
    bytes=$((100000 + (i < $1 ? i : $1) * 50000))
    printf '#---\nsnapshot=%d\n#---\ntime=%d\nmem_heap_B=%d\nmem_heap_extra_B=0\nmem_stacks_B=0\nheap_tree=detailed\n' "$i" $((i * 90000)) "$bytes"
    printf 'n1: %d (heap allocation functions) malloc\n n0: %d 0x1094: open_session (shop.c:12)\n' "$bytes" "$bytes"
  done
}
massif_bytes 23 >"$work/massif-bytes.out"
expect 0 import "$work/massif-bytes.out" -o "$work/bytes.mct"
expect 0 export "$work/massif-bytes.out" -o "$work/bytes.json"
expect 0 export "$work/massif-bytes.out" --rows -o "$work/bytes.tsv"
for trace in massif-bytes.out bytes.mct bytes.json bytes.tsv; do
  expect 0 why "$work/$trace"
  prints "Objects allocated at open_session (shop.c:12) grew the most: +1.10 MiB since the recording began. $clock"
  expect 0 walk "$work/$trace"
  prints "$clock"
  expect 0 why "$work/$trace" --json
  prints '{"verdict":"unknown",'
done
massif_bytes 8 >"$work/massif-bytes.out"
expect 0 why "$work/massif-bytes.out"
prints "Nothing keeps growing. open_session (shop.c:12) grew by 391 KiB from step 0 to 8 and then stopped."
says "it counts allocated bytes; a thousand of them is shown as a millisecond"
expect 0 top "$data/massif-stacks.out"
says "it counts instructions; a thousand of them is shown as a millisecond"
prints "Site: (below massif's threshold)"
prints "Site: (stacks)"
mkdir "$work/valgrind"
cp "$data/massif-leak.out" "$work/valgrind/massif.out.4711"
expect 0 info "$work/valgrind"

# ---- DHAT
same dhat "$data/dhat-leak.out"
expect 0 top "$data/dhat-leak.out" --metric never_read
prints "Site: open_session (leak.cpp:18)"
expect 0 about "$data/dhat-leak.out" --metric reads_per_byte
cp "$data/dhat-leak.out" "$work/dhat.json"
expect 0 info "$work/dhat.json"

# Several files are a step each, what was alive at their ends, whatever their own clocks say. One says at least what is the largest.
dhat_run() { # FILE TIME LOGS ITEMS SECOND: of 100 and 300 bytes; a session for two items
  cat >"$work/$1" <<DHAT
{"dhatFileVersion":2,"mode":"heap","verb":"Allocated","bklt":true,"bkacc":false,"tu":"instrs","Mtu":"Minstr","tuth":500,"cmd":"shop",
"pid":1,"te":$2,"tg":$2,"pps":[
{"tb":$(($3 * 100)),"tbk":$3,"tl":1,"mb":$(($3 * 100)),"mbk":$3,"gb":$(($3 * 100)),"gbk":$3,"eb":$(($3 * 100)),"ebk":$3,"fs":[1,3]},
{"tb":$(($4 * 300)),"tbk":$4,"tl":1,"mb":$(($4 * 300)),"mbk":$4,"gb":$(($4 * 300)),"gbk":$4,"eb":$(($4 * 300)),"ebk":$4,"fs":[2,3]},
{"tb":$(($4 * 20)),"tbk":$(($4 / 2)),"tl":1,"mb":0,"mbk":0,"gb":$(($4 * 20)),"gbk":$(($4 / 2)),"eb":$(($4 * 20)),"ebk":$(($4 / 2)),"fs":[4,3]}],
"ftbl":["[root]","0x1: log_line (shop.c:3)","0x2: open_session (shop.c:9)","0x3: main (shop.c:20)","0x4: open_session (shop.c:8)"]}
DHAT
  touch -d "2026-01-02 03:04:0$5" "$work/$1"
}
mkdir "$work/runs"
dhat_run runs/dhat.out.1 5000000 100 400 1
dhat_run runs/dhat.out.2 5000000 200 800 2
dhat_run runs/dhat.out.3 9000000 300 1200 3
expect 0 why "$work/runs/dhat.out.1" "$work/runs/dhat.out.2"
quiet
prints "Objects allocated at open_session (shop.c:9) grew the most: +117 KiB since the recording began"
expect 0 why "$work/runs"
prints "Objects allocated at open_session (shop.c:9) grew the most: +234 KiB since the recording began"
expect 0 info "$work/runs" --json
prints '"objects":1400,"bytes":'
expect 0 why "$work/runs/dhat.out.1"
sums="A peak and an end cannot show growth: valgrind --tool=massif --time-unit=ms --detailed-freq=1 and heaptrack do."
prints "open_session (shop.c:9) has the most that is alive at the end: 117 KiB, 87.0 % of the heap. At the peak it had 117 KiB. It freed none of the 400 objects that it allocated. $sums"
expect 0 why "$work/runs/dhat.out.1" --json
prints '{"verdict":"unknown",'
expect 0 import "$work/runs/dhat.out.1" -o "$work/dhat.mct"
expect 0 why "$work/dhat.mct"
prints "$sums"
# Of whatever metric, of a site that is asked for, and of one that is the only one.
expect 0 why "$work/runs/dhat.out.1" --metric alloc_bytes
prints "open_session (shop.c:9) has the most that is alive at the end: 117 KiB, 87.0 % of the heap."
expect 0 walk "$work/runs/dhat.out.1" --from "Heap#log_line (shop.c:3)"
prints "log_line (shop.c:3) has alive at the end: 9.77 KiB"
cat >"$work/one.out" <<'DHAT'
{"dhatFileVersion":2,"mode":"heap","verb":"Allocated","bklt":true,"bkacc":false,"tu":"instrs","Mtu":"Minstr","tuth":500,"cmd":"shop",
"pid":1,"te":5000000,"tg":5000000,"pps":[{"tb":500,"tbk":1,"tl":1,"mb":500,"mbk":1,"gb":500,"gbk":1,"eb":500,"ebk":1,"fs":[1]}],
"ftbl":["[root]","0x1: main (shop.c:3)"]}
DHAT
expect 0 why "$work/one.out"
prints "main (shop.c:3) has the most that is alive at the end: 500 B, 100.0 % of the heap. At the peak it had 500 B. It never freed the one object that it allocated. $sums"
# Some were freed, or all.
sed 's/"eb":120000,"ebk":400/"eb":90000,"ebk":300/' "$work/runs/dhat.out.1" >"$work/some.out"
expect 0 why "$work/some.out"
prints "At the peak it had 117 KiB. Of 400 objects that it allocated, 300 were never freed."
sed 's/"eb":[0-9]*,"ebk":[0-9]*/"eb":0,"ebk":0/' "$work/runs/dhat.out.1" >"$work/all.out"
expect 0 why "$work/all.out"
prints "Nothing is alive at the end. open_session (shop.c:9) had the most at the peak: 117 KiB, 87.0 % of the heap. $sums"
dhat_run runs/dhat.out.2 5000000 100 400 2
dhat_run runs/dhat.out.3 5000000 100 401 3
expect 0 why "$work/runs"
prints "Nothing has grown much."

# ---- lines whose objects come together: the one that brings the most is named, and that the others' are counted with it
{
  printf 'time\tSite\tCaller\tobjects\tbytes\n'
  for step in 1 2 3 4 5 6 7 8; do
    printf '%d000\topen_session (shop.c:8)\tmain (shop.c:20)\t%d\t%d\n' $step $((step * 100)) $((step * 4000))
    printf '%d000\topen_session (shop.c:9)\tmain (shop.c:20)\t%d\t%d\n' $step $((step * 200)) $((step * 60000))
  done
} >"$work/lines.tsv"
expect 0 why "$work/lines.tsv" --group-by site
prints "Objects allocated at open_session (shop.c:9) pile up, with those of 1 more line: "
# Goroutines that do not end show in a heap profile as what Go's runtime allocates for each.
sed -i 's/open_session (shop.c:9)/runtime.malg (proc.go:4076)/; /shop.c:8/d' "$work/lines.tsv"
expect 0 why "$work/lines.tsv" --group-by site
prints "this is what goroutines need: they are not ending, and goroutine profiles (/debug/pprof/goroutine) say where"

# ---- V8's sampled profiles
same v8-profile "$data/v8-1.heapprofile" "$data/v8-2.heapprofile"
for i in 1 2; do
  cp "$data/v8-$i.heapprofile" "$work"
  touch -d "2026-01-02 03:04:0$i" "$work/v8-$i.heapprofile"
done
expect 0 why "$work/v8-1.heapprofile" "$work/v8-2.heapprofile"
prints "Objects allocated at handle (leak.js:23) grew the most"
# What the engine does for a line is that line's.
expect 0 top "$work/v8-1.heapprofile" --library-frames --group-by site,caller --depth 2
prints "Site: set ([V8]) → Caller: openSession (leak.js:19)"
# In whatever order members stand, with a byte more or less.
echo '{"samples":[],"head":{"children":[{"selfSize":5,"children":[{"callFrame":{"url":"file:///a.js","lineNumber":6,"functionName":"f"},"selfSize":7}],"callFrame":{"functionName":"","url":"b.js","lineNumber":-1}}],"callFrame":{"functionName":"(root)"},"selfSize":3}}' >"$work/made.heapprofile"
expect 0 export "$work/made.heapprofile" --rows
cut -f 2,4,6 "$work/out" | tail -n +2 | sort >"$work/rows"
printf '%s\t%s\t%s\n' '(anonymous) (b.js)' '\N' 5 '(unknown)' '\N' 3 'f (/a.js:7)' '(anonymous) (b.js)' 7 | sort | cmp -s - "$work/rows" || fail "made: $(cat "$work/rows")"
head -c 900 "$data/v8-1.heapprofile" >"$work/cut.heapprofile"
expect 3 info "$work/cut.heapprofile"
says "cut.heapprofile:900: expected"
sed 's/"selfSize":[0-9]*/"selfSize":-1/' "$data/v8-1.heapprofile" >"$work/wrong.heapprofile"
expect 3 info "$work/wrong.heapprofile"
says "found -1"
python3 -c 'print("{\"head\":" + "{\"callFrame\":{\"functionName\":\"f\"},\"selfSize\":1,\"children\":[" * 200000 + "]}" * 200000 + "}")' >"$work/deep.heapprofile"
expect 0 info "$work/deep.heapprofile"

# ---- heap profiles as text
mkdir "$work/jemalloc" "$work/gperftools"
cp "$data"/jemalloc-* "$work/jemalloc"
cp "$data"/gperftools-* "$work/gperftools"
for folder in jemalloc gperftools; do # none has a time: those of the files
  touch -d '2026-01-02 03:04:05' "$work/$folder"/*-1.heap
  touch -d '2026-01-02 03:04:15' "$work/$folder"/*-2.heap
  same heap-profile "$work/$folder"/*
  expect 0 why "$work/$folder"
  prints "(shop) grew the most"
  says "most frames are addresses without names; --symbols"
done
same heap-profile "$data/go-debug1.txt"
# Dumps of one time of change are told apart.
touch -d '2026-01-02 03:04:05' "$work/jemalloc"/*
expect 0 info "$work/jemalloc"
prints "steps        2"

# ---- tracemalloc
mkdir "$work/python"
cp "$data"/python-* "$work/python"
touch -d '2026-01-02 03:04:05' "$work/python"/*-1.tracemalloc
touch -d '2026-01-02 03:04:15' "$work/python"/*-2.tracemalloc
same tracemalloc "$work/python"/*
expect 0 why "$work/python"
prints "py/leak.py:12"
printf '\200\004\225\000\000\000\000\000\000\000\000\214\013tracemalloc\214\010Snapshot\223)R.' >"$work/evil.pickle"
expect 3 info "$work/evil.pickle"
says "the opcode 0x52, which is not executed"

finish

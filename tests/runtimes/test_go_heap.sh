#!/usr/bin/env bash
# What Go's debug.WriteHeapDump writes: one leak for each way to leak, and healthy twins.
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../command.sh"
command -v go >/dev/null || { echo "go is not installed: not recorded" >&2; exit 77; }
cd "$work" || exit 1

mkdir dumps
clean() { env -i PATH=/usr/bin:/bin HOME="$work" "$@" >log 2>&1 </dev/null || fail "$*: $(tail -3 log)"; }
clean go build -o shop "$here/leak.go"
cd dumps || exit 1
for way in map list slice goroutine; do clean ../shop $way leak 5 1; done
for way in map goroutine; do clean ../shop $way healthy 5; done
mkdir plain
(cd plain && clean ../../shop map leak 5)
for i in 0 1 2 3 4; do touch -d 2026-01-01T00:0$i:00Z -- *-$i.dump plain/*-$i.dump; done
while IFS='|' read -r way sentence; do
  expect 0 why $way-leak-?.dump --binary ../shop
  head -1 "$work/out" | grep -q "^$sentence" || fail "$way: $(head -1 "$work/out")"
done <<'END'
map|48-byte main.newSession (leak.go:33) objects .*pile up in global main.sessions (a map)
list|48-byte main.newSession (leak.go:33) objects .*pile up in global main.shop
slice|48-byte main.newSession (leak.go:33) objects .*pile up in global main.queue
goroutine|3072-byte main.serve (leak.go:44) objects pile up, kept alive by a local variable of .*(goroutine created by main.serve, waits in chan receive)
END
prints '750 goroutines (created by main.serve, waits in chan receive) pile up'
for way in map goroutine; do
  expect 0 why $way-healthy-?.dump --binary ../shop
  # What the runtime keeps for later may grow by a little.
  ! head -1 "$work/out" | grep -q 'main\.\|goroutines' || fail "$way is healthy: $(head -1 "$work/out")"
done
# The ways begin with what holds them, in Go's words, of dumps and of a trace alike.
expect 0 paths map-leak-4.dump --binary ../shop --of 'main.newSession (leak.go:33)'
prints ' global main.sessions → map'
expect 0 paths goroutine-leak-4.dump --binary ../shop --of 'main.serve (leak.go:44)'
prints ' a local variable of main.serve.func1 (goroutine created by main.serve, waits in chan receive) → 3072-byte'
expect 0 import --paths map-leak-?.dump --binary ../shop -o paths.mct
expect 0 paths paths.mct --of 'main.newSession (leak.go:33)'
prints ' global main.sessions → map'
expect 0 roots goroutine-leak-4.dump --binary ../shop
prints ' 750  goroutine          goroutine created by main.serve, waits in chan receive  →'
prints ' stack              main.serve.func1 (goroutine created by main.serve'
expect 0 why map-leak-?.dump --binary ../shop
prints '{ 1 × 48 B with 3 pointers, '
# Hardly any allocation was noted: by size and pointers.
expect 0 why plain/map-leak-?.dump --binary ..
head -1 "$work/out" | grep -q '^48-byte, 3-pointer objects .*pile up in global main.sessions (a map)' || fail "not noted: $(head -1 "$work/out")"

for dump in map-leak-4 goroutine-leak-4 slice-leak-0; do
  run 0 python3 "$here/go_reference.py" "$memcity" $dump.dump ../shop || cat "$work/err" >&2
done

# Without its program, with it beside the dump, with one that did not write it, and one without symbols.
expect 0 roots map-leak-4.dump
prints 'global bss+0x'
cp ../shop plain/anything
expect 0 roots plain/map-leak-4.dump
prints 'global main.sessions'
sed 's/^var queue/var more [77]*int\nvar queue/; s/fmt.Sscan/more[2] = \&rounds\n\tfmt.Sscan/' "$here/leak.go" >other.go
clean go build -o other other.go
clean go build -ldflags=-s -o stripped "$here/leak.go"
expect 1 why map-leak-4.dump --binary other
says 'other is not the program that wrote the dump: its functions or variables lie elsewhere'
expect 1 why map-leak-4.dump --binary stripped
says 'it has no symbols'
expect 1 why map-leak-4.dump --binary "$memcity"
says 'it is no program of Go'
expect 1 why map-leak-4.dump --binary map-leak-4.dump
says 'is no ELF file'

head -c -400000 map-leak-4.dump >cut.dump
expect 3 info cut.dump
says 'it is cut off in or before the record at byte'
expect 0 info cut.dump --partial
gzip -k map-leak-3.dump
expect 0 why map-leak-2.dump map-leak-3.dump.gz --binary ../shop
prints 'global main.sessions'

# Healthy programs without their binaries: no name tells what is the runtime's own.
clean go build -o twin "$here/twin.go"
for kind in ring json pool counters steady; do
  clean ./twin $kind 6
  for i in 0 1 2 3 4 5; do touch -d 2026-01-01T00:0$i:00Z $kind-0$i.dump; done
  mkdir $kind && mv $kind-0?.dump $kind
  expect 0 why $kind/*.dump
  head -1 "$work/out" | grep -q '^Nothing' || fail "$kind is healthy: $(head -1 "$work/out")"
done

../shop wait leak 1 &
shop=$!
eventually readlink -e /proc/$shop/exe >"$work/exe"
expect 1 record --pid $shop -o x.mct
says 'is no Java program: it has no libjvm.so; it is one of Go: have it call debug.WriteHeapDump'
kill $shop

finish

#!/usr/bin/env bash
# Far heaps where something goes wrong: cut connections, a full disk, another architecture; and containers, by programs that stand
# in for kubectl and docker and run in namespaces of their own.
# usage: test_far_cut.sh PROGRAM DATA_FOLDER
. "$(dirname "$0")/../command.sh"
. "$(dirname "$0")/../far.sh"
python3 "$(dirname "$0")/../hprof_maker.py" "$there/data/a.hprof" --seed 3 --objects 4000 --classes 30 --id-size 8
programs() { ls "$there/cache/memcity/far" 2>/dev/null | wc -l; }
serving() { pgrep -f "$1.* far-serve\$" >/dev/null; }
works() { [ -n "$(ls -A "$there/tmp")" ]; }
not_serving() { ! serving "$there"; }

# a disk that is full: nothing stays, and another try goes well
printf '#!/bin/sh\nulimit -f 2000\nexec "%s" -i -f "%s/ssh/sshd_config"\n' "$sshd" "$work" >"$work/bin/limited"
chmod +x "$work/bin/limited"
sed -i 's,bin/proxy,bin/limited,' "$work/ssh/config"
expect 1 info ssh://prod"$there"/data/a.hprof
says "memcity: prod: memcity can't be kept there: is the disk full"
expect_nothing_left
[ "$(programs)" = 0 ] || fail "half a program is there"
sed -i 's,bin/limited,bin/proxy,' "$work/ssh/config"

# a connection that is cut while the program is copied
cat >"$work/bin/pass" <<'TEXT'
import os
left = 2000000
while left > 0 and (piece := os.read(0, min(left, 65536))):
    os.write(1, piece)
    left -= len(piece)
TEXT
printf '#!/bin/sh\npython3 "%s/bin/pass" | "%s/bin/proxy"\n' "$work" "$work" >"$work/bin/short"
chmod +x "$work"/bin/*
sed -i 's,bin/proxy,bin/short,' "$work/ssh/config"
expect 1 info ssh://prod"$there"/data/a.hprof
says "memcity: prod: "
expect_nothing_left
[ "$(programs)" = 0 ] || fail "half a program is there"
sed -i 's,bin/short,bin/proxy,' "$work/ssh/config"
expect 0 info ssh://prod"$there"/data/a.hprof
[ "$(programs)" = 1 ] || fail "no program is there"

# one that is cut while it works: the program there ends, and what it made goes
mkfifo "$there/data/pipe"
"$memcity" import --rows ssh://prod"$there"/data/pipe -o "$work/never.mct" 2>/dev/null &
client=$!
exec 9<>"$there/data/pipe" # it never ends
eventually serving "$there"
eventually works
pkill -KILL -P $client || fail "no connection to cut"
wait $client && fail "a cut connection is a success"
eventually not_serving
exec 9>&-
expect_nothing_left
[ ! -e "$work/never.mct" ] || fail "half a trace"
# Ctrl-C twice
"$memcity" import --rows ssh://prod"$there"/data/pipe -o "$work/never.mct" 2>/dev/null &
client=$!
exec 9<>"$there/data/pipe"
eventually serving "$there"
kill -TERM $client
sleep 0.5
kill -TERM $client
exec 9>&-
wait $client && fail "an interrupted import is a success"
eventually not_serving
expect_nothing_left

# another architecture
printf '#!/bin/sh\ncase $1 in -m) echo riscv64 ;; *) echo Linux ;; esac\n' >"$there/bin/uname"
chmod +x "$there/bin/uname"
expect 1 info ssh://prod"$there"/data/a.hprof
says "memcity: prod: that is Linux riscv64, this memcity is for $(uname -sm)"
rm "$there/bin/uname"

# --keep: what was imported stays there, under this name alone
expect 0 tree ssh://prod"$there"/data/a.hprof --keep "$there/data/kept.mct" -o "$work/tree.svg"
expect 0 info "$there/data/kept.mct"
expect_nothing_left
expect 2 info ssh://prod"$there"/data/a.hprof --keep x
says "--keep: this command writes no file"
expect 2 tree "$there/data/a.hprof" --keep x -o "$work/tree.svg"
says "--keep: expected an address"

# containers, where nothing can be kept as well
container() { # NAME: a program of that name, which runs what stands behind its options
  cat >"$work/bin/$1"
  chmod +x "$work/bin/$1"
}
unshare -Urpf true 2>/dev/null && inside="unshare -Urpf --mount-proc" || inside=
container kubectl <<TEXT
#!/bin/bash
[ "\$*" ] && printf '%s ' "\$@" | head -c 60 >"$work/kubectl"
while [ "\$1" != -- ]; do shift; done
shift
exec $inside env -i PATH="\$PATH" TMPDIR="$there/tmp" "\$@"
TEXT
container docker <<TEXT
#!/bin/bash
[ "\$1 \$2 \$3" = "exec -i 0a1b" ] || exit 9
shift 3
exec $inside env -i PATH="\$PATH" HOME="$there/home" TMPDIR="$there/tmp" "\$@"
TEXT
expect 0 top "$there/data/a.hprof" --json -n 3
same=$(cat "$work/out")
for address in "kubectl://ns@pod-1/app$there/data/a.hprof" "docker://0a1b$there/data/a.hprof"; do
  expect 0 top "$address" --json -n 3
  [ "$(cat "$work/out")" = "$same" ] || fail "$address: another answer: $(head -c 300 "$work/out")"
done
grep -q '^exec -i -n ns -c app pod-1 -- sh -c' "$work/kubectl" || fail "kubectl: $(cat "$work/kubectl")"
[ -d "$there/home/.cache/memcity/far" ] || fail "docker: nothing is kept"
expect_nothing_left
mkdir "$work/none"
PATH=$work/none expect 1 info podman://x/a
says "memcity: x: podman is not installed here"
finish

#!/usr/bin/env bash
# A heap dump in a real container, of an image that has nothing but busybox: no C library, no folder of a user. Answers are those
# of the same file here, and nothing is left there but the program.
# usage: test_far_container.sh PROGRAM DATA_FOLDER
. "$(dirname "$0")/../command.sh"
here=$(realpath "$(dirname "$0")")
[ "$(id -u)" -eq 0 ] || { echo "containers without root are not tried here" >&2; exit 77; }
for program in podman runc busybox; do
  command -v $program >/dev/null || { echo "no $program" >&2; exit 1; }
done
export XDG_CACHE_HOME=$work/cache
mkdir -p "$work"/{bin,image/bin,image/tmp,storage,state}
name=memcity-$$
stop() {
  podman rm -f -t 0 "$name" >/dev/null 2>&1
  rm -rf "$work"
}
trap stop EXIT

# A machine that is itself a container may not raise limits: the container keeps those that there are.
cat >"$work/bin/runc" <<'PY'
#!/usr/bin/env python3
import json, os, sys

arguments = sys.argv[1:]
for option, value in zip(arguments, arguments[1:]):
    path = {"--bundle": os.path.join(value, "config.json"), "--process": value}.get(option)
    if path and os.path.isfile(path):
        settings = json.load(open(path))
        settings.get("process", settings).pop("rlimits", None)
        json.dump(settings, open(path, "w"))
os.execvp("/usr/sbin/runc", ["runc", *arguments])
PY
cat >"$work/bin/podman" <<TEXT
#!/bin/sh
exec /usr/bin/podman --root "$work/storage" --runroot "$work/state" --storage-driver vfs --events-backend none --runtime "$work/bin/runc" "\$@"
TEXT
chmod +x "$work"/bin/*
PATH=$work/bin:$PATH

for step in 1 2; do
  python3 "$here/../hprof_maker.py" "$work/image/tmp/heap $step.hprof" --seed $step --objects 4000 --classes 30 --id-size 8
  # behind the format's name and the size of an identifier, the time
  python3 -c 'import sys; sys.stdout.buffer.write((1700000000000 + 1000 * int(sys.argv[1])).to_bytes(8, "big"))' $step |
    dd of="$work/image/tmp/heap $step.hprof" bs=1 seek=23 conv=notrunc status=none
done
cp "$(command -v busybox)" "$work/image/bin"
for applet in $(busybox --list); do
  [ "$applet" = busybox ] || ln -sf busybox "$work/image/bin/$applet"
done
tar -C "$work/image" -cf "$work/image.tar" .
run 0 podman import "$work/image.tar" memcity-test
run 0 podman run -d --name "$name" --network none memcity-test /bin/sleep 1000

for command in "top --json -n 5" "why --json" "info --json"; do
  expect 0 $command "$work/image/tmp/heap 2.hprof"
  sed "s|$work/image||g" "$work/out" >"$work/here"
  expect 0 $command "podman://$name/tmp/heap 2.hprof"
  cmp -s "$work/here" "$work/out" || fail "$command: another answer: $(diff "$work/here" "$work/out" | head -c 300)"
done
# A pattern is expanded there, and what draws gets the trace.
expect 0 info "podman://$name/tmp/*.hprof" --json
prints '"time":1700000001000,'; prints '"time":1700000002000,'
expect 0 render "podman://$name/tmp/*.hprof" --size 320x200 -o "$work/there.png"
expect 0 render "$work/image/tmp" --size 320x200 -o "$work/here.png"
cmp -s "$work/here.png" "$work/there.png" || fail "a picture of another trace"
expect 1 info "podman://$name/tmp/none.hprof"
says "none.hprof"
run 0 podman exec "$name" find /tmp /.cache -mindepth 1 -maxdepth 1
[ "$(sort "$work/out" | tr '\n' ' ')" = "/.cache/memcity /tmp/heap 1.hprof /tmp/heap 2.hprof " ] || fail "left there: $(cat "$work/out")"
expect 1 info "podman://memcity-none-$$/tmp/heap 1.hprof"
says "no such container"
finish

#!/usr/bin/env bash
# Recordings of JFR that JVMs write here and now: sums by class and old objects as the JDK's own tool has them, and who holds those.
. "$(dirname "$0")/../command.sh"
. "$(dirname "$0")/../jvm.sh"
cd "$work" || exit 1
same() { # FILE PRINTED: what the JDK's own tool printed of it
  expect 0 top "$1" -n 100000 --group-by class --json
  cp "$work/out" "$work/top"
  expect 0 why "$1" --json
  run 0 python3 - "$2" "$work/top" "$work/out" <<'PYTHON'
import json, re, sys
events, top, why = (json.load(open(path)) for path in sys.argv[1:])
events = [(e["type"], e["values"]) for e in events["recording"]["events"]]
wanted = {}
for kind, v in events:
    if kind == "jdk.ObjectAllocationSample":
        name = v["objectClass"]["name"].split("+0x")[0].split("/0x")[0]
        levels = len(name) - len(name.lstrip("["))
        name = name[levels:]
        primitive = {"Z": "boolean", "B": "byte", "C": "char", "S": "short", "I": "int", "J": "long", "F": "float", "D": "double"}
        name = primitive[name] if levels and len(name) == 1 else name[1:-1] if levels else name
        name = re.sub(r"\$\$Lambda.*", "$$Lambda", name.replace("/", ".")) + "[]" * levels
        wanted[name] = wanted.get(name, 0) + v["weight"]
found = {re.sub("^Heap#", "", row["key"]): row["last"] for row in top if row["last"]}
assert wanted == found, (wanted, found)
old = [v for kind, v in events if kind == "jdk.OldObjectSample"]
assert why["old_objects"]["sampled"] == len(old) > 0, (why["old_objects"], len(old))
PYTHON
  [ -s "$work/err" ] && cat "$work/err" >&2
}
for home in $(jdks); do
  run 0 env -i PATH=/usr/bin:/bin "$home/bin/java" -Xmx96m -XX:+UseSerialGC -cp "$classes" \
    "-XX:StartFlightRecording=filename=$work/x.jfr,settings=profile,path-to-gc-roots=true" JfrShop leak 3
  "$home/bin/jfr" print --json --events jdk.ObjectAllocationSample,jdk.OldObjectSample "$work/x.jfr" >"$work/printed"
  same "$work/x.jfr" "$work/printed"
  expect 0 paths "$work/x.jfr" --of Heap
  prints "static "
done

# A recording of a JVM that runs, beside which nothing stays; and of one that ends before.
run_shop() { # SECONDS
  env -i PATH=/usr/bin:/bin java -Xmx96m -XX:+UseSerialGC -cp "$classes" JfrShop leak "$1" >/dev/null 2>&1 &
  target=$!
  forget_socket
  eventually answers || fail "no program"
}
run_shop 600
expect 0 record --jfr $target -o shop.jfr --for 2s
says "shop.jfr: "
expect 0 paths shop.jfr --of Heap
prints "static JfrShop.SESSIONS → java.util.HashMap"
jcmd $target JFR.check 2>/dev/null | grep -q memcity && fail "the JVM goes on recording"
[ -z "$(find . -name '*.hprof' -o -name '.memcity*')" ] || fail "something is left: $(ls -A)"
expect 2 record --jfr $target --all -o x.jfr
says "record: --jfr is a recording of its own, without --all"
expect 2 record --jfr $target
says "record: -o FILE.jfr is missing"
"$memcity" record --jfr $target -o ended.jfr --for 1h 2>err &
eventually grep -q "recording process" err
stop
wait $! 2>/dev/null
grep -q "has ended, and its recording with it" err || fail "of a program that ended: $(cat err)"
[ ! -e ended.jfr ] || fail "a file without a recording"
finish

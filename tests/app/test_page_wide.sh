#!/usr/bin/env bash
# memcity page of larger traces: every value as it was recorded, and the picture.
. "$(dirname "$0")/../command.sh"
data=$2
browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome) || fail "no chromium"
sanitized && finish
# Numbers that take more than four bytes, groups that come and go, and more steps than a byte has bits.
python3 -c 'import random
random.seed(7)
print("time\tPackage\tType\tobjects\tbytes")
for step in range(19):
    for group in range(3000):
        if random.random() < 0.8:
            print(step * 1000, f"p{group % 40}", f"Type{group}", group + step, random.randrange(2 ** random.randrange(1, 53)), sep="\t")' >"$work/many.tsv"
expect 0 import --rows "$work/many.tsv" -o "$work/many.mct"
expect 0 page "$work/many.mct" --window 0:18 -o "$work/many.html"
# Each change and the first value take four bytes; what they add up to takes more.
python3 -c 'print("time\tPackage\tType\tobjects\tbytes")
for step in range(5):
    for group in range(300):
        print(step * 1000, f"p{group % 40}", f"Type{group}", 1, group + step * 2**30, sep="\t")' >"$work/climb.tsv"
expect 0 import --rows "$work/climb.tsv" -o "$work/climb.mct"
expect 0 page "$work/climb.mct" --window 0:4 -o "$work/climb.html"
expect 0 page "$traces/perfetto" -o "$work/perfetto.html"
expect 0 page "$traces/javac-daemon" -o "$work/javac-daemon.html"
expect 0 export "$traces/javac-daemon" --rows --tsv -o "$work/javac-daemon.tsv"
[ "$(stat -c %s "$work/perfetto.html")" -lt 1000000 ] || fail "the page takes $(stat -c %s "$work/perfetto.html") bytes"
run 0 env TMPDIR="$work" timeout 300 python3 "$data/../page_in_browser.py" "$browser" values "$work/javac-daemon.html" "$work/javac-daemon.tsv" + \
  values "$work/many.html" "$work/many.tsv" + values "$work/climb.html" "$work/climb.tsv" + picture "$work/perfetto.html" "$work/drawn.png" light + phone "$work/perfetto.html"
cat "$work/out" "$work/err" >&2
expect 0 render "$traces/perfetto" --size 640x400 -o "$work/wanted.png"
expect 0 bench compare "$work/drawn.png" "$work/wanted.png"
awk '$1 == "mean" && $2 <= 0.02 { ok = 1 } END { exit !ok }' "$work/out" || fail "$(cat "$work/out")"
finish

#!/usr/bin/env bash
# What `diff` says to people, against its own JSON: a sentence on the result, then what grew, the program's own groups first, then
# what shrank; each group once, the largest difference first, what is new or gone marked as such.
. "$(dirname "$0")/../command.sh"
here=$(cd "$(dirname "$0")" && pwd)
memcity=$(realpath "$memcity")
traces=$(realpath "$traces")
cd "$work" || exit 1

# parts BEFORE AFTER SENTENCE [OPTION…]
parts() {
  local before=$1 after=$2 sentence=$3
  shift 3
  expect 0 diff "$before" "$after" "$@" --json
  mv out told.json
  expect 0 diff "$before" "$after" "$@" -n 0
  python3 - "$sentence" <<'PY' 2>said || fail "$before, $after: $(tail -n 1 said | head -c 300)"
import json, re, sys
told = json.load(open("told.json"))
lines = open("out", encoding="utf-8").read().splitlines()
assert lines[0].startswith(sys.argv[1]) and lines[1] == "", lines[0]
groups = [group for group in told["groups"] if group["difference"] != 0]
def is_library(key):
    package, name = key.split("#")[-2:]
    return package == "(primitive)" or re.match(r"(javax?|jdk|sun|com\.sun(?!\.tools))\.", package + ".") is not None
order = ["Grew", "Grew in the language's library", "Shrank", "Shrank in the language's library"]
wanted = [[], [], [], []]
for group in groups:
    wanted[2 * (group["difference"] < 0) + is_library(group["key"])].append((group["key"].split("#", 1)[1].replace("#", " → "), group["state"]))
seen, part = {}, None
for line in lines:
    heading = re.match(r"(Grew[^:]*|Shrank[^:]*): ([\d,]+) groups?(?:, ([\d,]+) (new|gone))?$", line)
    if heading:
        part = seen[heading[1]] = []
        counts = int(heading[2].replace(",", "")), int((heading[3] or "0").replace(",", ""))
        index = order.index(heading[1])
        assert counts == (len(wanted[index]), sum(state != "both" for _, state in wanted[index])), (line, len(wanted[index]))
    elif line == "":
        part = None
    elif part is not None and not line.lstrip().startswith("difference"):
        state = re.search(r"  (new|gone)   ?(?=\S)", line)
        part.append((re.split(r" {2,}", line.strip())[-1], state[1] if state else "both"))
assert list(seen) == [name for name, groups in zip(order, wanted) if groups], list(seen)
for name, groups in zip(order, wanted):
    assert seen.get(name, []) == groups, (name, next(pair for pair in zip(seen[name], groups) if pair[0] != pair[1]))
PY
}
parts "$traces/httpclient-3.0.1" "$traces/javac-daemon" \
  'javac-daemon holds 73.0 MiB more than httpclient-3.0.1: +18.3 MiB in byte[], +4.78 MiB in List, '
grep -q '; 802 new groups, 108 gone\.$' out || fail "how many are new"
parts "$traces/javac-daemon" "$traces/httpclient-3.0.1" 'httpclient-3.0.1 holds 73.0 MiB less than javac-daemon: −18.3 MiB in byte[], '
parts "$traces/httpclient-3.0.1" "$traces/httpclient-3.0.1" 'AFTER has ' --at 3:20 --metric objects
# None of what made the most is the program's: what is its own is named as well.
cat >before.tsv <<'T'
time	Package	Type	objects	bytes
0	java.lang	String	1	1000
0	com.acme	Cart	1	1000
T
sed 's/^0\(.*String\)\t.*/0\1\t9\t9000/; s/Cart\t1\t1000/Cart\t2\t1010/' before.tsv >after.tsv
for name in Integer Long Short; do printf '0\tjava.lang\t%s\t1\t5000\n' "$name" >>after.tsv; done
printf '0\tcom.acme\tCart[]\t1\t500\n' >>after.tsv
expect 0 diff before.tsv after.tsv
prints "+7.81 KiB in String, +4.88 KiB in Integer, +4.88 KiB in Long; of the program's own groups most, +500 B in Cart[]; 4 new groups."
# One side is of the language alone: no part is named after it.
expect 0 diff "$traces/httpclient-3.0.1" "$traces/httpclient-3.0.1"; prints 'AFTER holds as much as BEFORE.'
grep -q library out && fail "nothing differs, and yet in a library"
# A site or a method is told with what it is in.
profile=$here/../data/profiles/heaptrack-leak.zst
expect 0 diff "$profile" "$profile" --at 0:3; prints 'than BEFORE: +82.5 KiB in open_session (leak.cpp:18) → main (leak.cpp:42), '
# Names as short as tells them apart; too many of them.
mkdir a b; cp before.tsv a/x.tsv; cp after.tsv b/x.tsv
expect 0 diff a/x.tsv b/x.tsv; prints 'b/x.tsv holds 23.0 KiB more than a/x.tsv: '
expect 2 diff a/x.tsv a/x.tsv b/x.tsv b/x.tsv; says 'unexpected argument b/x.tsv; two sides are compared: of several dumps each, name their folders'
finish

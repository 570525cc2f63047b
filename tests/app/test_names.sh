#!/usr/bin/env bash
# Names that a file chose to do harm: none reaches a terminal, all come back exact in data.
. "$(dirname "$0")/../command.sh"

# $work/trace: a folder of steps, in which every name holds something odd; $work/keys.json: the full keys.
python3 - "$work" <<'PY'
import json, os, sys
work = sys.argv[1]
odd = ["\x1b[31mred\x1b]0;t\x07", "line\nbreak\r", "tab\there", "\u009b2J\u0085", "\u202egnp\u202c", "\u2066x\u2069",
       "\u200e\u200f\u061c", "\u2028\u2029", "nul\x00a", "nul\x00b", "\ufffe\uffff", "back\\slash", "<b>&\"'", "=1+1", "é→☃😀", "\x7f"]
def node(key, name, role, value, children=()):
    n = {"key": key, "name": name, "role": role, "bytes": value, "objects": value}
    if children: n["children"] = list(children)
    return n
def step(t):
    leaves = [node("H\x1b#" + s, s, "role\x00%d\x1b" % (i % 3), 1 if s == "\x7f" else 100 + 50 * t * (i + 1)) for i, s in enumerate(odd)]
    return {"time": 1000 * t, "root": node("H\x1b", "H\x1b", "", sum(l["bytes"] for l in leaves), leaves)}
os.mkdir(work + "/trace")
for name in "points-to-maps", "pointed-from-maps": os.mkdir(work + "/trace/" + name)
for t in range(6):
    json.dump(step(t), open(work + "/trace/%d.json" % t, "w"))
    keys = ["H\x1b#" + s for s in odd]
    json.dump({"time": 1000 * t, "pointerMap": {a: {b: 1} for a, b in zip(keys, keys[1:])}}, open(work + "/trace/points-to-maps/%d.json" % t, "w"))
    json.dump({"time": 1000 * t, "pointerMap": {b: {a: 1} for a, b in zip(keys, keys[1:])}}, open(work + "/trace/pointed-from-maps/%d.json" % t, "w"))
json.dump(["H\x1b"] + ["H\x1b#" + s for s in odd], open(work + "/keys.json", "w"))
PY

# Nothing but printable characters, tabs and line ends.
cat >"$work/check.py" <<'PY'
import sys
for path in sys.argv[1:]:
    text = open(path, "rb").read().decode("utf-8")  # strict
    bad = {c for c in text if (c < " " and c not in "\t\n") or "\x7f" <= c <= "\x9f" or
           c in "\u061c\u200e\u200f\u2028\u2029\ufffe\uffff" or "\u202a" <= c <= "\u202e" or "\u2066" <= c <= "\u2069"}
    assert not bad, (path, sorted(hex(ord(c)) for c in bad))
PY
plain() { python3 "$work/check.py" "$work/out" "$work/err" || fail "a terminal would obey: $*"; }
show() { # CODE ARGUMENTS…
  expect "$@"
  plain "$@"
}

trace=$work/trace
show 0 import "$trace" -o "$work/t.mct"
for input in "$trace" "$work/t.mct"; do
  show 0 info "$input"; prints "role�"
  show 0 top "$input"
  show 0 top "$input" --trend
  show 0 find "$input" nul
  show 0 refs "$input" --of "$(printf 'H\033#=1+1')"
  show 0 walk "$input"
  show 0 why "$input"; show 0 why "$input" --json
  show 0 gate "$input" "$input" --rule '**: any'
  show 4 gate "$input" --rule '**: +0'
  for command in layout city; do
    show 0 "$command" "$input"
    python3 - "$work" <<'PY' || fail "$command: other keys"
import json, re, sys
work = sys.argv[1]
keys = set(json.load(open(work + "/keys.json")))
def unescape(text):
    simple = {"t": b"\t", "n": b"\n", "r": b"\r", "\\": b"\\"}
    return re.sub(rb"\\(x..|.)", lambda m: bytes([int(m[1][1:], 16)]) if len(m[1]) == 3 else simple[m[1].decode()], text).decode()
found = {unescape(line.split(b"\t")[0]) for line in open(work + "/out", "rb").read().splitlines()}
assert found <= keys and len(found) >= len(keys) - 1, keys - found
PY
  done
  for arguments in "top" "find nul" "walk" "info"; do
    # shellcheck disable=SC2086
    set -- $arguments
    show 0 "$1" "$input" ${2:+"$2"} --json
    mv "$work/out" "$work/said"
    run 0 python3 -c '
import json, sys
keys, said = set(json.load(open(sys.argv[2]))), json.load(open(sys.argv[1]))
if sys.argv[3] == "info":
    assert sorted(said["classifiers"]) == ["role\0%d\x1b" % i for i in range(3)], said
if sys.argv[3] == "top":
    assert {row["key"] for row in said} == keys - {"H\x1b"}, said
if sys.argv[3] == "find":
    assert said["hits"] == 2 and {node["key"] for node in said["nodes"]} <= keys, said
' "$work/said" "$work/keys.json" "$1"
  done
done

# ---- what other programs read
expect 4 gate "$trace" --rule "$(printf 'a\033\xff\xef\xbf\xbe<&"\n: +0')" --rule '**: +0' --junit "$work/gate.xml"
plain gate
run 0 python3 - "$work/gate.xml" <<'PY'
import sys, xml.etree.ElementTree as tree
suite = tree.parse(sys.argv[1]).getroot()
assert suite.get("tests") == "2" and suite[0].get("name").startswith("a���<&\"�:"), tree.tostring(suite)
assert "é→☃😀" in suite[1][0].text and "<b>&\"'" in suite[1][0].text, suite[1][0].text
PY
python3 "$work/check.py" "$work/gate.xml" || fail "JUnit"
expect 0 report "$trace" --no-pictures -o "$work/r.html"
python3 "$work/check.py" "$work/r.html" || fail "the report"
grep -q "nul�a" "$work/r.html" || fail "a name is cut off at a NUL"

# ---- back to JSON, and again: as it was
expect 0 export "$work/t.mct" --format default -o "$work/a"
expect 0 export "$work/t.mct" --format anttracks -o "$work/b"
for form in a b; do
  expect 0 import "$work/$form" -o "$work/$form.mct"
  expect 0 export "$work/$form.mct" --format default -o "$work/${form}2"
done
run 0 python3 - "$work" <<'PY'
import json, sys
work = sys.argv[1]
def read(folder, name):
    document = json.load(open("%s/%s/%s" % (work, folder, name)))
    if "root" in document: document["root"]["children"].sort(key=lambda n: n["key"])
    return document
import os
for t in range(6):
    given = read("trace", "%d.json" % t)
    for folder in "a", "a2":
        names = sorted(os.listdir("%s/%s/default-format" % (work, folder)))
        names = [n for n in names if n.endswith(".json")]
        assert given in [read(folder + "/default-format", n) for n in names], (t, folder)
    roles = {n["role"] for n in read("b2/default-format", names[t])["root"]["children"]}
    assert roles == {"role\0%d\x1b" % i for i in range(3)}, roles
PY

# ---- rows: exact in pipes and files, and a terminal shows what is printable of them
here=$(cd "$(dirname "$0")" && pwd)
terminal() { # CODE ARGUMENTS…: as show, where stdout is a terminal
  run "$1" python3 "$here/on_terminal.py" "$memcity" "${@:2}"
  plain "${@:2}"
}
python3 "$here/../hprof_maker.py" "$work/plain.hprof" --objects 60
python3 -c '
import sys
data = open(sys.argv[1], "rb").read()
for old, new in (b"/Type1", b"/\x1b[31m"), (b"field0", b"\xc2\x9b31m\xff"), (b"a/b/C$D", b"a/b/\x1bc\x07"): data = data.replace(old, new)
open(sys.argv[2], "wb").write(data)' "$work/plain.hprof" "$work/odd.hprof"
for form in --tsv --csv; do
  expect 0 export "$work/t.mct" --rows $form
  grep -q "$(printf '\033')" "$work/out" || fail "rows in a pipe are not exact"
  cp "$work/out" "$work/piped"
  expect 0 export "$work/t.mct" --rows $form -o "$work/rows"
  cmp "$work/rows" "$work/piped" || fail "rows in a file are others than in a pipe"
  terminal 0 export "$work/t.mct" --rows $form; prints "é→☃😀"
  [ "$(wc -l <"$work/out")" -ge 90 ] || fail "lines are missing on the terminal"
  terminal 0 export "$work/t.mct" --rows $form -o /dev/stdout
  terminal 0 export "$work/t.mct" --rows $form -o "$work/rows" --references -
done
terminal 1 export "$work/t.mct" --rows --ddl clickhouse
terminal 0 export "$http" --rows --ddl clickhouse --table "$(printf 'a\033[31m')"; prints 'a�[31m'
for flag in "" --references --csv; do
  expect 0 objects "$work/odd.hprof" $flag; grep -q "$(printf '\033')" "$work/out" || fail "objects in a pipe are not exact"
  terminal 0 objects "$work/odd.hprof" $flag; prints "�[31m"
done
# every other command that tells names
root=$(printf 'H\033') leaf=$(printf 'H\033#=1+1')
for json in "" --json; do
  for command in info top why; do terminal 0 $command "$work/t.mct" $json; done
  terminal 0 walk "$work/t.mct" $json; terminal 0 find "$work/t.mct" nul $json
  terminal 4 gate "$work/t.mct" --rule '**: +0' $json; terminal 0 diff "$work/t.mct" "$trace" $json
  terminal 0 refs "$work/t.mct" --of "$leaf" $json; terminal 0 top "$work/t.mct" --trend $json
  terminal 0 roots "$work/odd.hprof" $json
  terminal 0 whatif "$work/odd.hprof" --demolish p4.q $json
done
for command in layout city diff tree refs roots; do
  case $command in
  diff) set -- "$work/t.mct" "$trace" --tsv ;;
  refs) set -- "$work/t.mct" --of "$leaf" --tsv ;;
  roots) set -- "$work/odd.hprof" --tsv ;;
  *) set -- "$work/t.mct" --tsv ;;
  esac
  terminal 0 $command "$@"
done
terminal 0 report "$trace" --no-pictures -o /dev/stdout
terminal 0 merge "$(printf 'a\033=')$work/t.mct" "b=$work/t.mct" --under host -o "$work/$(printf 'm\033[31m').mct"
terminal 0 info "$work/$(printf 'm\033[31m').mct"
printf '0\ta\033[31mnote\302\233\n' >"$work/notes"
terminal 3 info "$trace" --notes "$work/notes"
printf 'wait idle\nselect %s\ncopy.key\ncopy.row\nprint selection\nprint trace\nsave %s\n' "$leaf" "$work/$(printf 'v\033').json" >"$work/script"
run 0 python3 "$here/on_terminal.py" --err "$memcity" view "$trace" --headless --no-settings --script "$work/script"; plain view
run 1 python3 "$here/on_terminal.py" --err "$memcity" info "$work/$(printf 'x\033[31m')"; plain info

# ---- messages
odd=$(printf 'x\n\033[2J\302\233\342\200\256\377')
show 1 info "$work/$odd"; says "x��[2J���"
show 2 info --"$odd"; says "unknown option --x��[2J"
show 2 top "$trace" -n "$odd"; says "not \"x��[2J"
show 2 refs "$trace" --of "$odd"; says "no node has the full key \"x��[2J"
show 2 refs "$trace" --of "ul"; says "H\\x1b#nul\\x00b"
printf '{"time":1,"root":{"key":"H","name":"H","role":"","bytes":1,"objects":1,"children":[{"key":"\\u001b\\n\\u0000c","name":"a","role":"b","bytes":1,"objects":1},{"key":"\\u001b\\n\\u0000c","name":"a","role":"b","bytes":1,"objects":1}]}}' >"$work/$odd.json"
show 3 info "$work/$odd.json"; says 'the key "���c" occurs twice'
show 3 info "$work/$odd.json" --skip-bad-steps
finish

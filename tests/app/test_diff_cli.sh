#!/usr/bin/env bash
# Two traces compared: every leaf of many pairs of steps against an independent computation, folded names, moves, bad usage.
. "$(dirname "$0")/../command.sh"
here=$(cd "$(dirname "$0")/.." && pwd)
memcity=$(realpath "$memcity")
reference=$here/versus_reference.py
traces=$(realpath "$traces")
http=$traces/httpclient-3.0.1
cd "$work" || exit 1
for name in httpclient-3.0.1 javac-daemon perfetto; do
  expect 0 export "$traces/$name" --format default -o "plain-$name"
  expect 0 import "$traces/$name" -o "$name.mct"
done

# compare BEFORE AFTER METRIC STEP:STEP…
compare() {
  local before=$1 after=$2 metric=$3 printed=() steps
  shift 3
  for steps in "$@"; do
    expect 0 diff "$before.mct" "$after.mct" --at "$steps" --metric "$metric" --no-moves --tsv
    mv out "diff-$steps"
    printed+=("$steps=diff-$steps")
  done
  ! compares steps || python3 "$reference" "plain-$before" "plain-$after" "$metric" "${printed[@]}" >said 2>&1 ||
    fail "$before, $after: $(tail -n 1 said | head -c 300)"
}
compare httpclient-3.0.1 javac-daemon objects 0:25 12:13 26:0
compare javac-daemon httpclient-3.0.1 bytes 3:20 25:26
compare httpclient-3.0.1 httpclient-3.0.1 bytes 12:6 26:13
compare perfetto perfetto bytes 0:1

# ---- every leaf at every step, as a pair shows them, aligned however

# pair BEFORE AFTER ALIGN [WINDOW WINDOW]
pair() {
  local before=$1 after=$2 how=$3 windows=-
  shift 3
  [ $# -eq 0 ] || { windows=$1,$2; set -- --base-window "$1" --versus-window "$2"; }
  expect 0 export "$before.mct" --versus "$after.mct" --align "$how" --no-moves --rows -o rows "$@"
  ! compares rows || python3 "$reference" --rows "plain-$before" "plain-$after" "$how" "$windows" rows >said 2>&1 ||
    fail "$before, $after, $how, $windows: $(tail -n 1 said | head -c 300)"
}
pair httpclient-3.0.1 javac-daemon step
pair javac-daemon httpclient-3.0.1 end
pair httpclient-3.0.1 javac-daemon time
pair javac-daemon httpclient-3.0.1 3:20
pair javac-daemon javac-daemon step 0:9 10:25
pair httpclient-3.0.1 httpclient-3.0.1 time 5:20 0:3
pair httpclient-3.0.1 javac-daemon 6:4 5:7 2:25
for name in httpclient-3.0.1 javac-daemon perfetto; do
  expect 0 export "$name.mct" --versus "$traces/$name" --rows -o rows
  ! compares same || python3 "$reference" --same-rows rows >said 2>&1 || fail "$name with itself: $(tail -n 1 said | head -c 300)"
done
expect 2 export httpclient-3.0.1.mct --versus javac-daemon.mct -o nowhere; says "--rows"
expect 2 export httpclient-3.0.1.mct --versus javac-daemon.mct --rows --base-window 9:5; says "--base-window: expected"
expect 3 export httpclient-3.0.1.mct --versus javac-daemon.mct --rows --versus-window 0:99; says "the second trace has steps 0 to 25"
expect 3 export httpclient-3.0.1.mct --versus javac-daemon.mct --rows --versus-window 0:9 --align 0:12; says "step 12 of the second"

same() { # PRINTED LEAST_MOVED
  python3 "$reference" --same "$@" >said 2>&1 || { tail -n 1 said | head -c 300; return 1; }
}
# ---- a trace with itself: nothing differs, also if all packages are called otherwise
expect 0 diff "$http" httpclient-3.0.1.mct --json
same out 0 || fail "with itself"
packages=$(python3 - plain-httpclient-3.0.1 <<'PY'
import json, pathlib, sys
names = set()
for path in pathlib.Path(sys.argv[1], "default-format").glob("*.json"):
    for child in json.loads(path.read_text())["root"]["children"]:
        names.add(child["name"])
print(" ".join(f"{name}=renamed.{name}" for name in sorted(names)))
PY
)
# shellcheck disable=SC2086 # words
python3 "$reference" --rename plain-httpclient-3.0.1 . all $packages
expect 0 diff "$http" all --json
same out 400 || fail "all packages renamed"
expect 0 export "$http" --versus all --rows -o rows
python3 "$reference" --same-rows rows >said 2>&1 || fail "all packages renamed: $(tail -n 1 said | head -c 300)"
python3 "$reference" --rename plain-httpclient-3.0.1 . some org.apache.commons.httpclient=com.acme.web
expect 0 diff "$http" some -n 3
prints 'org.apache.commons.httpclient  is  com.acme.web'
expect 0 diff "$http" some --no-moves --json
python3 - out <<'PY' || fail "--no-moves"
import json
told = json.load(open("out"))
states = {group["state"] for group in told["groups"]}
assert states == {"both", "new", "gone"} and told["moved"] == [], states
PY
# packages put together, into a new one and into one that there was: each is a move, none is emptied
python3 - <<'PY'
import json, pathlib
for path in pathlib.Path("plain-httpclient-3.0.1", "default-format").glob("*.json"):
    step = json.loads(path.read_text())
    packages = {package["name"]: package for package in step["root"]["children"]}
    for name in sorted(packages):
        into = "acme" if name.startswith("org.apache") else "java.util" if name.startswith("java.util.concurrent") else None
        if into is None:
            continue
        if into not in packages:
            packages[into] = {"key": "Heap#" + into, "name": into, "objects": 0, "bytes": 0, "children": []}
        package, other = packages.pop(name), packages[into]
        for metric in "objects", "bytes":
            other[metric] += package[metric]
        for child in package["children"]:
            other["children"].append({**child, "key": f"Heap#{into}#{child['name']}"})
    step["root"]["children"] = list(packages.values())
    pathlib.Path("merged").mkdir(exist_ok=True)
    pathlib.Path("merged", path.name).write_text(json.dumps(step))
PY
expect 0 diff "$http" merged
prints 'org.apache.commons.httpclient.params  was moved into  acme, 5 groups'
prints 'java.util.concurrent  was moved into  java.util, 8 groups'
grep -Eq 'Gone|New|Grew|Shrank' out && fail "packages put together differ"
expect 0 diff "$http" merged --json
python3 - out <<'PY' || fail "packages put together"
import json, sys
told = json.load(open(sys.argv[1]))
assert all(group["state"] == "both" for group in told["groups"]), [group for group in told["groups"] if group["state"] != "both"]
assert [move["was"] for move in told["moved"] if not move.get("merged")] == ["Heap#org.apache.commons.httpclient"], told["moved"]
for group in told["groups"]:
    assert ("was" in group) == group["key"].startswith("Heap#acme#") or group["was"].startswith("Heap#java.util.concurrent"), group
PY
expect 0 gate "$http" merged --rule 'Heap#*: +0'
grep -q 'not in the base' out && fail "a package that took others in is not in the base"
# a directory renamed in the middle of a deep tree
middle=$(python3 - plain-perfetto <<'PY'
import json, pathlib, sys
path = sorted(pathlib.Path(sys.argv[1], "default-format").glob("*.json"))[0]
node = json.loads(path.read_text())["root"]
for _ in range(2):
    inner = [child for child in node.get("children", ()) if child.get("children")]
    node = max(inner, key=lambda child: child["objects"]) if inner else node
print(node["name"])
PY
)
python3 "$reference" --rename plain-perfetto . deep "$middle=quite_another"
expect 0 diff "$traces/perfetto" deep --json
same out 100 || fail "a directory in the middle"

# ---- what is folded, and by whose rules
expect 0 diff javac-daemon.mct javac-daemon.mct -n 1; prints 'Taken for one name'
grep -q '^  [0-9,]* names of lambdas$' out || fail "no words for lambdas: $(tail -3 out)"
! grep -q '\\\\d' out || fail "a regular expression is no word: $(grep '\\\\d' out)"
expect 0 diff javac-daemon.mct javac-daemon.mct --no-folds
grep -q 'Taken' out && fail "--no-folds folds"
expect 0 diff javac-daemon.mct javac-daemon.mct --fold '[A-Z]\w*(Map)\b=Any$1' --tsv
grep -q 'AnyMap' out || fail "--fold"
expect 0 diff javac-daemon.mct javac-daemon.mct --no-folds --fold '[A-Z]\w*(Map)\b=Any$1'
prints ' by --fold [A-Z]'
expect 2 diff javac-daemon.mct javac-daemon.mct --fold 'Map'; says 'REGEX=NAME'
expect 2 diff javac-daemon.mct javac-daemon.mct --fold '(=x'; says 'not a regular expression'
expect 3 diff javac-daemon.mct javac-daemon.mct --fold 'Map=$7'; says '$7'

# ---- a gate says what in its findings grew more than in the base: what the difference of the growth says
expect 0 diff javac-daemon.mct "$http" --by growth --json
mv out growth.json
expect 4 gate javac-daemon.mct "$http" --rule '*util: +0' --rule 'org*: +0' --strict --json --junit gate.xml
python3 - out growth.json <<'PY' || fail "what is in the findings"
import json, sys
told, growth = (json.load(open(path)) for path in sys.argv[1:])
for group in told["groups"]:
    within = [entry for entry in growth["groups"] if entry["key"].startswith(group["key"] + "#") and entry["difference"] > 0]
    assert group["grew_more"] == len(within) > 0 and "was" not in group, group["key"]
    assert group["parts"] == within[:10], group["key"]
assert {part["state"] for group in told["groups"] for part in group["parts"]} == {"both", "new"}
assert {len(group["parts"]) for group in told["groups"]} >= {4, 8}
PY
grep -q 'HostConfiguration, new' gate.xml || fail "JUnit does not say what is new"
# What was moved is compared with where it was: as fast it passes, faster it does not.
expect 0 gate "$http" some --rule 'com.acme*: +0' --rule '**: +0' --junit gate.xml
prints 'in the base it was Heap → Package: org.apache.commons.httpclient'
prints '; where it was in the base +6.97 MiB, allowed'
grep -q 'not in the base' out && fail "what was moved is not in the base"
grep -q '<failure' gate.xml && fail "JUnit: what was moved fails"
grep -q 'grew more' out && fail "what was moved alone grew more"
expect 4 gate "$http" some --rule 'com.acme*: +0' --strict
expect 0 gate "$http" all --rule '**: +0' --json
python3 - out <<'PY' || fail "all packages renamed"
import json, sys
told = json.load(open(sys.argv[1]))
assert told["passed"] and told["failed"] == 0 and told["known"] == len(told["groups"]) >= 6, told["failed"]
for group in told["groups"]:
    assert group["base"] == group["now"] and group["was"] == group["key"].replace("#renamed.", "#"), group
PY
python3 - <<'PY'
import json, pathlib
def triple(node):
    children = node.get("children", ())
    factor = 3 if node["name"] == "HostConfiguration" else 1
    for metric in "bytes", "objects":
        node[metric] *= factor
    for child in children:
        triple(child)
    for metric in "bytes", "objects":
        node[metric] = sum(child[metric] for child in children) if children else node[metric]
for path in pathlib.Path("some").glob("*.json"):
    step = json.loads(path.read_text())
    triple(step["root"])
    pathlib.Path("faster").mkdir(exist_ok=True)
    pathlib.Path("faster", path.name).write_text(json.dumps(step))
PY
expect 4 gate "$http" faster --rule 'com.acme*: +0' --json --junit gate.xml
prints '"was":"Heap#org.apache.commons.httpclient","grew_more":1'
grep -q '^    in the base it was Heap → Package: org.apache.commons.httpclient$' gate.xml || fail "JUnit does not say where it was"
expect 4 gate some --rule 'com.acme*: +0' --json
grep -Eq 'parts|grew_more' out && fail "parts without a base"
expect 0 gate "$http" "$http" --rule 'org*: +0'
grep -q 'grew more' out && fail "a trace grew more than itself"

# ---- methods of two versions: a package renamed, a method twice as slow; pictures and a video of both
stacks=$here/data/collapsed/async-profiler.collapsed
sed 's#java/util/#java/utility/#g; s#add_\[j\] 30#add_[j] 60#' "$stacks" >slower.collapsed
expect 0 diff "$stacks" slower.collapsed --frame none --json
python3 - out <<'PY' || fail "methods"
import json
told = json.load(open("out"))
assert told["metric"] == "time" and told["after"]["total"] - told["before"]["total"] == 300
assert {group["state"] for group in told["groups"]} == {"both"}
assert [group["key"] for group in told["groups"] if group["difference"] != 0] == ["Program#com#acme#Shop#add#main"]
assert [(move["was"], move["is"]) for move in told["moved"]] == [("Program#java#util", "Program#java#utility")], told["moved"]
PY
expect 0 diff "$stacks" slower.collapsed; prints 'java → util  is  java → utility'
if ! sanitized; then
  expect 0 render "$stacks" --versus slower.collapsed --size 320x180 -o methods.png
  expect 0 render "$stacks" --versus "$stacks" --size 320x180 -o same.png
  cmp -s methods.png same.png && fail "a method that is twice as slow is not in the picture"
  # as many frames as both have steps, the shorter one's last step going on
  expect 0 video httpclient-3.0.1.mct --versus javac-daemon.mct --pair both --window 0:26 --size 320x180 --step-duration 0.1 -o both.mp4
  expect 0 video httpclient-3.0.1.mct --size 320x180 --window 0:26 --step-duration 0.1 -o one.mp4
  frames() { ffprobe -v error -select_streams v -show_entries stream=nb_frames -of csv=p=0 "$1"; }
  [ "$(frames both.mp4)" -gt 60 ] && [ "$(frames both.mp4)" = "$(frames one.mp4)" ] || fail "frames: $(frames both.mp4), $(frames one.mp4)"
fi

# ---- growth, windows, wrong usage
expect 0 diff "$http" "$http" --base-window 0:3 --window 4:12 --by growth; prints 'growth'
expect 2 diff "$http"
expect 2 diff "$http" "$http" --at 0:99; says '0 to 26'
expect 2 diff "$http" "$http" --metric nonsense
expect 2 diff "$http" "$http" --json --tsv
expect 3 diff "$http" /etc/passwd
finish

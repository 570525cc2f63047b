#!/usr/bin/env bash
# Two ways to one formula: what counts over time say that comes together, and what dominators say that one object retains,
# of programs whose source says how many there are.
. "$(dirname "$0")/../command.sh"
classes=$(realpath "$(dirname "$memcity")/classes")
[ -d "$classes" ] || { echo "$classes is missing (target memcity_classes)" >&2; exit 1; }

agree() { # CLASS OWNER [NAME=COUNT…]: all groups that the unit says to come with the owner, and those named
  local name=${1##*.} dump
  java -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -Xmx128m -cp "$classes" "com.acme.$1" "$work/$name" >/dev/null ||
    { fail "$name can't be recorded"; return; }
  expect 0 units "$work/$name" --json; quiet
  cp "$work/out" "$work/units.json"
  expect 0 units "$work/$name"/* --of "$2" --json; quiet
  python3 - "$work/units.json" "$work/out" "${@:2}" <<'PYTHON' || fail "$name: $(cat "$work/units.json" "$work/out")"
import json, sys
units, one = (json.load(open(path)) for path in sys.argv[1:3])
owner, *named = sys.argv[3:]
last = lambda key: key.split("#")[-1]
unit, = [u for u in units["units"] if any(last(p["key"]) == owner and not p["shared"] for p in u["parts"])]
per_owner = next(p["per_unit"] for p in unit["parts"] if last(p["key"]) == owner)
retained = {p["key"]: p for p in one["parts"]}
assert last(one["of"]) == owner and one["count"] >= unit["count"] > 100, one
told = {}
for part in unit["parts"]:
    per_object, other = part["per_unit"] / per_owner, retained[part["key"]]
    assert abs(per_object - other["per_object"]) <= 0.02 * other["per_object"], (part, other)
    assert other["least"] <= other["median"] <= other["most"] and other["median"] == round(per_object), other
    told[last(part["key"])] = other["per_object"]
for name, count in (one.split("=") for one in named):
    assert abs(told[name] - float(count)) <= 0.02 * float(count), (name, told)
assert abs(unit["bytes_each"] / per_owner - one["bytes_each"]) <= 0.02 * one["bytes_each"], (unit["bytes_each"], one["bytes_each"])
assert sum(p["bytes"] for p in one["parts"]) == one["bytes"] and one["least_bytes"] <= one["median_bytes"] <= one["most_bytes"]
PYTHON
}

agree events.Desktop 'Desktop$View$1' 'Desktop$View=1' 'byte[]=1'
finish

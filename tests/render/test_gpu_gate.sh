#!/usr/bin/env bash
# The gate from outside: exit codes, text, JSON, JUnit XML, a picture.
. "$(dirname "$0")/../command.sh"
javac=$traces/javac-daemon

expect 0 gate --help; prints "PATTERN"
expect 2 gate "$http"; says "--rule is missing"
expect 2 gate "$http" --rule 'a: +1q'; says "expected a comma or the end"
expect 2 gate "$http" --rule 'a: +1' --window 0:99; says "steps 0 to 26"
expect 2 gate "$http" --rule 'a: +1' --png x.jpg; says ".png"
expect 1 gate "$work/nothing" --rule 'a: +1'; says "nothing"

# The leak of the first case study, and nothing else.
expect 4 gate "$http" --rule '**: +1%/h, +1MB' --junit "$work/gate.xml" --png "$work/gate.png" --json
says "freed after step 25"
python3 - "$work" <<'PY' || failures=$((failures + 1))
import json, struct, sys, xml.etree.ElementTree as xml
out = json.load(open(sys.argv[1] + "/out"))
names = {group["key"].split("#")[-1].split("$")[-1] for group in out["groups"]}
assert names == {"HostConnectionPool", "HostConfiguration", "HttpHost", "HostParams", "LinkedList", "Node"}, names
assert not out["passed"] and out["failed"] == 6 and out["window"] == [0, 25], out
suite = xml.parse(sys.argv[1] + "/gate.xml").getroot()
assert suite.tag == "testsuite" and suite.get("tests") == "1" and suite.get("failures") == "1"
case, = suite
assert case.get("name") == "**: +1%/h, +1MB" and "LinkedList" in case[0].text
png = open(sys.argv[1] + "/gate.png", "rb").read()
assert png[:8] == b"\x89PNG\r\n\x1a\n" and struct.unpack(">II", png[16:24]) == (1600, 1000)
PY
# The same run as its own base: nothing is new.
expect 0 gate "$http" "$http" --rule '**: +1%/h, +1MB' --junit "$work/gate.xml"; prints "so they did in the base"
grep -q 'failures="0"' "$work/gate.xml" || fail "a known growth is a failure"
expect 4 gate "$http" "$http" --rule '**: +1%/h, +1MB' --strict
expect 4 gate "$javac" "$http" --rule '**: +1%/h, +1MB'; prints "not in the base"
expect 0 gate "$http" --rule 'Heap: any'; prints "passed"
expect 2 gate "$http" --rule 'no such: +0'; says 'no group matches the rule "no such: +0"'
expect 4 gate "$http" --rule 'LinkedList: +100/step' --window 0:3; says "fewer than 5 steps"
# A verdict is told even if a file can't be written.
expect 4 gate "$http" --rule '**: +1%/h, +1MB' --junit "$work/no/folder/gate.xml"; says "no/folder"

finish

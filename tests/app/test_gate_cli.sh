#!/usr/bin/env bash
# What the gate cannot judge does not pass: rules without a group, and too few steps. And what a first command line gets wrong.
. "$(dirname "$0")/../command.sh"
memcity=$(realpath "$memcity")
cd "$work" || exit 1

# rows NAME STEPS: a step every 5 s; T0 gains 20 MB a step, T1 and T2 stay.
rows() {
  python3 - "$2" >"$1" <<'PY'
import sys
print("time\tPackage\tType\tobjects\tbytes")
for step in range(int(sys.argv[1])):
    for group in range(3):
        size = 1000000 + (20000000 * step if group == 0 else 0)
        print(f"{5000 * step}\tp{group}\tT{group}\t{size // 100}\t{size}")
PY
}
# junit WANTED…: "failure" and the like per rule, "passed" for none, and the counts of the suite
junit() {
  python3 - "$@" <<'PY' || fail "JUnit: $*"
import sys, xml.etree.ElementTree as tree
suite = tree.parse("gate.xml").getroot()
got = [case[0].tag if len(case) else "passed" for case in suite]
assert got == sys.argv[1:], got
for name, tag in (("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
    assert int(suite.get(name)) == got.count(tag), (name, suite.attrib)
PY
}
# tells PASSED VERDICT
tells() { python3 -c 'import json, sys
told = json.load(open("out"))
assert [str(told["passed"]), told["verdict"]] == sys.argv[1:], told' "$@" || fail "JSON: $*"; }

rows many.tsv 8
rows four.tsv 4
rows five.tsv 5

# ---- rules without a group
expect 2 gate many.tsv --rule '*Cahce*: +10MB' --junit gate.xml
says 'no group matches the rule "*Cahce*: +10MB"'; prints "not judged: no group matches a rule"; junit error
expect 2 gate many.tsv --rule 'T9: +0' --rule 'Heap#q: any' --json --junit gate.xml; tells False "no group"; junit error error
expect 0 gate many.tsv --rule 'T1: +1MB' --rule 'T9: +0' --rule 'T1: +0' --rule 'Heap#**: any' --junit gate.xml
says 'warning: no group matches the rule "T9: +0"'; says 'warning: earlier rules took all groups that the rule "T1: +0" matches'
prints "passed: 0 of 1 group grows"; junit passed skipped skipped passed
expect 0 gate many.tsv --rule 'Heap#p1#T1: +1MB' --rule '*#T1: +0'; says 'no group matches the rule "*#T1: +0"'
expect 0 gate many.tsv --rule 'Heap#p1#T1: +1MB' --rule '**#T1: +0'; says 'earlier rules took all groups that the rule "**#T1: +0"'
expect 4 gate many.tsv --rule 'T?: +1MB' --rule 'T9: +0' --junit gate.xml; prints "FAILED: 1 of 3 groups grows"
prints "allowed +977 KiB (+1MB over 35 s)"; junit failure skipped
expect 4 gate many.tsv --rule 'T?: +10%/min, +1MB'; prints "/min (+10%/min of the median)"
grep -q ' p = ' out && fail "p in the text"

# ---- many groups that grow a little each: the sum is warned of, unless a rule is of it, or the base grows as well
python3 - <<'PY'
for name, gain in (("small-ones", 30000), ("at-rest", 0)):
    with open(f"{name}.tsv", "w") as out:
        print("time\tPackage\tType\tobjects\tbytes", file=out)
        for step in range(8):
            for group in range(60):
                size = 1000000 + gain * step
                print(f"{5000 * step}\tp\tT{group}\t{size // 100}\t{size}", file=out)
PY
for base in "" at-rest.tsv; do
  expect 0 gate $base small-ones.tsv --rule '**: +1%/h, +1MB'
  prints "passed: 0 of "
  says "no group grows faster than allowed, but the whole does grow: "; says "--rule 'Heap: +1%/h, +1MB'"
  expect 4 gate $base small-ones.tsv --rule 'Heap: +1%/h, +1MB' --rule '**: +1%/h, +1MB'; quiet
  expect 0 gate $base small-ones.tsv --rule 'Heap: +100MB' --rule '**: +1%/h, +1MB'; quiet
done
expect 0 gate small-ones.tsv small-ones.tsv --rule '**: +1%/h, +1MB'; quiet
expect 0 gate at-rest.tsv --rule '**: +1%/h, +1MB'; quiet

# ---- too few steps
expect 1 gate four.tsv --rule 'T1: +1MB' --rule 'T9: +0' --junit gate.xml
prints "not judged: 4 steps, at least 5 are needed"; says "--few-steps"; junit error skipped
expect 1 gate four.tsv --rule 'T1: +1MB' --json; tells False "few steps"
expect 0 gate four.tsv --rule 'T1: +1MB' --few-steps --json --junit gate.xml; tells True passed; says "warning: with fewer than 5 steps"; junit passed
expect 4 gate four.tsv --rule 'T1: +1MB' --rule 'T0: +1MB' --json --junit gate.xml; tells False failed; junit skipped failure
expect 4 gate four.tsv --rule 'T0: +1MB' --few-steps
expect 0 gate four.tsv four.tsv --rule 'T0: +1MB' --few-steps; prints "so it did in the base"
expect 1 gate four.tsv four.tsv --rule 'T0: +1MB'
expect 4 gate four.tsv four.tsv --rule 'T0: +1MB' --strict
expect 1 gate many.tsv --window 7:7 --rule 'T0: +1MB'; prints "1 step, at least 5 are needed"
expect 0 gate four.tsv --rule '**: any'; quiet
expect 0 gate five.tsv --rule 'T1: +1MB'; quiet
expect 4 gate five.tsv --rule 'T0: +1MB'; quiet

# ---- messages of a first try
expect 2 info ssh://u@box:/home/a.hprof; says "write ssh://u@box/home/a.hprof, without the colon"
expect 2 record ssh://u@box:22 -o x.mct; says '`ssh -p 22 u@box jcmd -l` lists the Java programs there'
expect 1 record --pid $$ -o no/folder/x.mct; says "-o no/folder/x.mct: the folder no/folder does not exist"

finish

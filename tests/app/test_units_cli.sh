#!/usr/bin/env bash
# memcity units from outside: a formula that is known, its JSON and rows, class histograms, what is wrong.
. "$(dirname "$0")/../command.sh"
here=$(realpath "$(dirname "$0")/..")
memcity=$(realpath "$memcity")
http=$(realpath "$http")
cd "$work" || exit 1

expect 0 units "$http"
prints "80,001 × { 1 HttpHost, 1 MultiThreadedHttpConnectionManager\$HostConnectionPool, 1 HostConfiguration, 1 HostParams, 2 LinkedList }"
prints "176 B each, +13.4 MiB, 80.5 % of what the heap grew by; keeps growing since step 1"

# A session brings a cart, three items and two strings; a document four texts and five strings. What idles and what comes and goes is no part.
mkdir shop
sessions=(0 40 95 130 190 260 285 340 210 280 350 430)
documents=(0 10 15 60 70 75 130 140 190 195 250 290)
for i in "${!sessions[@]}"; do
  s=${sessions[i]} d=${documents[i]}
  { echo " num     #instances         #bytes  class name (module)"
    echo "-------------------------------------------------------"
    number=0 objects=0 bytes=0
    while read -r count size name; do
      printf '%4d: %14d %14d  %s\n' $((++number)) "$count" $((count * size)) "$name"
      objects=$((objects + count)) bytes=$((bytes + count * size))
    done <<ROWS
$((7000 + 2 * s + 5 * d)) 24 java.lang.String (java.base@17)
50000 16 com.acme.Idle
$((1 + 400 * (i % 2))) 40 com.acme.Saw
$((1 + s)) 32 com.acme.Session
$((1 + s)) 48 com.acme.Cart
$((1 + 3 * s)) 16 com.acme.Item
$((1 + d)) 64 org.xml.Document
$((1 + 4 * d)) 24 org.xml.Text
ROWS
    printf 'Total %14d %14d\n' $objects $bytes
  } >"shop/$(printf '%02d' "$i").txt"
  touch -d "@$((1700000000 + 10 * i))" "shop/$(printf '%02d' "$i").txt"
done
expect 0 units shop --json; quiet
python3 - out <<'PYTHON' || fail "not the shop's units: $(cat out)"
import json, sys
told = json.load(open(sys.argv[1]))
session, document = sorted(told["units"], key=lambda unit: -unit["count"])
def parts(unit): return {p["key"].split("#")[-1]: (round(p["per_unit"], 2), p["objects"], p["shared"]) for p in unit["parts"]}
assert session["count"] == 430 and document["count"] == 290, told
assert parts(session) == {"Session": (1, 430, False), "Cart": (1, 430, False), "Item": (3, 1290, False), "String": (2, 860, True)}
assert parts(document) == {"Document": (1, 290, False), "Text": (4, 1160, False), "String": (5, 1450, True)}
assert session["bytes"] == 430 * (32 + 48 + 3 * 16 + 2 * 24) and session["bytes_each"] == 176, session
assert document["bytes"] == 290 * (64 + 4 * 24 + 5 * 24), document
assert told["growth_bytes"] == session["bytes"] + document["bytes"] + 400 * 40, told
PYTHON
cp out shop.json
expect 0 units shop --tsv; quiet
python3 - shop.json out <<'PYTHON' || fail "rows say something else"
import csv, json, sys
units = json.load(open(sys.argv[1]))["units"]
rows = [(int(r["unit"]), r["key"], float(r["per_unit"]), int(r["bytes"])) for r in csv.DictReader(open(sys.argv[2]), delimiter="\t")]
assert rows == [(i, p["key"], p["per_unit"], p["bytes"]) for i, unit in enumerate(units) for p in unit["parts"]], rows
PYTHON
expect 0 units shop; prints "1 Cart, 1 Session, 3 Item, 2 String }"
# A finding is a unit, the first is the first; what both bring is part of either. One that fell in between may be chance.
expect 0 why shop --json; quiet
python3 - shop.json out <<'PYTHON' || fail "not the two units: $(cat out)"
import json, sys
units = json.load(open(sys.argv[1]))["units"]
why = json.load(open(sys.argv[2]))
assert why["causes"] and [c["unit"] for c in why["causes"]] == units[:len(why["causes"])], why
assert [c["growth_bytes"] for c in why["causes"]] == [u["bytes"] for u in units[:len(why["causes"])]], why
for cause, name in zip(why["causes"], ("Document", "Cart") if units[0]["count"] == 290 else ("Cart", "Document")):
    assert cause["key"].split("#")[-1] == name and cause["sentence"].endswith("; " + cause["unit"]["formula"] + f", {cause['unit']['bytes_each']} B each."), cause
PYTHON
expect 0 units shop --window 0:0; prints "No group has grown steadily."
expect 2 units shop --window 3:99; says "steps 0 to 11"
expect 2 units "$here"/data/collapsed/go.folded; says "units: this is a trace of methods"
finish

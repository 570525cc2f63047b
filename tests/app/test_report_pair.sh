#!/usr/bin/env bash
# memcity report of two traces: what memcity diff says of the same steps, and the pictures of memcity render; as a browser has it.
. "$(dirname "$0")/../command.sh"
data=$2

tar xf "$data"/traces/httpclient-3.0.1.tar.gz -C "$work"
trace=$work/httpclient-3.0.1
is_alike() { compare -metric MAE "$1" "$2" null: 2>&1 | awk -F'[()]' '{exit !($2 != "" && $2 < 0.002)}'; }
browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome) || fail "no chromium"
shown() { # PAGE: what is seen of it in $work/out; a page is the same from either build
  sanitized && return 1
  run 0 env TMPDIR="$work" timeout 100 python3 "$data/../read_in_browser.py" "$browser" "$1"
  [ "$(wc -l <"$work/out")" = 4 ] || fail "not four pages: $(cat "$work/out")"
}
base=$traces/javac-daemon
mkdir "$work/pair"
expect 0 report "$base" --versus "$trace" --window 0:25 -n 5 --samples 2 -o "$work/pair.html"
run 0 python3 "$data/../read_report.py" "$work/pair.html" "$work/pair"
mv "$work/out" "$work/said"
grep -q '^title	A: javac-daemon   B: httpclient-3.0.1$' "$work/said" || fail "the title of a pair: $(head -1 "$work/said")"
expect 0 diff "$base" "$trace" --at 25:25 --json
python3 - "$work/out" "$work/said" "$work/pair.html" <<'PY' || fail "a pair's groups"
import json, re, sys
told = json.load(open(sys.argv[1]))
said = [line.rstrip("\n").split("\t") for line in open(sys.argv[2]) if line.startswith("step\t")]
page = open(sys.argv[3]).read()
def part(entry):
    if entry["difference"] == 0:
        return "same"
    return "Grew" if entry["difference"] > 0 else "Shrank"
# What is new grew, what is gone shrank; a mark says so. The program's own comes before the library's.
entries = {"Grew": [], "Shrank": []}
for entry in told["groups"]:
    entries.setdefault(part(entry), []).append(entry)
for heading, state in ("Grew", "new"), ("Shrank", "gone"):
    found = re.findall(rf"<h2>{heading}( in the language's library)?: ([\d,]+) groups?(?:, ([\d,]+) {state})?</h2>", page)
    assert [bool(library) for library, _, _ in found] == [False, True], (heading, found)
    number = lambda text: int(text.replace(",", "") or 0)
    assert sum(number(count) for _, count, _ in found) == len(entries[heading]), (heading, found)
    assert sum(number(marked) for _, _, marked in found) == sum(entry["state"] == state for entry in entries[heading]), (heading, found)
library = lambda entry: "#java." in entry["key"] or "#sun." in entry["key"] or "#(primitive)" in entry["key"] or "#jdk." in entry["key"]
names = [entry["key"].split("#")[-1] for heading in ("Grew", "Shrank") for wanted in (False, True)
         for entry in [entry for entry in entries[heading] if library(entry) == wanted][:5]]
found = [row[1].split("|")[0] for row in said if len(row) == 5][:len(names)]
assert len(names) == 20 and found == names, (found, names)
# In words: which names were taken for one, as many as the expressions of the JSON text fold.
folded = re.findall(r"<tr><td>([^<]*)</td><td>([\d,]+)</td></tr>", page[page.index("Taken for one name"):])
words = {"$$$$Lambda": "lambdas", "$1": "reflection's accessors"}
assert [(what, number(count)) for what, count in folded] == [(words[fold["name"]], fold["names"]) for fold in told["folded"]], folded
assert re.search(r"<p>httpclient-3.0.1 holds [\d.]+ MiB less than javac-daemon: ", page), "no sentence"
PY
same_of_pair() { # PICTURE OPTIONS…
  local picture=$1
  compares pictures_of_pairs || return
  shift
  expect 0 render "$base" --versus "$trace" --window 0:25 --step 25 --labels --size 1600x900 --samples 2 -o "$work/p.png" "$@"
  is_alike "$work/p.png" "$work/pair/$picture.png" || fail "a pair's picture $picture"
}
same_of_pair 0
same_of_pair dark-0 --dark
[ "$(ls "$work/pair" | tr '\n' ' ')" = "0.png 1.png 2.png dark-0.png dark-1.png dark-2.png narrow-0.png narrow-dark-0.png " ] || fail "a pair's pictures"
cmp -s "$work/pair/1.png" "$work/pair/2.png" && fail "A looks like B"
! shown "$work/pair.html" || while read -r scheme width scrolls pictures loaded _ requests _ cut; do
  [ "${scrolls#*=}" -le "$width" ] || fail "a pair, $scheme $width: $scrolls"
  [ "$pictures $loaded $requests" = "pictures=3 loaded=3 requests=0" ] || fail "a pair, $scheme $width: $pictures $loaded $requests"
  [ "$cut" = cut=0 ] || fail "a pair, $scheme $width: a table is cut off: $cut"
done <"$work/out"
expect 0 report "$trace" --versus "$trace" --no-pictures -o "$work/none.html"
grep -Eq '<h2>(Grew|Shrank|Moved)' "$work/none.html" && fail "a trace differs from itself"
rm "$work/none.html"

finish

#!/usr/bin/env bash
# What is found goes to others: why it grows, the sentence, a part of it, a report, a menu of all ways.
. "$(dirname "$0")/../window.sh"
memcity=$(realpath "$memcity") trace=$(realpath "$trace")
mkdir -p "$work/files" "$work/programs"
cd "$work/files" || exit 1
# The desktop's way to open a page.
printf '#!/bin/sh\nprintf %%s "$1" >%q\n' "$work/opened" >"$work/programs/xdg-open"
chmod +x "$work/programs/xdg-open"
export PATH=$work/programs:$PATH TMPDIR=$work

start "$trace" --no-settings; wait_for open true; wait_for task idle; wait_for verdict grows

# ---- the sentence, all of it, and what is marked of it
click_place copy_finding
wait_until 'get message | grep -q "^Copied the finding: MultiThreadedHttpConnectionManager.HostConnectionPool objects pile up"'
key Escape; wait_for message null
rests verdict
read -r left top < <(place verdict | tr -d '[]' | awk -F, '{ print int($1), int($2) }')
point $((left + 1)) $((top + 26)); xdotool mousedown 1
point $((left + 90)) $((top + 26)); xdotool mouseup 1; sleep 0.3
key ctrl+c; wait_until 'get message | grep -Eq "^Copied: MultiT[A-Za-z]{1,12}$"'
[ "$(get selection)" = null ] || fail "marking text selects $(get selection)"
key Escape; wait_for message null

# ---- why: the evidence, and the walk to who holds it
click_place why_button; wait_for walk_shown true
get unfolded | grep -q why || fail "no evidence: $(get unfolded)"
key Escape; wait_for walk_shown false

# ---- a report, which the browser opens; one that is given up
click_place share_button; wait_for menu true
key Down; wait_for menu_row "Copy what is found, as a sentence"
key Down Return; wait_for report true
wait_until '[ -s "$work/opened" ]'; wait_for report false
report=$(cat "$work/opened")
grep -q "HostConnectionPool objects pile up" "$report" || fail "the report $report"
wait_until 'get message | grep -q "^Wrote .*httpclient-3.0.1-report.html; the browser opens it"'
# … or the city itself, to walk through: as it is shown
rm "$work/opened"
key Page_Up; wait_for step 0; key Right; wait_for step 1
click_place share_button; wait_for menu true
key Down Down Down; wait_for menu_row "Write a page to walk through in any browser, or stop it"
key Return; wait_until '[ -s "$work/opened" ]'; wait_for report false
python3 -c 'import base64, json, re, sys, zlib
data = re.search(rb"id=data>([^<]*)<", open(sys.argv[1], "rb").read())[1]
data = zlib.decompress(b"".join(base64.b64decode(line) for line in data.split(b"\n")), -15)
facts = json.loads(data[4:4 + int.from_bytes(data[:4], "little")])
sys.exit(facts["view"]["step"] != 1 or not facts["view"]["select"])' "$(cat "$work/opened")" || fail "the page $(cat "$work/opened")"
[ -z "$(ls "$work"/memcity-view-* 2>/dev/null)" ] || fail "a view is left over"
wait_until 'get message | grep -q "^Wrote .*httpclient-3.0.1-city.html; the browser opens it"'
click_place report_button; wait_for report true; xdotool click 1; wait_for report false
wait_until 'get message | grep -q "no report was written"'
[ "$(ls ./*report*)" = "./httpclient-3.0.1-report.html" ] || fail "a cancelled report is left over: $(ls)"
quit 0

[ "$failures" -eq 0 ]

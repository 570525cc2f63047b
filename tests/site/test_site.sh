#!/usr/bin/env bash
# The static site of the documents: dead links, requests to others, a phone's width, dark colours.
. "$(dirname "$0")/../command.sh"
here=$(cd "$(dirname "$0")" && pwd)
run 0 python3 "$here/../../packaging/site/site.py" "$memcity" "$work/site"
mkdir "$work/profile"
run 0 python3 "$here/check_site.py" "$work/site" "$work/profile"
[ ! -s "$work/out" ] || fail "$(head -20 "$work/out")"
grep -q '<iframe src="sample.html"' "$work/site/index.html" || fail "no sample in the first page"
# A dead link and a heading that went are noticed.
sed -i 's/sample\.html/simple.html/; s/href="#\([a-z]\)/href="#no-\1/' "$work/site/index.html"
run 1 python3 "$here/check_site.py" "$work/site" "$work/profile"
prints "simple.html, which is not there"
prints "a heading that is not there"
finish

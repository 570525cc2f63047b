#!/usr/bin/env bash
# Several structures selected: added and taken away, their references, sums, undo, views, search; without a window.
. "$(dirname "$0")/../command.sh"
unset DISPLAY WAYLAND_DISPLAY
export XDG_CONFIG_HOME=$work/config XDG_DATA_HOME=$work/share
here=$(realpath "$(dirname "$0")/..")
cd "$work" || exit 1
list=Heap#java.util#LinkedList
node='Heap#java.util#HashMap$Node'
host=Heap#org.apache.commons.httpclient#HostConfiguration

session() { # CODE LINES [OPTIONS…]
  local wanted=$1 lines=$2
  shift 2
  printf '%b' "wait idle\n$lines" >script
  expect "$wanted" "$http" --metric objects --script script --headless "$@"
}

# Added, taken away, and back by undo; a plain selection is alone again.
session 0 "step 25\nselect $list\nwait idle\nexpect selected 1\nselect.add $node\nwait idle\nselect.add $host\nwait idle\nexpect selected 3
select.add $list\nwait idle\nexpect selected 2\nprint selection\nundo\nwait idle\nexpect selected 3\nprint selection\nundo\nwait idle\nexpect selected 2
redo\nwait idle\nexpect selected 3\nselected.show 1\nwait idle\nexpect selected 1\nprint selection\nselect.add $node\nexpect selected 0\n"
quiet
printf '"%s"\n"%s"\n"%s"\n' "$node" "$list" "$node" | diff - out >&2 || fail "which is the first"

# Their references are not the sum of each one's: partners are shared, and what they have among each other is there once.
count() { # KEYS…
  local keys=("$@") lines="step 25\nset most_references 0\nselect $1\n" key
  for key in "${keys[@]:1}"; do lines+="select.add $key\n"; done
  session 0 "${lines}wait idle\nprint references\n"
  tail -1 out
}
a=$(count $list) b=$(count $host) both=$(count $list $host)
[ "$both" -lt $((a + b)) ] && [ "$both" -gt "$a" ] || fail "$list: $a, $host: $b, together $both references"

# A copy has all of them, a view too, the command line as well.
session 0 "step 25\nselect $list\nselect.add $host\nwait idle\ncopy.key\ncopy.row\nsave view.json\nwait idle\n"
[ "$(grep -c '^Heap#' out)" = 4 ] || fail "the copy: $(cat out)"
grep -qF "\"more_selected\":[\"$host\"]" view.json || fail "the view: $(cat view.json)"
session 0 "expect selected 2\nprint selection\nselect $node\nexpect selected 1\n" --view view.json
prints "\"$list\""
session 0 "expect selected 2\nprint selection\n" --view view.json --select "$node" --select "$list"
prints "\"$node\""
session 0 "expect selected 1\n" --select $list --select nothing#at#all
says 'no node has the full key "nothing#at#all"'
session 0 "select $list\nsave one.json\nwait idle\n"
grep -q more_selected one.json && fail "one is several: $(cat one.json)"

# All hits, as many as can be; or some.
session 0 "search Host\nwait idle\nsearch.select\nwait idle\nprint selected\nprint hits\nescape\nescape\nescape\nsearch.add 0\nsearch Host\nwait idle\nselect $list\nsearch.add 1\nsearch.add 0\nsearch.add 1\nwait idle\nexpect selected 2\n"
[ "$(sed -n 1p out)" = "$(sed -n 2p out)" ] || fail "not all hits: $(cat out)"
session 0 "search a\nwait idle\nsearch.select\nwait idle\nexpect selected 64\nselect.add $list\n"
prints "The 64 largest of"
# All that comes together: of a member, of the first finding, and of what comes with nothing.
session 0 "select $host\nwait idle\nselect.unit\nwait idle\nexpect selected 5\nprint selection\nprint findings\n"
prints "\"$host\""; prints '"formula":"80,001 × { 1 HttpHost, '; prints '80,001 × {'
session 0 "wait idle\nselect.unit\nwait idle\nexpect selected 5\n"
session 0 "select Heap#java.lang#String\nwait idle\nselect.unit\nwait idle\nexpect selected 1\n"
prints "Nothing is known to come together with it."
# By keys' names: the one after, too.
session 0 "select $list\nwait idle\nselect.add.next\nwait idle\nexpect selected 2\nselect.add.next\nwait idle\nexpect selected 3\ncamera.selection\nwait idle\nview.sunburst\nwait idle\nexpect selected 3\ndemolish\n"

# The table of references says whose each is: those among each other are one's, as memcity refs has them of it alone, the others
# all of theirs. What is selected has a row each.
pool='Heap#org.apache.commons.httpclient#MultiThreadedHttpConnectionManager$HostConnectionPool'
session 0 "step 25\nselect $pool\nselect.add $list\nselect.add $node\nset most_references 0\nwait idle\ntables\nwait idle\n"
expect 0 refs "$http" --of "$node" --step 25 --json
python3 - "$work/out" "$pool" "$list" "$node" <<'EOF' || fail "the tables of several"
import csv, glob, json, sys
refs, (pool, listed, node) = json.load(open(sys.argv[1])), sys.argv[2:]
rows = list(csv.DictReader(open(glob.glob("*-references-step25.csv")[0])))
whole = " + ".join([pool, listed, node])
among = {(row["selection"], row["partner"]) for row in rows if row["partner"] in (pool, listed, node)}
assert among == {(pool, listed), (node, pool)} or (node, node) in among, among
assert all(row["selection"] == whole for row in rows if row["partner"] not in (pool, listed, node))
one = next(row for row in rows if (row["selection"], row["partner"]) == (node, pool))
text = json.dumps(refs)
assert one["objects here"] in text and one["objects there"] in text and one["direction"] == "outgoing", one
parts = list(csv.DictReader(open(glob.glob("*-parts-step25.csv")[0])))
assert [part["part"] for part in parts] == [pool, listed, node], parts
EOF
# A walk of a single dump by its classes ends at what is the largest, also in its table.
python3 "$here/hprof_maker.py" made.hprof --seed 3
printf 'wait idle\nwalk\nwait idle\ntables\nwait idle\nquit\n' >script
expect 0 made.hprof --fast --script script --headless
grep -q ',largest' made*-walk*.csv || fail "no walk of a dump: $(ls) $(cat ./*walk*.csv)"

finish

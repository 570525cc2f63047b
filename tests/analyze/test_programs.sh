#!/usr/bin/env bash
# Small programs (programs/), some that leak and some that are healthy, recorded by heap dumps: the sentence that memcity
# must say of each, in every place where it says one, and what it must not say.
. "$(dirname "$0")/../command.sh"
classes=$(realpath "$(dirname "$memcity")/classes")
[ -d "$classes" ] || { echo "$classes is missing (target memcity_classes)" >&2; exit 1; }

record() { # NAME CLASS [ARGUMENTS…]
  local name=$1 class=$2
  shift 2
  java -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -Xmx128m -cp "$classes" "com.acme.$class" "$work/$name" "$@" >/dev/null ||
    { fail "$name can't be recorded"; return; }
  # no metric is asked for: that of the import, bytes, is judged; without owners: causes are from pairs of classes
  "$memcity" import "$work/$name" --fast --times "$(list_times "$name")" -o "$work/$name.mct" 2>"$work/err" || fail "$name: $(cat "$work/err")"
}

# A dump ten times a second. How long each took on a busy machine would say that the rate varies.
list_times() { seq -f '%g00ms' -s , "$(find "$work/$1" -name '*.hprof' | wc -l)"; } # NAME

field() { python3 -c 'import json, sys; print(json.load(open(sys.argv[1]))[sys.argv[2]])' "$work/out" "$1" 2>&1 | tail -1; }

leaks() { # NAME CAUSE 'SENTENCE: ' ROOT
  for metric in objects bytes; do
    expect 0 walk "$work/$1.mct" --metric $metric; quiet
    head -1 "$work/out" >"$work/said"
    [[ $(cat "$work/said") = "$3: +"*" since the recording began, +"*" so far"*. ]] || fail "$1, $metric: $(cat "$work/said")"
    grep -qi "nothing" "$work/said" && fail "$1, $metric: $(cat "$work/said")"
    expect 0 walk "$work/$1.mct" --metric $metric --json; quiet
    [ "$(field verdict)" = grows ] || fail "$1: $(field verdict)"
    [ "$(field cause)" = "$2" ] || fail "$1: the cause is $(field cause)"
  done
  expect 0 report "$work/$1.mct" --no-pictures -o "$work/$1.html"
  grep -q "<p class=verdict>[^<]* objects pile up" "$work/$1.html" || fail "$1: the report's verdict"
  is_one_cause "$1" "$2" "$4" "$3"
  # one rule for the sum of all, since many small groups may leak together
  expect 4 gate "$work/$1.mct" --rule 'Heap: +10KB' --rule '**: any'
}

# Keys and values of one map, what hangs on them and what holds them are one cause, in either metric; its sentence begins
# with the field or thread that a reader of the program would name.
is_one_cause() { # NAME CAUSE ROOT 'SENTENCE'
  for metric in objects bytes; do
    expect 0 why "$work/$1.mct" --metric $metric --limit 128m --json; quiet
    python3 - "$work/out" "$2" "$3" "$4" <<'PY' || fail "why $1, $metric"
import json, sys
said = json.load(open(sys.argv[1]))
cause = said["causes"][0]
assert said["verdict"] == "grows" and len(said["causes"]) == 1, [c["key"] for c in said["causes"]]
assert cause["key"] == sys.argv[2], cause["key"]
assert cause["growth_bytes"] >= cause["own_growth_bytes"] > 0 and cause["growth_objects"] > 0, cause
assert cause["bytes_per_hour"] > 0 and said["full_in_s"] > 0, cause
assert cause["since_step"] == 0 and cause["retained_bytes"] is None, cause
assert cause["root"]["text"] == sys.argv[3] and cause["path"], cause["root"]
assert all(hop["key"].startswith("Heap#") and "." in hop["field"] or hop["field"].endswith("[] elements") for hop in cause["path"])
assert cause["sentence"].startswith(sys.argv[4] + ": +"), cause["sentence"]
assert cause["sentence"] == said["sentence"] and "full in " in cause["sentence"], said["sentence"]
PY
  done
  expect 0 why "$work/$1.mct" --of "$2"; quiet
  head -1 "$work/out" | grep -q " since the recording began, +" || fail "why $1: $(head -1 "$work/out")"
}

is_healthy() { # NAME 'VERDICT' 'SENTENCE'
  for metric in objects bytes; do
    expect 0 walk "$work/$1.mct" --metric $metric; quiet
    head -1 "$work/out" >"$work/said"
    grep -q "^Nothing keeps growing\." "$work/said" || fail "$1, $metric: $(cat "$work/said")"
    grep -qE "piles? up|holds? ever more|goes on" "$work/out" && fail "$1, $metric is accused: $(cat "$work/out")"
    expect 0 walk "$work/$1.mct" --metric $metric --json; quiet
    grep -qE "^($2)$" <(field verdict) || fail "$1, $metric: $(field verdict)"
    [ "$(field cause)" = None ] || fail "$1: the cause is $(field cause)"
    expect 0 top "$work/$1.mct" --metric $metric -n 1000 --trend --json; quiet
    python3 - "$work/out" "$work/$1.mct" <<'PY' || fail "$1: top names what grows"
import json, sys
grows = [t for t in json.load(open(sys.argv[1])) if t["state"] == "grows" and t["growth"] > 0.001 * sum(
    u["last"] for u in json.load(open(sys.argv[1])))]
assert not grows, grows
PY
  done
  expect 0 why "$work/$1.mct" --json; quiet
  [ "$(field causes)" = "[]" ] || fail "$1: causes are $(field causes)"
  expect 0 why "$work/$1.mct"; grep -q "^Nothing keeps growing\." "$work/out" || fail "why $1: $(head -1 "$work/out")"
  expect 0 walk "$work/$1.mct"; [ -z "${3:-}" ] || prints "$3"
  expect 0 report "$work/$1.mct" --no-pictures -o "$work/$1.html"
  grep -q "<p class=verdict>Nothing keeps growing" "$work/$1.html" || fail "$1: the report's verdict"
  grep -q "Who keeps it alive" "$work/$1.html" && fail "$1: the report looks for a cause"
  expect 0 gate "$work/$1.mct" --rule 'Heap: +10KB' --rule '**: +1KB'
}

record shop shop.Shop &
record pool pool.Workers &
wait
record events events.Desktop &
record redeploy redeploy.Container &
wait
record queue queue.Pipeline &
record strings strings.Names &
wait
record daemon daemon.Daemon &
wait
record inner inner.Reports &
record cache cache.Catalog &
wait
record trough batch.Import 15 &
record top batch.Import 18 &
wait
record warmup warmup.Engine &
record server server.Server &
wait

unknown="this file does not say which"
leaks shop 'Heap#com.acme.shop#Shop$Session' 'Shop$Session objects pile up in Shop.sessions' 'static com.acme.shop.Shop.sessions'
leaks pool 'Heap#com.acme.pool#Workers$Span' 'Workers$Span objects pile up in Workers$Trail.spans, held by a ThreadLocal of a thread' \
  'a ThreadLocal of a thread'
leaks events 'Heap#com.acme.events#Desktop$View$1' \
  'Desktop$View$1 objects pile up in Desktop$EventBus.listeners, held by a local variable of thread "main" in com.acme.events.Desktop.main(Desktop.java:48)' \
  'thread "main" in com.acme.events.Desktop.main(Desktop.java:48)'
leaks redeploy 'Heap#java.net#URLClassLoader' 'URLClassLoader objects pile up in Container.shutdownHooks' \
  'static com.acme.redeploy.Container.shutdownHooks'
# what they hold: a plugin keeps its class, that its loader, and that all classes of the plugin with what is in their fields
dump=$(ls "$work"/redeploy/*.hprof | tail -1)
expect 0 find "$dump" '#URLClassLoader$' --regex --retained --metric retained --json; quiet
python3 - "$work/out" <<'PY' || fail "redeploy: what loaders retain"
import json, sys
loader, = json.load(open(sys.argv[1]))["nodes"]
assert loader["objects"] >= 48 and loader["retained"] > 48 * 2048, loader
PY
expect 0 paths "$dump" --of 'Plugin$Route'; prints "Plugin.<class>"
leaks queue 'Heap#com.acme.queue#Pipeline$Job' \
  'Pipeline$Job objects pile up in Pipeline.jobs, held by a local variable of thread "main" in com.acme.queue.Pipeline.main(Pipeline.java:34)' \
  'thread "main" in com.acme.queue.Pipeline.main(Pipeline.java:34)'
leaks strings 'Heap#java.lang#String' 'String objects pile up in Names.CANONICAL' 'static com.acme.strings.Names.CANONICAL'
leaks inner 'Heap#com.acme.inner#Reports$Report$Row' 'Reports$Report$Row objects pile up in Reports.history' \
  'static com.acme.inner.Reports.history'
# Whatever the leaves are by, the root is the same, and those that are healthy are.
is_grouped() { # NAME ROOT: '' is healthy
  for criteria in datastructure,type type,datastructure type loader,type; do
    expect 0 import "$work/$1" --fast --group-by $criteria -o "$work/grouped.mct"
    expect 0 why "$work/grouped.mct" --json; quiet
    python3 - "$work/out" "$2" <<'PY' || fail "why $1 by $criteria"
import json, sys
causes = json.load(open(sys.argv[1]))["causes"]
assert [cause["root"]["text"] for cause in causes] == ([sys.argv[2]] if sys.argv[2] else []), [c["sentence"] for c in causes]
PY
  done
}
is_grouped shop 'static com.acme.shop.Shop.sessions'
is_grouped pool 'a ThreadLocal of a thread'
is_grouped events 'thread "main" in com.acme.events.Desktop.main(Desktop.java:48)'
is_grouped redeploy 'static com.acme.redeploy.Container.shutdownHooks'
is_grouped queue 'thread "main" in com.acme.queue.Pipeline.main(Pipeline.java:34)'
is_grouped strings 'static com.acme.strings.Names.CANONICAL'
is_grouped inner 'static com.acme.inner.Reports.history'
is_grouped cache ''
is_grouped warmup ''
is_grouped trough ''
# a daemon that compiles: its own field, though what piles up is the compiler's, and of many classes
expect 0 walk "$work/daemon.mct"
head -1 "$work/out" | grep -q ' pile up, probably in .*, held by Daemon\.builds: +' || fail "daemon: $(head -1 "$work/out")"
# by which field each stop is held, up to a root
expect 0 walk "$work/inner.mct"
prints "through Reports\$Report\$Row.this\$0, 640 times"; prints "↑ java.util → ArrayList through ArrayList.elementData"; prints "↑ static field Reports.history"
expect 0 walk "$work/shop.mct" --json
python3 - "$work/out" <<'PY' || fail "the trail in JSON"
import json, sys
walk = json.load(open(sys.argv[1]))
trail = walk["trail"]
assert trail["root"]["kind"] == "static field" and trail["root"]["name"] == "static com.acme.shop.Shop.sessions", trail
assert trail["from"] == walk["stops"][-1]["key"] and trail["means"] == "plain" and trail["other_count"] == 0, trail
assert [s["held_by"]["field"] for s in walk["stops"] if s["held_by"]][-3:-1] == ["HashMap$Node.value", "HashMap$Node[] elements"]
PY
# the walk ends at the container: what holds its class is another story
expect 0 walk "$work/events.mct"; prints "which of the 7"; prints "$unknown"
grep -q "many hold " "$work/out" && fail "the end of the walk: $(cat "$work/out")"

is_healthy cache stopped 'Catalog$Product grew by'
is_healthy trough 'steady|stopped'
is_healthy top 'steady|stopped'
is_healthy warmup stopped 'from step 0 to'
is_healthy server 'steady|stopped'

# ---- why not: on demand, for any group
expect 0 why "$work/cache.mct" --of 'Catalog$Product'; quiet
prints 'Catalog$Product is not a suspect: it stopped growing at step '
expect 0 why "$work/cache.mct" --of 'Catalog$Product' --json
python3 -c 'import json, sys
said = json.load(open(sys.argv[1]))
assert said["of"]["state"] == "stopped" and said["of"]["until_step"] < 17 and said["causes"] == [], said' "$work/out" || fail "why not: $(cat "$work/out")"
expect 0 why "$work/shop.mct" --of 'Shop$Item'; prints 'Shop$Item is not a cause of its own: it grows because Shop$Session does.'
expect 2 why "$work/shop.mct" --limit much; says "expected a size as 512m"
expect 2 why "$work/shop.mct" --limit 0; expect 2 why "$work/shop.mct" --limit -1m
expect 2 why "$work/shop.mct" --of nothing

# ---- the list of what grew, by cause: what it explains stands behind it, and says so
expect 0 top "$work/shop.mct" --by cause -n 6; quiet
sed -n 2p "$work/out" | grep -q 'Type: Shop$Session$' || fail "the first by cause: $(sed -n 2p "$work/out")"
sed -n 3p "$work/out" | grep -q 'because of Shop$Session$' || fail "the second by cause: $(sed -n 3p "$work/out")"
expect 0 top "$work/shop.mct" --by cause -n 100000 --json; cp "$work/out" "$work/by_cause"
expect 0 top "$work/shop.mct" -n 100000 --json
python3 - "$work/by_cause" "$work/out" <<'PY' || fail "top by cause"
import json, sys
by_cause, by_growth = (json.load(open(f)) for f in sys.argv[1:])
session = "Heap#com.acme.shop#Shop$Session"
explained = [t["key"] for t in by_cause if t["cause"] == session]
assert [t["key"] for t in by_cause[:len(explained)]] == explained and explained[0] == session and len(explained) > 4, explained
rest = [t["key"] for t in by_cause[len(explained):]]
assert rest == [t["key"] for t in by_growth if t["key"] not in explained] and "cause" not in by_growth[0]
PY
grep -q "<h2>Why it grows</h2>" "$work/shop.html" && grep -q "<p class=cause>Shop\$Session objects pile up in Shop.sessions: " "$work/shop.html" || fail "the report's causes"
grep -q "<dt>Held by</dt><dd>static com.acme.shop.Shop.sessions → HashMap.table" "$work/shop.html" || fail "the report's evidence"
grep -q " · because of Shop\$Session</small>" "$work/shop.html" || fail "the report does not say what is because of what"
grep -q "Why it grows" "$work/cache.html" && fail "the report of a healthy program has causes"

# ---- a single dump: by size, up to what holds it, and no word of growth
dump=$work/shop/step-115.hprof
expect 0 walk "$dump" --fast; quiet
prints "One dump cannot show growth: take a second."; prints "byte[] is the largest group"; prints "Shop\$Session"
grep -qE "piles up|ever more|grew" "$work/out" && fail "growth of one step: $(cat "$work/out")"
expect 0 walk "$dump" --fast --json; quiet
[ "$(field verdict)" = single ] || fail "the verdict on one step: $(field verdict)"
expect 0 why "$dump" --fast --json; quiet
[ "$(field verdict)" = single ] && [ "$(field causes)" = "[]" ] || fail "the verdict on one step: $(field verdict)"
# Who holds what is largest is said at once, and what was asked for is not called the largest.
expect 0 why "$dump" --fast; quiet; cp "$work/out" "$work/single"
prints "byte[] is the largest group"; prints "  Held by     static com.acme.shop.Shop.sessions → HashMap.table"
expect 0 walk "$dump" --fast; quiet; head -1 "$work/single" | cmp -s - <(head -1 "$work/out") || fail "why and walk differ on one step"
expect 0 walk "$dump" --fast --from 'Shop$Session'; quiet
prints 'Shop$Session takes '; grep -q "is the largest" "$work/out" && fail "what was asked for is not the largest"
holder=$(sed -n '1s/.* of its objects hang on [0-9,]* \([^ ]*\) objects\{0,1\}\..*/\1/p' "$work/single")
[ -n "$holder" ] || fail "no class of the program: $(cat "$work/single")"
printf 'wait idle\nselect.suspect 1\nwait idle\nprint selection\nquit\n' >"$work/first"
expect 0 "$dump" --fast --headless --script "$work/first"; grep -q "#$(printf %s "$holder" | sed 's/\$/[$]/g')\"" "$work/out" || fail "the first suspect is not $holder: $(cat "$work/out")"
expect 0 why "$dump" --fast --of String; prints "; one step cannot show whether it grows."; says "memcity walk --from says who holds it"
expect 0 top "$dump" -n 1000 --json; quiet
python3 - "$work/out" <<'PY' || fail "top of one step is not by size"
import json, sys
sizes = [t["last"] for t in json.load(open(sys.argv[1]))]
assert sizes == sorted(sizes, reverse=True) and sizes[0] > 100000, sizes[:9]
PY
expect 0 report "$dump" --fast --no-pictures -o "$work/single.html"
grep -q "What is largest" "$work/single.html" || fail "the report of one step"
grep -q "<p class=verdict>byte\[\] is the largest group.*One dump cannot show growth" "$work/single.html" || fail "the verdict on one step"

# ---- two dumps: what grew, and that nobody knows whether it goes on
expect 0 walk "$work/shop/step-100.hprof" "$dump" --fast; quiet
prints "Shop\$Session objects grew the most in Shop.sessions: +"; prints " since the recording began"; prints "Two steps cannot show whether it goes on."
expect 0 walk "$work/cache/step-110.hprof" "$work/cache/step-117.hprof" --fast; quiet; prints "Nothing has grown much. 2 steps cannot show slow growth: take at least 5."

# ---- what OutOfMemoryError left: from what takes the most to the field that holds it, and no way round by other maps
java -Xmx32m -XX:+UseSerialGC -XX:+HeapDumpOnOutOfMemoryError -XX:HeapDumpPath="$work/oom.hprof" -cp "$classes" \
  com.acme.checkout.Carts >/dev/null 2>&1 && fail "no OutOfMemoryError"
expect 0 walk "$work/oom.hprof" --fast; quiet
prints "are held by static field Carts.sessions → HashMap → HashMap\$Node[] → HashMap\$Node → Carts\$Session.cart → Carts\$Cart.items"
expect 0 why "$work/oom.hprof" --fast; quiet; prints "  Held by     static com.acme.checkout.Carts.sessions → HashMap.table"

# ---- from objects: dumps say who owns what grows, and what is largest
owned() { # NAME CAUSE ROOT 'SENTENCE: ' CLASSES…: of the way from the root down to what piles up
  local name=$1 cause=$2 root=$3 sentence=$4
  shift 4
  expect 0 why "$work/$name" --times "$(list_times "$name")" --limit 128m --json; quiet
  python3 - "$work/out" "$cause" "$root" "$sentence" "$@" <<'PY' || fail "why $name, from objects"
import json, sys
said = json.load(open(sys.argv[1]))
cause, (key, root, sentence, *classes) = said["causes"][0], sys.argv[2:]
owner = cause["owner"]
assert said["verdict"] == "grows" and len(said["causes"]) == 1, [c["sentence"] for c in said["causes"]]
assert cause["sentence"].partition(": +")[0].startswith(sentence) and cause["sentence"] == said["sentence"], cause["sentence"]
assert " objects and +" in cause["sentence"] and "full in " in cause["sentence"], cause["sentence"]
assert cause["key"] == key and root in cause["root"]["text"] and root in owner["root"], (cause["key"], cause["root"])
assert cause["growth_bytes"] >= cause["own_growth_bytes"] > 0 and cause["growth_objects"] > 0, cause
assert cause["retained_bytes"] >= owner["content"]["retained_bytes"] > 0 and cause["explains"], cause
way = [hop["class"].rpartition(".")[2] for hop in owner["path"]]
assert way == classes, way
sizes = [hop["retained_bytes"] for hop in owner["path"]]
assert sizes == sorted(sizes, reverse=True) and owner["path"][-1] == owner["content"], sizes
assert [hop["field"] for hop in cause["path"]] == [hop["field"] for hop in owner["path"][1:]], cause["path"]
PY
  expect 0 walk "$work/$name"; head -1 "$work/out" >"$work/said"
  expect 0 why "$work/$name"; head -1 "$work/out" | cmp -s - "$work/said" || fail "why and walk differ: $name"
}
owned shop 'Heap#com.acme.shop#Shop$Session' 'static com.acme.shop.Shop.sessions' \
  'Shop$Session objects pile up in Shop.sessions (a HashMap with 5,600 entries)' HashMap 'HashMap$Node[]' 'HashMap$Node' 'Shop$Session'
owned pool 'Heap#com.acme.pool#Workers$Span' '4 threads (' \
  'Workers$Span objects pile up in Workers$Trail.spans (4 ArrayLists), kept alive by ThreadLocal Workers.TRAIL of 4 threads (pool-#-thread-#, for instance pool-1-thread-' \
  Thread 'ThreadLocal$ThreadLocalMap' 'ThreadLocal$ThreadLocalMap$Entry[]' 'ThreadLocal$ThreadLocalMap$Entry' 'Workers$Trail' ArrayList 'Object[]' 'Workers$Span'
owned redeploy 'Heap#java.net#URLClassLoader' 'static com.acme.redeploy.Container.shutdownHooks' \
  'URLClassLoader objects pile up in Container.shutdownHooks (an ArrayList), as the loader of Plugin' ArrayList 'Object[]' Plugin Plugin URLClassLoader
owned queue 'Heap#com.acme.queue#Pipeline$Job' 'thread "main" in com.acme.queue.Pipeline.main' \
  'Pipeline$Job objects pile up in Pipeline.jobs (a LinkedBlockingQueue with 5,333 entries), kept alive by a local variable of thread "main" in com.acme.queue.Pipeline.main' \
  Pipeline LinkedBlockingQueue 'LinkedBlockingQueue$Node' 'Pipeline$Job'
owned inner 'Heap#com.acme.inner#Reports$Report$Row' 'static com.acme.inner.Reports.history' \
  'Reports$Report$Row objects pile up in Reports.history (an ArrayList)' ArrayList 'Object[]' 'Reports$Report$Row'
for name in cache trough warmup server; do
  expect 0 why "$work/$name"; grep -q "^Nothing keeps growing\." "$work/out" || fail "why $name, from objects: $(head -1 "$work/out")"
done
dump=$work/shop/step-115.hprof
expect 0 why "$dump"; quiet; cp "$work/out" "$work/single"
head -1 "$work/single" | grep -qE '^Shop\.sessions \(a HashMap with 5,600 entries\) keeps [67][0-9]\.[0-9] % of the heap, 2\.[0-9]* MiB: 5,600 Shop\$Session\.$' || fail "one dump: $(head -1 "$work/single")"
prints "  Held by     static com.acme.shop.Shop.sessions: HashMap, 2."; prints "Besides, the JVM itself keeps "
grep -qE "piles? up|ever more|grew" "$work/out" && fail "growth of one step: $(cat "$work/out")"
expect 0 walk "$dump"; quiet; head -1 "$work/single" | cmp -s - <(head -1 "$work/out") || fail "why and walk differ on one dump"
expect 0 why "$dump" --json; quiet
[ "$(field verdict)" = single ] || fail "the verdict on one dump: $(field verdict)"
expect 0 why "$work/shop/step-100.hprof" "$dump"
prints 'Shop$Session objects pile up in Shop.sessions (a HashMap with 5,600 entries): +5,250 objects and +2.12 MiB since the recording began. Two steps cannot show whether it goes on.'
# in what main() calls, or in itself: whichever asked for the last bytes
thrown='OutOfMemoryError in thread "main" at (.* ← )?com\.acme\.checkout\.Carts\.main\(Carts\.java:[0-9]+\)'
expect 0 why "$work/oom.hprof" --fast; grep -qE "^  Thrown      $thrown\$" "$work/out" || fail "whose OutOfMemoryError it was: $(cat "$work/out")"
expect 0 import "$work/oom.hprof" -o "$work/oom.mct"
expect 0 why "$work/oom.mct"; grep -qE "^The dump was left by an $thrown\.\$" "$work/out" || fail "whose OutOfMemoryError it was: $(cat "$work/out")"
expect 0 why "$work/shop/step-100.hprof" "$work/oom.hprof"; grep -q "^The last dump was left by an OutOfMemoryError in thread" "$work/out" || fail "the last of two dumps: $(cat "$work/out")"
expect 0 why "$dump" --json; ! grep -q thrown "$work/out" || fail "an OutOfMemoryError that was none: $(cat "$work/out")"
expect 0 why "$work/oom.hprof" --json; printf '%s' "$(field thrown)" | grep -qE "^$thrown\$" || fail "as JSON: $(field thrown)"
expect 0 report "$work/oom.hprof" --no-pictures -o "$work/oom.html"; grep -q 'OutOfMemoryError in thread &quot;main&quot; at ' "$work/oom.html" || fail "the report does not say it"
expect 0 why "$work/oom.hprof"; grep -qE '^Carts\.sessions \(a HashMap with [0-9,]* entries\) keeps 9[0-9]\.[0-9] % of the heap' "$work/out" || fail "after OutOfMemoryError: $(head -1 "$work/out")"

# ---- the gate, strictly: what the base did as well is counted, and said
expect 0 gate "$work/shop.mct" "$work/shop.mct" --rule '**: +0'; prints "passed: 0 of"
expect 4 gate "$work/shop.mct" "$work/shop.mct" --rule '**: +0' --strict; prints "FAILED: "; prints "but so they did in the base (--strict)"
grep -q "FAILED: 0 of" "$work/out" && fail "$(head -1 "$work/out")"

finish

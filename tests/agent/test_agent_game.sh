#!/usr/bin/env bash
# The worked example: a game whose worlds are never ended, from the program that runs to the findings.
. "$(dirname "$0")/../command.sh"
. "$(dirname "$0")/../jvm.sh"
sources=$here/programs/com/acme/game

# ---- wrong usage starts nothing
expect 2 run -o "$work/x.mct" -- java; says "--sites (where objects are allocated)"
expect 2 run --methods exact --domain 'a.*' -o "$work/x.mct" -- java; says "--domain is for --sites"
expect 2 run --methods sampled --trivial -o "$work/x.mct" -- java; says "--trivial is for"
expect 2 run --methods exact --cpu -o "$work/x.mct" -- java; says "--cpu is for"
expect 2 run --methods exact --include 'a;start=alloc' -o "$work/x.mct" -- java; says "names of classes"
expect 2 run --sites --exclude 'a.*' -o "$work/x.mct" -- java; says "are for --methods"

# the same game with other names of packages
mkdir "$work/renamed"
cp -r "$sources" "$work/renamed/arcade"
find "$work/renamed" -name '*.java' -exec sed -i 's/com\.acme\.game/org.demo.arcade/g' {} +
javac -d "$work/renamed/classes" $(find "$work/renamed/arcade" -name '*.java') || exit 1

# the first row of `top` by a metric: $value at the last step, or the largest one of all steps
first_by() { # FILE METRIC PATTERN [max]
  expect 0 top "$1" --metric "$2" -n 20
  value=$(grep -F -- "$3" "$work/out" | head -1 | awk -v column="${4:+4}" '{ print $(column ? column : 3) }')
}
is_between() { # LOW HIGH WHAT
  awk -v v="${value:-nothing}" -v l="$1" -v h="$2" 'BEGIN { exit !(v + 0 >= l && v + 0 <= h) }' ||
    fail "$label: $3 is ${value:-nothing}, not $1 to $2: $(head -5 "$work/out")"
}

for home in $(jdks); do
  java=$home/bin/java
  for how in "exact" "sampled"; do
    label="$home $how"
    # the clock misses nothing; samples do, where others have the processor
    case $how in exact) elevated=0.9 steady=0.85 ;; *) elevated=0.5 steady=0.4 ;; esac
    rm -f "$work"/game.mct*
    expect 0 run --methods $how -o "$work/game.mct" -- "$java" -cp "$classes" com.acme.game.Game
    says "steps recorded"
    expect 0 info "$work/game.mct"
    [ "$how" = exact ] || prints "samples: samples, count, a flow"
    first_by "$work/game.mct" elevation "World → Method: run()"; is_between $elevated 1 "elevation of World.run()"
    first_by "$work/game.mct" threads "World → Method: run()"; is_between 16 16 "threads in World.run()"
    # never less than that in any second: what does not end; at the end of a run that takes long the program's beginning is in one
    first_by "$work/game.mct" steady "World → Method: run()" max; is_between $steady 1 "how steady World.run() is"
    expect 0 top "$work/game.mct"; prints "longest thread"
    head -3 "$work/out" | grep -qE ' 16 .*world [0-9]+ .*World → run\(\)' ||
      fail "$label: World.run() is not among the highest: $(head -4 "$work/out")"
  done
  rm -f "$work"/renamed.mct*
  expect 0 run --methods exact --quiet -o "$work/renamed.mct" -- "$java" -cp "$work/renamed/classes" org.demo.arcade.Game
  quiet
  first_by "$work/renamed.mct" threads "World → Method: run()"; is_between 16 16 "threads in the renamed World.run()"
done

# ---- ended as it should be, the worlds leave one thread
label=fixed
expect 0 run --methods exact -o "$work/fixed.mct" -- java -cp "$classes" com.acme.game.Game fixed
first_by "$work/fixed.mct" threads "World → Method: run()"; is_between 1 1 "threads in World.run()"

# ---- what is of heaps alone says so
expect 2 why "$work/fixed.mct"; says "memcity top"
expect 2 walk "$work/fixed.mct"; says "memcity top"

# ---- counted calls have no times; patterns leave classes out
expect 0 run --methods count --exclude 'com.acme.game.world.**' -o "$work/count.mct" -- java -cp "$classes" com.acme.game.Game
says "methods are counted"
expect 0 top "$work/count.mct"
prints "paintCreature(Creature)"
! grep -q "Class: World" "$work/out" || fail "what is excluded is counted"
finish

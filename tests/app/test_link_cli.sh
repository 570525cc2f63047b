#!/usr/bin/env bash
# A heap and methods, linked by names: made traces against a slow join of their rows.
. "$(dirname "$0")/../command.sh"
here=$(cd "$(dirname "$0")/.." && pwd)
reference=$here/link_reference.py

agrees() { # HEAP METHODS ARGUMENTS…: what is told is what the rows say
  local heap=$1 methods=$2
  shift 2
  expect 0 link "$work/$heap.mct" --with "$work/$methods.mct" --json -n 100000 "$@"
  quiet
  ! compares "$heap" || python3 "$reference" check "$work/out" "$work/$heap.rows" "$work/$methods.rows" 2>"$work/difference" ||
    fail "$heap $*: $(tail -1 "$work/difference")"
}
bring() { # NAME: from made rows to a trace, and rows again
  expect 0 import --rows "$work/$1.made" -o "$work/$1.mct"
  expect 0 export "$work/$1.mct" --rows -o "$work/$1.rows"
}

for seed in 1 2 3; do
  rm -f "$work"/heap.* "$work"/methods.*
  python3 "$reference" make "$work/heap.made" "$work/methods.made" $seed || fail "no rows"
  bring heap; bring methods
  for step in 0 2 5; do agrees heap methods --step $step; done
  agrees heap methods --of 'byte[]'
  agrees heap methods --of com.acme.shop.Shop --step 3
  agrees heap methods --method com
  agrees heap methods --method 'Cart$Item' --step 1
  agrees heap methods --method Plain
done
prints '"by":"site"'

# ---- without sites: by package and class, of the same methods
awk -F'\t' 'NR == 1 { print "time\tPackage\tType\tobjects\tbytes"; next }
  !seen[$1, $2]++ { n = split($2, part, "."); package = "\\N"
    if (n > 1) package = substr($2, 1, length($2) - length(part[n]) - 1)
    print $1 "\t" package "\t" part[n] "\t" $7 "\t" $8 }' "$work/heap.made" >"$work/plain.made"
printf '1003500\tcom.acme.shop\tCart$Item[]\t3\t4000\n1003500\t\\N\tPlain\t1\t16\n' >>"$work/plain.made"
bring plain
agrees plain methods
agrees plain methods --of com.acme.shop --step 2
agrees plain methods --method Shop
agrees plain methods --method org
prints '"by":"class"'
expect 0 link "$work/plain.mct" --with "$work/methods.mct"
prints "as the heap knows no allocation sites"

# ---- for people; names of files can't become escapes
expect 0 link "$work/heap.mct" --with "$work/methods.mct" -n 1
prints "the methods that allocated them"; prints "belong to no method that methods.mct has"
says "more; -n says how many"
expect 0 link "$work/heap.mct" --with "$work/methods.mct" --group-by type --of 'int[][]'
cp "$work/methods.mct" "$work/$(printf 'a\033[31m').mct"
expect 0 link "$work/heap.mct" --with "$work/$(printf 'a\033[31m').mct"
! grep -q "$(printf '\033')" "$work/out" || fail "an escape is printed"

# ---- what does not fit is said
expect 2 link "$work/heap.mct"; says "--with METHODS is missing"
expect 2 link "$work/heap.mct" --with "$work/methods.mct" --of a --method b; says "--of and --method"
expect 2 link "$work/heap.mct" --with "$work/methods.mct" --of nowhere; says "no node has the full key"
expect 2 link "$work/heap.mct" --with "$work/methods.mct" --method nowhere; says "no node has the full key"
expect 1 link "$work/heap.mct" --with "$work/heap.mct"; says "a trace of methods is needed"
expect 1 link "$work/methods.mct" --with "$work/methods.mct"; says "both traces are of methods"
expect 1 link "$work/heap.mct" --with "$work/none.mct"; says "none.mct"
expect 2 link "$work/heap.mct" --with "$work/methods.mct" --frame none; says "--frame"
sed 's/^1/9/' "$work/methods.made" >"$work/later.made"
bring later
expect 0 link "$work/heap.mct" --with "$work/later.mct"; says "no moment in common"
finish

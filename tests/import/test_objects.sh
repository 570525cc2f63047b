#!/usr/bin/env bash
# A heap dump's objects and references as rows: against a slow reference, and the city that GROUP BY makes of them against
# the one from the dump. In databases: tests/fleet.
. "$(dirname "$0")/../command.sh"
memcity=$(realpath "$memcity")
here=$(cd "$(dirname "$0")/.." && pwd)
cd "$work" || exit 1

all=time,address,kind,class,package,type,loader,module,root,bytes,length,retained,retained_objects,dominator,dominator_class
links=time,from_address,from_package,from_type,field,to_address,to_package,to_type,weak

# ---- by hand

seed=0
while read -r form options; do
  seed=$((seed + 1))
  # shellcheck disable=SC2086
  python3 "$here/hprof_maker.py" made.hprof --seed $seed $options || exit 1
  flag=
  [ "$form" = csv ] && flag=--csv
  # shellcheck disable=SC2086
  expect 0 objects made.hprof --columns $all $flag -o objects.$form
  # shellcheck disable=SC2086
  expect 0 objects made.hprof --references --columns $links $flag -o references.$form
  run 0 python3 "$here/hprof_objects_reference.py" made.hprof objects.$form references.$form rows.tsv links.tsv
  cat "$work/out"
  rm -rf a b
  expect 0 import --rows rows.tsv -o rows.mct
  expect 0 export rows.mct --format default -o a
  expect 0 export made.hprof --no-references --format default -o b
  compares $form || continue
  run 0 python3 "$here/compare_json.py" a b
  cat "$work/out"
done <<'END'
tsv
csv --loose
csv --id-size 4 --loose
tsv --ids sparse
tsv --ids odd --id-size 4 --layout one --loose
csv --android --loose
tsv --no-roots
END

# ---- columns

# What a class tells needs nothing else; a row is the columns that were asked for, in that order.
expect 0 objects made.hprof --columns bytes,class,package
[ "$(head -1 "$work/out")" = "$(printf 'bytes\tclass\tpackage')" ] || fail "another header"
cut -f 1,3 "$work/out" >some
expect 0 objects made.hprof --columns bytes,package -o other.tsv
cmp -s some other.tsv || fail "other columns"
expect 0 objects made.hprof
prints "$(printf 'address\tkind\tclass\tpackage\ttype\tbytes\tlength')"
expect 0 objects made.hprof --references
prints "$(printf 'from_address\tfrom_class\tfield\tto_address\tto_class\tweak')"
expect 0 objects made.hprof -o - --columns address
[ "$(tail -n +2 "$work/out" | sort -u | wc -l)" -eq "$(($(wc -l <"$work/out") - 1))" ] || fail "an address twice"
# several dumps are one table
expect 0 objects made.hprof made.hprof --columns time
[ "$(sort "$work/out" | uniq | wc -l)" -eq 2 ] || fail "a header in the middle"

# data structures: as the criterion of that name has it
python3 "$here/hprof_maker.py" made.hprof --seed 5 --objects 900 || exit 1
expect 0 objects made.hprof --columns datastructure,class,bytes
tail -n +2 "$work/out" | awk -F'\t' '{n[$1 "#" $2]++; b[$1 "#" $2] += $3}
  END {for (k in n) print "Heap#" k "\t" n[k] "\t" b[k]}' | sort >found
expect 0 export made.hprof --group-by datastructure,type --no-references --format default -o c
python3 - c <<'PYTHON' | sort >expected
import glob, json, sys
for path in glob.glob(sys.argv[1] + "/default-format/*.json"):
    for structure in json.load(open(path))["root"]["children"]:
        for leaf in structure["children"]:
            print(leaf["key"], leaf["objects"], leaf["bytes"], sep="\t")
PYTHON
cmp expected found || fail "other data structures"
[ "$(cut -d'#' -f 2 found | sort -u | wc -l)" -gt 1 ] || fail "one data structure: nothing was tested"

# ---- what is wrong

expect 2 objects made.hprof --columns class,byte
says 'no column "byte"; did you mean bytes?'
expect 2 objects made.hprof --columns bytes,bytes
says 'bytes is there twice'
expect 2 objects made.hprof --columns field
says 'no column "field"'
expect 2 objects rows.mct
says 'is a trace'
printf 'time\n' >no.hprof
expect 3 objects no.hprof
expect 1 objects gone.hprof
says gone.hprof

# A dump that is cut off: what is there, and the exit code says so. A file stands for all of it or is not there.
head -c $(($(stat -c %s made.hprof) - 300)) made.hprof >cut.hprof
expect 3 objects cut.hprof --columns address -o cut.tsv
says 'incomplete'
[ "$(wc -l <cut.tsv)" -gt 100 ] || fail "little of what is there"
expect 0 objects cut.hprof --columns address --partial -o cut.tsv
expect 1 objects made.hprof -o gone/objects.tsv
# Nobody reads on: that is an error, not a hang.
if [ -w /dev/full ]; then
  "$memcity" objects made.hprof >/dev/full 2>"$work/err" && fail "nobody noticed that the disk is full"
  says "can't write the output"
fi
"$memcity" objects made.hprof made.hprof made.hprof | head -1 >/dev/null

finish

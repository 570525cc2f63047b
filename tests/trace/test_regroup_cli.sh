#!/usr/bin/env bash
# Traces grouped otherwise: sums of values and references against an independent computation, from every kind of input.
. "$(dirname "$0")/../command.sh"
here=$(cd "$(dirname "$0")/.." && pwd)
memcity=$(realpath "$memcity")
reference=$here/regroup_reference.py
perfetto=$traces/perfetto
cd "$work" || exit 1

# compare TRACE LIST CLASSIFIER…: `plain` holds the trace as it is
compare() {
  rm -rf grouped
  expect 0 export "$1" --group-by "$2" --format default -o grouped
  ! compares groups || python3 "$reference" plain grouped "${@:3}" >said 2>&1 || fail "$1 by $2: $(tail -n 1 said | head -c 300)"
}

# ---- every order and part, of files and of an .mct file
for trace in "$http" "$traces/javac-daemon"; do
  rm -rf plain
  expect 0 export "$trace" --format default -o plain
  expect 0 import "$trace" -o plain.mct
  compare plain.mct type,package Type Package
  [ "$trace" = "$http" ] || continue
  compare "$trace" type Type
  compare plain.mct package Package
  compare "$trace" package,type Package Type
  expect 0 import plain.mct --group-by type,package -o other.mct
  expect 0 import "$trace" --group-by type,package -o same.mct
  # grouped twice: what that comes to is what it was
  rm -rf grouped
  expect 0 export other.mct --group-by package,type --format default -o grouped
  python3 "$reference" plain grouped Package Type >said 2>&1 || fail "there and back: $(tail -n 1 said | head -c 300)"
  "$memcity" find other.mct . --regex --json -n 100000 >one
  "$memcity" find same.mct . --regex --json -n 100000 >two
  cmp one two || fail "files and the .mct file differ"
done

# ---- classifiers of many levels, leaves that become groups, groups with a share of their own
rm -rf plain
expect 0 import "$perfetto" -o plain.mct
expect 0 export plain.mct --format default -o plain
compare plain.mct directory Directory
expect 0 import plain.mct --group-by directory -o other.mct

# ---- retaining paths: of a group of the same objects they are what the importer finds when it groups so itself
python3 "$here/hprof_maker.py" --seed 5 --objects 3000 --classes 40 made.hprof || fail "no dump"
expect 0 import made.hprof --paths -o own.mct
expect 0 import made.hprof --paths --group-by type -o direct.mct
expect 0 import own.mct --group-by type -o kept.mct
"$memcity" find direct.mct . --regex --json -n 100000 >found.json
python3 - "$memcity" <<'PY' || fail "retaining paths of groups"
import json, subprocess, sys
def ask(trace, key, *more):
    said = subprocess.run([sys.argv[1], "paths", trace, "--of", key, "--json", *more], capture_output=True, text=True)
    assert said.returncode == 0, (trace, key, said.stderr)
    return said.stdout
keys = [line["key"] for line in json.load(open("found.json"))["nodes"]]
assert len(keys) > 20
for key in keys[:40]:
    direct = ask("direct.mct", key)
    assert json.loads(direct)["paths"]
    for trace, more in (("own.mct", ("--group-by", "type")), ("kept.mct", ())):
        assert ask(trace, key, *more) == direct, (key, trace)
PY

# ---- what the commands say of it
expect 0 info "$http" --group-by Type; prints 'classifiers  Type'; prints 'pairs'; quiet
expect 0 info "$http" --group-by type,package --json
python3 - out <<'PY' || fail "info: sizes of steps"
import json
info = json.load(open("out"))
assert info["classifiers"] == ["Type", "Package"] and info["nodes"] == 935 and info["leaves"] == 467
assert info["steps"][0]["leaves"] == 396 and info["steps"][0]["nodes"] == 793 and info["steps"][0]["pairs"] == 988
PY
expect 0 top "$http" --group-by package -n 3 --window 0:25; prints 'Heap → Package: java.util'
expect 0 refs "$http" --of 'Heap#java.util.HashMap$Node[]' --group-by type; prints 'java.util.HashMap$Node'
for command in walk why roots; do
  "$memcity" "$command" "$http" --group-by type >out 2>err </dev/null
  [ $? -le 1 ] || fail "$command: $(head -c 300 err)"
done
expect 0 layout "$http" --group-by package
expect 0 city "$http" --group-by type,package
expect 0 tree "$http" --group-by type,package -o tree.svg
expect 0 timeline "$http" --group-by type -o line.svg
expect 0 report "$http" --group-by package --samples 1 -o page.html
grep -q 'java.util.HashMap' page.html && fail "the report has types"

# ---- a view says it, too; an option goes before it, and what the trace lacks is left out
printf '{"memcity_view":1,"settings":{"group_by":"%s"}}' type,package >view.json
printf '{"memcity_view":1,"settings":{"group_by":"%s"}}' loader >lacking.json
expect 0 render "$http" --view view.json --select 'Heap#java.lang.String#java.lang' --size 64x64 -o city.png
expect 0 render "$http" --view view.json --group-by type --select 'Heap#java.lang.String' --size 64x64 -o city.png
expect 0 render "$http" --view lacking.json --select 'Heap#java.lang#String' --size 64x64 -o city.png; says 'the view groups by'

# ---- lists that name nothing
for command in info top layout; do
  expect 2 $command "$http" --group-by typ; says '--group-by'; says 'package and type; did you mean type?'
  expect 2 $command plain.mct --group-by file,file; says 'twice'
  expect 2 $command plain.mct --group-by ''; says 'directory and file'
done
expect 2 import "$http" --group-by loader -o none.mct; says 'package and type'
[ -e none.mct ] && fail "a wrong list leaves a file"
printf '{"time":1,"root":{"key":"a","name":"a","role":"","bytes":1,"objects":1}}' >plain.json
expect 2 info plain.json --group-by type; says 'what it is grouped by'
finish

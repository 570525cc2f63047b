#!/usr/bin/env bash
# Each command on a sample of each format of profiles: none is a special case, and what is said twice is the same.
. "$(dirname "$0")/../command.sh"
data=$2/profiles

# Samples: a name, and its files.
samples=(pprof "go-1.pb.gz go-5.pb.gz" heaptrack heaptrack-leak.zst memray memray-leak.bin memray-sums memray-sums.bin heapprofd heapprofd.pftrace massif massif-leak.out dhat dhat-leak.out
  jemalloc "jemalloc-1.heap jemalloc-2.heap" gperftools "gperftools-1.heap gperftools-2.heap" debug1 go-debug1.txt
  tracemalloc "python-1.tracemalloc python-2.tracemalloc" v8 "v8-1.heapprofile v8-2.heapprofile")

# all_equal WHAT COMMAND…: it prints the same of the files, and of all that was made of them.
all_equal() {
  local what=$1 input
  shift
  expect 0 "$1" "${files[@]}" "${@:2}"
  cp "$work/out" "$work/wanted"
  [ -s "$work/wanted" ] || fail "$name: $what: nothing is printed"
  for input in "$work/$name.mct" "$work/$name.rows.mct"; do
    expect 0 "$1" "$input" "${@:2}"
    cmp -s "$work/wanted" "$work/out" || fail "$name: $what of $input differs: $(diff "$work/wanted" "$work/out" | head -4)"
  done
}

for ((i = 0; i < ${#samples[@]}; i += 2)); do
  name=${samples[i]}
  mkdir "$work/$name"
  files=()
  seconds=10
  for file in ${samples[i + 1]}; do
    cp "$data/$file" "$work/$name/"
    touch -d "2026-01-02 03:04:$seconds" "$work/$name/$file" # of those that say no time
    files+=("$work/$name/$file")
    seconds=$((seconds + 10))
  done
  # The same trace as an .mct file, as rows, as JSON, and from its folder.
  expect 0 import "${files[@]}" -o "$work/$name.mct"
  expect 0 export "${files[@]}" --rows
  cp "$work/out" "$work/$name.tsv"
  expect 0 import --rows "$work/$name.tsv" -o "$work/$name.rows.mct"
  expect 0 export "${files[@]}" --format default -o "$work/$name.json"
  expect 0 export "$work/$name" --rows
  cmp -s "$work/out" "$work/$name.tsv" || fail "$name: a folder differs from its files"
  all_equal top top --json
  all_equal "top by caller" top --json --group-by site,caller
  all_equal find find main --json
  all_equal why why --json
  all_equal walk walk --json
  all_equal units units --json
  all_equal about about --tsv
  all_equal layout layout --tsv
  all_equal city city --tsv
  all_equal rows export --rows
  for input in "$work/$name.mct" "$work/$name.rows.mct" "$work/$name.json" "$work/$name"; do
    expect 0 gate "$work/$name.mct" "$input" --rule '**: +1%/h, +1GB' --few-steps
  done
  expect 0 info "$work/$name.mct" --json
  sed 's/,"notes":.*/}/' "$work/out" >"$work/wanted"
  expect 0 info "$work/$name.json" --json
  sed 's/,"notes":.*/}/' "$work/out" | cmp -s - "$work/wanted" || fail "$name: info of its JSON differs"
  # Sums are the root's at the last step, by whichever classifier.
  run 0 python3 - "$memcity" "${files[@]}" <<'PYTHON'
import json, subprocess, sys
def ask(*arguments):
    return json.loads(subprocess.run([sys.argv[1], *arguments], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True).stdout)
wanted = ask("info", *sys.argv[2:], "--json")["steps"][-1]["bytes"]
for grouping in (), ("--group-by", "site"), ("--group-by", "caller"), ("--group-by", "site,caller"):
    found = sum(row["last"] if "last" in row else row["now"] for row in ask("top", *sys.argv[2:], "--json", "-n", "100000", "--metric", "bytes", *grouping))
    assert found == wanted, (grouping, found, wanted)
PYTHON
  expect 0 top "${files[@]}" --json
  key=$(sed -n 's/.*"key":"\([^"]*\)".*/\1/p' "$work/out" | head -1)
  expect 0 refs "${files[@]}" --of "$key"
  expect 0 why "${files[@]}" --of "$key"
  expect 0 diff "$work/$name.mct" "$work/$name"
  grep -q "±0" "$work/out" || fail "$name: differs from itself"
  expect 0 merge "one=$work/$name.mct" "two=$work/$name.rows.mct" -o "$work/$name.merged.mct" --under host
  expect 0 tree "${files[@]}" -o "$work/$name.svg"
  expect 0 timeline "${files[@]}" -o "$work/$name.time.svg"
  # Objects are those of heap dumps.
  for command in "paths --of x" "whatif --demolish x" objects; do
    # shellcheck disable=SC2086 # words
    "$memcity" ${command%% *} "${files[0]}" ${command#"${command%% *}"} >"$work/out" 2>"$work/err" && fail "$name: $command of no heap dump"
    [ -s "$work/err" ] || fail "$name: $command says nothing"
  done
done

finish

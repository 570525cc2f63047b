#!/usr/bin/env bash
# A series of heap dumps is read side by side: the same comes out as one after another, whatever is wrong with some.
. "$(dirname "$0")/../command.sh"
here=$(realpath "$(dirname "$0")/..")
memcity=$(realpath "$memcity")
cd "$work" || exit 1
mkdir dumps
for i in $(seq 1 9); do
  python3 "$here/hprof_maker.py" dumps/$i.hprof --seed "$i" --objects $((400 * (i % 4) + 100)) || exit 1
done
# Each a minute after the one before: 8 bytes behind the header's text and the size of ids.
python3 - <<'PYTHON'
for i in range(1, 10):
    data = bytearray(open(f"dumps/{i}.hprof", "rb").read())
    at = data.index(0) + 5
    data[at:at + 8] = (1700000000000 + 60000 * i).to_bytes(8, "big")
    open(f"dumps/{i}.hprof", "wb").write(data)
PYTHON
gzip dumps/4.hprof
head -c $(($(stat -c %s dumps/6.hprof) - 300)) dumps/6.hprof >cut && mv cut dumps/6.hprof

# What a trace says, but for the numbers that strings have in the file.
content() { # FILE.mct
  rm -rf exported
  expect 0 export "$1" --format default -o exported
  find exported -type f | sort | xargs cat
  for view in $(sqlite3 "$1" "SELECT name FROM sqlite_master WHERE name IN ('growth', 'reference_field', 'root', 'retaining_path', 'step')"); do
    sqlite3 "$1" "SELECT * FROM $view ORDER BY 1, 2, 3, 4, 5"
  done
}
core=$(taskset -cp $$ | sed 's/.*: //; s/[,-].*//')
both() { # CODE ARGUMENTS…: on one core and on all
  local code=$1
  shift
  rm -f one.mct all.mct
  run "$code" taskset -c "$core" "$memcity" import "$@" -o one.mct; cp "$work/err" one.err
  expect "$code" import "$@" -o all.mct; cp "$work/err" all.err
  cmp one.err all.err || fail "$*: other words: $(diff one.err all.err | head -4)"
  [ -e one.mct ] || { [ ! -e all.mct ] || fail "$*: a file"; return; }
  content one.mct >one.txt
  content all.mct >all.txt
  [ -s one.txt ] || fail "$*: nothing"
  cmp one.txt all.txt || fail "$*: another trace"
}
both 3 dumps
both 3 dumps --deep
both 0 dumps --deep --partial --group-by datastructure,type
both 0 dumps --no-references --partial --times 0,1m,2m,3m,4m,5m,6m,7m,8m
# A bad one ends it, with what is wrong with the first of them, or is left out.
echo "JAVA PROFILE 1.0.9" >dumps/3x.hprof
printf 'JAVA PROFILE 1.0.2\0\0\0\0\5' >dumps/5x.hprof
both 3 dumps --partial
grep -q 5x one.err && fail "the second one is told: $(cat one.err)"
both 0 dumps --partial --skip-bad-steps
# Class histograms among them keep their place, which gives them their times.
printf ' num     #instances         #bytes  class name\n   1:            12            345  [B\nTotal            12            345\n' >histogram.txt
both 0 dumps/1.hprof dumps/2.hprof histogram.txt dumps/3.hprof --times 0,1m,2m,3m
[ "$(sqlite3 all.mct 'SELECT time_ms, objects FROM step ORDER BY time_ms' | sed -n 3p)" = '120000|12' ] ||
  fail "the histogram's place: $(sqlite3 all.mct 'SELECT * FROM step')"
finish

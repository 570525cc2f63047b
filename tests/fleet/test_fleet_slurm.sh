#!/usr/bin/env bash
# The recipe for a batch system, by a real one: a job array imports where the dumps lie, a last job merges what came of it.
. "$(dirname "$0")/../command.sh"
here=$(cd "$(dirname "$0")/.." && pwd)
. "$here/fleet/slurm.sh"
memcity=$(realpath "$memcity")
recipe=$(realpath "$here/../examples/fleet")
# Slurm's daemons ask for root, and for a host name that they can look up.
if [ "$(id -u)" -ne 0 ] || ! command -v slurmctld slurmd munged >/dev/null; then
  echo "skipped: Slurm's daemons need root, and the packages slurm-wlm and munge"
  exit 77
fi
trap 'slurm_stop; rm -rf "$work"' EXIT
cd "$work" || exit 1
slurm_start "$work/slurm" || { fail "Slurm does not start"; finish; }
export MEMCITY=$memcity

# submit LIST FLEET HOSTS: waits until the last job is over; its state goes to $state
submit() {
  local jobs
  jobs=$("$recipe/submit.sh" "$1" parts "$2" "$3") || { fail "can't submit"; return; }
  while squeue -h -j "${jobs##* }" -o %T 2>/dev/null | grep -q .; do
    scontrol -o show job "${jobs##* }" | grep -qE 'JobState=(COMPLETED|FAILED|CANCELLED)' && break
    sleep 0.1
  done
  state=$(scontrol -o show job "${jobs##* }" | sed 's/.*JobState=\([A-Z]*\).*ExitCode=\([0-9]*\):.*/\1 \2/')
}

python3 "$here/merge_reference.py" make dumps 7
for i in 0 1 2 3 4; do echo "web-$i=$work/dumps/part$i"; done >list
submit list fleet.mct 2
[ "$state" = "COMPLETED 0" ] || fail "$state: $(cat parts/*.log)"
direct=()
while IFS= read -r line; do direct+=("$line"); done <list
expect 0 merge "${direct[@]}" -o direct.mct --under host --bucket 1m
expect 0 export fleet.mct --format default -o one
expect 0 export direct.mct --format default -o two
diff -r one two >said || fail "not what merging at once gives: $(head -c 300 said)"

# A dump that can't be read: the rest is merged, the last job says so; once it is there, only it is read.
echo nothing >"$work/bad.hprof"
echo "db-1=$work/bad.hprof" >>list
submit list fleet.mct 2
[ "$state" = "FAILED 3" ] || fail "a bad dump: $state"
grep -q "bad.hprof" parts/import-2.log || fail "the bad dump is not named"
grep -q "not read: .*bad.hprof" parts/merge.log || fail "the last job does not say so"
expect 0 export fleet.mct --format default -o three
diff -r one three >said || fail "the rest is not what it was: $(head -c 300 said)"
stat -c '%Y %n' parts/host-web-*.mct >before
python3 "$here/hprof_maker.py" bad.hprof
ALIGN="--bucket 1m" submit list fleet.mct 2
[ "$state" = "COMPLETED 0" ] || fail "once it is there: $state: $(cat parts/*.log)"
stat -c '%Y %n' parts/host-web-*.mct | cmp - before || fail "what was there was read again"
expect 0 find fleet.mct 'Heap#db-1' --json; prints '"key":"Heap#db-1"'
slurm_stop
finish

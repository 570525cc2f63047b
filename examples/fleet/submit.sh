#!/usr/bin/env bash
# A fleet's dumps, read where they lie and merged into one trace, by Slurm. docs/reference/merge.md says more.
#
#   submit.sh LIST FOLDER FLEET.mct [HOSTS]
#
# LIST has a line a host, NAME=TRACE: what memcity opens, on a file system that all nodes see. Each task of a job array imports
# HOSTS of them (16) into FOLDER, and merges these; the last job merges what the tasks have made. What is in FOLDER already and
# not older than its dump is taken as it is, so that a second run does what the first one could not.
#
# From the environment: MEMCITY, the program; UNDER, what a line is (host); ALIGN, the options that bring steps together
# (--bucket 1m: said here once, as all merges of a tree have to agree); IMPORT, options of memcity import; SBATCH_OPTIONS.
set -euo pipefail
[ $# -ge 3 ] || { sed -n '2,12s/^# \{0,1\}//p' "$0" >&2; exit 2; }
here=$(cd "$(dirname "$0")" && pwd)
list=$(realpath "$1")
mkdir -p "$2"
folder=$(realpath "$2")
fleet=$(realpath -m "$3")
hosts=${4:-16}
export MEMCITY=${MEMCITY:-memcity} UNDER=${UNDER:-host} ALIGN=${ALIGN:---bucket 1m} IMPORT=${IMPORT:-}
count=$(grep -c . "$list") || { echo "$list: no line in it" >&2; exit 3; }
tasks=$(((count + hosts - 1) / hosts))
rm -f "$folder"/group-*.mct
options=()
[ -z "${SBATCH_OPTIONS:-}" ] || read -ra options <<<"$SBATCH_OPTIONS"
imports=$(sbatch --parsable "${options[@]}" --array "0-$((tasks - 1))" --output "$folder/import-%a.log" \
  "$here/import.sbatch" "$list" "$folder" "$hosts")
# Also if a task has failed: what it lacks is said, and the rest is merged.
merge=$(sbatch --parsable "${options[@]}" --dependency "afterany:$imports" --output "$folder/merge.log" \
  "$here/merge.sbatch" "$folder" "$fleet" "$tasks")
echo "$imports $merge"

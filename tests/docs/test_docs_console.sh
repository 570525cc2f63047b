#!/usr/bin/env bash
# Every command in the documents: those of `console` blocks run and print what stands there, the others have the options that they name.
. "$(dirname "$0")/../command.sh"
here=$(dirname "$(realpath "$0")")
mkdir -p "$work/bin"
ln -s "$memcity" "$work/bin/memcity"
PATH=$work/bin:$PATH
run 0 python3 "$here/console.py" "$memcity" "$here/../.."
sed -n '$p' "$work/out"
finish

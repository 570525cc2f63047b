#!/usr/bin/env bash
# Who owns the objects of running programs (programs/), against a slow reference.
. "$(dirname "$0")/../command.sh"
. "$(dirname "$0")/../jvm.sh"
memcity=$(realpath "$memcity")
print=$(realpath "$(dirname "$memcity")/tests/print_owners")
cd "$work" || exit 1

# same HOME CLASS OWNER: of the last dump of the series
same() {
  rm -rf dumps
  "$1/bin/java" -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -Xmx128m -cp "$classes" "com.acme.$2" dumps >/dev/null ||
    { fail "$2 can't be recorded"; return; }
  local dump
  dump=$(printf '%s\n' dumps/*.hprof | tail -1)
  "$print" "$dump" >owners.json || fail "$2: no owners"
  python3 "$here/hprof_owners_reference.py" "$dump" owners.json >said || fail "$2 on $1: $(cat said)"
  grep -qF "$3" owners.json || fail "$2: nothing is owned by $3"
  # a file has them, too, and leaves them out if it is told to
  "$memcity" import "$dump" -o owners.mct >/dev/null 2>&1 || fail "$2: no import"
  "$memcity" import "$dump" --fast -o fast.mct >/dev/null 2>&1 || fail "$2: no import"
  [ "$(wc -c <owners.mct)" -gt "$(wc -c <fast.mct)" ] || fail "$2: no owners in the file"
}

for home in $(jdks); do
  same "$home" mdc.Requests 'ThreadLocal com.acme.mdc.Requests.CONTEXT'
  same "$home" redeploy.Container 'static com.acme.redeploy.Container.shutdownHooks'
  same "$home" timer.Scheduler 'java.util.TaskQueue'
  same "$home" finalizers.Handles 'pending finalizers'
  same "$home" documents.Selections 'static com.acme.documents.Selections.selected'
done

finish

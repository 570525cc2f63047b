# What the tests of the subcommands share: how they run the program, and what they check of it.
# Sourced with the program as $1; sets $traces, $http and $work, a folder that goes in the end.
set -u
memcity=$1
traces=$(dirname "$memcity")/traces
http=$traces/httpclient-3.0.1
work=$(mktemp -d)
export XDG_CACHE_HOME=$(dirname "$memcity")/cache # letters that were rendered serve all tests
trap 'rm -rf "$work"' EXIT
failures=0
# Compilers' checks cost time: what compares numbers that both builds reckon alike is left to the plain one.
sanitized() { [ "${MC_TEST_SANITIZED:-0}" = 1 ]; }
# compares WHAT: whether a script is to reckon independently what was printed: in the plain build always, in this one the first
# time of each kind. What makes the output runs in both.
declare -A compared=()
compares() {
  sanitized && [ -n "${compared[$1]:-}" ] && return 1
  compared[$1]=1
}

fail() {
  echo "failed: $*" >&2
  failures=$((failures + 1))
}
# A helper that there is not fails the test, in a subshell, too: a loop over what it would have printed does nothing.
command_not_found_handle() {
  echo "failed: there is no command $1" | tee -a "$work/not_found" >&2
  return 127
}
# run CODE COMMAND…: checks the exit code; output in $work/out and $work/err
run() {
  local wanted=$1
  shift
  "$@" >"$work/out" 2>"$work/err" </dev/null
  local code=$?
  [ "$code" -eq "$wanted" ] || fail "exit code $code, not $wanted: $*: $(head -c 300 "$work/err")"
}
expect() { # CODE ARGUMENTS…: the program itself
  local wanted=$1
  shift
  run "$wanted" "$memcity" "$@"
}
quiet() { [ ! -s "$work/err" ] || fail "stderr is not empty: $(head -c 300 "$work/err")"; }
says() { grep -qF -- "$1" "$work/err" || fail "stderr lacks \"$1\": $(head -c 300 "$work/err")"; }
prints() { grep -qF -- "$1" "$work/out" || fail "stdout lacks \"$1\": $(head -c 300 "$work/out")"; }
# eventually COMMAND…: once it succeeds. How long is waited decides nothing but when a test that fails gives up, on a busy machine
# as well.
eventually() {
  local end=$((SECONDS + 120))
  until "$@" 2>/dev/null; do
    [ $SECONDS -lt $end ] || { fail "never: $*"; return 1; }
    sleep 0.05
  done
}
finish() { # ends the test
  [ ! -e "$work/not_found" ] || failures=$((failures + 1))
  [ "$failures" -eq 0 ] || { echo "$failures checks failed" >&2; exit 1; }
  exit 0
}

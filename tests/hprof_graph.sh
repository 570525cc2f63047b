# How the tests of heap dumps' graphs compare all that is known of a dump with a slow reference. Sourced behind command.sh.
same() { # DUMP KEY…
  local dump=$1
  shift
  rm -rf exported divided
  expect 0 export "$dump" --format default -o exported
  expect 0 export "$dump" --format default --deep -o divided \
    --group-by datastructure,package,type --collections 'a.b.C*'
  "$print" "$dump" "$@" >printed 2>log || fail "print_hprof $dump: $(tail -3 log)"
  python3 "$here/hprof_graph_reference.py" "$dump" exported printed divided >log 2>&1 || fail "$dump: $(tail -20 log)"
}

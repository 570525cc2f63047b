# What tests of heaps of objects share, behind command.sh: three dumps N.KIND, and the same heaps as rows, N.graph.

# same_as_graph KIND NORMALIZE: of each line of its input, a command and its options, all say the same of both. NORMALIZE: prints a
# file without what differs by itself; objects come in another order.
same_as_graph() {
  local kind=$1 normalize=$2 command options
  while read -r command options; do
    # shellcheck disable=SC2086
    expect 0 "$command" 1.graph 2.graph 3.graph $options
    "$normalize" out | sort >wanted
    [ -s wanted ] || fail "$command $options: nothing is printed"
    # shellcheck disable=SC2086
    expect 0 "$command" 1.$kind 2.$kind 3.$kind $options
    "$normalize" out | sed "s/\\.$kind\"/.graph\"/" | sort >got
    cmp -s got wanted || fail "$command $options: $(diff wanted got | head -4)"
  done
  expect 0 objects 3.graph --graph
  sed '/^# time/d' out | sort >wanted
  expect 0 objects 3.$kind --graph
  sed '/^# time/d' out | sort >got
  cmp -s got wanted || fail "rows of the graph differ: $(diff wanted got | head -4)"
  gzip -c 3.$kind >packed.gz
  expect 0 top packed.gz
}

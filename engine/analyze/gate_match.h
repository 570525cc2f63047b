// gate_match.h - matches rules with groups, and groups with those of the base (gate.h).
//
// Linear in the nodes and their own keys, however deep the tree. Threads: any.
#pragma once
#include "engine/analyze/rule.h"

// `rule_of`, per node of `trace`: the first rule that matches it; MC_RULES_MAX: none does.
// `matches`, per rule, false before: it matches a node, though an earlier rule may have taken it.
mc_result mc_gate_match_rules(const mc_trace *trace, const mc_rule *rules, uint32_t rule_count,
                              uint8_t *rule_of, bool *matches, const mc_progress *progress,
                              mc_error *error);
// Per node of `trace`: the node of `base` (may be NULL) with the same full key, but for the
// number of a hidden class at its end; MC_NONE: there is none. Of several, the first.
mc_result mc_gate_find_in_base(const mc_trace *trace, const mc_trace *base, uint32_t *base_nodes,
                               const mc_progress *progress, mc_error *error);
// Finds moved groups. `pair_nodes`, per node of `trace`: the node of `pair` to take the base's
// values from, if members of the group were moved, moved in or moved out; MC_NONE: take them from
// its node of the base. A group that was moved itself gets its former node in `base_nodes`. Several
// names of one trace may be folded to one of the pair; those are compared by full key alone.
mc_result mc_gate_find_moved(const mc_trace *trace, const mc_trace *base, const mc_trace *pair,
                             uint32_t *base_nodes, uint32_t *pair_nodes, mc_error *error);

// gate_match.h - matches rules with groups, and groups with those of the base; for the gate's own
// files only.
//
// Linear in the nodes and their own keys, however deep the tree. Threads: any.
#pragma once
#include "engine/analyze/gate.h"

// Per node of desc->trace: the first rule that matches it; MC_GATE_RULE_MAX: none does.
mc_result mc_gate_match_rules(const mc_gate_desc *desc, uint8_t *rule_of,
                              const mc_progress *progress, mc_error *error);
// Per node of desc->trace: the node of desc->base with the same full key, but for the number of a
// hidden class at its end; MC_NONE: there is none. Of several, the first.
mc_result mc_gate_find_in_base(const mc_gate_desc *desc, uint32_t *base_nodes,
                               const mc_progress *progress, mc_error *error);
// Finds moved groups. `pair_nodes`, per node of desc->trace: the node of desc->pair to take the
// base's values from, if members of the group were moved, moved in or moved out; MC_NONE: take them
// from its node of the base. A group that was moved itself gets its former node in `base_nodes`.
// Several names of one trace may be folded to one of the pair; those are compared by full key
// alone.
mc_result mc_gate_find_moved(const mc_gate_desc *desc, uint32_t *base_nodes, uint32_t *pair_nodes,
                             mc_error *error);

// gate_match.h - which rule matches which group, and which group of the base is the same; for the
// gate's own files only.
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
// `pair_nodes`, per node of desc->trace: the node of desc->pair of which the base's values are;
// where its members were moved, moved in or moved out. MC_NONE: those of its node of the base are.
// What was moved itself has the node of the base that it was. Some names of one trace are one of
// the pair: such are compared by full key alone.
mc_result mc_gate_find_moved(const mc_gate_desc *desc, uint32_t *base_nodes, uint32_t *pair_nodes,
                             mc_error *error);

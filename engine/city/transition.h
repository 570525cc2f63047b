// transition.h - the transition from one layout to the next: the old place of each structure of a
// new city.
//
// Structures are matched by their nodes; a building that was a district (or the other way round) is
// new. Structures that are gone are no longer shown, new ones rise from their plots. During a
// transition (mc_update_params.transition from 0 to 1, say in 0.6 s) picking uses the final places,
// and translucent buildings are drawn in the order of the new layout, which may be wrong for that
// moment. Threads: any.
#pragma once
#include "engine/city/evaluate.h"

// Computes the old boxes of `city`'s buildings, then districts: as `old` shows them with `params`
// between its counts `from` and `to`, itself maybe in transition. `old` is of the same trace, or
// `came_from` maps each node of the city to one of its trace (MC_NONE: none). NULL: out of memory.
// The caller frees the result with mc_free() once nobody uses it any more (mc_city.before).
// O(buildings + districts).
mc_box *mc_transition_create(const mc_city *city, const mc_city *old,
                             const mc_update_params *params, const uint64_t *from,
                             const uint64_t *to, const uint32_t *came_from);

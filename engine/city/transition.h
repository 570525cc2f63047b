// transition.h - from one layout to the next: where each structure of a new city was in the old
// one.
//
// Structures are matched by their node; a building that was a district (or the other way round) is
// new. What is gone is not shown any more, what is new rises from its place. While gliding
// (mc_update_params.transition from 0 to 1, say in 0.6 s) picking answers for where everything will
// be, and translucent buildings are drawn in the order of the new layout, which may be wrong for
// that moment. Threads: any.
#pragma once
#include "engine/city/evaluate.h"

// The boxes of `city`'s buildings, then districts, as `old` shows them with `params` between its
// counts `from` and `to`, gliding itself if it does. `old` is of the same trace, or of one of which
// `came_from` says which of its nodes each of the city's was; MC_NONE: none. NULL: out of memory.
// The caller frees it with mc_free(), after whoever it was given to (mc_city.before) is done with
// it. O(buildings + districts).
mc_box *mc_transition_create(const mc_city *city, const mc_city *old,
                             const mc_update_params *params, const uint64_t *from,
                             const uint64_t *to, const uint32_t *came_from);

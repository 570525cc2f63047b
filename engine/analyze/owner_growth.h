// owner_growth.h - how much more what piles up in a group retains than at first, where the trace
// knows owners: causes (causes.h) by groups.
//
// Pure CPU code. Threads: any.
#pragma once
#include "engine/analyze/causes.h"

typedef struct mc_owner_growth {
    uint32_t node;
    uint64_t growth; // bytes that are retained, since the window's first step
} mc_owner_growth;

// The groups that causes of a trace that knows owners are named by, those of the largest growth
// first; those of one group are summed. None: the window is one step, or nothing keeps growing.
uint32_t mc_owner_growth_list(const mc_causes *causes, mc_owner_growth items[MC_CAUSES_MOST_OWNED]);
// The same of causes that are looked for. As long as they take.
mc_result mc_owner_growth_find(const mc_trace *trace, const mc_causes_desc *desc,
                               const mc_progress *progress,
                               mc_owner_growth items[MC_CAUSES_MOST_OWNED], uint32_t *count,
                               mc_error *error);

// joins.h - the links drawn between structures at a step: the references of a node, or the stops of
// a walk.
//
// For the window and for pictures alike. Zero-initialise, make, deinit. Threads: any; one finder
// serves one at a time.
#pragma once
#include "engine/analyze/group_links.h"
#include "engine/city/frustum.h"

typedef struct mc_joins {
    mc_frustum_link *links;
    uint32_t *stops; // of a walk: where each link begins
    uint32_t count;
} mc_joins;

// The links of `node`. On failure `joins` is empty.
mc_result mc_joins_make_references(mc_joins *joins, uint32_t node, const mc_links *links,
                                   mc_error *error);
// The links of several nodes; a link's start is the row of the group link that it is a part of.
mc_result mc_joins_make_group(mc_joins *joins, const mc_group_links *group, mc_error *error);
// Links from stop to stop, where references of this step exist. Errors are those of
// mc_link_finder_find(); `joins` is empty then.
mc_result mc_joins_make_cause_links(mc_joins *joins, mc_link_finder *finder, uint32_t step,
                                    const uint32_t *stops, uint32_t stop_count, mc_error *error);
// Adds links and their starts. On failure `joins` is as it was.
mc_result mc_joins_add(mc_joins *joins, const mc_frustum_link *links, const uint32_t *stops,
                       uint32_t count, mc_error *error);
void mc_joins_deinit(mc_joins *joins);

// link_finder_state.h - the state of an mc_link_finder (link_finder.h); for its two sources only.
#pragma once
#include "engine/analyze/links.h"

// The subtree of a node: on each level from its own to `levels`, the nodes from one bound to the
// next.
typedef struct mc_link_region {
    uint32_t least_level, levels;
    size_t first_bound;
} mc_link_region;

typedef struct mc_link_finder {
    const mc_trace *trace;
    uint32_t step; // MC_NONE: none is loaded
    mc_reference_rows references;
    uint64_t *objects;    // per node
    uint32_t *from_first; // per node and one more: where its pairs begin in `references`
    uint32_t *to_first;   // likewise in `by_to`
    uint32_t *by_to;      // pairs by (to, from)
    bool has_map[2];
    uint32_t *slot; // per node: its link while links are gathered, else MC_NONE
    // What is below each of the nodes that were asked for.
    mc_link_region *regions;
    uint32_t region_count;
    size_t region_capacity;
    uint32_t *bounds; // of the regions, one after another
    size_t bound_capacity;

    mc_field_rows fields;       // by (from, to); of a step that has some
    uint32_t *fields_by_to;     // by (to, from)
    uint32_t *field_from_first; // per node and one more: where its fields begin in `fields`
    uint32_t *field_to_first;   // likewise in `fields_by_to`
} mc_link_finder;

// Whether a node is one of those that were asked for, or below one.
static inline bool mc_link_finder_is_below(const mc_link_finder *finder, uint32_t node) {
    uint32_t level = mc_trace_get_nodes(finder->trace)->level[node];
    for (uint32_t i = 0; i < finder->region_count; i++) {
        const mc_link_region *region = &finder->regions[i];
        if (level < region->least_level || level >= region->levels) continue;
        const uint32_t *bounds =
            finder->bounds + region->first_bound + (size_t)2 * (level - region->least_level);
        if (node >= bounds[0] && node < bounds[1]) return true;
    }
    return false;
}

// link_fields.c

mc_result mc_link_finder_load_fields(mc_link_finder *finder, uint32_t step, mc_error *error);
void mc_link_finder_forget_fields(mc_link_finder *finder);
// Fills in the fields of the links found.
mc_result mc_link_finder_fill_fields(const mc_link_finder *finder, mc_links *links,
                                     mc_error *error);

// link_finder.h - what an mc_link_finder holds; for links.c and link_fields.c only.
#pragma once
#include "engine/analyze/links.h"

struct mc_link_finder {
    const mc_trace *trace;
    uint32_t step; // MC_NONE: none is loaded
    mc_reference_columns references;
    uint64_t *objects;    // per node
    uint32_t *from_first; // per node and one more: where its pairs begin in `references`
    uint32_t *to_first;   // likewise in `by_to`
    uint32_t *by_to;      // pairs by (to, from)
    uint32_t by_to_capacity;
    bool has_map[2];
    uint32_t *slot;               // per node: its link while links are gathered, else MC_NONE
    uint32_t *begin, *end;        // per level: the nodes below the one that was asked for
    uint32_t least_level, levels; // those of them that are filled

    mc_field_columns fields;    // by (from, to); of a step that has some
    uint32_t *fields_by_to;     // by (to, from)
    uint32_t *field_from_first; // per node and one more: where its fields begin in `fields`
    uint32_t *field_to_first;   // likewise in `fields_by_to`
};

// Whether a node is the one that was asked for, or below it.
static inline bool mc_link_finder_is_below(const mc_link_finder *finder, uint32_t node) {
    uint32_t level = mc_trace_get_nodes(finder->trace)->level[node];
    return level >= finder->least_level && level < finder->levels && node >= finder->begin[level] &&
           node < finder->end[level];
}

// link_fields.c

mc_result mc_link_finder_load_fields(mc_link_finder *finder, uint32_t step, mc_error *error);
void mc_link_finder_forget_fields(mc_link_finder *finder);
// Of links of the node that was asked for.
mc_result mc_link_finder_fill_fields(const mc_link_finder *finder, mc_links *links,
                                     mc_error *error);

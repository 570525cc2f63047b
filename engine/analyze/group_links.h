// group_links.h - the links of several nodes together: what keeps them alive, what they keep alive,
// and the links among them.
//
// Pure CPU code. If one of the nodes contains another, the outer one has the links to nodes
// outside. Threads: as of the finder.
#pragma once
#include "engine/analyze/link_finder.h"

// One node's part of a link that they have together.
typedef struct mc_group_end {
    uint32_t node;
    uint32_t row; // index of that link
    mc_link link;
} mc_group_end;

// Zero-initialise, find, deinit.
typedef struct mc_group_links {
    // First what they have among each other (mc_link.from is one of them, the partner another one),
    // then what they have with others, each strongest first.
    mc_links links;
    uint32_t among_count;
    uint32_t total_count;    // before the filter
    uint32_t filtered_count; // of those that it lets through, however many are wanted
    mc_group_end *ends;
    uint32_t end_count;
} mc_group_links;

// The filter as of mc_links_filter(); `most` is for links with others. On failure it is empty.
// O(nodes) plus mc_link_finder_find() of each.
mc_result mc_group_links_find(mc_group_links *group, mc_link_finder *finder, const mc_trace *trace,
                              uint32_t step, const uint32_t *nodes, uint32_t count, bool incoming,
                              bool outgoing, uint32_t most, mc_error *error);
void mc_group_links_deinit(mc_group_links *group);

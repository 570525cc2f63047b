// link_finder.h - finds the links of structures at a step.
//
// Threads: separate finders may run in parallel; one finder serves one thread at a time.
#pragma once
#include "engine/analyze/links.h"

typedef struct mc_link_finder mc_link_finder; // one step's references, sorted both ways

// `trace` must outlive the finder. O(1): steps are read when they are first asked for.
mc_result mc_link_finder_create(const mc_trace *trace, mc_link_finder **finder, mc_error *error);
void mc_link_finder_destroy(mc_link_finder *finder); // NULL is fine

// Finds the links of `node` at `step`. Frees what `links` held before; on failure it is zeroed. If
// `step` differs from the last one asked for, O(nodes + references + fields) (some 30 ms per
// million references); else O(links log links + fields of the partners), for a district plus
// O(nodes below it).
mc_result mc_link_finder_find(mc_link_finder *finder, uint32_t step, uint32_t node, mc_links *links,
                              mc_error *error);

// Finds the links of several nodes together: the sums over their leaves, to leaves outside all of
// them.
mc_result mc_link_finder_find_of(mc_link_finder *finder, uint32_t step, const uint32_t *nodes,
                                 uint32_t count, mc_links *links, mc_error *error);

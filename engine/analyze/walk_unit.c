#include "engine/analyze/walk_unit.h"

#include "engine/analyze/trend.h"
#include "engine/base/memory.h"
#include <stdlib.h>

#define LEAST_GROWTH 8  // less may be chance
#define LEAST_SHARE 0.1 // of the program's leaves

typedef struct grown {
    int64_t growth;
    uint32_t node;
} grown;

static int compare_grown(const void *a, const void *b) {
    const grown *x = a, *y = b;
    if (x->growth != y->growth) return x->growth < y->growth ? -1 : 1;
    return x->node < y->node ? -1 : 1;
}

// The longest run of one growth; returns its length. `leaves` is sorted.
static uint32_t find_run(const grown *leaves, uint32_t count, uint32_t *first) {
    uint32_t longest = 0;
    for (uint32_t i = 0, k; i < count; i = k) {
        for (k = i; k < count && leaves[k].growth == leaves[i].growth; k++) {
        }
        if (k - i <= longest) continue;
        longest = k - i;
        *first = i;
    }
    return longest;
}

// The one that references the most others; MC_NONE: none references any.
static mc_result choose_node(const grown *leaves, uint32_t count, mc_link_finder *finder,
                             uint32_t step, uint32_t *node, mc_error *error) {
    uint32_t most = 0;
    mc_links links = {0};
    mc_result result = MC_OK;
    *node = MC_NONE;
    for (uint32_t i = 0; i < count && result == MC_OK; i++) {
        result = mc_link_finder_find(finder, step, leaves[i].node, &links, error);
        uint32_t outgoing = 0;
        for (uint32_t k = 0; k < links.count; k++)
            outgoing += links.links[k].direction == MC_LINK_OUTGOING;
        if (result != MC_OK || outgoing <= most) continue;
        most = outgoing;
        *node = leaves[i].node;
    }
    mc_links_deinit(&links);
    return result;
}

// Whether it keeps growing; of a few steps nobody knows.
static mc_result goes_on(const mc_trace *trace, mc_step_range window, uint32_t node, bool *result,
                         mc_error *error) {
    mc_trend trend;
    mc_result code =
        mc_trend_compute_nodes(trace, MC_METRIC_OBJECTS, window, &node, 1, &trend, NULL, error);
    *result = window.last_step - window.first_step + 1 < MC_GROWTH_LEAST_POINTS ||
              trend.growth.kind == MC_GROWTH_GOES_ON;
    return code;
}

static mc_result find(const mc_walk_unit_desc *desc, grown *leaves, uint32_t count,
                      uint32_t program_count, mc_walk_unit *unit, mc_error *error) {
    uint32_t first = 0, node;
    bool is_growing;
    qsort(leaves, count, sizeof *leaves, compare_grown);
    uint32_t run = find_run(leaves, count, &first);
    if (run < MC_WALK_LEAST_UNIT || run < LEAST_SHARE * program_count) return MC_OK;
    mc_result result = choose_node(leaves + first, run, desc->finder, desc->step, &node, error);
    if (result != MC_OK || node == MC_NONE) return result;
    result = goes_on(desc->trace, desc->window, node, &is_growing, error);
    if (result == MC_OK && is_growing)
        *unit = (mc_walk_unit){.node = node, .count = run, .growth = leaves[first].growth};
    return result;
}

mc_result mc_walk_unit_find(const mc_walk_unit_desc *desc, mc_walk_unit *unit, mc_error *error) {
    const mc_node_columns *nodes = mc_trace_get_nodes(desc->trace);
    const uint64_t *objects = desc->objects;
    uint32_t count = 0, program_count = 0;
    grown *leaves = mc_alloc(nodes->leaf_count, sizeof *leaves);
    if (!leaves) return mc_error_out_of_memory(error);
    for (uint32_t node = 0; node < nodes->count; node++) {
        if (nodes->child_count[node] > 0 || objects[node] == 0 || desc->is_library[node]) continue;
        int64_t growth = (int64_t)(objects[node] - desc->first_objects[node]);
        program_count++;
        if (growth >= LEAST_GROWTH && growth <= desc->most_growth)
            leaves[count++] = (grown){growth, node};
    }
    mc_result result = count == 0 ? MC_OK : find(desc, leaves, count, program_count, unit, error);
    mc_free(leaves);
    return result;
}

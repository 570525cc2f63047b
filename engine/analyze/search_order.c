#include "engine/analyze/search.h"

#include "engine/base/memory.h"
#include <stdlib.h>
#include <string.h>

static uint32_t get_level(const mc_node_columns *nodes, uint32_t node) {
    uint32_t level = 0;
    for (; node != 0; node = nodes->parent[node])
        level++;
    return level;
}

static int compare_equal(const mc_trace *trace, uint32_t a, uint32_t b) {
    const mc_node_columns *nodes = mc_trace_get_nodes(trace);
    uint32_t a_level = get_level(nodes, a), b_level = get_level(nodes, b);
    if (a_level != b_level) return a_level < b_level ? -1 : 1;
    int names = strcmp(mc_trace_get_name(trace, a, NULL), mc_trace_get_name(trace, b, NULL));
    return names != 0 ? names : (a > b) - (a < b);
}

// What is not known has the largest number, and then the least.
static int compare(const mc_search_sizes *sizes, uint32_t a, uint32_t b) {
    uint64_t a_value = sizes->values[a] + 1, b_value = sizes->values[b] + 1;
    if (a_value != b_value) return a_value > b_value ? -1 : 1;
    uint64_t a_max = sizes->max[a] + 1, b_max = sizes->max[b] + 1;
    if (a_max != b_max) return a_max > b_max ? -1 : 1;
    return compare_equal(sizes->trace, a, b);
}

bool mc_search_is_before(const mc_search_sizes *sizes, uint32_t a, uint32_t b) {
    return compare(sizes, a, b) < 0;
}

static int compare_nodes(const void *a, const void *b, void *user) {
    return compare(user, *(const uint32_t *)a, *(const uint32_t *)b);
}

void mc_search_sort(const mc_search_sizes *sizes, uint32_t *nodes, uint32_t count) {
    qsort_r(nodes, count, sizeof *nodes, compare_nodes, (void *)sizes);
}

mc_result mc_search_sort_at(const mc_trace *trace, mc_metric metric, uint32_t step,
                            mc_step_range window, uint32_t *nodes, uint32_t count,
                            mc_error *error) {
    mc_max_tree tree = {0};
    if (count < 2) return MC_OK;
    uint64_t *values = mc_alloc(mc_trace_get_nodes(trace)->count, sizeof *values);
    mc_result result = values ? mc_trace_read_column(trace, step, metric, values, error)
                              : mc_error_out_of_memory(error);
    if (result == MC_OK) result = mc_max_tree_compute(&tree, trace, metric, window, NULL, error);
    const mc_search_sizes sizes = {trace, values, tree.max};
    if (result == MC_OK) mc_search_sort(&sizes, nodes, count);
    mc_max_tree_deinit(&tree);
    mc_free(values);
    return result;
}

#include "engine/analyze/top_n.h"

#include "engine/base/memory.h"
#include <string.h>

// Where it stands among those that were found.
static uint32_t find_place(const mc_metric_info *info, const mc_top_n *found, uint32_t count,
                           uint64_t value) {
    uint64_t number = mc_metric_get_count(info, value);
    uint32_t first = 0, last = count;
    while (first < last) {
        uint32_t middle = first + (last - first) / 2;
        if (mc_metric_get_count(info, found[middle].value) >= number)
            first = middle + 1;
        else
            last = middle;
    }
    return first;
}

mc_result mc_top_n_find(const mc_trace *trace, uint32_t step_index, mc_metric metric, uint32_t root,
                        mc_top_n *found, uint32_t most, uint32_t *count, mc_error *error) {
    const mc_node_columns *nodes = mc_trace_get_nodes(trace);
    const mc_metric_info *info = mc_trace_get_metric(trace, metric);
    *count = 0;
    uint64_t *values = mc_alloc(nodes->count, sizeof *values);
    if (!values) return mc_error_out_of_memory(error);
    mc_result result = mc_trace_read_column(trace, step_index, metric, values, error);
    for (uint32_t node = 0; result == MC_OK && node < nodes->count; node++) {
        if (nodes->child_count[node] > 0 || values[node] == MC_COUNT_UNKNOWN ||
            mc_metric_get_count(info, values[node]) == 0)
            continue;
        uint32_t place = find_place(info, found, *count, values[node]);
        if (place == most || !mc_nodes_is_inside(nodes, node, root)) continue;
        if (*count < most) ++*count;
        memmove(found + place + 1, found + place, (*count - 1 - place) * sizeof *found);
        found[place] = (mc_top_n){node, values[node]};
    }
    mc_free(values);
    return result;
}

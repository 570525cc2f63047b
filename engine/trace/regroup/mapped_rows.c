// What a step says of pairs of leaves and of leaves, of a trace whose leaves are put together anew.
#include "engine/trace/regroup/mapped_rows.h"

mc_result mc_mapped_read_side(const mc_trace *base, uint32_t step_index, const uint32_t *leaf,
                              mc_side_table table, mc_side_rows *rows, mc_error *error) {
    const mc_side_map map = {.by_kind = {[MC_COLUMN_LEAF] = leaf}};
    if (table == MC_SIDE_RENAMES || table == MC_SIDE_SUMS) return MC_OK; // no step says so
    mc_result result = base->source->read_side(base, step_index, table, rows, error);
    mc_side_rows_map(table, rows, &map);
    mc_side_rows_add_up(table, rows);
    return result;
}

// ---- sizes

void mc_mapped_count_nodes(const mc_trace *trace, const uint64_t *present, mc_step_size *size) {
    size->node_count = size->leaf_count = 0;
    for (uint32_t node = 0; node < trace->nodes.count; node++) {
        if (!mc_bits_get(present, node)) continue;
        uint32_t child = trace->first_child[node], end = child + trace->child_count[node];
        bool is_inner = false;
        for (; child < end && trace->child_count[node] > 0 && !is_inner; child++)
            is_inner = mc_bits_get(present, child);
        size->node_count++;
        size->leaf_count += !is_inner;
    }
}

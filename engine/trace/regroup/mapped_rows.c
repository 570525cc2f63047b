// What a step says of pairs of leaves and of leaves, of a trace whose leaves are put together anew.
#include "engine/trace/regroup/mapped_rows.h"

#include "engine/base/memory.h"
#include "engine/trace/build/builder_state.h" // mc_pair
#include <stdlib.h>

// ---- references

static int compare_pairs(const void *a, const void *b) {
    const mc_pair *x = a, *y = b;
    if (x->from != y->from) return x->from < y->from ? -1 : 1;
    return x->to < y->to ? -1 : x->to > y->to;
}

static uint64_t add_count(uint64_t a, uint64_t b) {
    return a > MC_COUNT_MAX - b ? MC_COUNT_MAX : a + b;
}

// `columns` have room for all rows; rows of one pair become one.
static void take_rows(mc_pair *rows, uint32_t count, mc_reference_columns *columns) {
    uint32_t kept = 0;
    if (count > 0) qsort(rows, count, sizeof *rows, compare_pairs);
    for (uint32_t i = 0; i < count; i++) {
        bool goes_on = kept > 0 && columns->from[kept - 1] == rows[i].from &&
                       columns->to[kept - 1] == rows[i].to;
        uint32_t at = goes_on ? kept - 1 : kept++;
        columns->from[at] = rows[i].from;
        columns->to[at] = rows[i].to;
        columns->points_to[at] = add_count(goes_on ? columns->points_to[at] : 0, rows[i].points_to);
        columns->pointed_from[at] =
            add_count(goes_on ? columns->pointed_from[at] : 0, rows[i].pointed_from);
    }
    columns->count = kept;
}

mc_result mc_mapped_read_references(const mc_trace *base, uint32_t step_index, const uint32_t *leaf,
                                    mc_reference_columns *references, mc_error *error) {
    mc_result result = base->source->read_references(base, step_index, references, error);
    if (result != MC_OK || references->count == 0) return result;
    mc_pair *rows = mc_alloc(references->count, sizeof *rows);
    if (!rows) {
        mc_reference_columns_deinit(references);
        return mc_error_out_of_memory(error);
    }
    for (uint32_t i = 0; i < references->count; i++)
        rows[i] = (mc_pair){.from = leaf[references->from[i]],
                            .to = leaf[references->to[i]],
                            .points_to = references->points_to[i],
                            .pointed_from = references->pointed_from[i]};
    take_rows(rows, references->count, references);
    mc_free(rows);
    return MC_OK;
}

// ---- fields and roots

mc_result mc_mapped_read_fields(const mc_trace *base, uint32_t step_index, const uint32_t *leaf,
                                mc_field_count **fields, uint32_t *count, mc_error *error) {
    mc_result result = base->source->read_fields(base, step_index, fields, count, error);
    if (result != MC_OK || *count == 0) return result;
    mc_field_count *rows = *fields;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < *count; i++) {
        rows[i].from = leaf[rows[i].from];
        rows[i].to = leaf[rows[i].to];
    }
    qsort(rows, *count, sizeof *rows, mc_field_count_compare);
    for (uint32_t i = 0; i < *count; i++) {
        if (kept > 0 && mc_field_count_compare(&rows[kept - 1], &rows[i]) == 0)
            rows[kept - 1].count = add_count(rows[kept - 1].count, rows[i].count);
        else
            rows[kept++] = rows[i];
    }
    *count = kept;
    return MC_OK;
}

mc_result mc_mapped_read_roots(const mc_trace *base, uint32_t step_index, const uint32_t *leaf,
                               mc_root_count **roots, uint32_t *count, mc_error *error) {
    mc_result result = base->source->read_roots(base, step_index, roots, count, error);
    if (result != MC_OK || *count == 0) return result;
    mc_root_count *rows = *roots;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < *count; i++)
        rows[i].node = leaf[rows[i].node];
    qsort(rows, *count, sizeof *rows, mc_root_count_compare);
    for (uint32_t i = 0; i < *count; i++) {
        if (kept > 0 && mc_root_count_compare(&rows[kept - 1], &rows[i]) == 0)
            rows[kept - 1].count = add_count(rows[kept - 1].count, rows[i].count);
        else
            rows[kept++] = rows[i];
    }
    *count = kept;
    return MC_OK;
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

// ---- what is not known

mc_result mc_mapped_read_no_paths(const mc_trace *trace, uint32_t step_index, mc_path_sum **sums,
                                  uint32_t *count, mc_error *error) {
    (void)trace;
    (void)step_index;
    (void)error;
    *sums = NULL; // has_paths is false of every step
    *count = 0;
    return MC_OK;
}

mc_result mc_mapped_read_no_renames(const mc_trace *trace, uint32_t step_index, mc_rename **renames,
                                    mc_error *error) {
    (void)trace;
    (void)step_index;
    (void)error;
    *renames = NULL; // there are none of any step
    return MC_OK;
}

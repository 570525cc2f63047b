// Steps in memory, as the builder leaves them.
#include "engine/trace/trace_columns.h"

static mc_result read_column(const mc_trace *trace, uint32_t step_index, mc_metric metric,
                             uint64_t *values, mc_error *error) {
    (void)error;
    mc_packed_column_unpack(&trace->steps[step_index].columns[metric], values, trace->nodes.count);
    return MC_OK;
}

static mc_result read_values(const mc_trace *trace, uint32_t step_index, mc_metric metric,
                             const uint32_t *nodes, uint32_t count, uint64_t *values,
                             mc_error *error) {
    (void)error;
    for (uint32_t i = 0; i < count; i++)
        values[i] = mc_packed_column_get(&trace->steps[step_index].columns[metric], nodes[i]);
    return MC_OK;
}

static mc_result read_presence(const mc_trace *trace, uint32_t step_index, uint32_t node_index,
                               bool *is_present, mc_error *error) {
    (void)error;
    *is_present = mc_bits_get(trace->steps[step_index].present, node_index);
    return MC_OK;
}

static mc_result read_side(const mc_trace *trace, uint32_t step_index, mc_side_table table,
                           mc_side_rows *rows, mc_error *error) {
    return mc_side_rows_copy(table, &trace->steps[step_index].side[table], rows, error);
}

static const mc_packed_column *get_maxima(const mc_trace *trace, mc_metric metric) {
    (void)trace;
    (void)metric;
    return NULL;
}

static size_t get_memory_size(const mc_trace *trace) {
    size_t size = 0;
    for (uint32_t i = 0; i < trace->step_count; i++) {
        const mc_trace_step *step = &trace->steps[i];
        size += sizeof *step + mc_bits_word_count(trace->nodes.count) * sizeof(uint64_t);
        for (int table = 0; table < MC_SIDE_OF_STEP; table++)
            size += step->side[table].count * mc_side_tables[table].row_size;
        for (uint32_t metric = 0; metric < step->column_count; metric++)
            size += sizeof *step->columns + mc_packed_column_memory_size(&step->columns[metric]);
    }
    return size;
}

static void destroy(mc_trace *trace, bool has_nodes) {
    (void)trace;
    (void)has_nodes;
}

const mc_step_source mc_steps_in_memory = {.read_column = read_column,
                                           .read_values = read_values,
                                           .read_presence = read_presence,
                                           .read_side = read_side,
                                           .get_maxima = get_maxima,
                                           .get_memory_size = get_memory_size,
                                           .destroy = destroy};
